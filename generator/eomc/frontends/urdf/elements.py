"""The elements of a URDF as frozen records: what the file says, with lines, before anything is made of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from eomc.frontends.robots.findings import Finding
from eomc.frontends.robots.matrices import Triple
from eomc.model.shapes import ShapeKind


class JointType(enum.Enum):
    """The types of joints that URDF has."""

    REVOLUTE = "revolute"
    CONTINUOUS = "continuous"
    PRISMATIC = "prismatic"
    FIXED = "fixed"
    FLOATING = "floating"
    PLANAR = "planar"

    @property
    def is_single(self) -> bool:
        """Whether the joint has one coordinate."""
        return self in (JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC)


@dataclass(frozen=True, slots=True)
class Pose:
    """A frame in another: place of its origin [m]; roll, pitch and yaw about the other's fixed x, y, z [rad]."""

    xyz: Triple = (0.0, 0.0, 0.0)
    rpy: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Inertial:
    """Mass [kg], the frame of its centre in the link's, and the inertia about the centre in axes of that frame."""

    mass: float
    pose: Pose
    inertia: tuple[float, float, float, float, float, float]  # ixx, ixy, ixz, iyy, iyz, izz [kg m^2]
    line: int


@dataclass(frozen=True, slots=True)
class Visual:
    """What a link looks like: a box by its sizes, a cylinder by radius and length, a sphere, a mesh by its scale."""

    kind: ShapeKind
    sizes: tuple[float, ...]
    pose: Pose
    file: str = ""  # of a mesh, as it is written
    colour: str = ""  # #rrggbb


@dataclass(frozen=True, slots=True)
class LinkElement:
    """A link; without an inertial element it has no mass."""

    name: str
    inertial: Inertial | None
    line: int
    visuals: tuple[Visual, ...] | None = ()  # None: there are some, and none of them was understood


@dataclass(frozen=True, slots=True)
class LimitElement:
    """Bounds as the file has them; lower and upper are None where neither is given."""

    lower: float | None
    upper: float | None
    effort: float | None
    velocity: float | None


@dataclass(frozen=True, slots=True)
class MimicElement:
    """q = multiplier q_joint + offset."""

    joint: str
    multiplier: float
    offset: float
    line: int


@dataclass(frozen=True, slots=True)
class JointElement:
    """A joint: `pose` is the child's frame at zero in the parent's, `axis` a unit vector in the child's."""

    name: str
    type: JointType
    parent: str
    child: str
    pose: Pose
    axis: Triple
    damping: float
    friction: float
    limit: LimitElement | None
    mimic: MimicElement | None
    line: int


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot as it is read: one root, every other link the child of one joint; joints in the order of the file."""

    name: str
    links: tuple[LinkElement, ...]
    joints: tuple[JointElement, ...]
    root: str
    findings: tuple[Finding, ...]
