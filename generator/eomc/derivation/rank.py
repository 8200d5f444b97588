"""What numeric matrices tell: the unknown that one leaves undetermined, a row that says nothing new, definiteness.

Entries are numbers with the size of their terms, carried through the elimination: what is smaller than rounding beside
its own size is zero, in any units. Rows and columns are scaled only to choose pivots. A row holds its entries by
column; what is not there is zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from eomc.ir.rounding import ROUNDING, Number, is_rounding

__all__ = ["Row", "combination", "has_positive_pivots", "redundant_rows", "weakest_unknown"]

_SWEEPS = 4  # of the scaling

Row: TypeAlias = Mapping[int, Number]
_Row = dict[int, Number]


def weakest_unknown(rows: Sequence[Row]) -> int | None:
    """Return the unknown that a singular matrix does not determine, None for a regular one.

    Gaussian elimination with complete pivoting; the unknown left without a pivot is the answer.
    """
    left = _scaled(rows)
    unknowns = list(range(len(rows)))
    peaks = [_peak(row) for row in left]
    while left:
        largest = peaks.index(max(peaks))
        pivots, peak = left.pop(largest), peaks.pop(largest)
        if not peak > 0.0:
            return unknowns[0]
        column = min(j for j, (x, _) in pivots.items() if abs(x) == peak)
        unknowns.remove(column)
        for i, row in enumerate(left):
            if column in row:
                _eliminate(row, column, pivots)
                peaks[i] = _peak(row)
    return None


def redundant_rows(rows: Sequence[Row], known: float = ROUNDING) -> list[int]:
    """Return the rows that are combinations of those before them.

    Parameters
    ----------
    rows
        The matrix.
    known
        The share of its size to which each entry is known.
    """
    done: list[tuple[int, _Row]] = []
    found = []
    for index, row in enumerate(_scaled(rows, known)):
        for column, other in done:
            if column in row:
                _eliminate(row, column, other, known)
        if row:
            done.append((_largest(row), row))
        else:
            found.append(index)
    return found


def combination(rows: Sequence[Row], row: Row) -> list[Number] | None:
    """Return the factors that make `row` of `rows`, None where it is no combination of them.

    Rows that follow from others get the factor zero.
    """
    n = _width([*rows, row])
    done: list[tuple[int, _Row]] = []
    for k, given in enumerate(_sparse(rows)):
        reduced = {**given, n + k: (1.0, 1.0)}  # beside how it is made of `rows`
        for column, other in done:
            if column in reduced:
                _eliminate(reduced, column, other)
        inside = {j: x for j, x in reduced.items() if j < n}
        if inside:
            done.append((_largest(inside), reduced))
    (left,) = _sparse([row])
    for column, other in done:
        if column in left:
            _eliminate(left, column, other)
    if any(j < n for j in left):
        return None
    return [(-left[n + k][0], left[n + k][1]) if n + k in left else (0.0, 0.0) for k in range(len(rows))]


def has_positive_pivots(rows: Sequence[Row]) -> bool | None:
    """Whether no pivot of a symmetric matrix's L D L^T is negative; None where one is zero to rounding."""
    left = [dict(row) for row in rows]
    for k, pivots in enumerate(left):
        value, size = pivots.get(k, (0.0, 0.0))
        if is_rounding((value, size)):
            return None
        if value < 0.0:
            return False
        for row in left[k + 1 :]:
            if k in row:
                _eliminate(row, k, pivots)
    return True


# -- elimination -----------------------------------------------------------------------------------------------------


def _eliminate(row: _Row, column: int, pivots: _Row, known: float = ROUNDING) -> None:
    """Take a multiple of `pivots` from a row, so that nothing is left in a column; what is rounding goes, too."""
    pivot, pivot_size = pivots[column]
    value, size = row.pop(column)
    factor = value / pivot
    spread = (size + abs(factor) * pivot_size) / abs(pivot)
    for j, (x, s) in pivots.items():
        if j == column:
            continue
        have, own = row.get(j, (0.0, 0.0))
        number = (have - factor * x, own + abs(factor) * s + abs(x) * spread)
        if is_rounding(number, known):
            row.pop(j, None)
        else:
            row[j] = number


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
    shifts = ([0.0] * len(sparse), [0.0] * _width(rows))
    places = [((i, j), math.log2(abs(x))) for i, row in enumerate(sparse) for j, (x, _) in row.items() if x]
    for sweep in range(2 * _SWEEPS):
        side = sweep % 2
        own, other = shifts[side], shifts[1 - side]
        sums, counts = [0.0] * len(own), [0] * len(own)
        for place, size in places:
            sums[place[side]] += size - other[place[1 - side]]
            counts[place[side]] += 1
        own[:] = [total / count if count else 0.0 for total, count in zip(sums, counts, strict=True)]
    scaled = []
    for row, shift in zip(sparse, shifts[0], strict=True):
        powers = {j: -round(shift) - round(shifts[1][j]) for j in row}
        scaled.append({j: (math.ldexp(x, powers[j]), math.ldexp(s, powers[j])) for j, (x, s) in row.items()})
    return scaled
