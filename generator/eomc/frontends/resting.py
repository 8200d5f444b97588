"""Bodies and loads that cannot do any work: a ground that sympy.physics.mechanics lists among the bodies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy
from sympy.physics.vector import Point, Vector

from eomc.model.arguments import expression_of
from eomc.model.loads import is_actuator, pair_of_load
from eomc.model.potentials import own_potential
from eomc.model.sympy_private import angular_velocities, set_velocity


def what_moves(
    bodies: Sequence[Any], loads: Iterable[Any], potential_energy: Any, inertial_frame: Any
) -> dict[str, Any]:
    """Return bodies, loads and potential energy of a model, without what is fixed in its inertial frame.

    Mass and inertia of a body that rests have no effect, nor have loads on what rests; actuators stay whole. Potential
    energies of resting bodies count: of a spring that is told of the ground, say.
    """
    moving = [
        body
        for body in bodies
        if not (_rests(body.masscenter, inertial_frame) and _stands(getattr(body, "frame", None), inertial_frame))
    ]
    kept = set(moving)
    resting = (own_potential(body) for body in bodies if body not in kept)
    return {
        "bodies": moving,
        "loads": [load for load in loads if is_actuator(load) or _works(pair_of_load(load)[0], inertial_frame)],
        "potential_energy": expression_of("potential_energy", potential_energy) + sympy.Add(*resting),
    }


def _works(place: Any, inertial_frame: Any) -> bool:
    return not (_rests if isinstance(place, Point) else _stands)(place, inertial_frame)


def _rests(point: Any, inertial_frame: Any) -> bool:
    return bool(set_velocity(point, inertial_frame) == Vector(0))


def _stands(frame: Any, inertial_frame: Any) -> bool:
    return frame in (None, inertial_frame) or bool(angular_velocities(frame).get(inertial_frame) == Vector(0))
