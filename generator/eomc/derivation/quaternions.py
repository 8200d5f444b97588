"""Unit quaternions (w, x, y, z) on the graph: they turn components in a frame to those in the frame before it.

Turns about known axes give them by half angles, exact in norm, without a branch and continuous in the angles. A
rotation that shows no such structure gives four multiples of its quaternion, 4 q_k q for k = w, x, y, z, of which the
longest is taken and brought to length one (S. W. Shepperd, *J. Guidance and Control* 1 (1978) 223; F. L. Markley, *J.
Guidance, Control, and Dynamics* 31 (2008) 440): nothing is ever divided by what may vanish.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from eomc.derivation.trees.factoring import Numbers, numbers_of
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.lowering.vectors import Components, Matrix, dot

Quaternion: TypeAlias = tuple[Node, Node, Node, Node]


def no_turn(graph: Graph) -> Quaternion:
    """Return the quaternion of one."""
    return graph.one, graph.zero, graph.zero, graph.zero


def by_angle(graph: Graph, axis: Components, angle: Node) -> Quaternion:
    """Return the quaternion of a turn about a unit vector."""
    half = graph.div(angle, graph.constant(2))
    cos, sin = graph.unary(Op.COS, half), graph.unary(Op.SIN, half)
    return cos, graph.mul(sin, axis[0]), graph.mul(sin, axis[1]), graph.mul(sin, axis[2])


def product(graph: Graph, a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the quaternion of the rotation a after the rotation b."""
    add, sub, mul = graph.add, graph.sub, graph.mul
    (a0, a1, a2, a3), (b0, b1, b2, b3) = a, b
    return (
        sub(sub(sub(mul(a0, b0), mul(a1, b1)), mul(a2, b2)), mul(a3, b3)),
        sub(add(add(mul(a0, b1), mul(a1, b0)), mul(a2, b3)), mul(a3, b2)),
        add(add(sub(mul(a0, b2), mul(a1, b3)), mul(a2, b0)), mul(a3, b1)),
        add(sub(add(mul(a0, b3), mul(a1, b2)), mul(a2, b1)), mul(a3, b0)),
    )


def normalized(graph: Graph, q: Quaternion) -> Quaternion:
    """Return a quaternion brought to length one."""
    w, x, y, z = q
    length = graph.unary(Op.SQRT, graph.sum(graph.powi(entry, 2) for entry in q))
    return graph.div(w, length), graph.div(x, length), graph.div(y, length), graph.div(z, length)


def of_constants(graph: Graph, rotation: Matrix) -> Quaternion:
    """Return the quaternion of a rotation that is constant, in numbers where its entries are."""
    numbers = numbers_of(graph, rotation)
    if numbers is None:
        return of_rotation(graph, rotation)
    columns = _columns_of_numbers(numbers)
    longest = max(range(4), key=lambda k: columns[k][k])
    length = math.sqrt(sum(entry * entry for entry in columns[longest]))
    w, x, y, z = (graph.constant(entry / length) for entry in columns[longest])
    return w, x, y, z


def _columns_of_numbers(r: Numbers) -> tuple[tuple[float, ...], ...]:
    (a, b, c), (d, e, f), (g, h, i) = r
    return (
        (1.0 + a + e + i, h - f, c - g, d - b),
        (h - f, 1.0 + a - e - i, b + d, c + g),
        (c - g, b + d, 1.0 - a + e - i, f + h),
        (d - b, c + g, f + h, 1.0 - a - e + i),
    )


def of_rotation(graph: Graph, rotation: Matrix) -> Quaternion:
    """Return the quaternion of v_before = R v_after, where R may have a positive factor.

    A quaternion whose length has drifted gives such an R.
    """
    g = graph
    (a, b, c), (d, e, f), (p, h, i) = rotation
    size = g.unary(Op.SQRT, dot(g, rotation[0], rotation[0]))
    wx, wy, wz = g.sub(h, f), g.sub(c, p), g.sub(d, b)
    xy, xz, yz = g.add(b, d), g.add(c, p), g.add(f, h)
    columns: list[Quaternion] = [
        (g.add(g.add(size, a), g.add(e, i)), wx, wy, wz),
        (wx, g.sub(g.add(size, a), g.add(e, i)), xy, xz),
        (wy, xy, g.sub(g.add(size, e), g.add(a, i)), yz),
        (wz, xz, yz, g.sub(g.add(size, i), g.add(a, e))),
    ]
    first, of_first = _longer(g, columns[0], columns[0][0], columns[1], columns[1][1])
    second, of_second = _longer(g, columns[2], columns[2][2], columns[3], columns[3][3])
    return normalized(g, _longer(g, first, of_first, second, of_second)[0])


def _longer(graph: Graph, a: Quaternion, of_a: Node, b: Quaternion, of_b: Node) -> tuple[Quaternion, Node]:
    """Return the one of two columns whose entry on the diagonal is larger, and that entry."""
    less = graph.binary(Op.LT, of_a, of_b)
    w, x, y, z = (graph.select(less, theirs, own) for own, theirs in zip(a, b, strict=True))
    return (w, x, y, z), graph.select(less, of_b, of_a)
