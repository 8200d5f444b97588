"""Functions of a simulator in the hands of SciPy, and inputs that follow functions of time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_bvp, solve_ivp

import eomc
from eomc.binding import Simulator
from eomc.errors import SingularSystemError, UsageError

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module")
def cart() -> Simulator:
    """Return a cart with a pole, under a force F."""
    return eomc.compile(eomc.load("cart_pole")).load()


STATES = np.linspace(-0.5, 0.6, 16).reshape(4, 4)  # four states of four entries: no shape tells rows from columns


def push(t: float) -> dict[str, float]:
    """Return a force that varies."""
    return {"F": 2.0 * np.sin(5.0 * t)}


def test_columns_are_rows_turned(cart: Simulator) -> None:
    """States as columns, even as many as entries: each column has the rates and the slopes of its state."""
    rates, slopes = cart.columns.rhs(0.0, STATES), cart.columns.jac(0.0, STATES)
    assert slopes.shape == (4, 4, 4)
    for k in range(4):
        np.testing.assert_array_equal(rates[:, k], cart.rhs(0.0, STATES[:, k]))
        np.testing.assert_array_equal(slopes[:, :, k], cart.jac(0.0, STATES[:, k]))
    np.testing.assert_array_equal(cart.columns.rhs(0.0, STATES[0]), cart.rhs(0.0, STATES[0]))
    np.testing.assert_array_equal(cart.columns.rhs([0.0], STATES[:, :1]), rates[:, :1])
    np.testing.assert_array_equal(cart.columns.jac(0.0, STATES[:, :1]), slopes[:, :, :1])
    np.testing.assert_array_equal(cart.columns.jac(0.0, STATES[:, 0]), slopes[:, :, 0])


def test_one_column_without_solution(sim: Simulator) -> None:
    """A column alone is one state: where it has no rates, that is an error, as for one state."""
    states = np.full((2, 1), np.nan)
    with pytest.raises(SingularSystemError, match="not finite"):
        sim.columns.rhs(0.0, states)


def test_wrong_shapes_name_the_other_way(cart: Simulator) -> None:
    """Columns where rows are wanted, and the reverse, are refused with the name of what takes them."""
    with pytest.raises(UsageError, match=r"\(k, 4\), not \(4, 3\); sim\.columns\.rhs takes columns"):
        cart.rhs(0.0, np.zeros((4, 3)))
    with pytest.raises(UsageError, match=r"\(4, k\), not \(3, 4\); rows are for sim\.rhs"):
        cart.columns.rhs(0.0, np.zeros((3, 4)))


@pytest.mark.parametrize("own", [True, False], ids=["jac", "differences"])
@pytest.mark.parametrize("vectorized", [True, False], ids=["columns", "one by one"])
def test_implicit_integrators(cart: Simulator, own: bool, vectorized: bool) -> None:
    """Radau with our Jacobian or its own, vectorized or not, ends where DOP853 does, with inputs of time as `args`."""
    args, x0 = (push, {"m": 0.3}), [0.1, 0.2, 0.3, -0.1]
    exact = solve_ivp(cart.rhs, (0.0, 1.0), x0, "DOP853", args=args, rtol=1e-12, atol=1e-12).y[:, -1]
    found = solve_ivp(
        cart.columns.rhs if vectorized else cart.rhs, (0.0, 1.0), x0, method="Radau", args=args,
        jac=cart.jac if own else None, vectorized=vectorized, rtol=1e-8, atol=1e-9,
    )  # fmt: skip
    np.testing.assert_allclose(found.y[:, -1], exact, atol=1e-6)


def test_boundary_values(cart: Simulator) -> None:
    """solve_bvp takes both functions: the motion that it finds is the one that starts there."""

    def ends(first: np.ndarray, last: np.ndarray) -> np.ndarray:
        return np.array([first[0], first[1], last[0] - 0.4, last[1] - 0.2])

    t = np.linspace(0.0, 0.5, 4)  # as many times as states
    found = solve_bvp(cart.columns.rhs, ends, t, np.zeros((4, 4)), fun_jac=cart.columns.jac, tol=1e-8)
    assert found.success
    run = solve_ivp(cart.rhs, (0.0, 0.5), found.sol(0.0), "DOP853", rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(run.y[:2, -1], [0.4, 0.2], atol=1e-6)


def test_inputs_of_time_everywhere(cart: Simulator) -> None:
    """A function of time gives each state the inputs of its time."""
    t, x = np.array([0.0, 0.1, 0.4, 0.7]), STATES
    forces = np.array([[push(time)["F"]] for time in t])
    np.testing.assert_array_equal(cart.rhs(t, x, push), cart.rhs(t, x, forces))
    np.testing.assert_array_equal(cart.rhs(0.4, x, push), cart.rhs(0.4, x, forces[2]))
    np.testing.assert_array_equal(cart.rhs(0.4, x[0], lambda t: [push(t)["F"]]), cart.rhs(0.4, x[0], forces[2]))
    for found, wanted in zip(cart.power(t, x, push).values(), cart.power(t, x, forces).values(), strict=True):
        np.testing.assert_array_equal(found, wanted)
    for found, wanted in zip(
        cart.step_jacobian(0.4, x[0], 1e-2, push), cart.step_jacobian(0.4, x[0], 1e-2, forces[2]), strict=True
    ):
        np.testing.assert_array_equal(found, wanted)


def test_prescribed_motion_of_time() -> None:
    """A prescribed motion enters state and constraints at the time that is asked; torn signals are refused."""
    sim = eomc.compile(eomc.load("bar_on_moving_pivot:1"), "hamilton").load()

    def shaken(t: float) -> dict[str, float]:
        return {"z": 0.1 * np.sin(t), "z_d": 0.1 * np.cos(t), "z_dd": -0.1 * np.sin(t)}

    np.testing.assert_array_equal(sim.state(t=0.3, inputs=shaken), sim.state(t=0.3, inputs=shaken(0.3)))
    with pytest.raises(UsageError, match=r"returned z without z_d, z_dd at t = 0\.3"):
        sim.rhs(0.3, sim.initial_state, lambda t: {"z": 1.0})
    with pytest.raises(UsageError, match=r"inputs\(t\) returned None at t = 0\.3"):
        sim.rhs(0.3, sim.initial_state, lambda t: None)
