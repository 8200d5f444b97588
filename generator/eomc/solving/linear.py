"""General linear systems (kinematics, dependent speeds): block-triangular order, then block by block.

A block of one unknown is a division; where a choice exists its pivot is a constant or a parameter. Irreducible blocks
of two and three unknowns use the adjugate over the determinant, which stays finite wherever the block has an inverse
(elimination with a fixed pivot does not, at the special states where that pivot vanishes). Larger irreducible blocks
become a SOLVE node: LU with rows pivoted at run time.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.ir.equations import LinearSystem
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.systems import Factorization
from eomc.solving.checks import Checks
from eomc.solving.solution import Solution
from eomc.solving.structure import StructurallySingularError, block_triangular

ADJUGATE_LIMIT = 3
"""Irreducible blocks up to this size are solved by the adjugate over the determinant."""


def solve_general(
    graph: Graph,
    matrix: Sequence[Sequence[Node]],
    right: Sequence[Sequence[Node]],
    labels: Sequence[str],
    checks: Checks,
) -> Solution:
    """Return X with matrix X = right, both by rows.

    Parameters
    ----------
    graph
        The graph, to which nodes are added.
    matrix, right
        n x n and n x columns nodes.
    labels
        Name of each unknown, for the run-time error.
    checks
        Remember the pivot tests.

    Raises
    ------
    StructurallySingularError
        The pattern of the matrix alone makes it singular, or a block's determinant is identically zero.
    """
    zero = graph.zero
    pattern = [[j for j, entry in enumerate(row) if entry != zero] for row in matrix]
    blocks = block_triangular(pattern, lambda i, j: int(graph.level[matrix[i][j]] == Level.VARYING))
    solution: dict[int, list[Node]] = {}
    solved: dict[int, int] = {}  # unknown -> how many were solved before it
    for rows, unknowns in blocks:
        sides = []
        for i in rows:
            side = list(right[i])
            for k in sorted((k for k in pattern[i] if k in solved), key=solved.__getitem__):
                side = [graph.sub(s, graph.mul(matrix[i][k], x)) for s, x in zip(side, solution[k], strict=True)]
            sides.append(side)
        block = [[matrix[i][j] for j in unknowns] for i in rows]
        try:
            found = solve_block(graph, block, sides, [labels[j] for j in unknowns], checks)
        except ZeroDivisionError as error:  # the determinant is the literal zero: equal rows
            raise StructurallySingularError(rows, unknowns) from error
        solution.update(zip(unknowns, found, strict=True))
        solved.update((j, len(solved) + place) for place, j in enumerate(unknowns))
    return Solution([solution[j] for j in range(len(matrix))], tuple(solved))


def solve_block(
    graph: Graph,
    block: Sequence[Sequence[Node]],
    sides: Sequence[Sequence[Node]],
    labels: Sequence[str],
    checks: Checks,
) -> list[list[Node]]:
    """Return X with block X = sides, without a look at zeros.

    Raises
    ------
    ZeroDivisionError
        The determinant is the literal zero.
    """
    if len(block) == 1:
        pivot = block[0][0]
        if graph.level[pivot] == Level.VARYING and len(sides[0]) == 1:
            quotient = graph.div(sides[0][0], pivot)
            checks.nonzero(quotient, pivot, labels[0])
            return [[quotient]]
        inverse = graph.div(graph.one, pivot)
        checks.nonzero(inverse, pivot, labels[0])
        return [[graph.mul(side, inverse) for side in sides[0]]]
    if len(block) > ADJUGATE_LIMIT:
        return graph.solve(Factorization.LU, block, sides, labels)
    adjugate = _adjugate(graph, block)
    divisor = _expanded(graph, block, adjugate)
    inverse = graph.div(graph.one, divisor)
    checks.nonzero(inverse, divisor, labels[0])
    solution = [
        [
            graph.mul(graph.sum(graph.mul(a, side[j]) for a, side in zip(row, sides, strict=True)), inverse)
            for j in range(len(sides[0]))
        ]
        for row in adjugate
    ]
    checks.written(LinearSystem.of(block, sides, solution, labels, symmetric=False))
    return solution


def determinant(graph: Graph, block: Sequence[Sequence[Node]]) -> Node:
    """Return the determinant of a matrix of at most `ADJUGATE_LIMIT` rows."""
    return block[0][0] if len(block) == 1 else _expanded(graph, block, _adjugate(graph, block))


def _expanded(graph: Graph, block: Sequence[Sequence[Node]], adjugate: Sequence[Sequence[Node]]) -> Node:
    """Return the determinant by the cofactors of the first row."""
    return graph.sum(graph.mul(entry, row[0]) for entry, row in zip(block[0], adjugate, strict=True))


def _adjugate(graph: Graph, block: Sequence[Sequence[Node]]) -> list[list[Node]]:
    """Return the transposed cofactors of a 2 x 2 or 3 x 3 matrix."""
    n = len(block)
    if n == 2:
        (a, b), (c, d) = block
        return [[d, graph.neg(b)], [graph.neg(c), a]]

    def cofactor(i: int, j: int) -> Node:
        r, s = (i + 1) % 3, (i + 2) % 3
        p, q = (j + 1) % 3, (j + 2) % 3  # cyclic: the sign is built in
        return graph.sub(graph.mul(block[r][p], block[s][q]), graph.mul(block[r][q], block[s][p]))

    return [[cofactor(i, j) for i in range(n)] for j in range(n)]
