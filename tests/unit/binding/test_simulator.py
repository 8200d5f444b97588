"""Functions at one state and at many."""

from __future__ import annotations

import threading
import time
import timeit
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import eomc
from eomc.binding import Simulator, load
from eomc.errors import BuildError, EomcError, SingularSystemError, UsageError, VerificationError

pytestmark = pytest.mark.needs_cc


def acceleration(theta: float, tau: float = 0.0, m: float = 2.0, length: float = 1.0, g: float = 9.81) -> float:
    """Return Newton's law for the pendulum."""
    return tau / (m * length**2) - g / length * float(np.sin(theta))


# -- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", [[0.4, 0.7], (0.4, 0.7), np.array([0.4, 0.7]), np.array([0.4, 9, 0.7, 9])[::2]])
def test_rhs_of_one_state(sim: Simulator, x: Any) -> None:
    """Lists, tuples and arrays of any layout are states; the result is Newton's law."""
    for _ in range(2):  # before and after the fast path is ready
        np.testing.assert_allclose(sim.rhs(0.0, x), [0.7, acceleration(0.4)], rtol=1e-15)


def test_other_number_types(sim: Simulator) -> None:
    """Integers and single precision are converted."""
    assert sim.rhs(0, [0, 2]).tolist() == [2.0, 0.0]
    assert sim.rhs(np.float32(1.0), np.array([0, 2], dtype=np.float32)).dtype == np.float64
    assert sim.rhs(np.array(1.0), np.array([0, 2])).tolist() == [2.0, 0.0]


def test_results_are_the_callers_own(sim: Simulator) -> None:
    """A later call does not change an earlier result, and changing a result does not change a later call."""
    x = np.array([0.0, 1.0])
    first = sim.rhs(0.0, x)
    second = sim.rhs(0.0, np.array([0.0, 2.0]))
    second[:] = 7.0
    assert first.tolist() == [1.0, 0.0]
    assert sim.rhs(0.0, x).tolist() == [1.0, 0.0]
    assert x.tolist() == [0.0, 1.0]


def test_inputs_and_parameters(sim: Simulator) -> None:
    """By name or in order; what is not named keeps its default; defaults come back afterwards."""
    x = np.array([0.4, 0.7])
    default = sim.rhs(0.0, x)
    expected = acceleration(0.4, tau=3.0, m=5.0)
    for inputs in ({"tau": 3.0}, [3.0], np.array([3.0])):
        for parameters in ({"m": 5.0}, [5.0, 1.0, 9.81], {sympy.Symbol("m"): 5}):
            assert sim.rhs(0.0, x, inputs, parameters)[1] == pytest.approx(expected, rel=1e-15)
    assert sim.rhs(0.0, x, None, {"l": 2.0})[1] == pytest.approx(acceleration(0.4, length=2.0), rel=1e-15)
    assert (sim.rhs(0.0, x) == default).all()


def test_many_parameter_sets(sim: Simulator) -> None:
    """More sets than are kept prepared still each get their own constants, also when they come again."""
    for _ in range(2):
        for k in range(40):
            length = 1.0 + k
            value = sim.rhs(0.0, [0.4, 0.0], None, {"l": length})[1]
            assert value == pytest.approx(acceleration(0.4, length=length), rel=1e-15)


def test_named_functions(sim: Simulator) -> None:
    """Energies by name, outputs in order, the mass matrix as a matrix; evaluate reaches any of them."""
    assert sim.energy(0.0, [0.0, 3.0]) == {"kinetic": 9.0, "potential": -19.62, "total": 9.0 - 19.62}
    assert sim.outputs(0.5, [0.0, 3.0], {"tau": 2.0}).tolist() == [6.0, 0.5]
    assert sim.mass_matrix(0.0, [0.0, 3.0]).tolist() == [[2.0]]
    assert sim.mass_matrix(0.0, np.zeros((4, 2))).shape == (4, 1, 1)
    assert sim.evaluate("energy", 0.0, [0.0, 3.0]).tolist() == [9.0, -19.62, 9.0 - 19.62]
    many = sim.energy(0.0, [[0.0, 3.0], [0.0, 1.0]])
    assert many["kinetic"].tolist() == [9.0, 1.0]


def test_names_and_defaults(sim: Simulator) -> None:
    """The simulator says what its arrays mean."""
    assert sim.functions == ("rhs", "mass_matrix", "outputs", "energy")
    assert (sim.state_names, sim.input_names, sim.output_names) == (("theta", "omega"), ("tau",), ("power", "clock"))
    assert sim.parameter_names == ("m", "l", "g")
    assert sim.parameters == {"m": 2.0, "l": 1.0, "g": 9.81}
    assert sim.inputs == {"tau": 0.0}
    assert sim.initial_state.tolist() == [1.0, 0.0]


def test_state_asks_the_build(pendulum: Callable[..., Any], theta: sympy.Expr) -> None:
    """Coordinates by symbol or name, speeds by name, parameters completed: handed on as plain names."""
    build = pendulum()
    sim = load(build)
    assert sim.state({theta: 0.5}, {"omega": 2}).tolist() == [0.5, 2.0]
    sim.state({}, {"theta_d": 3.0})
    sim.state({"theta": 0.5}, t=3.0, parameters={"m": 4.0}, inputs={"tau": 0.25})
    assert build.asked == [
        ({"theta": 0.5}, {"omega": 2.0}, 0.0, None, None),
        ({}, {"theta_d": 3.0}, 0.0, None, None),
        ({"theta": 0.5}, {}, 3.0, {"m": 4.0, "l": 1.0, "g": 9.81}, {"tau": 0.25}),
    ]


# -- many states ------------------------------------------------------------------------------------------------------


@given(arrays(np.float64, st.tuples(st.integers(0, 6), st.just(2)), elements=st.floats(-50, 50)), st.booleans())
def test_batch_is_a_loop(bound: Simulator, states: np.ndarray[Any, Any], own: bool) -> None:
    """K states at once give bit for bit what k calls give, with common or own times and inputs."""
    k = len(states)
    t = np.linspace(0, 1, k) if own else 0.25
    inputs = np.linspace(1, 2, k)[:, None] if own else {"tau": 0.5}
    times, rows = np.broadcast_to(t, k), inputs if own else [inputs] * k
    for name in bound.functions:
        batch = bound.evaluate(name, t, states, inputs)
        for i in range(k):
            assert (batch[i] == bound.evaluate(name, times[i], states[i], rows[i])).all()


def test_failed_rows_are_nan_and_counted(sim: Simulator) -> None:
    """In a batch a singular row is NaN, the others are right, and one warning at the caller counts them."""
    states = np.array([[0.0, 1.0], [100.0, 1.0], [0.0, 2.0], [200.0, 1.0]])
    with pytest.warns(
        RuntimeWarning, match=r"2 of 4 rows are NaN; the first is row 1: .* t = 0.1 .* for omega"
    ) as caught:
        dx = sim.rhs([0.0, 0.1, 0.2, 0.3], states)
    assert caught[0].filename == __file__
    assert np.isnan(dx[[1, 3]]).all()
    assert dx[[0, 2]].tolist() == [[1.0, 0.0], [2.0, 0.0]]


# -- failures ---------------------------------------------------------------------------------------------------------


def test_singular_state(sim: Simulator) -> None:
    """One singular state raises with the time and the name of the pivot, on the fast path and off it."""
    for x in (np.array([100.0, 1.0]), [100.0, 1.0]):
        with pytest.raises(SingularSystemError, match=r"pendulum: at t = 1.5 the equations are singular for omega"):
            sim.rhs(1.5, x)
    assert sim.rhs(0.0, np.array([0.0, 1.0])).tolist() == [1.0, 0.0]


def test_state_that_is_not_finite(sim: Simulator) -> None:
    """NaN in the state is named as the reason."""
    with pytest.raises(SingularSystemError, match="at t = 2 the state is not finite: theta = nan"):
        sim.rhs(2.0, np.array([np.nan, 1.0]))


def test_singular_parameters(sim: Simulator) -> None:
    """Parameters without inertia raise and are named; nothing of it is kept."""
    for _ in range(2):
        with pytest.raises(SingularSystemError, match=r"singular for theta in every state, with m=0, l=1, g=9.81;"):
            sim.rhs(0.0, [0.0, 0.0], None, {"m": 0.0})
    assert sim.rhs(0.0, [0.0, 1.0]).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, [1.0]), r"a state has 2 entries \[theta, omega\], and k states have the shape \(k, 2\), not \(1,\)"),
        ((0.0, np.zeros(3)), r"not \(3,\)"),
        ((0.0, 1.0), r"not \(\)"),
        ((0.0, np.zeros((2, 3))), r"not \(2, 3\)"),
        ((0.0, np.zeros((1, 2, 2))), r"not \(1, 2, 2\)"),
        ((0.0, ["a", "b"]), r"states must be real numbers, not 'a' at \[0\]"),
        ((0.0, [[0.0, 1.0], [0.0, None]]), r"states must be real numbers, not None at \[1, 1\]"),
        ((0.0, None), r"states must be real numbers, not None"),
        ((0.0, np.array([1j, 0])), r"states must be real numbers, not 1j at \[0\]"),
        (("now", np.zeros(2)), r"times must be real numbers, not 'now'"),
        ((None, np.zeros(2)), r"times must be real numbers, not None"),
        (([0.0, 1.0], np.zeros(2)), r"one state needs one time, not times of shape \(2,\)"),
        (([0.0, 1.0], np.zeros((3, 2))), r"give one time, or one for each of 3 states, not times of shape \(2,\)"),
        ((0.0, np.zeros(2), {"tao": 1.0}), r"unknown input 'tao'; did you mean tau\?"),
        ((0.0, np.zeros(2), [1.0, 2.0]), r"inputs must be an array of 1 value \[tau\], not of shape \(2,\)"),
        ((0.0, np.zeros(2), [[1.0]]), r"not of shape \(1, 1\)"),
        ((0.0, np.zeros((3, 2)), np.zeros((2, 1))), r"inputs of 3 states must be \(3, 1\), one row \[tau\] each"),
        ((0.0, np.zeros(2), None, {"mm": 1.0}), r"unknown parameter 'mm'; did you mean m\?"),
        ((0.0, np.zeros(2), None, {"m": None}), r"parameter m must be a finite number, not None"),
        ((0.0, np.zeros(2), {"tau": float("nan")}), r"input tau must be a finite number, not nan"),
        ((0.0, np.zeros((2, 2)), [[0.0], [np.nan]]), r"input tau in row 1 must be a finite number, not nan"),
        ((0.0, np.zeros((2, 2)), [[0.0], [None]]), r"inputs must be real numbers, not None for tau in row 1"),
    ],
)
def test_bad_arguments(sim: Simulator, arguments: tuple[Any, ...], message: str) -> None:
    """Every mistake is a UsageError that names what is expected, on a fresh and on a used simulator."""
    for _ in range(2):
        with pytest.raises(UsageError, match=message):
            sim.rhs(*arguments)
        sim.rhs(0.0, np.zeros(2))


def test_function_that_the_program_lacks(sim: Simulator) -> None:
    """A model without momenta says what it has."""
    with pytest.raises(UsageError, match=r"pendulum \(kane\) has no function 'momenta'; it has rhs, mass_matrix"):
        sim.momenta(0.0, [0.0, 0.0])
    with pytest.raises(UsageError, match="no function 'momenta'"):
        sim.evaluate("momenta", 0.0, [0.0, 0.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"thata": 0.1},), r"unknown coordinate 'thata'; did you mean theta\?"),
        (({}, {"theta": 0.1}), r"unknown speed 'theta'; did you mean theta_d\?"),
        (({"theta": "up"},), r"coordinate theta must be a finite number, not 'up'"),
        (({"theta": "1.0"},), r"coordinate theta must be a finite number, not '1.0'"),
        (({}, {"omega": float("nan")}), r"speed omega must be a finite number, not nan"),
        (([1.0],), r"give each coordinate by name, as in \{'theta': 1.0\}"),
        (({}, {}, None), r"t must be a finite number, not None"),
        (({}, {}, 0.0, {"m": float("nan")}), r"parameter m must be a finite number, not nan"),
        (({}, {}, 0.0, None, {"p_theta": 1.0}), r"unknown momentum 'p_theta'; there are none"),
    ],
)
def test_bad_state(sim: Simulator, arguments: tuple[Any, ...], message: str) -> None:
    """Unknown names are answered with the nearest known ones."""
    with pytest.raises(UsageError, match=message):
        sim.state(*arguments)


def test_emitted_files_without_a_header(pendulum: Callable[..., Any]) -> None:
    """Artifacts that hold no C cannot be bound."""
    build = pendulum()
    build.artifacts.clear()
    with pytest.raises(BuildError, match="hold no header"):
        load(build)


@pytest.mark.parametrize(
    ("text", "other", "what"),
    [
        ("parameters = {2, 1, (pendulum_real)9.81}", "parameters = {1, 2, (pendulum_real)9.81}", "parameters"),
        ("inputs = {0}", "inputs = {3}", "inputs"),
        ("{1, 0}", "{0, 1}", "states"),
    ],
)
def test_c_of_another_program(pendulum: Callable[..., Any], text: str, other: str, what: str) -> None:
    """C whose structs have another order than the program is refused, not misread."""
    with pytest.raises(VerificationError, match=f"the {what} of the emitted C differ"):
        load(pendulum(source=pendulum().artifacts[1].text.replace(text, other)))


def test_seconds_in_c(sim: Simulator) -> None:
    """The C alone takes time, and less than a call from Python."""
    assert 0.0 < sim.seconds_in_c(0.0, [0.4, 0.7], 10_000) < 1e-6


# -- single precision, threads, cost ----------------------------------------------------------------------------------


def test_float_build(pendulum: Callable[..., Any]) -> None:
    """Single precision inside, float64 outside, agreement to single rounding."""
    single, double = load(pendulum("float")), load(pendulum())
    x = np.array([[0.4, 0.7], [-1.0, 2.0]])
    for state in (x[0], x):
        got, expected = single.rhs(0.0, state, {"tau": 0.1}), double.rhs(0.0, state, {"tau": 0.1})
        assert got.dtype == np.float64
        np.testing.assert_allclose(got, expected, rtol=5e-7)
    assert single.rhs(0.0, x[0])[0] == np.float32(0.7)
    fine, coarse = double.simulate(1.0, 1e-2), single.simulate(1.0, 1e-2)
    assert coarse.x.dtype == np.float64
    np.testing.assert_allclose(coarse.x, fine.x, atol=2e-5)


def test_threads(sim: Simulator) -> None:
    """Threads that share a simulator do not see each other's states, inputs or parameters."""
    wrong: list[float] = []

    def run(seed: int) -> None:
        for k in range(300):
            x = np.array([0.1 * seed, float(k)])
            dx = sim.rhs(0.0, x)
            other = sim.rhs(0.0, x, {"tau": seed}, {"l": 1.0 + seed})
            many = sim.rhs(0.0, np.repeat(x[None], 50, axis=0))
            expected = acceleration(x[0], seed, length=1.0 + seed)
            if dx[0] != k or other[0] != k or (many != dx).any() or abs(other[1] - expected) > 1e-12:
                wrong.append(k)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_call_overhead(sim: Simulator) -> None:
    """A call with defaults costs at most 3 microseconds; the C itself is some 20 ns here."""
    x = np.array([0.4, 0.7])
    best = min(timeit.repeat(lambda: sim.rhs(0.0, x), timer=time.thread_time, number=500, repeat=100)) / 500
    assert best < 3e-6


def test_no_warning_in_ordinary_use(sim: Simulator) -> None:
    """Nothing warns where nothing is wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.rhs(0.0, np.zeros((0, 2)))
        sim.simulate(0.1)


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", ["slider_crank", "four_bar", "rolling_disk_dependent"])
def test_a_start_off_the_constraints(name: str) -> None:
    """It is moved onto them as by `project`, and the distance is told; one on them is taken to the bit, in silence."""
    sim = eomc.compile(eomc.load(name)).load()
    start = sim.initial_state
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(sim.simulate(0.01, x0=start).x[0], start)
    start[1] += 0.3
    projected = eomc.compile(eomc.load(name), stabilization="projection").load().project(0.0, start)
    if np.array_equal(projected, start):
        return  # a coordinate that no constraint holds
    with pytest.warns(UserWarning, match=r"moved onto the constraints, by [0-9.e-]+ of its size"):
        run = sim.simulate(0.01, x0=start)
    assert np.array_equal(run.x[0], projected)
    assert np.abs(sim.constraint_residuals(0.0, run.x[0])).max() < 1e-9


@pytest.mark.needs_cc
def test_a_start_that_no_state_is_near() -> None:
    """Where Newton's method finds nothing, nothing runs: a frame that is longer than all links."""
    sim = eomc.compile(eomc.load("four_bar")).load()
    with pytest.raises(EomcError, match="x0 does not meet the constraints, and cannot be brought onto them"):
        sim.simulate(0.01, x0=sim.initial_state, parameters={"d": 100.0})
