"""Forces and torques as people have them: pairs, SymPy's Force and Torque, and actuators, to pairs.

An actuator of sympy.physics.mechanics (spring, damper, friction, torque, muscle, or a class of the user's own) gives
its forces and torques by ``to_loads``.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.physics.vector import Vector

from eomc.errors import ModelError
from eomc.model.arguments import pair_of, sequence_of

__all__ = ["loads_of"]


def loads_of(loads: Any) -> tuple[tuple[Any, Any], ...]:
    """Return (point or frame, vector) of every load, in order; an actuator stands for all that it gives.

    Raises
    ------
    ModelError
        A load is neither a pair nor an actuator, or an actuator gives no forces.
    """
    pairs: list[tuple[Any, Any]] = []
    for load in sequence_of("loads", loads):
        pairs.extend(_actuation(load) if hasattr(load, "to_loads") else [_pair(load)])
    return tuple(pairs)


def _pair(load: Any) -> tuple[Any, Any]:
    if isinstance(load, (list, tuple)) and load and all(isinstance(part, tuple) for part in load):
        raise ModelError("a load is a list of loads: list its members themselves, as in loads=[*pathway.to_loads(F)]")
    place, vector = pair_of("a load", load, "(Point, force), (ReferenceFrame, torque) or an actuator")
    if isinstance(vector, (int, float, sympy.Number)) and sympy.sympify(vector).is_zero:
        vector = Vector(0)
    return place, vector


def _actuation(actuator: Any) -> list[tuple[Any, Any]]:
    kind = type(actuator).__name__
    if hasattr(type(actuator), "extension_velocity"):
        raise ModelError(f"a load is a {kind}, which has no force by itself: give ForceActuator(force, pathway)")
    try:
        return [_pair(load) for load in actuator.to_loads()]
    except (TypeError, ValueError, AttributeError, NotImplementedError) as error:
        raise ModelError(f"a load is a {kind} that gives no forces: {error}") from error
