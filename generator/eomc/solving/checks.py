"""Pivot tests, and the systems themselves, collected while they are written out.

A test guards the node that divides by the pivot, not the pivot: sin(theta) may vanish where nothing is divided by it.
"""

from __future__ import annotations

from collections.abc import Callable

from eomc.ir.equations import LinearSystem
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.ir.symbols import Named

__all__ = ["Checks"]


class Checks:
    """The pivot tests of one program.

    Attributes
    ----------
    elimination
        Nodes of the systems that were written out, in the order in which they are best evaluated: column by column, so
        that what belongs to one column can be computed side by side.
    systems
        What was written out.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._made: dict[tuple[Node, Node], Check] = {}
        self.elimination: list[Node] = []
        self.systems: list[LinearSystem] = []

    def written(self, system: LinearSystem) -> None:
        """Remember a system, for its derivatives: dX follows from A dX = dB - dA X with the pivots of A."""
        self.systems.append(system)

    def positive(self, inverse: Node, pivot: Node, scale: Node, count: int, label: str) -> None:
        """Demand pivot > count epsilon scale before `inverse` is evaluated.

        For the pivot of a positive definite matrix, against its own diagonal entry.
        """
        g = self._graph
        limit = g.mul(scale, g.mul(g.constant(Named.EPSILON), g.constant(count)))
        self._add(inverse, pivot, g.binary(Op.LT, limit, pivot), label)

    def nonzero(self, quotient: Node, pivot: Node, label: str, scale: Node | None = None) -> None:
        """Demand |pivot| > 0 before `quotient` is evaluated.

        Where the size of what may cancel in the pivot is known: |pivot| > 4 epsilon scale.
        """
        g = self._graph
        limit = g.zero
        if scale is not None:
            limit = g.mul(scale, g.mul(g.constant(Named.EPSILON), g.constant(4)))
        self._add(quotient, pivot, g.binary(Op.LT, limit, g.unary(Op.ABS, pivot)), label)

    def consistent(self, node: Node, condition: Node, label: str) -> None:
        """Demand a condition, without which there is no `node`."""
        if self._graph.level[node] > Level.CONSTANT:
            self._keep(node, condition, label)

    def _add(self, node: Node, pivot: Node, condition: Node, label: str) -> None:
        levels = self._graph.level
        if self._graph.ops[node] is Op.NEG:  # users take the sign off and read what is below
            node = self._graph.args[node][0]
        if levels[pivot] > Level.CONSTANT and levels[node] > Level.CONSTANT:
            self._keep(node, condition, label)

    def _keep(self, node: Node, condition: Node, label: str) -> None:
        self._made.setdefault((node, condition), Check(node, condition, label, len(self._made)))

    def rewrite(self, rewritten: Callable[[Node], Node]) -> None:
        """Let what takes a tested node's place be tested alike; the old node keeps its test."""
        for check in self.all():
            node = rewritten(check.node)
            if self._graph.ops[node] is Op.NEG:
                node = self._graph.args[node][0]
            if node != check.node and self._graph.level[node] > Level.CONSTANT:
                self._keep(node, rewritten(check.condition), check.label)

    def all(self) -> tuple[Check, ...]:
        """Return the tests in the order of their making."""
        return tuple(self._made.values())
