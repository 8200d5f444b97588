"""Replace nodes of the graph by others, simplifying anew on the way up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from eomc.ir.cone import unmet_holding
from eomc.ir.graph import Graph, Node
from eomc.ir.symbols import Named


class Substitution:
    """Rewrites nodes with some leaves (or inner nodes) replaced; remembered between calls.

    Parameters
    ----------
    graph
        The graph, to which the rewritten nodes are added.
    replacements
        Node that holds symbols -> node that takes its place; replacements are not rewritten themselves. What a
        replacement leaves without a value (0 for u in 1/u) becomes NaN.
    """

    def __init__(self, graph: Graph, replacements: Mapping[Node, Node]) -> None:
        self._graph = graph
        self._wanted = graph.bits(replacements)
        self._memo: dict[Node, Node] = dict(replacements)  # of what holds none of their symbols: nothing, it stays

    def __call__(self, root: Node) -> Node:
        """Return `root` with the replacements made."""
        memo, graph = self._memo, self._graph
        known = memo.get(root)
        if known is not None:
            return known
        if not graph.holds[root] & self._wanted:
            return root
        args = graph.args
        for node in unmet_holding(graph, root, memo, self._wanted):
            new = [memo.get(a, a) for a in args[node]]
            memo[node] = node if list(args[node]) == new else self._rebuilt(node, new)
        return memo[root]

    def _rebuilt(self, node: Node, args: list[Node]) -> Node:
        try:
            return self._graph.rebuild(node, args)
        except ZeroDivisionError:
            return self._graph.constant(Named.NAN)

    def all(self, roots: Iterable[Node]) -> list[Node]:
        """Return several nodes with the replacements made."""
        return list(map(self, roots))
