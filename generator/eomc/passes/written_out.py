"""A small system under constraints as straight lines, for a given order of its pivots.

Dependent unknowns X_D = A X_I + B by l U of J_D, then [1; A]^T M [1; A] X_I = [1; A]^T (F - M [0; B]) by L D L^T. What
is asked, all of it without units:

- a pivot of J_D is a good part of the sizes of its terms;
- A and B meet their equations to a few roundings of the terms, component by component (W. Oettli, W. Prager, Numerische
  Mathematik 6, 1964), which tells whether the order kept its factors small;
- A is moderate in the metric of M: a_di^2 M_dd is no more than a multiple of M_ii;
- a pivot of the reduced matrix is a good part of the sizes that it is made of. M is positive semidefinite, so that
  M_II + a_di^2 M_dd bound its mixed terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from eomc.ir.graph import Constant, Graph, Node, Rows
from eomc.ir.operations import OperationCounts
from eomc.ir.ops import Op
from eomc.ir.symbols import Named, Role, Symbol
from eomc.ir.systems import SystemSpec
from eomc.passes.count import count_operations

PIVOT = 256  # times a pivot of J covers the sizes of its terms
ROUNDINGS = 64  # epsilons by which A and B may miss their equations
GROWTH = 256  # of a_di^2, in the metric of M
REDUCED = 1024  # times a pivot of the reduced matrix covers the sizes that it is made of


@dataclass(frozen=True, slots=True)
class FixedOrder:
    """The solution of a system on a graph of its own, whose symbols are the kernel's arrays a and b."""

    graph: Graph
    pivots: tuple[tuple[int, int], ...]  # row of J, unknown that it gives
    names: Mapping[Node, str]  # of the symbols
    conditions: tuple[tuple[Node, ...], ...]  # asked together, before what is born later
    solution: tuple[Node, ...]  # X, or L
    first: int  # element of b at which the solution begins
    live: tuple[Node, ...]  # what is evaluated where all conditions hold, in order of birth
    counts: OperationCounts  # what that takes


class _Factors(NamedTuple):
    """J_D = l U, and one over U's diagonal."""

    lower: Rows
    upper: Rows
    inverse: list[Node]


class Elimination:
    """Writes a system out, one step after the other; conditions are asked before what they guard is born."""

    def __init__(self, spec: SystemSpec, numbers: Sequence[Constant | None], pivots: Sequence[tuple[int, int]]) -> None:
        n, m, columns = spec.n, spec.constraints, spec.columns
        self._spec = spec
        self._graph = graph = Graph()
        self._names: dict[Node, str] = {}
        self._pivots = tuple(pivots)
        self._free = [j for j in range(n) if j not in [column for _, column in pivots]]
        self._conditions: list[tuple[Node, ...]] = []
        a = [self._leaf(Role.STATE, "a", k, number) for k, number in enumerate(numbers)]
        b = [self._leaf(Role.INPUT, "b", k) for k in range(spec.rows * columns)]
        self._mass = [[a[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for j in range(n)] for i in range(n)]
        first = n * (n + 1) // 2
        self._jacobian = [a[first + i * n :][:n] for i in range(m)]
        told = [a[spec.entries + i * n :][:n] for i in range(m)]
        self._sizes = [
            [self._abs(x if graph.is_zero(size) else size) for x, size in zip(*pair, strict=True)]
            for pair in zip(self._jacobian, told, strict=True)
        ]
        self._diagonal = a[spec.entries + m * n :][:n]  # sizes of that of M
        self._forces = [b[i * columns :][:columns] for i in range(n)]
        self._rates = [b[(n + i) * columns :][:columns] for i in range(m)]

    def unknowns(self) -> FixedOrder:
        """Return X, written out."""
        graph, free = self._graph, self._free
        factors = self._factored()
        a, b = self._dependent_unknowns(factors)
        shares = self._ask_growth(a)
        found = self._reduced(a, b, shares)
        x: Rows = [[] for _ in self._mass]
        for i, row in zip(free, found, strict=True):
            x[i] = row
        for (_, d), slopes, own in zip(self._pivots, a, b, strict=True):
            x[d] = [
                graph.add(graph.sum(map(graph.mul, slopes, column)), term)
                for column, term in zip(_columns(found, len(own)), own, strict=True)
            ]
        return self._finished(x, 0)

    def multipliers(self) -> FixedOrder:
        """Return L, written out: X stands where F was, and F_D behind all else."""
        spec = self._spec
        behind = iter(range(spec.right_entries, spec.right_entries + spec.constraints * spec.columns))
        forces = [[self._leaf(Role.INPUT, "b", next(behind)) for _ in range(spec.columns)] for _ in self._pivots]
        return self._finished(self._multipliers(self._factored(), self._forces, forces), spec.n * spec.columns)

    def _finished(self, solution: Rows, first: int) -> FixedOrder:
        entries = tuple(entry for row in solution for entry in row)
        conditions = () if first else tuple(self._conditions)
        live = tuple(self._graph.reachable([*(one for group in conditions for one in group), *entries]))
        counts = count_operations(self._graph, live, lambda spec: OperationCounts())
        return FixedOrder(self._graph, self._pivots, self._names, conditions, entries, first, live, counts)

    def _leaf(self, role: Role, array: str, index: int, number: Constant | None = None) -> Node:
        """Return an element of an array, or the number that it always is."""
        if number is not None:
            return self._graph.constant(number)
        node = self._graph.symbol(Symbol(role, index, array))
        self._names[node] = f"{array}[{index}]"
        return node

    def _abs(self, x: Node) -> Node:
        return self._graph.unary(Op.ABS, x)

    def _ask(self, op: Op, pairs: Iterable[tuple[Node, Node]]) -> None:
        """Ask whether pairs compare so, those that leave it open."""
        asked = []
        for pair in pairs:
            small, large = map(self._graph.number, pair)
            if small is None or large is None or not small < large:
                asked.append(self._graph.binary(op, *pair))
        if asked:
            self._conditions.append(tuple(asked))

    def _times(self, factor: int, x: Node) -> Node:
        return self._graph.mul(self._graph.constant(factor), x)

    def _less(self, x: Node, products: Iterable[tuple[Node, Node]]) -> Node:
        """Return a number less some products."""
        return reduce(self._graph.sub, (self._graph.mul(*pair) for pair in products), x)

    def _factored(self) -> _Factors:
        """Return J_D = l U in the order of the pivots; each pivot is asked before it divides."""
        graph, m = self._graph, len(self._pivots)
        upper = [[self._jacobian[row][d] for _, d in self._pivots] for row, _ in self._pivots]
        sizes = [[self._sizes[row][d] for _, d in self._pivots] for row, _ in self._pivots]
        lower = [[graph.zero] * m for _ in range(m)]
        inverse = []
        for k in range(m):
            self._ask(Op.LT, [(sizes[k][k], self._times(PIVOT, self._abs(upper[k][k])))])
            inverse.append(graph.div(graph.one, upper[k][k]))
            for i in range(k + 1, m):
                lower[i][k] = graph.mul(upper[i][k], inverse[k])
                for j in range(k + 1, m):
                    term = graph.mul(lower[i][k], upper[k][j])
                    upper[i][j] = graph.sub(upper[i][j], term)
                    sizes[i][j] = graph.add(sizes[i][j], self._abs(term))
        return _Factors(lower, upper, inverse)

    def _dependent_unknowns(self, factors: _Factors) -> tuple[Rows, Rows]:
        """Return A and B of X_D = A X_I + B, and ask how well they meet J X = C."""
        graph, m, free = self._graph, len(self._pivots), self._free
        given = [[*(graph.neg(self._jacobian[row][i]) for i in free), *self._rates[row]] for row, _ in self._pivots]
        lower, upper, inverse = factors
        solved = [list(row) for row in given]
        for column in range(len(solved[0])):
            for i in range(m):
                solved[i][column] = self._less(solved[i][column], ((lower[i][k], solved[k][column]) for k in range(i)))
            for i in reversed(range(m)):
                rest = self._less(solved[i][column], ((upper[i][k], solved[k][column]) for k in range(i + 1, m)))
                solved[i][column] = graph.mul(rest, inverse[i])
        if m > 1:
            self._ask(
                Op.LE,
                (
                    self._missed(row, given[k], solved, c)
                    for k, (row, _) in enumerate(self._pivots)
                    for c in range(len(given[k]))
                ),
            )
        return [row[: len(free)] for row in solved], [row[len(free) :] for row in solved]

    def _missed(self, row: int, given: Sequence[Node], solved: Rows, column: int) -> tuple[Node, Node]:
        """Return what an equation of J_D misses its right side by, and what it may."""
        graph = self._graph
        terms = [graph.mul(self._jacobian[row][d], solved[k][column]) for k, (_, d) in enumerate(self._pivots)]
        size = graph.sum(map(self._abs, [given[column], *terms]))
        missed = self._abs(graph.sub(graph.sum(terms), given[column]))
        return missed, graph.mul(self._times(ROUNDINGS, graph.constant(Named.EPSILON)), size)

    def _ask_growth(self, a: Rows) -> Rows:
        """Ask whether A is moderate; return a_di^2 M_dd of each free unknown."""
        graph = self._graph
        shares = [
            [graph.mul(self._diagonal[d], graph.powi(row[i], 2)) for (_, d), row in zip(self._pivots, a, strict=True)]
            for i in range(len(self._free))
        ]
        self._ask(
            Op.LE,
            (
                (share, self._times(GROWTH, self._diagonal[i]))
                for i, row in zip(self._free, shares, strict=True)
                for share in row
                if not graph.is_zero(share)
            ),
        )
        return shares

    def _reduced(self, a: Rows, b: Rows, shares: Rows) -> Rows:
        """Return X_I of [1; A]^T M [1; A] X_I = [1; A]^T (F - M [0; B])."""
        graph, mass, free, columns = self._graph, self._mass, self._free, len(self._forces[0])
        dependent = [d for _, d in self._pivots]

        def product(left: Iterable[Node], right: Iterable[Node]) -> Node:
            return graph.sum(map(graph.mul, left, right))

        slopes = _columns(a, len(free))  # by free unknown
        onto = [
            [graph.add(mass[d][i], product(map(mass[d].__getitem__, dependent), slope)) for d in dependent]
            for i, slope in zip(free, slopes, strict=True)
        ]  # M_DI + M_DD A, by free unknown
        matrix = [
            [
                graph.add(
                    graph.add(mass[i][j], product((mass[i][d] for d in dependent), slopes[q])), product(slope, onto[q])
                )
                for q, j in enumerate(free[: p + 1])
            ]
            for p, (i, slope) in enumerate(zip(free, slopes, strict=True))
        ]
        own = _columns(b, columns)
        left = [
            [
                self._less(self._forces[i][c], ((mass[i][d], x) for d, x in zip(dependent, own[c], strict=True)))
                for c in range(columns)
            ]
            for i in range(len(mass))
        ]  # F - M [0; B]
        sides = [
            [graph.add(left[i][c], product(slope, (left[d][c] for d in dependent))) for c in range(columns)]
            for i, slope in zip(free, slopes, strict=True)
        ]
        sizes = [graph.sum([self._diagonal[i], *row]) for i, row in zip(free, shares, strict=True)]
        return self._definite(matrix, sides, sizes)

    def _definite(self, matrix: Rows, sides: Rows, sizes: Sequence[Node]) -> Rows:
        """Return the solution by L D L^T of a lower triangle; each pivot is asked before it divides."""
        graph, n = self._graph, len(matrix)
        lower, inverse = [list(row) for row in matrix], list[Node]()
        x = [list(row) for row in sides]
        for i in range(n):
            for j in range(i):  # L D first
                lower[i][j] = self._less(lower[i][j], ((lower[i][k], lower[j][k]) for k in range(j)))
            scaled = [graph.mul(lower[i][j], inverse[j]) for j in range(i)]
            pivot = self._less(lower[i][i], zip(lower[i][:i], scaled, strict=True))
            lower[i][:i] = scaled
            self._ask(Op.LT, [(sizes[i], self._times(REDUCED, pivot))])
            inverse.append(graph.div(graph.one, pivot))
        for c in range(len(sides[0]) if n else 0):
            for i in range(n):
                x[i][c] = self._less(x[i][c], ((lower[i][k], x[k][c]) for k in range(i)))
            for i in reversed(range(n)):
                x[i][c] = self._less(graph.mul(x[i][c], inverse[i]), ((lower[k][i], x[k][c]) for k in range(i + 1, n)))
        return x

    def _multipliers(self, factors: _Factors, x: Rows, forces: Rows) -> Rows:
        """Return L of J_D^T L = F_D - (M X)_D."""
        graph, m = self._graph, len(self._pivots)
        lower, upper, inverse = factors
        found: Rows = [[] for _ in range(m)]
        for c, column in enumerate(_columns(x, self._spec.columns)):
            z = list[Node]()
            for k, (_, d) in enumerate(self._pivots):
                rest = self._less(forces[k][c], zip(self._mass[d], column, strict=True))
                z.append(graph.mul(self._less(rest, ((upper[j][k], z[j]) for j in range(k))), inverse[k]))
            for k in reversed(range(m)):
                z[k] = self._less(z[k], ((lower[i][k], z[i]) for i in range(k + 1, m)))
                found[self._pivots[k][0]].insert(c, z[k])
        return found


def _columns(rows: Rows, count: int) -> Rows:
    """Return the columns of a matrix, as many where it has no rows."""
    return [[row[j] for row in rows] for j in range(count)]
