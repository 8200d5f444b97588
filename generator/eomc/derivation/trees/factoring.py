"""A constant rotation as factors that are cheap to apply: turns about axes and permutations of them.

Every rotation is a turn about z, one about x and one about z. A matrix of numbers is written so, each pair of cosine
and sine brought to the length of one again: what rounding, or ten digits of a file, have left of R^T R = 1 is mended.
Entries of a rotation are of the size of one, so that what is below its rounding is none. Only roots are taken, which
are the same on every machine.
"""

from __future__ import annotations

import math
import sys

from eomc.derivation.trees.turns import AxisTurn, MatrixTurn, Permutation, Rotation, Turn
from eomc.ir.graph import Graph
from eomc.lowering.vectors import Components, Matrix

_ROUNDING = 8 * sys.float_info.epsilon

Floats = tuple[float, float, float]
Numbers = tuple[Floats, Floats, Floats]
Angle = tuple[float, float]
"""Cosine and sine."""


def numbers_of(graph: Graph, matrix: Matrix) -> Numbers | None:
    """Return the entries of a matrix as floats; None where one is no number."""
    x, y, z = (floats_of(graph, row) for row in matrix)
    return None if x is None or y is None or z is None else (cleaned(x), cleaned(y), cleaned(z))


def floats_of(graph: Graph, vector: Components) -> Floats | None:
    """Return components as floats; None where one is no number."""
    x, y, z = map(graph.number, vector)
    return None if x is None or y is None or z is None else (float(x), float(y), float(z))


def cleaned(row: Floats) -> Floats:
    """Return entries of rotations without what is rounding beside one."""
    return clean(row[0]), clean(row[1]), clean(row[2])


def clean(x: float) -> float:
    """Return an entry of a rotation without what is rounding beside one."""
    return 0.0 if abs(x) <= _ROUNDING else x


def factors(graph: Graph, matrix: Matrix) -> Rotation:
    """Return the factors of a constant rotation; one whose entries are not all numbers stays as it is."""
    zero, one = graph.zero, graph.one
    if matrix == ((one, zero, zero), (zero, one, zero), (zero, zero, one)):  # as most are
        return ()
    numbers = numbers_of(graph, matrix)
    if numbers is None:
        return (MatrixTurn(graph, matrix),)
    first, tilt, last = angles(numbers)
    return (*axis_turn(graph, 2, first), *axis_turn(graph, 0, tilt), *axis_turn(graph, 2, last))


def angles(r: Numbers) -> tuple[Angle, Angle, Angle]:
    """Return the angles of turns about z, x and z whose product a rotation is, the first one zero where it can be."""
    across = math.sqrt(r[0][2] ** 2 + r[1][2] ** 2)
    if not across > _ROUNDING:
        if r[2][2] > 0.0:
            return (1.0, 0.0), (1.0, 0.0), _unit(r[0][0], r[1][0])
        return (1.0, 0.0), (-1.0, 0.0), _unit(r[0][0], -r[1][0])
    first, tilt = _unit(-r[1][2], r[0][2]), _unit(r[2][2], across)
    if first == (-1.0, 0.0):  # the same rotation with the signs of the first and the second changed
        first, tilt = (1.0, 0.0), (tilt[0], -tilt[1])
    cos, sin = first  # of a small tilt the first angle is uncertain: the last one makes up for it
    return first, tilt, _unit(cos * r[0][0] + sin * r[1][0], -cos * r[0][1] - sin * r[1][1])


def _unit(cos: float, sin: float) -> Angle:
    cos, sin = clean(cos), clean(sin)
    length = math.sqrt(cos * cos + sin * sin)
    return cos / length, sin / length


def is_quarter(angle: Angle) -> bool:
    """Whether an angle is a multiple of a right one."""
    return 0.0 in angle


def axis_turn(graph: Graph, axis: int, angle: Angle) -> tuple[Turn, ...]:
    """Return a turn about an axis: none, a permutation, or one with a cosine and a sine."""
    cos, sin = angle
    if angle == (1.0, 0.0):
        return ()
    if not is_quarter(angle):
        return (AxisTurn(graph, axis, graph.constant(cos), graph.constant(sin)),)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    places, signs = [0, 1, 2], [1, 1, 1]
    if sin == 0.0:
        signs[i] = signs[j] = -1
    else:  # out: i' = -sin j, j' = sin i
        places[i], places[j] = j, i
        signs[i], signs[j] = (-1, 1) if sin > 0.0 else (1, -1)
    return (Permutation(graph, (places[0], places[1], places[2]), (signs[0], signs[1], signs[2])),)
