"""The kernels of constrained systems against NumPy's least squares and pseudo-inverse."""

from __future__ import annotations

import numpy as np
import pytest

from eomc.ir.systems import Factorization

pytestmark = pytest.mark.needs_cc

FORMS = [Factorization.ELIMINATED, Factorization.AUGMENTED, Factorization.RANGE_SPACE, Factorization.NULL_SPACE]


def wanted(mass, jacobian, right):
    """X by the null space of J from its singular values, L of least norm by the pseudo-inverse of J^T."""
    n, m = len(mass), len(jacobian)
    force, rate = right[:n], right[n:]
    if m == 0:
        return np.linalg.solve(mass, force)
    _, sizes, turned = np.linalg.svd(jacobian)
    rank = int(np.sum(sizes > 1e-9 * sizes[0]))
    basis = turned[rank:].T
    particular = np.linalg.pinv(jacobian, rcond=1e-9) @ rate
    x = particular
    if rank < n:
        x = x + basis @ np.linalg.solve(basis.T @ mass @ basis, basis.T @ (force - mass @ particular))
    return np.vstack([x, np.linalg.pinv(jacobian.T, rcond=1e-9) @ (force - mass @ x)])


def drawn(n, m, columns, rank, seed):
    """Return a random M, J of some rank and consistent right sides."""
    random = np.random.default_rng(seed)
    root = random.normal(size=(n, n))
    mass = root @ root.T + 0.1 * np.eye(n)
    jacobian = random.normal(size=(m, rank)) @ random.normal(size=(rank, n))
    right = np.vstack([random.normal(size=(n, columns)), jacobian @ random.normal(size=(n, columns))])
    return mass, jacobian, right


def flat(mass, jacobian, right):
    lower = [mass[i, j] for i in range(len(mass)) for j in range(i + 1)]
    return [*lower, *jacobian.ravel(), *right.ravel()]


def solve(loaded, mass, jacobian, right):
    status, values = loaded.call("outputs", 0.0, flat(mass, jacobian, right))
    return status, np.array(values).reshape(-1, right.shape[1])


SHAPES = [
    (1, 1, 1, 1),
    (2, 1, 1, 1),
    (3, 2, 2, 2),
    (4, 2, 1, 1),
    (5, 3, 2, 2),
    (6, 4, 1, 3),
    (4, 5, 2, 3),
    (3, 3, 1, 3),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("n", "m", "columns", "rank"), [*SHAPES, (12, 6, 3, 6), (9, 7, 1, 4)])
def test_solution_is_that_of_numpy(form, n, m, columns, rank, emit, constrained):
    """Regular and redundant constraints, as many as unknowns and more; several right sides."""
    loaded = emit(constrained(n, m, columns, form)).load()
    loaded.prepare()
    for seed in range(20):
        problem = drawn(n, m, columns, rank, seed)
        status, values = solve(loaded, *problem)
        assert status == 0
        expected = wanted(*problem)
        assert np.max(np.abs(values - expected)) <= 1e-9 * (1.0 + np.max(np.abs(expected)))


@pytest.mark.parametrize("form", FORMS)
def test_float(form, emit, constrained):
    """The same in single precision, to its rounding."""
    loaded = emit(constrained(5, 3, 1, form)).load("float")
    loaded.prepare()
    for rank in (2, 3):
        problem = drawn(5, 3, 1, rank, 7)
        status, values = solve(loaded, *problem)
        assert status == 0
        expected = wanted(*problem)
        assert np.max(np.abs(values - expected)) <= 2e-3 * (1.0 + np.max(np.abs(expected)))


@pytest.mark.parametrize("form", FORMS)
def test_rows_of_other_units_are_no_redundant_rows(form, emit, constrained):
    """A row in micrometres beside one in kilometres counts as much; its multiplier takes the factor back."""
    loaded = emit(constrained(4, 2, 1, form)).load()
    loaded.prepare()
    mass, jacobian, right = drawn(4, 2, 1, 2, 3)
    units = np.array([[1e-6], [1e9]])
    _, values = solve(loaded, mass, jacobian, right)
    status, scaled = solve(loaded, mass, units * jacobian, np.vstack([right[:4], units * right[4:]]))
    assert status == 0
    np.testing.assert_allclose(scaled[:4], values[:4], rtol=1e-10)
    np.testing.assert_allclose(units * scaled[4:], values[4:], rtol=1e-10)


@pytest.mark.parametrize("form", FORMS)
def test_no_choice_of_dependent_unknowns_is_singular(form, emit, constrained):
    """J = [cos a, sin a] for angles through those at which either unknown alone would be a bad choice."""
    loaded = emit(constrained(2, 1, 1, form)).load()
    loaded.prepare()
    mass = np.array([[2.0, 0.3], [0.3, 1.0]])
    for angle in [0.0, 1e-13, 1e-9, 1e-5, 0.7, np.pi / 2 - 1e-9, np.pi / 2]:
        problem = mass, np.array([[np.cos(angle), np.sin(angle)]]), np.array([[1.0], [-2.0], [0.5]])
        status, values = solve(loaded, *problem)
        assert status == 0
        np.testing.assert_allclose(values, wanted(*problem), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("form", FORMS)
def test_unknown_without_inertia(form, emit, constrained):
    """What has no inertia is solved where constraints hold it (not by the range space), and named where they do not."""
    folder = emit(constrained(3, 1, 1, form))
    loaded = folder.load()
    loaded.prepare()
    mass = np.diag([2.0, 0.0, 1.0])
    right = np.array([[1.0], [0.5], [-1.0], [0.2]])
    status, values = solve(loaded, mass, np.array([[0.3, 1.0, -0.5]]), right)
    if form is Factorization.RANGE_SPACE:
        assert status == 1
    else:
        assert status == 0
        np.testing.assert_allclose(values, wanted(mass, np.array([[0.3, 1.0, -0.5]]), right), rtol=1e-12)
    status, values = solve(loaded, mass, np.array([[0.3, 0.0, -0.5]]), right)
    assert status == 1
    assert np.all(values == -77.0)
    assert folder.result.schedule.check_labels[loaded.failed()] == "x1"
