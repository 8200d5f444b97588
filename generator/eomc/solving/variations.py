"""Derivatives along one direction, where linear systems are differentiated as such and stay linear systems.

A dX = dB - dA X has the factors of A X = B, and its power series takes these, too; a sweep through the lines of an
elimination would lose that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from eomc.ir.equations import LinearSystem
from eomc.ir.graph import Graph, Node
from eomc.passes.differentiate import Tangents
from eomc.solving.solved import Solved, written_out


def variations(
    graph: Graph, roots: Sequence[Node], direction: Mapping[Node, Node], systems: Iterable[LinearSystem] = ()
) -> tuple[list[Node], list[LinearSystem]]:
    """Return the derivatives of nodes along a direction, and the systems that were written out for them.

    Parameters
    ----------
    graph
        The graph, to which nodes are added.
    roots
        Any nodes.
    direction
        Symbol node -> node of its derivative along the direction; all other symbols have derivative zero.
    systems
        Systems that were written out on the way to the roots, or elsewhere.
    """
    reached = set(graph.reachable(roots))
    tangents, made = Tangents(graph, direction), []
    for system in sorted(systems, key=lambda one: max(written_out(one).arguments)):  # what one holds comes before it
        solved = written_out(system)
        newest = max(solved.arguments)
        unknowns = {node for node in solved.unknowns if node > newest and node not in direction}
        if not unknowns & reached:
            continue
        right = _right_sides(graph, solved, tangents)
        rates = solved.again(graph, right)
        made.append(LinearSystem.of(system.matrix, right, rates, system.labels, system.symmetric))
        for row, values in zip(system.solution, rates, strict=True):
            for unknown, rate in zip(row, values, strict=True):
                if unknown in unknowns:  # else it is no more than an argument, and has its own
                    tangents.take(unknown, rate)
    return tangents.all(roots), made


def _right_sides(graph: Graph, system: Solved, tangents: Tangents) -> list[list[Node]]:
    """Return dB - dA X."""
    columns = list(zip(*system.solution, strict=True))
    rows = []
    for entries, sides in zip(system.matrix, system.right, strict=True):
        moved = tangents.all(entries)
        taken = [graph.sum(map(graph.mul, moved, column)) for column in columns]
        rows.append(list(map(graph.sub, tangents.all(sides), taken)))
    return rows
