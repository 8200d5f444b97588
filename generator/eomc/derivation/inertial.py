"""Vectors as numbers: their inertial components at one point, with the sizes of their terms."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from eomc.ir.rounding import Number, Rounded
from eomc.lowering.vectors import FrameTree, VectorSum
from eomc.model.sympy_private import Frame

Row = list[Number]


class InertialNumbers:
    """Turns vectors into numbers at one point.

    Parameters
    ----------
    frames
        The frames with their rotations.
    sample
        The point.
    """

    def __init__(self, frames: FrameTree, sample: Rounded) -> None:
        self._frames = frames
        self._sample = sample
        unit = [[(float(i == j), float(i == j)) for j in range(3)] for i in range(3)]
        self._rotation: dict[Frame, list[Row]] = {frames.root: unit}

    def __call__(self, vector: VectorSum) -> Row:
        """Return the inertial components of a vector."""
        total = [(0.0, 0.0)] * 3
        zero = self._sample.graph.zero
        for frame, piece in vector.items():
            if piece != (zero, zero, zero):
                numbers = [self._sample.number(x) for x in piece]
                moved = [dot_numbers(row, numbers) for row in self._rotation_of(frame)]
                total = [(a + b, s + t) for (a, s), (b, t) in zip(total, moved, strict=True)]
        return total

    def _rotation_of(self, frame: Frame) -> list[Row]:
        """Return the rotation matrix from a frame to the inertial frame."""
        if frame not in self._rotation:
            for there, here in itertools.pairwise(self._frames.path(self._frames.root, frame)):
                if here not in self._rotation:
                    matrix = self._frames.neighbour_rotation(here, there)
                    columns = [[self._sample.number(x) for x in row] for row in matrix]
                    self._rotation[here] = [[dot_numbers(row, c) for c in columns] for row in self._rotation[there]]
        return self._rotation[frame]


def dot_numbers(a: Sequence[Number], b: Sequence[Number]) -> Number:
    """Return the sum of products with its size."""
    value = size = 0.0
    for (x, s), (y, t) in zip(a, b, strict=True):
        value += x * y
        size += abs(x) * t + abs(y) * s
    return value, size
