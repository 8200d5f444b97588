"""Which of some variables enter an expression, remembered between questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from eomc.ir.graph import Graph, Node

__all__ = ["Dependence"]


class Dependence:
    """Tells with which variables expressions vary; the graph may grow.

    Parameters
    ----------
    graph
        The graph.
    variables
        Symbol nodes.
    partials
        For each variable the derivatives of expressions with respect to it: the literal zero is no dependence.
    """

    def __init__(self, graph: Graph, variables: Sequence[Node], partials: Sequence[Callable[[Node], Node]]) -> None:
        self._graph = graph
        self._partials = partials
        self._entering = {variable: 1 << index for index, variable in enumerate(variables)}
        self._found: dict[Node, tuple[int, ...]] = {}

    def __call__(self, node: Node) -> tuple[int, ...]:
        """Return the indices of the variables with which a node varies, in order."""
        if node not in self._found:
            zero = self._graph.zero
            entering = _places(self._mask(node))
            self._found[node] = tuple(k for k in entering if self._partials[k](node) != zero)
        return self._found[node]

    def of(self, nodes: Iterable[Node]) -> set[int]:
        """Return the indices of the variables with which any of the nodes varies."""
        return {k for node in nodes for k in self(node)}

    def _mask(self, node: Node) -> int:
        """Return the variables that are written in a node, as bits."""
        entering, args = self._entering, self._graph.args
        stack = [node]
        while stack:
            top = stack[-1]
            if top not in entering:
                missing = [a for a in args[top] if a not in entering]
                if missing:
                    stack.extend(missing)
                    continue
                mask = 0
                for a in args[top]:
                    mask |= entering[a]
                entering[top] = mask
            stack.pop()
        return entering[node]


def _places(mask: int) -> list[int]:
    """Return the places of the ones in a number."""
    places = []
    while mask:
        lowest = mask & -mask
        places.append(lowest.bit_length() - 1)
        mask ^= lowest
    return places
