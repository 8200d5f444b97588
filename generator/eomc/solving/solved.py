"""Linear systems of a graph, as nodes or written out in straight lines: what is an unknown, and of which system."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass

from eomc.ir.equations import LinearSystem
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.solving.checks import Checks
from eomc.solving.ldlt import solve_positive_definite_rows
from eomc.solving.linear import solve_block


@dataclass(frozen=True, slots=True)
class Solved:
    """A linear system of the graph, written out or a SOLVE node: matrix X = right."""

    matrix: Sequence[Sequence[Node]]
    right: Sequence[Sequence[Node]]
    solution: Sequence[Sequence[Node]]
    again: Callable[[Graph, Sequence[Sequence[Node]]], list[list[Node]]]  # another right side by rows -> X by rows
    at_once: bool  # by a kernel, which factors the matrix in every call

    @property
    def arguments(self) -> list[Node]:
        """What the solution depends on."""
        return [x for row in (*self.matrix, *self.right) for x in row]

    @property
    def unknowns(self) -> list[Node]:
        """X by rows."""
        return [x for row in self.solution for x in row]


def written_out(system: LinearSystem) -> Solved:
    """Return a system that was written out in straight lines."""

    def again(graph: Graph, right: Sequence[Sequence[Node]]) -> list[list[Node]]:
        checks = Checks(graph)  # of no interest: the pivots have their tests
        if system.symmetric:
            return solve_positive_definite_rows(graph, system.matrix, right, system.labels, checks).rows
        return solve_block(graph, system.matrix, right, system.labels, checks)

    return Solved(system.matrix, system.right, system.solution, again, at_once=False)


def _of_node(graph: Graph, node: Node) -> Solved:
    spec, args = graph.system_of(node), graph.args[node]
    n, columns = spec.n, spec.columns
    matrix, sides = spec.whole(args, graph.zero), args[spec.matrix_entries :]
    right = [list(sides[i * columns : (i + 1) * columns]) for i in range(spec.rows)]
    solution = [[graph.result(node, i * columns + j) for j in range(columns)] for i in range(spec.rows)]

    def again(graph: Graph, right: Sequence[Sequence[Node]]) -> list[list[Node]]:
        if not spec.constraints:
            return graph.solve(spec.factorization, matrix, right, spec.labels)
        mass, slopes = ([row[:n] for row in part] for part in (matrix[:n], matrix[n:]))
        unknowns, multipliers = graph.solve_constrained(
            spec.factorization, mass, slopes, right, spec.labels, strict=False
        )
        return [*unknowns, *multipliers]

    return Solved(matrix, right, solution, again, at_once=True)


class Systems:
    """Which nodes of a graph are unknowns of linear systems.

    Parameters
    ----------
    graph
        The graph.
    written
        Systems that were written out on the way to what is looked at, or elsewhere.
    given
        Nodes that count as no unknowns.
    """

    def __init__(self, graph: Graph, written: Iterable[LinearSystem], given: Container[Node] = ()) -> None:
        self._graph = graph
        self._of: dict[Node, Solved] = {}
        for system in map(written_out, written):
            newest = max(system.arguments)
            for node in system.unknowns:
                if node > newest and node not in given:  # else it is no more than one of the arguments
                    self._of.setdefault(node, system)

    def of(self, node: Node) -> Solved | None:
        """Return the system that a node is an unknown of, None for other nodes."""
        graph = self._graph
        if graph.ops[node] is Op.RESULT and node not in self._of:
            system = _of_node(graph, graph.args[node][0])
            self._of.update(dict.fromkeys(system.unknowns, system))
        return self._of.get(node)
