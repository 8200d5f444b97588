"""Symmetric positive definite systems as straight lines: M = L D L^T, zeros used, each pivot inverted once.

Golub & Van Loan, *Matrix Computations* (4th ed.), section 4.1, kept in the form w_ij = l_ij d_j that saves one
product per entry. Unknowns are eliminated in the order of least fill (Markowitz's count on the pattern, ties in the
given order). Unknowns that no chain of entries joins are systems of their own.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Sequence
from dataclasses import dataclass

from eomc.errors import DerivationError
from eomc.ir.equations import LinearSystem
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.systems import Factorization
from eomc.solving.checks import Checks
from eomc.solving.solution import Solution

STRAIGHT_LINE_LIMIT = 1200
"""Products in a factorization up to which it is written out; beyond, a loop over an array is smaller and as fast."""

_SPARSE = 2
"""The loop takes no zeros: it is worth it only up to this ratio of its products to those that are written out."""


class IndefiniteError(DerivationError):
    """A pivot is a number that is not positive; the message knows the unknown, and not the model."""


def refuse_indefinite(graph: Graph, pivot: Node, label: str) -> None:
    """Refuse a pivot that is a number and not positive.

    Raises
    ------
    IndefiniteError
        It is.
    """
    number = graph.number(pivot)
    if number is not None and not number > 0:
        raise IndefiniteError(
            f"the matrix is not positive definite: the pivot of {label} is {number}; give {label} a positive inertia"
        )


def solve_positive_definite(
    graph: Graph,
    matrix: Sequence[Sequence[Node]],
    right: Sequence[Node],
    labels: Sequence[str],
    checks: Checks,
    sizes: Sequence[Node] | None = None,
) -> Solution:
    """Return x with matrix x = right; the matrix is given in full and read from its lower triangle.

    Parameters
    ----------
    graph
        The graph, to which nodes are added.
    matrix, right
        n x n and n nodes.
    labels
        Name of each unknown, for the run-time error when its pivot is not positive.
    checks
        Remember the pivot tests.
    sizes
        What bounds the terms of each pivot, where the caller knows; None: they are found from the nodes.

    Raises
    ------
    IndefiniteError
        A pivot is a number that is not positive.
    """
    return solve_positive_definite_rows(graph, matrix, [[r] for r in right], labels, checks, sizes)


def solve_positive_definite_rows(
    graph: Graph,
    matrix: Sequence[Sequence[Node]],
    right: Sequence[Sequence[Node]],
    labels: Sequence[str],
    checks: Checks,
    sizes: Sequence[Node] | None = None,
) -> Solution:
    """Return X with matrix X = right for n x columns nodes by rows, as `solve_positive_definite` for one column."""
    plan = _plan(graph, matrix)
    solution: dict[int, list[Node]] = {}
    looped: set[int] = set()
    for part, products in zip(plan.parts, plan.products, strict=True):
        if _is_looped(len(part), products):
            looped.update(part)
            known = () if sizes is None else [sizes[i] for i in part]
            found = graph.solve(Factorization.LDLT, *_part(part, matrix, right, labels), known)
            solution.update(zip(part, found, strict=True))
    elimination = _Elimination(graph, matrix, labels, checks, plan, looped, sizes)
    elimination.factor(right)
    solution.update(elimination.substitute())
    for part in plan.parts:
        if part[0] not in looped:
            entries, sides, names = _part(part, matrix, right, labels)
            checks.written(LinearSystem.of(entries, sides, [solution[i] for i in part], names, symmetric=True))
    rows = [solution[i] for i in range(len(matrix))]
    return Solution(rows, plan.reading(looped), tuple(dict.fromkeys(elimination.steps)))


def _is_looped(n: int, products: int) -> bool:
    """Whether a loop over an array beats straight lines with so many products."""
    return products > STRAIGHT_LINE_LIMIT and sum(k * (k + 3) // 2 for k in range(n)) <= _SPARSE * products


def _part(
    part: Sequence[int], matrix: Sequence[Sequence[Node]], right: Sequence[Sequence[Node]], labels: Sequence[str]
) -> tuple[list[list[Node]], list[Sequence[Node]], list[str]]:
    """Return matrix, right side and labels of some unknowns."""
    return [[matrix[i][j] for j in part] for i in part], [right[i] for i in part], [labels[i] for i in part]


class _Elimination:
    """The factors of the unknowns that are written out, and the solution; places count in the order of elimination."""

    def __init__(
        self,
        graph: Graph,
        matrix: Sequence[Sequence[Node]],
        labels: Sequence[str],
        checks: Checks,
        plan: _Plan,
        left_out: set[int],
        sizes: Sequence[Node] | None,
    ) -> None:
        self._graph = graph
        self._matrix = matrix
        self._labels = labels
        self._checks = checks
        self._order = plan.order
        self._known = None if sizes is None else [sizes[unknown] for unknown in plan.order]
        self._places = [j for j, unknown in enumerate(plan.order) if unknown not in left_out]
        self._below = plan.below
        self._before: list[list[int]] = [[] for _ in plan.order]
        for k in self._places:
            for j in plan.below[k]:
                self._before[j].append(k)
        self._low: dict[tuple[int, int], Node] = {}
        self._pivots: dict[int, Node] = {}
        self._inverse: dict[int, Node] = {}
        self._sizes: dict[int, Node] = {}
        self._growth: dict[int, Node] = {}
        self._y: dict[int, list[Node]] = {}
        self.steps: list[Node] = []

    def _entry(self, i: int, j: int) -> Node:
        """Return an entry of the lower triangle by places."""
        a, b = self._order[i], self._order[j]
        return self._matrix[a][b]

    def factor(self, right: Sequence[Sequence[Node]]) -> None:
        """Make L and D, and y with L y = right."""
        graph, low, before = self._graph, self._low, self._before
        w: dict[tuple[int, int], Node] = {}
        for j in self._places:
            unknown = self._order[j]
            pivot = self._entry(j, j)
            taken = [graph.mul(low[j, k], w[j, k]) for k in before[j]]
            for term in taken:
                pivot = graph.sub(pivot, term)
            self._refuse_indefinite(pivot, j)
            self._pivots[j] = pivot
            self._measure(j, taken)
            for i in self._below[j]:
                value = self._entry(i, j)
                for k in before[j]:
                    if (i, k) in low:
                        value = graph.sub(value, graph.mul(low[i, k], w[j, k]))
                w[i, j] = value
            below = [w[i, j] for i in self._below[j]]
            steady = graph.level[pivot] < Level.VARYING
            if steady or len(right[unknown]) > 1 or any(not graph.is_zero(entry) for entry in below):
                self._inverse[j] = graph.div(graph.one, pivot)
                self._check(self._inverse[j], j)
                if self._known is None:
                    own = self._entry(j, j)
                    plain = graph.add(self._checks.size(own), graph.sub(own, pivot))  # all that was taken from it
                    self._growth[j] = graph.one if plain == pivot else graph.mul(plain, self._inverse[j])
            for i, entry in zip(self._below[j], below, strict=True):
                low[i, j] = graph.mul(entry, self._inverse[j]) if j in self._inverse else graph.zero
            values = list(right[unknown])
            for k in before[j]:
                values = self._less(values, low[j, k], self._y[k])
            self._y[j] = values
            self.steps += [self._inverse.get(j, pivot), *below, *(low[i, j] for i in self._below[j]), *values]

    def substitute(self) -> dict[int, list[Node]]:
        """Return the solution by unknowns."""
        graph = self._graph
        x: dict[int, list[Node]] = {}
        for i in reversed(self._places):
            if i in self._inverse:
                values = [graph.mul(z, self._inverse[i]) for z in self._y[i]]
            else:  # used once: a division is one operation less, and exact to half a unit
                values = [graph.div(z, self._pivots[i]) for z in self._y[i]]
                self._check(values[0], i)
            for k in reversed(self._below[i]):  # the newest last: the others need not wait for it
                values = self._less(values, self._low[k, i], x[k])
            x[i] = values
            self.steps += values
        return {self._order[i]: values for i, values in x.items()}

    def _less(self, values: list[Node], factor: Node, others: list[Node]) -> list[Node]:
        """Return values - factor others."""
        graph = self._graph
        if factor == graph.zero:
            return values
        return [graph.sub(value, graph.mul(factor, z)) for value, z in zip(values, others, strict=True)]

    def _refuse_indefinite(self, pivot: Node, j: int) -> None:
        refuse_indefinite(self._graph, pivot, self._labels[self._order[j]])

    def _measure(self, j: int, taken: Sequence[Node]) -> None:
        """Find the size of a pivot: of its own terms, and of what is taken from them, whose divisor errs too.

        A divisor errs by its own terms alone: bounds of bounds would multiply along a chain.
        """
        graph = self._graph
        if self._known is not None:
            self._sizes[j] = self._known[j]
            return
        size = self._checks.size(self._entry(j, j))
        for k, term in zip(self._before[j], taken, strict=True):
            size = graph.add(size, graph.mul(term, self._growth[k]))
        self._sizes[j] = size

    def _check(self, quotient: Node, j: int) -> None:
        size = self._sizes[j] if self._before[j] or self._known is not None else None
        self._checks.positive(quotient, self._pivots[j], self._labels[self._order[j]], size)


def operations(graph: Graph, matrix: Sequence[Sequence[Node]]) -> int:
    """Return what solving for one column takes where the entries of a matrix cost nothing: all of it written out."""
    return sum(k * (k + 6) + 1 for k in map(len, _plan(graph, matrix).below))


# -- the pattern -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a matrix with zeros is eliminated."""

    order: list[int]  # unknowns, with the least fill
    below: list[list[int]]  # for each place in that order the later places that its column fills, ascending
    parts: list[list[int]]  # unknowns that entries join, each set ascending
    products: list[int]  # that the factorization of each part takes

    def reading(self, looped: Container[int]) -> tuple[int, ...]:
        """Return the unknowns in an order in which each is written in those before it; loops give theirs at once."""
        depth: dict[int, int] = {}
        for unknown, below in zip(reversed(self.order), reversed(self.below), strict=True):
            others = () if unknown in looped else [depth[self.order[place]] for place in below]
            depth[unknown] = 1 + max(others, default=-1)
        return tuple(i for part in self.parts for i in sorted(part, key=depth.__getitem__))


def _plan(graph: Graph, matrix: Sequence[Sequence[Node]]) -> _Plan:
    """Choose the order of least fill, parameter-only pivots first of equals, and find what it fills."""
    n, zero = len(matrix), graph.zero
    neighbours: list[set[int]] = [set() for _ in range(n)]
    for i, row in enumerate(matrix):
        for j in [j for j, entry in enumerate(row[:i]) if entry != zero]:
            neighbours[i].add(j)
            neighbours[j].add(i)
    parts = _joined(neighbours)
    part_of = {i: number for number, part in enumerate(parts) for i in part}
    products = [0] * len(parts)
    varying = [graph.level[matrix[i][i]] == Level.VARYING for i in range(n)]
    heap = [(len(neighbours[i]), varying[i], i) for i in range(n)]
    heapq.heapify(heap)
    done: set[int] = set()
    order: list[int] = []
    while heap:
        count, _, best = heapq.heappop(heap)
        if best in done or count != len(neighbours[best]):
            continue  # was eliminated, or has other neighbours by now and stands in the heap with their number
        done.add(best)
        order.append(best)
        touched = neighbours[best]
        for i in touched:
            neighbours[i] |= touched
            neighbours[i] -= {i, best}
            heapq.heappush(heap, (len(neighbours[i]), varying[i], i))
        products[part_of[best]] += len(touched) * (len(touched) + 3) // 2
    place = {unknown: position for position, unknown in enumerate(order)}
    below = [sorted(place[i] for i in neighbours[unknown]) for unknown in order]
    return _Plan(order, below, parts, products)


def _joined(neighbours: Sequence[set[int]]) -> list[list[int]]:
    """Return the connected components of a graph, by their first members."""
    met: set[int] = set()
    parts = []
    for start in range(len(neighbours)):
        if start in met:
            continue
        part, stack = [], [start]
        met.add(start)
        while stack:
            here = stack.pop()
            part.append(here)
            stack += neighbours[here] - met
            met |= neighbours[here]
        parts.append(sorted(part))
    return parts
