"""From the elements of a file to links and joints of a tree, with coordinates and speeds named after the joints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from eomc.frontends.robots.coordinates import Coordinate, Coordinates
from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.robots.matrices import Triple, turned
from eomc.frontends.robots.names import Names
from eomc.frontends.robots.ranges import bounds_of
from eomc.frontends.urdf.elements import Inertial, JointElement, JointType, LinkElement, Pose, Robot
from eomc.frontends.urdf.rotations import MEANT, NEAR, across, quarter, rotation
from eomc.model.names import name_of
from eomc.model.trees.following import leads_of
from eomc.model.trees.order import ordered
from eomc.model.trees.records import Joint, JointKind, Limits, Link, Mimic

_KINDS = {
    JointType.FIXED: JointKind.FIXED,
    JointType.PRISMATIC: JointKind.PRISMATIC,
    JointType.REVOLUTE: JointKind.REVOLUTE,
    JointType.CONTINUOUS: JointKind.REVOLUTE,
}


@dataclass(frozen=True, slots=True)
class Choices:
    """How a robot is taken: its base, the axes of its speeds, right angles, viscous damping."""

    base: str  # "fixed", "quaternion", "angles"
    base_speeds: str  # "body", "world"
    snap: bool
    damping: bool


@dataclass(frozen=True, slots=True)
class Assembly:
    """Links and joints whose entries are numbers, the coordinates, and what was found on the way.

    Joints come in the order of the tree, so that all that is made for each of them does: parents first, and else as the
    file lists them.
    """

    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    root: str
    coordinates: tuple[Coordinate, ...]  # and speeds
    names: Names
    findings: tuple[Finding, ...]


def assemble(robot: Robot, choices: Choices) -> Assembly:
    """Return a robot as links and joints of a tree."""
    making = _Making(robot, choices)
    links = [making.link(element) for element in robot.links]
    root = robot.root
    if choices.base != "fixed":
        root = making.links.take("world")
        links.insert(0, Link(name=root))
        making.free(making.joints.take("base"), root, robot.root, Pose())
    for element in robot.joints:
        links += making.joint(element)
    joints = ordered(links, making.made, root).joints
    return Assembly(
        tuple(links),
        joints,
        root,
        tuple(making.started(joints)),
        making.coordinates.names,
        (*robot.findings, *making.findings),
    )


class _Making:
    """The joints that are made so far, with names that are still free."""

    def __init__(self, robot: Robot, choices: Choices) -> None:
        self.robot, self.choices = robot, choices
        self.links = Names(*(link.name for link in robot.links))
        self.joints = Names(*(joint.name for joint in robot.joints))
        self.made: list[Joint] = []
        self.coordinates = Coordinates()
        self.findings: list[Finding] = []

    def link(self, element: LinkElement) -> Link:
        """Return a link with its inertia about the centre, in axes of the link."""
        inertial = element.inertial
        if inertial is None:
            return Link(name=element.name)
        turn = self._rotation(f"inertial of {element.name}", inertial.pose.rpy, inertial.line)
        inertia = _tensor(inertial)
        return Link(
            name=element.name,
            mass=inertial.mass,
            centre=inertial.pose.xyz,
            inertia=turned(inertia, turn) if any(inertial.pose.rpy) else inertia,
        )

    def joint(self, element: JointElement) -> list[Link]:
        """Make the joint or joints of an element, and return the links that stand between them."""
        if element.type is JointType.FLOATING:
            self.free(element.name, element.parent, element.child, element.pose, element)
            return []
        if element.type is JointType.PLANAR:
            return self._planar(element)
        kind, ends = _KINDS[element.type], (element.parent, element.child)
        if kind is JointKind.FIXED:
            self.made.append(self._hung(element.name, kind, ends, element.pose, element))
        else:
            self._single(element, element.name, kind, ends, element.pose, element.axis)
        return []

    def _planar(self, element: JointElement) -> list[Link]:
        """Slide along two axes of the plane, then turn about its normal."""
        first, second = across(element.axis)
        names = [self.joints.take(f"{element.name}_{what}") for what in ("x", "y")]
        between = [self.links.take(name) for name in names]
        ends = [element.parent, *between, element.child]
        slide, turn = JointKind.PRISMATIC, JointKind.REVOLUTE
        steps = zip((*names, element.name), (slide, slide, turn), (first, second, element.axis), strict=True)
        for number, (name, kind, axis) in enumerate(steps):
            pose = Pose() if number else element.pose
            self._single(element, name, kind, (ends[number], ends[number + 1]), pose, axis)
        return [Link(name=name) for name in between]

    def _single(
        self, element: JointElement, name: str, kind: JointKind, ends: tuple[str, str], pose: Pose, axis: Triple
    ) -> None:
        """Add a joint of one coordinate, or one that follows another."""
        limits = _limits(element)
        joint = replace(self._hung(name, kind, ends, pose, element), axis=axis, limits=limits)
        if element.mimic is not None:
            law = Mimic(joint=element.mimic.joint, factor=element.mimic.multiplier, offset=element.mimic.offset)
            self.made.append(replace(joint, mimic=law))
            return
        q, u = self.coordinates.single(name, kind, 0.0, limits.effort)
        if name_of(q[0]) != name:
            self.findings.append(Finding(Kind.RENAMED, name, element.line, name_of(q[0])))
        self.made.append(replace(joint, coordinates=q, speeds=u))

    def started(self, joints: Sequence[Joint]) -> Iterator[Coordinate]:
        """Return the coordinates and speeds; what would start outside of its range, followers' too, starts amid it."""
        ranges = bounds_of(joints, leads_of(joints))
        lines = {element.name: element.line for element in self.robot.joints}
        names = {q: joint.name for joint in joints for q in joint.coordinates}
        for one in self.coordinates.made:
            low, high = ranges.get(one.symbol, (one.start, one.start))
            if low <= one.start <= high:
                yield one
                continue
            start, name = low / 2 + high / 2, names[one.symbol]
            told = f"it starts at {start:.6g} {one.unit}"
            self.findings.append(Finding(Kind.START_OUTSIDE, name, lines.get(name, 0), told))
            yield replace(one, start=start)

    def free(self, name: str, parent: str, child: str, pose: Pose, element: JointElement | None = None) -> None:
        """Add a joint with six speeds: of the child's origin, then of turning."""
        world = self.choices.base_speeds == "world"
        turn = (0.0, 0.0, 0.0) if self.choices.base == "angles" else (1.0, 0.0, 0.0, 0.0)
        axes = "of the world" if world else "of the link"
        q, u = self.coordinates.wide(name, child, (0.0, 0.0, 0.0), turn, axes)
        joint = self._hung(name, JointKind.FREE, (parent, child), pose, element)
        self.made.append(replace(joint, coordinates=q, speeds=u, speeds_in="parent" if world else "child"))

    def _hung(
        self, name: str, kind: JointKind, ends: tuple[str, str], pose: Pose, element: JointElement | None
    ) -> Joint:
        """Return a joint at its place, with its losses; `element` is None of a joint that is not in the file."""
        return Joint(
            name=name,
            kind=kind,
            parent=ends[0],
            child=ends[1],
            rotation=self._rotation(name, pose.rpy, element.line if element else 0),
            offset=pose.xyz,
            damping=element.damping if element and self.choices.damping else 0.0,
            friction=element.friction if element else 0.0,
        )

    def _rotation(self, what: str, rpy: Triple, line: int) -> tuple[Triple, Triple, Triple]:
        self.findings += _angles(what, rpy, line, self.choices.snap)
        return rotation(rpy, self.choices.snap)


def _angles(what: str, rpy: Triple, line: int, snap: bool) -> Iterator[Finding]:
    """Tell which angles of a frame are snapped, and which are nearly right angles and are not."""
    kinds = []
    for angle in rpy:
        turns, distance = quarter(angle)
        if distance <= MEANT:
            kinds += [Kind.SNAPPED] if snap and angle else []
        elif turns and distance <= NEAR:
            kinds.append(Kind.NEAR_RIGHT_ANGLE)
    told = ", ".join(repr(angle).removesuffix(".0") for angle in rpy)
    for kind in dict.fromkeys(kinds):
        yield Finding(kind, what, line, told)


def _limits(element: JointElement) -> Limits:
    found = element.limit
    if found is None:
        return Limits()
    return Limits(lower=found.lower, upper=found.upper, speed=found.velocity, effort=found.effort)


def _tensor(inertial: Inertial) -> tuple[Triple, Triple, Triple]:
    ixx, ixy, ixz, iyy, iyz, izz = inertial.inertia
    return (ixx, ixy, ixz), (ixy, iyy, iyz), (ixz, iyz, izz)
