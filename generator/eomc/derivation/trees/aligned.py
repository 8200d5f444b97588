"""Rows with parallel axes in one frame: what turns between them is a few constants, and no composite or wrench.

Where a joint's axis is parallel to that of the joint before it, as at shoulder, elbow and wrist of many arms or at hip
and knee of legs, the row between them need not have the axes of its body. It takes those that its joint does not turn:
the constants of its body are turned by the sum of the angles instead, which a recursion does once, and everything that
passes between such rows keeps its components. A turn by the sum of all angles is left to the last of them. Recursions
hold in any axes, as all they say is about vectors at one instant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from eomc.derivation.trees.joints import JointMotion, turn_of
from eomc.derivation.trees.moments import turned
from eomc.derivation.trees.rows import GROUND, Place, Row, TreeRows
from eomc.derivation.trees.turns import AxisTurn, Permutation, Rotation, Turn, apply_to_matrix, out
from eomc.ir.graph import Graph, Node
from eomc.model.trees.records import JointKind

_HINGED = (JointKind.REVOLUTE, JointKind.PRISMATIC)


@dataclass(frozen=True, slots=True)
class _AboutAxis:
    """A turn about z, v_new = turn v_row, by constants and by a sum of coordinates; None: by none."""

    fixed: Rotation
    angle: Node | None


def align(
    graph: Graph, rows: TreeRows, motions: Sequence[JointMotion], coordinates: Sequence[Sequence[Node]]
) -> tuple[TreeRows, tuple[JointMotion, ...]]:
    """Return rows and motions in which rows with parallel axes share their axes; moments then vary with the state.

    Parameters
    ----------
    graph, rows
        The graph and the prepared rows, their axes z where they have one.
    motions, coordinates
        Of each row.
    """
    parallel = [_is_parallel(graph, rows, i) for i in range(len(rows.rows))]
    carriers = {i for i, own in enumerate(rows.children()) if own and all(parallel[k] for k in own)}
    joined = [row.parent in carriers for row in rows.rows]
    if not carriers:
        return rows, tuple(motions)
    none = _AboutAxis((), None)
    turns: list[_AboutAxis] = []  # from the axes of each row as prepared to its new ones
    moved: list[JointMotion] = []
    bodies: list[Row] = []
    for i, (row, motion) in enumerate(zip(rows.rows, motions, strict=True)):
        before = turns[row.parent] if row.parent != GROUND else none
        offset = out(_rotation(graph, before), motion.offset)
        if joined[i]:
            own = _sum(graph, before, _turn(graph, row, coordinates[i]))
            fixed: Rotation = ()
        elif i in carriers:
            own = replace(_turn(graph, row, coordinates[i]), fixed=())
            fixed = (*_rotation(graph, before), *row.fixed(graph))
        else:
            own, fixed = none, (*_rotation(graph, before), *motion.rotation)
        if i in carriers:
            turns.append(own)
            moved.append(JointMotion(fixed, offset, motion.angular, motion.linear))
            bodies.append(replace(row, moments=turned(_rotation(graph, own), row.moments)))
        else:
            turns.append(none)
            moved.append(JointMotion((*fixed, *_rotation(graph, own)), offset, motion.angular, motion.linear))
            bodies.append(row)
    places = {name: _placed(graph, place, turns) for name, place in rows.places.items()}
    return replace(rows, rows=tuple(bodies), places=places), tuple(moved)


def _is_parallel(graph: Graph, rows: TreeRows, i: int) -> bool:
    """Whether the axis of a row is parallel to that of what carries it, as it is written."""
    row = rows.rows[i]
    if row.parent == GROUND or row.kind not in _HINGED or rows.rows[row.parent].kind not in _HINGED:
        return False
    return all(_keeps_axis(factor) for factor in row.fixed(graph))


def _keeps_axis(turn: Turn) -> bool:
    if isinstance(turn, AxisTurn):
        return turn.axis == 2
    return isinstance(turn, Permutation) and turn.places[2] == 2 and turn.signs[2] > 0


def _turn(graph: Graph, row: Row, coordinates: Sequence[Node]) -> _AboutAxis:
    """Return how a row turns about its axis against its parent, beside what turns its axis."""
    angle = turn_of(graph, row, coordinates[0]) if row.kind is JointKind.REVOLUTE else None
    return _AboutAxis(row.fixed(graph), angle)


def _sum(graph: Graph, a: _AboutAxis, b: _AboutAxis) -> _AboutAxis:
    if a.angle is None or b.angle is None:
        angle = b.angle if a.angle is None else a.angle
    else:
        angle = graph.add(a.angle, b.angle)
    return _AboutAxis((*a.fixed, *b.fixed), angle)


def _rotation(graph: Graph, turn: _AboutAxis) -> Rotation:
    if turn.angle is None:
        return turn.fixed
    return (*turn.fixed, AxisTurn.by(graph, 2, turn.angle))


def _placed(graph: Graph, place: Place, turns: Sequence[_AboutAxis]) -> Place:
    if place.row == GROUND:
        return place
    turn = _rotation(graph, turns[place.row])
    return Place(place.row, apply_to_matrix(turn, place.rotation), out(turn, place.origin))
