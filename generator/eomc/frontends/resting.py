"""Bodies and loads that cannot do any work: a ground that sympy.physics.mechanics lists among the bodies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy
from sympy.physics.vector import Point, Vector

from eomc.model.loads import is_actuator, pair_of_load
from eomc.model.potentials import own_potential
from eomc.model.sympy_private import angular_velocities, set_velocity

__all__ = ["moving_bodies", "resting_potential", "working_loads"]


def moving_bodies(bodies: Iterable[Any], inertial_frame: Any) -> list[Any]:
    """Return `bodies` without those that are fixed in `inertial_frame`, whose mass and inertia have no effect."""
    return [
        body
        for body in bodies
        if not (_rests(body.masscenter, inertial_frame) and _stands(getattr(body, "frame", None), inertial_frame))
    ]


def resting_potential(bodies: Iterable[Any], inertial_frame: Any) -> sympy.Expr:
    """Return the potential energies of the bodies that are left out: of a spring that is told of the ground, say."""
    kept = set(moving_bodies(bodies, inertial_frame))
    return sympy.Add(*(own_potential(body) for body in bodies if body not in kept))


def working_loads(loads: Iterable[Any], inertial_frame: Any) -> list[Any]:
    """Return `loads` without those on points and frames that are fixed in `inertial_frame`, which do no work.

    Actuators stay whole.
    """
    return [load for load in loads if is_actuator(load) or _works(pair_of_load(load)[0], inertial_frame)]


def _works(place: Any, inertial_frame: Any) -> bool:
    return not (_rests if isinstance(place, Point) else _stands)(place, inertial_frame)


def _rests(point: Any, inertial_frame: Any) -> bool:
    return bool(set_velocity(point, inertial_frame) == Vector(0))


def _stands(frame: Any, inertial_frame: Any) -> bool:
    if frame is None or frame is inertial_frame:
        return True
    return bool(angular_velocities(frame).get(inertial_frame) == Vector(0))
