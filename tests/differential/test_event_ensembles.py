"""Ensembles of motions with events: the points of runs one by one, times of events, how trajectories end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.binding import Simulator
from eomc.binding.ensemble.result import Status
from eomc.errors import UsageError

pytestmark = pytest.mark.needs_cc

T = dynamicsymbols._t
Y, F = dynamicsymbols("y f")
V = Y.diff(T)
G, E, TOP = sympy.symbols("g e top")
GRAVITY = 9.81
HEIGHTS = np.linspace(0.5, 2.0, 11)
FALLS = np.sqrt(2.0 * HEIGHTS / GRAVITY)


@pytest.fixture(scope="module")
def sim() -> Simulator:
    """Return a ball that bounces, and stops where it rises through a height for the second time."""
    events = {
        "floor": eomc.Event(Y, falling=True, reset={Y: 0, V: -E * V}),
        "late": eomc.Event(at=0.9, reset={V: V}),
        "top": eomc.Event(Y - TOP, rising=True, stop=True, count=2),
    }
    model = eomc.from_lagrangian(
        V**2 / 2 - G * Y,
        coordinates=[Y],
        generalized_forces={Y: F},
        inputs=[F],
        outputs={"height": Y},
        parameters={G: GRAVITY, E: 0.8, TOP: 9.0},
        initial={Y: 1.0},
        events=events,
        name="ball",
    )
    return eomc.compile(model, integrator="dop853,rk4", math="strict").load()


STARTS = np.stack([HEIGHTS, np.zeros_like(HEIGHTS)], axis=1)


@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
def test_points_are_those_of_runs_one_by_one(sim: Simulator, integrator: str) -> None:
    """To the bit, at events the state after them; whatever the number of threads."""
    how = {"integrator": integrator}
    e = np.linspace(0.6, 0.9, len(HEIGHTS))
    many = sim.ensemble(STARTS, {"e": e}, t_end=1.2, dt=0.05, threads=2, **how)
    alone = sim.ensemble(STARTS, {"e": e}, t_end=1.2, dt=0.05, threads=1, **how)
    assert np.array_equal(many.x, alone.x)
    assert not many.status.any()
    for k in (0, 4, 10):
        given = {"dt": 0.05} if integrator == "rk4" else {"t_eval": many.t}
        run = sim.simulate(1.2, x0=STARTS[k], parameters={"e": e[k]}, **how, **given)
        last = np.searchsorted(run.t, many.t, side="right") - 1  # of the rows at a time that is a point
        assert np.array_equal(run.t[last], many.t)
        assert np.array_equal(run.x[last], many.x[k])


@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
def test_times_of_events_are_reductions(sim: Simulator, integrator: str) -> None:
    """The first falls take sqrt(2 h/g), flights after that 2 e, 2 e^2, ... of it; the count is of all."""
    reduce = {"floor": ["count", "time1", "time2", "time9"], "late": "time1", "y": "maximum", "height": "mean"}
    found = sim.ensemble(STARTS, t_end=1.2, dt=0.01, reduce=reduce, integrator=integrator)
    assert found["floor", "time1"] == pytest.approx(FALLS, abs=1e-8)
    expected = np.where(FALLS * 2.6 < 1.2, FALLS * 2.6, np.nan)
    assert found["floor", "time2"] == pytest.approx(expected, abs=1e-8, nan_ok=True)
    assert np.isnan(found["floor", "time9"]).all()
    hits = [[t for t in np.cumsum([fall, *(2 * fall * 0.8**n for n in range(1, 9))]) if t < 1.2] for fall in FALLS]
    assert found["floor", "count"].tolist() == list(map(len, hits))
    assert (found["late", "time1"] == 0.9).all()
    assert found["y", "maximum"] == pytest.approx(HEIGHTS, rel=1e-12)


def test_an_event_may_end_a_trajectory(sim: Simulator) -> None:
    """Where it says; points after that are NaN, what is reduced is that of the way there, and nothing is warned of."""
    given: dict[str, Any] = {"parameters": {"top": np.where(HEIGHTS > 1.0, 0.3, 9.0)}, "t_end": 2.5, "dt": 0.01}
    many = sim.ensemble(STARTS, **given)
    stopped = HEIGHTS > 1.0
    assert many.status.tolist() == np.where(stopped, int(Status.EVENT), 0).tolist()
    # From the second bounce at 2.6 falls, with 0.64 of the first speed, up to 0.3.
    speed = 0.64 * GRAVITY * FALLS[stopped]
    rise = (speed - np.sqrt(speed**2 - 2.0 * GRAVITY * 0.3)) / GRAVITY
    assert many.t_failed[stopped] == pytest.approx(2.6 * FALLS[stopped] + rise, abs=1e-7)
    assert np.array_equal(np.isnan(many.x[:, :, 0]), many.t[None] > np.where(stopped, many.t_failed, 9.0)[:, None])
    last = sim.ensemble(STARTS, **given, keep="last", reduce={"y": "mean", "top": "time2"})
    assert last.x[stopped, 0] == pytest.approx(0.3, abs=1e-12)
    assert np.array_equal(last["top", "time2"], many.t_failed, equal_nan=True)
    run = sim.simulate(2.5, x0=STARTS[-1], parameters={"top": 0.3}, t_eval=many.t)
    t, y = np.append(run.t[run.t < run.events[-1].t], run.events[-1].t), run.x[run.t < run.events[-1].t, 0]
    assert last["y", "mean"][-1] == pytest.approx(np.trapezoid(np.append(y, 0.3), t) / t[-1], rel=1e-12)


def test_too_many_events_are_a_status(sim: Simulator) -> None:
    """With the time, and one warning; the others go on."""
    e = np.where(HEIGHTS < 0.9, 0.0, 0.8)
    with pytest.warns(RuntimeWarning, match="3 of 11 trajectories ended early: 3 met too many events"):
        many = sim.ensemble(STARTS, {"e": e}, t_end=1.0, dt=0.01, reduce={"floor": "count"})
    assert many.status.tolist() == [8] * 3 + [0] * 8
    assert many.t_failed[:3] == pytest.approx(FALLS[:3], abs=1e-7)
    assert many["floor", "count"][:3].tolist() == [1.0] * 3


def test_checkpoints_and_inputs(sim: Simulator, tmp_path: Path) -> None:
    """What was reduced is in the file; inputs are held by each, samples or functions."""
    given: dict[str, Any] = {"t_end": 1.0, "dt": 0.01, "reduce": {"floor": ["count", "time1"]}}
    force = np.linspace(0.0, 5.0, len(HEIGHTS))
    first = sim.ensemble(STARTS, inputs=force[:, None], checkpoint=tmp_path / "kept", **given)
    again = sim.ensemble(STARTS, inputs=force[:, None], checkpoint=tmp_path / "kept", **given)
    assert first["floor", "time1"] == pytest.approx(np.sqrt(2.0 * HEIGHTS / (GRAVITY - force)), abs=1e-7, nan_ok=True)
    assert np.array_equal(first["floor", "time1"], again["floor", "time1"], equal_nan=True)
    ramp = eomc.Samples([0.0, 1.0], {"f": [0.0, 6.0]})  # y = h - g t^2/2 + t^3
    fallen = sim.ensemble(STARTS[:1], inputs=ramp, integrator="rk4", **given)["floor", "time1"][0]
    assert HEIGHTS[0] - GRAVITY * fallen**2 / 2.0 + fallen**3 == pytest.approx(0.0, abs=1e-12)
    called = sim.ensemble(STARTS[:1], inputs=lambda t: {"f": 6.0 * t}, integrator="rk4", **given)
    assert called["floor", "time1"][0] == pytest.approx(fallen, abs=1e-13)


@pytest.mark.parametrize("kind", ["maximum", "time0", "time", "times2"])
def test_what_events_are_not_reduced_to(sim: Simulator, kind: str) -> None:
    """With what there is."""
    with pytest.raises(UsageError, match=f"ball: unknown reduction '{kind}' of the event floor; take count, or time1"):
        sim.ensemble(STARTS, reduce={"floor": kind})
