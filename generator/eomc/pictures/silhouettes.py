"""The outline of a mesh that is seen along a direction: loops around what its triangles cover, without their edges.

The triangles fill the cells of a grid, row by row, and the loops go around these cells. So they are as near to the true
outline as a cell is wide, whether triangles overlap, leave holes or face anywhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eomc.pictures.motion import Array

_CELLS = 400  # along the longer side of a mesh: as fine as a picture of it alone
_STRAIGHT = 0.75  # of a cell: what corners of cells are off a line through them

Grid = NDArray[np.bool_]


def silhouette(points: Array, triangles: NDArray[np.int64]) -> list[Array]:
    """Return closed loops of shape (n, 2): those around it counterclockwise, those of holes clockwise.

    Parameters
    ----------
    points
        In the plane of the picture, shape (n, 2).
    triangles
        Numbers of points, shape (m, 3).
    """
    low, high = points.min(axis=0), points.max(axis=0)
    cell = float((high - low).max()) / _CELLS
    if cell == 0.0:
        return []
    grid = covered((points[triangles] - low) / cell, tuple((np.ceil((high - low) / cell) + 1).astype(int).tolist()))
    return [low + cell * simplified(loop, _STRAIGHT) for loop in loops(grid)]


def covered(corners: Array, shape: tuple[int, ...]) -> Grid:
    """Return which cells of a grid triangles reach, by lines through the middles of rows; a cell has the side one.

    Parameters
    ----------
    corners
        Shape (m, 3, 2).
    shape
        Cells along x and y.
    """
    changes = np.zeros((shape[1], shape[0] + 1), dtype=np.int64)
    first = np.floor(corners[:, :, 1].min(axis=1)).astype(np.int64)
    last = np.minimum(np.floor(corners[:, :, 1].max(axis=1)).astype(np.int64), shape[1] - 1)
    many = last - first + 1
    which = np.repeat(np.arange(len(corners)), many)
    row = np.arange(len(which)) - np.repeat(np.cumsum(many) - many, many) + first[which]
    left, right = np.full(len(which), np.inf), np.full(len(which), -np.inf)
    for k in range(3):
        a, b = corners[which, k], corners[which, (k + 1) % 3]
        # the part of an edge that is in the row, from where it enters to where it leaves
        below, above = np.minimum(a[:, 1], b[:, 1]), np.maximum(a[:, 1], b[:, 1])
        enters, leaves = np.maximum(below, row), np.minimum(above, row + 1)
        rise = b[:, 1] - a[:, 1]
        for height in (enters, leaves):
            share = np.divide(height - a[:, 1], rise, out=np.zeros_like(rise), where=rise != 0.0)
            x = a[:, 0] + np.clip(share, 0.0, 1.0) * (b[:, 0] - a[:, 0])
            x = np.where(rise != 0.0, x, a[:, 0])
            inside = enters <= leaves
            left, right = np.where(inside, np.minimum(left, x), left), np.where(inside, np.maximum(right, x), right)
        flat = (rise == 0.0) & (enters <= leaves)
        left = np.where(flat, np.minimum(left, b[:, 0]), left)
        right = np.where(flat, np.maximum(right, b[:, 0]), right)
    met = left <= right
    begin = np.clip(np.floor(left[met]).astype(np.int64), 0, shape[0] - 1)
    end = np.clip(np.floor(right[met]).astype(np.int64), 0, shape[0] - 1) + 1
    np.add.at(changes, (row[met], begin), 1)
    np.add.at(changes, (row[met], end), -1)
    return np.cumsum(changes, axis=1)[:, :-1] > 0


def loops(grid: Grid) -> list[Array]:
    """Return the closed loops around the cells of a grid, along their sides: cells are to the left of the way."""
    padded = np.pad(grid, 1)
    ways: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for (dy, dx), (start, end) in _SIDES.items():
        beside = np.roll(padded, (-dy, -dx), axis=(0, 1))
        for y, x in np.argwhere(padded & ~beside).tolist():
            ways.setdefault((x - 1 + start[0], y - 1 + start[1]), []).append((x - 1 + end[0], y - 1 + end[1]))
    found = []
    while ways:
        begin = at = next(iter(ways))
        before = (0, 0)
        loop = []
        while True:
            loop.append(at)
            nexts = ways[at]
            # where cells touch at a corner, turn left: the loops of both stay apart
            left = (at[0] - before[1], at[1] + before[0])
            to = left if left in nexts else nexts[0]
            nexts.remove(to)
            if not nexts:
                del ways[at]
            before, at = (to[0] - at[0], to[1] - at[1]), to
            if at == begin:
                break
        found.append(np.array(loop, dtype=float))
    return found


_SIDES = {
    (-1, 0): ((0, 0), (1, 0)),
    (0, 1): ((1, 0), (1, 1)),
    (1, 0): ((1, 1), (0, 1)),
    (0, -1): ((0, 1), (0, 0)),
}
"""Of a cell: its neighbour (dy, dx), and the side to it from corner to corner, the cell to the left."""


def simplified(loop: Array, tolerance: float) -> Array:
    """Return the corners of a closed loop without which it would be off by more (Douglas and Peucker, 1973)."""
    far = int(np.linalg.norm(loop - loop[0], axis=1).argmax())
    closed = np.concatenate([loop, loop[:1]])
    kept, open_ = {0, far}, [(0, far), (far, len(loop))]
    while open_:
        a, b = open_.pop()
        if b - a < 2:
            continue
        way = closed[b] - closed[a]
        off = closed[a + 1 : b] - closed[a]
        length = float(np.hypot(*way))
        apart = np.abs(off[:, 0] * way[1] - off[:, 1] * way[0]) / length if length else np.linalg.norm(off, axis=1)
        worst = int(apart.argmax())
        if apart[worst] > tolerance:
            kept.add(a + 1 + worst)
            open_ += [(a, a + 1 + worst), (a + 1 + worst, b)]
    return loop[sorted(kept)]
