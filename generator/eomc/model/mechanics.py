"""What makes a system of bodies well formed: kinematics, constraints, bodies, loads, and motions that are defined."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.physics.mechanics.body_base import BodyBase
from sympy.physics.mechanics.rigidbody import RigidBody
from sympy.physics.vector import Point, ReferenceFrame, Vector

from eomc.errors import ModelError
from eomc.model import geometry
from eomc.model.arguments import kind_of
from eomc.model.linearity import nonlinear_symbols
from eomc.model.mechanism import Mechanism
from eomc.model.parts import MechanicalSystem
from eomc.model.roles import check_configuration_constraints, check_free_of, check_velocity_constraints
from eomc.model.sympy_private import angular_velocities, orientations
from eomc.model.walking import is_time_function, mentions
from eomc.wording import are, counted


def check_mechanical_system(model: Mechanism, system: MechanicalSystem) -> None:
    """Raise ModelError at the first mistake in the bodies, loads, kinematics and constraints of `model`."""
    rates = tuple(sympy.Derivative(q, model.time) for q in model.coordinates)
    _check_types(model, system)
    _check_subsets(model, system)
    _check_kinematics(model, system, rates)
    motion = (*model.speeds, *rates)
    check_configuration_constraints(system.configuration_constraints, model.coordinates, motion)
    check_velocity_constraints(system.velocity_constraints, motion)
    _check_counts(model, system)
    remedy = "a potential energy depends on coordinates and time; damping belongs in dissipation_function or loads"
    check_free_of(system.potential_energy, motion, "potential_energy", remedy)
    remedy = "a force that depends on the motion belongs in loads"
    for entry in geometry.entries_of(system.gravity or Vector(0)):
        check_free_of(entry, (*model.coordinates, *motion), "gravity", remedy)
    _check_motions(system)
    if system.reactions:
        _check_reactions(model, system)


def _check_types(model: Mechanism, system: MechanicalSystem) -> None:
    if not isinstance(system.inertial_frame, ReferenceFrame):
        raise ModelError(f"inertial_frame is {_kind(system.inertial_frame)}: give a ReferenceFrame")
    if not system.bodies and (model.coordinates or model.speeds):
        raise ModelError("there are no bodies: list RigidBody and Particle objects in bodies=[...]")
    listed: set[int] = set()
    for number, body in enumerate(system.bodies, 1):
        if not isinstance(body, BodyBase):
            raise ModelError(f"body {number} is {_kind(body)}: give a RigidBody or a Particle")
        if id(body) in listed:
            raise ModelError(f"body {body.name} is listed twice: list it once")
        listed.add(id(body))
    for number, (place, vector) in enumerate(system.loads, 1):
        if not isinstance(place, (Point, ReferenceFrame)):
            raise ModelError(f"load {number} acts on {_kind(place)}: give (Point, force) or (ReferenceFrame, torque)")
        if not isinstance(vector, Vector):
            raise ModelError(f"load {number} on {place} is {_kind(vector)}: give a Vector, such as F*N.x")
    if system.gravity is not None and not isinstance(system.gravity, Vector):
        raise ModelError(f"gravity is {_kind(system.gravity)}: give the acceleration as a Vector, such as -g*N.z")


def _check_subsets(model: Mechanism, system: MechanicalSystem) -> None:
    for what, members, whole, name in (
        ("dependent_coordinates", system.dependent_coordinates, model.coordinates, "coordinates"),
        ("dependent_speeds", system.dependent_speeds, model.speeds, "speeds"),
        ("auxiliary_speeds", system.auxiliary_speeds, model.speeds, "speeds"),
    ):
        for index, symbol in enumerate(members):
            if symbol not in whole:
                raise ModelError(f"{what} has {symbol}, which is not among the {name}: list it in {name} too")
            if symbol in members[:index]:
                raise ModelError(f"{symbol} is listed twice in {what}: list it once")
    for symbol in system.auxiliary_speeds:
        if symbol in system.dependent_speeds:
            raise ModelError(f"{symbol} is both an auxiliary and a dependent speed: an auxiliary speed is always zero")


def _check_kinematics(model: Mechanism, system: MechanicalSystem, rates: tuple[sympy.Expr, ...]) -> None:
    """Raise ModelError unless there are n_q kinematical equations, linear in q' and u, and every q' appears."""
    equations = system.kinematical_equations
    if not equations and model.coordinates:
        count = len(model.coordinates)
        raise ModelError(
            f"there {are(count, 'coordinate')} and {counted(len(model.speeds), 'speed')} but no kinematical "
            f"equations, so that {_without_speed(model)}: give {counted(count, 'entry', 'entries')} in "
            f"kinematical_equations, or one speed for each coordinate"
        )
    determined: set[sympy.Basic] = set()
    changes = set(rates)
    motion = {*rates, *model.speeds}
    for number, equation in enumerate(equations, 1):
        found = mentions(equation, motion)
        if changes.isdisjoint(found):
            raise ModelError(
                f"kinematical equation {number} contains no time derivative of a coordinate: each must relate q' "
                f"to the speeds, such as u1 - q1.diff(t)"
            )
        determined.update(found)
        nonlinear = nonlinear_symbols(equation, found)
        if nonlinear:
            raise ModelError(
                f"kinematical equation {number} is not linear in {', '.join(map(str, nonlinear))}: it must be linear "
                f"in the speeds and the time derivatives of the coordinates"
            )
    for coordinate, rate in zip(model.coordinates, rates, strict=True):
        if rate not in determined:
            raise ModelError(
                f"coordinate {coordinate} has no speed: {rate} appears in no kinematical equation; add one that "
                f"relates it to the speeds"
            )
    if len(equations) != len(model.coordinates):
        raise ModelError(
            f"there {are(len(equations), 'kinematical equation')} for {counted(len(model.coordinates), 'coordinate')}: "
            f"give one for each coordinate"
        )


def _without_speed(model: Mechanism) -> str:
    if len(model.speeds) < len(model.coordinates):
        names = ", ".join(map(str, model.coordinates[len(model.speeds) :]))
        return f"{names} {'has' if names.count(',') == 0 else 'have'} no speed"
    return "it is not clear which speed belongs to which coordinate"


def _check_counts(model: Mechanism, system: MechanicalSystem) -> None:
    """Raise ModelError where more is named dependent than constraints can determine; nothing need be named."""
    velocity, configuration = len(system.velocity_constraints), len(system.configuration_constraints)
    dependent = len(system.dependent_speeds)
    if dependent and not velocity <= dependent <= velocity + configuration:
        raise ModelError(
            f"there {are(velocity, 'velocity constraint')} and {counted(dependent, 'dependent speed')}: name as many "
            f"dependent_speeds as there are constraints on the speeds, or none (they are then chosen)"
        )
    if dependent and dependent >= len(model.speeds) - len(system.auxiliary_speeds):
        raise ModelError(
            f"{counted(dependent, 'dependent speed')} of {counted(len(model.speeds), 'speed')} leave no freedom to "
            f"move: take constraints out, or name no dependent speeds"
        )
    dependent = len(system.dependent_coordinates)
    if dependent > configuration:
        raise ModelError(
            f"there {are(configuration, 'configuration constraint')} and {counted(dependent, 'dependent coordinate')}: "
            f"name as many dependent_coordinates as there are configuration constraints, or none"
        )


def _check_reactions(model: Mechanism, system: MechanicalSystem) -> None:
    """Raise ModelError unless there are as many reactions as auxiliary speeds, each in a load and nowhere but there."""
    symbols = [reaction.symbol for reaction in system.reactions]
    for symbol in symbols:
        if not isinstance(symbol, sympy.Symbol) and not is_time_function(symbol, model.time):
            raise ModelError(
                f"reaction {symbol} is neither a symbol nor a function of {model.time}: make it with symbols(...)"
            )
    if len(symbols) != len(system.auxiliary_speeds):
        raise ModelError(
            f"there {are(len(symbols), 'reaction')} and {counted(len(system.auxiliary_speeds), 'auxiliary speed')}: "
            f"name one reaction for each auxiliary speed, or none (each is then called after its speed)"
        )
    loads = [entry for _, vector in system.loads for entry in geometry.entries_of(vector)]
    acting = {symbol for load in loads for symbol in mentions(load, set(symbols))}
    for symbol in symbols:
        if symbol not in acting:
            raise ModelError(f"reaction {symbol} acts in no load: add the load by which it holds its auxiliary speed")
    remedy = "a reaction belongs in loads"
    for what in ("potential_energy", "dissipation_function"):
        check_free_of(getattr(system, what), symbols, what, remedy)
    for entry in geometry.entries_of(system.gravity or Vector(0)):
        check_free_of(entry, symbols, "gravity", remedy)


def _check_motions(system: MechanicalSystem) -> None:
    """Raise ModelError unless mass centres, bodies' frames and what loads act on move in a defined way."""
    inertial_frame = system.inertial_frame
    turning = geometry.paths_to(inertial_frame, angular_velocities)
    oriented = geometry.paths_to(inertial_frame, orientations)
    for body in system.bodies:
        _check_point(body.masscenter, oriented, inertial_frame, f"the mass centre of {body.name}")
        if isinstance(body, RigidBody):
            _check_frame(body.frame, turning, inertial_frame, f"the frame of {body.name}")
    for number, (place, _) in enumerate(system.loads, 1):
        what = f"on which load {number} acts"
        if isinstance(place, Point):
            _check_point(place, oriented, inertial_frame, what)
        else:
            _check_frame(place, turning, inertial_frame, what)


def _check_point(point: Any, oriented: dict[Any, Any], inertial_frame: Any, what: str) -> None:
    if geometry.velocity_path(point, inertial_frame, oriented) is None:
        raise ModelError(
            f"point {point}, {what}, has no velocity in frame {inertial_frame}: call {point}.set_vel({inertial_frame}, "
            f"...), or set its position from a point that has one"
        )


def _check_frame(frame: Any, turning: dict[Any, Any], inertial_frame: Any, what: str) -> None:
    if frame not in turning:
        raise ModelError(
            f"frame {frame}, {what}, has no angular velocity in frame {inertial_frame}: orient it, or call "
            f"{frame}.set_ang_vel({inertial_frame}, ...)"
        )


def _kind(value: object) -> str:
    return f"{' '.join(repr(value).split())[:40]} ({kind_of(value)})"
