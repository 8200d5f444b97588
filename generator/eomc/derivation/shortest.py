"""M and f of the equations of motion without what cancels, before they are solved."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derivation.mass_matrix import lower_triangle
from eomc.ir.graph import Graph, Node, Rows
from eomc.passes.angles import with_sums_of_angles
from eomc.passes.shorten import shorten


def shortest_system(
    graph: Graph, matrix: Rows, forcing: Sequence[Node], beside: Sequence[Node] = ()
) -> tuple[Rows, list[Node]]:
    """Return M and f in fewer operations, if there are such; what is evaluated `beside` them stays as it is."""
    n = len(matrix)
    lower = lower_triangle(matrix)
    turned = with_sums_of_angles(graph, [lower, forcing], beside)
    if turned is None:
        return matrix, shorten(graph, forcing, [*lower, *beside])
    entries = dict(zip(((i, j) for i in range(n) for j in range(i + 1)), turned[0], strict=True))
    return [[entries[max(i, j), min(i, j)] for j in range(n)] for i in range(n)], turned[1]
