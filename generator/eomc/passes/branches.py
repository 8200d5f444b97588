"""Adjoints of what only one branch of a choice needs.

Through ``select(c, a, b)``, and ``max(a, b)`` likewise, a reverse sweep goes on into a under the condition c and into b
under its opposite. Until branches meet again nothing is masked, so that a factor without a value (x/p at p = 0) cannot
meet a zero: inf times 0 is NaN. Where two opposite branches meet, the sum is a choice once more, as the value is; where
others do, each is masked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial, reduce

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op


class Branches:
    """What a reverse sweep has gathered under conditions.

    Parameters
    ----------
    graph
        The graph, to which masks are added.

    Attributes
    ----------
    parts
        Node -> condition -> adjoint there.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.parts: dict[Node, dict[Node, Node]] = {}
        self._choices: dict[Node, tuple[Node | None, Node, bool]] = {}  # condition -> (outer one, choice, which branch)

    def inside(self, outer: Node | None, choice: Node, holds: bool) -> Node:
        """Return the condition of a branch of a choice that is itself under the condition `outer`."""
        graph = self._graph
        here = choice if holds else graph.negate(choice)
        condition = here if outer is None else graph.binary(Op.AND, outer, here)
        self._choices.setdefault(condition, (outer, choice, holds))
        return condition

    def add(self, node: Node, condition: Node, value: Node) -> None:
        """Add to the adjoint of a node where a condition holds."""
        parts = self.parts.setdefault(node, {})
        parts[condition] = self._graph.add(parts[condition], value) if condition in parts else value

    def take(self, node: Node, everywhere: Node | None) -> tuple[Node | None, Node | None]:
        """Take the adjoint of a node out, with the condition under which it counts, None for always.

        Parameters
        ----------
        node
            All its uses have been met.
        everywhere
            Its adjoint beside what stands under conditions.
        """
        parts = self.parts.pop(node)
        graph = self._graph
        queue = list(parts)
        while queue:
            condition = queue.pop()
            if condition not in parts or condition not in self._choices:
                continue
            outer, choice, holds = self._choices[condition]
            opposite = self.inside(outer, choice, not holds)
            if opposite not in parts:
                continue
            values = parts.pop(condition), parts.pop(opposite)
            joined = graph.select(choice, *(values if holds else values[::-1]))
            if outer is not None:
                parts[outer] = graph.add(parts[outer], joined) if outer in parts else joined
                queue.append(outer)
            else:
                everywhere = joined if everywhere is None else graph.add(everywhere, joined)
        if not parts:
            return everywhere, None
        if everywhere is None and len(parts) == 1:
            ((condition, value),) = parts.items()
            return value, condition
        total = graph.sum(self.masked(value, condition) for condition, value in parts.items())
        if everywhere is not None:
            return graph.add(everywhere, total), None
        return total, self._any(parts)

    def together(self, values: Mapping[int, tuple[Node, Node | None]]) -> tuple[dict[int, Node], Node | None]:
        """Return several adjoints under one condition: their own where all have the same, else each is masked."""
        conditions = list(dict.fromkeys(condition for _, condition in values.values()))
        if len(conditions) == 1:
            return {key: value for key, (value, _) in values.items()}, conditions[0]
        masked = {key: self.masked(value, condition) for key, (value, condition) in values.items()}
        known = [condition for condition in conditions if condition is not None]
        return masked, self._any(known) if len(known) == len(conditions) else None

    def _any(self, conditions: Iterable[Node]) -> Node:
        """Return the condition that at least one of some conditions holds."""
        return reduce(partial(self._graph.binary, Op.OR), conditions)

    def masked(self, value: Node, condition: Node | None) -> Node:
        """Return a value that is zero where its condition does not hold."""
        graph = self._graph
        if condition is None:
            return value
        outer, choice, holds = self._choices.get(condition, (None, condition, True))
        if outer is not None or holds:
            return graph.select(condition, value, graph.zero)
        return graph.select(choice, graph.zero, value)
