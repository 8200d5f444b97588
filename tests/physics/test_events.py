"""Events of a run, against closed forms: the pitfalls of finding them, a test each; resets, modes, ends."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.binding import Simulator
from eomc.errors import EventError, ModelError, UsageError

pytestmark = pytest.mark.needs_cc

T = dynamicsymbols._t
Y, Z, R = dynamicsymbols("y z r")
V = Y.diff(T)
G, E, K, S, LATE = sympy.symbols("g e k s late")
GRAVITY = 9.81


def ball(start: float = 1.0, speed: float = 0.0, **described: Any) -> eomc.Model:
    """Return a mass that falls freely."""
    values = {G: GRAVITY, **described.pop("parameters", {})}
    initial = {Y: start, V: speed}
    return eomc.from_lagrangian(
        V**2 / 2 - G * Y, coordinates=[Y], parameters=values, initial=initial, name="ball", **described
    )


def bouncing(**described: Any) -> eomc.Model:
    """Return a ball that bounces."""
    floor = eomc.Event(Y, falling=True, reset={Y: 0, V: -E * V})
    return ball(events={"floor": floor}, parameters={E: 0.8}, **described)


@pytest.fixture(scope="module")
def bounces() -> Simulator:
    """Return the ball that bounces."""
    return eomc.compile(bouncing()).load()


def first_order(rates: dict[Any, Any], initial: dict[Any, float], **described: Any) -> Simulator:
    """Return z' = g(z, r, t)."""
    return eomc.compile(eomc.Model(name="system", extra_states=rates, initial=initial, **described)).load()


def times(run: Any) -> list[float]:
    return [hit.t for hit in run.events]


# -- the pitfalls ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("v", [3.0, -3.0])
def test_a_zero_at_the_start_is_no_event(bounces: Simulator, v: float) -> None:
    """Thrown up from the floor the ball comes back after 2 v/g; thrown down from there it was never above."""
    run = bounces.simulate(1.0, x0=[0.0, v])
    assert times(run)[:1] == (pytest.approx([2.0 * v / GRAVITY], rel=1e-12) if v > 0.0 else [])


def test_an_event_happens_once_where_its_function_passes() -> None:
    """y = cos t falls and rises through zero at (k + 1/2) pi, once each, with nothing reset."""
    swing = eomc.from_lagrangian(
        V**2 / 2 - Y**2 / 2, coordinates=[Y], initial={Y: 1.0}, events={"zero": eomc.Event(Y)}, name="swing"
    )
    run = eomc.compile(swing).load().simulate(20.0, rtol=1e-12, atol=1e-12)
    assert times(run) == pytest.approx([(k + 0.5) * math.pi for k in range(6)], abs=1e-10)
    assert all(np.array_equal(hit.before, hit.after) for hit in run.events)


def test_the_state_is_returned_just_past_the_root(bounces: Simulator) -> None:
    """Where the function has its new sign, by no more than rounding of the time makes of it."""
    run = bounces.simulate(2.0)
    for hit in run.events:
        assert 0.0 >= hit.before[0] > -4.0 * np.finfo(float).eps * hit.t * abs(hit.before[1])


def test_a_reset_puts_the_state_on_the_surface(bounces: Simulator) -> None:
    """y is zero to the bit, v is what the reset says."""
    for hit in bounces.simulate(2.0).events:
        assert hit.after[0] == 0.0
        assert hit.after[1] == pytest.approx(-0.8 * hit.before[1], rel=1e-15)


def test_two_roots_in_one_step() -> None:
    """A parabola is one step, and dips below zero for a moment on the way."""
    floor = {"below": eomc.Event(Y, falling=True), "above": eomc.Event(Y, rising=True)}
    depth, top = 1e-6, 5.0
    sim = eomc.compile(ball(start=0.5 * 9.81 * top**2 - depth, speed=-9.81 * top, parameters={G: -9.81}, events=floor))
    run = sim.load().simulate(10.0)
    away = math.sqrt(2.0 * depth / 9.81)
    assert [hit.name for hit in run.events] == ["below", "above"]
    assert times(run) == pytest.approx([top - away, top + away], abs=1e-9)
    assert len(run) < 12


@pytest.mark.parametrize("clear", [1e-9, 0.0])
def test_a_touch_is_no_change_of_sign(clear: float) -> None:
    """A parabola that touches zero, or nearly does, has no event."""
    start, speed = 0.5 * 8.0 * 25.0 + clear, -40.0
    model = ball(start=start, speed=speed, parameters={G: -8.0}, events={"below": eomc.Event(Y, falling=True)})
    assert times(eomc.compile(model).load().simulate(10.0)) == []


def test_events_at_one_instant_come_in_their_order() -> None:
    """Two that happen together happen both, as declared, whatever their names and their rounding."""
    sim = first_order(
        {Y: -1, Z: -3 * (1 + Z)},
        {Y: 0.25, Z: math.exp(0.75) - 1.0},
        events={"zebra": eomc.Event(Y, reset={Y: 2}), "ant": eomc.Event(Z, reset={Z: Y})},
    )
    run = sim.simulate(0.5, rtol=1e-13, atol=1e-13, max_step=0.25)
    assert [hit.name for hit in run.events] in (["zebra", "ant"], ["ant", "zebra"])
    sim = first_order(
        {Y: -1, Z: -2},
        {Y: 0.3, Z: 0.6},
        events={"zebra": eomc.Event(Y, reset={Y: 2}), "ant": eomc.Event(Z, reset={Z: Y})},
    )
    run = sim.simulate(0.5)
    assert [hit.name for hit in run.events] == ["zebra", "ant"]
    assert run.events[0].t == run.events[1].t
    assert run.events[1].after[1] == 2.0  # the second one sees what the first has done


def test_a_reset_may_set_off_another_event() -> None:
    """At the same time, and that one the next; an event that comes before them is none of it."""
    chain = {
        "last": eomc.Event(S - 1.5, rising=True, reset={S: 3}),
        "first": eomc.Event(Y, falling=True, reset={S: 1}),
        "second": eomc.Event(S - 0.5, rising=True, reset={S: 2}),
    }
    run = first_order({Y: -1}, {Y: 0.5}, events=chain, parameters={S: 0.0}).simulate(1.0)
    assert [hit.name for hit in run.events] == ["first", "second", "last"]
    assert set(times(run)) == {0.5}
    assert run.x[-1].tolist() == [pytest.approx(-0.5), 3.0]


def test_events_that_set_each_other_off_have_an_end() -> None:
    """A hundred at one instant are too many, and the error names one."""
    switch = {
        "start": eomc.Event(Y, falling=True, reset={S: 1}),
        "on": eomc.Event(S - 0.5, rising=True, reset={S: 0}),
        "off": eomc.Event(S - 0.5, falling=True, reset={S: 1}),
    }
    sim = first_order({Y: -1}, {Y: 0.5}, events=switch, parameters={S: 0.0})
    with pytest.raises(EventError, match=r"system: too many events at t = 0.5: o(n|ff) happens again") as told:
        sim.simulate(1.0)
    assert len(told.value.trajectory.events) == 100


def test_bounces_without_an_end_are_told(bounces: Simulator) -> None:
    """Their sum is sqrt(2 h/g) (1 + e)/(1 - e); the points so far come with the error, and none is below the floor."""
    with pytest.raises(EventError, match=r"ball: too many events at t = 4.06371277: floor happens again") as told:
        bounces.simulate(10.0)
    run = told.value.trajectory
    assert run.t[-1] == pytest.approx(math.sqrt(2.0 / GRAVITY) * 1.8 / 0.2, abs=1e-8)
    assert run["y"].min() > -1e-14
    assert len(run.events) > 100
    assert np.all(np.diff(times(run)) > 0.0)


def test_no_event_on_a_rejected_step() -> None:
    """A stiff decay to 1 from 0.5: a first step that is far too long would go through zero."""
    sim = first_order({Y: -1000 * (Y - 1)}, {Y: 0.5}, events={"zero": eomc.Event(Y)})
    run = sim.simulate(0.1, first_step=0.05)
    assert times(run) == []
    assert run["y"].min() == 0.5


def test_the_output_holds_both_sides_of_a_jump(bounces: Simulator) -> None:
    """As two rows of one time, also where few steps are kept; between the rows the state after it counts."""
    for every in (1, 1000):
        run = bounces.simulate(2.0, every=every)
        for hit in run.events:
            (first, second) = np.flatnonzero(run.t == hit.t)
            assert np.array_equal(run.x[first], hit.before)
            assert np.array_equal(run.x[second], hit.after)
    hit = bounces.simulate(2.0).events[1]
    assert np.array_equal(run(hit.t), hit.after)
    asked = bounces.simulate(2.0, t_eval=[0.1, hit.t, 2.0])
    assert np.array_equal(asked.x[1], hit.after)
    assert times(asked) == times(run)


def test_events_are_columns(tmp_path: Path) -> None:
    """How often each has happened: before and after three at one instant, at points that are asked for, in files."""
    chain = {
        "second": eomc.Event(S - 0.5, rising=True, reset={S: 2}),
        "first": eomc.Event(Y, falling=True, reset={S: 1}),
        "never": eomc.Event(Y - 9),
        "third": eomc.Event(S - 1.5, rising=True),
    }
    sim = first_order({Y: -1}, {Y: 0.5}, events=chain, parameters={S: 0.0})
    run = sim.simulate(1.0, max_step=0.2)
    at = int(np.flatnonzero(run.t == run.events[0].t)[0])
    for name, expected in {"first": [0, 1, 1, 1], "second": [0, 0, 1, 1], "third": [0, 0, 0, 1]}.items():
        assert run[f"event_{name}"][at : at + 4].tolist() == expected
        assert run[f"event_{name}"][[at - 1, -1]].tolist() == [0, 1]
        asked = sim.simulate(1.0, max_step=0.2, t_eval=[0.2, run.events[0].t, 0.7])
        assert asked[f"event_{name}"].tolist() == [0, 1, 1]
    assert not run["event_never"].any()
    run.save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as found:
        assert list(found)[-4:] == ["event_second", "event_first", "event_never", "event_third"]
        assert found["event_third"].tolist() == run["event_third"].tolist()


def test_no_two_events_have_one_time_by_accident(bounces: Simulator) -> None:
    """The hits of one ball are apart, and at the times of the closed form."""
    run = bounces.simulate(3.5, rtol=1e-12, atol=1e-12)
    flights = [math.sqrt(2.0 / GRAVITY), *(2.0 * 0.8**k * math.sqrt(2.0 / GRAVITY) for k in range(1, len(run.events)))]
    assert times(run) == pytest.approx(np.cumsum(flights).tolist(), abs=1e-12)


def test_times_are_no_roots() -> None:
    """An event at a time is there to the bit, before the parameters' default too, and not where the run begins."""
    events = {
        "early": eomc.Event(at=0.1, reset={V: 0}),
        "late": eomc.Event(at=3 * LATE, reset={V: 1}),
        "start": eomc.Event(at=0, reset={V: 7}),
    }
    sim = eomc.compile(ball(start=100.0, events=events, parameters={LATE: 0.1})).load()
    run = sim.simulate(1.0)
    assert times(run) == [0.1, 3 * 0.1]
    assert times(sim.simulate(1.0, parameters={"late": 0.05})) == [0.1, 3 * 0.05]
    fallen = 100.0 - GRAVITY / 2.0 * (0.1**2 + (0.3 - 0.1) ** 2)
    assert run.events[1].before[0] == pytest.approx(fallen, rel=1e-14)
    assert run.x[-1, 0] == pytest.approx(fallen + 0.7 - GRAVITY / 2.0 * 0.7**2, rel=1e-14)


def test_inputs_that_jump_set_off_events_there() -> None:
    """A function of a held sample changes its sign at the sample's time, to the bit; on a line in between."""
    sim = first_order({Y: R}, {Y: 0.0}, inputs=[R], events={"on": eomc.Event(R - 0.5, rising=True, reset={Y: 10})})
    samples = [0.0, 0.7, 1.4], [[0.0], [1.0], [0.0]]
    run = sim.simulate(2.0, inputs=eomc.Samples(*samples, interpolation="held"), rtol=1e-8)
    assert times(run) == [0.7]
    assert run.x[-1, 0] == pytest.approx(10.7, rel=1e-12)
    run = sim.simulate(2.0, inputs=eomc.Samples(*samples), rtol=1e-8)
    assert times(run) == pytest.approx([0.35], abs=1e-12)
    assert run.x[-1, 0] == pytest.approx(10.0 + 0.7 - 0.0875, rel=1e-6)


def test_a_condition_is_no_function() -> None:
    """It is refused with what to write."""
    with pytest.raises(ModelError, match="give an expression that changes its sign where the condition changes"):
        eomc.Event(sympy.And(Y > 0, V < 0))


def test_the_last_slope_is_void_after_a_reset(bounces: Simulator) -> None:
    """By both pairs, whose last slope is the first of the next step: the second arc is that of the closed form."""
    for scheme in ("dop853", "dopri5"):
        run = bounces.simulate(1.0, integrator=scheme, rtol=1e-10, atol=1e-10)
        (hit,) = run.events
        flown = 1.0 - hit.t
        assert run.x[-1, 0] == pytest.approx(hit.after[1] * flown - GRAVITY * flown**2 / 2.0, rel=1e-12)
        assert run.x[-1, 1] == pytest.approx(hit.after[1] - GRAVITY * flown, rel=1e-12)


def test_an_error_that_is_no_number_rejects_the_step() -> None:
    """A tank that runs empty, h' = -sqrt(h): steps beyond its end are NaN, and the event before it is found."""
    empty = {"empty": eomc.Event(Y - sympy.Rational(1, 10**6), falling=True, stop=True)}
    run = first_order({Y: -sympy.sqrt(Y)}, {Y: 1.0}, events=empty).simulate(10.0, rtol=1e-10, atol=1e-12)
    assert run.t[-1] == pytest.approx(2.0 * (1.0 - 1e-3), abs=1e-8)
    assert run.x[-1, 0] == pytest.approx(1e-6, rel=1e-6)


# -- what events do --------------------------------------------------------------------------------------------------


def test_the_nth_event_ends_a_run() -> None:
    """The last point is the state after it, and the run has it among its events."""
    events = {"apex": eomc.Event(V, falling=True, stop=True, count=3)}
    floor = eomc.Impact(Y, restitution=E, name="floor")
    run = eomc.compile(ball(events=events, impacts=[floor], parameters={E: 0.5})).load().simulate(10.0)
    assert [hit.name for hit in run.events] == ["floor", "apex"] * 3
    assert run.x[-1, 0] == pytest.approx(0.5**6, rel=1e-9)
    assert run.t[-1] == run.events[-1].t
    assert np.array_equal(run(run.t[-1]), run.events[-1].after)


def test_a_ball_comes_to_rest_by_a_mode() -> None:
    """The shipped ball: once it is slow it lies on the floor for good."""
    run = eomc.compile(eomc.load("bouncing_ball")).load().simulate(10.0)
    assert run.t[-1] == 10.0
    assert run.x[-1].tolist() == [0.0, 0.0, 1.0]
    last = run.events[-1]
    assert abs(last.before[1]) <= 0.05 < abs(run.events[-2].before[1])
    assert np.all(run.x[run.t > last.t] == [0.0, 0.0, 1.0])


def test_stick_and_slip() -> None:
    """A block on a belt: x = x_k + (x_s - x_k) cos wt + (v_b/w) sin wt while it slips, v_b while it sticks."""
    mu_s, mu_k, belt, k, m = sympy.symbols("mu_s mu_k belt k m")
    values = {mu_s: 0.8, mu_k: 0.3, belt: 0.5, k: 40.0, m: 2.0}
    weight = m * GRAVITY
    block = eomc.from_lagrangian(
        m * V**2 / 2 - k * Y**2 / 2,
        coordinates=[Y],
        generalized_forces={Y: S * k * Y + (1 - S) * mu_k * weight},
        parameters={**values, S: (1.0, "1", "whether it sticks")},
        initial={Y: 0.0, V: 0.5},
        events={
            "slips": eomc.Event(k * Y - mu_s * weight, rising=True, reset={S: 0}),
            "sticks": eomc.Event(V - belt, rising=True, reset={S: 1, V: belt}),
        },
        name="block",
    )
    run = eomc.compile(block).load().simulate(8.0, rtol=1e-11, atol=1e-11)
    high, low, w = 0.8 * 2.0 * GRAVITY / 40.0, 0.3 * 2.0 * GRAVITY / 40.0, math.sqrt(20.0)
    slipping = 2.0 / w * (math.pi - math.atan((high - low) * w / 0.5))
    sticking = 2.0 * (high - low) / 0.5
    first = high / 0.5
    expected = [first, first + slipping, first + slipping + sticking, first + 2 * slipping + sticking]
    assert [hit.name for hit in run.events[:4]] == ["slips", "sticks", "slips", "sticks"]
    assert times(run)[:4] == pytest.approx(expected, abs=1e-9)
    assert run.events[1].after.tolist() == [pytest.approx(2.0 * low - high, abs=1e-9), 0.5, 1.0]


def pendulum() -> eomc.Model:
    """Return two links whose speeds are others than q': the lower one is caught by the upper one as they align."""
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    frame, top = ReferenceFrame("N"), Point("top")
    first, second = ReferenceFrame("A"), ReferenceFrame("B")
    top.set_vel(frame, 0)
    for link, angle, spin in ((first, q1, u1), (second, q2, u1 + u2)):
        link.orient_axis(frame, frame.z, angle)
        link.set_ang_vel(frame, spin * frame.z)
    upper = top.locatenew("upper", -first.y)
    lower = upper.locatenew("lower", -second.y)
    upper.v2pt_theory(top, frame, first)
    lower.v2pt_theory(upper, frame, second)
    return eomc.Model(
        name="links",
        inertial_frame=frame,
        coordinates=[q1, q2],
        speeds=[u1, u2],
        kinematical_equations=[q1.diff() - u1, q2.diff() - u1 - u2],
        bodies=[Particle("upper", upper, 1), Particle("lower", lower, 1)],
        gravity=-G * frame.y,
        parameters={G: 9.81},
        initial={q1: 0.5, q2: 1.2},
        events={"align": eomc.Event(q2 - q1, falling=True, reset={u2: -u2 / 2, q1: q1 + 0.01})},
        impacts=[eomc.Impact(sympy.sin(q1) + sympy.sin(q2) - sympy.Rational(1, 4), restitution=0.5, name="wall")],
    )


def test_all_methods_make_the_same_motion() -> None:
    """Speeds are kept and reset, momenta follow; the same hits, and the same place of the links at the end."""
    model, found = pendulum(), []
    for method in model.methods:
        run = eomc.compile(model, method).load().simulate(2.0, rtol=1e-11, atol=1e-11)
        found.append(run)
        assert [hit.name for hit in run.events] == [hit.name for hit in found[0].events]
        np.testing.assert_allclose(times(run), times(found[0]), atol=1e-8)
        np.testing.assert_allclose(run.x[-1, :2], found[0].x[-1, :2], atol=1e-7)
    assert {hit.name for hit in found[0].events} == {"align", "wall"}


def test_constraints_are_closed_after_a_reset() -> None:
    """A mass on a circle that a reset puts off it: back on it, and along it."""
    x = dynamicsymbols("x")
    u = x.diff(T)
    model = eomc.from_lagrangian(
        (u**2 + V**2) / 2 - G * Y,
        coordinates=[x, Y],
        configuration_constraints=[x**2 + Y**2 - 1],
        parameters={G: 9.81},
        initial={x: 0.8, Y: -0.6},
        events={"kick": eomc.Event(x, falling=True, reset={V: 1, Y: Y - 0.1})},
        impacts=[eomc.Impact(x + 0.5, restitution=0.5, name="wall")],
        name="circle",
    )
    for method in ("lagrange", "hamilton"):
        sim = eomc.compile(model, method).load()
        run = sim.simulate(3.0, rtol=1e-10)
        assert {hit.name for hit in run.events} >= {"kick"}
        for hit in run.events:
            assert np.abs(sim.constraint_residuals(hit.t, hit.after)).max() < 1e-11


def test_a_gap_that_a_constraint_turns_keeps_its_law() -> None:
    """On the circle the rate of the gap after the impact is -e times that before it, and the energy falls."""
    x = dynamicsymbols("x")
    model = eomc.from_lagrangian(
        (x.diff(T) ** 2 + V**2) / 2 - G * Y,
        coordinates=[x, Y],
        configuration_constraints=[x**2 + Y**2 - 1],
        parameters={G: 9.81},
        initial={x: 0.8, Y: -0.6},
        impacts=[eomc.Impact(x + 0.5, restitution=0.6, name="wall")],
        name="circle",
    )
    for method in model.methods:
        sim = eomc.compile(model, method).load()
        hit = sim.simulate(1.5, rtol=1e-10).events[0]
        before, after = (sim.rhs(hit.t, state)[0] for state in (hit.before, hit.after))
        assert after == pytest.approx(-0.6 * before, rel=1e-9)
        lost = [sim.energy(hit.t, state)["total"] for state in (hit.before, hit.after)]
        assert lost[1] - lost[0] == pytest.approx(-0.5 * (1 - 0.6**2) * before**2 / (1 - 0.25), rel=1e-6)


def test_events_go_to_a_tolerance_unless_it_is_said(bounces: Simulator) -> None:
    """A step alone means fixed steps, as on the command line; a tolerance beside it has no use for it."""
    assert eomc.compile(bouncing()).integrator.name == "dop853"
    fixed = bounces.simulate(1.0, dt=1e-2)
    assert np.array_equal(fixed.x, bounces.simulate(1.0, dt=1e-2, integrator="rk4").x)
    with pytest.raises(UsageError, match=r"dt is not for dop853, whose steps .* and integrator='rk4' takes it"):
        bounces.simulate(1.0, dt=1e-3, rtol=1e-6)


def test_a_stiff_contact_loses_what_its_damping_takes() -> None:
    """A ball on a ground with k = 1e7, d = 1e5: 8.2759 J are left after three seconds, in few steps."""
    stiffness, damping = sympy.symbols("k d")
    depth = sympy.Max(0, -Y)
    model = ball(
        generalized_forces={Y: stiffness * depth - damping * depth * V}, parameters={stiffness: 1e7, damping: 1e5}
    )
    sim = eomc.compile(model).load()
    run = sim.simulate(3.0, rtol=1e-6, atol=1e-6)
    assert len(run) < 150
    assert sim.energy(3.0, run.x[-1])["total"] == pytest.approx(8.2759, abs=1e-3)
