"""What numeric matrices tell: the unknown that one leaves undetermined, a row that says nothing new, definiteness.

Entries are numbers with the size of their terms, carried through the elimination: what is smaller than rounding beside
its own size is zero, in any units. Rows and columns are scaled only to choose pivots. A row holds its entries by
column; what is not there is zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from operator import mul
from typing import TypeAlias

from eomc.ir.elimination import Elimination
from eomc.ir.rounding import ROUNDING, Number, is_rounding

_SWEEPS = 4  # of the scaling

Row: TypeAlias = Mapping[int, Number]
_Row = dict[int, Number]
_NOTHING: Number = (0.0, 0.0)


def weakest_unknown(rows: Sequence[Row]) -> int | None:
    """Return the unknown that a singular matrix does not determine, None for a regular one.

    Gaussian elimination with complete pivoting; the unknown left without a pivot is the answer.
    """
    left = _eliminated(_scaled(rows))
    peaks = [_peak(row) for row in left.rows]
    for k in range(len(rows)):
        place = peaks.index(max(peaks[k:]), k)
        if not peaks[place] > 0.0:
            return min(set(range(len(rows))).difference(left.columns))
        peaks[place] = peaks[k]
        for i in left.pivot(place, _largest(left.rows[place])):
            peaks[i] = _peak(left.rows[i])
    return None


def is_definite_beyond_rounding(rows: Sequence[Row]) -> bool:
    """Whether a matrix is symmetric and positive definite, whatever rounding its entries hold.

    Units are scaled out: H = D^-1 A D^-1 with D^2 = diag A. Errors of the entries move its eigenvalues by no more than
    the largest sum of a row of them, those of a factorization by n + 1 roundings times n. Where H less all of this has
    positive pivots, nothing of its size makes H singular. Elimination carries errors on from pivot to pivot, and doubts
    the mass matrix of a long chain. (N. J. Higham, *Accuracy and Stability of Numerical Algorithms* (2002), theorems
    10.3 and 10.7.)
    """
    n = len(rows)
    roots = [math.sqrt(max(row.get(i, _NOTHING)[0], 0.0)) for i, row in enumerate(rows)]
    if not all(0.0 < root < math.inf for root in roots):
        return False
    scaled: list[dict[int, float]] = []
    doubt = 0.0
    for i, row in enumerate(rows):
        beside = {j: (value / roots[i] / roots[j], size / roots[i] / roots[j]) for j, (value, size) in row.items()}
        for j, (value, size) in row.items():
            mirrored, its_size = rows[j].get(i, _NOTHING)
            if not abs(value - mirrored) <= ROUNDING * (size + its_size):
                return False
        scaled.append({j: value for j, (value, _) in beside.items() if j <= i})
        doubt = max(doubt, 2.0 * ROUNDING * math.fsum(size for _, size in beside.values()))
    return _has_factor(scaled, doubt + n * (n + 1) * ROUNDING)


def _has_factor(lower: Sequence[Mapping[int, float]], shift: float) -> bool:
    """Whether a symmetric matrix with ones on its diagonal, by its lower triangle, has positive pivots less a shift."""
    factor: list[list[float]] = []
    for i, row in enumerate(lower):
        own: list[float] = []
        for j in range(i):
            known = factor[j]
            own.append((row.get(j, 0.0) - math.fsum(map(mul, own, known))) / known[j])
        pivot = 1.0 - shift - math.fsum(map(mul, own, own))
        if not pivot > 0.0:
            return False
        factor.append([*own, math.sqrt(pivot)])
    return True


def redundant_rows(rows: Sequence[Row], known: float = ROUNDING) -> list[int]:
    """Return the rows that are combinations of those before them.

    Parameters
    ----------
    rows
        The matrix.
    known
        The share of its size to which each entry is known.
    """
    left = _eliminated(_scaled(rows, known), known)
    for place, row in enumerate(left.rows):
        if row:  # all before it are zero, or have their pivots
            left.pivot(place, _largest(row))
    return sorted(left.order[i] for i in left.left)


def combination(rows: Sequence[Row], row: Row) -> list[Number] | None:
    """Return the factors that make `row` of `rows`, None where it is no combination of them.

    Rows that follow from others get the factor zero.
    """
    n = _width([*rows, row])
    made = [{**given, n + k: (1.0, 1.0)} for k, given in enumerate(_sparse(rows))]  # beside how it is made of `rows`
    left = _eliminated([*made, *_sparse([row])])

    def inside(one: _Row) -> _Row:
        return {j: x for j, x in one.items() if j < n}

    for place in range(len(rows)):
        entries = inside(left.rows[place])
        if entries:
            left.pivot(place, _largest(entries))
    rest = left.rows[-1]
    if inside(rest):
        return None
    return [(-rest[n + k][0], rest[n + k][1]) if n + k in rest else (0.0, 0.0) for k in range(len(rows))]


def has_positive_pivots(rows: Sequence[Row]) -> bool | None:
    """Whether no pivot of a symmetric matrix's L D L^T is negative; None where one is zero to rounding."""
    left = _eliminated([dict(row) for row in rows])
    for k in range(len(rows)):
        pivot = left.rows[k].get(k, (0.0, 0.0))
        if is_rounding(pivot):
            return None
        if pivot[0] < 0.0:
            return False
        left.pivot(k, k)
    return True


# -- elimination -----------------------------------------------------------------------------------------------------


def _eliminated(rows: list[_Row], known: float = ROUNDING) -> Elimination[_Row]:
    """Return the elimination of rows before its first pivot; what it leaves of rounding goes, too."""
    return Elimination(rows, partial(_subtract, known), sparse=True)


def _subtract(known: float, row: _Row, column: int, pivots: _Row) -> float:
    pivot, pivot_size = pivots[column]
    value, size = row.pop(column)
    factor = value / pivot
    spread = (size + abs(factor) * pivot_size) / abs(pivot)
    growth = abs(factor)
    for j, (x, s) in pivots.items():
        if j == column:
            continue
        have, own = row.get(j, _NOTHING)
        number = have - factor * x, own + growth * s + abs(x) * spread
        if is_rounding(number, known):
            row.pop(j, None)
        else:
            row[j] = number
    return factor


def _sparse(rows: Sequence[Row], known: float = ROUNDING) -> list[_Row]:
    return [{j: x for j, x in row.items() if not is_rounding(x, known)} for row in rows]


def _width(rows: Sequence[Row]) -> int:
    """Return the number of columns that hold anything, counted from the first."""
    return 1 + max((j for row in rows for j in row), default=-1)


def _peak(row: _Row) -> float:
    return max((abs(x) for x, _ in row.values()), default=0.0)


def _largest(row: _Row) -> int:
    return max(row, key=lambda j: (abs(row[j][0]), -j))


def _scaled(rows: Sequence[Row], known: float = ROUNDING) -> list[_Row]:
    """Return the rows without zeros, rows and columns times powers of two that bring the entries near one.

    The geometric means of rows and columns in turn: units cancel, and no digit changes.
    """
    sparse = _sparse(rows, known)
    by_rows = [[(j, math.log2(abs(x))) for j, (x, _) in row.items() if x] for row in sparse]
    by_columns: list[list[tuple[int, float]]] = [[] for _ in range(_width(rows))]
    for i, sizes in enumerate(by_rows):
        for j, size in sizes:
            by_columns[j].append((i, size))
    down, across = [0.0] * len(by_rows), [0.0] * len(by_columns)
    for _ in range(_SWEEPS):
        down = [_mean([size - across[j] for j, size in sizes]) for sizes in by_rows]
        across = [_mean([size - down[i] for i, size in sizes]) for sizes in by_columns]
    scaled = []
    for row, shift in zip(sparse, down, strict=True):
        powers = {j: -round(shift) - round(across[j]) for j in row}
        scaled.append({j: (math.ldexp(x, powers[j]), math.ldexp(s, powers[j])) for j, (x, s) in row.items()})
    return scaled


def _mean(sizes: Sequence[float]) -> float:
    return sum(sizes) / len(sizes) if sizes else 0.0
