"""How far shapes reach: points around them, for pictures that hold all of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from eomc.model.shapes import ShapeKind
from eomc.pictures.motion import Array
from eomc.pictures.turning import rotated
from eomc.scenery import Scene, Segment, Solid
from eomc.scenery.records import GROUND

_SIGNS = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))


def around(solid: Solid) -> Array:
    """Return points around a solid in the frame that it stands in, shape (n, 3)."""
    if solid.kind is ShapeKind.BOX:
        own = _SIGNS * np.array(solid.sizes)
    elif solid.kind is ShapeKind.CYLINDER:
        radius, length = solid.sizes
        own = _SIGNS * np.array([2 * radius, 2 * radius, length])
    elif solid.kind is ShapeKind.SPHERE:
        own = _SIGNS * 2 * solid.sizes[0]
    elif solid.kind is ShapeKind.ELLIPSOID:
        own = _SIGNS * 2 * np.array(solid.sizes)
    elif solid.surface is not None:
        low, high = solid.surface.low, solid.surface.high
        own = ((low + high) / 2 + _SIGNS * (high - low)) * np.array(solid.sizes)
    else:
        own = np.zeros((1, 3))
    points: Array = rotated(np.array(solid.quaternion), own) + np.array(solid.offset)
    return points


def reach_of(solids: Iterable[Solid], lines: Iterable[Segment]) -> float:
    """Return how far shapes reach from the origin of their frame [m]."""
    points = [around(one) for one in solids] + [np.array([one.start, one.end]) for one in lines]
    return max((float(np.linalg.norm(one, axis=1).max()) for one in points), default=0.0)


def corners_of(scene: Scene, rows: Array) -> tuple[Array, Array]:
    """Return corners of what follows rows, shape (k, n, 3) at k instants, and of what stands, (m, 3), inertial axes."""
    moving: list[Array] = []
    standing: list[Array] = []

    def put(row: int, points: Array) -> None:
        if row == GROUND:
            standing.append(points)
            return
        for point in points:
            moving.append(rows[:, row, :3] + rotated(rows[:, row, 3:], point))

    for solid in scene.solids:
        put(solid.row, around(solid))
    for line in scene.segments:
        put(line.start_row, np.array([line.start]))
        put(line.end_row, np.array([line.end]))
    drawn = np.stack(moving, axis=1) if moving else np.empty((len(rows), 0, 3))
    return drawn, np.concatenate([np.empty((0, 3)), *standing])
