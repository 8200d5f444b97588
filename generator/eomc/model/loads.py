"""Forces and torques as people have them: pairs, SymPy's Force and Torque, and actuators, to pairs.

An actuator of sympy.physics.mechanics (spring, damper, friction, torque, muscle, or a class of the user's own) gives
its forces and torques by ``to_loads``.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.physics.vector import Vector

from eomc.errors import ModelError
from eomc.model.arguments import expression_of, pair_of, sequence_of
from eomc.model.parts import Actuator, Load


def loads_of(loads: Any) -> tuple[tuple[Load, ...], tuple[Actuator, ...]]:
    """Return (point or frame, vector) of every load, in order, and the actuators: each stands for all that it gives.

    Raises
    ------
    ModelError
        A load is neither a pair nor an actuator, or an actuator gives no forces.
    """
    pairs: list[Load] = []
    actuators: list[Actuator] = []
    for index, load in enumerate(sequence_of("loads", loads)):
        if not is_actuator(load):
            pairs.append(pair_of_load(load))
            continue
        given = _actuation(load)
        if hasattr(load, "pathway") and hasattr(load, "force"):
            actuators.append(_actuator(index, load, len(pairs), len(given)))
        pairs.extend(given)
    return tuple(pairs), tuple(actuators)


def is_actuator(load: Any) -> bool:
    """Whether a load stands for others."""
    return hasattr(load, "to_loads")


def pair_of_load(load: Any) -> Load:
    """Return a load as (point or frame, vector).

    Raises
    ------
    ModelError
        It is none.
    """
    if isinstance(load, (list, tuple)) and load and all(isinstance(part, tuple) for part in load):
        raise ModelError("a load is a list of loads: list its members themselves, as in loads=[*pathway.to_loads(F)]")
    place, vector = pair_of("a load", load, "(Point, force), (ReferenceFrame, torque) or an actuator")
    if isinstance(vector, (int, float, sympy.Number)) and sympy.sympify(vector).is_zero:
        vector = Vector(0)
    return place, vector


def _actuator(index: int, load: Any, first: int, count: int) -> Actuator:
    """Return what an actuator says that it does."""
    label = f"{type(load).__name__} {getattr(load, 'name', '')}".strip()
    force = expression_of(f"the force of {label}", load.force)
    try:
        velocity = load.pathway.extension_velocity
    except (TypeError, ValueError, AttributeError, NotImplementedError) as error:
        raise ModelError(f"the pathway of {label} gives no extension velocity: {error}") from error
    velocity = expression_of(f"the extension velocity of {label}", velocity)
    wrapping = load.pathway if _wraps(load.pathway) else None
    return Actuator(f"{label} (loads[{index}])", force, velocity, wrapping, first, count)


def _wraps(pathway: Any) -> bool:
    """Whether a pathway is SymPy's own that wraps around a geometry; one of the user's own class is the user's word."""
    return type(pathway).__name__ == "WrappingPathway" and type(pathway).__module__.startswith("sympy.")


def _actuation(actuator: Any) -> list[Load]:
    kind = type(actuator).__name__
    if hasattr(type(actuator), "extension_velocity"):
        raise ModelError(f"a load is a {kind}, which has no force by itself: give ForceActuator(force, pathway)")
    try:
        return [pair_of_load(load) for load in actuator.to_loads()]
    except (TypeError, ValueError, AttributeError, NotImplementedError) as error:
        raise ModelError(f"a load is a {kind} that gives no forces: {error}") from error
