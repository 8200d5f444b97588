"""Symmetric positive definite systems as straight lines: M = L D L^T, zeros used, each pivot inverted once.

Golub & Van Loan, *Matrix Computations* (4th ed.), section 4.1, kept in the form w_ij = l_ij d_j that saves one
product per entry. Unknowns are eliminated in the order of least fill (Markowitz's count on the pattern, ties in the
given order).
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.errors import DerivationError
from eomc.ir.equations import LinearSystem
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.systems import Factorization
from eomc.solving.checks import Checks

__all__ = ["STRAIGHT_LINE_LIMIT", "IndefiniteError", "solve_positive_definite", "solve_positive_definite_rows"]

STRAIGHT_LINE_LIMIT = 1200
"""Products in a factorization up to which it is written out; beyond, a loop over an array is smaller and as fast."""


class IndefiniteError(DerivationError):
    """A pivot is a number that is not positive; the message knows the unknown, and not the model."""


def solve_positive_definite(
    graph: Graph,
    matrix: Sequence[Sequence[Node]],
    right: Sequence[Node],
    labels: Sequence[str],
    checks: Checks,
) -> list[Node]:
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
        Collects the pivot tests.

    Raises
    ------
    IndefiniteError
        A pivot is a number that is not positive.
    """
    return [row[0] for row in solve_positive_definite_rows(graph, matrix, [[r] for r in right], labels, checks)]


def solve_positive_definite_rows(
    graph: Graph,
    matrix: Sequence[Sequence[Node]],
    right: Sequence[Sequence[Node]],
    labels: Sequence[str],
    checks: Checks,
) -> list[list[Node]]:
    """Return X with matrix X = right for n x columns nodes by rows, as `solve_positive_definite` for one column."""
    n = len(matrix)
    if n == 0:
        return []
    order, products = _elimination_order(graph, matrix)
    if products > STRAIGHT_LINE_LIMIT:
        return graph.solve(Factorization.LDLT, matrix, right, labels)
    columns = len(right[0])
    w = {(i, j): matrix[order[i]][order[j]] for i in range(n) for j in range(i + 1)}
    low: dict[tuple[int, int], Node] = {}
    pivots: list[Node] = []
    inverse: dict[int, Node] = {}

    def check(quotient: Node, j: int) -> None:
        checks.positive(quotient, pivots[j], matrix[order[j]][order[j]], n, labels[order[j]])

    y: list[list[Node]] = []
    for j in range(n):
        pivot = w[j, j]
        for k in range(j):
            pivot = graph.sub(pivot, graph.mul(low[j, k], w[j, k]))
        number = graph.number(pivot)
        if number is not None and not number > 0:
            raise IndefiniteError(
                f"the matrix is not positive definite: the pivot of {labels[order[j]]} is {number}; "
                f"give {labels[order[j]]} a positive inertia"
            )
        pivots.append(pivot)
        for i in range(j + 1, n):
            for k in range(j):
                w[i, j] = graph.sub(w[i, j], graph.mul(low[i, k], w[j, k]))
        below = [w[i, j] for i in range(j + 1, n)]
        steady = graph.level[pivot] < Level.VARYING
        if steady or columns > 1 or any(not graph.is_zero(entry) for entry in below):
            inverse[j] = graph.div(graph.one, pivot)
            check(inverse[j], j)
        for i, entry in enumerate(below, j + 1):
            low[i, j] = graph.mul(entry, inverse[j]) if j in inverse else graph.zero
        values = list(right[order[j]])
        for k in range(j):
            values = [graph.sub(value, graph.mul(low[j, k], z)) for value, z in zip(values, y[k], strict=True)]
        y.append(values)
        column = [inverse.get(j, pivot), *below, *(low[i, j] for i in range(j + 1, n)), *values]
        checks.elimination.extend(column)
    x: list[list[Node]] = [[]] * n
    for i in reversed(range(n)):
        if i in inverse:
            values = [graph.mul(z, inverse[i]) for z in y[i]]
        else:  # used once: a division is one operation less, and exact to half a unit
            values = [graph.div(z, pivots[i]) for z in y[i]]
            check(values[0], i)
        for k in reversed(range(i + 1, n)):  # the newest last: the others need not wait for it
            values = [graph.sub(value, graph.mul(low[k, i], z)) for value, z in zip(values, x[k], strict=True)]
        x[i] = values
        checks.elimination.extend(values)
    result: list[list[Node]] = [[]] * n
    for position, unknown in enumerate(order):
        result[unknown] = x[position]
    checks.written(LinearSystem.of(matrix, right, result, labels, symmetric=True))
    return result


def _elimination_order(graph: Graph, matrix: Sequence[Sequence[Node]]) -> tuple[list[int], int]:
    """Return the order of least fill and the number of products it takes; parameter-only pivots go first of equals."""
    n = len(matrix)
    neighbours = [{j for j in range(n) if j != i and not graph.is_zero(matrix[max(i, j)][min(i, j)])} for i in range(n)]
    left = set(range(n))
    order: list[int] = []
    products = 0

    def cost(i: int) -> tuple[int, bool, int]:
        return len(neighbours[i] & left), graph.level[matrix[i][i]] == Level.VARYING, i

    while left:
        best = min(left, key=cost)
        left.remove(best)
        touched = neighbours[best] & left
        for i in touched:
            neighbours[i] |= touched - {i}
        products += len(touched) * (len(touched) + 3) // 2
        order.append(best)
    return order, products
