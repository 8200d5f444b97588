"""What expressions cost at run time: the measure by which the derivation chooses between equal forms."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Op

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
        stack = [root for root in set(roots).difference(seen) if level[root] == varying]
        seen.update(stack)
        total = self.total
        while stack:
            node = stack.pop()
            op = ops[node]
            total += _WEIGHTS[op] if op is not _SOLVE else self._of_system(node)
            for argument in args[node]:
                if argument not in seen and level[argument] == varying:
                    seen.add(argument)
                    stack.append(argument)
        self.total = total
        return total

    def _of_system(self, node: Node) -> int:
        spec = self._graph.system_of(node)
        return spec.rows**3 // 3 + 2 * spec.rows**2 * spec.columns + 4 * spec.rows


def cost(graph: Graph, roots: Iterable[Node]) -> int:
    """Return the cost of evaluating the roots, in additions; what depends on parameters alone is free."""
    return Tally(graph).add(roots)
