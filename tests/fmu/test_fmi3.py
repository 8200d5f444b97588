"""FMI 3.0 as an importer of our own sees it; one FMU, of a model that has the time, an input and units of its own."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_double, c_size_t
from pathlib import Path

import driven
import numpy as np
import pytest
from importer3 import Importer3, Instance3
from instances import ERROR
from libraries import declared, defined, make_silently
from scipy.integrate import solve_ivp

import eomc
from eomc.fmu import write_fmu

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module")
def fmu(tmp_path_factory: pytest.TempPathFactory) -> Importer3:
    """Write it by the command, and load it."""
    folder = tmp_path_factory.mktemp("driven")
    path = folder / "driven.fmu"
    words = [sys.executable, "-m", "eomc", "fmu", driven.__file__, "-o", path, "--fmi", "3"]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    assert told.stdout.startswith("driven: kane, 4 states, FMI 3.0, ")
    assert path.stat().st_size < 50_000
    return Importer3(path, folder / "x")


@pytest.fixture(scope="module")
def sim() -> eomc.Simulator:
    """Return the simulator of the same model."""
    return eomc.compile(driven.model()).load()


def test_cosimulation_has_the_bits_of_simulate(fmu: Importer3, sim) -> None:
    """Communication steps of whole steps, with an input that is held, give every bit; so does a shorter last one."""
    one = Instance3(fmu).initialized(F=2.0, m1=0.3)
    rows = [one.get(fmu.states)]
    for k in range(50):
        assert one.step(k * 0.01, 0.01) == (False, k * 0.01 + 0.01)
        rows.append(one.get(fmu.states))
    motion = sim.simulate(t_end=0.5, inputs={"F": 2.0}, parameters={"m1": 0.3}, every=10)
    assert np.array_equal(rows, motion.x)
    assert one.get(["pull", "power", "shake"]) == sim.outputs(0.5, motion.x[-1], {"F": 2.0}, {"m1": 0.3}).tolist()
    one.step(0.5, 0.0025)
    assert one.get(["time"]) == [pytest.approx(0.5025, rel=1e-15)]
    other = Instance3(fmu).initialized()
    other.step(0.0, 0.0025)
    assert other.get(fmu.states) == sim.simulate(t_end=0.0025).x[-1].tolist()


def test_inputs_are_given_in_the_course_of_a_step(fmu: Importer3, sim) -> None:
    """An importer that gives the input when it is asked has the order of the scheme; held, it has the first."""

    def force(t: float) -> float:
        return 5.0 * np.cos(3.0 * t)

    calls = []

    def update(one, t, sets, gets, finished, _may_return) -> bool:
        calls.append((t, sets, gets, finished))
        one.put({"F": force(t)})
        if gets:
            assert one.get(["F", "time"]) == [force(t), pytest.approx(t, rel=1e-14)]
        else:
            one.importer.functions.fmi3GetFloat64.restype = ctypes.c_int
            assert one("GetFloat64", one.vr(["F"]), c_size_t(1), (c_double * 1)(), c_size_t(1)) == ERROR
        return False

    exact = sim.simulate(t_end=2.0, inputs=lambda t: {"F": force(t)}, integrator="dop853", rtol=1e-13, atol=1e-13).x[-1]
    direct = sim.simulate(t_end=2.0, inputs=lambda t: {"F": force(t)}).x[-1]
    ends = {}
    for asks in (("F",), ()):
        one = Instance3(fmu, asks=asks, update=update if asks else None, early=True).initialized(F=force(0.0))
        for k in range(20):
            one.put({"F": force(0.1 * k)})
            one.step(0.1 * k, 0.1)
        ends[asks] = abs(np.subtract(one.get(fmu.states), exact)).max()
        if asks:
            assert abs(np.subtract(one.get(fmu.states), direct)).max() < 1e-13
    assert ends["F",] < 1e-9
    assert ends[()] > 1e-2
    assert calls[:4] == [
        (0.0005, True, False, False), (0.001, True, False, False), (0.001, True, True, True),
        (pytest.approx(0.0015), True, False, False),
    ]  # fmt: skip
    assert max(t for t, *_ in calls) <= 2.0 + 1e-15


def test_a_communication_step_ends_early_where_the_importer_asks(fmu: Importer3, sim) -> None:
    """It ends at a whole step, says when, and the motion goes on from there with the same bits."""

    def update(_one, t, _sets, _gets, _finished, may_return) -> bool:
        return may_return and t > 0.0045

    one = Instance3(fmu, update=update, early=True).initialized()
    assert one.step(0.0, 0.01) == (True, 0.005)
    assert one.get(["time"]) == [0.005]
    assert one.get(fmu.states) == sim.simulate(t_end=0.005).x[-1].tolist()
    assert one.step(0.005, 0.001) == (False, 0.006)
    assert one.get(fmu.states) == sim.simulate(t_end=0.006).x[-1].tolist()
    assert Instance3(fmu, update=update).initialized().step(0.0, 0.01) == (False, 0.01)


def test_model_exchange_is_the_right_hand_side(fmu: Importer3, sim) -> None:
    """SciPy over the derivatives at 1e-10 ends within 1e-7 of our run at 1e-12, and the derivatives have its bits."""
    one = Instance3(fmu, "ModelExchange").initialized(F=2.0)
    assert not any(one.discrete())
    one.must("EnterContinuousTimeMode")
    x0 = sim.state()
    assert one.rates_at(0.5, x0) == sim.rhs(0.5, x0, {"F": 2.0}).tolist()
    run = solve_ivp(one.rates_at, (0.0, 2.0), x0, method="DOP853", rtol=1e-10, atol=1e-10)
    ours = sim.simulate(t_end=2.0, inputs={"F": 2.0}, integrator="dop853", rtol=1e-12, atol=1e-12)
    assert abs(run.y[:, -1] - ours.x[-1]).max() < 1e-7
    number, nominals = c_size_t(), (c_double * 4)()
    one.must("GetNumberOfContinuousStates", ctypes.byref(number))
    one.must("GetNominalsOfContinuousStates", nominals, number)
    assert list(nominals) == [1.0, 0.3, 1.0, 1.0]
    one.completed()


def test_states_are_kept_and_written_out(fmu: Importer3) -> None:
    """A run that goes on from a state, kept or as bytes, in this instance or another, has the same bits."""
    one, other = Instance3(fmu).initialized(m1=0.3), Instance3(fmu).initialized()
    one.step(0.0, 0.0025)
    kept = one.kept()
    text = one.written_out(kept)
    one.step(0.0025, 0.1)
    ends = [one.get(fmu.states)]
    one.restore(kept)
    one.step(0.0025, 0.1)
    ends.append(one.get(fmu.states))
    read = other.read(text)
    other.restore(read)
    other.step(0.0025, 0.1)
    ends.append(other.get(fmu.states))
    assert ends[0] == ends[1] == ends[2]
    one.free(kept)
    other.free(read)
    text[3] ^= 1
    assert one("DeserializeFMUState", text, c_size_t(len(text)), ctypes.byref(read)) == ERROR
    assert "another version" in one.log[-1]
    assert one("DeserializeFMUState", text, c_size_t(len(text) - 1), ctypes.byref(read)) == ERROR
    assert "its size is another" in one.log[-1]


def test_states_of_the_other_kind_are_refused(fmu: Importer3) -> None:
    """One in the middle of co-simulation has no place in model exchange, nor the other way."""
    there, here = Instance3(fmu).initialized(), Instance3(fmu, "ModelExchange").initialized()
    states = [there.kept(), here.kept()]
    assert (there("SetFMUState", states[1]), here("SetFMUState", states[0])) == (ERROR, ERROR)
    assert there.log == ["fmi3SetFMUState: this is a state of model exchange"]
    assert here.log == ["fmi3SetFMUState: this is a state of co-simulation"]


def test_instances_know_nothing_of_each_other(fmu: Importer3) -> None:
    """Eight instances in eight threads have the bits of eight runs one after the other; a reset begins anew."""

    def run(mass: float) -> list[float]:
        one = Instance3(fmu)
        for _ in range(2):  # the second after a reset
            one.initialized(m1=mass)
            for k in range(200):
                one.step(k * 0.01, 0.01)
            end = one.get(fmu.states)
            one.must("Reset")
        return end

    masses = [0.1 * (1 + k) for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(run, masses)] == [*map(run, masses)]


def test_failures_are_told(fmu: Importer3) -> None:
    """Errors are told also where nothing else is logged: the pivot, calls that must not be, what there is not."""
    one = Instance3(fmu, logs=False)
    none = ctypes.c_void_p()
    assert one("DoStep", 0.0, 0.01, True, none, none, none, none) == ERROR
    assert one.log == ["fmi3DoStep must not be called now"]
    one.begun(m1=0.0, m2=0.0)
    assert one("ExitInitializationMode") == ERROR
    assert one.log[-1] == "these parameters allow no motion at t = 0: the pivot of v##1"  # a # alone is a reference
    for what, told in (
        ({"token": "{0}"}, "its instantiationToken is another"),
        ({"events": True}, "no event mode"),
        ({"asks": ["m1"]}, "inputs and outputs"),
        ({"kind": "ScheduledExecution"}, "no clocks"),
    ):
        other = Instance3(fmu, **what)
        assert other.handle is None
        assert told in other.log[0]
    n = c_size_t(1)
    one = Instance3(fmu).initialized()
    for name, *arguments in (
        ("GetInt32", one.vr(["F"]), n, none, n),
        ("SetClock", one.vr(["F"]), n, none),
        ("GetOutputDerivatives", one.vr(["pull"]), n, none, none, n),
        ("GetVariableDependencies", 0, none, none, none, none, n),
        ("SetFloat64", one.vr(["pull"]), n, (c_double * 1)(), n),
        ("GetFloat64", one.vr(["pull"]), n, (c_double * 1)(), c_size_t(2)),
        ("SetFloat64", one.vr(["x"]), n, (c_double * 1)(), n),
        ("EnterConfigurationMode",),
        ("EnterStepMode",),
        ("SetDebugLogging", True, n, (ctypes.c_char_p * 1)(b"all")),
    ):
        before = len(one.log)
        assert one(name, *arguments) == ERROR
        assert len(one.log) == before + 1
    zero = c_size_t(0)
    one.must("GetInt32", None, zero, none, zero)
    one.must("SetDebugLogging", True, n, (ctypes.c_char_p * 1)(b"logStatusWarning"))


def test_the_description_says_what_the_model_has(fmu: Importer3) -> None:
    """Units with base units, units as written, bounds, sizes, starts with every digit, one time, one token."""
    by_name = {one.get("name"): one for one in fmu.variables}
    assert len(by_name) == len(fmu.variables) == len(set(fmu.references.values()))
    bases = {
        one.get("name"): {key: int(value) for key, value in one.find("BaseUnit").attrib.items()}
        for one in fmu.root.iter("Unit")
    }
    assert bases["N/m"] == {"kg": 1, "s": -2}
    assert bases["W"] == {"kg": 1, "m": 2, "s": -3}
    assert bases["s"] == {"s": 1}
    assert {one.get("unit") for one in fmu.variables} - {None} == set(bases)
    factors = {one.get("name"): float(one.get("factor")) for one in fmu.root.iter("DisplayUnit")}
    for name, shown in (("k", 0.02), ("x", 100.0)):
        one = by_name[name]
        assert float(one.get("start")) * factors[one.get("displayUnit")] == pytest.approx(shown, rel=1e-14)
    assert (by_name["k"].get("min"), by_name["k"].get("max"), by_name["y"].get("nominal")) == ("0.0", "100.0", "0.3")
    assert by_name["der(x)"].get("derivative") == by_name["x"].get("valueReference")
    assert fmu.of("independent") == ["time"]
    assert {one.get("name") for one in fmu.variables if one.get("intermediateUpdate")} == {
        "F",
        "pull",
        "power",
        "shake",
    }
    assert {by_name[name].get("variability") for name in fmu.of("parameter")} == {"tunable"}


def test_dependencies_are_exact(fmu: Importer3) -> None:
    """At random points rates and outputs change with what they depend on by the description, and nothing else."""
    rng = np.random.default_rng(5)
    unknown = [*fmu.rates, *fmu.of("output")]
    known = [*fmu.states, *fmu.of("input"), *fmu.of("parameter")]
    said = fmu.structure("InitialUnknown")
    assert said == {**fmu.structure("ContinuousStateDerivative"), **fmu.structure("Output")}
    assert set(said) == set(unknown)
    one = Instance3(fmu, "ModelExchange").begun(start=0.4)
    seen = {name: set() for name in unknown}
    for _ in range(4):
        point = dict(zip(known, rng.uniform(0.5, 1.5, len(known)), strict=True))
        one.put(point)
        before = one.get(unknown)
        for name in known:
            one.put({name: 0.7 * point[name]})
            for row, a, b in zip(unknown, before, one.get(unknown), strict=True):
                if a != b:
                    seen[row].add(name)
            one.put({name: point[name]})
    one.must("ExitInitializationMode")
    one.must("EnterContinuousTimeMode")
    before = one.get(unknown)
    one.must("SetTime", 0.1)
    for row, a, b in zip(unknown, before, one.get(unknown), strict=True):
        if a != b:
            seen[row].add("time")
    assert seen == said


def test_derivatives_along_and_against(fmu: Importer3) -> None:
    """Central differences of rates and outputs by states, inputs, parameters and the time; and their transpose."""
    rng = np.random.default_rng(6)
    unknown, state = [*fmu.rates, *fmu.of("output")], fmu.states
    known = [*state, *fmu.of("input"), *fmu.of("parameter"), "time"]
    assert fmu.root.find("ModelExchange").get("providesAdjointDerivatives") == "true"
    one = Instance3(fmu, "ModelExchange").initialized()

    def at(point: np.ndarray) -> np.ndarray:
        one.must("EnterEventMode")
        one.put(dict(zip(known[4:-1], point[4:-1], strict=True)))
        one.must("EnterContinuousTimeMode")
        one.rates_at(point[-1], point[:4])
        return np.array(one.get(unknown))

    for _ in range(4):
        point, along = rng.uniform(0.5, 1.5, len(known)), rng.normal(size=len(known))
        slopes = (at(point + 1e-6 * along) - at(point - 1e-6 * along)) / 2e-6
        at(point)
        found = one.derivatives("Directional", unknown, known, along)
        assert abs(found - slopes).max() < 1e-7 * (1.0 + abs(slopes).max())
        against = rng.normal(size=len(unknown))
        back = one.derivatives("Adjoint", unknown, known, against)
        assert np.dot(back, along) == pytest.approx(np.dot(against, found), rel=1e-12)
    with pytest.raises(AssertionError, match="a known is a state, an input, a parameter or the time"):
        one.derivatives("Adjoint", ["pull"], ["pull"], [1.0])


def test_sources_make_the_library_again(fmu: Importer3, strict, tmp_path: Path) -> None:
    """What the description of the build lists is silent under the strictest flags, and has no names but the standard's.

    With a prefix, as importers that link statically have it, all functions have it.
    """
    sources = fmu.folder / "sources"
    names = declared(sources / "fmi-3.h", "FMI3_EXPORT")
    assert len(names) == 75
    libraries = make_silently(strict, sources, fmu.sources, tmp_path)
    for library in (*libraries.values(), fmu.library):
        assert defined(library) == names
    again = Importer3.__new__(Importer3)
    again.__dict__.update(fmu.__dict__)
    again.load(libraries["gcc"])
    ends = []
    for importer in (fmu, again):
        one = Instance3(importer).initialized()
        one.step(0.0, 0.1)
        ends.append(one.get(fmu.states))
    assert ends[0] == ends[1]
    subprocess.run(
        ["gcc", "-std=c99", "-DFMI3_FUNCTION_PREFIX=driven_", "-c", "fmi-3.c", "-o", tmp_path / "x.o"],
        cwd=sources, check=True,
    )  # fmt: skip
    assert defined(tmp_path / "x.o", "-g") == {f"driven_{name}" for name in names}


@pytest.mark.importers
@pytest.mark.parametrize("name", ["euler", "semi_implicit_euler", "ralston", "dop853", "gauss3"])
def test_every_scheme_asks_for_inputs(tmp_path: Path, name: str) -> None:
    """Inputs that are given when they are asked for make the motion of `simulate` with these inputs as a function."""
    build = eomc.compile(driven.model(), integrator=name)
    rail = Importer3(write_fmu(build, tmp_path / "driven.fmu", fmi=3), tmp_path / "x")

    def update(one, t, sets, gets, _finished, _may_return) -> bool:
        assert sets
        one.put({"F": np.cos(3.0 * t)})
        if gets:
            assert one.get(["power"])[0] == pytest.approx(np.cos(3.0 * t) * one.get(["'v#1'"])[0], rel=1e-14)
        return False

    one = Instance3(rail, asks=["F", "power"], update=update).initialized(F=1.0)
    for k in range(10):
        one.put({"F": np.cos(0.3 * k)})
        one.step(0.1 * k, 0.1)
    tolerance = 1e-6 if build.integrator.adaptive else 1e-12
    ours = build.load().simulate(t_end=1.0, inputs=lambda t: {"F": np.cos(3.0 * t)}).x[-1]
    assert abs(np.subtract(one.get(rail.states), ours)).max() < tolerance


@pytest.mark.importers
def test_an_importer_does_not_keep_states_within_a_step(fmu: Importer3) -> None:
    """A state is kept and restored between communication steps; where the importer is called, that is told."""
    kept = ctypes.c_void_p()

    def update(one, _t, _sets, _gets, _finished, _may_return) -> bool:
        assert one("GetFMUState", ctypes.byref(kept)) == ERROR
        assert one("Reset") == ERROR
        return False

    one = Instance3(fmu, update=update).initialized()
    one.step(0.0, 0.001)
    assert one.log == ["fmi3GetFMUState must not be called now", "fmi3Reset must not be called now"]


@pytest.mark.importers
def test_sanitizers_are_silent(fmu: Importer3, tmp_path: Path) -> None:
    """A run with inputs on the way, states that are kept, and derivatives touches no memory but its own."""
    sources = fmu.folder / "sources"
    (tmp_path / "main.c").write_text(_PROGRAM.replace("@", fmu.root.get("instantiationToken")))
    command = ["gcc", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{sources}"]
    files = [tmp_path / "main.c", *(sources / name for name in fmu.sources)]
    subprocess.run([*command, *files, "-lm", "-o", tmp_path / "main"], check=True)
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


_PROGRAM = """
#include "fmi-3.h"
#include <stdlib.h>

enum { FORCE = 8, END = 17, TIME = 17 };

static void update(fmi3InstanceEnvironment environment, fmi3Float64 t, fmi3Boolean sets, fmi3Boolean gets,
                   fmi3Boolean finished, fmi3Boolean canReturn, fmi3Boolean *returns, fmi3Float64 *at)
{
    const fmi3ValueReference force[] = {FORCE};
    fmi3Float64 value[] = {t};

    (void)gets;
    (void)finished;
    *returns = canReturn && (t > 0.0045);
    *at = t;
    if (sets && (fmi3SetFloat64(*(fmi3Instance *)environment, force, 1, value, 1) != fmi3OK)) {
        abort();
    }
}

int main(void)
{
    const fmi3ValueReference force[] = {FORCE}, rates[] = {4, 5, 6, 7}, knowns[] = {0, 1, 2, 3, FORCE, TIME};
    fmi3ValueReference all[END + 1];
    fmi3Float64 value[END + 1], seed[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, along[4], against[6], last = 0.0;
    fmi3FMUState state = NULL, read = NULL;
    fmi3Boolean event, ends, early;
    fmi3Instance c = NULL;
    size_t size = 0;
    fmi3Byte *bytes;
    unsigned int k;
    int failures = 0;

    for (k = 0; k <= END; ++k) {
        all[k] = k;
    }
    c = fmi3InstantiateCoSimulation("one", "@", NULL, false, true, false, true, force, 1, &c, NULL, update);
    failures += fmi3EnterInitializationMode(c, false, 0.0, 0.0, false, 0.0) + fmi3ExitInitializationMode(c);
    failures += fmi3DoStep(c, 0.0, 0.01, true, &event, &ends, &early, &last) + !early + (last > 0.0051);
    failures += fmi3GetFloat64(c, all, END + 1, value, END + 1);
    failures += fmi3GetFMUState(c, &state) + fmi3SerializedFMUStateSize(c, state, &size);
    bytes = malloc(size);
    failures += fmi3SerializeFMUState(c, state, bytes, size) + fmi3DeserializeFMUState(c, bytes, size, &read);
    failures += fmi3SetFMUState(c, read) + fmi3FreeFMUState(c, &state) + fmi3FreeFMUState(c, &read);
    failures += fmi3GetDirectionalDerivative(c, rates, 4, knowns, 6, seed, 6, along, 4);
    failures += fmi3GetAdjointDerivative(c, rates, 4, knowns, 6, along, 4, against, 6);
    failures += fmi3Terminate(c);
    free(bytes);
    fmi3FreeInstance(c);
    return failures;
}
"""


@pytest.mark.importers
def test_events_are_those_of_simulate(tmp_path: Path) -> None:
    """Bounces in co-simulation to the bit; in model exchange an indicator changes its sign, and the ball turns."""
    build = eomc.compile(eomc.load("bouncing_ball"), integrator="rk4")
    ball = Importer3(write_fmu(build, tmp_path / "ball.fmu", fmi=3), tmp_path / "x")
    shown = []

    def update(one, t, _sets, _gets, _finished, _may_return) -> bool:
        shown.append((t, *one.get(ball.states)))
        return False

    one = Instance3(ball, update=update).initialized()
    for k in range(100):
        one.step(k * 0.01, 0.01)
    ours = build.load().simulate(t_end=1.0)
    assert one.get(ball.states) == ours.x[-1].tolist()
    ends = np.flatnonzero(np.diff(ours.t, append=2.0) > 0.0)[1:]  # a run has an instant before and after its event
    assert np.array_equal(np.array(shown)[:, 1:], ours.x[ends])

    (indicator,) = ball.structure("EventIndicator")
    assert ball.structure("EventIndicator")[indicator] == {"y"}
    assert ball.root.find("ModelExchange").get("needsCompletedIntegratorStep") == "true"
    assert {one.get("name") for one in ball.variables if one.get("reinit")} == set(ball.states)
    one = Instance3(ball, "ModelExchange").initialized()
    count, z = c_size_t(), (c_double * 1)()
    one.must("GetNumberOfEventIndicators", ctypes.byref(count))
    assert count.value == 1
    one.discrete()
    one.must("EnterContinuousTimeMode")
    for height in (0.1, -1e-9):
        one.rates_at(0.4, [height, -3.0, 0.0])
        one.must("GetEventIndicators", z, count)
        assert np.sign(z[0]) == np.sign(height)
        assert one.get([indicator]) == list(z)
    assert one.completed() == (True, False)
    one.must("EnterEventMode")
    assert one.discrete() == [False, False, False, True, False]
    assert one.get(["v"]) == [pytest.approx(3.0 * 0.8)]
