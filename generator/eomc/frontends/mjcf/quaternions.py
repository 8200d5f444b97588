"""Rotations as MuJoCo has them: quaternions (w, x, y, z) of length one."""

from __future__ import annotations

import math

from eomc.frontends.robots.matrices import Matrix, Triple

Quaternion = tuple[float, float, float, float]


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return a b: b is turned first."""
    (p, i, j, k), (q, x, y, z) = a, b
    return (
        p * q - i * x - j * y - k * z,
        p * x + i * q + j * z - k * y,
        p * y + j * q + k * x - i * z,
        p * z + k * q + i * y - j * x,
    )


def conjugate(a: Quaternion) -> Quaternion:
    """Return the inverse turn."""
    return a[0], -a[1], -a[2], -a[3]


def about(axis: Triple, angle: float) -> Quaternion:
    """Return the turn about a unit vector."""
    x, y, z = (math.sin(angle / 2) * e for e in axis)
    return math.cos(angle / 2), x, y, z


def matrix(a: Quaternion) -> Matrix:
    """Return the rotation R with v_outside = R v_inside."""
    length = math.sqrt(sum(e * e for e in a))
    w, x, y, z = (e / length for e in a)
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
