"""Events of runs in fixed steps, which they divide: where they are found, and what becomes of the grid."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import DivergenceError, EventError
from eomc.integrators import INTEGRATORS

pytestmark = pytest.mark.needs_cc

T = dynamicsymbols._t
Y, R = dynamicsymbols("y r")
V = Y.diff(T)
FIXED = [row for row in INTEGRATORS if not row.adaptive]


def spring(**described: Any) -> eomc.Model:
    """Return a mass on a spring, y = cos t, that a wall at y = 0 throws back with half its speed."""
    wall = {"wall": eomc.Event(Y, falling=True, reset={Y: 0, V: -V / 2})}
    events = {**wall, **described.pop("events", {})}
    return eomc.from_lagrangian(
        V**2 / 2 - Y**2 / 2, coordinates=[Y], initial={Y: 1.0}, events=events, name="spring", **described
    )


@pytest.mark.sampled(4)
@pytest.mark.parametrize("row", FIXED[::-1], ids=lambda row: row.name)
def test_events_are_found_to_the_order_of_the_scheme(row: Any) -> None:
    """At pi/2 + k pi; half the step leaves 1/2^order of their error and of the state's at the end."""
    sim = eomc.compile(spring(), integrator=row.name).load()
    expected = [(k + 0.5) * math.pi for k in range(3)]
    end = [0.125 * math.sin(9.0 - expected[2]), 0.125 * math.cos(9.0 - expected[2])]
    errors = []
    for dt in (0.04, 0.02):
        run = sim.simulate(9.0, dt=dt)
        off = [hit.t - t for hit, t in zip(run.events, expected, strict=True)]
        errors.append([max(map(abs, off)), float(np.abs(run.x[-1] - end).max())])
        grid = run.t[np.isin(run.t, [hit.t for hit in run.events], invert=True)]
        assert grid == pytest.approx(np.arange(len(grid)) * dt, abs=1e-12)
        assert all(hit.after.tolist() == [0.0, -0.5 * hit.before[1]] for hit in run.events)
    for first, second in zip(*errors, strict=True):
        assert second < max(1.3 * first / 2.0**row.order, 2e-14)


@pytest.fixture(scope="module")
def stepped() -> eomc.Simulator:
    """Return the spring by rk4, with events at times of and beside the grid."""
    events = {"tick": eomc.Event(at=0.3, reset={V: V}), "tock": eomc.Event(at=0.45, reset={V: V})}
    return eomc.compile(spring(events=events), integrator="rk4").load()


def test_rows_stay_on_the_grid(stepped: eomc.Simulator) -> None:
    """Each so many, whatever divides the steps; both sides of an event are rows beside."""
    for every in (1, 3):
        run = stepped.simulate(2.0, dt=0.1, every=every)
        assert [hit.name for hit in run.events] == ["tick", "tock", "wall"]
        times = [hit.t for hit in run.events]
        beside = [0.3, 0.3, 0.45, 0.45, times[2], times[2]]
        grid = [k / 10 for k in range(0, 21, every) if k != 3]
        grid = grid if grid[-1] == 2.0 else [*grid, 2.0]
        assert run.t == pytest.approx(sorted([*grid, *beside]), abs=1e-12)
        assert times[:2] == [0.3, 0.45]
        assert run(times[2]) == pytest.approx([0.0, 0.5], abs=1e-5)


def test_what_is_between_rows_is_cubic(stepped: eomc.Simulator) -> None:
    """Across the steps that events divide, too."""
    run = stepped.simulate(3.0, dt=0.01)
    t = np.linspace(0.0, 3.0, 271)
    expected = np.where(t < math.pi / 2, np.cos(t), 0.5 * np.sin(t - math.pi / 2))
    assert run(t)[:, 0] == pytest.approx(expected, abs=1e-9)


@pytest.fixture(scope="module")
def tank() -> eomc.Simulator:
    """Return y' = r, which starts anew at y = 1."""
    model = eomc.Model(
        name="tank", extra_states={Y: R}, initial={Y: 0.0}, inputs=[R], events={"full": eomc.Event(Y - 1, reset={Y: 0})}
    )
    return eomc.compile(model, integrator="rk4").load()


def test_inputs_of_every_kind(tank: eomc.Simulator) -> None:
    """Rows for the grid, a function, samples: y = 1 is passed where the integral of r is one."""
    sim = tank
    rows = np.arange(11.0)[
        :, None
    ]  # 0, 1, ..., held for a tenth each: 0.1 (0 + 1 + ... + 4) = 1 at the end of the fifth
    run = sim.simulate(1.0, dt=0.1, inputs=rows + 0.5)
    assert [hit.t for hit in run.events][:1] == pytest.approx([0.4 + (1.0 - 0.8) / 4.5], rel=1e-14)
    assert run.inputs[:, 0].max() == 10.5
    linear = eomc.Samples([0.0, 1.0], {"r": [0.0, 4.0]})
    for given in (linear, lambda t: {"r": 4.0 * t}):
        run = sim.simulate(0.9, dt=0.1, inputs=given)
        assert [hit.t for hit in run.events] == pytest.approx([math.sqrt(0.5)], rel=1e-14)
        assert run.x[-1, 0] == pytest.approx(2.0 * 0.9**2 - 1.0, rel=1e-13)
    held = sim.simulate(1.0, dt=0.1, inputs={"r": 2.0})
    assert [hit.t for hit in held.events] == pytest.approx([0.5, 1.0], rel=1e-14)


def test_a_controller_in_the_loop(tank: eomc.Simulator) -> None:
    """It is called at its times whatever divides the steps: r = k + 1 from 0.3 k on, y = 0.9 at 0.6."""
    seen: list[float] = []

    def controller(t: float, x: Any) -> dict[str, float]:
        seen.append(t)
        return {"r": len(seen)}

    run = tank.simulate(0.9, dt=0.04, controller=controller, sample_time=0.3)
    assert seen == pytest.approx([0.0, 0.3, 0.6], rel=1e-15)
    assert [hit.t for hit in run.events] == pytest.approx([0.6 + 0.1 / 3.0], rel=1e-13)
    assert run.x[-1, 0] == pytest.approx(0.8, rel=1e-13)


def test_a_single_step_has_the_events_on_its_way(tank: eomc.Simulator) -> None:
    """0.9 and a step that adds 0.3."""
    assert tank.step(0.0, [0.9], 0.1, inputs={"r": 3.0}) == pytest.approx([0.2], abs=1e-14)


def test_failures_are_told_with_what_there_is() -> None:
    """Bounces without an end, and a motion that leaves the numbers."""
    ball = eomc.load("bouncing_ball")
    with pytest.raises(EventError, match=r"too many events at t = [^:]*: bounce happens again") as told:
        eomc.compile(ball, integrator="rk4").load().simulate(9.0, parameters={"slow": 0.0})
    assert len(told.value.trajectory.events) > 100
    assert told.value.trajectory["y"].min() > -1e-13
    runaway = eomc.Model(
        name="runaway", extra_states={Y: Y**2}, initial={Y: 1.0}, events={"ten": eomc.Event(Y - 10, rising=True)}
    )
    with pytest.raises(DivergenceError, match=r"runaway: diverged at t = .*: take smaller steps") as diverged:
        eomc.compile(runaway, integrator="rk4").load().simulate(9.0)
    assert [hit.t for hit in diverged.value.trajectory.events] == pytest.approx([0.9], abs=1e-9)
