"""Pivot tests, collected while systems are written out."""

from __future__ import annotations

from fractions import Fraction

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.ir.symbols import Named

__all__ = ["Checks"]


class Checks:
    """The pivot tests of one program, each pivot tested once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._made: dict[Node, Check] = {}

    def positive(self, pivot: Node, scale: Node, count: int, label: str) -> None:
        """Demand pivot > count epsilon scale: the pivot of a positive definite matrix against its own diagonal entry."""
        g = self._graph
        limit = g.mul(scale, g.mul(g.constant(Named.EPSILON), g.constant(count)))
        self._add(pivot, g.binary(Op.LT, limit, pivot), label)

    def nonzero(self, pivot: Node, label: str, scale: Node | None = None) -> None:
        """Demand |pivot| > 0, or |pivot| > 4 epsilon scale where the size of what may cancel in it is known."""
        g = self._graph
        limit = g.zero
        if scale is not None:
            limit = g.mul(scale, g.mul(g.constant(Named.EPSILON), g.constant(Fraction(4))))
        self._add(pivot, g.binary(Op.LT, limit, g.unary(Op.ABS, pivot)), label)

    def _add(self, pivot: Node, condition: Node, label: str) -> None:
        if self._graph.level[pivot] > Level.CONSTANT and pivot not in self._made:
            self._made[pivot] = Check(pivot, condition, label, len(self._made))

    def all(self) -> tuple[Check, ...]:
        """Return the tests in the order of their making."""
        return tuple(self._made.values())
