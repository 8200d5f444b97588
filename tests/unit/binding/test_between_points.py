"""Trajectories between their points, and what belongs to them beside states and outputs."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest

import eomc
from eomc.binding import Simulator, Trajectory
from eomc.binding.interpolation import Hermite
from eomc.errors import UsageError

pytestmark = pytest.mark.needs_cc


@pytest.fixture
def driven(sim: Simulator) -> Trajectory:
    """Return a motion under a torque that varies."""
    return sim.simulate(1.0, 0.1, inputs=lambda t: {"tau": np.sin(3.0 * t)})


def test_cubic_between_the_points(sim: Simulator) -> None:
    """Halving the distance of the points divides the error in between by 16, and it is h^4/384 theta''''."""
    exact = sim.simulate(1.0, 1e-3)
    errors = []
    for every in (100, 50):
        coarse = sim.simulate(1.0, 1e-3, every=every)
        error = np.abs(coarse(exact.t) - exact.x).max(axis=0)
        errors.append(error)
    ratio = errors[0] / errors[1]
    assert np.all((ratio > 14.0) & (ratio < 18.0))
    theta, omega = exact.x.T  # theta'''' of theta'' = -g sin(theta)
    fourth = 9.81 * np.sin(theta) * (omega**2 + 9.81 * np.cos(theta))
    assert errors[1][0] == pytest.approx(np.abs(fourth).max() * 0.05**4 / 384, rel=0.1)


def test_shapes_and_points(driven: Trajectory) -> None:
    """At its points a trajectory has its states to the bit; one time gives one state."""
    np.testing.assert_array_equal(driven(driven.t), driven.x)
    np.testing.assert_array_equal(driven(driven.t[3]), driven.x[3])
    assert driven([]).shape == (0, 2)
    assert driven([0.05, 0.17]).shape == (2, 2)


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (-0.1, r"t = -0\.1 is outside of the run, 0 to 1"),
        ([0.5, 1.1], r"t = 1\.1 is outside"),
        (float("nan"), r"t = nan is outside"),
        ([[0.1]], r"one time or k of them, not times of shape \(1, 1\)"),
        ("soon", "times must be real numbers"),
    ],
)
def test_times_that_are_refused(driven: Trajectory, times: Any, message: str) -> None:
    """Nothing is known before the start and after the end."""
    with pytest.raises(UsageError, match=message):
        driven(times)


@pytest.fixture(scope="module")
def cart() -> Simulator:
    """Return a cart with a pole."""
    return eomc.compile(eomc.load("cart_pole"), integrator="rk4,dop853").load()


def shaken(t: float) -> dict[str, float]:
    """Return a force that varies."""
    return {"F": 3.0 * np.sin(20.0 * t)}


@pytest.mark.parametrize("rows", [{}, {"every": 7}, {"t_eval": [0.2, 0.5, 1.9]}], ids=["steps", "some", "asked"])
def test_dense_output_of_a_run_to_a_tolerance(cart: Simulator, rows: dict[str, Any]) -> None:
    """Whatever rows a run has, in between it is what the C's dense output says at these times."""
    run = cart.simulate(2.0, inputs=shaken, rtol=1e-8, **rows)
    times = np.linspace(run.t[0], run.t[-1], 301)
    asked = cart.simulate(2.0, inputs=shaken, rtol=1e-8, t_eval=times)
    np.testing.assert_allclose(run(times), asked.x, atol=1e-13)
    np.testing.assert_allclose(run(run.t), run.x, atol=0.0 if "t_eval" not in rows else 1e-13)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(run))(times), run(times))


def test_dense_output_of_a_series(cart: Simulator) -> None:
    """A Taylor step is a polynomial of its order, and long."""
    run = cart.simulate(2.0, rtol=1e-10, integrator="taylor")
    times = np.linspace(0.0, 2.0, 301)
    asked = cart.simulate(2.0, rtol=1e-10, integrator="taylor", t_eval=times)
    np.testing.assert_allclose(run(times), asked.x, atol=1e-13)


def test_a_run_that_cannot_be_taken_again(cart: Simulator) -> None:
    """A function of time that says something else the second time has nothing to tell in between."""
    count = iter(range(10**6))
    run = cart.simulate(1.0, inputs=lambda t: {"F": 1e-3 * next(count)}, rtol=1e-4)
    with pytest.raises(UsageError, match="has other values when it is asked again"):
        run(0.5)


def test_a_run_without_length(cart: Simulator) -> None:
    """It has one state."""
    run = cart.simulate(0.0, rtol=1e-8)
    np.testing.assert_array_equal(run([0.0, 0.0]), [run.x[0], run.x[0]])


class Known(NamedTuple):
    """Rates that are given."""

    slopes: tuple[np.ndarray, np.ndarray]  # after and before each point


def test_after_a_jump() -> None:
    """Two points at one time: the state is the one after it, also at the end; no slope goes across."""
    t = np.array([0.0, 1.0, 1.0, 2.0, 2.0])
    x = np.array([[0.0], [1.0], [5.0], [4.0], [9.0]])
    after, before = np.array([[1.0], [99.0], [-1.0], [99.0], [99.0]]), np.array([[99.0], [1.0], [99.0], [-1.0], [99.0]])
    between = Hermite(t, x, Known((after, before)))
    found = between(np.array([0.5, 1.0, np.nextafter(1.0, 0.0), 1.5, 2.0]))[:, 0]
    np.testing.assert_allclose(found, [0.5, 5.0, 1.0, 4.5, 9.0], atol=1e-12)


def test_inputs_that_jump(sim: Simulator) -> None:
    """Sampled inputs are held over their step: its end has the slope of its own input, not of the next."""
    torque = np.array([[4.0], [-4.0], [4.0], [-4.0], [0.0]])
    coarse = sim.simulate(0.08, 0.02, inputs=torque)
    fine = sim.simulate(0.08, 0.01, inputs=np.repeat(torque, 2, axis=0)[:-1])
    np.testing.assert_allclose(coarse(fine.t), fine.x, atol=1e-6)  # 1e-2 with the slopes of the next


def test_energies_and_inputs_are_columns(sim: Simulator, driven: Trajectory) -> None:
    """They are what the simulator says at these points."""
    energies = sim.energy(driven.t, driven.x, driven.inputs, driven.parameters)
    assert driven.energies.keys() == energies.keys() == {"kinetic", "potential", "total"}
    for name, values in energies.items():
        np.testing.assert_array_equal(driven[f"energy_{name}"], values)
    np.testing.assert_array_equal(driven["tau"], np.sin(3.0 * driven.t))
    with pytest.raises(UsageError, match=r"unknown column 'energy_totl'; did you mean energy_total"):
        driven["energy_totl"]


def test_a_pickle_needs_no_simulator(driven: Trajectory) -> None:
    """What a trajectory can tell goes with it: no model and no library."""
    data = pickle.dumps(driven)
    assert b"Evaluator" not in data
    assert b"sympy" not in data
    back = pickle.loads(data)
    np.testing.assert_array_equal(back([0.33, 0.91]), driven([0.33, 0.91]))
    np.testing.assert_array_equal(back["energy_total"], driven["energy_total"])


def test_without_a_simulator() -> None:
    """A trajectory that somebody put together has its points."""
    empty = np.empty((2, 0))
    own = Trajectory("own", "kane", np.arange(2.0), np.ones((2, 1)), empty, empty, np.empty(0), ())
    assert own.energies == {}
    with pytest.raises(UsageError, match="nothing is known between the points"):
        own(0.5)
