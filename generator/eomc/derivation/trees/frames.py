"""Frames whose z is the axis of their joint, turned about it so that constant rotations keep most zeros.

Where all numbers are known, x may be put at right angles to the axis of a joint that the row carries (Craig,
*Introduction to Robotics* (2005), section 3.4): the rotation to that joint is then a turn about x alone. What is left
as a turn about the axis of the row itself goes into the angle at which its coordinate is zero. A negative axis is a
turn by a half, never a coordinate with another sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from eomc.derivation.trees.factoring import (
    Angle,
    Floats,
    Numbers,
    angles,
    axis_turn,
    clean,
    cleaned,
    factors,
    floats_of,
    is_quarter,
    numbers_of,
)
from eomc.derivation.trees.moments import turned
from eomc.derivation.trees.rows import GROUND, Place, Row, TreeRows, identity, matrix_product
from eomc.derivation.trees.tensors import filled, transposed
from eomc.derivation.trees.turns import Rotation, into, matrix_of, out
from eomc.ir.graph import Graph
from eomc.ir.ops import Op
from eomc.ir.remembered import remembered
from eomc.lowering.vectors import Components, Matrix, matrix_of_rows
from eomc.model.trees.records import JointKind

_HINGED = (JointKind.REVOLUTE, JointKind.PRISMATIC)
_TURN = 60  # operations, about, that a constant turn by no quarter costs in all recursions
_ENTRY = 2  # that an entry of a body or an offset costs


def turn_frames(graph: Graph, rows: TreeRows) -> TreeRows:
    """Return rows whose axes are z, with the rotations that are cheapest among a few choices."""
    return _Turning(graph, rows).done()


class _Turning:
    """The new axes of each row, T with v_given = T v_new, chosen from the ground outwards."""

    def __init__(self, graph: Graph, rows: TreeRows) -> None:
        self._graph = graph
        self._given = rows
        self._children = rows.children()
        self._none = identity(graph)
        self._rows: list[Row] = []
        self._turns: list[Matrix] = []
        self._back: list[Rotation] = []  # the factors of their transposes

    def done(self) -> TreeRows:
        """Return the rows in their new frames, and the places of links in them."""
        for i in range(len(self._given.rows)):
            self._turn(i)
        places = {name: self._moved(place) for name, place in self._given.places.items()}
        return replace(self._given, rows=tuple(self._rows), places=places)

    def _moved(self, place: Place) -> Place:
        if place.row == GROUND:
            return place
        back = transposed(self._turns[place.row])
        rotation = matrix_product(self._graph, back, place.rotation)
        return Place(place.row, rotation, into(self._factors(transposed(back)), place.origin))

    def _turn(self, i: int) -> None:
        graph, row = self._graph, self._given.rows[i]
        rotation, offset, outer = row.rotation, row.offset, row.outer
        if row.parent != GROUND:
            before = self._back[row.parent]
            before_matrix = matrix_of(graph, before)
            rotation, offset = matrix_product(graph, before_matrix, rotation), out(before, offset)
            outer = matrix_product(graph, before_matrix, outer)
        turn = self._choice(i, rotation) if row.kind in _HINGED else self._none
        rotation, zero = self._with_zero(row, matrix_product(graph, rotation, turn))
        back = self._factors(transposed(turn))
        moments = turned(back, row.moments)
        axis = (graph.zero, graph.zero, graph.one) if row.kind in _HINGED else row.axis
        angle = graph.constant(zero[0]), graph.constant(zero[1])
        self._rows.append(
            replace(row, rotation=rotation, offset=offset, outer=outer, axis=axis, moments=moments, zero=angle)
        )
        self._turns.append(turn)
        self._back.append(back)

    def _with_zero(self, row: Row, rotation: Matrix) -> tuple[Matrix, Angle]:
        """Take a turn about the axis of a revolute row out of its rotation; on the ground it costs nothing there."""
        found = None if rotation == self._none else self._angles(rotation)
        if found is None:
            return rotation, (1.0, 0.0)
        first, tilt, last = found
        graph, kept = self._graph, (1.0, 0.0)
        if row.kind is JointKind.REVOLUTE and row.parent != GROUND and not is_quarter(last):
            last, kept = kept, last
        parts = (*axis_turn(graph, 2, first), *axis_turn(graph, 0, tilt), *axis_turn(graph, 2, last))
        return matrix_of(graph, parts), kept

    # Rows of a chain have equal rotations: each is looked at once.

    @remembered
    def _angles(self, rotation: Matrix) -> tuple[Angle, Angle, Angle] | None:
        """Return the angles of a rotation about z, x and z; None where it has an entry that is no number."""
        numbers = numbers_of(self._graph, rotation)
        return None if numbers is None else angles(numbers)

    @remembered
    def _factors(self, rotation: Matrix) -> Rotation:
        return factors(self._graph, rotation)

    # -- which axes --------------------------------------------------------------------------------------------------

    def _choice(self, i: int, rotation: Matrix) -> Matrix:
        """Return T for a row with an axis, given its rotation from the new frame of its parent."""
        graph, row = self._graph, self._given.rows[i]
        axis = floats_of(graph, row.axis)
        if axis is None:
            return _basis(graph, row.axis)
        aligned = _aligned(axis)
        spins = [spin for spin in self._spins(i, rotation, aligned) if spin != (1.0, 0.0)]
        choices = dict.fromkeys([aligned, *(_product(aligned, _about_z(spin)) for spin in spins)])
        if len(choices) == 1:
            return self._nodes(aligned)
        return self._nodes(min(choices, key=lambda turn: self._cost(i, rotation, turn)))

    @remembered
    def _nodes(self, turn: Numbers) -> Matrix:
        return matrix_of_rows([self._graph.constant(entry) for entry in row] for row in turn)

    def _spins(self, i: int, rotation: Matrix, aligned: Numbers) -> Iterable[Angle]:
        """Yield angles about z that may take zeros to a constant rotation or an offset."""
        graph = self._graph
        whole = matrix_product(graph, rotation, self._nodes(aligned))
        own = None if whole == self._none else self._angles(whole)
        if own is not None:
            last = own[2]
            yield last[0], -last[1]
        for child in self._children[i]:
            for vector in (self._axis_of(child), floats_of(graph, self._given.rows[child].offset)):
                if vector is not None:
                    x, y, _ = _into(aligned, vector)
                    length = math.sqrt(x * x + y * y)
                    if length > 0.0 and clean(x / length) and clean(y / length):
                        yield clean(y / length), clean(-x / length)

    def _axis_of(self, child: int) -> Floats | None:
        """Return the axis of a row in the given frame of what carries it, where it is known in numbers."""
        row = self._given.rows[child]
        if row.kind not in _HINGED:
            return None
        vector = floats_of(self._graph, out(self._factors(row.rotation), row.axis))
        return None if vector is None else cleaned(vector)

    def _cost(self, i: int, rotation: Matrix, turn: Numbers) -> int:
        """Return about what a choice of axes costs: turns by no quarter, then entries that are not zero."""
        graph, row = self._graph, self._given.rows[i]
        cost, matrix = 0, self._nodes(turn)
        turning = self._factors(matrix)
        own = self._angles(matrix_product(graph, rotation, matrix))
        if own is not None and row.parent != GROUND:
            last = own[2]
            cost += 0 if is_quarter(last) else 1 if row.kind is JointKind.REVOLUTE else _TURN
        for child in self._children[i]:
            vector = self._axis_of(child)
            if vector is not None:
                x, y, _ = _into(turn, vector)
                cost += _TURN * (clean(x) != 0.0 and clean(y) != 0.0)
            cost += _ENTRY * filled(graph, into(turning, self._given.rows[child].offset))
        moments = turned(self._factors(transposed(matrix)), row.moments)
        return cost + _ENTRY * filled(graph, (*moments.first[:2], *(e for k, e in enumerate(moments.second) if k != 2)))


def _product(a: Numbers, b: Numbers) -> Numbers:
    x, y, z = (tuple(clean(sum(a[i][k] * b[k][j] for k in range(3))) for j in range(3)) for i in range(3))
    return x, y, z  # type: ignore[return-value]  # three entries each


def _into(turn: Numbers, v: Floats) -> Floats:
    x, y, z = (sum(turn[k][j] * v[k] for k in range(3)) for j in range(3))
    return x, y, z


def _about_z(angle: Angle) -> Numbers:
    cos, sin = angle
    return (cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)


_EXACT: Mapping[Floats, Numbers] = {
    (0.0, 0.0, 1.0): ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    (0.0, 0.0, -1.0): ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
    (1.0, 0.0, 0.0): ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    (-1.0, 0.0, 0.0): ((0.0, 0.0, -1.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    (0.0, 1.0, 0.0): ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
    (0.0, -1.0, 0.0): ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (-1.0, 0.0, 0.0)),
}


def _aligned(axis: Floats) -> Numbers:
    """Return a rotation that takes z to a unit vector, exact where that is an axis."""
    length = math.sqrt(sum(e * e for e in axis))
    x, y, z = (clean(e / length) for e in axis)
    exact = _EXACT.get((x, y, z))
    if exact is not None:
        return exact
    across = math.sqrt(x * x + y * y)
    first, second = (y / across, -x / across, 0.0), (z * x / across, z * y / across, -across)
    (a, b, c), (d, e, f) = (map(clean, row) for row in (first, second))
    return (a, d, x), (b, e, y), (c, f, z)


def _basis(graph: Graph, axis: Components) -> Matrix:
    """Return a rotation that takes z to a unit vector of parameters, without a special place.

    Duff et al., *Building an Orthonormal Basis, Revisited*, Journal of Computer Graphics Techniques 6 (2017).
    """
    g, (x, y, z) = graph, axis
    sign = g.select(g.binary(Op.LT, z, g.zero), g.constant(-1), g.one)
    a = g.neg(g.div(g.one, g.add(sign, z)))
    b = g.mul(g.mul(x, y), a)
    first = (g.add(g.one, g.mul(sign, g.mul(g.powi(x, 2), a))), g.mul(sign, b), g.neg(g.mul(sign, x)))
    second = (b, g.add(sign, g.mul(g.powi(y, 2), a)), g.neg(y))
    return transposed((first, second, axis))
