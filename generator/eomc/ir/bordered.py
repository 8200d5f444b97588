"""Systems under constraints, [M J^T; J 0] [X; L] = [F; C], in plain Python floats: the rules of the emitted kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul

from eomc.ir.elimination import (
    ROUNDING,
    Elimination,
    Rows,
    diagonal,
    eliminated,
    largest_left,
    least_squares,
    solve,
    symmetric,
)
from eomc.ir.systems import SystemSpec

_RANK_TOLERANCE = 1e-8


def solve_bordered(spec: SystemSpec, entries: Sequence[float]) -> list[float]:
    """Return [X; L] of a constrained system, redundant rows of J put aside; L is of least norm."""
    n, m, columns = spec.n, spec.constraints, spec.columns
    inner = symmetric(n, entries)
    jacobian, scales, weights = _balanced_rows(spec, entries)
    right = entries[spec.matrix_entries :]
    sides = [[x / s for x in right[i * columns : (i + 1) * columns]] for i, s in enumerate([*[1.0] * n, *scales])]
    kept, independent = _independent(jacobian, weights)
    bordered = [row + [jacobian[k][i] for k in kept] for i, row in enumerate(inner)]
    bordered += [jacobian[k] + [0.0] * len(kept) for k in kept]
    beside = diagonal(_diagonal(spec, entries) if spec.sized else (), len(bordered))
    solution = solve(bordered, [*sides[:n], *(sides[n + k] for k in kept)], beside)
    multipliers = [[0.0] * columns for _ in range(m)]
    for k, row in zip(kept, solution[n:], strict=True):
        multipliers[k] = [x / scales[k] for x in row]
    if len(kept) < m:
        given = [[x * scale for x in row] for row, scale in zip(jacobian, scales, strict=True)]
        multipliers = _within_reach(given, independent, weights, multipliers)
    return [x for row in (*solution[:n], *multipliers) for x in row]


def independent_constraints(spec: SystemSpec, entries: Sequence[float]) -> list[int]:
    """Return as many constraints of a system as are independent; none where it has none."""
    jacobian, _, weights = _balanced_rows(spec, entries)
    return _independent(jacobian, weights)[0]


def find_pivots(spec: SystemSpec, entries: Sequence[float]) -> list[tuple[int, int]]:
    """Return the rows of J that are independent, each with its unknown, in the order of complete pivoting.

    An entry is preferred to earlier ones where it is larger by more than the rounding of functions: machines agree.
    """
    jacobian, _, weights = _balanced_rows(spec, entries)
    left = _pivoted(jacobian, weights, 1.0 + 2.0**-20)
    return list(zip(left.order, left.columns, strict=False))


def _rows(spec: SystemSpec, entries: Sequence[float], start: int) -> list[Sequence[float]]:
    """Return what stands by rows as J does, from a place on."""
    return [entries[start + k * spec.n : start + (k + 1) * spec.n] for k in range(spec.constraints)]


def _diagonal(spec: SystemSpec, entries: Sequence[float]) -> Sequence[float]:
    """Return the sizes of the diagonal of M, or the diagonal itself."""
    if not spec.sized:
        return [entries[i * (i + 3) // 2] for i in range(spec.n)]
    start = spec.entries + spec.constraints * spec.n
    return entries[start : start + spec.n]


def _balanced_rows(
    spec: SystemSpec, entries: Sequence[float]
) -> tuple[list[list[float]], list[float], Sequence[float]]:
    """Return the rows of J divided by their sizes, these sizes, and the weights by which the columns are compared.

    As in the kernels: unknowns are measured in the metric of M, one without inertia by the rows that it shares with
    others, and a column of which the parameters tell a size by its largest one. What is rounding is left out.
    """
    given = _rows(spec, entries, spec.entries - spec.constraints * spec.n)
    told = _rows(spec, entries, spec.entries) if spec.sized else [[0.0] * spec.n] * spec.constraints
    sizes = [
        [size if size > 0.0 else max(-size, abs(x)) for x, size in zip(*pair, strict=True)]
        for pair in zip(given, told, strict=True)
    ]
    weights = _measures(sizes, _diagonal(spec, entries))
    scales = _largest_in_rows(sizes, weights)
    for j in range(spec.n):
        if any(row[j] > 0.0 for row in told):
            weights[j] = 1.0 / _largest_in_column(sizes, scales, j)
    scales = [scale or 1.0 for scale in scales]
    jacobian = [
        [x / scale if abs(x) > ROUNDING * size else 0.0 for x, size in zip(row, beside, strict=True)]
        for row, beside, scale in zip(given, sizes, scales, strict=True)
    ]
    return jacobian, scales, weights


def _measures(sizes: Rows, diagonal: Sequence[float]) -> list[float]:
    """Return the weights that bring the unknowns to one unit."""
    weights = [1.0 / math.sqrt(x) if x > 0.0 else 0.0 for x in diagonal]
    while waiting := [j for j, weight in enumerate(weights) if not weight > 0.0]:
        scales = _largest_in_rows(sizes, weights)
        for j in waiting:
            weights[j] = 1.0 / (_largest_in_column(sizes, scales, j) or math.inf)
        if not any(weights[j] > 0.0 for j in waiting):
            weights[waiting[0]] = 1.0
    return weights


def _largest_in_rows(sizes: Rows, weights: Sequence[float]) -> list[float]:
    return [max(map(mul, row, weights), default=0.0) for row in sizes]


def _largest_in_column(sizes: Rows, scales: Sequence[float], j: int) -> float:
    return max((row[j] / scale for row, scale in zip(sizes, scales, strict=True) if scale), default=0.0)


def _within_reach(rows: Rows, columns: Sequence[int], weights: Sequence[float], values: Rows) -> list[list[float]]:
    """Return the part of `values`, by rows, that lies in the space of independent columns of a matrix.

    For multipliers this is the solution of least norm: what stands across the columns of J does no work.
    """
    basis = [[row[j] * weights[j] for j in columns] for row in rows]
    within = []
    for column in zip(*values, strict=True):
        parts = least_squares(basis, column)
        within.append([math.fsum(map(mul, row, parts)) for row in basis])
    return [list(row) for row in zip(*within, strict=True)]


def _independent(rows: Rows, weights: Sequence[float]) -> tuple[list[int], list[int]]:
    """Return as many rows as are independent, and as many columns, by complete pivoting in weighted columns."""
    left = _pivoted(rows, weights)
    return sorted(left.order[: len(left.columns)]), left.columns


def _pivoted(rows: Rows, weights: Sequence[float], margin: float = 1.0) -> Elimination[list[float]]:
    """Return rows of weighted columns, eliminated as far as they are independent."""
    left = eliminated(map(mul, row, weights) for row in rows)
    least = ROUNDING
    while left.left:
        size, i, column = largest_left(left, range(len(weights)), margin)
        if not size > least:
            break
        if not left.columns:
            least = max(least, _RANK_TOLERANCE * size)
        left.pivot(i, column)
    return left
