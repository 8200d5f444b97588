"""The records that make a :class:`~eomc.model.trees.tree.JointTree`: links, joints, loads, closures, measures.

Frames: each link has one, with its origin at the joint that carries it. Components of vectors are three entries,
matrices have three rows. An entry is a number or an expression of parameters alone; what a load is made of may also
hold coordinates, speeds, inputs, extra states, time and measures.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias

import sympy

from eomc.errors import ModelError

Entry: TypeAlias = float | sympy.Expr
Triple: TypeAlias = tuple[Entry, Entry, Entry]
Tensor: TypeAlias = tuple[Triple, Triple, Triple]

ZERO: Triple = (0, 0, 0)
IDENTITY: Tensor = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
NO_INERTIA: Tensor = (ZERO, ZERO, ZERO)
WORLD = "world"
"""The axes of the root, as a name in the place of a link's; also where a link that moves has this name."""


class JointKind(enum.Enum):
    """How a child may move in its parent, with the numbers of its coordinates and speeds.

    A ball joint has a quaternion (w, x, y, z), or three angles about the child's x, y, z in this order; a free joint
    the position of the child's origin in the parent's frame before it. Their speeds are the relative angular velocity
    of the child, and before it the velocity of its origin; both in axes of the child, or of the parent.
    """

    FIXED = "fixed"
    REVOLUTE = "revolute"
    PRISMATIC = "prismatic"
    BALL = "ball"
    FREE = "free"

    @property
    def speeds(self) -> int:
        """How many speeds a joint of this kind has."""
        return {"fixed": 0, "revolute": 1, "prismatic": 1, "ball": 3, "free": 6}[self.value]

    @property
    def coordinates(self) -> tuple[int, ...]:
        """How many coordinates a joint of this kind may have; with a quaternion the first."""
        n = self.speeds
        return (n + 1, n) if self in (JointKind.BALL, JointKind.FREE) else (n,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A rigid body of a tree; without mass and inertia, a frame.

    Forces are linear in the mass, in its first moments and in the inertia about the frame's origin, not in the centre:
    :meth:`of_moments` makes a link of these.
    """

    name: str
    mass: Entry = 0  # [kg]
    centre: Triple = ZERO  # of mass, in the link's frame [m]
    inertia: Tensor = NO_INERTIA  # about the centre of mass, in axes of the link [kg m^2]
    moments: tuple[Triple, Tensor] | None = None  # those of which it was made; for its mass, centre and inertia stand

    @classmethod
    def of_moments(cls, *, name: str, mass: Entry, first: Triple, inertia: Tensor) -> Link:
        """Return a link by what forces are linear in, parameters to be identified for example.

        Parameters
        ----------
        name, mass
            As of any link; the mass is not zero.
        first
            First moments h = m c, c the centre of mass [kg m].
        inertia
            About the origin of the link's frame, in its axes [kg m^2].

        Raises
        ------
        ModelError
            The mass is zero, so that there is no centre of mass.
        """
        if mass == 0:
            raise ModelError(f"link {name!r} is made of moments and has no mass: give its inertia as Link(inertia=...)")
        square = sum(h * h for h in first)

        def about_centre(i: int, k: int) -> Entry:
            return inertia[i][k] - ((square if i == k else 0) - first[i] * first[k]) / mass

        x, y, z = first
        xx, yy, zz, xy, xz, yz = (about_centre(*pair) for pair in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        return cls(
            name=name,
            mass=mass,
            centre=(x / mass, y / mass, z / mass),
            inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)),
            moments=(first, inertia),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Mimic:
    """The coordinate of a joint follows that of another: q = factor q_joint + offset."""

    joint: str
    factor: Entry = 1
    offset: Entry = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of the coordinate of a joint, of its speed and of what drives it; None where they are not given."""

    lower: float | None = None
    upper: float | None = None
    speed: float | None = None
    effort: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """What carries a link: the child's frame at its zero position in the parent's, and how it moves from there.

    Attributes
    ----------
    rotation, offset
        Of the child's frame at the zero position: v_parent = rotation v_child, and the place of its origin in the
        parent's frame [m].
    axis
        Of a revolute or prismatic joint, a unit vector in axes of the child.
    coordinates, speeds
        Time functions, as many as the kind tells; none where the joint mimics another.
    speeds_in
        The axes of the speeds of a ball or free joint: ``"child"`` or ``"parent"``.
    armature
        Inertia of a rotor, seen at the joint, for each speed [kg m^2, kg].
    damping
        Viscous: the load -damping u on each speed [N m s, N s/m].
    friction
        Dry friction as a description; it is no load unless one is made of it.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    rotation: Tensor = IDENTITY
    offset: Triple = ZERO
    axis: Triple = (0, 0, 1)
    coordinates: tuple[sympy.Expr, ...] = ()
    speeds: tuple[sympy.Expr, ...] = ()
    speeds_in: str = "child"
    armature: Entry = 0
    damping: Entry = 0
    friction: Entry = 0
    limits: Limits = Limits()
    mimic: Mimic | None = None

    @property
    def quaternion(self) -> tuple[sympy.Expr, ...]:
        """The quaternion (w, x, y, z) of a ball or free joint; empty where it has angles, or neither."""
        turns = self.kind in (JointKind.BALL, JointKind.FREE)
        return self.coordinates[-4:] if turns and len(self.coordinates) == self.kind.coordinates[0] else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkForce:
    """A force on a point of a link [N]."""

    link: str
    force: tuple[sympy.Expr, sympy.Expr, sympy.Expr]
    at: Triple = ZERO  # in the link's frame [m]
    axes: str = WORLD  # of the force: the world's, or those of a link

    @property
    def components(self) -> tuple[sympy.Expr, ...]:
        """The scalars that make the load."""
        return self.force

    @property
    def place(self) -> str:
        """Where it acts, in words."""
        return f"link {self.link!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTorque:
    """A torque on a link [N m]."""

    link: str
    torque: tuple[sympy.Expr, sympy.Expr, sympy.Expr]
    axes: str = WORLD

    @property
    def components(self) -> tuple[sympy.Expr, ...]:
        """The scalars that make the load."""
        return self.torque

    @property
    def place(self) -> str:
        """Where it acts, in words."""
        return f"link {self.link!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JointLoad:
    """A load on each speed of a joint: a torque on a revolute one [N m], a force on a prismatic one [N]."""

    joint: str
    loads: tuple[sympy.Expr, ...]

    @property
    def components(self) -> tuple[sympy.Expr, ...]:
        """The scalars that make the load."""
        return self.loads

    @property
    def place(self) -> str:
        """Where it acts, in words."""
        return f"joint {self.joint!r}"


TreeLoad: TypeAlias = LinkForce | LinkTorque | JointLoad


class ClosureKind(enum.Enum):
    """What two links have in common: a point; a point and an axis; all."""

    POINT = "point"
    HINGE = "hinge"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure:
    """A joint that closes a loop: frames on two links that must agree, wholly or in part."""

    name: str
    kind: ClosureKind
    first: str
    second: str
    at_first: Triple = ZERO
    at_second: Triple = ZERO
    rotation: Tensor = IDENTITY  # v_first = rotation v_second where the loop is closed; of a fixed closure
    axis_first: Triple = (0, 0, 1)  # of a hinge, in axes of the first link
    axis_second: Triple = (0, 0, 1)  # of a hinge, in axes of the second


class MeasureKind(enum.Enum):
    """What is asked of a link."""

    POSITION = "position"  # of a point, from the root's origin [m]
    VELOCITY = "velocity"  # of a point, against the root [m/s]
    ACCELERATION = "acceleration"  # of a point, against the root: d2r/dt2, gravity not in it [m/s^2]
    ANGULAR_VELOCITY = "angular_velocity"  # against the root [rad/s]
    ANGULAR_ACCELERATION = "angular_acceleration"  # [rad/s^2]
    ROTATION = "rotation"  # R with v_axes = R v_link
    JACOBIAN = "jacobian"  # 6 rows, of velocity and angular velocity by the speeds


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A quantity of a link, in the world's axes or those of a link."""

    kind: MeasureKind
    link: str
    at: Triple = ZERO  # of a point, in the link's frame [m]
    axes: str = WORLD
