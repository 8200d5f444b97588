"""A tree at a state: where links are as they are given, how they turn and how fast.

Rows are what recursions run over, links what a user sees; a constant transform lies between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from eomc.derivation.trees.in_a_row import mark_rows
from eomc.derivation.trees.joint_rates import joint_rates
from eomc.derivation.trees.moving import MovingTree
from eomc.derivation.trees.preparation import prepare
from eomc.derivation.trees.rows import GROUND, Place, TreeRows
from eomc.derivation.trees.siblings import Marked, corresponding, mark_siblings
from eomc.derivation.trees.speeds import move, under
from eomc.derivation.trees.tensors import transposed
from eomc.derivation.trees.turns import into, out
from eomc.ir.graph import Graph, Node
from eomc.ir.program import Siblings
from eomc.lowering.vectors import Components, apply, cross, plus, three
from eomc.model.trees.records import WORLD, Entry, JointKind, Triple
from eomc.model.trees.tree import JointTree
from eomc.solving.checks import Checks


@dataclass(frozen=True)
class PlacedTree:
    """A tree on a graph, at the state of its coordinates and speeds.

    Attributes
    ----------
    scalars
        The conversion of entries, coordinates and speeds to the graph.
    """

    graph: Graph
    tree: JointTree
    scalars: Callable[[Entry], Node]

    @cached_property
    def rows(self) -> TreeRows:
        """The rows, prepared for recursions."""
        return self.marked.rows

    @cached_property
    def marked(self) -> Marked:
        """The rows, and branches among them that are alike."""
        rows = prepare(self.graph, self.scalars, self.tree.links, self.tree.joints)
        apart = [name for one in self.tree.joints if one.mimic for name in (one.name, one.mimic.joint)]
        return mark_siblings(self.graph, mark_rows(self.graph, rows, apart), apart)

    def siblings(self, forces: Sequence[Node]) -> tuple[Siblings, ...]:
        """Return the branches that are alike, with all that corresponds in them.

        Parameters
        ----------
        forces
            Generalized forces, one for each speed.
        """
        graph, rows, joints = self.graph, self.marked.rows, {joint.name: joint for joint in self.tree.joints}
        driving: dict[str, list[Node]] = {}
        for name, force in zip(self.moving.names, forces, strict=True):
            driving.setdefault(name, []).append(force)
        found = []
        for group in self.marked.groups:
            roots = []
            for branch in group.branches:
                own = [joints[rows.rows[i].name] for i in branch]
                moved = [self.scalars(one) for joint in own for one in (*joint.coordinates, *joint.speeds)]
                roots.append([*moved, *(force for joint in own for force in driving.get(joint.name, ()))])
            leaves = (*group.leaves, *corresponding(graph, roots))
            found.append(Siblings(tuple(rows.rows[branch[0]].name for branch in group.branches), leaves))
        return tuple(found)

    @cached_property
    def gravity(self) -> Components:
        """The acceleration of free fall, in axes of the root."""
        return three(map(self.scalars, self.tree.gravity))

    @cached_property
    def moving(self) -> MovingTree:
        """The motion of the rows, with gravity in the acceleration of a floating base."""
        return move(self.graph, self.rows, self.tree.joints, self.tree.leads, self.scalars, self.gravity)

    @cached_property
    def weightless(self) -> MovingTree:
        """The motion of the rows without gravity."""
        return under(self.moving, (self.graph.zero,) * 3)

    def rates(self, checks: Checks) -> list[Node]:
        """Return q' of all joints from their speeds."""
        graph, found = self.graph, []  # type: Graph, list[Node]
        numbers = {joint.name: number for number, joint in enumerate(self.tree.joints)}
        for row, motion in zip(self.rows.rows, self.moving.prepared, strict=True):
            joint = self.tree.joints[numbers[row.name]]
            if joint.mimic is not None:
                continue
            q, u = list(map(self.scalars, joint.coordinates)), list(map(self.scalars, joint.speeds))
            if joint.kind is JointKind.FREE and joint.speeds_in == "child":
                u[:3] = apply(graph, transposed(row.outer), out(motion.rotation, motion.linear))
            found += joint_rates(graph, joint, q, u, motion, checks)
        return found

    # -- links as they are given -------------------------------------------------------------------------------------

    @cached_property
    def twists(self) -> list[tuple[Components, Components]]:
        """The velocity of the origin and the angular velocity of each row, in its axes."""
        graph, found = self.graph, []  # type: Graph, list[tuple[Components, Components]]
        for row, motion in zip(self.moving.rows.rows, self.moving.motions, strict=True):
            velocity, turning = motion.linear, motion.angular
            if row.parent != GROUND:
                carrier, spin = found[row.parent]
                moved = plus(graph, carrier, cross(graph, spin, motion.offset))
                velocity = plus(graph, into(motion.rotation, moved), velocity)
                turning = plus(graph, into(motion.rotation, spin), turning)
            found.append((velocity, turning))
        return found

    def place(self, link: str) -> Place:
        """Return where the frame of a link is in its row."""
        return self.moving.rows.places[link]

    def point(self, link: str, at: Triple) -> Components:
        """Return a point of a link in the frame of its row."""
        place = self.place(link)
        return plus(self.graph, place.origin, apply(self.graph, place.rotation, three(map(self.scalars, at))))

    def position(self, link: str, at: Triple) -> Components:
        """Return the place of a point of a link from the root's origin, in axes of the root."""
        row, vector = self.place(link).row, self.point(link, at)
        while row != GROUND:
            motion = self.moving.motions[row]
            vector = plus(self.graph, motion.offset, out(motion.rotation, vector))
            row = self.rows.rows[row].parent
        return vector

    def velocity(self, link: str, at: Triple) -> Components:
        """Return the velocity of a point of a link, in axes of its row."""
        row = self.place(link).row
        if row == GROUND:
            return (self.graph.zero,) * 3
        velocity, spin = self.twists[row]
        return plus(self.graph, velocity, cross(self.graph, spin, self.point(link, at)))

    def spin(self, link: str) -> Components:
        """Return the angular velocity of a link, in axes of its row."""
        row = self.place(link).row
        return (self.graph.zero,) * 3 if row == GROUND else self.twists[row][1]

    # -- axes ----------------------------------------------------------------------------------------------------------

    def to_row(self, row: int, vector: Components, axes: str) -> Components:
        """Return the components in axes of a row of a vector in axes of a link, or of the world."""
        source = self._axes(axes)
        return self._turned(source.row, row, apply(self.graph, source.rotation, vector))

    def to_link(self, row: int, vector: Components, axes: str) -> Components:
        """Return the components in axes of a link, or of the world, of a vector in axes of a row."""
        target = self._axes(axes)
        return apply(self.graph, transposed(target.rotation), self._turned(row, target.row, vector))

    def _axes(self, axes: str) -> Place:
        """Return where axes are; those of the world are the root's, even where a link that moves has this name."""
        return self.place(self.tree.root if axes == WORLD else axes)

    def _turned(self, start: int, end: int, vector: Components) -> Components:
        """Return components in axes of another row, by the ways from both to where they meet."""
        outwards, inwards = self._rows_to(start), self._rows_to(end)
        while outwards and inwards and outwards[-1] == inwards[-1]:
            outwards.pop()
            inwards.pop()
        for row in outwards:
            vector = out(self.moving.motions[row].rotation, vector)
        for row in reversed(inwards):
            vector = into(self.moving.motions[row].rotation, vector)
        return vector

    def _rows_to(self, row: int) -> list[int]:
        """Return the rows from here to the ground."""
        found = []
        while row != GROUND:
            found.append(row)
            row = self.rows.rows[row].parent
        return found
