"""Elimination in floats of the standard library: its digits are the same on every machine.

Sums are exact before they are rounded, so that neither their order nor the version of Python decides a digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["least_squares", "pivots_by_preference"]

_NEGLIGIBLE = 1e-7  # a pivot beside the largest of its row: a worse choice than giving way elsewhere


def pivots_by_preference(matrix: Sequence[Sequence[float]], tiers: Sequence[Sequence[int]]) -> list[int]:
    """Return independent columns of a matrix, found by complete pivoting tier by tier."""
    rows = []
    for row in matrix:
        peak = max(map(abs, row), default=0.0)
        if peak > 0.0:
            rows.append([float(x / peak) for x in row])
    chosen: list[int] = []
    for tier in tiers:
        left = [j for j in tier if j not in chosen]
        while left and len(chosen) < len(rows):
            top = len(chosen)
            size, i, column = max((abs(rows[i][j]), -i, -j) for i in range(top, len(rows)) for j in left)
            i, column = -i, -column
            if not size > _NEGLIGIBLE:
                break
            left.remove(column)
            rows[top], rows[i] = rows[i], rows[top]
            pivots = rows[top]
            for row in rows[top + 1 :]:
                factor = row[column] / pivots[column]
                if factor:
                    row[:] = [a - factor * b for a, b in zip(row, pivots, strict=True)]
            chosen.append(column)
    return chosen


def least_squares(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return x that makes |A x - b| least, for independent columns, by Householder's reflections."""
    if not matrix or not matrix[0]:
        return []
    columns = [list(column) for column in zip(*matrix, strict=True)]
    b = list(right)
    diagonal = []
    for k, column in enumerate(columns):
        peak = max(map(abs, column[k:]))
        norm = peak * math.sqrt(math.fsum((x / peak) ** 2 for x in column[k:]))
        alpha = -math.copysign(norm, column[k])
        mirror = [column[k] - alpha, *column[k + 1 :]]
        diagonal.append(alpha)
        half = -alpha * mirror[0]  # |mirror|^2 / 2
        for other in (*columns[k + 1 :], b):
            factor = math.fsum(x * y for x, y in zip(mirror, other[k:], strict=True)) / half
            other[k:] = [y - factor * x for x, y in zip(mirror, other[k:], strict=True)]
    x = [0.0] * len(columns)
    for k in reversed(range(len(columns))):
        rest = math.fsum([b[k], *(-columns[j][k] * x[j] for j in range(k + 1, len(columns)))])
        x[k] = rest / diagonal[k]
    return x
