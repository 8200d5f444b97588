"""Systems under constraints in plain floats: the units of unknowns, rows and energies change no verdict."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from eomc.ir.bordered import independent_constraints, solve_bordered
from eomc.ir.systems import Factorization, SystemSpec

FACTORS = (2.0**33, 2.0**-33)
MASS = np.array([[2.0, 0.3, 0.0], [0.3, 1.0, -0.2], [0.0, -0.2, 3.0]])
ROWS = np.array([[1.0, 1.0, 0.5], [1.0, 1.0, 0.7]])


def spec(m: int, n: int = 3, sized: bool = False) -> SystemSpec:
    return SystemSpec(Factorization.ELIMINATED, n, 1, ("",) * (n + m), m, sized=sized)


def lower(matrix: np.ndarray) -> list[float]:
    return [matrix[i, j] for i in range(len(matrix)) for j in range(i + 1)]


@pytest.mark.parametrize("third", [0.0, 3.0])
def test_units_change_no_verdict(third: float) -> None:
    """Rows that differ in one unknown alone are independent, and a sum of them is none, in all units; M_33 = 0, too."""
    mass = MASS.copy()
    mass[2, 2], mass[1, 2], mass[2, 1] = third, third and -0.2, third and -0.2
    rows = np.vstack([ROWS, 0.5 * ROWS[0] - ROWS[1]])
    x, multipliers = np.array([0.4, -1.0, 0.7]), np.array([0.3, -0.5, 0.0])
    system = np.concatenate([mass @ x + rows.T @ multipliers, rows @ x])
    assert len(independent_constraints(spec(3), [*lower(mass), *rows.ravel(), *system])) == 2
    for place, factor in itertools.product(range(7), FACTORS):
        units = np.ones(7)
        units[place] = factor  # of an unknown, a row, or energy
        unknown, row, energy = units[:3], units[3:6], units[6]
        scaled = [
            *lower(energy * mass / np.outer(unknown, unknown)),
            *(row[:, None] * rows / unknown).ravel(),
            *energy * system[:3] / unknown,
            *row * system[3:],
        ]
        assert len(independent_constraints(spec(3), scaled)) == 2
        found = np.array(solve_bordered(spec(3), scaled))
        np.testing.assert_allclose(found[:3] / unknown, x, rtol=1e-13)


def test_row_is_rounding_beside_its_terms_alone() -> None:
    """1e-17 is a row of its own, or what is left of terms of size 1; by this the parameters or the state tell it."""
    rows = np.array([[1.0, 0.5, 0.0], [1e-17, -3e-17, 2e-17]])
    right = np.zeros(5)
    own = [*lower(MASS), *rows.ravel(), *right]
    assert independent_constraints(spec(2), own) == [0, 1]
    for size in (1.0, -1.0):
        sizes = [1.0, 0.5, 0.0, size, size, size, *np.diag(MASS), 0.0, 0.0]
        assert independent_constraints(spec(2, sized=True), [*lower(MASS), *rows.ravel(), *sizes, *right]) == [0]


def test_columns_are_weighed_by_what_the_parameters_tell() -> None:
    """An unknown with next to no mass hides no constraint of the others."""
    rows = np.array([[1.0, 1.0], [1.0, -1.0]])
    for mass in (1.0, 1e-20):
        entries = [1.0, 0.0, mass, *rows.ravel(), *np.ones(4), 1.0, mass, 0.0, 0.0, *np.zeros(4)]
        assert independent_constraints(spec(2, 2, sized=True), entries) == [0, 1]


def test_size_at_one_state_weighs_no_column() -> None:
    """Beside x = 0 a rod in Cartesian coordinates is held along y, not along what is left of x."""
    right = np.array([0.0, 0.0, -1.0])
    for x in (0.0, 1e-17, 1e-9):
        found = solve_bordered(spec(1, 2), [1.0, 0.0, 1.0, x, 1.0, *right])
        np.testing.assert_allclose(found, [-x, -1.0, 1.0], rtol=1e-15, atol=1e-16)


@pytest.mark.parametrize("seed", range(10))
def test_multipliers_of_redundant_rows_have_the_least_norm(seed: int) -> None:
    """They are pinv(J^T) (f - M x), in which no unit of an unknown has a part; rows that follow do not share less."""
    random = np.random.default_rng(seed)
    rank = int(random.integers(1, 3))
    rows = random.normal(size=(3, rank)) @ random.normal(size=(rank, 3))
    x, multipliers = random.normal(size=3), random.normal(size=3)
    force = MASS @ x + rows.T @ multipliers
    expected = np.linalg.pinv(rows.T, rcond=1e-9) @ (force - MASS @ x)
    for unit in (1.0, 2.0**20, 2.0**-20):
        units = np.array([1.0, unit, 1.0])
        scaled = [*lower(MASS / np.outer(units, units)), *(rows / units).ravel(), *force / units, *rows @ x]
        found = np.array(solve_bordered(spec(3), scaled))
        np.testing.assert_allclose(found[:3] / units, x, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(found[3:], expected, rtol=1e-10, atol=1e-10)
