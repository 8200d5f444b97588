"""Meshes with fewer triangles: as many as a picture bears, and how far anything is from where it was.

Points in one cell of a grid become that of them that is nearest to their mean (J. Rossignac and P. Borrel, *Modeling in
Computer Graphics* (1993) 455), so that none moves farther than the diagonal of a cell, which is as large in all meshes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from eomc.model.surfaces import Surface, joined
from eomc.pictures.motion import Array
from eomc.scenery import Scene

MOST = 60_000
"""Triangles of all meshes of a picture, each file counted once."""

_FINEST, _COARSEST = 1e-4, 0.5  # cells, as shares of the largest mesh
_NEAR = 1.1  # of two sizes of cells, of which the larger is taken


@dataclass(frozen=True, slots=True)
class Coarsened:
    """A scene with coarser meshes: how many triangles these had and have, and how far a point moved at most [m]."""

    scene: Scene
    before: int
    after: int
    moved: float

    @property
    def note(self) -> str:
        """What was done, in words; "" where nothing was."""
        if self.after == self.before:
            return ""
        return (
            f"meshes of {self.before} triangles are drawn with {self.after}, off by at most {1000 * self.moved:.2g} mm"
        )


@dataclass(frozen=True, slots=True)
class Coarser:
    """Surfaces with fewer triangles, by the identity of those that they were: how many, and how far a point moved."""

    surfaces: dict[int, Surface]
    before: int
    after: int
    moved: float  # [m]


def coarsened(scene: Scene, most: int = MOST) -> Coarsened:
    """Return a scene whose meshes have at most so many triangles, or twelve each."""
    made = coarser(((one.surface, np.asarray(one.sizes)) for one in scene.solids if one.surface is not None), most)
    solids = (
        one if one.surface is None else replace(one, surface=made.surfaces[id(one.surface)]) for one in scene.solids
    )
    return Coarsened(replace(scene, solids=tuple(solids)), made.before, made.after, made.moved)


def coarser(given: Iterable[tuple[Surface, Array]], most: int) -> Coarser:
    """Return surfaces with at most so many triangles together, or twelve each.

    Parameters
    ----------
    given
        Surfaces, which may come several times, with the factors that make metres of their units, shape (3,).
    most
        How many, each surface counted once.
    """
    surfaces: dict[int, Surface] = {}
    scales: dict[int, Array] = {}
    for surface, sizes in given:
        key = id(surface)
        surfaces[key] = surface
        scales[key] = np.maximum(scales.get(key, np.zeros(3)), np.abs(sizes))
    count = _count(surfaces.values())
    if count <= most:
        return Coarser(surfaces, count, count, 0.0)
    size = max(float(((one.high - one.low) * scales[key]).max()) for key, one in surfaces.items())
    low, high = _FINEST * size, _COARSEST * size
    made = {key: _clustered(one, scales[key], high) for key, one in surfaces.items()}
    while high > _NEAR * low:
        cell = float(np.sqrt(low * high))
        tried = {key: _clustered(one, scales[key], cell) for key, one in surfaces.items()}
        if _count(one for one, _ in tried.values()) <= most:
            high, made = cell, tried
        else:
            low = cell
    kept = {key: one for key, (one, _) in made.items()}
    return Coarser(kept, count, _count(kept.values()), max(moved for _, moved in made.values()))


def _count(surfaces: Iterable[Surface]) -> int:
    return sum(len(one.triangles) for one in surfaces)


def _clustered(surface: Surface, scale: Array, cell: float) -> tuple[Surface, float]:
    """Return a surface with one point in a cell, or its box where it is smaller; and how far a point moved [m]."""
    points = (surface.points - surface.low) * scale
    cells = np.floor(points / cell).astype(np.int64)
    _, ny, nz = cells.max(axis=0) + 1
    number = np.unique((cells[:, 0] * ny + cells[:, 1]) * nz + cells[:, 2], return_inverse=True)[1].reshape(-1)
    many = np.bincount(number)
    means = np.stack([np.bincount(number, column) for column in points.T], axis=1) / many[:, None]
    order = np.lexsort((np.linalg.norm(points - means[number], axis=1), number))
    chosen = order[np.concatenate([[0], np.cumsum(many)[:-1]])]
    moved = float(np.linalg.norm(points[chosen][number] - points, axis=1).max())
    a, b, c = number[surface.triangles].T
    kept = (a != b) & (b != c) & (c != a)
    if not kept.any():
        return _box(surface), float(np.linalg.norm((surface.high - surface.low) * scale))
    # of triangles with the same three points and orientation one is kept: all begin with their least number
    least, wide = np.minimum(np.minimum(a, b), c), len(many)
    after = np.where(a == least, b, np.where(b == least, c, a))
    last = np.where(a == least, c, np.where(b == least, a, b))
    _, first = np.unique(((least * wide + after) * wide + last)[kept], return_index=True)
    corners = np.stack([least, after, last], axis=1)[kept][first]
    used, corners = np.unique(corners, return_inverse=True)
    return Surface(surface.points[chosen][used], corners.reshape(-1, 3)), moved


def _box(surface: Surface) -> Surface:
    """Return the box about a surface."""
    corners = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])
    faces = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    points = surface.low + corners * np.where(surface.high > surface.low, surface.high - surface.low, 1e-3)
    return joined(points, faces[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3))
