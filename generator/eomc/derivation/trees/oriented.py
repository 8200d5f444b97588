"""Links of a tree as they are given: where their frames are, and the quaternions that turn them."""

from __future__ import annotations

from functools import cached_property

from eomc.derivation.orientations import Orientation
from eomc.derivation.problem import Problem
from eomc.derivation.quaternions import Quaternion, normalized, of_constants
from eomc.derivation.trees.rows import GROUND, identity
from eomc.derivation.trees.turns import into
from eomc.ir.graph import Node
from eomc.lowering.vectors import Components, Matrix, apply, matrix_of_rows, plus, three
from eomc.model.trees.records import WORLD, Joint, JointKind
from eomc.model.trees.tree import JointTree


class OrientedTree:
    """The links of a tree at a state."""

    def __init__(self, problem: Problem) -> None:
        tree, placed = problem.model.dynamics, problem.kinematics.placed
        assert isinstance(tree, JointTree)
        assert placed is not None
        self._graph, self._scalars, self._placed = problem.graph, problem.scalars, placed
        found = {tree.root: Orientation.inertial(problem.graph)}
        moved = dict(zip([row.name for row in placed.rows.rows], placed.moving.coordinates, strict=True))
        for joint in tree.joints:
            fixed = of_constants(problem.graph, matrix_of_rows([*map(self._scalars, row)] for row in joint.rotation))
            found[joint.child] = self._after(found[joint.parent].by(fixed), joint, moved.get(joint.name, ()))
        self._turned = found

    def _after(self, orientation: Orientation, joint: Joint, coordinates: tuple[Node, ...]) -> Orientation:
        """Return the orientation after a joint, from the one at its zero position."""
        if joint.kind is JointKind.REVOLUTE:
            return orientation.turned(three(map(self._scalars, joint.axis)), coordinates[0])
        if joint.kind not in (JointKind.BALL, JointKind.FREE):
            return orientation
        turning = coordinates if joint.kind is JointKind.BALL else coordinates[3:]
        if len(turning) == 4:
            w, x, y, z = turning
            return orientation.by(normalized(self._graph, (w, x, y, z)))
        for axis, angle in zip(identity(self._graph), turning, strict=True):
            orientation = orientation.turned(axis, angle)
        return orientation

    def position(self, link: str) -> Components:
        """Return the origin of a link's frame, from the root's and in its axes."""
        graph, place = self._graph, self._placed.place(link)
        rotation, origin = self._frames[place.row]
        return self._placed.to_link(GROUND, plus(graph, origin, apply(graph, rotation, place.origin)), WORLD)

    @cached_property
    def _frames(self) -> dict[int, tuple[Matrix, Components]]:
        """R of v_ground = R v_row and the origin of each row, from what carries it: once for all links beyond."""
        graph, moving = self._graph, self._placed.moving
        found = {GROUND: (identity(graph), (graph.zero,) * 3)}
        for number, (row, motion) in enumerate(zip(moving.rows.rows, moving.motions, strict=True)):
            rotation, origin = found[row.parent]
            x, y, z = (into(motion.rotation, entries) for entries in rotation)
            found[number] = (x, y, z), plus(graph, origin, apply(graph, rotation, motion.offset))
        return found

    def quaternion(self, link: str) -> Quaternion:
        """Return what turns components in a link's axes to those in the root's."""
        return self._turned[link].quaternion
