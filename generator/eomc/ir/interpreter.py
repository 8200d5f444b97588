"""Evaluate a growing graph at one point, in plain Python floats.

The oracle for tests and the eye of the derivation, which looks at random points to see whether two velocities are the
same function or whether a matrix is singular. A failing operation (0/0, log of a negative number) yields NaN.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Container, Mapping, Sequence
from typing import Any

from eomc.ir.graph import Data, Graph, Node
from eomc.ir.ops import OPS
from eomc.ir.symbols import Named, Symbol
from eomc.ir.systems import Factorization, SystemSpec

__all__ = ["Sample", "independent_constraints", "solve_dense"]

_ROUNDING = 4 * sys.float_info.epsilon
_NAMED = {Named.PI: math.pi, Named.E: math.e, Named.EPSILON: sys.float_info.epsilon, Named.NAN: math.nan}


def value_of(constant: Data) -> float:
    """Return the value of a constant."""
    return _NAMED[constant] if isinstance(constant, Named) else float(constant)  # type: ignore[arg-type]


class Sample:
    """Values of the nodes of a graph at one point, each evaluated when it is first asked for; the graph may grow.

    Parameters
    ----------
    graph
        The graph; nodes may be added after construction.
    values
        Numbers for symbols.
    seed
        When given, a symbol without a value gets a random one in (0.2, 1.2), the same for the same seed; otherwise NaN.
    """

    def __init__(self, graph: Graph, values: Mapping[Symbol, float], seed: int | None = None) -> None:
        self._graph = graph
        self._symbols = dict(values)
        self._seed = seed
        self._values: dict[Node, Any] = {}  # a SOLVE node's value is its whole solution

    def __getitem__(self, node: Node) -> float:
        """Return the value of a node (a truth value for a boolean node)."""
        values = self._values
        known: float | None = values.get(node)
        if known is None:
            for below in self._below(node, values):
                values[below] = self._evaluate(below, values)
            known = values[node]
        return known

    def _below(self, node: Node, known: Container[Node]) -> list[Node]:
        """Return the nodes that `node` needs and that are not `known`, arguments before users."""
        args = self._graph.args
        missing = {node}
        stack = [node]
        while stack:
            for arg in args[stack.pop()]:
                if arg not in missing and arg not in known:
                    missing.add(arg)
                    stack.append(arg)
        return sorted(missing)  # a node is born after its arguments

    def vector(self, nodes: Sequence[Node]) -> list[float]:
        """Return the values of several nodes."""
        return [self[node] for node in nodes]

    def _evaluate(self, node: Node, values: Mapping[Node, Any]) -> Any:
        op, args = self._graph.ops[node], self._graph.args[node]
        data, rule = self._graph.data[node], OPS[op].evaluate
        try:
            if rule is None:
                return self._special(data, [values[a] for a in args])
            return rule(*[values[a] for a in args]) if data is None else rule(*[values[a] for a in args], data)
        except (ArithmeticError, ValueError):
            return math.nan

    def _special(self, data: Data, entries: list[float]) -> Any:
        """Return the value of a leaf or the solution of a linear system."""
        if isinstance(data, Symbol):
            value = self._symbols.get(data)
            return self.drawn(f"{data.role.value} {data.index}") if value is None else value
        if isinstance(data, SystemSpec):
            return self._solve(data, entries)
        return value_of(data)

    def drawn(self, what: str) -> float:
        """Return a random number for something without a value, whatever the order in which it is asked for."""
        if self._seed is None:
            return math.nan
        digest = hashlib.blake2b(f"{self._seed} {what}".encode(), digest_size=8).digest()
        return 0.2 + int.from_bytes(digest, "big") / 2.0**64

    @staticmethod
    def _solve(spec: SystemSpec, entries: list[float]) -> list[float]:
        n, columns = spec.n, spec.columns
        if spec.constraints:
            return solve_bordered(spec, entries)
        sizes = entries[spec.entries : spec.matrix_entries]
        right = [entries[spec.matrix_entries + i * columns :][:columns] for i in range(n)]
        if spec.factorization is Factorization.LDLT:
            solution = solve_definite(_symmetric(n, entries), right, sizes or None)
        else:
            matrix, beside = ([part[i * n : (i + 1) * n] for i in range(n)] for part in (entries, sizes))
            solution = solve_dense(matrix, right, beside if sizes else None)
        return [x for row in solution for x in row]


def solve_bordered(spec: SystemSpec, entries: Sequence[float]) -> list[float]:
    """Return [X; L] of a constrained system, redundant rows of J put aside; L is of least norm."""
    n, m, columns = spec.n, spec.constraints, spec.columns
    inner = _symmetric(n, entries)
    given, sizes, jacobian = _scaled_rows(spec, entries)
    right = entries[spec.matrix_entries :]
    sides = [[x / s for x in right[i * columns : (i + 1) * columns]] for i, s in enumerate([*[1.0] * n, *sizes])]
    kept = _independent(jacobian)
    bordered = [row + [jacobian[k][i] for k in kept] for i, row in enumerate(inner)]
    bordered += [jacobian[k] + [0.0] * len(kept) for k in kept]
    beside = [[0.0] * len(bordered) for _ in bordered]
    for i, size in enumerate(entries[spec.matrix_entries - n : spec.matrix_entries] if spec.sized else []):
        beside[i][i] = size
    solution = solve_dense(bordered, [*sides[:n], *(sides[n + k] for k in kept)], beside)
    multipliers = [[0.0] * columns for _ in range(m)]
    for k, row in zip(kept, solution[n:], strict=True):
        multipliers[k] = [x / sizes[k] for x in row]
    if len(kept) < m:
        multipliers = _within_reach(given, len(kept), multipliers)
    return [x for row in (*solution[:n], *multipliers) for x in row]


def independent_constraints(spec: SystemSpec, entries: Sequence[float]) -> list[int]:
    """Return as many constraints of a system as are independent; none where it has none."""
    return _independent(_scaled_rows(spec, entries)[2])


def _scaled_rows(
    spec: SystemSpec, entries: Sequence[float]
) -> tuple[list[Sequence[float]], list[float], list[list[float]]]:
    """Return the rows of J, their largest entries, and the rows divided by these."""
    n = spec.n
    start = n * (n + 1) // 2
    given = [entries[start + k * n : start + (k + 1) * n] for k in range(spec.constraints)]
    sizes = [max(map(abs, row)) or 1.0 for row in given]
    return given, sizes, [[x / size for x in row] for row, size in zip(given, sizes, strict=True)]


def _within_reach(rows: Sequence[Sequence[float]], rank: int, values: list[list[float]]) -> list[list[float]]:
    """Return the part of `values`, by rows, that lies in the space of a matrix's columns.

    For multipliers this is the solution of least norm: what stands across the columns of J does no work.
    """
    left = [list(column) for column in zip(*rows, strict=True)]
    basis: list[list[float]] = []
    for _ in range(rank):  # Gram and Schmidt, the longest column first
        longest = max(left, key=lambda v: math.fsum(x * x for x in v))
        length = math.hypot(*longest)
        basis.append([x / length for x in longest])
        left = [_without(column, basis) for column in left]
    found = [[0.0] * len(row) for row in values]
    for c, column in enumerate(zip(*values, strict=True)):
        outside = _without(column, basis)
        for row, value, rest in zip(found, column, outside, strict=True):
            row[c] = value - rest
    return found


def _without(vector: Sequence[float], basis: Sequence[Sequence[float]]) -> list[float]:
    """Return a vector less its parts along orthonormal ones; twice, for the first time leaves rounding."""
    rest = list(vector)
    for direction in (*basis, *basis):
        along = math.fsum(x * y for x, y in zip(rest, direction, strict=True))
        rest = [x - along * y for x, y in zip(rest, direction, strict=True)]
    return rest


def _independent(rows: Sequence[Sequence[float]]) -> list[int]:
    """Return as many rows as are independent, by Gaussian elimination with complete pivoting."""
    left = {index: list(row) for index, row in enumerate(rows)}
    kept: list[int] = []
    least = 0.0
    while left:
        pivot = max(left, key=lambda index: max(map(abs, left[index])))
        row = left.pop(pivot)
        column = max(range(len(row)), key=lambda j: abs(row[j]))
        if not abs(row[column]) > least:
            break
        least = least or 1e-11 * abs(row[column])
        kept.append(pivot)
        for other in left.values():
            factor = other[column] / row[column]
            other[:] = [0.0 if j == column else a - factor * b for j, (a, b) in enumerate(zip(other, row, strict=True))]
    return sorted(kept)


def _symmetric(n: int, lower: Sequence[float]) -> list[list[float]]:
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
        if not row[k] > _ROUNDING * grown[k]:
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
        if not best > _ROUNDING * size:
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
