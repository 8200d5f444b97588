"""Which of a derivation's tests concern what is evaluated.

A derivative of a tested quotient divides by the same pivot, and what is evaluated need not hold the quotient itself:
all that divide by a tested pivot are tested alike, and all that is chosen by the condition of a tested choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check

_DECIDING = {Op.DIV: 1, Op.SELECT: 0}  # place of the pivot or condition among the arguments


def checked_nodes(graph: Graph, checks: Sequence[Check], roots: Iterable[Node]) -> dict[Check, list[Node]]:
    """Return each check that is needed, in order, with the nodes below the roots that it guards."""
    return checked_among(graph, checks, graph.below(roots))


def checked_among(graph: Graph, checks: Sequence[Check], live: Set[Node]) -> dict[Check, list[Node]]:
    """Return the same for all that the roots need."""
    ops, args = graph.ops, graph.args
    tested = {check.node for check in checks}
    first: dict[Node, Node] = {}  # by pivot, or by condition: the first node that is tested for it
    for check in checks:
        if ops[check.node] in _DECIDING:
            first.setdefault(args[check.node][_DECIDING[ops[check.node]]], check.node)
    alike: dict[Node, list[Node]] = {}
    for node in sorted([node for node in live if ops[node] in _DECIDING and node not in tested]):
        decided_by = args[node][_DECIDING[ops[node]]]
        if decided_by in first:
            alike.setdefault(first[decided_by], []).append(node)
    guarded = {check: [*([check.node] if check.node in live else []), *alike.get(check.node, ())] for check in checks}
    return {check: nodes for check, nodes in guarded.items() if nodes}
