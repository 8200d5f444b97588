"""Pivot tests, and the systems themselves, remembered beside the graph while they are written out.

A test guards the node that divides by the pivot, not the pivot: sin(theta) may vanish where nothing is divided by it.

Tests are facts about nodes, as what a node is made of is, and are kept like these: a graph of its own has one memory of
them, which only grows, holds each once, and answers the same however often something is derived. They are not handed
back with what they guard, for nodes do not stay what a solver gave: they are differentiated, substituted, compared by
cost and thrown away, and every function that gives a node would have to give all tests below it, too. What is
evaluated in the end asks for its tests by its nodes (`passes/checking.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eomc.ir.equations import LinearSystem
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.passes.sizes import Bound, Sizes


class Checks:
    """The pivot tests of one graph, each once.

    Attributes
    ----------
    systems
        What was written out.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._sizes = Sizes(graph)
        self._made: dict[tuple[Node, Node], Check] = {}
        self.systems: dict[LinearSystem, None] = {}

    def written(self, system: LinearSystem) -> None:
        """Remember a system, for its derivatives: dX follows from A dX = dB - dA X with the pivots of A."""
        self.systems.setdefault(system)

    def size(self, diagonal: Node) -> Node:
        """Return the sum of the sizes of the terms of a diagonal entry: itself where nothing cancels in it.

        One that is negative then fails its test, as its pivot is smaller still.
        """
        return diagonal if self._sizes.is_own(diagonal) else self._sizes.size(diagonal)

    def positive(self, inverse: Node, pivot: Node, label: str, size: Node | None = None) -> None:
        """Demand that the pivot of a positive definite matrix is positive by more than rounding before `inverse`.

        `size` is that of a pivot from which elimination has subtracted something.
        """
        bounds = self._sizes.positive(pivot) if size is None else [self._sizes.above(size, pivot)]
        self._add(inverse, pivot, bounds, label)

    def nonzero(self, quotient: Node, pivot: Node, label: str) -> None:
        """Demand that the pivot is more than rounding before `quotient` is evaluated."""
        self._add(quotient, pivot, self._sizes.nonzero(pivot), label)

    def consistent(self, node: Node, condition: Node, label: str) -> None:
        """Demand a condition, without which there is no `node`."""
        if self._graph.level[node] > Level.CONSTANT:
            self._keep(node, condition, label)

    def alike(self, node: Node, check: Check, label: str) -> None:
        """Demand before `node` what a check demands before another."""
        if self._graph.level[node] > Level.CONSTANT:
            self._keep(node, check.condition, label, check.pivot, check.positive)

    def _add(self, node: Node, pivot: Node, bounds: Sequence[Bound], label: str) -> None:
        levels = self._graph.level
        if self._graph.ops[node] is Op.NEG:  # users take the sign off and read what is below
            node = self._graph.args[node][0]
        if levels[pivot] > Level.CONSTANT and levels[node] > Level.CONSTANT:
            for bound in bounds:
                self._keep(node, bound.condition, label, bound.value, bound.positive)

    def _keep(self, node: Node, condition: Node, label: str, pivot: Node | None = None, positive: bool = False) -> None:
        check = Check(node, condition, label, len(self._made), pivot, positive)
        self._made.setdefault((node, condition), check)

    def rewrite(self, rewritten: Callable[[Node], Node]) -> None:
        """Let what takes a tested node's place be tested alike; the old node keeps its test."""
        for check in self.all():
            node = rewritten(check.node)
            if self._graph.ops[node] is Op.NEG:
                node = self._graph.args[node][0]
            if node != check.node and self._graph.level[node] > Level.CONSTANT:
                pivot = None if check.pivot is None else rewritten(check.pivot)
                self._keep(node, rewritten(check.condition), check.label, pivot, check.positive)

    def all(self) -> tuple[Check, ...]:
        """Return the tests in the order of their making."""
        return tuple(self._made.values())
