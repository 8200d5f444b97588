"""Which of some variables enter an expression, remembered between questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from eomc.ir.graph import Graph, Node
from eomc.ir.remembered import remembered


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
        self._sweeps = [(graph.holds[variable], partial) for variable, partial in zip(variables, partials, strict=True)]

    @remembered
    def variables(self, node: Node) -> tuple[int, ...]:
        """Return the indices of the variables with which a node varies, in order."""
        held, zero = self._graph.holds[node], self._graph.zero
        return tuple(
            k for k, (variable, partial) in enumerate(self._sweeps) if held & variable and partial(node) != zero
        )

    def of(self, nodes: Iterable[Node]) -> set[int]:
        """Return the indices of the variables with which any of the nodes varies."""
        return {k for node in nodes for k in self.variables(node)}
