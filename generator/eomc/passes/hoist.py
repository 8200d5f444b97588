"""What depends on the parameters alone is computed once: which nodes get a place among the constants.

A node is hoisted when it is real, no deeper than the parameters, more than a number or a changed sign, and needed by
something that is evaluated at run time. Only maximal such nodes get a place; what lies below them is the business of
``_prepare``. Truth values and changes of sign cost nothing to speak of and stay where they are used.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.program import Check, Function

__all__ = ["Hoisting", "find_live", "hoist", "is_hoistable"]


@dataclass(frozen=True, slots=True)
class Hoisting:
    """Places among the constants: parameters in their own order, then computed nodes in order of birth."""

    parameters: tuple[Node, ...]  # SYMBOL nodes of parameters that are read at run time
    computed: tuple[Node, ...]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All places."""
        return self.parameters + self.computed


def find_live(graph: Graph, roots: Iterable[Node], checks: Sequence[Check], stop: frozenset[Node]) -> set[Node]:
    """Return the nodes that the roots need, with the conditions of the checks that lie on the way.

    The search does not look below a node of `stop`.
    """
    conditions: dict[Node, list[Node]] = {}
    for check in checks:
        conditions.setdefault(check.node, []).append(check.condition)
    args = graph.args
    live: set[Node] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node in live:
            continue
        live.add(node)
        if node in conditions:
            stack += conditions[node]
        if node not in stop:
            stack += args[node]
    return live


def hoist(graph: Graph, functions: Sequence[Function], checks: Sequence[Check]) -> Hoisting:
    """Choose the nodes that ``_prepare`` computes for all functions together."""
    outputs = itertools.chain.from_iterable(function.outputs for function in functions)
    needed = _frontier(graph, dict.fromkeys(outputs), checks)
    parameters = [node for node in needed if graph.ops[node] is Op.SYMBOL]
    computed = [node for node in needed if graph.ops[node] is not Op.SYMBOL]
    return Hoisting(tuple(sorted(parameters, key=lambda node: _position(graph, node))), tuple(sorted(computed)))


_HOISTABLE = frozenset(op for op, row in OPS.items() if row.kind in (Kind.REAL, Kind.LEAF)) - {Op.CONSTANT, Op.NEG}


def is_hoistable(graph: Graph, node: Node) -> bool:
    """Whether a node, when needed at run time, is read from the constants."""
    return graph.level[node] <= Level.PARAMETERS and graph.ops[node] in _HOISTABLE


def _frontier(graph: Graph, roots: Iterable[Node], checks: Sequence[Check]) -> list[Node]:
    conditions: dict[Node, list[Node]] = {}
    for check in checks:
        conditions.setdefault(check.node, []).append(check.condition)
    seen: set[Node] = set()
    frontier: list[Node] = []
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node in conditions:
            stack += conditions[node]
        if is_hoistable(graph, node):
            frontier.append(node)
        else:
            stack += graph.args[node]
    return frontier


def _position(graph: Graph, node: Node) -> int:
    symbol = graph.data[node]
    return getattr(symbol, "index", 0)
