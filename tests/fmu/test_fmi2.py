"""FMI 2.0 as an importer of our own sees it: the same bits as `simulate`, states, threads, messages, symbols."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from importer import CO_SIMULATION, MODEL_EXCHANGE, Importer
from instances import ERROR
from libraries import declared, defined, make_silently
from scipy.integrate import solve_ivp

import eomc
from eomc.fmu import write_fmu

pytestmark = pytest.mark.needs_cc

FURTHER = {  # whose C is another
    "loop": ("four_bar", {"stabilization": "projection"}),
    "a loop with fixed parameters": ("four_bar", {"stabilization": "none"}),
    "fixed steps between events": ("bouncing_ball", {"integrator": "rk4"}),
    "an input and a tolerance": ("cart_pole", {"integrator": "dop853"}),
    "an implicit scheme": ("henon_heiles", {"integrator": "gauss3"}),
}


@pytest.fixture(scope="module")
def cart(written, tmp_path_factory) -> Importer:
    """Load the cart and pole."""
    return Importer(written["cart_pole"], tmp_path_factory.mktemp("cart"))


@pytest.fixture(scope="module")
def sim():
    """Return the simulator of the same model."""
    return eomc.compile(eomc.load("cart_pole")).load()


def test_cosimulation_has_the_bits_of_simulate(cart: Importer, sim) -> None:
    """Communication steps of whole steps, with an input that is held, give every bit that `simulate` gives."""
    one = cart.instance().initialized(F=2.0, m=0.3)
    rows = [one.get(cart.states)]
    for k in range(50):
        one.step(k * 0.01, 0.01)
        rows.append(one.get(cart.states))
    motion = sim.simulate(t_end=0.5, inputs={"F": 2.0}, parameters={"m": 0.3}, every=10)
    assert np.array_equal(rows, motion.x)


def test_a_communication_step_ends_with_a_shorter_step(cart: Importer, sim) -> None:
    """2.5 ms are two steps of 1 ms and one of half a millisecond, as at the end of a run."""
    one = cart.instance().initialized()
    one.step(0.0, 0.0025)
    assert one.get(cart.states) == sim.simulate(t_end=0.0025).x[-1].tolist()
    one.step(0.0025, 0.001)
    assert abs(np.subtract(one.get(cart.states), sim.simulate(t_end=0.0035).x[-1])).max() < 1e-12


def test_inputs_follow_their_derivatives(cart: Importer, sim) -> None:
    """With derivatives of the input at 1 ms the run is within 1e-4 of one to 1e-12; held, it is not within 1e-3."""

    def force(t: float) -> float:
        return 5.0 * np.sin(3.0 * t)

    exact = sim.simulate(t_end=2.0, inputs=lambda t: {"F": force(t)}, integrator="dop853", rtol=1e-12, atol=1e-12).x[-1]
    errors = {}
    for follows, h in ((True, 0.001), (True, 0.02), (False, 0.02)):
        one = cart.instance().initialized()
        for k in range(round(2.0 / h)):
            one.put({"F": force(k * h)})
            if follows:
                one.slope("F", (force((k + 1) * h) - force(k * h)) / h)
            one.step(k * h, h)
        errors[follows, h] = abs(np.subtract(one.get(cart.states), exact)).max()
    assert errors[True, 0.001] < 1e-4
    assert errors[True, 0.02] < 0.1 * errors[False, 0.02]
    assert errors[False, 0.02] > 1e-3


def test_outputs_are_those_of_the_end(cart: Importer, sim) -> None:
    """After a step with a moving input, inputs and outputs are those at its end."""
    one = cart.instance().initialized(F=1.0)
    one.slope("F", 10.0)
    one.step(0.0, 0.01)
    x = one.get(cart.states)
    assert one.get(["F"])[0] == pytest.approx(1.1, rel=1e-14)
    assert one.get(["bob_x", "bob_y"]) == sim.outputs(0.01, x).tolist()


def test_model_exchange_is_the_right_hand_side(cart: Importer, sim) -> None:
    """SciPy over the derivatives at 1e-9 ends within 1e-6 of our run at 1e-12, and the derivatives have its bits."""
    one = cart.instance(MODEL_EXCHANGE).initialized(F=2.0)
    one.must("EnterContinuousTimeMode")
    x0 = sim.state()
    assert one.rates_at(0.5, x0) == sim.rhs(0.5, x0, {"F": 2.0}).tolist()
    run = solve_ivp(one.rates_at, (0.0, 2.0), x0, method="DOP853", rtol=1e-9, atol=1e-9)
    ours = sim.simulate(t_end=2.0, inputs={"F": 2.0}, integrator="dop853", rtol=1e-12, atol=1e-12)
    assert abs(run.y[:, -1] - ours.x[-1]).max() < 1e-6


def test_states_are_kept_and_written_out(cart: Importer) -> None:
    """A run that goes on from a state, kept or as bytes, in the same instance or in another, has the same bits."""
    one, other = cart.instance().initialized(m=0.3), cart.instance().initialized()
    one.step(0.0, 0.0025)
    kept = one.kept()
    text = one.written_out(kept)
    one.step(0.0025, 0.1)
    ends = [one.get(cart.states)]
    one.restore(kept)
    one.step(0.0025, 0.1)
    ends.append(one.get(cart.states))
    read = other.read(text)
    other.restore(read)
    other.step(0.0025, 0.1)
    ends.append(other.get(cart.states))
    assert ends[0] == ends[1] == ends[2]
    one.free(kept)
    other.free(read)


def test_foreign_states_are_refused(cart: Importer) -> None:
    """Bytes of another size, or of another version of the model, are told and not taken."""
    one = cart.instance().initialized()
    kept, read = one.kept(), ctypes.c_void_p()
    text = one.written_out(kept)
    assert one("SerializeFMUstate", kept, text, ctypes.c_size_t(len(text) - 1)) == ERROR
    assert one("DeSerializeFMUstate", text, ctypes.c_size_t(len(text) - 1), ctypes.byref(read)) == ERROR
    text[3] = ord("?")
    assert one("DeSerializeFMUstate", text, ctypes.c_size_t(len(text)), ctypes.byref(read)) == ERROR
    assert "too little room" in one.log[0]
    assert "its size is another" in one.log[1]
    assert "another version" in one.log[2]


def test_states_of_the_other_kind_are_refused(cart: Importer) -> None:
    """One in the middle of co-simulation has no place in model exchange, nor the other way; one before a run has."""
    there, here = (cart.instance(kind).initialized() for kind in (CO_SIMULATION, MODEL_EXCHANGE))
    states = [there.kept(), here.kept()]
    assert (there("SetFMUstate", states[1]), here("SetFMUstate", states[0])) == (ERROR, ERROR)
    assert there.log == ["fmi2SetFMUstate: this is a state of model exchange"]
    assert here.log == ["fmi2SetFMUstate: this is a state of co-simulation"]
    there.step(0.0, 0.01)
    here.must("EnterContinuousTimeMode")
    here.restore(cart.instance(CO_SIMULATION).begun().kept())
    here.must("ExitInitializationMode")
    here.must("EnterContinuousTimeMode")


def test_instances_know_nothing_of_each_other(cart: Importer) -> None:
    """Eight instances in eight threads have the bits of eight runs one after the other; a reset begins anew."""

    def run(mass: float) -> list[float]:
        one = cart.instance().initialized(m=mass)
        for _ in range(2):  # the second after a reset
            for k in range(200):
                one.step(k * 0.01, 0.01)
            end = one.get(cart.states)
            one.must("Reset")
            one.initialized(m=mass)
        return end

    masses = [0.1 * (1 + k) for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(run, masses)] == [*map(run, masses)]


def test_failures_are_told(cart: Importer) -> None:
    """The log names the pivot, the function that must not be called, and the description that is another."""
    one = cart.instance()
    assert one("DoStep", 0.0, 0.01, 1) == ERROR
    assert one.log == ["fmi2DoStep must not be called now"]
    one.begun(M=0.0, m=0.0)
    assert one("ExitInitializationMode") == ERROR
    assert one.log[-1] == "these parameters allow no motion at t = 0: the pivot of x_d"
    other = cart.instance(token="{0}")
    assert other.handle is None
    assert "its guid is another" in other.log[0]


def test_a_jump_of_the_communication_point_is_told(cart: Importer) -> None:
    """A step that does not begin where the last one has ended is an error, one that rounds is none."""
    one = cart.instance().initialized()
    one.step(0.0, 0.01)
    one.step(0.01 * (1.0 + 1e-9), 0.01)
    assert one("DoStep", 0.03, 0.01, 1) == ERROR


def test_every_function_is_seen_and_nothing_else(written, cart: Importer, tmp_path: Path) -> None:
    """The library exports what the header declares, and no other name."""
    names = declared(cart.folder / "sources" / "fmi-2.h", "FMI2_EXPORT")
    assert len(names) == 44
    for importer in (cart, Importer(written["bouncing_ball"], tmp_path)):
        assert defined(importer.library) == names


@pytest.mark.parametrize(
    "name", ["cart_pole", "bouncing_ball", *(pytest.param(one, marks=pytest.mark.importers) for one in FURTHER)]
)
def test_the_sources_are_silent(request: pytest.FixtureRequest, strict, tmp_path: Path, name: str) -> None:
    """The files that the description lists make a library without a word under the strictest flags."""
    model, options = FURTHER.get(name, ("", {}))
    path = (
        write_fmu(eomc.compile(eomc.load(model), **options), tmp_path / "a.fmu")
        if model
        else request.getfixturevalue("written")[name]
    )
    importer = Importer(path, tmp_path / name)
    assert {*importer.sources} >= {f"fmu_{model or name}.c", "fmi-2.c"}
    make_silently(strict, importer.folder / "sources", importer.sources, tmp_path)


def test_sanitizers_are_silent(cart: Importer, tmp_path: Path) -> None:
    """A run with states that are kept touches no memory but its own."""
    (tmp_path / "main.c").write_text(_PROGRAM.replace("@", cart.root.get("guid")))
    sources = cart.folder / "sources"
    files = [tmp_path / "main.c", *(sources / name for name in cart.sources)]
    command = ["gcc", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{sources}", *files, "-lm"]
    subprocess.run([*command, "-o", tmp_path / "main"], check=True)
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


_PROGRAM = """
#include "fmi-2.h"
#include <stdlib.h>

int main(void)
{
    const fmi2ValueReference all[] = {0, 4, 8, 9, 13, 14};
    fmi2Real value[6];
    fmi2FMUstate state = NULL, read = NULL;
    size_t size = 0;
    fmi2Component c = fmi2Instantiate("one", fmi2CoSimulation, "@", NULL, NULL, 0, 1);
    char *bytes;
    int failures = 0;

    failures += fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) + fmi2EnterInitializationMode(c);
    failures += fmi2ExitInitializationMode(c) + fmi2DoStep(c, 0.0, 0.0123, 1) + fmi2GetReal(c, all, 6, value);
    failures += fmi2GetFMUstate(c, &state) + fmi2SerializedFMUstateSize(c, state, &size);
    bytes = malloc(size);
    failures += fmi2SerializeFMUstate(c, state, bytes, size) + fmi2DeSerializeFMUstate(c, bytes, size, &read);
    failures += fmi2SetFMUstate(c, read) + fmi2FreeFMUstate(c, &state) + fmi2FreeFMUstate(c, &read);
    failures += fmi2DoStep(c, 0.0123, 0.01, 1) + fmi2Terminate(c);
    free(bytes);
    fmi2FreeInstance(c);
    return failures;
}
"""


@pytest.mark.importers
def test_the_same_model_gives_the_same_texts(written, tmp_path: Path) -> None:
    """Another process, with another hash seed, writes the same file to the byte."""
    model = "eomc.compile(eomc.load('cart_pole'))"
    code = f"import eomc\nfrom eomc.fmu import write_fmu\nwrite_fmu({model}, r'{tmp_path}/a.fmu')"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": "7"}, check=True)
    assert (tmp_path / "a.fmu").read_bytes() == written["cart_pole"].read_bytes()
    assert len(written["cart_pole"].read_bytes()) < 50_000


@pytest.mark.importers
def test_schemes_whose_inputs_are_taken_at_other_times(tmp_path: Path) -> None:
    """A scheme that takes inputs once or within a step has the bits of `simulate`, too."""
    for name, method in (("ralston", "kane"), ("semi_implicit_euler", "kane"), ("euler", "hamilton")):
        build = eomc.compile(eomc.load("cart_pole"), method, integrator=name)
        cart = Importer(write_fmu(build, tmp_path / f"{name}.fmu", dt=0.002), tmp_path / name)
        one = cart.instance(CO_SIMULATION).initialized(F=2.0)
        one.step(0.0, 0.2)
        assert one.get(cart.states) == build.load().simulate(t_end=0.2, dt=0.002, inputs={"F": 2.0}).x[-1].tolist()


@pytest.mark.importers
def test_a_long_name_is_not_that_of_its_derivatives(tmp_path: Path) -> None:
    """C names are cut to 31 characters: functions of a run and of derivatives stay apart."""
    name = "a_model_whose_name_is_long_and_goes_on"
    build = eomc.compile(eomc.load("henon_heiles").renamed(name))
    importer = Importer(write_fmu(build, tmp_path / "a.fmu"), tmp_path)
    one = importer.instance().initialized()
    one.step(0.0, 0.01)
    assert one.get(importer.states) == build.load().simulate(t_end=0.01).x[-1].tolist()
    assert importer.root.find("CoSimulation").get("providesDirectionalDerivative") == "true"
