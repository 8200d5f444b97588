"""Links of a tree as frames and points of sympy.physics.vector, with q' of its joints in terms of the speeds.

Each joint has a frame at its zero position; what turns turns from there. The angular velocity across a ball or free
joint is what its speeds say, so that no derivative of a quaternion stands in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy.physics.vector import Point, ReferenceFrame, Vector

from eomc.model.trees.records import IDENTITY, Entry, Joint, JointKind
from eomc.model.trees.tree import JointTree


class Linkage:
    """The links of a tree, placed.

    Attributes
    ----------
    frames, origins
        Of each link, by its name.
    kinematical_equations
        As many as coordinates, linear in q' and u.
    """

    def __init__(self, tree: JointTree) -> None:
        self.tree = tree
        self.world = ReferenceFrame(f"{tree.root}_axes")
        self.ground = Point(f"{tree.root}_origin")
        self.ground.set_vel(self.world, 0)
        self.frames = {tree.root: self.world}
        self.origins = {tree.root: self.ground}
        self.kinematical_equations: list[sympy.Expr] = []
        self._zero: dict[str, Any] = {}  # frames of joints at their zero position, by the joint's name
        for number, joint in enumerate(tree.joints):
            self._place(number, joint)

    def coordinate(self, number: int) -> sympy.Expr:
        """Return the coordinate of a revolute or prismatic joint, which may follow another."""
        lead = self.tree.leads[number]
        if lead is None:
            return self.tree.joints[number].coordinates[0]
        return lead.factor * self.tree.joints[lead.joint].coordinates[0] + lead.offset

    def speeds(self, number: int) -> list[sympy.Expr]:
        """Return the speeds of a joint, which may follow another."""
        lead = self.tree.leads[number]
        if lead is None:
            return list(self.tree.joints[number].speeds)
        return [lead.factor * self.tree.joints[lead.joint].speeds[0]]

    def axis(self, joint: Joint) -> Any:
        """Return the axis of a revolute or prismatic joint as a vector."""
        return vector_in(self._zero[joint.name], joint.axis)

    def axes_of_speeds(self, joint: Joint) -> Any:
        """Return the frame in which the speeds of a ball or free joint are."""
        return self.frames[joint.child if joint.speeds_in == "child" else joint.parent]

    def point(self, link: str, at: Sequence[Entry]) -> Any:
        """Return a point of a link."""
        if all(entry == 0 for entry in at):
            return self.origins[link]
        return self.origins[link].locatenew(f"point_of_{link}", vector_in(self.frames[link], at))

    def _place(self, number: int, joint: Joint) -> None:
        parent, origin = self.frames[joint.parent], self.origins[joint.parent]
        zero = parent
        if joint.rotation != IDENTITY:
            zero = ReferenceFrame(f"{joint.name}_zero")
            zero.orient_dcm(parent, sympy.Matrix(joint.rotation).T)
        self._zero[joint.name] = zero
        child, arm = zero, vector_in(parent, joint.offset)
        time = self.tree.time
        if joint.kind is JointKind.REVOLUTE:
            child = ReferenceFrame(f"{joint.child}_axes")
            child.orient_axis(zero, self.axis(joint), self.coordinate(number))
        elif joint.kind is JointKind.PRISMATIC:
            arm += self.coordinate(number) * self.axis(joint)
        elif joint.kind in (JointKind.BALL, JointKind.FREE):
            child = ReferenceFrame(f"{joint.child}_axes")
            angles = joint.quaternion or joint.coordinates[-3:]
            (child.orient_quaternion if joint.quaternion else _orient_by_angles(child))(zero, angles)
        self.frames[joint.child] = child
        if joint.kind is JointKind.FREE:
            arm += vector_in(parent, joint.coordinates[:3])
        self.origins[joint.child] = origin.locatenew(f"{joint.child}_origin", arm)
        if joint.kind in (JointKind.BALL, JointKind.FREE):
            self._turn(joint, zero, child)
        elif joint.coordinates:
            self.kinematical_equations.append(joint.coordinates[0].diff(time) - joint.speeds[0])

    def _turn(self, joint: Joint, zero: Any, child: Any) -> None:
        """Say how a ball or free joint moves: its velocities by its speeds, and q' by these."""
        time, parent = self.tree.time, self.frames[joint.parent]
        in_child = joint.speeds_in == "child"
        spin = sympy.Matrix(joint.speeds[-3:])
        child.set_ang_vel(zero, vector_in(child if in_child else parent, joint.speeds[-3:]))
        if joint.kind is JointKind.FREE:
            velocity = sympy.Matrix(joint.speeds[:3])
            carried = sympy.Matrix(joint.rotation) * zero.dcm(child) * velocity if in_child else velocity
            self.kinematical_equations += [
                q.diff(time) - v for q, v in zip(joint.coordinates[:3], carried, strict=True)
            ]
        if not in_child:
            spin = sympy.Matrix(joint.rotation).T * spin  # in axes of the zero position
        if joint.quaternion:
            rates = _quaternion_rates(joint.quaternion, spin, in_child)
            self.kinematical_equations += [q.diff(time) - r for q, r in zip(joint.quaternion, rates, strict=True)]
        else:
            angles = joint.coordinates[-3:]
            rates = sympy.Matrix([angle.diff(time) for angle in angles])
            self.kinematical_equations += list(_angular_velocity(angles, in_child) * rates - spin)


def vector_in(frame: Any, entries: Sequence[Entry]) -> Any:
    """Return a vector by its components in a frame."""
    units = (frame.x, frame.y, frame.z)
    parts = [sympy.sympify(entry) * unit for entry, unit in zip(entries, units, strict=True) if entry != 0]
    return sum(parts, Vector(0))


def _orient_by_angles(child: Any) -> Any:
    def orient(zero: Any, angles: Sequence[sympy.Expr]) -> None:
        child.orient_body_fixed(zero, angles, "XYZ")

    return orient


def _quaternion_rates(quaternion: Sequence[sympy.Expr], spin: Sequence[sympy.Expr], in_child: bool) -> list[sympy.Expr]:
    """Return q' = q (0, w)/2 with w in axes of the child, or (0, w) q/2 with w in those that it turns from."""
    w, x, y, z = quaternion
    a, b, c = spin
    sign = 1 if in_child else -1
    half = sympy.Rational(1, 2)
    return [
        half * (-x * a - y * b - z * c),
        half * (w * a + sign * (y * c - z * b)),
        half * (w * b + sign * (z * a - x * c)),
        half * (w * c + sign * (x * b - y * a)),
    ]


def _angular_velocity(angles: Sequence[sympy.Expr], in_child: bool) -> sympy.Matrix:
    """Return E with w = E (a', b', c') for angles about the child's x, y, z in this order."""
    a, b, c = angles
    if in_child:
        return sympy.Matrix(
            [
                [sympy.cos(b) * sympy.cos(c), sympy.sin(c), 0],
                [-sympy.cos(b) * sympy.sin(c), sympy.cos(c), 0],
                [sympy.sin(b), 0, 1],
            ]
        )
    return sympy.Matrix(
        [
            [1, 0, sympy.sin(b)],
            [0, sympy.cos(a), -sympy.sin(a) * sympy.cos(b)],
            [0, sympy.sin(a), sympy.cos(a) * sympy.cos(b)],
        ]
    )
