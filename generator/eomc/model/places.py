"""Every scalar expression of a model with the place in which it stands, in the user's words."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import sympy
from sympy.physics.vector import Point

from eomc.model import geometry
from eomc.model.events import Impact, Named
from eomc.model.idle import Turning
from eomc.model.mechanism import Mechanism
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.model.place import ALIKE, PURE, Measured, Place, Role, numbered, of_vector
from eomc.model.placements import placements, points_from
from eomc.model.sympy_private import (
    angular_velocities,
    entries,
    inertia_of,
    orientations,
    positions,
    set_acceleration,
    set_angular_acceleration,
    set_velocity,
)
from eomc.model.trees.measured import of_load
from eomc.model.trees.scalars import scalars_of
from eomc.model.trees.tree import JointTree


def places(model: Mechanism) -> Iterator[Place]:
    """Yield every expression on which the equations of motion and the outputs of `model` rest, motion first."""
    yield from _places(model, set())


def marginal_places(model: Mechanism) -> Iterator[Place]:
    """Yield what hangs on the mechanism without deciding its motion: positions of the points between its bodies.

    The derivation reads these too, with the velocities that were set for the points and the frames of both: a symbol
    that occurs only there is used, and needs a value. Points that lie on no way from a body or load to the root of the
    points are none of the model's business.
    """
    yield from _marginal_places(model, set())


def all_places(model: Mechanism) -> Iterator[Place]:
    """Yield the marginal places, then all others; a vector or a rotation that is in both is told of once."""
    told: set[int] = set()  # ids of what the model's frames and points hold, so that no other object takes one
    yield from _marginal_places(model, told)
    yield from _places(model, told)


def _places(model: Mechanism, told: set[int]) -> Iterator[Place]:
    dynamics = model.dynamics
    for one in model.events:
        if isinstance(one.what, Impact):
            yield Place(one.what.gap, f"the gap of impact {one.name!r}", Role.MOTION, 1)
    if isinstance(dynamics, MechanicalSystem):
        yield from _of_bodies(model, dynamics, told)
    elif isinstance(dynamics, Lagrangian):
        yield Place(dynamics.expression, "the Lagrangian", Role.MOTION, measured=Measured("J"))
        yield from numbered(dynamics.configuration_constraints, "configuration constraint", Role.MOTION, 2)
        yield from numbered(dynamics.velocity_constraints, "velocity constraint", Role.MOTION, 1)
        yield Place(dynamics.dissipation_function, "dissipation_function", Role.FORCE, measured=Measured("W"))
        yield from load_places(model)
    elif isinstance(dynamics, JointTree):
        yield from _of_tree(dynamics)
    else:
        yield Place(dynamics.expression, "the Hamiltonian", Role.FORCE, measured=Measured("J"))
        yield from _generalized_forces(model, dynamics, Role.FORCE)
    for state in model.extra_states:
        yield Place(state.rate, f"the rate of {state.name}", Role.RATE, measured=Measured("1/s", state.symbol))
    for output in model.outputs:
        yield Place(output.expression, f"output {output.name!r}", Role.OUTPUT, measured=Measured(output.unit))
    for one in model.events:
        yield from _of_interruption(one)
    for point in model.appearance.points:
        if isinstance(point.place, tuple):
            for component in point.place:
                yield Place(component, f"points[{point.name!r}]", Role.FORCE)
    for entry, label, _ in model.appearance.expressions():
        yield Place(entry, label, Role.FORCE)


def _of_tree(tree: JointTree) -> Iterator[Place]:
    yield from numbered(tree.configuration_constraints, "configuration constraint", Role.MOTION, 2)
    yield from numbered(tree.velocity_constraints, "velocity constraint", Role.MOTION, 1)
    for entry, label, unit in scalars_of(tree):
        yield Place(entry, label, Role.MOTION, measured=Measured(unit))
    joints = {joint.name: joint for joint in tree.joints}
    for number, load in enumerate(tree.loads, 1):
        for component, unit in zip(load.components, of_load(joints, load), strict=True):
            yield Place(component, f"load {number} on {load.place}", Role.FORCE, measured=Measured(unit))


def _of_interruption(one: Named) -> Iterator[Place]:
    if isinstance(one.what, Impact):
        yield Place(one.what.restitution, f"the restitution of impact {one.name!r}", Role.FORCE, measured=PURE)
        return
    for expression, measured in ((one.what.expression, ALIKE), (one.what.at, Measured("s"))):
        if expression is not None:
            yield Place(expression, f"event {one.name!r}", Role.OUTPUT, measured=measured)
    for symbol, value in one.what.reset:
        label = f"the reset of {name_of(symbol)} in event {one.name!r}"
        yield Place(value, label, Role.OUTPUT, measured=Measured("1", symbol))


def load_places(model: Mechanism) -> Iterator[Place]:
    """Yield the loads on bodies, or the generalized forces beside a Lagrangian: what accelerations may stand in."""
    dynamics = model.dynamics
    if isinstance(dynamics, MechanicalSystem):
        for number, (place, vector) in enumerate(dynamics.loads, 1):
            unit = "N" if isinstance(place, Point) else "N m"
            yield from of_vector(vector, f"load {number} on {place}", Role.LOAD, unit)
    elif isinstance(dynamics, Lagrangian):
        yield from _generalized_forces(model, dynamics, Role.LOAD)


def _generalized_forces(model: Mechanism, dynamics: Lagrangian | Hamiltonian, role: Role) -> Iterator[Place]:
    for coordinate, force in zip(model.coordinates, dynamics.generalized_forces, strict=True):
        yield Place(force, f"the generalized force of {coordinate}", role, measured=Measured("J", per=(coordinate,)))


def _marginal_places(model: Mechanism, told: set[int]) -> Iterator[Place]:
    if isinstance(model.dynamics, MechanicalSystem):
        system = model.dynamics
        yield from _of_vectors(_between_points(system, points_on_ways(system)), system.inertial_frame, told)
        if model.appearance.moves_poses:
            yield from _of_vectors(_to_origin(model, system.inertial_frame), system.inertial_frame, told)


def _to_origin(model: Mechanism, inertial_frame: Any) -> list[tuple[Any, str, str]]:
    """Return the vectors between the points on the ways from what has a pose to the origin, with labels and units."""
    placed = placements(model)
    oriented = geometry.paths_to(inertial_frame, orientations)
    towards = {} if placed.origin is None else points_from(placed.origin, oriented)
    points = [row.place for row in placed.rows if not isinstance(row.place, tuple)]
    return [
        (positions(point)[inwards], f"the position of {point} from {inwards}", "m")
        for point, inwards in geometry.steps(points, towards)
    ]


def points_of(system: MechanicalSystem) -> list[Any]:
    """Return the points that matter by themselves: mass centres, those that loads act on, those of inertias."""
    points = itertools.chain(
        (body.masscenter for body in system.bodies),
        (place for place, _ in system.loads if isinstance(place, Point)),
        (inertia_of(body)[1] for body in system.bodies if hasattr(body, "inertia")),
    )
    return list(dict.fromkeys(points))


def points_on_ways(system: MechanicalSystem) -> dict[Any, Any]:
    """Return point -> next point towards the root of connected points, for all that the mechanism consists of."""
    return geometry.ways(points_of(system), system.inertial_frame)


def frames_on_ways(system: MechanicalSystem, ways: dict[Any, Any]) -> set[Any]:
    """Return the frames that the motion needs, with those between them and the inertial frame.

    `ways` are those of `points_on_ways`.
    """
    inertial_frame = system.inertial_frame
    frames = dict.fromkeys(body.frame for body in system.bodies if hasattr(body, "frame"))
    frames.update((place, None) for place, _ in system.loads if not isinstance(place, Point))
    vectors = [vector for vector, *_ in (*_between_points(system, ways), *_set_accelerations(system))]
    vectors += [*(vector for _, vector in system.loads), *filter(None, [system.gravity])]
    for body in system.bodies:
        if hasattr(body, "inertia"):
            vectors += [vector for _, first, second in inertia_of(body)[0].args for vector in (first, second)]
    frames.update(_frames_of(vectors))
    spins = geometry.paths_to(inertial_frame, angular_velocities)
    frames.update(_frames_of(angular_velocities(frame)[parent] for frame, parent in geometry.steps([*frames], spins)))
    return {inertial_frame}.union(*geometry.steps([*frames], geometry.paths_to(inertial_frame, orientations)))


def _between_points(system: MechanicalSystem, ways: dict[Any, Any]) -> list[tuple[Any, str, str]]:
    """Return the positions of the mechanism's points from each other and their velocities, with labels and units."""
    inertial_frame = system.inertial_frame
    oriented = geometry.paths_to(inertial_frame, orientations)
    vectors: list[tuple[Any, str, str]] = []
    for point, origin in ways.items():
        if origin is not None:
            vectors.append((positions(point)[origin], f"the position of {point} from {origin}", "m"))
        velocity = set_velocity(point, inertial_frame)
        if velocity is not None:
            vectors.append((velocity, f"the velocity of {point} in {inertial_frame}", "m/s"))
    for point in points_of(system):
        vectors += [found[:3] for found in _velocity(point, inertial_frame, oriented, {})]
    return list({(id(vector), label): (vector, label, unit) for vector, label, unit in vectors}.values())  # each once


def _frames_of(vectors: Iterable[Any]) -> dict[Any, None]:
    """Return the frames in which vectors are given; a zero may be the number 0."""
    return {frame: None for vector in vectors if vector for frame in geometry.frames_of(vector)}


def _of_vectors(vectors: list[tuple[Any, str, str]], inertial_frame: Any, told: set[int]) -> Iterator[Place]:
    """Yield the components of vectors, and what turns the frames in which they are given, but for those `told`."""
    frames: dict[Any, None] = {}
    for vector, label, unit in vectors:
        if id(vector) not in told:
            told.add(id(vector))
            yield from of_vector(vector, label, Role.MOTION, unit)
        frames.update(dict.fromkeys(geometry.frames_of(vector)))
    for frame, parent in geometry.steps(list(frames), geometry.paths_to(inertial_frame, angular_velocities)):
        spin = angular_velocities(frame)[parent]
        if id(spin) not in told:
            told.add(id(spin))
            yield from of_vector(spin, f"the angular velocity of {frame} in {parent}", Role.MOTION, "rad/s")
        frames.update(dict.fromkeys(geometry.frames_of(spin)))
    yield from _orientations(list(frames), geometry.paths_to(inertial_frame, orientations), told)


def _orientations(frames: list[Any], oriented: dict[Any, Any], told: set[int]) -> Iterator[Place]:
    for frame, parent in geometry.steps(frames, oriented):
        rotation = orientations(frame)[parent]
        if id(rotation) in told:
            continue
        told.add(id(rotation))
        label = f"the orientation of {frame} in {parent}"
        for entry in entries(rotation):
            if entry is sympy.S.Zero:
                continue
            yield Place(entry, label, Role.MOTION, measured=PURE)


def _of_bodies(model: Mechanism, system: MechanicalSystem, told: set[int]) -> Iterator[Place]:
    yield from numbered(system.kinematical_equations, "kinematical equation", Role.MOTION)
    yield from numbered(system.configuration_constraints, "configuration constraint", Role.MOTION, 2)
    yield from numbered(system.velocity_constraints, "velocity constraint", Role.MOTION, 1)
    turning = Turning(system)
    for body in system.bodies:
        yield Place(sympy.sympify(body.mass), f"the mass of {body.name}", Role.MOTION, measured=Measured("kg"))
        if hasattr(body, "inertia"):
            dyadic, _ = inertia_of(body)
            for (scalar, _, _), needed in zip(dyadic.args, turning.needed(body), strict=True):
                label, measured = f"the inertia of {body.name}", Measured("kg m^2")
                yield Place(sympy.sympify(scalar), label, Role.MOTION, needed=needed, measured=measured)
    yield from _geometry(system, told)
    yield from load_places(model)
    if system.gravity is not None:
        yield from of_vector(system.gravity, "gravity", Role.FORCE, "m/s^2")
    yield Place(system.potential_energy, "the potential energy", Role.FORCE, measured=Measured("J"))
    yield Place(system.dissipation_function, "dissipation_function", Role.FORCE, measured=Measured("W"))


def _geometry(system: MechanicalSystem, told: set[int]) -> Iterator[Place]:
    """Yield velocities, angular velocities and orientations that the bodies and loads need, but for those `told`."""
    inertial_frame = system.inertial_frame
    points = dict.fromkeys(body.masscenter for body in system.bodies)
    frames = dict.fromkeys(body.frame for body in system.bodies if hasattr(body, "frame"))
    for place, _ in system.loads:
        (points if isinstance(place, Point) else frames)[place] = None
    oriented = geometry.paths_to(inertial_frame, orientations)
    centers = {body.masscenter for body in system.bodies}  # only these have accelerations
    spinning = {body.frame for body in system.bodies if hasattr(body, "frame")}
    vectors: list[tuple[Any, str, str, int]] = []
    rotating: dict[Any, None] = {}  # frames whose angular velocity a position's derivative needs
    for point in points:
        found = _velocity(point, inertial_frame, oriented, rotating)
        vectors += [(*told, rates if point in centers else 0) for *told, rates in found]
    for body in system.bodies:
        if hasattr(body, "inertia"):
            dyadic, about = inertia_of(body)
            frames.update(dict.fromkeys(frame for _, first, _ in dyadic.args for frame in geometry.frames_of(first)))
            if about is not body.masscenter and about in positions(body.masscenter):
                what = f"the position of {body.masscenter} from {about}"
                vectors.append((positions(body.masscenter)[about], what, "m", 0))
    for frame, parent in geometry.steps([*frames, *rotating], geometry.paths_to(inertial_frame, angular_velocities)):
        rates = int(frame in spinning)
        label = f"the angular velocity of {frame} in {parent}"
        vectors.append((angular_velocities(frame)[parent], label, "rad/s", rates))
    for vector, label, unit, rates in vectors:
        if id(vector) not in told:
            yield from of_vector(vector, label, Role.MOTION, unit, rates)
    accelerations = list(_set_accelerations(system))
    for vector, label, unit in accelerations:
        yield from of_vector(vector, label, Role.ACCELERATION, unit)
    forces = [*(vector for _, vector in system.loads), *filter(None, [system.gravity])]
    frames.update(_frames_of([*(vector for vector, *_ in (*vectors, *accelerations)), *forces]))
    yield from _orientations(list(frames), oriented, told)


def _set_accelerations(system: MechanicalSystem) -> Iterator[tuple[Any, str, str]]:
    """Yield the accelerations that the user set for mass centres and bodies' frames, each once, with their units."""
    inertial_frame = system.inertial_frame
    for point in dict.fromkeys(body.masscenter for body in system.bodies):
        acceleration = set_acceleration(point, inertial_frame)
        if acceleration is not None:
            yield acceleration, f"the acceleration of {point} in {inertial_frame}", "m/s^2"
    for frame in dict.fromkeys(body.frame for body in system.bodies if hasattr(body, "frame")):
        acceleration = set_angular_acceleration(frame, inertial_frame)
        if acceleration is not None:
            yield acceleration, f"the angular acceleration of {frame} in {inertial_frame}", "rad/s^2"


def _velocity(
    point: Any, inertial_frame: Any, oriented: dict[Any, Any], rotating: dict[Any, None]
) -> list[tuple[Any, str, str, int]]:
    """Return the vectors from which the velocity of `point` is found; note the frames that they turn with.

    With each is told how many times the acceleration of the point differentiates it.
    """
    path = geometry.velocity_path(point, inertial_frame, oriented)
    if path is None:
        return []
    velocity = set_velocity(path[-1], inertial_frame)
    found = [(velocity, f"the velocity of {path[-1]} in {inertial_frame}", "m/s", 1)]
    for here, other in itertools.pairwise(path):
        position = positions(here)[other]
        rotating.update(dict.fromkeys(geometry.frames_of(position)))
        found.append((position, f"the position of {here} from {other}", "m", 2))
    return found
