"""From compiled bodies to links and joints of a tree, with coordinates and speeds named after the joints.

A body's joints move it one after the other, each about its anchor; between them stand links without mass, and behind
them, where the last anchor is not the body's origin, a fixed joint. So a link has the frame of its body, and every
coordinate is MuJoCo's own: it has the value `start` where bodies are as the file gives them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from eomc.frontends.mjcf.quaternions import about, matrix, product
from eomc.frontends.mjcf.records import Body, Compiled, EqualityType, JointType, MovingJoint
from eomc.frontends.robots.coordinates import Coordinate, Coordinates
from eomc.frontends.robots.matrices import Matrix, Triple, times, turned
from eomc.frontends.robots.names import Names
from eomc.model.trees.records import Joint, JointKind, Limits, Link, Mimic

_SINGLE = {JointType.HINGE: JointKind.REVOLUTE, JointType.SLIDE: JointKind.PRISMATIC}
_UNIT: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_NOWHERE: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Choices:
    """How coordinates of free and ball joints are taken, and the axes of their speeds."""

    orientation: str  # "quaternion", "angles"
    speeds: str  # "body", "world"
    damping: bool


@dataclass(frozen=True, slots=True)
class Assembly:
    """Links and joints whose entries are numbers, with coordinates and the names that are taken."""

    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    root: str
    coordinates: tuple[Coordinate, ...]  # and speeds
    names: Names

    def joint(self, name: str) -> Joint:
        """Return a joint by its name."""
        return next(joint for joint in self.joints if joint.name == name)


def assemble(compiled: Compiled, choices: Choices) -> Assembly:
    """Return bodies as links and joints of a tree."""
    making = _Making(compiled, choices)
    for number, body in enumerate(compiled.bodies):
        making.body(body, compiled.bodies[body.parent].name if number else None)
    return Assembly(
        tuple(making.links),
        tuple(making.made),
        compiled.bodies[0].name,
        tuple(making.coordinates.made),
        making.coordinates.names,
    )


class _Making:
    """The links and joints that are made so far, with names that are still free."""

    def __init__(self, compiled: Compiled, choices: Choices) -> None:
        self.choices = choices
        self.links: list[Link] = []
        self.made: list[Joint] = []
        self.coordinates = Coordinates()
        self._of_links = Names(*(body.name for body in compiled.bodies))
        self._of_joints = Names(*(joint.name for body in compiled.bodies for joint in body.joints))
        self._laws = _laws(compiled)

    def body(self, body: Body, parent: str | None) -> None:
        """Add a body with the joints that carry it."""
        a, b, c = body.principal
        inertia = turned(((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c)), matrix(body.axes))
        link = Link(name=body.name, mass=body.mass, centre=body.centre, inertia=inertia)
        self.links.append(link)
        if parent is None:
            return
        turn, place, carrier = body.turn, body.at, parent
        anchor = _NOWHERE  # in the body's frame: the origin of the link before
        for number, joint in enumerate(body.joints):
            if joint.type is JointType.FREE:  # its coordinates are the place itself
                self._wide(joint, JointKind.FREE, parent, body.name)
                return
            slides = joint.type is JointType.SLIDE
            here = anchor if slides else joint.anchor
            step = _plus(here, anchor, -1.0)
            if slides:
                step = _plus(step, joint.axis, -joint.start[0])
            offset = _plus(place, times(matrix(turn), step))
            if joint.type is JointType.HINGE and joint.start[0]:
                turn = product(turn, about(joint.axis, -joint.start[0]))
            rotation = matrix(turn)
            last = number == len(body.joints) - 1 and here == _NOWHERE
            child = body.name if last else self._of_links.take(f"{body.name}_{joint.name}")
            if not last:
                self.links.append(Link(name=child))
            if joint.type is JointType.BALL:
                self._wide(joint, JointKind.BALL, carrier, child, rotation, offset)
            else:
                self._single(joint, carrier, child, rotation, offset)
            turn, place, carrier, anchor = _ONE, _NOWHERE, child, here
        if carrier != body.name:
            rest = _plus(place, anchor, -1.0)
            name = self._of_joints.take(f"{body.name}_fixed")
            fixed = Joint(name=name, kind=JointKind.FIXED, parent=carrier, child=body.name, offset=rest)
            self.made.append(replace(fixed, rotation=matrix(turn)))

    def _single(self, joint: MovingJoint, parent: str, child: str, rotation: Matrix, offset: Triple) -> None:
        kind = _SINGLE[joint.type]
        effort = None if joint.effort is None else max(map(abs, joint.effort))
        lower, upper = (None, None) if joint.limits is None else joint.limits
        made = Joint(
            name=joint.name,
            kind=kind,
            parent=parent,
            child=child,
            rotation=rotation,
            offset=offset,
            axis=joint.axis,
            armature=joint.armature,
            damping=joint.damping if self.choices.damping else 0.0,
            friction=joint.friction,
            limits=Limits(lower=lower, upper=upper, effort=effort),
        )
        law = self._laws.get(joint.name)
        if law is not None:
            self.made.append(replace(made, mimic=law))
            return
        q, u = self.coordinates.single(joint.name, kind, joint.start[0], effort)
        self.made.append(replace(made, coordinates=q, speeds=u))

    def _wide(
        self,
        joint: MovingJoint,
        kind: JointKind,
        parent: str,
        child: str,
        rotation: Matrix = _UNIT,
        offset: Triple = _NOWHERE,
    ) -> None:
        """Add a ball or free joint."""
        inside = self.choices.speeds == "body"
        w, x, y, z = joint.start[-4:]
        turn = _angles_of(matrix((w, x, y, z))) if self.choices.orientation == "angles" else (w, x, y, z)
        axes = "of the link" if inside else "of its parent"
        q, u = self.coordinates.wide(joint.name, child, joint.start[:-4], turn, axes)
        self.made.append(
            Joint(
                name=joint.name,
                kind=kind,
                parent=parent,
                child=child,
                rotation=rotation,
                offset=offset,
                coordinates=q,
                speeds=u,
                speeds_in="child" if inside else "parent",
                armature=joint.armature,
                damping=joint.damping if self.choices.damping else 0.0,
                friction=joint.friction,
            )
        )


_ONE = (1.0, 0.0, 0.0, 0.0)


def _laws(compiled: Compiled) -> dict[str, Mimic]:
    """Return what the joints follow that a linear law binds to another one: q - q_0 = a_0 + a_1 (p - p_0)."""
    starts = {joint.name: joint.start[0] for body in compiled.bodies for joint in body.joints}
    found: dict[str, Mimic] = {}
    for one in compiled.equalities:
        if one.type is EqualityType.JOINT and one.second and not any(one.polynomial[2:]):
            shift, factor = one.polynomial[:2]
            offset = starts[one.first] + shift - factor * starts[one.second]
            if one.first not in found and not _leads_back(found, one.second, one.first):
                found[one.first] = Mimic(joint=one.second, factor=factor, offset=offset)
    return found


def _leads_back(laws: dict[str, Mimic], joint: str, to: str) -> bool:
    """Whether a joint follows another in the end, or is it."""
    while joint in laws:
        joint = laws[joint].joint
    return joint == to


def _plus(a: Triple, b: Triple, factor: float = 1.0) -> Triple:
    """Return a + factor b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


def _angles_of(r: Matrix) -> Triple:
    """Return angles about the body's x, y and z, in this order."""
    second = math.asin(max(-1.0, min(1.0, r[0][2])))
    return math.atan2(-r[1][2], r[2][2]) + 0.0, second + 0.0, math.atan2(-r[0][1], r[0][0]) + 0.0  # of minus zero, zero
