"""The small records that make a :class:`~eomc.model.model.Model`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy

from eomc.model.geometry import fixed_point
from eomc.model.sympy_private import Frame, Vector
from eomc.model.trees.tree import JointTree

Body: TypeAlias = Any  # sympy.physics.mechanics.RigidBody or Particle
Load: TypeAlias = tuple[Any, Any]  # (Point, force) or (ReferenceFrame, torque)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A constant of the mechanism with its default value; `value` and `unit` are in SI, as in all these records."""

    symbol: sympy.Expr
    name: str
    value: float
    unit: str = ""  # in our spelling; empty where none was given
    description: str = ""
    array: str = ""  # the name of the array that it is an element of
    index: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()
    given: bool = True  # False: fills a place of an array that nobody gave a value
    written: str = ""  # the unit as the user wrote it, in which he gave the number


@dataclass(frozen=True, slots=True)
class Input:
    """A signal that the caller supplies at every instant: a force, a torque, a prescribed motion."""

    symbol: sympy.Expr  # r(t), its Derivative of some order, or a plain symbol
    name: str
    value: float = 0.0
    unit: str = ""
    description: str = ""
    written: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """A named quantity of interest, an expression in coordinates, speeds, inputs, parameters and time."""

    name: str
    expression: sympy.Expr
    unit: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class ExtraState:
    """A first-order state beside the mechanical ones: dz/dt = rate(q, u, z, r, t)."""

    symbol: sympy.Expr
    name: str
    rate: sympy.Expr
    mode: bool = False  # a parameter of the user's, which resets of events change: its rate is zero


@dataclass(frozen=True, slots=True)
class Value:
    """The range of a coordinate, speed, extra state, input or parameter."""

    symbol: sympy.Expr
    low: float
    high: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Unit and description of a coordinate, speed or extra state."""

    symbol: sympy.Expr
    unit: str
    description: str
    written: str = ""


@dataclass(frozen=True, slots=True)
class Reaction:
    """An unknown force or torque that holds the auxiliary speeds at zero, and that loads may hold."""

    symbol: sympy.Expr
    name: str
    unit: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Actuator:
    """A force along a pathway, with the loads that it gave: `count` of them from number `first` on."""

    label: str
    force: sympy.Expr
    extension_velocity: sympy.Expr
    wrapping: Any  # the pathway where it is SymPy's own WrappingPathway, else None
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class MechanicalSystem:
    """Bodies, loads and constraints in the language of sympy.physics.mechanics."""

    inertial_frame: Frame
    kinematical_equations: tuple[sympy.Expr, ...]  # each = 0, linear in q' and u
    bodies: tuple[Body, ...]
    loads: tuple[Load, ...]
    gravity: Vector | None  # acceleration of free fall; makes forces and potential energy
    potential_energy: sympy.Expr  # V(q, t); makes the forces -dV/dq
    dissipation_function: sympy.Expr  # F(q, u, t); makes the forces -dF/du_r
    configuration_constraints: tuple[sympy.Expr, ...]
    velocity_constraints: tuple[sympy.Expr, ...]  # each = 0, linear in u
    dependent_coordinates: tuple[sympy.Expr, ...]
    dependent_speeds: tuple[sympy.Expr, ...]
    auxiliary_speeds: tuple[sympy.Expr, ...]
    reactions: tuple[Reaction, ...] = ()  # none, or as many as auxiliary speeds
    actuators: tuple[Actuator, ...] = ()  # those of the loads that actuators gave


def fixed_point_of(system: MechanicalSystem) -> Any:
    """Return the Point at rest to which mass centres are connected, from which places count; None where none is."""
    return fixed_point((body.masscenter for body in system.bodies), system.inertial_frame)


@dataclass(frozen=True, slots=True)
class Lagrangian:
    """L(q, q', t) with nonconservative generalized forces Q_r, one for each coordinate."""

    expression: sympy.Expr
    generalized_forces: tuple[sympy.Expr, ...]
    configuration_constraints: tuple[sympy.Expr, ...]
    velocity_constraints: tuple[sympy.Expr, ...]
    dissipation_function: sympy.Expr = sympy.S.Zero  # F(q, q', t); makes the forces -dF/dq_r'


@dataclass(frozen=True, slots=True)
class Hamiltonian:
    """H(q, p, t) with nonconservative generalized forces Q_r, one for each coordinate.

    The momenta are the model's speeds.
    """

    expression: sympy.Expr
    generalized_forces: tuple[sympy.Expr, ...]


Dynamics: TypeAlias = MechanicalSystem | Lagrangian | Hamiltonian | JointTree
