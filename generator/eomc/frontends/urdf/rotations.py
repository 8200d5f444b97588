"""Rotations from roll, pitch and yaw; right angles that were written in decimals are taken as such.

An angle, and never an entry of a matrix, is snapped: matrices stay orthogonal. What is written to twelve digits means a
right angle; fewer digits may be meant as they stand.
"""

from __future__ import annotations

import math

from eomc.frontends.robots.matrices import Matrix, Triple

MEANT = 1e-11  # rad: a multiple of pi/2 to twelve digits
NEAR = 1e-3  # rad: to four digits


def quarter(angle: float) -> tuple[int, float]:
    """Return the nearest whole number of right angles, and how far the angle is from it."""
    turns = round(angle / (math.pi / 2))
    return turns, abs(angle - turns * (math.pi / 2))


def sine_cosine(angle: float, snap: bool) -> tuple[float, float]:
    """Return sine and cosine, exact where the angle is a right one (and `snap` allows)."""
    turns, distance = quarter(angle)
    if distance == 0.0 and turns == 0:
        return 0.0, 1.0
    if snap and distance <= MEANT:
        return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[turns % 4]
    return math.sin(angle), math.cos(angle)


def rotation(rpy: Triple, snap: bool) -> Matrix:
    """Return R = R_z(yaw) R_y(pitch) R_x(roll), with v_parent = R v_child."""
    (sr, cr), (sp, cp), (sy, cy) = (sine_cosine(angle, snap) for angle in rpy)
    rows = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    first, second, third = ((x + 0.0, y + 0.0, z + 0.0) for x, y, z in rows)  # of minus zero, zero
    return first, second, third


def across(axis: Triple) -> tuple[Triple, Triple]:
    """Return two unit vectors that make a right-handed frame with `axis`: x and y where it is z.

    The first is the axis of the frame that comes after the one nearest to `axis`, made perpendicular to it.
    """
    largest = max(range(3), key=lambda i: abs(axis[i]))
    seed = [0.0, 0.0, 0.0]
    seed[(largest + 1) % 3] = 1.0
    along = sum(a * b for a, b in zip(axis, seed, strict=True))
    first = [b - along * a for a, b in zip(axis, seed, strict=True)]
    length = math.hypot(*first)
    x, y, z = (component / length + 0.0 for component in first)
    a, b, c = axis
    return (x, y, z), (b * z - c * y + 0.0, c * x - a * z + 0.0, a * y - b * x + 0.0)
