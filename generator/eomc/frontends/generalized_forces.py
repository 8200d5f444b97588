"""Generalized forces: given for coordinates, or found from forces and torques by virtual power."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import sympy
from sympy.physics.vector import Point, ReferenceFrame

from eomc.errors import ModelError
from eomc.model import geometry
from eomc.model.arguments import expression_of, mapping_of
from eomc.model.records import time_of
from eomc.model.sympy_private import angular_velocities, orientations, positions, set_velocity
from eomc.model.vocabulary import excerpt


def generalized_forces_of(
    coordinates: Sequence[sympy.Expr], forces: Mapping[sympy.Expr, Any] | None
) -> tuple[sympy.Expr, ...]:
    """Return one generalized force for each of `coordinates`, zero for those that `forces` does not name."""
    given = mapping_of("generalized_forces", forces)
    for symbol in given:
        if symbol not in coordinates:
            raise ModelError(
                f"generalized_forces has a force for {excerpt(symbol)}, which is not among the coordinates: its keys "
                f"are the coordinates"
            )
    return tuple(
        expression_of(f"the generalized force of {coordinate}", given.get(coordinate, 0)) for coordinate in coordinates
    )


def virtual_power_forces(
    coordinates: Sequence[sympy.Expr], loads: Sequence[tuple[Any, Any]], inertial_frame: Any
) -> dict[sympy.Expr, sympy.Expr]:
    """Return coordinate -> Q_r = sum F . dv/dq_r' + sum T . domega/dq_r' over the `loads`.

    Velocities must be written in the time derivatives of the coordinates; nothing is written into the user's points.

    Raises
    ------
    ModelError
        There are loads but no frame, or a loaded point or frame has no velocity in it.
    """
    if not loads:
        return {}
    if not isinstance(inertial_frame, ReferenceFrame):
        raise ModelError("loads need the inertial frame for their velocities: give inertial_frame=N")
    time = time_of(coordinates)
    forces: dict[sympy.Expr, sympy.Expr] = dict.fromkeys(coordinates, sympy.S.Zero)
    for number, (place, vector) in enumerate(loads, 1):
        velocity = _velocity(place, inertial_frame, number)
        for coordinate in coordinates:
            partial = velocity.diff(sympy.Derivative(coordinate, time), inertial_frame, var_in_dcm=False)
            forces[coordinate] += vector.dot(partial)
    return forces


def _velocity(place: Any, inertial_frame: Any, number: int) -> Any:
    """Return the velocity of a point, or the angular velocity of a frame, in the inertial frame."""
    if isinstance(place, Point):
        path = geometry.velocity_path(place, inertial_frame, geometry.paths_to(inertial_frame, orientations))
        if path is None:
            raise ModelError(f"point {place}, on which load {number} acts, has no velocity in frame {inertial_frame}")
        velocity = set_velocity(path[-1], inertial_frame)
        for here, other in itertools.pairwise(path):
            velocity += positions(here)[other].dt(inertial_frame)
        return velocity
    if isinstance(place, ReferenceFrame) and place in geometry.paths_to(inertial_frame, angular_velocities):
        return place.ang_vel_in(inertial_frame)
    raise ModelError(f"{place}, on which load {number} acts, has no angular velocity in frame {inertial_frame}")
