"""Runs to a tolerance: what they return, what they take, how inputs reach them, how they fail."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from scipy.special import ellipk
from sympy.physics.vector import dynamicsymbols

import eomc
from eomc.analysis.balance import balance
from eomc.analysis.following import Followed
from eomc.errors import DivergenceError, StepError, UsageError
from eomc.integrators import INTEGRATORS
from eomc.pairs import PAIRS

pytestmark = pytest.mark.needs_cc

ADAPTIVE = [row.name for row in INTEGRATORS if row.adaptive]
EVERY = pytest.mark.parametrize("integrator", ADAPTIVE)
STAGED = pytest.mark.parametrize("integrator", [row.name for row in PAIRS])
"""What takes called inputs, and steps that end with a projection."""


@pytest.fixture(scope="module")
def cart():
    """Return the simulator of a cart with a pendulum and the input F."""
    return eomc.compile(eomc.load("cart_pole")).load()


def first_order(rate, **given):
    """Return the simulator of x' = rate, written with x, F and the time t."""
    x, F = dynamicsymbols("x F")
    model = eomc.from_lagrangian(
        sympy.Rational(1, 2) * dynamicsymbols("q").diff() ** 2,
        coordinates=[dynamicsymbols("q")],
        extra_states={x: rate(x, F, dynamicsymbols._t)},
        inputs=[F],
        name="first_order",
        **given,
    )
    return eomc.compile(model, functions=[]).load()


@EVERY
def test_a_pendulum_is_back_after_its_period(integrator):
    """The exact period of large swings, 4 sqrt(l/g) K(sin^2(a/2)), to the tolerance."""
    sim = eomc.compile(eomc.load("simple_pendulum")).load()
    g, length = (sim.parameters[name] for name in ("g", "L"))
    hanging = math.pi / 2.0  # the angle is from the horizontal
    start = np.array([hanging + 1.0, 0.0])
    period = 4.0 * math.sqrt(length / g) * ellipk(math.sin(0.5) ** 2)
    for tolerance in (1e-6, 1e-11):
        end = sim.simulate(period, x0=start, integrator=integrator, rtol=tolerance, atol=tolerance).x[-1]
        assert np.abs(end - start).max() < 30.0 * tolerance


def test_tolerances_choose_the_integrator(cart):
    """rtol or atol alone mean dop853; nothing at all is rk4 with a step of 1e-3, as ever."""
    named = cart.simulate(1.0, integrator="dop853", rtol=1e-6)
    assert cart.simulate(1.0, rtol=1e-6).x.tobytes() == named.x.tobytes()
    assert cart.simulate(1.0, atol=1e-6).x.tobytes() == cart.simulate(1.0, atol=1e-6, rtol=1e-8).x.tobytes()
    assert len(cart.simulate(1.0)) == 1001
    assert eomc.compile(eomc.load("cart_pole"), integrator="dop853").load().simulate(1.0, rtol=1e-6).x.tobytes() == (
        named.x.tobytes()
    )


@EVERY
def test_times_that_are_asked_for_move_no_step(integrator, cart):
    """t_eval gives rows of the dense output, exact at the ends; the steps have the same bits."""
    steps = cart.simulate(3.0, integrator=integrator, rtol=1e-7)
    seen = []
    times = np.linspace(0.0, 3.0, 301)
    rows = cart.simulate(
        3.0, integrator=integrator, rtol=1e-7, t_eval=times, follow=lambda t, x, r, taken: seen.append((t, x))
    )
    assert rows.t.tolist() == times.tolist()
    assert rows.x[0].tolist() == steps.x[0].tolist()
    assert rows.x[-1].tolist() == steps.x[-1].tolist()
    assert np.concatenate([t for t, _ in seen]).tolist() == steps.t.tolist()
    assert np.concatenate([x for _, x in seen]).tolist() == steps.x.tolist()
    exact = solve_ivp(cart.rhs, (0.0, 3.0), steps.x[0], "DOP853", times, rtol=1e-12, atol=1e-12).y.T
    assert np.abs(rows.x - exact).max() < 1e-5
    at_steps = cart.simulate(3.0, integrator=integrator, rtol=1e-7, t_eval=steps.t)
    assert at_steps.x.tobytes() == steps.x.tobytes()


def test_every_counts_steps(cart):
    """Each third step, the first and the last."""
    steps, third = cart.simulate(3.0, rtol=1e-7), cart.simulate(3.0, rtol=1e-7, every=3)
    kept = sorted({*range(0, len(steps), 3), len(steps) - 1})
    assert third.t.tolist() == steps.t[kept].tolist()
    assert third.x.tolist() == steps.x[kept].tolist()
    assert cart.simulate(3.0, rtol=1e-7, every=10**30).t.tolist() == [0.0, 3.0]


def test_a_tolerance_for_each_state(cart):
    """By name the others have 1e-8; a number is for all; the array is in order."""
    by_name = cart.simulate(2.0, rtol=1e-12, atol={"theta": 1e-3})
    in_order = cart.simulate(2.0, rtol=1e-12, atol=[1e-8, 1e-3, 1e-8, 1e-8])
    assert by_name.x.tobytes() == in_order.x.tobytes()
    assert by_name.x.tobytes() != cart.simulate(2.0, rtol=1e-12).x.tobytes()
    assert len(cart.simulate(2.0, rtol=1e-12, atol=1e-3)) < len(by_name)


def sine(t):
    return {"F": 3.0 * math.sin(2.0 * t)}


@STAGED
def test_inputs_of_every_kind(integrator, cart):
    """A function of time, samples on lines and held ones against fixed steps that are far shorter."""
    times = np.linspace(0.0, 2.0, 21)
    table = eomc.Samples(times, {"F": 3.0 * np.sin(2.0 * times)})
    held = eomc.Samples(times, np.sin(times)[:, None], "held")
    for inputs, error in ((sine, 1e-8), (table, 1e-6), (held, 1e-8), ({"F": 0.4}, 1e-8), ([0.4], 1e-8)):
        found = cart.simulate(2.0, integrator=integrator, rtol=1e-10, atol=1e-10, inputs=inputs)
        fixed = cart.simulate(2.0, 1e-3, inputs=inputs)
        assert np.abs(found.x[-1] - fixed.x[-1]).max() < error
        assert found.inputs.shape == (len(found), 1)
    stepwise = np.vstack([np.repeat(np.sin(times[:-1]), 100)[:, None], [[0.0]]])
    fixed = cart.simulate(2.0, 1e-3, inputs=stepwise)  # held over the steps between samples
    found = cart.simulate(2.0, integrator=integrator, rtol=1e-10, atol=1e-10, inputs=held)
    assert np.abs(found.x[-1] - fixed.x[-1]).max() < 1e-9
    assert set(times.tolist()) <= set(found.t.tolist())


def test_samples_in_single_calls(cart):
    """What a function of the simulator makes of samples is what holds at its time."""
    table = eomc.Samples([0.0, 1.0, 3.0], {"F": [1.0, 2.0, -2.0]})
    for t, force in ((-1.0, 1.0), (0.5, 1.5), (2.0, 0.0), (9.0, -2.0)):
        x = cart.initial_state
        assert cart.rhs(t, x, table).tolist() == cart.rhs(t, x, {"F": force}).tolist()


@STAGED
def test_declared_jumps_end_steps(integrator, cart):
    """A square wave whose jumps are told: steps end there, hardly any is rejected, the result is that of the parts."""

    def square(t):
        return {"F": 2.0 if t % 1.0 < 0.5 else -2.0}

    jumps = [0.5, 1.0, 1.5]
    found = cart.simulate(2.0, integrator=integrator, rtol=1e-9, atol=1e-9, inputs=square, jumps=jumps)
    assert set(jumps) <= set(found.t.tolist())
    x = cart.initial_state
    for k in range(4):
        x = cart.simulate(
            0.5 * (k + 1), t0=0.5 * k, x0=x, integrator=integrator, rtol=1e-11, atol=1e-11, inputs=[2.0 - 4.0 * (k % 2)]
        ).x[-1]
    assert np.abs(found.x[-1] - x).max() < 1e-7
    blind = cart.simulate(2.0, integrator=integrator, rtol=1e-9, atol=1e-9, inputs=square)
    assert len(blind) > len(found)


def test_what_inputs_raise_comes_out(cart):
    """An exception in a function of inputs ends the run; Ctrl-C, too; nothing of it is printed."""
    for error in (ValueError("boom"), KeyboardInterrupt()):

        def fails(t, error=error):
            if t > 0.5:
                raise error
            return {"F": 0.0}

        with pytest.raises(type(error)) as caught:
            cart.simulate(2.0, rtol=1e-8, inputs=fails)
        assert caught.value is error
    with pytest.raises(UsageError, match="returned None"):
        cart.simulate(2.0, rtol=1e-8, inputs=lambda t: None)


def test_failures_carry_what_there_is():
    """x' = x^2 ends at 1: the step becomes too small; e^x overflows; too many steps; all with their rows."""
    sim = first_order(lambda x, F, t: x**2 + F, initial={dynamicsymbols("x"): 1.0})
    with pytest.raises(StepError, match=r"step too small at t = (0\.99999|1)") as caught:
        sim.simulate(2.0, rtol=1e-6)
    points = caught.value.trajectory
    assert points["x"][-1] > 1e6
    assert points.t[-1] == pytest.approx(1.0, abs=1e-5)
    with pytest.raises(StepError, match=r"too many steps at t = .*: 5 were tried") as caught:
        sim.simulate(0.9, rtol=1e-6, max_steps=5)
    assert len(caught.value.trajectory) <= 6
    sim = first_order(lambda x, F, t: 1000.0 * x + F, initial={dynamicsymbols("x"): 1.0})
    with pytest.raises(DivergenceError, match=r"diverged at t = 0\.7"):
        sim.simulate(2.0, rtol=1e-3, atol=1e-3)
    sim = first_order(lambda x, F, t: sympy.sqrt(x) + F, initial={dynamicsymbols("x"): -1.0})
    with pytest.raises(DivergenceError, match="no motion from the start"):
        sim.simulate(2.0, rtol=1e-3)


@STAGED
def test_runs_on_constraints(integrator):
    """With projection each step ends on them, the dense output, too; the motion is that of the free coordinates."""
    build = eomc.compile(eomc.load("four_bar"), stabilization="projection")
    sim = build.load()
    found = sim.simulate(3.0, integrator=integrator, rtol=1e-9, atol=1e-9)
    residuals = sim.constraint_residuals(found.t, found.x)
    assert np.abs(residuals).max() < 1e-11
    between = sim.simulate(
        3.0, integrator=integrator, rtol=1e-9, atol=1e-9, t_eval=found.t[:-1] + 0.5 * np.diff(found.t)
    )
    assert np.abs(sim.constraint_residuals(between.t, between.x)).max() < 1e-6
    exact = eomc.compile(eomc.load("four_bar")).load().simulate(3.0, rtol=1e-12, atol=1e-12)
    assert np.abs(found.x[-1] - exact.x[-1]).max() < 1e-6
    free = eomc.compile(eomc.load("four_bar")).load().simulate(3.0, integrator=integrator, rtol=1e-9, atol=1e-9)
    assert abs(len(found) - len(free)) <= 0.1 * len(free)  # the projection costs no steps


def test_float_runs():
    """In float a run reaches its end, near the motion in double."""
    found = eomc.compile(eomc.load("cart_pole"), real="float").load().simulate(2.0, rtol=1e-5, atol=1e-5)
    exact = eomc.compile(eomc.load("cart_pole")).load().simulate(2.0, rtol=1e-10)
    assert np.abs(found.x[-1] - exact.x[-1]).max() < 1e-3
    assert found.t[-1] == 2.0


REFUSED = [
    ({"dt": 1e-3, "rtol": 1e-6}, "dt is not for dop853"),
    ({"integrator": "rk4", "rtol": 1e-6}, "rtol is not for rk4, whose steps are fixed"),
    ({"max_step": 0.1}, "max_step is not for rk4"),
    ({"max_step": 1.0}, "max_step is not for rk4"),
    ({"rtol": 0.0}, "rtol must be above zero"),
    ({"atol": {"teta": 1.0}}, "did you mean theta"),
    ({"atol": [1.0, 2.0]}, "4 values"),
    ({"atol": -1.0}, "atol must be above zero"),
    ({"rtol": 1e-6, "t_eval": [0.0, 3.0]}, "t_eval must lie from t0 = 0 to t_end = 1, not at 3.0"),
    ({"rtol": 1e-6, "t_eval": [0.0, 1.0 + 2**-40]}, "not at 1.0000000000009095"),
    ({"rtol": 1e-6, "t_eval": [0.5, 0.5]}, "ascending"),
    ({"rtol": 1e-6, "t_eval": [0.5], "every": 2}, "one of the two"),
    ({"rtol": 1e-6, "max_steps": 0}, "max_steps must be a whole number"),
    ({"rtol": 1e-6, "jumps": [[0.1]]}, "jumps must be finite times"),
    ({"rtol": 1e-6, "first_step": math.nan}, "first_step"),
    ({"rtol": 1e-6, "inputs": np.zeros((1001, 1))}, "eomc.Samples"),
    ({"rtol": 1e-6, "inputs": eomc.Samples([0.0], {"G": [0.0]})}, "unknown input 'G'"),
    ({"rtol": 1e-6, "t_end": -1.0}, "t_end must not be before t0"),
]


@pytest.mark.parametrize(("given", "told"), REFUSED, ids=lambda value: value if isinstance(value, str) else "")
def test_what_makes_no_sense_is_refused(given, told, cart):
    """One sentence says what, and what to do."""
    with pytest.raises(UsageError, match=told):
        cart.simulate(**{"t_end": 1.0, **given})


@pytest.mark.parametrize(
    ("t", "values", "told"),
    [
        ([0.0, 0.0], [[1.0], [2.0]], "ascending"),
        ([0.0, 1.0], [[1.0]], "2 times"),
        ([0.0, 1.0], {"F": [1.0]}, "F must have 2 values"),
        ([0.0, 1.0], [[1.0, 2.0], [1.0, 2.0]], "1 value"),
        ([0.0, 1.0], {"F": [1.0, math.nan]}, "F in row 1"),
    ],
)
def test_samples_that_make_no_sense(t, values, told, cart):
    """Times in order, one value for each, finite."""
    with pytest.raises(UsageError, match=told):
        cart.simulate(1.0, rtol=1e-3, inputs=eomc.Samples(t, values))
    with pytest.raises(UsageError, match="interpolation"):
        eomc.Samples([0.0], [[1.0]], "cubic")


def test_energy_balance_of_adaptive_runs():
    """The work of a force along a run to a tolerance is the change of energy; the follower sees every step."""
    build = eomc.compile(eomc.load("cart_pole"), integrator="dop853")
    found = balance(build, 3.0, inputs=sine, rtol=1e-10, atol=1e-10)
    assert found.holds
    assert abs(found.work) > 1e-3
    followed = Followed(build)
    build.load().simulate(3.0, inputs=sine, rtol=1e-9, every=10, follow=followed)
    assert followed.defect < 1e-6
    assert not followed.is_off


def test_no_rows() -> None:
    """Where no times are asked for there is none, and it can be shown."""
    run = eomc.compile(eomc.load("double_pendulum")).load().simulate(0.1, rtol=1e-6, t_eval=[])
    assert repr(run) == "<eomc.Trajectory of double_pendulum (kane): 0 points>"


@pytest.mark.parametrize(
    ("scheme", "real", "least"), [("dop853", "double", "2.22e-15"), ("taylor", "float", "1.19e-07")]
)
def test_a_tolerance_below_rounding_is_told(scheme: str, real: str, least: str) -> None:
    """It counts as what rounding allows, to the bits of the same run; the usual one is no matter."""
    sim = eomc.compile(eomc.load("kepler"), integrator=scheme, real=real).load()
    with pytest.warns(
        UserWarning, match=rf"^kepler: rtol = 1e-18 is below the rounding of {real}: {scheme} takes {least}$"
    ):
        found = sim.simulate(1.0, rtol=1e-18, atol=1e-9)
    with warnings.catch_warnings(action="error"):
        sim.simulate(1.0)
        same = sim.simulate(1.0, rtol=float(least) * 1.01, atol=1e-9)
    assert abs(len(same.t) - len(found.t)) <= 1
