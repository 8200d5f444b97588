"""What expressions cost at run time: the measure by which the derivation chooses between equal forms."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Op
from eomc.ir.systems import SystemSpec

__all__ = ["Tally", "cost", "final_cost"]

_SOLVE = Op.SOLVE  # by a name of its own: looking up a member of an enumeration takes long
_WEIGHTS = {op: row.weight for op, row in OPS.items()}


class Tally:
    """The cost of a growing set of expressions, shared parts counted once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._seen: set[Node] = set()
        self.total = 0

    def add(self, roots: Iterable[Node]) -> int:
        """Count what is new below the roots and return the total, in additions."""
        seen, level, ops, args = self._seen, self._graph.level, self._graph.ops, self._graph.args
        varying = Level.VARYING  # what lies below a node that does not vary is free as well
        stack = list(set(roots).difference(seen))
        while stack:
            node = stack.pop()
            if level[node] == varying and node not in seen:
                seen.add(node)
                stack += args[node]
                self.total += _WEIGHTS[ops[node]] if ops[node] is not _SOLVE else self._of_system(node)
        return self.total

    def _of_system(self, node: Node) -> int:
        spec = self._graph.data[node]
        assert isinstance(spec, SystemSpec)
        return spec.rows**3 // 3 + 2 * spec.rows**2 * spec.columns + 4 * spec.rows


def cost(graph: Graph, roots: Iterable[Node]) -> int:
    """Return the cost of evaluating the roots, in additions; what depends on parameters alone is free."""
    return Tally(graph).add(roots)


def final_cost(graph: Graph, roots: Collection[Node]) -> int:
    """Return the cost of what `passes.strength` makes of the roots: divisions by parameters multiply, products gather.

    p (q x) is one product where q x serves nothing else, for parameters p and q.
    """
    ops, level, args = graph.ops, graph.level, graph.args
    live = graph.reachable(roots)
    uses = Counter(itertools.chain.from_iterable([args[node] for node in live]))
    uses.update(roots)
    total = Tally(graph).add(live)
    scaled: set[Node] = set()  # products of something that varies and a parameter
    for node in live:
        op = ops[node]
        if level[node] != Level.VARYING or (op is not Op.MUL and op is not Op.DIV):
            continue
        first, second = args[node]
        if op is Op.DIV:
            if level[second] == Level.VARYING:
                continue
            total -= _WEIGHTS[Op.DIV] - _WEIGHTS[Op.MUL]
            inner = first
        elif level[first] != Level.VARYING or level[second] != Level.VARYING:
            inner = first if level[first] == Level.VARYING else second
        else:
            continue
        scaled.add(node)
        if op is Op.MUL and inner in scaled and uses[inner] == 1:
            total -= _WEIGHTS[Op.MUL]
    return total
