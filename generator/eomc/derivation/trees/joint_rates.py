"""Q' of joints from their velocities, in closed form.

A quaternion e = (w, x, y, z) has e' = e (0, omega) / 2 for omega in axes of the child (A. A. Shabana, *Dynamics of
Multibody Systems* (2013), section 2.5). Three angles about the child's x, y, z in this order have
omega = a' R_z^T R_y^T e_x + b' R_z^T e_y + c' e_z, which has no inverse where cos b vanishes.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derivation.trees.joints import JointMotion, quaternion_scale
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.lowering.vectors import Components, cross, dot, plus, scale, three
from eomc.model.names import name_of
from eomc.model.trees.records import Joint, JointKind
from eomc.solving.checks import Checks


def joint_rates(
    graph: Graph, joint: Joint, q: Sequence[Node], u: Sequence[Node], motion: JointMotion, checks: Checks
) -> list[Node]:
    """Return q' of a joint.

    Parameters
    ----------
    graph, checks
        The graph; angles divide by the cosine of the second one, rotations by the length of a quaternion: both are
        tested.
    joint, q, u
        The joint, its coordinates and speeds; the velocity of a free one in axes of what carries it.
    motion
        Its motion.
    """
    if joint.kind in (JointKind.REVOLUTE, JointKind.PRISMATIC):
        return list(u)
    turning = q[3:] if joint.kind is JointKind.FREE else q
    if len(turning) == 4:
        checks.nonzero(*quaternion_scale(graph, turning), name_of(joint.coordinates[-4]))
        rates = _of_quaternion(graph, turning, motion.angular)
    else:
        rates = _of_angles(graph, turning, motion.angular, name_of(joint.coordinates[-2]), checks)
    if joint.kind is JointKind.BALL:
        return rates
    return [*u[:3], *rates]


def _of_quaternion(graph: Graph, e: Sequence[Node], spin: Components) -> list[Node]:
    scalar, vector = e[0], three(e[1:])
    half = graph.div(graph.one, graph.constant(2))
    turned, along = cross(graph, vector, spin), dot(graph, vector, spin)
    rates = plus(graph, scale(graph, scalar, spin), turned)
    return [graph.mul(half, rate) for rate in (graph.neg(along), *rates)]


def _of_angles(graph: Graph, angles: Sequence[Node], spin: Components, name: str, checks: Checks) -> list[Node]:
    _, second, third = angles
    cos_b, sin_b = graph.unary(Op.COS, second), graph.unary(Op.SIN, second)
    cos_c, sin_c = graph.unary(Op.COS, third), graph.unary(Op.SIN, third)
    first = graph.div(graph.sub(graph.mul(cos_c, spin[0]), graph.mul(sin_c, spin[1])), cos_b)
    checks.nonzero(first, cos_b, name)
    return [
        first,
        graph.add(graph.mul(sin_c, spin[0]), graph.mul(cos_c, spin[1])),
        graph.sub(spin[2], graph.mul(sin_b, first)),
    ]
