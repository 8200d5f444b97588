"""Sensitivities across events and impacts: motions in closed form, differentiated by complex steps."""

from __future__ import annotations

import itertools
import warnings
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

x, y, wall = dynamicsymbols("x y wall")
v, t = x.diff(), dynamicsymbols._t
g, e, m, n = sm.symbols("g e m n")


def by_each(motion: Callable[[Any], Any], values: Sequence[float]) -> np.ndarray:
    """Return the derivatives of a motion in closed form by each of the values that it is of, in columns."""
    columns = []
    for j in range(len(values)):
        moved = np.array(values, dtype=complex)
        moved[j] += 1e-40j
        columns.append(np.imag(motion(moved)) / 1e-40)
    return np.array(columns).T


def bounced(values: Any, at: float, bounces: int) -> Any:
    """Return height and velocity of a ball after so many bounces."""
    height, velocity, gravity, restitution = values
    fast = np.sqrt(velocity**2 + 2 * gravity * height)
    last = (velocity + fast) / gravity + sum(2 * fast / gravity * restitution**k for k in range(1, bounces))
    up, since = restitution**bounces * fast, at - last
    return np.array([up * since - gravity * since**2 / 2, up - gravity * since, last])


def ball(**interrupted: Any) -> Any:
    """Return a ball of unit mass over a floor."""
    model = eomc.from_lagrangian(
        v**2 / 2 - g * x,
        coordinates=[x],
        parameters={g: 9.81, e: 0.8},
        initial={x: 1.0, v: 0.5},
        name="ball",
        unused="ignore",
        **interrupted,
    )
    return eomc.compile(model).load()


@pytest.mark.parametrize("integrator", ["dop853", "taylor"])
@pytest.mark.parametrize("law", ["reset", "impact"])
def test_a_bouncing_ball(law: str, integrator: str) -> None:
    """After four bounces, by height, velocity, gravity and restitution: to 1e-9, as the times of the bounces are."""
    floor = eomc.Event(x, falling=True, reset={x: 0, v: -e * v})
    sim = ball(events={"floor": floor}) if law == "reset" else ball(impacts=[eomc.Impact(x, restitution=e)])
    values = [1.0, 0.5, 9.81, 0.8]
    options = {"rtol": 1e-12, "atol": 1e-12, "integrator": integrator}
    found = sim.sensitivities(2.6, by=["g", "e"], t_eval=[0.3, 1.4, 2.6], **options)
    assert len(found.trajectory.events) == 4
    for row, (at, bounces) in enumerate([(0.3, 0), (1.4, 2), (2.6, 4)]):
        whole = np.hstack([found.dx_dx0[row], found.dx_dp[row]])
        if bounces:
            expected = by_each(lambda of, at=at, k=bounces: bounced(of, at, k), values)
            assert_allclose(found.trajectory.x[row], bounced(values, at, bounces)[:2], atol=1e-11)
            assert_allclose(whole, expected[:2], rtol=1e-9, atol=1e-9)
            times = np.hstack([found.dt_dx0, found.dt_dp])[bounces - 1]
            assert_allclose(times, expected[2], rtol=1e-9, atol=1e-9)
        else:
            assert_allclose(whole, [[1.0, at, -(at**2) / 2, 0.0], [0.0, 1.0, -at, 0.0]], atol=1e-12)


def test_a_bounce_in_fixed_steps() -> None:
    """A step that an event divides is differentiated as two; rows stay on the grid."""
    sim = ball(events={"floor": eomc.Event(x, falling=True, reset={x: 0, v: -e * v})})
    found = sim.sensitivities(1.4, dt=0.1, integrator="rk4", by=["g", "e"])
    assert len(found.trajectory.events) == 2
    whole = np.hstack([found.dx_dx0[-1], found.dx_dp[-1]])
    expected = by_each(lambda of: bounced(of, 1.4, 2), [1.0, 0.5, 9.81, 0.8])
    assert_allclose(whole, expected[:2], rtol=1e-9, atol=1e-9)


def test_time_parameters_and_inputs() -> None:
    """Of a free mass: a kick at a time T, then a wall that moves, by parameter and input, and a reset of its time."""
    T, J, a, b, c, d, k = symbols = sm.symbols("T J a b c d k")
    values = [0.2, 0.7, 0.6, 0.5, 1.1, -0.2, 0.3, 0.9, 0.05]

    def moved(of: Any, rate: float = 0.1, offset: float = 0.0) -> Any:
        start, fast, T, J, a, b, c, d, k = of
        then, faster = start + fast * T, fast + J
        at = (a + offset - then + faster * T) / (faster - b - rate)  # where x = a + b t + offset + rate t
        after = c * at - d * faster
        return np.array([then + faster * (at - T) + k * at**2 + after * (2.0 - at), after])

    model = eomc.from_lagrangian(
        v**2 / 2,
        coordinates=[x],
        inputs=[wall],
        parameters=dict(zip(symbols, values[2:], strict=True)),
        initial={x: values[0], v: values[1]},
        events={
            "kick": eomc.Event(at=T, reset={v: v + J}),
            "wall": eomc.Event(x - a - b * t - wall, rising=True, reset={x: x + k * t**2, v: c * t - d * v}),
        },
        name="free",
    )
    sim = eomc.compile(model).load()
    for ramp in (eomc.Samples([0.0, 3.0], {"wall": [0.0, 0.3]}), lambda at: {"wall": 0.1 * at}):
        found = sim.sensitivities(2.0, inputs=ramp, rtol=1e-11, atol=1e-11)
        assert [hit.name for hit in found.trajectory.events] == ["kick", "wall"]
        assert_allclose(found.trajectory.x[-1], moved(values), atol=1e-10)
        whole = np.hstack([found.dx_dx0[-1], found.dx_dp[-1]])
        assert_allclose(whole, by_each(moved, values), rtol=1e-9, atol=1e-9)
    rows = sim.sensitivities(2.0, dt=0.25, integrator="rk4", inputs=np.full((9, 1), 0.1))
    whole = np.hstack([rows.dx_dx0[-1], rows.dx_dp[-1]])
    assert_allclose(whole, by_each(lambda of: moved(of, 0.0, 0.1), values), rtol=1e-9, atol=1e-9)


def pushed(**more: Any) -> Any:
    """Return two masses on a line that may meet."""
    return eomc.from_lagrangian(
        m * v**2 / 2 + n * y.diff() ** 2 / 2,
        coordinates=[x, y],
        parameters={m: 2.0, n: 0.5, e: 0.6},
        initial={x: 0.0, v: 1.0, y: 1.0, y.diff(): -0.2},
        name="masses",
        **more,
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", ["hamilton", "lagrange"])
def test_an_impact_of_two_masses(method: str) -> None:
    """Newton's law in closed form, by both masses and e; in Hamilton's form the momenta at the start are held."""
    model = pushed(impacts=[eomc.Impact(y - x, restitution=e)])

    def moved(of: Any) -> Any:
        place, other, fast, slow, m, n, e = of
        if method == "hamilton":
            fast, slow = fast / m, slow / n
        at = (other - place) / (fast - slow)
        impulse = (1 + e) * (fast - slow) / (1 / m + 1 / n)
        after = np.array([fast - impulse / m, slow + impulse / n])
        there = place + fast * at + after * (2.0 - at)
        return np.array([*there, *(after * (np.array([m, n]) if method == "hamilton" else 1.0))])

    start = [0.0, 1.0, 1.0, -0.2] if method == "lagrange" else [0.0, 1.0, 2.0, -0.1]
    found = eomc.compile(model, method).load().sensitivities(2.0, rtol=1e-11)
    values = [*start, 2.0, 0.5, 0.6]
    assert_allclose(found.trajectory.x[-1], moved(values), atol=1e-12)
    whole = np.hstack([found.dx_dx0[-1], found.dx_dp[-1]])
    assert_allclose(whole, by_each(moved, values), rtol=1e-10, atol=1e-10)


def test_a_constraint_that_is_closed_again() -> None:
    """A pendulum in x and y that an event throws off its circle: against differences, as `project` moves it."""
    rod = sm.Symbol("l")
    model = eomc.from_lagrangian(
        (v**2 + y.diff() ** 2) / 2 - g * y,
        coordinates=[x, y],
        configuration_constraints=[x**2 + y**2 - rod**2],
        parameters={g: 9.81, rod: 1.0, e: 0.3},
        initial={x: 0.8, y: -0.6, v: 0.3, y.diff(): 0.4},
        events={"post": eomc.Event(x, falling=True, reset={x: x - e, v: e * v})},
        name="thrown",
    )
    sim = eomc.compile(model, stabilization="projection").load()
    start, options = sim.initial_state, {"rtol": 1e-11, "atol": 1e-11}
    found = sim.sensitivities(0.9, **options)
    assert len(found.trajectory.events) == 1

    def end(of: np.ndarray) -> np.ndarray:
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # a start is moved onto the constraints
            return sim.simulate(0.9, x0=of[:4], parameters=of[4:], **options).x[-1]

    values = np.array([*start, 9.81, 1.0, 0.3])
    steps = 1e-4 * np.eye(7)
    expected = [
        (8 * (end(values + h) - end(values - h)) - end(values + 2 * h) + end(values - 2 * h)) / 12e-4 for h in steps
    ]
    whole = np.hstack([found.dx_dx0[-1], found.dx_dp[-1]])
    assert_allclose(whole, np.transpose(expected), rtol=1e-7, atol=1e-7)


def test_events_of_one_instant() -> None:
    """One that a reset causes happens when that does; two that meet by chance are told, for their order matters."""
    a = sm.Symbol("a")
    free = {"coordinates": [x], "parameters": {a: 0.5}, "initial": {x: 0.0, v: 1.0}, "name": "free"}
    jump = eomc.Event(x - a, rising=True, reset={x: x + 1})
    caused = eomc.from_lagrangian(
        v**2 / 2, events={"jump": jump, "line": eomc.Event(x - 1.2, rising=True, reset={v: 2 * v})}, **free
    )
    found = eomc.compile(caused).load().sensitivities(1.0, rtol=1e-10)
    assert [hit.name for hit in found.trajectory.events] == ["jump", "line"]
    expected = by_each(lambda of: np.array([of[2] + 1 + 2 * (of[1] - of[2] + of[0]), 2 * of[1]]), [0.0, 1.0, 0.5])
    assert_allclose(np.hstack([found.dx_dx0[-1], found.dx_dp[-1]]), expected, atol=1e-9)
    assert_allclose(found.dt_dp[:, 0], [1.0, 1.0], atol=1e-9)
    kick = eomc.Event(at=a, reset={v: 2 * v})
    meeting = eomc.from_lagrangian(
        v**2 / 2, events={"kick": kick, "line": eomc.Event(x - 0.5, reset={v: v + 1})}, **free
    )
    with pytest.warns(RuntimeWarning, match=r"free: sensitivities: kick and line meet at t = 0\.5: where their order"):
        eomc.compile(meeting).load().sensitivities(1.0, rtol=1e-10)


def test_what_has_no_derivative() -> None:
    """Events that graze, impulses along two gaps at once; an event that changes nothing is told, and passed over."""
    grazing = (x - 1.2) ** 3
    sim = ball(events={"touch": eomc.Event(grazing, rising=True, reset={v: -v})})
    up = [1.0, 5.0]
    with pytest.raises(RunError, match=r"ball: sensitivities: touch at t = 0.04\d* grazes its zero, dg/dt = .*end the"):
        sim.sensitivities(0.1, x0=up, rtol=1e-10)
    passed = ball(events={"touch": eomc.Event(grazing, rising=True), "apex": eomc.Event(v, falling=True, stop=True)})
    with pytest.warns(RuntimeWarning, match="touch at t = .* has no derivative there"):
        found = passed.sensitivities(2.0, x0=up, rtol=1e-10)
    assert np.isnan(found.dt_dp[0]).all()
    assert_allclose(found.dt_dx0[1], [0.0, 1 / 9.81], rtol=1e-9)  # the apex is at v/g
    assert_allclose(found.dx_dx0[-1], [[1.0, 5.0 / 9.81], [0.0, 1.0]], rtol=1e-9)  # at its time

    balls = dynamicsymbols("z:3")
    gaps = [eomc.Impact(b - a - 1, restitution=1, name=f"gap{k}") for k, (a, b) in enumerate(itertools.pairwise(balls))]
    cradle = eomc.from_lagrangian(
        sum(ball.diff() ** 2 for ball in balls),
        coordinates=list(balls),
        initial={balls[0]: -0.5, balls[0].diff(): 1.0, balls[1]: 1.0, balls[2]: 2.0},
        impacts=gaps,
        name="cradle",
    )
    with pytest.raises(RunError, match=r"impulses act along the gaps gap0 and gap1 at once: .* end the run before it"):
        eomc.compile(cradle).load().sensitivities(1.0)
