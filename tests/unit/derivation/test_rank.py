"""What numeric matrices tell, against NumPy."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.derivation.rank import (
    combination,
    has_positive_pivots,
    is_definite_beyond_rounding,
    redundant_rows,
    weakest_unknown,
)
from eomc.ir.rounding import ROUNDING, Number


def sized(matrix: Any) -> list[dict[int, Number]]:
    """Return rows of numbers that are exact but for their own rounding, without zeros."""
    return [{j: (float(x), abs(float(x))) for j, x in enumerate(row) if x} for row in matrix]


@given(st.integers(1, 5), st.integers(0, 3), st.integers(0, 10**6))
def test_the_first_row_that_is_a_combination_of_those_before(rows: int, extra: int, seed: int) -> None:
    """A combination put in at a random place is found; without one there is none; scaling a row changes nothing."""
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(-1, 1, (rows, rows + extra))
    scales = 10.0 ** rng.integers(-6, 7, rows + 1)
    assert redundant_rows(sized(scales[:rows, None] * matrix)) == []
    place = int(rng.integers(1, rows + 1))
    combination = rng.uniform(0.5, 1.5, place) @ matrix[:place]
    more = np.insert(matrix, place, combination, axis=0)
    assert redundant_rows(sized(scales[:, None] * more)) == [place]


@given(st.integers(1, 5), st.integers(1, 3), st.integers(0, 10**6))
def test_a_combination_of_numbers_that_are_known_to_some_digits(rows: int, extra: int, seed: int) -> None:
    """Off by one in 10^11 it is a combination of entries known to one in 10^9, in any units, and none of exact ones."""
    rng = np.random.default_rng(seed)
    given_rows = np.eye(rows, rows + extra) + rng.uniform(0.1, 0.2, (rows, rows + extra))
    off = 1e-11 * np.linalg.svd(given_rows)[2][-1]  # along none of them
    matrix = np.vstack([given_rows, rng.uniform(0.5, 1.5, rows) @ given_rows + off])
    left, right = 2.0 ** rng.integers(-40, 41, rows + 1), 2.0 ** rng.integers(-40, 41, rows + extra)
    units = sized(left[:, None] * matrix * right)
    assert redundant_rows(units, 1e-9) == [rows]
    assert redundant_rows(units) == []
    assert redundant_rows(sized(left[:-1, None] * matrix[:-1] * right), 1e-9) == []


@given(st.integers(1, 5), st.integers(0, 10**6))
def test_pivots_are_positive_for_positive_definite_matrices_alone(n: int, seed: int) -> None:
    """Sylvester: the signs of the pivots are those of the eigenvalues."""
    half = np.random.default_rng(seed).uniform(-1, 1, (n, n))
    matrix = half + half.T
    lowest = float(np.linalg.eigvalsh(matrix)[0])
    assert has_positive_pivots(sized(matrix)) == (lowest > 0)
    assert has_positive_pivots(sized(matrix + (0.1 - lowest) * np.eye(n)))


def test_no_number_is_no_evidence() -> None:
    """A NaN pivot does not make a matrix indefinite; one that is zero, or rounding, says nothing."""
    assert has_positive_pivots(sized([[math.nan]]))
    assert has_positive_pivots(sized([[0.0, 1.0], [1.0, 0.0]])) is None
    assert has_positive_pivots(sized([[1.0, 3.0], [3.0, 9.0]])) is None


@given(st.integers(2, 7), st.integers(0, 10**6))
def test_an_unknown_is_left_over_where_the_rank_says_so(n: int, seed: int) -> None:
    """Of sparse matrices, too; the one that is named is moved by the null space."""
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(0.5, 1.5, (n, n)) * (rng.uniform(size=(n, n)) < 0.4)
    sizes = np.linalg.svd(matrix)[1]
    if 0.0 < sizes[-1] < 1e-6 * sizes[0] and sizes[-1] > 1e-15 * sizes[0]:
        return  # neither regular nor singular to rounding
    weakest = weakest_unknown(sized(matrix))
    if np.linalg.matrix_rank(matrix) == n:
        assert weakest is None
    else:
        assert weakest is not None
        space = np.linalg.svd(matrix)[2][np.linalg.matrix_rank(matrix) :]
        assert np.linalg.norm(space[:, weakest]) > 1e-6


def test_the_unknown_that_is_left_over() -> None:
    """x + y = 0 twice leaves one of the two, z = 0 is determined."""
    assert weakest_unknown(sized([[1, 1, 0], [2, 2, 0], [0, 0, 5]])) in (0, 1)
    assert weakest_unknown(sized([[1, 1], [1, -1]])) is None


@given(st.integers(1, 6), st.integers(0, 10**6))
def test_units_of_rows_and_columns_change_no_rank(n: int, seed: int) -> None:
    """Rows and columns over sixty decades: the unknown that is left over stays the same, and regular stays regular."""
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(0.5, 1.5, (n, n)) * (rng.uniform(size=(n, n)) < 0.6)
    left, right = 2.0 ** rng.integers(-100, 101, (2, n))
    regular = np.linalg.matrix_rank(matrix) == n
    assert (weakest_unknown(sized(left[:, None] * matrix * right)) is None) == regular


@given(st.integers(1, 4), st.integers(0, 3), st.integers(0, 10**6))
def test_a_combination_has_its_factors(rows: int, extra: int, seed: int) -> None:
    """The factors of a combination in any units are found, and a row of its own has none."""
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(-1, 1, (rows, rows + extra + 1)) * 2.0 ** rng.integers(-40, 41, rows + extra + 1)
    wanted = rng.uniform(0.5, 1.5, rows)
    factors = combination(sized(matrix), sized([wanted @ matrix])[0])
    assert factors is not None
    np.testing.assert_allclose([factor for factor, _ in factors], wanted, rtol=1e-6)
    assert (
        combination(sized(matrix), sized([wanted @ matrix + np.eye(1, rows + extra + 1)[0] * matrix[0, 0]])[0]) is None
    )


def chain(n: int, terms: float) -> list[dict[int, Number]]:
    """Return M of n unit bars with masses at their ends, by relative angles; sizes are `terms` times those of a sum."""
    angles = np.cumsum(np.random.default_rng(0).uniform(-4, 4, n))
    at = np.arange(n)
    absolute = (n - np.maximum.outer(at, at)) * np.cos(np.subtract.outer(angles, angles))
    turned = np.tril(np.ones((n, n)))
    matrix, sizes = turned.T @ absolute @ turned, turned.T @ np.abs(absolute) @ turned
    matrix = (matrix + matrix.T) / 2
    return [{j: (float(matrix[i, j]), terms * float(sizes[i, j])) for j in range(n)} for i in range(n)]


@pytest.mark.parametrize(("n", "terms"), [(30, 1.0), (60, 1e6)])
def test_long_chains_are_definite_beyond_rounding(n: int, terms: float) -> None:
    """Elimination doubts the longer one; mpmath does not, whatever the errors of their entries are."""
    rows = chain(n, terms)
    assert is_definite_beyond_rounding(rows)
    assert (weakest_unknown(rows) is None) == (n == 30)
    with mpmath.workdps(40):
        roots = [mpmath.sqrt(row[i][0]) for i, row in enumerate(rows)]
        scaled, sizes = (
            mpmath.matrix([[rows[i][j][part] / (roots[i] * roots[j]) for j in range(n)] for i in range(n)])
            for part in (0, 1)
        )
        mpmath.cholesky(scaled - ROUNDING * mpmath.mnorm(sizes, 1) * mpmath.eye(n))  # raises where a pivot is none


@given(st.integers(1, 6), st.integers(0, 3), st.integers(0, 10**6))
def test_definite_beyond_rounding(n: int, missing: int, seed: int) -> None:
    """Products of enough vectors are, in any units; those of fewer, without symmetry or with large errors are not."""
    rng = np.random.default_rng(seed)
    units = 2.0 ** rng.integers(-40, 41, n)
    half = rng.uniform(-1, 1, (n, max(0, n - missing)))
    plain = half @ half.T
    roots = np.sqrt(np.diag(plain))
    if missing == 0 and np.min(np.linalg.eigvalsh(plain / np.outer(roots, roots))) < 1e-9:
        return  # close to rounding
    matrix = plain * np.outer(units, units)
    assert is_definite_beyond_rounding(sized(matrix)) == (missing == 0)
    if missing == 0:
        lost = [{j: (x, 1e15 * size) for j, (x, size) in row.items()} for row in sized(matrix)]
        assert not is_definite_beyond_rounding(lost)
        if n > 1:
            matrix[0, 1] *= -1
            assert not is_definite_beyond_rounding(sized(matrix))


def test_what_is_no_number_is_not_definite() -> None:
    """Nor is what is zero, negative, or indefinite."""
    for matrix in ([[math.nan]], [[math.inf]], [[0.0]], [[-1.0]], [[1.0, 2.0], [2.0, 1.0]]):
        assert not is_definite_beyond_rounding(sized(matrix))
