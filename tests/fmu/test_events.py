"""Events in FMUs: co-simulation as `simulate` has them, model exchange by indicators, times and resets."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from exchange import Motion, discrete, exchange, indicators
from importer import MODEL_EXCHANGE, Importer, Instance
from libraries import make_silently
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import EventError
from eomc.fmu import write_fmu

pytestmark = [pytest.mark.needs_cc, pytest.mark.importers]

T = dynamicsymbols._t
Y, X, R, W = dynamicsymbols("y x r w")
V = Y.diff(T)
G, E, LATE = sympy.symbols("g e late")
GRAVITY, DISCARD, TERMINATED, LAST_TIME = 9.81, 2, 3, 2
Made = Callable[..., tuple[Importer, Any]]


def ball(y: float = 1.0, v: float = 0.0, **described: Any) -> eomc.Model:
    """Return a mass that falls freely."""
    values = {G: GRAVITY, **described.pop("parameters", {})}
    return eomc.from_lagrangian(
        V**2 / 2 - G * Y, coordinates=[Y], parameters=values, initial={Y: y, V: v}, name="ball", **described
    )


def bouncing(y: float = 1.0, v: float = 0.0, e: float = 0.8) -> eomc.Model:
    """Return a ball that bounces: its height is set back to zero."""
    return ball(y, v, events={"floor": eomc.Event(Y, falling=True, reset={Y: 0, V: -E * V})}, parameters={E: e})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return what writes and loads an FMU, and the simulator of the same build."""

    def make(model: eomc.Model, integrator: str = "rk4") -> tuple[Importer, Any]:
        folder = tmp_path_factory.mktemp("events")
        build = eomc.compile(model, integrator=integrator)
        return Importer(write_fmu(build, folder / "a.fmu"), folder), build.load()

    return make


def stepped(one: Instance, t_end: float, h: float) -> np.ndarray:
    """Return the states at communication points."""
    rows = [one.get(one.importer.states)]
    for k in range(round(t_end / h)):
        one.step(k * h, h)
        rows.append(one.get(one.importer.states))
    return np.array(rows)


def at(motion: Any, times: np.ndarray) -> np.ndarray:
    """Return the rows of a run at some of its times, after events."""
    return np.array([motion.x[np.flatnonzero(abs(motion.t - t) < 1e-9)[-1]] for t in times])


def flown(importer: Importer, t_end: float, values: dict[str, float] | None = None, **how: Any) -> Motion:
    """Return a motion by model exchange."""
    return exchange(importer.instance(MODEL_EXCHANGE).initialized(**(values or {})), t_end, **how)


# -- co-simulation ---------------------------------------------------------------------------------------------------


def blocks() -> eomc.Model:
    """Return two masses between walls that hit them and each other."""
    a, b = dynamicsymbols("a b")
    gaps = {"left": a, "between": b - a, "right": 1 - b}
    return eomc.from_lagrangian(
        a.diff(T) ** 2 / 2 + b.diff(T) ** 2, coordinates=[a, b], initial={a: 0.2, b: 0.7, a.diff(T): 3.0},
        impacts=[eomc.Impact(gap, name=name, restitution=0.9) for name, gap in gaps.items()], name="blocks",
    )  # fmt: skip


def clocked() -> eomc.Model:
    """Return a mass that is kicked at times, and that switches its drive where an input passes a height."""
    drive = sympy.Symbol("drive")
    return eomc.Model(
        name="clocked", coordinates=[], speeds=[], extra_states={X: W, W: drive * R - X}, inputs={R: 0.5},
        parameters={drive: 1.0, LATE: 0.7355}, initial={X: 0.0, W: 1.0},
        events={
            "kick": eomc.Event(at=0.31, reset={W: W + 1}),
            "late": eomc.Event(at=LATE, reset={W: -W, drive: 2}),
            "over": eomc.Event(X - R, rising=True, reset={drive: -drive}),
        },
    )  # fmt: skip


@pytest.mark.parametrize("model", [bouncing(), blocks(), clocked()], ids=lambda model: model.name)
def test_cosimulation_has_the_bits_of_simulate(made: Made, model: eomc.Model) -> None:
    """Communication steps of whole steps give every bit, over bounces, impacts of two at once, and times."""
    importer, sim = made(model)
    run = sim.simulate(t_end=2.0)
    assert len(run.events) > 2
    rows = stepped(importer.instance().initialized(), 2.0, 0.01)
    assert np.array_equal(rows, at(run, np.linspace(0.0, 2.0, 201)))


def test_schemes_that_choose_their_steps_have_the_tolerance_of_the_importer(made: Made) -> None:
    """A communication step has the bits of a run as long, to 1e-8 or to what the importer asks for."""
    importer, sim = made(bouncing(), "dop853")
    for tolerance in (None, 1e-4):
        one = importer.instance().begun(tolerance)
        one.must("ExitInitializationMode")
        one.step(0.0, 1.3)
        wanted = {} if tolerance is None else {"rtol": tolerance, "atol": tolerance}
        assert one.get(importer.states) == sim.simulate(t_end=1.3, **wanted).x[-1].tolist()


def test_an_implicit_scheme_goes_on_from_its_own_slopes(made: Made) -> None:
    """Steps that begin with the slopes of the last one have the bits of `simulate`, also from a state that was kept."""
    model = eomc.load("henon_heiles")
    importer, sim = made(model, "gauss3")
    one = importer.instance().initialized()
    one.step(0.0, 0.2)
    kept = one.kept()
    for _ in range(2):
        one.step(0.2, 0.3)
        assert one.get(importer.states) == sim.simulate(t_end=0.5).x[-1].tolist()
        one.restore(kept)


def test_a_run_goes_on_from_a_state_between_events(made: Made) -> None:
    """What is known of events is part of the state: after it was set, all bits come again."""
    importer, _ = made(bouncing())
    one = importer.instance().initialized()
    stepped(one, 0.5, 0.1)
    text = one.written_out(one.kept())
    ends = []
    for other in (one, importer.instance().initialized()):
        other.restore(other.read(text))
        for k in range(5, 20):
            other.step(k * 0.1, 0.1)
        ends.append(other.get(importer.states))
    assert ends[0] == ends[1]


def test_an_input_that_moves_sets_off_an_event(made: Made) -> None:
    """Along its slope r comes down to x = 1 after a quarter of a second; a jump to less does so at once."""
    model = eomc.Model(
        name="chased", coordinates=[], speeds=[], extra_states={X: 0}, inputs={R: 2.0}, initial={X: 1.0},
        events={"caught": eomc.Event(R - X, falling=True, reset={X: -5})},
    )  # fmt: skip
    importer, _ = made(model)
    one = importer.instance().initialized()
    one.slope("r", -4.0)
    one.step(0.0, 0.2)
    assert one.get(["x"]) == [1.0]
    one.slope("r", -4.0)
    one.step(0.2, 0.1)
    assert one.get(["x", "r"]) == [-5.0, pytest.approx(0.8, rel=1e-12)]
    other = importer.instance().initialized()
    other.step(0.0, 0.1)
    assert other.get(["x"]) == [1.0]
    other.put({"r": 0.0})
    other.step(0.1, 0.1)
    assert other.get(["x"]) == [-5.0]


def thrown(count: int = 2) -> eomc.Model:
    """Return a ball whose second hit ends its motion."""
    floor = eomc.Event(Y, falling=True, reset={Y: 0, V: -E * V}, stop=True, count=count)
    return ball(events={"floor": floor}, parameters={E: 0.5})


def test_an_event_ends_cosimulation(made: Made) -> None:
    """The step is discarded, the status says that it is over and when: sqrt(2 h/g) (1 + 2 e)."""
    importer, sim = made(thrown())
    one = importer.instance().initialized()
    k = 0
    while (status := one("DoStep", k * 0.1, 0.1, 1)) == 0:
        k += 1
    over, last = ctypes.c_int(), ctypes.c_double()
    one.must("GetBooleanStatus", TERMINATED, ctypes.byref(over))
    one.must("GetRealStatus", LAST_TIME, ctypes.byref(last))
    assert (status, over.value) == (DISCARD, 1)
    assert last.value == pytest.approx(np.sqrt(2.0 / GRAVITY) * 2.0, rel=1e-12)
    assert one.get(importer.states) == sim.simulate(t_end=2.0).x[-1].tolist()
    one.must("Terminate")


# -- model exchange --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_bounces_are_found_at_every_scale(made: Made, size: float) -> None:
    """A ball from a height h hits after sqrt(2 h/g), then after flights of 2 v/g: h from 1e-12 to 1e12 m."""
    importer, _ = made(bouncing(y=size))
    first = np.sqrt(2.0 * size / GRAVITY)
    motion = flown(importer, 5.0 * first, tolerance=1e-13)
    wanted = first * (1.0 + 2.0 * np.cumsum([0.0, 0.8, 0.64, 0.512]))
    assert motion.events == pytest.approx(wanted[wanted < 5.0 * first], rel=1e-9)


def test_a_start_at_the_floor_is_no_event(made: Made) -> None:
    """Thrown up from zero, exactly, it comes back after 2 v/g; thrown down from there it was never above."""
    importer, _ = made(bouncing())
    up = flown(importer, 1.0, {"y": 0.0, "y_d": 3.0})
    assert up.events[0] == pytest.approx(6.0 / GRAVITY, rel=1e-9)
    assert flown(importer, 0.5, {"y": 0.0, "y_d": -3.0}).events == []


def test_a_touch_is_no_event(made: Made) -> None:
    """A ball that is thrown to just below a ceiling, or just reaches it, turns without an event; a little more hits."""
    importer, _ = made(ball(events={"ceiling": eomc.Event(1 - Y, falling=True, reset={V: -V})}))
    top = np.sqrt(2.0 * GRAVITY)
    for share, hits in ((1.0 - 1e-9, 0), (1.0 + 1e-6, 1)):
        motion = flown(importer, 0.47, {"y": 0.0, "y_d": float(top * share)}, longest=5e-4)
        assert len(motion.events) == hits


def test_a_crossing_the_other_way_changes_nothing(made: Made) -> None:
    """Of cos t, which falls and rises, an event that rises happens twice in four crossings; nothing is set."""
    swing = eomc.from_lagrangian(
        V**2 / 2 - Y**2 / 2, coordinates=[Y], initial={Y: 1.0}, name="swing",
        events={"up": eomc.Event(Y, rising=True, reset={V: V})},
    )  # fmt: skip
    importer, _ = made(swing)
    motion = flown(importer, 4.0 * np.pi, tolerance=1e-12)
    assert motion.events == pytest.approx([1.5 * np.pi, 3.5 * np.pi], abs=1e-9)
    assert motion.x[-1] == pytest.approx([1.0, 0.0], abs=1e-9)


def test_indicators_are_never_zero_and_keep_their_side(made: Made) -> None:
    """At a zero, exactly, the sign is that of the side, and a product of two indicators is no zero, either."""
    importer, _ = made(bouncing())
    one = importer.instance(MODEL_EXCHANGE).initialized(y=0.0, y_d=1.0)
    discrete(one)
    one.must("EnterContinuousTimeMode")
    z = [indicators(one, 0.0, np.array([y, 1.0]))[0] for y in (0.0, 1e-300, -1e-300, 5e-324, 1e-9, -1e-9)]
    assert [np.sign(one) for one in z] == [1.0, 1.0, -1.0, 1.0, 1.0, -1.0]
    assert abs(z[1] * z[2]) > 0.0


def test_impacts_times_and_modes_are_those_of_simulate(made: Made) -> None:
    """Two masses between walls, kicks at times, an input that is passed: within 1e-8 of a run at 1e-12."""
    for model in (blocks(), clocked()):
        importer, sim = made(model)
        exact = sim.simulate(t_end=1.9, integrator="dop853", rtol=1e-12, atol=1e-12)
        motion = flown(importer, 1.9, tolerance=1e-12)
        assert motion.x[-1] == pytest.approx(exact.x[-1], abs=1e-8)
        assert motion.events == pytest.approx([hit.t for hit in exact.events], abs=1e-8)


def test_an_input_that_jumps_is_taken_in_event_mode(made: Made) -> None:
    """An input that is set below the state sets its event off as soon as event mode is entered."""
    importer, _ = made(clocked())
    one = importer.instance(MODEL_EXCHANGE).initialized(x=0.4)
    assert not discrete(one).values_changed
    one.must("EnterContinuousTimeMode")
    one.must("EnterEventMode")
    one.put({"r": 0.3})
    assert discrete(one).values_changed
    assert one.get(["drive"]) == [-1.0]


def test_an_event_ends_model_exchange(made: Made) -> None:
    """The second hit asks the importer to terminate."""
    importer, _ = made(thrown())
    motion = flown(importer, 5.0)
    assert motion.ended
    assert motion.t[-1] == pytest.approx(np.sqrt(2.0 / GRAVITY) * 2.0, rel=1e-9)


def test_importers_that_do_not_look_have_step_events(made: Made) -> None:
    """An importer in steps of a millisecond that looks at no indicator still bounces, a step too late at most."""
    importer, _ = made(bouncing())
    motion = flown(importer, 0.9, longest=1e-3, looks=False)
    assert motion.events == pytest.approx([np.sqrt(2.0 / GRAVITY)], abs=2e-3)
    assert min(x[0] for x in motion.x) > -0.01


def test_a_contact_that_does_not_open_is_told(made: Made) -> None:
    """A ball without restitution falls through its floor: the event happens again before any time has passed."""
    landed = ball(events={"floor": eomc.Event(Y, falling=True, reset={V: 0})})
    importer, sim = made(landed)
    with pytest.raises(AssertionError, match="floor happens again before any time has passed"):
        flown(importer, 1.0)
    with pytest.raises(EventError):
        sim.simulate(t_end=1.0)


def test_bounces_without_an_end_are_told(made: Made) -> None:
    """Flights of a ball that never rests become shorter than the time can tell: a message, and no endless loop."""
    importer, _ = made(bouncing(y=1e-3, e=0.3))
    with pytest.raises(AssertionError, match="floor happens again before any time has passed"):
        flown(importer, 1.0)


@pytest.mark.parametrize("model", [blocks(), clocked()], ids=lambda model: model.name)
def test_their_sources_are_silent(made: Made, strict: dict[str, list[str]], model: eomc.Model) -> None:
    """Impacts, times and inputs have C of their own: not a word under the strictest flags."""
    importer, _ = made(model)
    make_silently(strict, importer.folder / "sources", importer.sources, importer.folder)


@pytest.mark.parametrize("name", ["bouncing_ball"])
def test_shipped_models_with_events(made: Made, name: str) -> None:
    """Until the ball rests, and after: every bit of `simulate`, and model exchange to 1e-7."""
    importer, sim = made(eomc.load(name))
    run = sim.simulate(t_end=5.0)
    assert np.array_equal(stepped(importer.instance().initialized(), 5.0, 0.1), at(run, np.linspace(0.0, 5.0, 51)))
    exact = sim.simulate(t_end=5.0, integrator="dop853", rtol=1e-12, atol=1e-12)
    motion = flown(importer, 5.0, tolerance=1e-12)
    assert motion.x[-1] == pytest.approx(exact.x[-1], abs=1e-7)
    assert motion.events == pytest.approx([hit.t for hit in exact.events], abs=1e-7)
