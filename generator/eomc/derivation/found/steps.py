"""What one rotation between two frames is: constant, a turn about a constant axis, several turns, or none of these.

Only nodes are asked: a matrix is a turn where its entries are cosine and sine of one angle as those of a turn are, and
not where numbers happen to be so. How the matrix came about, by an axis, by angles or by hand, makes no difference.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from eomc.derivation.found.constants import settled_matrix, settled_vector
from eomc.derivation.trees.factoring import clean
from eomc.derivation.trees.rows import identity, matrix_product
from eomc.derivation.trees.tensors import AXES, cross_matrix
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.lowering.vectors import Components, Matrix, fixed_axis, matrix_of_rows, three
from eomc.passes.substitute import Substitution

IsZero: TypeAlias = Callable[[Node], bool]


@dataclass(frozen=True, slots=True)
class Fixed:
    """A constant rotation: v_before = rotation v_after."""

    rotation: Matrix


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn about an axis, a unit vector that is constant and the same in both frames."""

    axis: Components
    angle: Node


Step: TypeAlias = Fixed | Turn


def steps_of(graph: Graph, is_zero: IsZero, rotation: Matrix) -> tuple[Step, ...] | None:
    """Return the steps that make a rotation, v_before = rotation v_after; None where it is none that is known."""
    if all(graph.level[entry] < Level.VARYING for row in rotation for entry in row):
        return () if rotation == identity(graph) else (Fixed(settled_matrix(graph, rotation)),)
    found = _about_own_axis(graph, rotation)
    if found is None:
        angles = _angles(graph, rotation)
        if len(angles) == 1:
            found = _about_constant_axis(graph, is_zero, rotation, angles[0])
        elif len(angles) == 3:
            found = _by_three_angles(graph, is_zero, rotation, angles)
    return found


# -- one turn --------------------------------------------------------------------------------------------------------


def unit(graph: Graph, axis: int) -> Components:
    """Return the unit vector of an axis."""
    return identity(graph)[axis]


def turn_matrix(graph: Graph, axis: int, cos: Node, sin: Node) -> Matrix:
    """Return the rotation about one of the axes."""
    rows = [list(row) for row in identity(graph)]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    rows[i][i] = rows[j][j] = cos
    rows[i][j], rows[j][i] = graph.neg(sin), sin
    return matrix_of_rows(rows)


def axis_of_turn(graph: Graph, rotation: Matrix) -> tuple[int, Node, Node] | None:
    """Return axis, cosine and sine of what is written as a turn about one of the axes; None of all else."""
    axis = fixed_axis(graph, rotation)
    if axis is None:
        return None
    i, j = (axis + 1) % 3, (axis + 2) % 3
    cos, sin = rotation[i][i], rotation[j][i]
    return (axis, cos, sin) if rotation == turn_matrix(graph, axis, cos, sin) else None


def _about_own_axis(graph: Graph, rotation: Matrix) -> tuple[Step, ...] | None:
    """Return a turn about one of the axes, by an angle beyond a multiple of a right one."""
    found = axis_of_turn(graph, rotation)
    if found is None:
        return None
    axis, cos, sin = found
    (first, of_cos, angle), (second, of_sin, other) = _signed(graph, cos), _signed(graph, sin)
    if angle != other or {of_cos, of_sin} != {Op.COS, Op.SIN}:
        return None
    if of_cos is Op.COS:  # cos(s a + k pi/2) = first cos a, sin(...) = second sin a
        quarters, sign = (0, second) if first > 0 else (2, -second)
    else:
        quarters, sign = (1, -first) if second > 0 else (3, first)
    one, zero = graph.one, graph.zero
    right = ((one, zero), (zero, one), (graph.neg(one), zero), (zero, graph.neg(one)))[quarters]
    turn = Turn(unit(graph, axis), angle if sign > 0 else graph.neg(angle))
    return (turn,) if quarters == 0 else (Fixed(turn_matrix(graph, axis, *right)), turn)


def _signed(graph: Graph, node: Node) -> tuple[int, Op, Node]:
    """Return the sign, the operation and the first argument of a node."""
    sign = 1
    if graph.ops[node] is Op.NEG:
        sign, node = -1, graph.args[node][0]
    return sign, graph.ops[node], graph.args[node][0] if graph.args[node] else node


def _angles(graph: Graph, rotation: Matrix) -> list[Node]:
    """Return the angles of varying sines and cosines below a matrix, in order of appearance."""
    found: dict[Node, None] = {}
    met: set[Node] = set()
    stack = [entry for row in reversed(rotation) for entry in reversed(row)]
    while stack:
        node = stack.pop()
        if node in met or graph.level[node] < Level.VARYING:
            continue
        met.add(node)
        if graph.ops[node] in (Op.COS, Op.SIN):
            found[graph.args[node][0]] = None
        else:
            stack += reversed(graph.args[node])
    return list(found)


def _about_constant_axis(graph: Graph, is_zero: IsZero, rotation: Matrix, angle: Node) -> tuple[Step, ...] | None:
    """Return a turn about any axis: R = n n^T + (1 - n n^T) cos + [n] sin with a constant n."""
    g = graph
    cos, sin = g.unary(Op.COS, angle), g.unary(Op.SIN, angle)

    def at(c: Node, s: Node) -> Matrix:
        put = Substitution(graph, {cos: c, sin: s})
        return matrix_of_rows([put(entry) for entry in row] for row in rotation)

    middle, quarter = at(g.zero, g.zero), at(g.zero, g.one)
    swing = [[g.sub(a, b) for a, b in zip(*rows, strict=True)] for rows in zip(quarter, middle, strict=True)]
    axis = three(
        g.div(g.sub(swing[(k + 2) % 3][(k + 1) % 3], swing[(k + 1) % 3][(k + 2) % 3]), g.constant(2)) for k in AXES
    )
    if any(g.level[entry] >= Level.VARYING for entry in axis):
        return None
    axis = settled_vector(graph, axis)
    return (Turn(axis, angle),) if _alike(graph, is_zero, rotation, about(graph, axis, cos, sin)) else None


def about(graph: Graph, axis: Components, cos: Node, sin: Node) -> Matrix:
    """Return the rotation about a unit vector."""
    g = graph
    rest = g.sub(g.one, cos)
    skew = cross_matrix(g, axis)
    return matrix_of_rows(
        [
            g.add(g.mul(rest, g.mul(axis[i], axis[j])), g.add(cos if i == j else g.zero, g.mul(sin, skew[i][j])))
            for j in AXES
        ]
        for i in AXES
    )


# -- three turns -----------------------------------------------------------------------------------------------------


def _by_three_angles(
    graph: Graph, is_zero: IsZero, rotation: Matrix, angles: Sequence[Node]
) -> tuple[Step, ...] | None:
    """Return three turns about axes of the frames, each frame turned by the angles before."""
    for axes in _SEQUENCES:
        for chosen in _arrangements(graph, rotation, axes, angles):
            made = identity(graph)
            for axis, angle in zip(axes, chosen, strict=True):
                turn = turn_matrix(graph, axis, graph.unary(Op.COS, angle), graph.unary(Op.SIN, angle))
                made = matrix_product(graph, made, turn)
            if _alike(graph, is_zero, rotation, made):
                return tuple(Turn(unit(graph, axis), angle) for axis, angle in zip(axes, chosen, strict=True))
    return None


_SEQUENCES = [(i, j, k) for i, j, k in itertools.product(AXES, repeat=3) if j not in (i, k)]


def _arrangements(
    graph: Graph, rotation: Matrix, axes: Sequence[int], angles: Sequence[Node]
) -> Iterator[tuple[Node, ...]]:
    """Yield orders of the angles in which the entry between the outer axes is that of the middle angle alone."""
    first, _, last = axes
    sign, op, middle = _signed(graph, rotation[first][last])
    expected = Op.COS if first == last else Op.SIN
    if op is not expected or middle not in angles:
        return
    cyclic = 1 if (first + 1) % 3 == axes[1] else -1
    if first != last and sign != cyclic:
        return
    outer = [angle for angle in angles if angle != middle]
    for one, two in itertools.permutations(outer):
        yield one, middle, two


def _alike(graph: Graph, is_zero: IsZero, a: Matrix, b: Matrix) -> bool:
    """Whether two rotations are the same function; their entries are of the size of one."""

    def nothing(x: Node, y: Node) -> bool:
        apart = graph.sub(x, y)
        number = graph.number(apart)
        return clean(float(number)) == 0.0 if number is not None else is_zero(apart)

    return all(x == y or nothing(x, y) for rows in zip(a, b, strict=True) for x, y in zip(*rows, strict=True))


def is_turned_by(
    graph: Graph, is_zero: IsZero, rate: Callable[[Node], Node], rotation: Matrix, w: Components, before: bool = False
) -> bool:
    """Whether R' = R [w] with w in the axes after, or [w] R in those before: the angular velocity is the rotation's."""
    skew = cross_matrix(graph, w)
    turned = matrix_product(graph, skew, rotation) if before else matrix_product(graph, rotation, skew)
    return all(
        is_zero(graph.sub(rate(entry), other))
        for rows in zip(rotation, turned, strict=True)
        for entry, other in zip(*rows, strict=True)
    )
