"""Elimination in floats of the standard library: its digits are the same on every machine.

Rows are taken from rows in one place, whoever chooses the pivots: by size, by preference or along the diagonal. Sums
are exact before they are rounded, so that neither their order nor the version of Python decides a digit.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from operator import mul
from typing import Any, Generic, TypeAlias, TypeVar

ROUNDING = 4 * sys.float_info.epsilon
"""What is no larger in proportion to the size of its terms is rounding."""

_NEGLIGIBLE = 1e-7  # a pivot beside the largest of its row: a worse choice than giving way elsewhere

Rows: TypeAlias = Sequence[Sequence[float]]
_Row = TypeVar("_Row", bound=Collection[Any])


class Elimination(Generic[_Row]):
    """Rows on their way to echelon form: those with pivots come first, in the order in which these were chosen.

    Parameters
    ----------
    rows
        The matrix; the rows change.
    subtract
        What takes a multiple of one row from another, so that nothing is left in a column, and returns the factor.
    sparse
        Whether rows hold their entries by column: those without an entry in a column are passed over.

    Attributes
    ----------
    order
        The number of each row as given.
    columns
        Those of the pivots.
    factors
        Of each row, by the pivots before it, to the last that is not zero.
    """

    def __init__(self, rows: list[_Row], subtract: Callable[[_Row, int, _Row], float], *, sparse: bool = False) -> None:
        self.rows = rows
        self.order = list(range(len(rows)))
        self.columns: list[int] = []
        self.factors: list[list[float]] = [[] for _ in rows]
        self._subtract = subtract
        self._sparse = sparse

    @property
    def left(self) -> range:
        """The places of the rows without a pivot."""
        return range(len(self.columns), len(self.rows))

    def pivot(self, place: int, column: int) -> list[int]:
        """Take an entry of a row without a pivot as the next pivot: nothing is left of its column below it.

        Returns the places of the rows that change.
        """
        k = len(self.columns)
        parts: tuple[list[Any], ...] = (self.rows, self.order, self.factors)
        for part in parts:
            part[k], part[place] = part[place], part[k]
        self.columns.append(column)
        changed = [i for i in self.left if not self._sparse or column in self.rows[i]]
        for i in changed:
            factors = self.factors[i]
            factors += [0.0] * (k - len(factors))
            factors.append(self._subtract(self.rows[i], column, self.rows[k]))
        return changed


def eliminated(rows: Iterable[Iterable[float]]) -> Elimination[list[float]]:
    """Return the elimination of rows of floats before its first pivot."""
    return Elimination([list(row) for row in rows], _subtract)


def _subtract(row: list[float], column: int, pivots: list[float]) -> float:
    factor = row[column] / pivots[column]
    if factor:
        row[:] = [a - factor * b for a, b in zip(row, pivots, strict=True)]
        row[column] = 0.0
    return factor


def largest_left(left: Elimination[list[float]], columns: Sequence[int], margin: float = 1.0) -> tuple[float, int, int]:
    """Return the size and the place of the largest entry without a pivot in some columns.

    Of those that are not larger than others by more than the factor `margin`, the first.
    """
    sizes = [(abs(left.rows[i][j]), i, j) for i in left.left for j in columns]
    largest = max(size for size, _, _ in sizes)
    return next(entry for entry in sizes if not entry[0] * margin < largest)


def pivots_by_preference(matrix: Rows, tiers: Sequence[Sequence[int]]) -> list[int]:
    """Return independent columns of a matrix, found by complete pivoting tier by tier."""
    peaks = [max(map(abs, row), default=0.0) for row in matrix]
    left = eliminated([x / peak for x in row] for row, peak in zip(matrix, peaks, strict=True) if peak > 0.0)
    for tier in tiers:
        while left.left and (open_ := [j for j in tier if j not in left.columns]):
            size, i, column = largest_left(left, open_)
            if not size > _NEGLIGIBLE:
                break
            left.pivot(i, column)
    return left.columns


def solve(matrix: Rows, right: Rows, sizes: Rows | None = None, definite: bool = False) -> list[list[float]]:
    """Return X with matrix X = right; NaN where a pivot is no more than rounding.

    Pivots are told from rounding as the emitted kernels tell them: four epsilons of the sizes of their terms, those
    that were subtracted among them, with the errors of the divisors.

    Parameters
    ----------
    matrix, right
        By rows.
    sizes
        Of the terms of the entries, each at least its magnitude; zero where nothing cancels.
    definite
        Whether the pivots stand on the diagonal, all positive; else they are the largest in proportion to their rows.
    """
    n = len(matrix)
    beside = [list(map(abs, row)) for row in matrix]
    if sizes:
        beside = [list(map(max, row, own)) for row, own in zip(beside, sizes, strict=True)]
    peaks = [max(row, default=0.0) or 1.0 for row in beside]
    left = eliminated([*row, *more] for row, more in zip(matrix, right, strict=True))
    growth: list[float] = []  # of a pivot's terms alone, beside the pivot
    for k in range(n):
        i = k if definite else max(left.left, key=lambda i: abs(left.rows[i][k]) / peaks[left.order[i]])
        pivot, own = left.rows[i][k], beside[left.order[i]][k]
        taken = [abs(factor * left.rows[j][k]) for j, factor in enumerate(left.factors[i])]
        size = math.fsum([own, *map(mul, taken, growth)])
        if not (pivot if definite else abs(pivot)) > ROUNDING * size:
            return [[math.nan] * len(row) for row in right]
        growth.append(math.fsum([own, *taken]) / abs(pivot))
        left.pivot(i, k)
    return _substituted(left.rows)


def _substituted(rows: list[list[float]]) -> list[list[float]]:
    """Return X from an upper triangular matrix and the right sides behind it."""
    n = len(rows)
    for k in reversed(range(n)):
        rows[k] = [a / rows[k][k] for a in rows[k]]
        for i in range(k):
            factor = rows[i][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


def symmetric(n: int, lower: Sequence[float]) -> list[list[float]]:
    """Return a symmetric matrix from its lower triangle by rows."""
    return [[lower[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for j in range(n)] for i in range(n)]


def diagonal(values: Sequence[float], n: int) -> list[list[float]]:
    """Return a matrix of n rows with values at the beginning of its diagonal."""
    matrix = [[0.0] * n for _ in range(n)]
    for i, value in enumerate(values):
        matrix[i][i] = value
    return matrix


def least_squares(matrix: Rows, right: Sequence[float]) -> list[float]:
    """Return x that makes |A x - b| least, for independent columns, by Householder's reflections."""
    if not matrix or not matrix[0]:
        return []
    columns = [list(column) for column in zip(*matrix, strict=True)]
    b = list(right)
    pivots = []
    for k, column in enumerate(columns):
        peak = max(map(abs, column[k:]))
        scaled = [x / peak for x in column[k:]]
        norm = peak * math.sqrt(math.fsum(x * x for x in scaled))
        alpha = -math.copysign(norm, column[k])
        mirror = [column[k] - alpha, *column[k + 1 :]]
        pivots.append(alpha)
        half = -alpha * mirror[0]  # |mirror|^2 / 2
        for other in (*columns[k + 1 :], b):
            factor = math.fsum(x * y for x, y in zip(mirror, other[k:], strict=True)) / half
            other[k:] = [y - factor * x for x, y in zip(mirror, other[k:], strict=True)]
    x = [0.0] * len(columns)
    for k in reversed(range(len(columns))):
        rest = math.fsum([b[k], *(-columns[j][k] * x[j] for j in range(k + 1, len(columns)))])
        x[k] = rest / pivots[k]
    return x
