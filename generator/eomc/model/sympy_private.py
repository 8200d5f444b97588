"""The one place that reads what SymPy keeps in private attributes (written for SymPy 1.12 to 1.14).

Public accessors would compute: ``Point.vel`` writes velocities into the user's points, ``ReferenceFrame.dcm``
multiplies whole rotation chains, and ``KanesMethod`` offers its inputs only after the derivation. A test names every
attribute read here, so that a change in SymPy is noticed there and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy

Frame: TypeAlias = Any  # sympy.physics.vector.ReferenceFrame
Point: TypeAlias = Any  # sympy.physics.vector.Point
Vector: TypeAlias = Any  # sympy.physics.vector.Vector


def orientations(frame: Frame) -> dict[Frame, sympy.Matrix]:
    """Return neighbour -> rotation matrix C with v_frame = C v_neighbour, for the frames joined with `frame`."""
    matrices: dict[Frame, sympy.Matrix] = frame._dcm_dict
    return matrices


def angular_velocities(frame: Frame) -> dict[Frame, Vector]:
    """Return neighbour -> angular velocity of `frame` in that neighbour [rad/s]."""
    vectors: dict[Frame, Vector] = frame._ang_vel_dict
    return vectors


def entries(matrix: sympy.MatrixBase) -> list[Any]:
    """Return all entries of a matrix by rows, as it keeps them where it does; `flat` would copy it twice before."""
    kept = matrix._rep
    found: list[Any] = kept.to_list_flat() if kept.domain.is_EXRAW else matrix.flat()
    return found


def positions(point: Point) -> dict[Point, Vector]:
    """Return neighbour -> position vector from that neighbour to `point` [m]."""
    vectors: dict[Point, Vector] = point._pos_dict
    return vectors


def set_velocity(point: Point, frame: Frame) -> Vector | None:
    """Return the velocity of `point` in `frame` as the user set it [m/s], None where it was not set."""
    return point._vel_dict.get(frame)


def set_acceleration(point: Point, frame: Frame) -> Vector | None:
    """Return the acceleration of `point` in `frame` as the user set it [m/s^2], None where it was not set."""
    return point._acc_dict.get(frame)


def set_angular_acceleration(frame: Frame, other: Frame) -> Vector | None:
    """Return the angular acceleration of `frame` in `other` as the user set it [rad/s^2], None where it was not set."""
    return frame._ang_acc_dict.get(other)


def inertia_of(body: Any) -> tuple[Any, Point]:
    """Return the inertia dyadic of a RigidBody and the point about which the user gave it [kg m^2]."""
    dyadic, point = body._inertia
    return dyadic, point


@dataclass(frozen=True, slots=True)
class KaneMatrices:
    """What a KanesMethod knows before its derivation.

    Kinematics ``k_kqdot q' + k_ku u + f_k = 0`` and velocity constraints ``k_nh u + f_nh = 0``.
    """

    inertial_frame: Frame
    coordinates: tuple[sympy.Expr, ...]
    dependent_coordinates: tuple[sympy.Expr, ...]
    speeds: tuple[sympy.Expr, ...]
    dependent_speeds: tuple[sympy.Expr, ...]
    auxiliary_speeds: tuple[sympy.Expr, ...]
    k_kqdot: sympy.Matrix
    k_ku: sympy.Matrix
    f_k: sympy.Matrix
    k_nh: sympy.Matrix
    f_nh: sympy.Matrix
    configuration_constraints: tuple[sympy.Expr, ...]
    bodies: tuple[Any, ...] | None
    loads: tuple[Any, ...] | None


def kane_matrices(kane: Any) -> KaneMatrices:
    """Read a ``KanesMethod``, before or after ``kanes_equations``, without computing anything."""
    return KaneMatrices(
        inertial_frame=kane._inertial,
        coordinates=tuple(kane._q),
        dependent_coordinates=tuple(kane._qdep),
        speeds=tuple(kane._u),
        dependent_speeds=tuple(kane._udep),
        auxiliary_speeds=tuple(kane._uaux),
        k_kqdot=kane._k_kqdot_implicit,
        k_ku=kane._k_ku_implicit,
        f_k=kane._f_k_implicit,
        k_nh=kane._k_nh,
        f_nh=kane._f_nh,
        configuration_constraints=tuple(kane._f_h),
        bodies=None if kane._bodylist is None else tuple(kane._bodylist),
        loads=None if kane._forcelist is None else tuple(kane._forcelist),
    )


def lagrangian_of(lagrange: Any) -> sympy.Expr:
    """Return the scalar L of a ``LagrangesMethod`` [J]."""
    (expression,) = lagrange._L
    return expression


def lagrange_constraints(lagrange: Any) -> tuple[tuple[sympy.Expr, ...], tuple[sympy.Expr, ...]]:
    """Return the configuration and the velocity constraints of a ``LagrangesMethod``.

    SymPy stacks the time derivatives of the former and then the latter in ``coneqs``.
    """
    configuration = tuple(lagrange._hol_coneqs)
    return configuration, tuple(lagrange.coneqs)[len(configuration) :]
