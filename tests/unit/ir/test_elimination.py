"""Elimination in plain floats, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from eomc.ir.elimination import eliminated, least_squares, pivots_by_preference, solve


@pytest.mark.parametrize("n", [1, 4, 7])
def test_factors_and_rows_make_the_matrix(n: int) -> None:
    """Each row is the sum of the rows with pivots before it, times its factors, and of what is left of it."""
    random = np.random.default_rng(n)
    matrix = random.normal(size=(n, n + 2))
    left = eliminated(matrix.tolist())
    for column in random.permutation(n + 2)[:n].tolist():
        left.pivot(int(random.choice(list(left.left))), column)
    rows, columns = np.array(left.rows), left.columns
    factors = np.eye(n)
    for i, row in enumerate(left.factors):
        factors[i, : len(row)] = row
    np.testing.assert_allclose(factors @ rows, matrix[left.order], rtol=1e-9, atol=1e-9)
    assert not any(rows[i, columns[k]] for i in range(n) for k in range(i))  # zeros, not rounding


@pytest.mark.parametrize("n", range(1, 7))
def test_solutions_agree_with_numpy(n: int) -> None:
    """Elimination with row pivoting; a singular matrix gives NaN."""
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(n, n)), rng.normal(size=(n, 2))
    a[0, 0] = 0.0 if n > 1 else a[0, 0]
    assert np.array(solve(a.tolist(), b.tolist())) == pytest.approx(np.linalg.solve(a, b), rel=1e-9, abs=1e-9)
    assert np.isnan(solve(np.zeros((n, n)).tolist(), b.tolist())).all()


@pytest.mark.parametrize("n", [1, 3, 8])
def test_units_make_no_matrix_singular(n: int) -> None:
    """Rows and columns in units from 2^-40 to 2^40 are solved as in one unit; what is singular stays so in all."""
    random = np.random.default_rng(n)
    root = random.normal(size=(n, n))
    for _ in range(20):
        rows, columns = 2.0 ** random.integers(-40, 40, size=(2, n))
        general, definite = root * rows[:, None] * columns, (root @ root.T) * rows[:, None] * rows
        found = np.array(solve(general.tolist(), rows[:, None].tolist()))[:, 0]
        assert found * columns == pytest.approx(np.linalg.solve(root, np.ones(n)), rel=1e-9)
        found = np.array(solve(definite.tolist(), rows[:, None].tolist(), definite=True))[:, 0]
        assert found * rows == pytest.approx(np.linalg.solve(root @ root.T, np.ones(n)), rel=1e-9)
        if n > 1:
            general[-1] = general[0] * (rows[-1] / rows[0]) * (1 + 2.0**-52)
            definite[-1], definite[:, -1] = definite[0] * (rows[-1] / rows[0]), definite[:, 0] * (rows[-1] / rows[0])
            definite[-1, -1] = definite[0, 0] * (rows[-1] / rows[0]) ** 2
            assert np.isnan(solve(general.tolist(), rows[:, None].tolist())).all()
            assert np.isnan(solve(definite.tolist(), rows[:, None].tolist(), definite=True)).all()


@pytest.mark.parametrize("seed", range(20))
def test_least_squares_agree_with_numpy(seed: int) -> None:
    """x makes |A x - b| least, whether or not the rows contradict each other."""
    random = np.random.default_rng(seed)
    rows, columns = sorted(random.integers(1, 7, 2).tolist(), reverse=True)
    matrix, right = random.normal(size=(rows, columns)), random.normal(size=rows)
    expected = np.linalg.lstsq(matrix, right, rcond=None)[0]
    assert least_squares(matrix.tolist(), right.tolist()) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_preferred_columns_come_first(seed: int) -> None:
    """Pivots are as many as the rank says, of the first tiers as many as these have rank by themselves."""
    random = np.random.default_rng(seed)
    rows, rank, columns = 5, int(random.integers(1, 5)), 7
    matrix = random.normal(size=(rows, rank)) @ random.normal(size=(rank, columns))
    matrix[:, 2] = 3.0 * matrix[:, 5]
    order = random.permutation(columns).tolist()
    tiers = [order[:2], order[2:5], order[5:]]
    chosen = pivots_by_preference((matrix * 10.0 ** random.integers(-6, 7, (rows, 1))).tolist(), tiers)
    assert len(chosen) == np.linalg.matrix_rank(matrix[:, chosen]) == np.linalg.matrix_rank(matrix)
    for last in range(1, 4):
        preferred = [j for tier in tiers[:last] for j in tier]
        assert len(set(chosen) & set(preferred)) == np.linalg.matrix_rank(matrix[:, preferred])
