"""Entries of shapes with the numbers of parameters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.model.shapes import rotation_to

Array = NDArray[np.float64]


class Numbers:
    """What expressions of parameters are."""

    def __init__(self, values: Mapping[Any, float]) -> None:
        self._values = {symbol: sympy.Float(value) for symbol, value in values.items()}

    def __call__(self, entry: Any) -> float:
        """Return an entry as a number."""
        return float(entry.xreplace(self._values)) if isinstance(entry, sympy.Basic) else float(entry)

    def each(self, entries: Iterable[Any]) -> tuple[float, ...]:
        """Return entries as numbers."""
        return tuple(map(self, entries))

    def matrix(self, rows: Iterable[Iterable[Any]]) -> Array:
        """Return rows of entries as an array."""
        return np.array([self.each(row) for row in rows])


def quaternion_of(rotation: Array) -> tuple[float, ...]:
    """Return the unit quaternion (w, x, y, z) of a rotation, of its four multiples the longest."""
    (a, b, c), (d, e, f), (g, h, i) = rotation.tolist()
    columns = (
        (1.0 + a + e + i, h - f, c - g, d - b),
        (h - f, 1.0 + a - e - i, b + d, c + g),
        (c - g, b + d, 1.0 - a + e - i, f + h),
        (d - b, c + g, f + h, 1.0 - a - e + i),
    )
    longest = max(range(4), key=lambda k: columns[k][k])
    length = math.sqrt(sum(entry * entry for entry in columns[longest]))
    return tuple(entry / length for entry in columns[longest])


def between(start: tuple[float, ...], end: tuple[float, ...]) -> tuple[Array, float, Array]:
    """Return the middle of two points, their distance, and a rotation that takes z to the way between them."""
    first, second = np.array(start), np.array(end)
    length = float(np.linalg.norm(second - first))
    x, y, z = (0.0, 0.0, 1.0) if length == 0.0 else ((second - first) / length).tolist()
    return (first + second) / 2, length, np.array(rotation_to((x, y, z)), dtype=float)
