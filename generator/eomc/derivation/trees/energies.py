"""Kinetic and potential energy of a tree, from moments that were regrouped: no sum of them changes by that."""

from __future__ import annotations

from eomc.derivation.trees.composite import composite_moments
from eomc.derivation.trees.moments import Moments
from eomc.derivation.trees.placed import PlacedTree
from eomc.derivation.trees.rows import GROUND
from eomc.derivation.trees.turns import out
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, cross, dot, plus, scale


def kinetic_energy(placed: PlacedTree) -> Node:
    """Return T: the sum of m v.v / 2 + v.(w x h) + w.I w / 2 over the rows, with the rotors."""
    graph = placed.graph
    twice = []
    for row, motion, (velocity, spin) in zip(
        placed.moving.rows.rows, placed.moving.motions, placed.twists, strict=True
    ):
        moved = cross(graph, spin, row.moments.first)
        momentum = plus(graph, scale(graph, row.moments.mass, velocity), plus(graph, moved, moved))
        twice += [dot(graph, velocity, momentum), _of_spin(graph, row.moments, spin)]
        if row.armature != graph.zero:
            squares = (graph.powi(rate, 2) for rate in (*motion.linear, *motion.angular))
            twice.append(graph.mul(row.armature, graph.sum(squares)))
    return graph.div(graph.sum(twice), graph.constant(2))


def _of_spin(graph: Graph, moments: Moments, w: Components) -> Node:
    """Return w.I w with I = tr(S) 1 - S."""
    s = moments.second
    squares = [graph.powi(e, 2) for e in w]
    along = [graph.mul(s(i, i), graph.add(squares[(i + 1) % 3], squares[(i + 2) % 3])) for i in range(3)]
    across = [graph.mul(s(i, j), graph.mul(w[i], w[j])) for i, j in ((0, 1), (0, 2), (1, 2))]
    return graph.sub(graph.sum(along), graph.mul(graph.constant(2), graph.sum(across)))


def potential_energy(placed: PlacedTree) -> Node:
    """Return V = -g . (first moment of all that moves, and of what is fixed, about the root's origin)."""
    graph, first = placed.graph, placed.rows.grounded.first
    total = composite_moments(graph, placed.moving.rows, placed.moving.motions)
    for row, motion, moments in zip(placed.moving.rows.rows, placed.moving.motions, total, strict=True):
        if row.parent == GROUND:
            own = out(motion.rotation, moments.first)
            first = plus(graph, first, plus(graph, own, scale(graph, moments.mass, motion.offset)))
    return graph.neg(dot(graph, placed.gravity, first))
