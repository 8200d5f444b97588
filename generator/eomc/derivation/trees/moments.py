"""The moments of a body's mass: m, h = integral of rho dm and S = integral of rho rho^T dm about its frame's origin.

S moves more simply than the inertia I = tr(S) 1 - S, and takes sums, turns and shifts without a case.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derivation.trees.tensors import (
    Symmetric,
    no_tensor,
    outer_square,
    outer_twice,
    symmetric_plus,
    trace,
)
from eomc.derivation.trees.turns import Rotation, out, symmetric_out
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.lowering.vectors import Components, plus, scale


@dataclass(frozen=True, slots=True)
class Moments:
    """Mass [kg], first moment [kg m] and second moments [kg m^2] about the origin of a frame, in its axes."""

    mass: Node
    first: Components
    second: Symmetric


def no_moments(graph: Graph) -> Moments:
    """Return the moments of nothing."""
    return Moments(graph.zero, (graph.zero,) * 3, no_tensor(graph))


def moments_of_body(graph: Graph, mass: Node, centre: Components, inertia: Symmetric) -> Moments:
    """Return the moments of a body by its mass, its centre and its inertia about that."""
    second = symmetric_plus(graph, _second(graph, inertia), outer_square(graph, centre, mass))
    return Moments(mass, scale(graph, mass, centre), second)


def moments_about_origin(graph: Graph, mass: Node, first: Components, inertia: Symmetric) -> Moments:
    """Return the moments of a body by its mass, its first moments and its inertia about the frame's origin."""
    return Moments(mass, first, _second(graph, inertia))


def _second(graph: Graph, inertia: Symmetric) -> Symmetric:
    """Return S = tr(I)/2 1 - I."""
    half = graph.div(trace(graph, inertia), graph.constant(2))
    return Symmetric(*(graph.sub(half, e) for e in inertia[:3]), *(graph.neg(e) for e in inertia[3:]))


def moments_plus(graph: Graph, a: Moments, b: Moments) -> Moments:
    """Return the moments of two bodies in one frame; what mirrored bodies have of both signs is gone from them."""
    x, y, z = (_together(graph, p, q) for p, q in zip(a.first, b.first, strict=True))
    second = Symmetric(*(_together(graph, p, q) for p, q in zip(a.second, b.second, strict=True)))
    return Moments(graph.add(a.mass, b.mass), (x, y, z), second)


def _together(graph: Graph, a: Node, b: Node) -> Node:
    """Return a + b, of c - x and x the c alone: what fingers that open to both sides leave of their moments.

    It is another float than their sum, and a better one, for nothing is rounded. Sums that a user wrote are none of
    these.
    """
    if graph.zero in (a, b):
        return b if a == graph.zero else a
    for first, second in ((a, b), (b, a)):
        op, args = graph.ops[first], graph.args[first]
        if op is Op.SUB and args[1] == second:
            return args[0]
        if graph.ops[second] is Op.NEG and op is Op.ADD and graph.args[second][0] in args:
            return args[1] if args[0] == graph.args[second][0] else args[0]
    return graph.add(a, b)


def turned(rotation: Rotation, a: Moments) -> Moments:
    """Return moments in the axes of the parent."""
    return Moments(a.mass, out(rotation, a.first), symmetric_out(rotation, a.second))


def shifted(graph: Graph, a: Moments, r: Components) -> Moments:
    """Return moments about another origin, from which theirs is at r: S + h r^T + r h^T + m r r^T."""
    g, zero = graph, graph.zero
    if r == (zero, zero, zero):
        return a
    moved = scale(g, a.mass, r)
    first = plus(g, a.first, moved)
    half = plus(g, a.first, scale(g, g.div(a.mass, g.constant(2)), r))
    # h r^T + r h^T + m r r^T = (h + m r / 2) r^T + r (h + m r / 2)^T
    return Moments(a.mass, first, symmetric_plus(g, a.second, outer_twice(g, half, r)))


def carried(graph: Graph, rotation: Rotation, r: Components, a: Moments) -> Moments:
    """Return moments in the frame of the parent, in which the child's origin is at r."""
    return shifted(graph, turned(rotation, a), r)
