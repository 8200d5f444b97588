"""Fixed-step runs."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from eomc.binding import Simulator, integration, load
from eomc.binding.grids import time_grid
from eomc.errors import DivergenceError, SingularSystemError, UsageError

pytestmark = pytest.mark.needs_cc


def period(amplitude: float) -> float:
    """Return the exact period of the pendulum with l = 1, g = 9.81: 4 sqrt(l/g) K(sin^2(amplitude/2))."""
    return float(4.0 / np.sqrt(9.81) * ellipk(np.sin(0.5 * amplitude) ** 2))


# -- against the closed form ------------------------------------------------------------------------------------------


def test_rk4_has_order_four(sim: Simulator) -> None:
    """Halving the step divides the error after one exact period by 16."""
    errors = []
    for n in (40, 80, 160, 320):
        end = sim.simulate(period(1.0), period(1.0) / n, x0=[1.0, 0.0]).x[-1]
        errors.append(np.linalg.norm(end - [1.0, 0.0]))
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert abs(orders[-1] - 4.0) < 0.1


@pytest.mark.parametrize("amplitude", [0.1, 1.0, 3.0])
def test_solve_ivp_takes_rhs_as_it_is(sim: Simulator, amplitude: float) -> None:
    """After one exact period the pendulum is back."""
    found = solve_ivp(sim.rhs, (0.0, period(amplitude)), [amplitude, 0.0], rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(found.y[:, -1], [amplitude, 0.0], atol=1e-8)


def test_solve_ivp_with_args(sim: Simulator) -> None:
    """Inputs and parameters go through solve_ivp's args; a quarter of the gravity doubles the period."""
    args = ({"tau": 0.0}, {"g": 9.81 / 4})
    for method in ("DOP853", "Radau"):
        found = solve_ivp(sim.rhs, (0.0, 2 * period(1.0)), [1.0, 0.0], method, args=args, rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(found.y[:, -1], [1.0, 0.0], atol=1e-5)


def test_run_equals_a_loop_in_python(sim: Simulator) -> None:
    """The C loop is the classical Runge-Kutta method over sim.rhs, with time as t0 + k dt."""
    h, t0, inputs = 0.1, 3.0, {"tau": 0.7}
    x = np.array([0.3, -0.2])
    states = [x]
    for _ in range(7):
        k1 = sim.rhs(0.0, x, inputs)
        k2 = sim.rhs(0.0, x + h / 2 * k1, inputs)
        k3 = sim.rhs(0.0, x + h / 2 * k2, inputs)
        k4 = sim.rhs(0.0, x + h * k3, inputs)
        x = x + h / 6 * (k1 + 2 * (k2 + k3) + k4)
        states.append(x)
    run = sim.simulate(t0 + 0.7, h, x0=states[0], t0=t0, inputs=inputs)
    np.testing.assert_allclose(run.x, states, rtol=1e-13)
    np.testing.assert_allclose(run["clock"], run.t, rtol=0)
    assert run.t[:-1].tolist() == [t0 + k * h for k in range(7)]


# -- the grid ---------------------------------------------------------------------------------------------------------


@given(st.integers(1, 10**6), st.sampled_from([1e-3, 0.01, 0.1, 1 / 3, 0.7, 1e-7]))
def test_whole_steps_are_recognized(n: int, dt: float) -> None:
    """An interval of n dt, rounded as decimals are, is n steps without a rest."""
    grid = time_grid(0.0, float(n * Decimal(repr(dt))), dt)
    assert (grid.total, grid.time(grid.total)) == (n, grid.t_end)


@given(st.integers(1, 10**4), st.sampled_from([1e-3, 0.01, 0.1, 0.7]), st.integers(-(10**6), 10**6))
def test_whole_steps_are_recognized_far_from_zero(n: int, dt: float, tenths: int) -> None:
    """The same from any start: the rounding of t0 and t_end makes no tiny step."""
    t0 = Decimal(tenths) / 10
    grid = time_grid(float(t0), float(t0 + n * Decimal(repr(dt))), dt)
    assert (grid.total, grid.time(grid.total)) == (n, grid.t_end)


@given(st.floats(0, 50), st.floats(1e-4, 10), st.floats(-10, 10))
def test_steps_fill_the_interval(span: float, dt: float, t0: float) -> None:
    """Times increase, no step is longer than dt, the last time is t_end."""
    grid = time_grid(t0, t0 + span, dt)
    times = grid.times(grid.stored(1))
    assert times[0] == t0 or grid.total == 0
    assert times[-1] == t0 + span
    assert (np.diff(times) > 0).all()
    assert (np.diff(times) <= dt * (1 + 1e-9) + 1e-13).all()


def test_shorter_last_step(sim: Simulator) -> None:
    """When dt does not divide the interval, a shorter RK4 step ends at t_end."""
    run = sim.simulate(0.25, 0.1, x0=[0.3, 0.0])
    assert run.t.tolist() == [0.0, 0.1, 0.2, 0.25]
    np.testing.assert_allclose(run.x[-1], sim.simulate(0.05, 0.05, x0=run.x[2]).x[-1], rtol=1e-14)
    assert sim.simulate(0.01, 0.1).t.tolist() == [0.0, 0.01]


def test_no_time_at_all(sim: Simulator) -> None:
    """An empty interval gives the initial point."""
    run = sim.simulate(2.0, 0.1, x0=[0.3, 0.1], t0=2.0)
    assert (run.t.tolist(), run.x.tolist()) == ([2.0], [[0.3, 0.1]])


@pytest.mark.parametrize("every", [1, 3, 7, 100])
@pytest.mark.parametrize("t_end", [1.0, 0.97])
def test_every(sim: Simulator, every: int, t_end: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each every-th point and the last are kept, wherever the blocks of the loop end."""
    full = sim.simulate(t_end, 0.05, inputs=lambda t: [np.sin(t)])
    n = len(full)
    kept = sorted({*range(0, n, every), n - 1})
    for block in (1, 4, 4096):
        monkeypatch.setattr(integration, "BLOCK", block)
        run = sim.simulate(t_end, 0.05, inputs=lambda t: [np.sin(t)], every=every)
        np.testing.assert_array_equal(run.t, full.t[kept])
        np.testing.assert_array_equal(run.x, full.x[kept])
        np.testing.assert_array_equal(run.outputs, full.outputs[kept])
        np.testing.assert_array_equal(run.inputs, full.inputs[kept])


# -- inputs -----------------------------------------------------------------------------------------------------------


def test_input_function_keeps_the_order(sim: Simulator) -> None:
    """With g = 0 and tau(t) = m t^3 the angle is t^5/20 and RK4 is Simpson's rule: exact in the speed t^4/4."""
    run = sim.simulate(2.0, 0.5, x0=[0.0, 0.0], inputs=lambda t: {"tau": 2.0 * t**3}, parameters={"g": 0.0})
    np.testing.assert_allclose(run["omega"], run.t**4 / 4, rtol=1e-14)
    np.testing.assert_allclose(run.inputs[:, 0], 2.0 * run.t**3, rtol=1e-14)


def test_input_function_is_asked_at_three_times(sim: Simulator) -> None:
    """At t, t + h/2 and t + h of each step, the shorter one included; the end of a step is the start of the next."""
    asked: list[float] = []

    def record(t: float) -> list[float]:
        asked.append(t)
        return [0.0]

    sim.simulate(0.5, 0.2, inputs=record, every=10)
    np.testing.assert_allclose(sorted(set(asked)), [0.0, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5], atol=1e-15)


def test_sampled_inputs_are_held(sim: Simulator) -> None:
    """Row k acts over step k: with g = 0 the speed is a polygon."""
    rows = np.array([[2.0], [4.0], [-6.0], [99.0]])
    run = sim.simulate(0.3, 0.1, x0=[0.0, 0.0], inputs=rows, parameters={"g": 0.0})
    np.testing.assert_allclose(run["omega"], [0.0, 0.1, 0.3, 0.0], atol=1e-15)
    np.testing.assert_array_equal(run.inputs, rows)


@pytest.mark.parametrize("inputs", [{"tau": 2.0}, [2.0], np.full((11, 1), 2.0), lambda t: {"tau": 2.0}])
def test_ways_to_hold_an_input(sim: Simulator, inputs: Any) -> None:
    """A constant input is the same motion however it is given."""
    np.testing.assert_array_equal(sim.simulate(1.0, 0.1, inputs=inputs).x, sim.simulate(1.0, 0.1, inputs=[2.0]).x)


# -- mistakes and failures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dt": 0.0}, "dt must be a positive number of seconds, not 0.0"),
        ({"dt": -1e-3}, "dt must be a positive"),
        ({"dt": float("nan")}, "dt must be a finite number, not nan"),
        ({"dt": "fast"}, "dt must be a finite number, not 'fast'"),
        ({"dt": 1e-20}, "dt = 1e-20 is too small to be told apart at t = 10.0"),
        ({"t_end": float("inf")}, "t_end must be a finite number, not inf"),
        ({"t_end": -1.0}, r"t_end must not be before t0: -1.0 < 0.0"),
        ({"t0": None}, "t0 must be a finite number, not None"),
        ({"every": 0}, "every must be a positive whole number, not 0"),
        ({"every": 1.5}, "every must be a positive whole number, not 1.5"),
        ({"integrator": "rk5"}, r"unknown integrator 'rk5'; did you mean rk4\?"),
        ({"integrator": 3}, r"unknown integrator '3'; known are rk4, heun, "),
        ({"x0": [1.0]}, r"a state has 2 entries \[theta, omega\]"),
        ({"x0": [1.0, float("nan")]}, r"x0 must be finite, not \[1.0, nan\]"),
        ({"t0": -1e308, "t_end": 1e308, "dt": 1e300}, r"dt = 1e\+300 is too small for a run from -1e\+308 to 1e\+308"),
        ({"x0": [[1.0, 0.0]]}, r"one state is wanted here, 2 entries"),
        ({"inputs": {"tao": 1.0}}, "unknown input 'tao'"),
        ({"inputs": lambda t: {"tao": t}}, r"unknown input 'tao'; .*, which inputs\(t\) returned at t = 0"),
        ({"inputs": lambda t: {"tau": None if t > 1 else t}}, r"tau must be a finite .* None, which .* at t = 1.0005"),
        ({"inputs": lambda t: [float("nan") if t > 1 else t]}, r"input tau must be a finite number, not nan, which"),
        ({"inputs": [None]}, r"inputs must be real numbers, not None for tau"),
        ({"inputs": np.full((10001, 1), np.inf)}, r"input tau in row 0 must be a finite number, not inf"),
        ({"inputs": np.zeros((10, 1))}, r"one row of 1 value at each of the 10001 times .* not the shape \(10, 1\)"),
        ({"inputs": [1.0, 2.0]}, r"inputs must be an array of 1 value \[tau\]"),
        ({"parameters": {"mass": 1.0}}, "unknown parameter 'mass'"),
        ({"dt": 1e-14}, "steps do not fit into memory; raise dt or every"),
    ],
)
def test_bad_runs(sim: Simulator, options: dict[str, Any], message: str) -> None:
    """Every mistake is a UsageError that says what is expected."""
    with pytest.raises(UsageError, match=message):
        sim.simulate(**options)


@pytest.mark.parametrize(("t_end", "end"), [(1.0, "0.9"), (0.85, "0.85")])
@pytest.mark.parametrize("every", [1, 3])
def test_singular_on_the_way(sim: Simulator, t_end: float, end: str, every: int) -> None:
    """A pivot that vanishes stops the run with the step and the name; the points so far are there."""
    message = f"pendulum: singular at t = 0.8, in the step to {end}: no unique solution for omega; "
    with pytest.raises(SingularSystemError, match=message) as caught:
        sim.simulate(t_end, 0.1, x0=[92.0, 9.7], parameters={"g": 0.0}, every=every)
    run = caught.value.trajectory
    np.testing.assert_allclose(run.t, np.arange(0, 9, every) * 0.1)
    np.testing.assert_allclose(run["theta"], 92.0 + 9.7 * run.t, rtol=1e-14)  # no weight: uniform rotation
    assert len(run.outputs) == len(run.inputs) == len(run)


def test_singular_from_the_start(sim: Simulator) -> None:
    """A start that is singular gives its own point, also after a run that diverged in the same thread."""
    with pytest.raises(DivergenceError):
        sim.simulate(1.0, 0.25, x0=[0.0, 0.0], parameters={"g": 0.0}, inputs=[-1.7e308])
    with pytest.raises(SingularSystemError, match=r"singular at t = 0, in the step to 0\.1") as caught:
        sim.simulate(1.0, 0.1, x0=[100.0, 0.0])
    assert caught.value.trajectory.x.tolist() == [[100.0, 0.0]]


def test_motion_that_leaves_the_numbers(sim: Simulator) -> None:
    """A step that overflows ends the run: it diverged, at that time, and only finite points are there."""
    with pytest.raises(DivergenceError, match="pendulum: diverged at t = 0, in the step to 1: take smaller ") as caught:
        sim.simulate(1.0, 1.0, x0=[0.0, 0.0], parameters={"g": 0.0}, inputs=[-1e308])
    assert caught.value.trajectory.x.tolist() == [[0.0, 0.0]]


def test_a_pivot_that_fails_far_out_is_no_singular_mechanism(sim: Simulator) -> None:
    """Where a stage is so far out that its squares overflow, the step is too long, whatever pivot complains."""
    with pytest.raises(DivergenceError, match=r"diverged at t = 0\.5, in the step to 1: ") as caught:
        sim.simulate(1.0, 0.5, x0=[0.0, 0.0], parameters={"g": 0.0}, inputs=np.array([[0.0], [1e300], [1e300]]))
    assert caught.value.trajectory.t.tolist() == [0.0, 0.5]


def test_initial_state_follows_the_parameters(pendulum: Callable[..., Any]) -> None:
    """Without x0 the model's initial coordinates and speeds are converted with the run's own parameters and time."""
    build = pendulum()
    load(build).simulate(5.1, 0.1, t0=5.0, parameters={"m": 3.0})
    assert build.asked == [({}, {}, 5.0, {"m": 3.0, "l": 1.0, "g": 9.81}, {"tau": 0.0})]


@pytest.mark.parametrize("every", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("t_end", [0.0, 0.1, 0.6, 0.65, 0.7])
def test_points_are_counted_without_being_made(t_end: float, every: int) -> None:
    """Each n-th and the last, as many as there are."""
    grid = time_grid(0.0, t_end, 0.1)
    assert grid.count(every) == len(grid.stored(every))
