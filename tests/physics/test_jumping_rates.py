"""Sensitivities where dx/dt jumps and nothing is reset: friction that turns, forces that change over, stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import sympy as sm
from numpy.testing import assert_allclose
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import RunError

pytestmark = pytest.mark.needs_cc

x, pull = dynamicsymbols("x pull")
v, t = x.diff(), dynamicsymbols._t
a, b, mu, k, T = sm.symbols("a b mu k T")


def by_each(motion: Callable[[Any], Any], values: Sequence[float]) -> np.ndarray:
    """Return the derivatives of a motion in closed form by each of the values that it is of, in columns."""
    columns = []
    for j in range(len(values)):
        moved = np.array(values, dtype=complex)
        moved[j] += 1e-40j
        columns.append(np.imag(motion(moved)) / 1e-40)
    return np.array(columns).T


def mass(force: Any, parameters: dict[Any, float], start: Sequence[float], **more: Any) -> Any:
    """Return a unit mass on a line under a force."""
    model = eomc.from_lagrangian(
        v**2 / 2,
        coordinates=[x],
        generalized_forces={x: force},
        parameters=parameters,
        initial={x: start[0], v: start[1]},
        name="mass",
        **more,
    )
    return eomc.compile(model).load()


def whole(found: Any, row: int = -1) -> np.ndarray:
    """Return the derivatives by the start and by parameters at a row."""
    return np.hstack([found.dx_dx0[row], found.dx_dp[row]])


FRICTION = -a - mu * sm.sign(v)
VALUES = [0.2, 2.1, 3.0, 1.2]


def turned(of: Any, at: float = 2.0) -> Any:
    """Return place and velocity of a block that a force pulls back through friction, after it has turned."""
    place, fast, a, mu = of
    turn = fast / (a + mu)
    since = at - turn
    return np.array([place + fast * turn / 2 - (a - mu) * since**2 / 2, -(a - mu) * since])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("way", [{}, {"falling": True}])
def test_a_block_turns_against_friction(way: dict[str, bool]) -> None:
    """S = 1 + (f+ - f-) n / (n f-), friction on both sides; without its event the run is refused by name."""
    sim = mass(FRICTION, {a: 3.0, mu: 1.2}, VALUES[:2], events={"turn": eomc.Event(v, **way)})
    found = sim.sensitivities(2.0, rtol=1e-11, atol=1e-11, t_eval=[0.3, 1.2, 2.0])
    assert [hit.name for hit in found.trajectory.events] == ["turn"]
    for row, at in ((1, 1.2), (2, 2.0)):
        assert_allclose(found.trajectory.x[row], turned(VALUES, at), atol=1e-9)
        assert_allclose(whole(found, row), by_each(lambda of, at=at: turned(of, at), VALUES), atol=1e-9)
    assert_allclose(found.dt_dx0[0], [0.0, 1 / 4.2], atol=1e-9)
    assert_allclose(found.dt_dp[0], [-2.1 / 4.2**2] * 2, atol=1e-9)
    with pytest.warns(RuntimeWarning, match=r"dx/dt jumps at turn, t = 0\.50\d*, and stages of a step of fixed length"):
        fixed = sim.sensitivities(2.0, dt=0.003, integrator="rk4")
    assert_allclose(whole(fixed), by_each(turned, VALUES), atol=1e-3)
    bare = mass(FRICTION, {a: 3.0, mu: 1.2}, VALUES[:2])
    with pytest.raises(
        RunError, match=r"mass: sensitivities: dx/dt jumps near t = 0\.50*\d*, where sign\(x_d\) changes"
    ):
        bare.sensitivities(2.0, rtol=1e-8)
    assert_allclose(bare.sensitivities(0.4, rtol=1e-8).dx_dx0[-1], [[1.0, 0.4], [0.0, 1.0]], atol=1e-12)


def test_a_block_that_swings() -> None:
    """On a spring with friction it turns again and again: half swings about +-mu/k, each in closed form."""
    model = mass(-k * x - mu * sm.sign(v), {k: 4.0, mu: 0.3}, [1.0, 0.0], events={"turn": eomc.Event(v)})
    values, at = [1.0, 4.0, 0.3], 4.0

    def swung(of: Any) -> Any:
        place, k, mu = of
        w, side, now = np.sqrt(k), 1.0, 0.0  # it starts at rest and is pulled back: friction points the way it stands
        for _ in range(2):
            now = now + np.pi / w
            place = 2 * side * mu / k - place
            side = -side
        middle = side * mu / k
        angle = w * (at - now)
        return np.array([middle + (place - middle) * np.cos(angle), -(place - middle) * w * np.sin(angle)])

    found = model.sensitivities(at, rtol=1e-11, atol=1e-11)
    assert [hit.name for hit in found.trajectory.events] == ["turn", "turn"]
    expected = by_each(swung, values)
    assert_allclose(found.trajectory.x[-1], swung(values), atol=1e-8)
    assert_allclose(found.dx_dx0[-1][:, 0], expected[:, 0], atol=1e-8)
    assert_allclose(found.dx_dp[-1], expected[:, 1:], atol=1e-7)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("written", ["piecewise", "heaviside"])
def test_a_force_that_changes_over(written: str) -> None:
    """A mass under a on one side of x = b and -2 a on the other: by b, which the event alone and the condition hold."""
    force = {
        "piecewise": sm.Piecewise((a, x < b), (-2 * a, True)),
        "heaviside": a - 3 * a * sm.Heaviside(x - b, 1),
    }[written]
    values = [0.0, 1.0, 0.5, 0.4]

    def moved(of: Any) -> Any:
        place, fast, a, b = of
        there = np.sqrt(fast**2 + 2 * a * (b - place))
        since = 0.8 - (there - fast) / a
        return np.array([b + there * since - a * since**2, there - 2 * a * since])

    sim = mass(force, {a: 0.5, b: 0.4}, values[:2], events={"edge": eomc.Event(x - b)})
    found = sim.sensitivities(0.8, rtol=1e-11, atol=1e-11)
    assert len(found.trajectory.events) == 1
    assert_allclose(whole(found), by_each(moved, values), atol=1e-9)
    with pytest.raises(RunError, match=r"dx/dt jumps near t = .*, where .* changes"):
        mass(force, {a: 0.5, b: 0.4}, values[:2]).sensitivities(0.8, rtol=1e-8)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("written", ["max", "piecewise"])
@pytest.mark.parametrize("event", [False, True])
def test_a_spring_that_pushes(written: str, event: bool) -> None:
    """Where dx/dt has a kink and no jump S = 1, with an event; without one to the length of the step across it."""
    force = {"max": k * sm.Max(-x, 0), "piecewise": sm.Piecewise((-k * x, x < 0), (0, True))}[written]
    values = [0.3, -1.0, 50.0]

    def pushed(of: Any) -> Any:
        place, fast, k = of
        w, since = np.sqrt(k), 0.5 + place / fast
        return np.array([fast / w * np.sin(w * since), fast * np.cos(w * since)])

    given = {"events": {"contact": eomc.Event(x, falling=True)}} if event else {}
    found = mass(force, {k: 50.0}, values[:2], **given).sensitivities(0.5, rtol=1e-11, atol=1e-11)
    assert len(found.trajectory.events) == event
    assert_allclose(whole(found), by_each(pushed, values), atol=1e-7 if event else 1e-4)


def test_what_jumps_in_time_and_with_inputs() -> None:
    """A force that is switched on at T, by T; and one that an input switches where it is zero, on a ramp."""
    values = [0.1, 0.2, 1.5, 0.6]

    def switched(of: Any, rate: float = 0.0) -> Any:
        place, fast, a, T = of
        since = 2.0 - T
        return np.array([place + fast * 2.0 + a * since**2 / 2, fast + a * since])

    on = mass(a * sm.Heaviside(t - T, 1), {a: 1.5, T: 0.6}, values[:2], events={"on": eomc.Event(at=T)})
    found = on.sensitivities(2.0, rtol=1e-11, atol=1e-11)
    assert_allclose(found.trajectory.x[-1], switched(values), atol=1e-9)
    assert_allclose(whole(found), by_each(switched, values), atol=1e-8)
    ramp = eomc.Samples([0.0, 2.0], {"pull": [-0.6, 1.4]})
    by_input = mass(
        a * sm.Heaviside(pull - T, 1), {a: 1.5, T: 0.0}, values[:2], inputs=[pull], events={"on": eomc.Event(pull - T)}
    )
    found = by_input.sensitivities(2.0, inputs=ramp, rtol=1e-11, atol=1e-11)
    assert_allclose(whole(found), by_each(switched, values), atol=1e-8)


def test_jumps_that_nothing_moves() -> None:
    """A force that is switched at a time, or by an input, is the same whatever the start: no event is asked for."""
    timed = mass(a * sm.Heaviside(t - T, 1) - k * x, {a: 1.5, T: 0.6, k: 4.0}, [0.1, 0.2])
    flow = [[np.cos(4.0), np.sin(4.0) / 2], [-2 * np.sin(4.0), np.cos(4.0)]]
    found = timed.sensitivities(2.0, "a", rtol=1e-11, atol=1e-11, jumps=[0.6])
    assert_allclose(found.dx_dx0[-1], flow, atol=1e-9)
    assert_allclose(found["x", "a"][-1], (1 - np.cos(2 * 1.4)) / 4, atol=1e-6)  # the last stage is past T
    with pytest.raises(RunError, match=r"dx/dt jumps near t = 0\.6\d*, where .* changes"):
        timed.sensitivities(2.0, "T", rtol=1e-8)  # its time moves
    by_input = mass(sm.sign(pull) - k * x, {k: 4.0}, [0.1, 0.2], inputs=[pull])
    found = by_input.sensitivities(2.0, (), rtol=1e-11, atol=1e-11, inputs=lambda at: {"pull": 0.5 - at})
    assert_allclose(found.dx_dx0[-1], flow, atol=1e-9)


def test_stick_and_slip() -> None:
    """A reset to a mode that holds, from either side: before it dx/dt is that of the side it comes from."""
    mode = sm.Symbol("mode")
    for start in (2.1, -2.1):
        sim = mass(
            -mode * mu * sm.sign(v),
            {mu: 1.5, mode: 1.0},
            [0.0, start],
            events={"stick": eomc.Event(v, reset={mode: 0, v: 0})},
        )
        found = sim.sensitivities(2.0, "mu", rtol=1e-11, atol=1e-11)
        assert len(found.trajectory.events) == 1
        assert_allclose(found["x", "x_d"][-1], abs(start) / 1.5, atol=1e-9)  # x = v0 |v0| / (2 mu)
        assert_allclose(found["x", "mu"][-1], -start * abs(start) / (2 * 1.5**2), atol=1e-9)
        assert_allclose(found.trajectory.events[0].t, 1.4, atol=1e-9)
        assert_allclose(found.dt_dp[0], -1.4 / 1.5, atol=1e-9)


def test_a_mode_for_what_jumps() -> None:
    """Friction by a mode that the event turns round keeps steps of fixed length exact, and their derivatives."""
    side = sm.Symbol("side")
    turn = eomc.Event(v, falling=True, reset={side: -side})
    sim = mass(-a - mu * side, {a: 3.0, mu: 1.2, side: 1.0}, VALUES[:2], events={"turn": turn})
    found = sim.sensitivities(2.0, dt=0.03, integrator="rk4")
    assert_allclose(found.trajectory.x[-1, :2], turned(VALUES), atol=1e-12)
    assert_allclose(np.hstack([found.dx_dx0[-1, :2, :2], found.dx_dp[-1, :2]]), by_each(turned, VALUES), atol=1e-12)


def test_what_slides_is_told() -> None:
    """Friction that holds leads back to v = 0 from both sides: a run may end there, as a braking distance does."""
    parameters, start = {a: 1.0, mu: 3.0}, [0.0, 1.0]
    end = mass(FRICTION, parameters, start, events={"halt": eomc.Event(v, stop=True)}).sensitivities(1.0, rtol=1e-10)
    assert_allclose(whole(end)[0], [1.0, 0.25, -1 / 32, -1 / 32], atol=1e-6)  # x = v0^2 / 2 (a + mu), x' = 0
    assert_allclose(end.dt_dx0[0], [0.0, 0.25], atol=1e-6)
    past = mass(FRICTION, parameters, start, events={"halt": eomc.Event(v)})
    with pytest.raises(RunError, match=r"mass: sensitivities: at t = 0\.25\d* dx/dt jumps, and leads back to .* halt"):
        past.sensitivities(end.trajectory.t[-1], rtol=1e-10)
