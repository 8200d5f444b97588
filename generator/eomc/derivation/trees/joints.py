"""How each joint moves: rotation and offset of its row at a state, and the rates of its motion in axes of the row.

A rate is one of a unit motion, about or along an axis of the row: one of them for a revolute or a prismatic joint,
three for a ball, six for a free joint, the velocity of its origin first. All recursions are written in these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import sympy

from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.rows import Row, TreeRows
from eomc.derivation.trees.turns import AxisTurn, MatrixTurn, Rotation, out
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, Matrix, plus, three
from eomc.model.trees.records import JointKind

_DIGITS = 30


class Rate(NamedTuple):
    """A unit motion of a row: about its axis 0, 1 or 2, or along it."""

    row: int
    linear: bool
    axis: int


@dataclass(frozen=True, slots=True)
class JointMotion:
    """A joint at a state.

    Attributes
    ----------
    rotation, offset
        v_parent = rotation v_row, and the origin of the row in the parent's frame.
    angular, linear
        Velocities against the parent, in axes of the row.
    """

    rotation: Rotation
    offset: Components
    angular: Components
    linear: Components


_UNITS = {
    JointKind.REVOLUTE: ((False, 2),),
    JointKind.PRISMATIC: ((True, 2),),
    JointKind.BALL: tuple((False, k) for k in range(3)),
    JointKind.FREE: (*((True, k) for k in range(3)), *((False, k) for k in range(3))),
}


def rates_of(rows: TreeRows) -> list[list[Rate]]:
    """Return the rates of each row, in their order."""
    return [[Rate(i, linear, axis) for linear, axis in _UNITS[row.kind]] for i, row in enumerate(rows.rows)]


def joint_motion(graph: Graph, row: Row, coordinates: Sequence[Node], rates: Sequence[Node]) -> JointMotion:
    """Return the motion of a joint.

    Parameters
    ----------
    graph
        The graph.
    row
        The row, its axis z where it has one.
    coordinates
        As its kind has them: a quaternion (w, x, y, z) or three angles about the row's x, y and z in this order; of a
        free joint, the position of the origin in the parent's frame before them.
    rates
        In axes of the row.
    """
    zero, rotation = graph.zero, joint_rotation(graph, row, coordinates)
    none = (zero, zero, zero)
    if row.kind is JointKind.REVOLUTE:
        return JointMotion(rotation, row.offset, (zero, zero, rates[0]), none)
    if row.kind is JointKind.PRISMATIC:
        offset = plus(graph, row.offset, out(rotation, (zero, zero, coordinates[0])))
        return JointMotion(rotation, offset, none, (zero, zero, rates[0]))
    if row.kind is JointKind.BALL:
        return JointMotion(rotation, row.offset, three(rates), none)
    offset = plus(graph, row.offset, out(factors(graph, row.outer), three(coordinates[:3])))
    return JointMotion(rotation, offset, three(rates[3:]), three(rates[:3]))


def joint_rotation(graph: Graph, row: Row, coordinates: Sequence[Node]) -> Rotation:
    """Return the rotation of a row in its parent at a state."""
    fixed = row.fixed(graph)
    if row.kind is JointKind.REVOLUTE:
        return (*fixed, AxisTurn.by(graph, 2, turn_of(graph, row, coordinates[0])))
    if row.kind is JointKind.PRISMATIC:
        return fixed
    return (*fixed, *orientation(graph, coordinates if row.kind is JointKind.BALL else coordinates[3:]))


def turn_of(graph: Graph, row: Row, coordinate: Node) -> Node:
    """Return the angle of a revolute row for its coordinate."""
    zero = zero_angle(graph, row) if row.zero_angle is None else row.zero_angle
    return graph.add(coordinate, zero)


def zero_angle(graph: Graph, row: Row) -> Node:
    """Return the angle that a revolute row has where its coordinate is zero."""
    cos, sin = (graph.number(e) for e in row.zero)
    assert cos is not None
    assert sin is not None
    if sin == 0 and cos == 1:
        return graph.zero
    exact = sympy.atan2(sympy.Float(sin, _DIGITS), sympy.Float(cos, _DIGITS))  # the same digits on every machine
    return graph.constant(float(exact.evalf(_DIGITS)))


def orientation(graph: Graph, coordinates: Sequence[Node]) -> Rotation:
    """Return the rotation by a quaternion (w, x, y, z) of any length, or by angles about the body's x, y and z."""
    if len(coordinates) == 3:
        return tuple(AxisTurn.by(graph, axis, angle) for axis, angle in enumerate(coordinates))
    return (MatrixTurn(graph, _of_quaternion(graph, coordinates)),)


def quaternion_scale(graph: Graph, quaternion: Sequence[Node]) -> tuple[Node, Node]:
    """Return 2 / |e|^2 and |e|^2 of a quaternion.

    With it a rotation depends on the direction of e alone: it stays one where the length of e drifts, and all
    algorithms have the same derivatives by the four entries.
    """
    square = graph.sum(graph.powi(e, 2) for e in quaternion)
    return graph.div(graph.constant(2), square), square


def _of_quaternion(graph: Graph, quaternion: Sequence[Node]) -> Matrix:
    """Return 1 + k (w [v] + [v]^2) with k = 2 / |e|^2."""
    g, (w, x, y, z) = graph, quaternion
    k, _ = quaternion_scale(graph, quaternion)
    kx, ky, kz = (g.mul(k, e) for e in (x, y, z))
    xx, yy, zz = g.mul(kx, x), g.mul(ky, y), g.mul(kz, z)
    xy, xz, yz = g.mul(kx, y), g.mul(kx, z), g.mul(ky, z)
    wx, wy, wz = g.mul(kx, w), g.mul(ky, w), g.mul(kz, w)
    return (
        (g.sub(g.one, g.add(yy, zz)), g.sub(xy, wz), g.add(xz, wy)),
        (g.add(xy, wz), g.sub(g.one, g.add(xx, zz)), g.sub(yz, wx)),
        (g.sub(xz, wy), g.add(yz, wx), g.sub(g.one, g.add(xx, yy))),
    )
