"""Models with constraints: co-simulation keeps to them as `simulate` does, model exchange by feedback or projection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from exchange import exchange
from importer import MODEL_EXCHANGE, Importer
from importer3 import Importer3
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import UsageError
from eomc.fmu import write_fmu
from eomc.fmu.gains import fastest_rate

pytestmark = [pytest.mark.needs_cc, pytest.mark.importers]

Made = Callable[..., Importer]
GAINS = ("baumgarte_alpha", "baumgarte_beta")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return what writes and loads an FMU of a loop."""

    def make(name: str = "four_bar", stabilization: str = "projection", **options: Any) -> Importer:
        folder = tmp_path_factory.mktemp(name)
        build = eomc.compile(eomc.load(name), stabilization=stabilization)
        kind = Importer3 if options.get("fmi") == 3 else Importer
        return kind(write_fmu(build, folder / "a.fmu", **options), folder)

    return make


@pytest.fixture(scope="module")
def projected(made: Made) -> Importer:
    """Load a loop whose steps end on the constraints."""
    return made()


@pytest.fixture(scope="module")
def sim() -> Any:
    """Return the simulator of the same build."""
    return eomc.compile(eomc.load("four_bar"), stabilization="projection").load()


def residual(sim: Any, t: Any, x: Any) -> float:
    """Return the largest residual of the constraints along a motion."""
    return max(abs(sim.constraint_residuals(when, state)).max() for when, state in zip(t, x, strict=True))


def test_cosimulation_keeps_to_the_constraints_as_simulate_does(projected: Importer, sim: Any) -> None:
    """Every bit is that of a run whose steps end on the constraints; feedback is not in it."""
    one = projected.instance().initialized()
    for k in range(20):
        one.step(k * 0.01, 0.01)
    assert one.get(projected.states) == sim.simulate(t_end=0.2).x[-1].tolist()
    assert residual(sim, [0.2], [one.get(projected.states)]) < 1e-12
    assert one.get([f"der({name})" for name in projected.states]) == sim.rhs(0.2, one.get(projected.states)).tolist()


def test_a_start_that_is_set_is_moved_onto_the_constraints(projected: Importer, sim: Any) -> None:
    """A start off the constraints is closed and the log says so; one that is left has its bits."""
    untouched = projected.instance().initialized()
    assert untouched.get(projected.states) == sim.state().tolist()
    first = projected.states[0]
    one = projected.instance().initialized(**{first: sim.state()[0] + 0.01})
    assert residual(sim, [0.0], [one.get(projected.states)]) < 1e-12
    assert "moved onto the constraints" in one.log[0]


def test_feedback_in_model_exchange_is_that_of_the_same_equations(projected: Importer) -> None:
    """Off the constraints rates, and derivatives by states and gains, are those of a build that has the feedback."""
    fed = eomc.compile(eomc.load("four_bar"), stabilization="baumgarte", functions="jacobian").load()
    one = projected.instance(MODEL_EXCHANGE).initialized()
    one.must("EnterContinuousTimeMode")
    gains = dict(zip(GAINS, one.get(GAINS), strict=True))
    x = fed.state() + 0.01 * np.arange(1, len(projected.states) + 1)
    assert one.rates_at(0.0, x) == pytest.approx(fed.rhs(0.0, x, parameters=gains), rel=1e-12)
    rates = [f"der({name})" for name in projected.states]
    A, _ = fed.jacobian(0.0, x, parameters=gains)
    found = [one.derivatives(rates, [name], [1.0]) for name in projected.states]
    assert np.array(found).T == pytest.approx(A, abs=1e-12 * abs(A).max())
    h = 1e-6
    ends = [fed.rhs(0.0, x, parameters={**gains, GAINS[1]: gains[GAINS[1]] + s * h}) for s in (1, -1)]
    assert one.derivatives(rates, [GAINS[1]], [1.0]) == pytest.approx((ends[0] - ends[1]) / (2 * h), abs=1e-6)
    other = projected.instance().initialized()  # of co-simulation, which has no feedback
    assert other.get(rates) != one.get(rates)
    x = other.get(projected.states)
    plain = [other.derivatives(rates, [name], [1.0]) for name in projected.states]
    coupled = eomc.compile(eomc.load("four_bar"), functions="jacobian").load().jacobian(0.0, x)[0]
    assert np.array(plain).T == pytest.approx(coupled, abs=1e-12 * abs(coupled).max())


@pytest.mark.parametrize("exchange_by", ["baumgarte", "projection"])
def test_loops_stay_closed_in_model_exchange(made: Made, sim: Any, exchange_by: str) -> None:
    """SciPy at 1e-6 over 10 s leaves a tenth by feedback of what it leaves without, and by projection nothing."""
    importer = made(exchange=exchange_by)
    one = importer.instance(MODEL_EXCHANGE).initialized()
    motion = exchange(one, 10.0, tolerance=1e-6)
    assert motion.entered > 50 if exchange_by == "projection" else motion.entered == 0
    ends = [k for k in range(len(motion.t)) if k + 1 == len(motion.t) or motion.t[k + 1] > motion.t[k]]
    left = residual(sim, [motion.t[k] for k in ends], [motion.x[k] for k in ends])
    plain = solve_ivp(lambda t, x: sim.rhs(t, x), (0.0, 10.0), sim.state(), method="DOP853", rtol=1e-6, atol=1e-6)
    assert left < (0.1 * residual(sim, plain.t, plain.y.T) if exchange_by == "baumgarte" else 1e-12)


def test_gains_follow_the_time_of_the_model(projected: Importer) -> None:
    """With gravity a hundred times as strong all is ten times as fast, and so are the gains; lengths do not matter."""
    start = {one.get("name"): one.find("Real") for one in projected.variables}
    assert {start[name].get("unit") for name in GAINS} == {"1/s"}
    gain = float(start[GAINS[0]].get("start"))
    assert gain == float(start[GAINS[1]].get("start")) == fastest_rate(eomc.compile(eomc.load("four_bar")))
    pendulum, fast, long = (
        fastest_rate(eomc.compile(hanging(g, length))) for g, length in ((9, 1), (900, 1), (9, 100))
    )
    assert pendulum == pytest.approx(3.0, rel=1e-9)  # sqrt(g/l)
    assert (fast, long) == (pytest.approx(30.0, rel=1e-9), pytest.approx(0.3, rel=1e-9))


def hanging(g: float, length: float) -> eomc.Model:
    """Return a pendulum in Cartesian coordinates, at rest below its pivot."""
    x, y = dynamicsymbols("x y")
    t = dynamicsymbols._t
    weight, size = sympy.symbols("g l", positive=True)
    return eomc.from_lagrangian(
        (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - weight * y, coordinates=[x, y], name="hanging",
        configuration_constraints=[x**2 + y**2 - size**2], parameters={weight: g, size: length},
        initial={x: 0.0, y: -length},
    )  # fmt: skip


def test_gains_that_cannot_be_had_are_asked_for(tmp_path: Any) -> None:
    """Without weight nothing moves about the start: the caller gives the gain, or takes projection."""
    build = eomc.compile(hanging(0.0, 1.0))
    with pytest.raises(UsageError, match=r"hanging: the gain of Baumgarte's feedback .* give gain="):
        write_fmu(build, tmp_path / "a.fmu")
    for options in ({"gain": 7.0}, {"exchange": "projection"}):
        write_fmu(build, tmp_path / "a.fmu", **options)
    for name, stabilization, words in (
        ("four_bar", "baumgarte", "are those of the build"),
        ("kepler", "none", "has no"),
    ):
        with pytest.raises(UsageError, match=words):
            write_fmu(eomc.compile(eomc.load(name), stabilization=stabilization), tmp_path / "a.fmu", gain=1.0)
    with pytest.raises(UsageError, match="baumgarte or projection, not 'no'"):
        write_fmu(build, tmp_path / "a.fmu", exchange="no")


def test_the_description_says_what_an_importer_honours(made: Made, projected: Importer) -> None:
    """Step events are asked for where projection needs them, and not where feedback does without."""
    assert projected.root.find("ModelExchange").get("completedIntegratorStepNotNeeded") == "true"
    assert "Baumgarte's feedback in the derivatives" in projected.root.get("description")
    other = made(exchange="projection")
    assert other.root.find("ModelExchange").get("completedIntegratorStepNotNeeded") == "false"
    assert "call completedIntegratorStep after each step" in other.root.get("description")
    assert not set(GAINS) & set(other.references)


@pytest.mark.parametrize("fmi", [2, 3])
def test_lengths_of_a_loop_are_fixed(made: Made, fmi: int) -> None:
    """Where nothing in a run returns to the constraints, their parameters are fixed, and weights are not."""
    stepped = made(stabilization="none", fmi=fmi)
    tunable = {one.get("name"): one.get("variability") == "tunable" for one in stepped.variables}
    assert [name for name, kind in tunable.items() if kind] == ["m1", "m2", "m3", "g", *GAINS]
    one = stepped.instance().initialized(a=2.1)
    start = one.get(stepped.states)
    one.step(0.0, 0.01)
    with pytest.raises(AssertionError, match="a parameter of a constraint is fixed"):
        one.put({"a": 2.2})
    one.put({"g": 3.0})
    one.step(0.01, 0.01)
    sim = eomc.compile(eomc.load("four_bar")).load()
    before = sim.simulate(t_end=0.01, x0=start, parameters={"a": 2.1}).x[-1]
    after = sim.simulate(t0=0.01, t_end=0.02, x0=before, parameters={"a": 2.1, "g": 3.0}).x[-1]
    assert np.array(one.get(stepped.states)) == pytest.approx(after, abs=1e-12)
    assert residual(sim, [0.02], [one.get(stepped.states)]) > 0.05  # of the length that the model has


@pytest.mark.parametrize("stabilization", ["projection", "baumgarte"])
def test_lengths_of_a_loop_are_tunable_where_it_is_closed(made: Made, stabilization: str) -> None:
    """Steps on the constraints close the loop of another length at once, feedback does in its own time."""
    closed = made(stabilization=stabilization)
    assert {one.get("variability") for one in closed.variables if one.get("causality") == "parameter"} == {"tunable"}
    one = closed.instance().initialized()
    one.step(0.0, 0.01)
    one.put({"a": 2.001})
    one.step(0.01, 0.01)
    sim = eomc.compile(eomc.load("four_bar")).load()
    off = abs(sim.constraint_residuals(0.02, one.get(closed.states), parameters={"a": 2.001})).max()
    assert off < (1e-12 if stabilization == "projection" else 1.1e-3)
