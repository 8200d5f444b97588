"""Surfaces of triangles, in the units of whoever wrote them: what meshes are once they are read."""

from __future__ import annotations

from collections.abc import Sequence
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
    paint, colours
        The number of each triangle's colour, shape (m,), and colours as shapes have them; "" is that of the shape. None
        where the file tells no colour.
    """

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]
    paint: NDArray[np.int64] | None = None
    colours: tuple[str, ...] = ()

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

    def pieces(self) -> tuple[tuple[str, Surface], ...]:
        """Return what has each colour as a surface of its own; the whole and no colour where the file tells none."""
        if self.paint is None:
            return (("", self),)
        found = {}
        for colour in dict.fromkeys(self.colours):
            here = np.isin(self.paint, [k for k, one in enumerate(self.colours) if one == colour])
            if here.any():
                found[colour] = joined(self.points, self.triangles[here])
        return tuple(found.items())


def joined(points: ArrayLike, triangles: Any, paint: Any = None, colours: Sequence[str] = ()) -> Surface:
    """Return a surface in which equal points are one, and triangles without three different points are left out.

    Where one of the colours is told, the surface has them; `paint` is a number of each triangle.

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
    whole = (a != b) & (b != c) & (c != a)
    corners = corners[whole]
    if not len(corners):
        raise ValueError("it has no triangles")
    used, corners = np.unique(corners, return_inverse=True)
    told = None if paint is None or not any(colours) else np.asarray(paint, dtype=np.int64)[whole]
    return Surface(kept[used], corners.reshape(-1, 3).astype(np.int64), told, () if told is None else tuple(colours))
