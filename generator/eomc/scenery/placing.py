"""A scene at poses: where all of it is in the inertial frame, for one state or for many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eomc.errors import UsageError
from eomc.scenery.numbers import Array
from eomc.scenery.records import GROUND, Floats, Scene


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the parts of a scene are.

    Attributes
    ----------
    offsets, quaternions
        Of the solids, shapes (solids, 3) and (solids, 4), after (k,) for k states.
    ends
        Of the segments, shape (segments, 2, 3), likewise.
    """

    offsets: Array
    quaternions: Array
    ends: Array


def placed(scene: Scene, poses: ArrayLike) -> Placed:
    """Return where a scene is at poses.

    Parameters
    ----------
    scene
        The scene.
    poses
        As ``Simulator.poses`` returns them, shape (rows, 7) or (k, rows, 7).

    Raises
    ------
    UsageError
        They have another shape.
    """
    given = np.asarray(poses, dtype=float)
    if given.ndim not in (2, 3) or given.shape[-2:] != (len(scene.rows), 7):
        raise UsageError(f"{scene.name}: poses have the shape ({len(scene.rows)}, 7) or (k, ...), not {given.shape}")
    rows = np.concatenate([given, np.broadcast_to([0.0, 0, 0, 1, 0, 0, 0], (*given.shape[:-2], 1, 7))], axis=-2)

    def at(row: int, place: Floats) -> Array:
        """Return a place in the frame of a row; the ground's is the last."""
        pose = rows[..., row, :]
        return pose[..., :3] + _turned(pose[..., 3:], np.array(place))

    assert GROUND == -1
    lead = given.shape[:-2]
    offsets = [at(one.row, one.offset) for one in scene.solids]
    turns = [_product(rows[..., one.row, 3:], np.array(one.quaternion)) for one in scene.solids]
    ends = [np.stack([at(one.start_row, one.start), at(one.end_row, one.end)], axis=-2) for one in scene.segments]
    return Placed(
        np.stack(offsets, axis=-2) if offsets else np.empty((*lead, 0, 3)),
        np.stack(turns, axis=-2) if turns else np.empty((*lead, 0, 4)),
        np.stack(ends, axis=-3) if ends else np.empty((*lead, 0, 2, 3)),
    )


def _turned(q: Array, v: Array) -> Array:
    """Return R v = v + 2 w (u x v) + 2 u x (u x v) of quaternions (w, u)."""
    once = 2.0 * np.cross(q[..., 1:], v)
    turned: Array = v + q[..., :1] * once + np.cross(q[..., 1:], once)
    return turned


def _product(a: Array, b: Array) -> Array:
    """Return the quaternions of the rotations a after b."""
    w = a[..., :1] * b[0] - (a[..., 1:] @ b[1:])[..., None]
    u = a[..., :1] * b[1:] + b[0] * a[..., 1:] + np.cross(a[..., 1:], b[1:])
    return np.concatenate([w, u], axis=-1)
