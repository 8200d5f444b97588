"""A shape for a body that has none: the solid of even density whose mass and inertia are the body's.

A rod where one principal moment is nothing, a disk or cylinder where two are equal, a sphere where all are, else a box;
where one moment alone was given, as in a plane, a disk about its axis. What has no mass or no inertia is a point.
"""

from __future__ import annotations

import math

import numpy as np

from eomc.model.shapes import Shape, ShapeKind, rotation_to
from eomc.model.trees.records import Tensor
from eomc.scenery.numbers import Array

_SAME = 1e-9  # of the largest moment: what is rounding
_THIN = 0.05  # of the length or radius: thickness of rods and disks
_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

POINT = Shape(kind=ShapeKind.POINT, guessed=True)


def guessed_shape(mass: float, inertia: Array) -> Shape:
    """Return a shape about the mass centre, in the axes of the inertia.

    Parameters
    ----------
    mass
        [kg].
    inertia
        About the mass centre, shape (3, 3) [kg m^2].
    """
    size = float(np.abs(inertia).max())
    if not (mass > 0 and size > 0 and math.isfinite(mass) and math.isfinite(size)):
        return POINT
    crossed = bool(np.abs(inertia - np.diag(np.diag(inertia))).max() > _SAME * size)
    moments, axes = np.linalg.eigh(inertia) if crossed else (np.diag(inertia), np.eye(3))
    if np.linalg.det(axes) < 0:
        axes[:, 0] = -axes[:, 0]
    return _of_moments(mass, np.maximum(moments, 0.0), axes, _SAME * size)


def _of_moments(mass: float, moments: Array, axes: Array, rounding: float) -> Shape:
    small = [k for k in range(3) if moments[k] <= rounding]
    if len(small) == 2:
        return _disk(mass, float(moments.max()), 0.0, axes, int(moments.argmax()))
    first, second, third = ((k, (k + 1) % 3, (k + 2) % 3) for k in range(3))
    alike = [pair for pair in (first, second, third) if abs(moments[pair[1]] - moments[pair[2]]) <= rounding]
    if len(alike) == 3:
        return Shape(kind=ShapeKind.SPHERE, sizes=(math.sqrt(2.5 * moments[0] / mass),), guessed=True)
    if alike:
        axis, other, _ = alike[0]
        return _disk(mass, float(moments[axis]), float(moments[other]), axes, axis)
    squares = 6 * (moments.sum() - 2 * moments) / mass
    sizes = np.sqrt(np.maximum(squares, 0.0))
    x, y, z = np.maximum(sizes, _THIN * sizes.max()).tolist()
    return Shape(kind=ShapeKind.BOX, sizes=(x, y, z), rotation=_rows(axes), guessed=True)


def _disk(mass: float, along: float, across: float, axes: Array, axis: int) -> Shape:
    """Return a cylinder by its moments about its axis and across it; one without either is thin."""
    square = 2 * along / mass
    length = math.sqrt(max(12 * (across / mass - square / 4), 0.0))
    radius = max(math.sqrt(square), _THIN * length / 2)
    turned = axes @ np.array(rotation_to(_AXES[axis]), dtype=float)
    sizes = (radius, max(length, _THIN * radius))
    return Shape(kind=ShapeKind.CYLINDER, sizes=sizes, rotation=_rows(turned), guessed=True)


def _rows(matrix: Array) -> Tensor:
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    return (a, b, c), (d, e, f), (g, h, i)
