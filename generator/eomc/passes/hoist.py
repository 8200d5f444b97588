"""What depends on the parameters alone is computed once: which nodes get a place among the constants.

A node is hoisted when it is real, no deeper than the parameters, more than a number or a changed sign, and needed by
something that is evaluated at run time. Only maximal such nodes get a place; what lies below them is the business of
``_prepare``. Truth values and changes of sign cost nothing to speak of and stay where they are used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.program import Check

_HOISTABLE = frozenset(op for op, row in OPS.items() if row.kind in (Kind.REAL, Kind.LEAF)) - {Op.CONSTANT, Op.NEG}


def hoistable(graph: Graph) -> frozenset[Node]:
    """Return the nodes that are read from the constants wherever they are needed at run time."""
    ops, most = graph.ops, Level.PARAMETERS
    return frozenset([node for node, level in enumerate(graph.level) if level <= most and ops[node] in _HOISTABLE])


def find_live(graph: Graph, roots: Iterable[Node], checks: Sequence[Check], stop: frozenset[Node]) -> set[Node]:
    """Return the nodes that the roots need, with the conditions of the checks that lie on the way.

    The search does not look below a node of `stop`.
    """
    live = graph.below(roots, stop)
    while wanted := [check.condition for check in checks if check.node in live and check.condition not in live]:
        live |= graph.below(wanted, stop | live)
    return live


def hoist(graph: Graph, needed: Collection[Node]) -> tuple[Node, ...]:
    """Return the places of constants that are needed: parameters in their own order, computed ones in that of birth."""
    parameters = [node for node in needed if graph.ops[node] is Op.SYMBOL]
    computed = sorted(set(needed).difference(parameters))
    return *sorted(parameters, key=lambda node: graph.symbol_of(node).index), *computed
