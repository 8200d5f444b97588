"""Bodies and loads that cannot do any work: a ground that sympy.physics.mechanics lists among the bodies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sympy.physics.vector import Point, Vector

from eomc.model.sympy_private import angular_velocities, set_velocity

__all__ = ["moving_bodies", "working_loads"]


def moving_bodies(bodies: Iterable[Any], inertial_frame: Any) -> list[Any]:
    """Return `bodies` without those that are fixed in `inertial_frame`, whose mass and inertia have no effect."""
    return [
        body
        for body in bodies
        if not (_rests(body.masscenter, inertial_frame) and _stands(getattr(body, "frame", None), inertial_frame))
    ]


def working_loads(loads: Iterable[Any], inertial_frame: Any) -> list[tuple[Any, Any]]:
    """Return `loads` without those on points and frames that are fixed in `inertial_frame`, which do no work."""
    return [
        (place, vector)
        for place, vector in loads
        if not (_rests if isinstance(place, Point) else _stands)(place, inertial_frame)
    ]


def _rests(point: Any, inertial_frame: Any) -> bool:
    return bool(set_velocity(point, inertial_frame) == Vector(0))


def _stands(frame: Any, inertial_frame: Any) -> bool:
    if frame is None or frame is inertial_frame:
        return True
    return bool(angular_velocities(frame).get(inertial_frame) == Vector(0))
