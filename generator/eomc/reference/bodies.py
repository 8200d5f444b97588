"""What a system of bodies is made of: velocities, inertias, loads and potentials, ready to be evaluated.

Velocities are the user's own where given; the velocity of another point is that of the nearest point that has one
plus the time derivative of the position between them, as sympy's ``Point.vel`` finds it, but numerically and
without writing to the points.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.physics.vector import Vector

from eomc.errors import ModelError
from eomc.model import MechanicalSystem, Model
from eomc.model.sympy_private import (
    Point,
    inertia_of,
    positions,
    set_acceleration,
    set_angular_acceleration,
    set_velocity,
)
from eomc.reference.frames import DyadicForm, Frames, VectorForm, nearest_first, shortest_path
from eomc.reference.plan import Plan


@dataclass(frozen=True, slots=True)
class PointForm:
    """Velocity of a point: one that was set, and positions whose time derivatives add to it."""

    velocity: VectorForm
    positions: tuple[VectorForm, ...]
    acceleration: VectorForm | None  # where the user set it


@dataclass(frozen=True, slots=True)
class RotationForm:
    """Rotation of a body: angular velocity, and inertia about the point where the `arm` to the mass centre begins."""

    angular_velocity: VectorForm
    inertia: DyadicForm
    arm: tuple[VectorForm, ...]
    acceleration: VectorForm | None


@dataclass(frozen=True, slots=True)
class BodyForm:
    """One rigid body or particle."""

    name: str
    mass: int
    centre: PointForm
    rotation: RotationForm | None


@dataclass(frozen=True, slots=True)
class LoadForm:
    """A force on a point, or a torque on a frame."""

    point: PointForm | None
    angular_velocity: VectorForm | None
    vector: VectorForm  # components in the plan of loads


class Construction:
    """The whole system; expressions that are differentiated are in `motion`, the others in `loads` and `given`."""

    def __init__(self, model: Model) -> None:
        assert isinstance(model.dynamics, MechanicalSystem)
        self.system = system = model.dynamics
        self._known = {
            *(model.time, *model.coordinates, *model.speeds, *(state.symbol for state in model.extra_states)),
            *(given.symbol for given in model.inputs),
            *(parameter.symbol for parameter in model.parameters),
        }
        self.motion = Plan()
        self.loads = Plan()
        self.given = Plan()  # accelerations that the user set
        rates = [q.diff(model.time) for q in model.coordinates]
        derivatives = {symbol.diff(model.time): symbol for symbol in (*rates, *model.speeds)}
        self.frames = Frames(system.inertial_frame, self.motion)
        self._points: dict[Point, PointForm] = {}
        self.bodies = [self._body(body) for body in system.bodies]
        self.applied = [self._load(place, vector) for place, vector in system.loads]
        self.following = {  # speed or q' -> its derivative, where a load holds that
            derivatives[symbol]: symbol for symbol in self.loads.symbols if symbol in derivatives
        }
        self.gravity = None if system.gravity is None else self.frames.vector(system.gravity, self.loads)
        self.potential = self.motion.add(system.potential_energy)
        self.dissipation = self.motion.add(system.dissipation_function)
        self.constraints = [self.motion.add(expression) for expression in system.velocity_constraints]
        self.heights = Plan()  # positions that only the potential energy needs
        self.components = self._components()
        self.origins = [] if self.gravity is None else self._origins()
        self.has_positions = any(point.positions for point in self._points.values())

    def _origins(self) -> list[list[tuple[VectorForm, ...]]]:
        """Return for each body the positions of its mass centre from the points at rest that are connected with it.

        The points are ordered by their distance from the first body connected with them. A point whose place holds
        symbols without a value is none of the mechanism.
        """
        found: list[list[tuple[VectorForm, ...]]] = []
        resting: list[list[Point]] = []
        for index, body in enumerate(self.system.bodies):
            first = self.components[index]
            if first == index:
                velocities = {p: set_velocity(p, self.system.inertial_frame) for p in _connected(body.masscenter)}
                still = [p for p, velocity in velocities.items() if velocity is not None and velocity == 0]
                resting.append([point for point in still if self._has_place(body.masscenter, point)])
            else:
                resting.append(resting[first])
            found.append([self._between(body.masscenter, point, self.heights) for point in resting[index]])
        return found

    def _has_place(self, point: Point, origin: Point) -> bool:
        """Whether the position of `point` from `origin` has a value."""
        path = shortest_path(point, positions, lambda other: other is origin)
        entries = [x for a, b in itertools.pairwise(path) for x in self.frames.entries(positions(a)[b])]
        return all(leaf in self._known for entry in entries for leaf in entry.atoms(sympy.Symbol, AppliedUndef))

    def _components(self) -> list[int]:
        """Return for each body the index of the first body that positions connect with it."""
        first: dict[Point, int] = {}
        for index, body in enumerate(self.system.bodies):
            if body.masscenter not in first:
                first.update(dict.fromkeys(_connected(body.masscenter), index))
        return [first[body.masscenter] for body in self.system.bodies]

    def _body(self, body: Any) -> BodyForm:
        centre = self._point(body.masscenter)
        rotation = None
        if hasattr(body, "inertia"):
            dyadic, about = inertia_of(body)
            angular_velocity = self.frames.angular_velocity(body.frame)
            arm = () if about is body.masscenter else self._between(body.masscenter, about)
            acceleration = set_angular_acceleration(body.frame, self.system.inertial_frame)
            rotation = RotationForm(angular_velocity, self.frames.dyadic(dyadic), arm, self._given(acceleration))
        return BodyForm(str(body.name), self.motion.add(body.mass), centre, rotation)

    def _load(self, place: Any, vector: Any) -> LoadForm:
        form = self.frames.vector(vector, self.loads)
        if hasattr(place, "pos_from"):
            return LoadForm(self._point(place), None, form)
        return LoadForm(None, self.frames.angular_velocity(getattr(place, "frame", place)), form)

    def _point(self, point: Point) -> PointForm:
        if point in self._points:
            return self._points[point]
        frame = self.system.inertial_frame
        path = shortest_path(point, self._neighbours, lambda other: set_velocity(other, frame) is not None)
        if not path:
            raise ModelError(
                f"point {point.name} has no velocity in {frame.name}: use set_vel, or place it with set_pos"
            )
        acceleration = set_acceleration(point, frame)
        velocity, along = set_velocity(path[-1], frame), self._along(path)
        if self.system.auxiliary_speeds and along:  # in angular velocities, of which positions know nothing
            velocity = velocity + sum((positions(a)[b].dt(frame) for a, b in itertools.pairwise(path)), Vector(0))
            along = ()
        form = PointForm(self.frames.vector(velocity), along, self._given(acceleration))
        self._points[point] = form
        return form

    def _neighbours(self, point: Point) -> list[Point]:
        """Return the points whose distance has components in the inertial frame."""
        return [other for other, vector in positions(point).items() if self.frames.is_oriented(vector)]

    def _between(self, point: Point, origin: Point, plan: Plan | None = None) -> tuple[VectorForm, ...]:
        """Return vectors that add up to the position of `point` from `origin`."""
        path = shortest_path(point, positions, lambda other: other is origin)
        if not path:
            raise ModelError(f"the position of {point.name} from {origin.name} is not known: use set_pos")
        return self._along(path, plan)

    def _along(self, path: list[Point], plan: Plan | None = None) -> tuple[VectorForm, ...]:
        return tuple(self.frames.vector(positions(a)[b], plan) for a, b in itertools.pairwise(path))

    def _given(self, vector: Any) -> VectorForm | None:
        return None if vector is None else self.frames.vector(vector, self.given)


def _connected(point: Point) -> list[Point]:
    """Return the points whose position relative to `point` is known, itself included."""
    return [other for other, _ in nearest_first(point, positions)]
