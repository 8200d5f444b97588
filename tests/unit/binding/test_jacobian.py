"""sim.jacobian: two arrays in one call, batches, builds that have it, that get it and that refuse it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from eomc.binding import Simulator, load
from eomc.errors import SingularSystemError, UsageError


def expected(theta: float) -> np.ndarray:
    """Return df/dx of theta'' = tau/(m l^2) - g/l sin(theta)."""
    return np.array([[0.0, 1.0], [-9.81 * np.cos(theta), 0.0]])


def test_one_state(sim: Simulator) -> None:
    """A is nx by nx, B nx by nr; inputs and parameters reach the C."""
    A, B = sim.jacobian(0.0, [0.3, 0.1], inputs={"tau": 2.0}, parameters={"m": 4.0})
    np.testing.assert_allclose(A, expected(0.3), rtol=1e-15)
    np.testing.assert_allclose(B, [[0.0], [0.25]], rtol=1e-15)


def test_many_states(sim: Simulator) -> None:
    """K states give (k, nx, nx) and (k, nx, nr), each row on its own."""
    states = np.array([[0.0, 1.0], [0.5, 2.0], [1.0, 3.0]])
    A, B = sim.jacobian(0.0, states)
    assert A.shape == (3, 2, 2)
    assert B.shape == (3, 2, 1)
    for state, a in zip(states, A, strict=True):
        np.testing.assert_allclose(a, expected(state[0]), rtol=1e-15)
    np.testing.assert_allclose(B[:, 1, 0], 0.5, rtol=1e-15)


def test_singular_states(sim: Simulator) -> None:
    """One state raises and names the pivot; among many its matrices are NaN and the others are not."""
    with pytest.raises(SingularSystemError, match="omega"):
        sim.jacobian(0.0, [100.0, 0.0])
    with pytest.warns(RuntimeWarning, match="1 of 2 rows"):
        A, B = sim.jacobian(0.0, [[0.0, 0.0], [100.0, 0.0]])
    assert np.isfinite(A[0]).all()
    assert np.isfinite(B[0]).all()
    assert np.isnan(A[1]).all()
    assert np.isnan(B[1]).all()


def test_float(pendulum: Callable[..., Any]) -> None:
    """The float build returns float64 of single accuracy."""
    A, B = load(pendulum("float")).jacobian(0.0, [0.3, 0.1])
    assert A.dtype == B.dtype == np.float64
    np.testing.assert_allclose(A, expected(0.3), rtol=1e-6)


def test_made_on_first_use(pendulum: Callable[..., Any]) -> None:
    """A build with the usual functions is asked once for the Jacobians."""
    build = pendulum()
    sim = load(build)
    assert "jacobian" not in sim.functions
    for theta in (0.1, 0.2):
        np.testing.assert_allclose(sim.jacobian(0.0, [theta, 0.0])[0], expected(theta), rtol=1e-15)
    assert build.asked == ["jacobian"]


def test_chosen_functions_are_kept_to(pendulum: Callable[..., Any]) -> None:
    """Who chose functions without the Jacobians is told what to write, and gets no other build."""
    build = replace(pendulum(), functions=("energy",))
    with pytest.raises(UsageError, match=r"without 'jacobian': write eomc\.compile\(model, functions=\['energy', 'jac"):
        load(build).jacobian(0.0, [0.0, 0.0])
    assert build.asked == []


def test_absent_for_the_model(sim: Simulator) -> None:
    """A function that the model does not have is not blamed on the choice."""
    with pytest.raises(UsageError, match="has no function 'momenta'; it has rhs"):
        sim.momenta(0.0, [0.0, 0.0])
