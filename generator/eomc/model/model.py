"""A mechanism: what the front ends build, what every later stage reads.

:class:`Model` is immutable and holds SymPy expressions as the user wrote them; nothing is simplified, expanded or
solved here. Its constructor is the front end for systems of bodies (:class:`MechanicalSystem`); `eomc.from_lagrangian`,
`eomc.from_hamiltonian`, `eomc.from_kanes_method` and their kin make the same object from other descriptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy
from sympy.physics.vector import dynamicsymbols

from eomc.errors import ModelError
from eomc.model.names import name_of
from eomc.model.parts import ExtraState, Hamiltonian, Input, Lagrangian, MechanicalSystem, Output, Parameter, Value
from eomc.model.validation import validate

__all__ = ["DEFAULT_RANGE", "Dynamics", "Model"]

Dynamics: TypeAlias = MechanicalSystem | Lagrangian | Hamiltonian

DEFAULT_RANGE = (-1.0, 1.0)
"""Bounds of a coordinate, speed, momentum or extra state that the model gives no range for."""


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Model:
    """A mechanism described with sympy.physics.mechanics: bodies, loads, constraints.

    Parameters
    ----------
    name
        Identifier; the emitted C is named after it.
    inertial_frame
        ``ReferenceFrame`` in which Newton's law holds.
    coordinates, speeds
        Time functions q(t), u(t) in the order of the state. Fewer speeds than coordinates are welcome; dependent and
        auxiliary speeds are listed among the speeds.
    kinematical_equations
        As many expressions as coordinates, each equal to zero, linear in q' and u. Empty: u = q'.
    bodies
        ``RigidBody`` and ``Particle`` objects.
    loads
        Pairs (Point, force vector) and (ReferenceFrame, torque vector), or sympy's ``Force`` and ``Torque``.
    gravity
        Acceleration of free fall as a vector, such as ``-g*N.z``: makes the weights and the potential energy [m/s^2].
    potential_energy
        V(q, t) of everything but gravity; makes the forces -dV/dq [J].
    dissipation_function
        F(q, u, t); makes the generalized forces -dF/du_r [W].
    configuration_constraints, velocity_constraints
        Expressions equal to zero; velocity constraints are linear in u.
    dependent_coordinates, dependent_speeds, auxiliary_speeds
        Subsets of the coordinates and speeds.
    extra_states
        Mapping z(t) -> dz/dt.
    inputs
        Time functions (or their derivatives) that the caller supplies; a mapping gives their default values.
    outputs
        Mapping name -> expression.
    parameters
        Mapping symbol -> value, (value, unit) or (value, unit, description); SI units.
    initial, ranges
        Mapping symbol -> initial value; symbol -> (low, high), from which random states are drawn.
    description
        One line for people.

    Raises
    ------
    ModelError
        Something is missing, listed twice, unused, or of the wrong kind; the message names it.
    """

    name: str
    description: str
    time: sympy.Symbol
    coordinates: tuple[sympy.Expr, ...]
    speeds: tuple[sympy.Expr, ...]  # generalized speeds; momenta for a Hamiltonian; q' for a Lagrangian
    dynamics: Dynamics
    parameters: tuple[Parameter, ...]
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    extra_states: tuple[ExtraState, ...]
    initial: tuple[tuple[sympy.Expr, float], ...]
    ranges: tuple[Value, ...]

    def __init__(
        self,
        *,
        name: str,
        inertial_frame: Any,
        coordinates: Sequence[sympy.Expr],
        speeds: Sequence[sympy.Expr],
        bodies: Sequence[Any],
        kinematical_equations: Sequence[sympy.Expr] = (),
        loads: Sequence[Any] = (),
        gravity: Any = None,
        potential_energy: sympy.Expr | float = 0,
        dissipation_function: sympy.Expr | float = 0,
        configuration_constraints: Sequence[sympy.Expr] = (),
        velocity_constraints: Sequence[sympy.Expr] = (),
        dependent_coordinates: Sequence[sympy.Expr] = (),
        dependent_speeds: Sequence[sympy.Expr] = (),
        auxiliary_speeds: Sequence[sympy.Expr] = (),
        extra_states: Mapping[sympy.Expr, sympy.Expr] | None = None,
        inputs: Sequence[sympy.Expr] | Mapping[sympy.Expr, Any] = (),
        outputs: Mapping[str, sympy.Expr] | None = None,
        parameters: Mapping[sympy.Expr, Any] | None = None,
        initial: Mapping[sympy.Expr, float] | None = None,
        ranges: Mapping[sympy.Expr, tuple[float, float]] | None = None,
        description: str = "",
    ) -> None:
        q = _expressions("coordinates", coordinates)
        u = _expressions("speeds", speeds)
        time = _time_of(q + u)
        kinematics = _expressions("kinematical_equations", kinematical_equations)
        if not kinematics and len(q) == len(u):
            kinematics = tuple(ui - sympy.Derivative(qi, time) for qi, ui in zip(q, u, strict=True))
        system = MechanicalSystem(
            inertial_frame=inertial_frame,
            kinematical_equations=kinematics,
            bodies=tuple(bodies),
            loads=tuple(_load(load) for load in loads),
            gravity=gravity,
            potential_energy=_expression("potential_energy", potential_energy),
            dissipation_function=_expression("dissipation_function", dissipation_function),
            configuration_constraints=_expressions("configuration_constraints", configuration_constraints),
            velocity_constraints=_expressions("velocity_constraints", velocity_constraints),
            dependent_coordinates=_expressions("dependent_coordinates", dependent_coordinates),
            dependent_speeds=_expressions("dependent_speeds", dependent_speeds),
            auxiliary_speeds=_expressions("auxiliary_speeds", auxiliary_speeds),
        )
        _fill(self, name, description, time, q, u, system, parameters, inputs, outputs, extra_states, initial, ranges)

    @classmethod
    def of_dynamics(
        cls,
        dynamics: Dynamics,
        *,
        name: str,
        coordinates: Sequence[sympy.Expr],
        speeds: Sequence[sympy.Expr],
        inputs: Sequence[sympy.Expr] | Mapping[sympy.Expr, Any] = (),
        outputs: Mapping[str, sympy.Expr] | None = None,
        extra_states: Mapping[sympy.Expr, sympy.Expr] | None = None,
        parameters: Mapping[sympy.Expr, Any] | None = None,
        initial: Mapping[sympy.Expr, float] | None = None,
        ranges: Mapping[sympy.Expr, tuple[float, float]] | None = None,
        description: str = "",
    ) -> Model:
        """Return the model of ready-made `dynamics`; for front ends."""
        model = object.__new__(cls)
        q, u = _expressions("coordinates", coordinates), _expressions("speeds", speeds)
        time = _time_of(q + u)
        _fill(model, name, description, time, q, u, dynamics, parameters, inputs, outputs, extra_states, initial, ranges)
        return model

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods that can derive this model's equations, the native one first."""
        from eomc.derivation.methods import admissible_methods

        return admissible_methods(self)

    def renamed(self, name: str, description: str | None = None) -> Model:
        """Return the same mechanism under another name."""
        model = object.__new__(Model)
        for field in self.__slots__:
            object.__setattr__(model, field, getattr(self, field))
        object.__setattr__(model, "name", name)
        if description is not None:
            object.__setattr__(model, "description", description)
        return model

    def __repr__(self) -> str:
        kind = type(self.dynamics).__name__
        return f"<eomc.Model {self.name!r}: {kind}, {len(self.coordinates)} coordinates, {len(self.speeds)} speeds>"


def _fill(
    model: Model,
    name: str,
    description: str,
    time: sympy.Symbol,
    coordinates: tuple[sympy.Expr, ...],
    speeds: tuple[sympy.Expr, ...],
    dynamics: Dynamics,
    parameters: Mapping[sympy.Expr, Any] | None,
    inputs: Sequence[sympy.Expr] | Mapping[sympy.Expr, Any],
    outputs: Mapping[str, sympy.Expr] | None,
    extra_states: Mapping[sympy.Expr, sympy.Expr] | None,
    initial: Mapping[sympy.Expr, float] | None,
    ranges: Mapping[sympy.Expr, tuple[float, float]] | None,
) -> None:
    """Normalize the user's containers into the frozen records, then validate the whole."""
    fields = {
        "name": name,
        "description": description,
        "time": time,
        "coordinates": coordinates,
        "speeds": speeds,
        "dynamics": dynamics,
        "parameters": tuple(_parameter(symbol, value) for symbol, value in (parameters or {}).items()),
        "inputs": _inputs(inputs),
        "outputs": tuple(
            Output(str(key), _expression(f"output {key!r}", value)) for key, value in (outputs or {}).items()
        ),
        "extra_states": tuple(
            ExtraState(symbol, name_of(symbol), _expression(f"rate of {name_of(symbol)}", rate))
            for symbol, rate in (extra_states or {}).items()
        ),
        "initial": tuple(
            (symbol, _number(f"initial value of {name_of(symbol)}", value)) for symbol, value in (initial or {}).items()
        ),
        "ranges": tuple(_range(symbol, bounds) for symbol, bounds in (ranges or {}).items()),
    }
    for field, value in fields.items():
        object.__setattr__(model, field, value)
    validate(model)


def _expression(what: str, value: Any) -> sympy.Expr:
    try:
        expression = sympy.sympify(value)
    except (sympy.SympifyError, TypeError) as error:
        raise ModelError(f"{what}: {value!r} is not a SymPy expression") from error
    if not isinstance(expression, sympy.Expr):
        raise ModelError(f"{what}: {value!r} is a {type(value).__name__}, not a scalar SymPy expression")
    return expression


def _expressions(what: str, values: Iterable[Any]) -> tuple[sympy.Expr, ...]:
    return tuple(_expression(f"{what}[{index}]", value) for index, value in enumerate(values))


def _time_of(functions: Iterable[sympy.Expr]) -> sympy.Symbol:
    """Return the symbol that the user's time functions take, dynamicsymbols._t where there is none."""
    for function in functions:
        if len(function.args) == 1 and isinstance(function.args[0], sympy.Symbol):
            return function.args[0]
    return dynamicsymbols._t


def _number(what: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what}: {value!r} is not a number") from error


def _quantity(what: str, value: Any) -> tuple[float, str, str]:
    """Split value, (value, unit) or (value, unit, description)."""
    if isinstance(value, (tuple, list)):
        if not 1 <= len(value) <= 3:
            raise ModelError(f"{what}: give a value, (value, unit) or (value, unit, description), not {value!r}")
        number, unit, text = (*value, "", "")[:3]
        return _number(what, number), str(unit), str(text)
    return _number(what, value), "", ""


def _parameter(symbol: Any, value: Any) -> Parameter:
    symbol = _expression("parameters", symbol)
    number, unit, text = _quantity(f"parameter {name_of(symbol)}", value)
    return Parameter(symbol, name_of(symbol), number, unit, text)


def _inputs(inputs: Sequence[Any] | Mapping[Any, Any]) -> tuple[Input, ...]:
    pairs = inputs.items() if isinstance(inputs, Mapping) else ((symbol, 0.0) for symbol in inputs)
    made = []
    for raw, value in pairs:
        symbol = _expression("inputs", raw)
        number, unit, text = _quantity(f"input {name_of(symbol)}", value)
        made.append(Input(symbol, name_of(symbol), number, unit, text))
    return tuple(made)


def _range(symbol: Any, bounds: Any) -> Value:
    what = f"range of {name_of(symbol)}"
    try:
        low, high = bounds
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what}: give (low, high), not {bounds!r}") from error
    return Value(symbol, _number(what, low), _number(what, high))


def _load(load: Any) -> tuple[Any, Any]:
    """Accept (point or frame, vector) and sympy's Force and Torque."""
    for place in ("point", "frame"):
        vector = {"point": "force", "frame": "torque"}[place]
        if hasattr(load, place) and hasattr(load, vector):
            return getattr(load, place), getattr(load, vector)
    try:
        place_, vector_ = load
    except (TypeError, ValueError) as error:
        raise ModelError(f"loads: give (Point, force) or (ReferenceFrame, torque), not {load!r}") from error
    return place_, vector_
