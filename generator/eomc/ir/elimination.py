"""Linear systems in plain Python floats; pivots are told from rounding as the emitted kernels tell them."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

__all__ = ["ROUNDING", "solve_definite", "solve_dense", "symmetric"]

ROUNDING = 4 * sys.float_info.epsilon
"""What is no larger in proportion to the size of its terms is rounding."""


def symmetric(n: int, lower: Sequence[float]) -> list[list[float]]:
    """Return a symmetric matrix from its lower triangle by rows."""
    return [[lower[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for j in range(n)] for i in range(n)]


def solve_definite(
    matrix: Sequence[Sequence[float]], right: Sequence[Sequence[float]], sizes: Sequence[float] | None = None
) -> list[list[float]]:
    """Return X with matrix X = right for a positive definite matrix; NaN where a pivot is not positive.

    It has to be so by more than rounding: four epsilons of the sizes of its terms. `sizes` are those of the diagonal.
    """
    n = len(matrix)
    rows = [list(a) + list(b) for a, b in zip(matrix, right, strict=True)]
    plain = [matrix[k][k] for k in range(n)] if sizes is None else list(sizes)  # the terms alone
    grown = list(plain)  # a divisor's error counts, too
    for k, row in enumerate(rows):
        if not row[k] > ROUNDING * grown[k]:
            return [[math.nan] * len(right[0]) for _ in range(n)]
        for i in range(k + 1, n):
            factor = rows[i][k] / row[k]
            if factor:
                plain[i] += factor * rows[i][k]
                grown[i] += factor * rows[i][k] * (plain[k] / row[k])
                rows[i] = [a - factor * b for a, b in zip(rows[i], row, strict=True)]
    return _substituted(rows)


def solve_dense(
    matrix: Sequence[Sequence[float]],
    right: Sequence[Sequence[float]],
    sizes: Sequence[Sequence[float]] | None = None,
) -> list[list[float]]:
    """Return X with matrix X = right by Gaussian elimination with row pivoting; NaN where the matrix is singular.

    The pivot is the largest element in proportion to its row, and is more than rounding: four epsilons of the sizes of
    its terms. `sizes` are those of the elements, each at least its magnitude.
    """
    n = len(matrix)
    rows = [list(a) + list(b) for a, b in zip(matrix, right, strict=True)]
    beside = [
        [max(abs(a), size) for a, size in zip(row, own, strict=True)]
        for row, own in zip(matrix, sizes or [[0.0] * n] * n, strict=True)
    ]
    order = list(range(n))
    factors: list[list[float]] = [[] for _ in range(n)]  # by rows as numbered at first
    growth: list[float] = []  # of a pivot's terms alone, beside the pivot
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]) / (max(beside[order[i]]) or 1.0))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        order[k], order[pivot] = order[pivot], order[k]
        taken = [abs(f * rows[j][k]) for j, f in enumerate(factors[order[k]])]
        plain, best = sum(taken) + beside[order[k]][k], abs(rows[k][k])
        size = sum(term * g for term, g in zip(taken, growth, strict=True)) + beside[order[k]][k]
        if not best > ROUNDING * size:
            return [[math.nan] * len(right[0]) for _ in range(n)]
        growth.append(plain / best)
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            factors[order[i]].append(factor)
            if factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return _substituted(rows)


def _substituted(rows: list[list[float]]) -> list[list[float]]:
    """Return X from an upper triangular matrix and the right sides behind it."""
    n = len(rows)
    for k in reversed(range(n)):
        rows[k] = [a / rows[k][k] for a in rows[k]]
        for i in range(k):
            factor = rows[i][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]
