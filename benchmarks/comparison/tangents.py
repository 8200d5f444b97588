"""Small changes of a place with a free base: a move and a turn in child axes, as all tools can express them."""

from __future__ import annotations

import numpy as np

__all__ = ["rotation", "tangent", "to_tangents"]


def rotation(e: np.ndarray) -> np.ndarray:
    """Return R of a unit quaternion, scalar first: v_parent = R v_child."""
    w, x, y, z = e
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def tangent(place: np.ndarray) -> np.ndarray:
    """Return dq by small changes (7, 6) of a free base: position and quaternion by a move and a turn in child axes."""
    w, x, y, z = place[3:]
    moves = np.zeros((7, 6))
    moves[:3, :3] = rotation(place[3:])
    moves[3:, 3:] = 0.5 * np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])
    return moves


def to_tangents(slopes: np.ndarray, places: np.ndarray, nu: int) -> np.ndarray:
    """Return derivatives (k, rows, nu + rest) of those by q and more (k, rows, nq + rest); a free base comes first."""
    nq = places.shape[1]
    if nq == nu:
        return slopes
    found = []
    for matrix, q in zip(slopes, places, strict=True):
        found.append(np.hstack([matrix[:, :7] @ tangent(q[:7]), matrix[:, 7:]]))
    return np.array(found)
