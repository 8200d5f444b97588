"""Surfaces of triangles, in the units of whoever wrote them: what meshes are once they are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Triangles between points.

    Attributes
    ----------
    points
        Finite, each of them once, shape (n, 3).
    triangles
        Numbers of three different points, shape (m, 3) with m > 0.
    """

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]

    @property
    def low(self) -> NDArray[np.float64]:
        """The least coordinates, shape (3,)."""
        found: NDArray[np.float64] = self.points.min(axis=0)
        return found

    @property
    def high(self) -> NDArray[np.float64]:
        """The greatest coordinates, shape (3,)."""
        found: NDArray[np.float64] = self.points.max(axis=0)
        return found


def joined(points: ArrayLike, triangles: Any) -> Surface:
    """Return a surface in which equal points are one, and triangles without three different points are left out.

    Raises
    ------
    ValueError
        A coordinate is not finite, a triangle has a point that there is not, or no triangle is left.
    """
    given = np.asarray(points, dtype=float).reshape(-1, 3)
    corners = np.asarray(triangles, dtype=np.int64).reshape(-1, 3)
    if len(corners) and not (corners.min() >= 0 and corners.max() < len(given)):
        raise ValueError("a triangle has a point that is not in the file")
    if not np.isfinite(given).all():
        raise ValueError("it has coordinates that are not finite")
    kept, number = np.unique(given + 0.0, axis=0, return_inverse=True)  # of minus zero, zero
    corners = number.reshape(-1)[corners]
    a, b, c = corners.T
    corners = corners[(a != b) & (b != c) & (c != a)]
    if not len(corners):
        raise ValueError("it has no triangles")
    used, corners = np.unique(corners, return_inverse=True)
    return Surface(kept[used], corners.reshape(-1, 3).astype(np.int64))
