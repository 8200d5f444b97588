"""What MuJoCo's compiler made of a file, as frozen records of numbers."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from eomc.frontends.mjcf.geoms import Geom
from eomc.frontends.mjcf.quaternions import Quaternion
from eomc.frontends.robots.findings import Finding
from eomc.frontends.robots.matrices import Triple

Range = tuple[float, float]


class JointType(enum.Enum):
    """The types of joints, by MuJoCo's numbers."""

    FREE = 0
    BALL = 1
    SLIDE = 2
    HINGE = 3


class Transmission(enum.Enum):
    """What an actuator acts on, by MuJoCo's numbers."""

    JOINT = 0
    JOINT_IN_PARENT = 1
    SLIDER_CRANK = 2
    TENDON = 3
    SITE = 4
    BODY = 5


class EqualityType(enum.Enum):
    """What a constraint makes equal, by MuJoCo's numbers."""

    CONNECT = 0
    WELD = 1
    JOINT = 2


@dataclass(frozen=True, slots=True)
class MovingJoint:
    """A joint in its body: anchor and axis in the body's frame; `start` is the coordinate where bodies are as given."""

    name: str
    type: JointType
    axis: Triple
    anchor: Triple
    start: tuple[float, ...]  # one number; of a ball joint a quaternion, of a free one a position before it
    limits: Range | None
    effort: Range | None  # of all actuators together
    stiffness: float
    rest: float  # coordinate at which the spring is relaxed
    damping: float
    friction: float
    armature: float


@dataclass(frozen=True, slots=True)
class Body:
    """A body in its parent: frame, and mass with the frame of its principal axes."""

    name: str
    parent: int
    at: Triple
    turn: Quaternion
    mass: float
    centre: Triple
    principal: Triple  # moments of inertia
    axes: Quaternion  # of these, in the body's frame
    floats: float  # the part of its weight that is taken away
    joints: tuple[MovingJoint, ...]
    geoms: tuple[Geom, ...] = ()  # that are seen


@dataclass(frozen=True, slots=True)
class Tendon:
    """A sum of joints' coordinates with factors, and its spring."""

    name: str
    joints: tuple[tuple[str, float], ...]
    stiffness: float
    slack: Range  # the spring is relaxed between these lengths
    damping: float


@dataclass(frozen=True, slots=True)
class Actuator:
    """A force gain(length, rate) u + bias(length, rate), each affine, on what the transmission names."""

    name: str
    transmission: Transmission
    target: str  # joint, tendon or body
    gear: tuple[float, ...]
    gain: Triple
    bias: Triple
    force: Range | None
    control: Range | None
    at: Triple = (0.0, 0.0, 0.0)  # of a site, in its body
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Equality:
    """A constraint between two bodies, or a polynomial between two joints (of one alone: it stands)."""

    name: str
    type: EqualityType
    first: str
    second: str
    at_first: Triple = (0.0, 0.0, 0.0)
    at_second: Triple = (0.0, 0.0, 0.0)
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)  # of the second in the first
    polynomial: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Compiled:
    """A model: bodies, the world first; `left_out` are sentences about what has a part in MuJoCo's motion alone.

    `findings` are about what bodies look like.
    """

    name: str
    gravity: Triple
    bodies: tuple[Body, ...]
    tendons: tuple[Tendon, ...]
    actuators: tuple[Actuator, ...]
    equalities: tuple[Equality, ...]
    left_out: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
