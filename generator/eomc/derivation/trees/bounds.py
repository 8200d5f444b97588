"""How large the terms of a row's inertia can be: what tells a pivot from rounding, from parameters alone.

The magnitudes of all moments that a row carries, brought to its origin by the longest offsets, bound every term that an
articulated or composite inertia of it is made of, whatever the angles. Only what slides makes them vary with the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eomc.derivation.trees.joints import JointMotion, Rate
from eomc.derivation.trees.rows import GROUND, TreeRows
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op


def inertia_bounds(
    graph: Graph, rows: TreeRows, motions: Sequence[JointMotion], rates: Sequence[Sequence[Rate]]
) -> dict[Rate, Node]:
    """Return a bound of the terms of each rate's inertia with its rotor: [kg m^2] about an axis, [kg] along one."""
    g, two = graph, graph.constant(2)
    bodies = [row.moments for row in rows.rows]
    masses = [_magnitude(g, [body.mass]) for body in bodies]
    firsts = [_magnitude(g, body.first) for body in bodies]
    seconds = [_magnitude(g, body.second) for body in bodies]
    bounds: dict[Rate, Node] = {}
    for i, row in reversed(list(enumerate(rows.rows))):
        for rate in rates[i]:
            bounds[rate] = g.add(masses[i] if rate.linear else seconds[i], row.armature)
        if row.parent == GROUND:
            continue
        far = _magnitude(g, motions[i].offset)
        mass, first = masses[i], firsts[i]
        moved = g.mul(far, g.add(g.mul(two, first), g.mul(mass, far)))
        parent = row.parent
        masses[parent] = g.add(masses[parent], mass)
        firsts[parent] = g.add(firsts[parent], g.add(first, g.mul(mass, far)))
        seconds[parent] = g.add(seconds[parent], g.add(seconds[i], moved))
    return bounds


def _magnitude(graph: Graph, nodes: Iterable[Node]) -> Node:
    """Return the sum of magnitudes; those of numbers are taken now."""
    return graph.sum(_size(graph, node) for node in nodes)


def _size(graph: Graph, node: Node) -> Node:
    number = graph.number(node)
    return graph.unary(Op.ABS, node) if number is None else graph.constant(max(number, -number))
