"""Outlines of solids that are seen along a direction: in a planar motion they turn and move, and stay what they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.model.shapes import ShapeKind
from eomc.pictures.corners import around
from eomc.pictures.motion import Array
from eomc.pictures.silhouettes import silhouette
from eomc.pictures.turning import rotated
from eomc.scenery import Solid

_ROUND = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
_SMOOTH = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """What a solid looks like along a direction.

    Attributes
    ----------
    points
        Corners of a polygon, shape (n, 2) [m]; of a circle its centre; of a point itself.
    radius
        Of a circle [m]; 0 of polygons and points.
    mark
        A point of the rim of a round disk, which tells how it turns; None of others.
    loops
        Of a mesh, closed: what is inside of an odd number of them is of the mesh. Its points are their corners.
    """

    points: Array
    radius: float = 0.0
    mark: Array | None = None
    loops: tuple[Array, ...] = ()


def outline(solid: Solid, flat: Array) -> Outline:
    """Return the outline of a solid.

    Parameters
    ----------
    solid
        Of any kind.
    flat
        Takes vectors of its frame to the picture, shape (2, 3).
    """
    offset, quaternion = np.array(solid.offset), np.array(solid.quaternion)
    centre = flat @ offset
    if solid.kind is ShapeKind.SPHERE:
        return Outline(centre[None], solid.sizes[0])
    if solid.kind is ShapeKind.ELLIPSOID:
        return Outline(hull(centre + _ellipse(solid, flat)))
    if solid.kind is ShapeKind.CYLINDER:
        radius, length = solid.sizes
        axis, mark = (flat @ rotated(quaternion, np.array(v)) for v in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))
        if np.linalg.norm(axis) < 1e-6:
            return Outline(centre[None], radius, centre + radius * mark)
        rim = np.stack([radius * np.cos(_ROUND), radius * np.sin(_ROUND), np.zeros_like(_ROUND)], axis=1)
        ends = [rim + np.array([0.0, 0.0, side * length / 2]) for side in (-1.0, 1.0)]
        return Outline(hull((rotated(quaternion, np.concatenate(ends)) + offset) @ flat.T))
    if solid.surface is not None:
        points = (rotated(quaternion, solid.surface.points * np.array(solid.sizes)) + offset) @ flat.T
        found = silhouette(points, solid.surface.triangles)
        return Outline(np.concatenate(found) if found else hull(points), loops=tuple(found))
    if solid.kind is ShapeKind.BOX:
        return Outline(hull(around(solid) @ flat.T))
    return Outline(centre[None])


def _ellipse(solid: Solid, flat: Array) -> Array:
    """Return an ellipsoid as it is seen, about its centre: the ball's rim under the singular values of its axes."""
    axes = np.stack([flat @ rotated(np.array(solid.quaternion), axis) for axis in np.diag(solid.sizes)], axis=1)
    ways, sizes, _ = np.linalg.svd(axes)
    found: Array = np.stack([np.cos(_SMOOTH), np.sin(_SMOOTH)], axis=1) @ (ways * sizes).T
    return found


def hull(points: Array) -> Array:
    """Return the corners of the convex hull, counterclockwise (A. M. Andrew, *Inf. Process. Lett.* 9 (1979) 216)."""
    size = float(np.ptp(points, axis=0).max()) or 1.0
    distinct = np.unique(np.round(points / size, 9), axis=0) * size
    ways = []
    for ordered in (distinct, distinct[::-1]):
        way: list[Array] = []
        for point in ordered:
            while len(way) > 1 and _left(way[-2], way[-1], point) <= 1e-9 * size * size:
                way.pop()
            way.append(point)
        ways += way[:-1]
    return np.array(ways) if ways else distinct


def _left(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
