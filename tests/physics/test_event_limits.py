"""Events in odd places, against closed forms: scales, ends of steps and runs, jumps, functions that are zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.binding import Simulator

pytestmark = pytest.mark.needs_cc

T = dynamicsymbols._t
Y, Z, W, R = dynamicsymbols("y z w r")
V = Y.diff(T)
G, E, S = sympy.symbols("g e s")


@pytest.fixture(scope="module")
def ball() -> Simulator:
    """Return a ball that bounces."""
    floor = eomc.Event(Y, falling=True, reset={Y: 0, V: -E * V})
    model = eomc.from_lagrangian(
        V**2 / 2 - G * Y,
        coordinates=[Y],
        parameters={G: 9.81, E: 0.8},
        initial={Y: 1.0},
        events={"floor": floor},
        name="ball",
    )
    return eomc.compile(model, integrator="dop853,rk4").load()


@pytest.fixture(scope="module")
def clocks() -> Simulator:
    """Return y = 1/2 - t, z = t - 1/2, w' = r, and functions of these."""
    third, half = sympy.Rational(1, 3), sympy.Rational(1, 2)
    events = {
        "falls": eomc.Event(Y),
        "rises": eomc.Event(Z),
        "nothing": eomc.Event(S * Y),
        "sign": eomc.Event(sympy.sign(Y - third)),
        "step": eomc.Event(sympy.floor(3 * Z) + half),
        "on": eomc.Event(R - half, rising=True),
        "off": eomc.Event(R - half, falling=True),
        "full": eomc.Event(W - 0.7),
        "start": eomc.Event(at=0),
        "end": eomc.Event(at=1.4),
    }
    model = eomc.Model(
        name="clocks",
        extra_states={Y: -1, Z: 1, W: R},
        initial={Y: 0.5, Z: -0.5, W: 0.0},
        inputs=[R],
        parameters={S: 0.0},
        events=events,
    )
    return eomc.compile(model, integrator="dop853,rk4").load()


HOW: list[dict[str, Any]] = [{"integrator": "dop853"}, {"integrator": "rk4"}]


@pytest.mark.parametrize("how", HOW, ids=lambda how: how["integrator"])
@pytest.mark.parametrize(("height", "gravity"), [(1e-9, 9.81), (1e9, 9.81), (1e-9, 1e9), (1.0, 1e-12), (1e9, 1e9)])
def test_lengths_and_times_of_any_size(ball: Simulator, how: dict[str, Any], height: float, gravity: float) -> None:
    """Bounces are where they are at 1 m, in units of the first fall."""
    fall = math.sqrt(2.0 * height / gravity)
    speed = math.sqrt(height * gravity)
    steps = {"rtol": 1e-10, "atol": [1e-12 * height, 1e-12 * speed]}
    given = steps if how["integrator"] == "dop853" else {"dt": fall / 20.0}
    run = ball.simulate(5.0 * fall, x0=[height, 0.0], parameters={"g": gravity}, **how, **given)
    expected = np.cumsum([fall, 1.6 * fall, 1.28 * fall, 1.024 * fall])
    assert [hit.t for hit in run.events] == pytest.approx(expected.tolist(), rel=1e-12)


@pytest.mark.parametrize("how", HOW, ids=lambda how: how["integrator"])
def test_without_gravity(ball: Simulator, how: dict[str, Any]) -> None:
    """A body that moves up or rests meets no floor, one that moves down meets it once."""
    for start, expected in (([1.0, 1.0], []), ([0.0, 0.0], []), ([1.0, -0.5], [2.0])):
        run = ball.simulate(9.0, x0=start, parameters={"g": 0.0}, **how)
        assert [hit.t for hit in run.events] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("how", HOW, ids=lambda how: how["integrator"])
def test_at_the_end_of_a_run(ball: Simulator, how: dict[str, Any]) -> None:
    """What happens there happens, whichever way the time is rounded, and not again in the run that goes on."""
    fall = math.sqrt(2.0 / 9.81)
    for t_end in (fall * (1.0 - 1e-9), fall * (1.0 + 2e-15)):
        run = ball.simulate(t_end, **how)
        assert len(run.events) == (t_end > fall)
    for t_end in (fall, math.nextafter(fall, 0.0)):
        run = ball.simulate(t_end, **how)
        assert [hit.t for hit in run.events] == pytest.approx([fall], rel=1e-14)
        goes_on = ball.simulate(1.0, t0=run.t[-1], x0=run.x[-1], **how)
        assert goes_on.events == () or goes_on.events[0].t > 0.9


SAMPLES = eomc.Samples([0.0, 0.35, 0.7], [[1.0], [0.0], [1.0]], interpolation="held")
STEPS: list[dict[str, Any]] = [{"integrator": "dop853"}, *({"integrator": "rk4", "dt": dt} for dt in (0.07, 0.1))]


@pytest.mark.parametrize("how", STEPS, ids=str)
def test_two_at_one_time_and_none_of_what_is_zero(clocks: Simulator, how: dict[str, Any]) -> None:
    """At the end of a step or within one; functions that jump are found where they do, by bisection."""
    run = clocks.simulate(1.4, inputs=SAMPLES, **how)
    found = {name: [hit.t for hit in run.events if hit.name == name] for name in clocks.event_names}
    assert found["falls"] == found["rises"] == pytest.approx([0.5], rel=1e-15)
    assert found["nothing"] == found["start"] == []
    assert found["sign"] == pytest.approx([1.0 / 6.0], rel=1e-14)
    assert found["step"] == pytest.approx([0.5], rel=1e-14)
    assert found["end"] == [1.4]


@pytest.mark.parametrize("how", STEPS, ids=str)
def test_where_inputs_jump(clocks: Simulator, how: dict[str, Any]) -> None:
    """Whether a step ends there or goes across."""
    run = clocks.simulate(1.4, inputs=SAMPLES, **how)
    found = {name: [hit.t for hit in run.events if hit.name == name] for name in ("on", "off", "full")}
    assert found["off"] == pytest.approx([0.35], rel=2e-16)
    assert found["on"] == pytest.approx([0.7], rel=2e-16)
    assert found["full"] == pytest.approx([1.05], rel=0.02 if how.get("dt") == 0.1 else 1e-14)
