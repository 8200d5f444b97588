"""Scene and poses -> Motion: as many key frames as keep what is between them near the motion, and no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from eomc.errors import UsageError
from eomc.pictures.coarsening import coarsened
from eomc.pictures.corners import corners_of
from eomc.pictures.courses import Course, courses, elsewhere, ends_of, key_frames, middles
from eomc.pictures.motion import Array, Motion, Node, View
from eomc.pictures.plane import axes_of_view, common_normal, frame_of
from eomc.pictures.turning import along, unwrapped
from eomc.scenery import Scene
from eomc.scenery.records import GROUND
from eomc.wording import did_you_mean

TOLERANCE = 0.5
"""Pixels between a motion and what is drawn between key frames; formats round by less than the other half."""

_GRIDS = (1000, 2000, 5000, 10000, 20000)
"""Numbers of equal intervals whose ends are short decimal shares of a run."""

_SINGLE = 1e-30, 1e30
"""Sizes that viewers calculate with in single precision [m]."""


def sampled(
    scene: Scene, poses: Callable[[Array], Array], begin: float, end: float, follow: str | None = None
) -> Motion:
    """Return the motion of a scene in key frames.

    Parameters
    ----------
    scene
        What moves.
    poses
        Of k times, shape (k,), in the interval: shape (k, rows, 7), as `Simulator.poses` has them.
    begin, end
        The interval [s].
    follow
        Name of the row that stays where it is in the picture: what goes far for its size.

    Raises
    ------
    UsageError
        No row has the name to follow, nothing is to be seen, poses are not finite, or the motion is too fast for a
        picture this long.
    """
    refuse_empty(scene)
    refuse_unknown(scene.name, scene.rows, follow)
    followed = None if follow is None else scene.rows.index(follow)
    coarse = coarsened(scene)
    scene = coarse.scene
    begin, end = float(begin), float(end)
    for count in _GRIDS if end > begin else (1,):
        shares = np.arange(2 * count + 1) / (2 * count)
        rows = poses(begin + shares * (end - begin))
        if not np.isfinite(rows).all():
            raise UsageError(f"{scene.name}: the motion has poses that are not finite, and no picture")
        _refuse_size(scene, max(float(np.abs(rows).max(initial=0.0)), _largest(scene)), least=0.0)
        paths = courses(scene, rows)
        view = _view(scene, rows, followed)
        _refuse_size(scene, float((view.high - view.low).max()))
        fine = max((float(middles(path).max(initial=0.0)) for _, path in paths), default=0.0) * view.scale
        if fine <= TOLERANCE / 4 and end > begin:
            fine = max(fine, elsewhere(scene, poses, (begin, end), paths, count) * view.scale)
        if fine <= TOLERANCE / 4:
            break
    else:
        if fine > 2 * TOLERANCE:
            raise UsageError(
                f"{scene.name}: {_GRIDS[-1]} instants do not show the motion from {begin:g} s to {end:g} s: "
                "take a shorter run"
            )
    nodes, worst = _standing(scene), fine
    for node, path in paths:
        keys, off = key_frames(path, 2 * count, (TOLERANCE - min(fine, TOLERANCE / 4)) / view.scale)
        worst = max(worst, off * view.scale)
        turns = path.turns[keys] if path.turns.shape[1] == 4 else along(path.turns[keys])
        times = np.array([0.0]) if len(keys) == 1 else keys / (2 * count)
        nodes.append(Node(*node, times, path.offsets[keys], unwrapped(turns), path.lengths[keys]))
    return Motion(scene, begin, end, tuple(nodes), view, worst, coarse.note)


def _standing(scene: Scene) -> list[Node]:
    """Return what stands on the ground, as one node."""
    solids = tuple(one for one in scene.solids if one.row == GROUND)
    lines = tuple(one for one in scene.segments if one.start_row == one.end_row == GROUND)
    if not solids and not lines:
        return []
    identity = np.array([[1.0, 0.0, 0.0, 0.0]])
    return [Node("ground", solids, lines, None, np.zeros(1), np.zeros((1, 3)), identity, np.ones(1))]


def refuse_empty(scene: Scene) -> None:
    """Refuse what has nothing to be drawn.

    Raises
    ------
    UsageError
        It has no shape and no line.
    """
    if not scene.solids and not scene.segments:
        names = ", ".join(map(repr, scene.rows))
        cure = (
            f"give shapes={{{scene.rows[0]!r}: ...}} to what has poses ({names}), or lines="
            if scene.rows
            else "give points= with shapes= of their own, or lines="
        )
        raise UsageError(f"{scene.name}: there is nothing to draw: {cure}")


def refuse_unknown(name: str, rows: Sequence[str], follow: str | None) -> None:
    """Refuse to follow what has no pose.

    Raises
    ------
    UsageError
        No row has this name.
    """
    if follow is not None and follow not in rows:
        raise UsageError(f"{name}: follow={follow!r} has no pose: {did_you_mean(str(follow), rows)}")


def _view(scene: Scene, rows: Array, follow: int | None) -> View:
    """Return from where a scene is seen, which may follow a row."""
    step = max(1, len(rows) // 500)
    moving, standing = corners_of(scene, rows[::step])
    size = float(np.linalg.norm(np.ptp(moving.reshape(-1, 3), axis=0))) if moving.size else 1.0
    upright = None if scene.up is None else np.array(scene.up)
    ends = [end for line in scene.segments if line.start_row != line.end_row for end in ends_of(rows, line)]
    places = np.concatenate([rows[..., :3], *(end[:, None] for end in ends)], axis=1)
    normal = common_normal(places, unwrapped(rows[..., 3:]), size or 1.0, upright)
    axes = axes_of_view(normal, upright)
    across = np.stack(axes)
    planar, fixed = normal is not None, standing @ across.T
    if follow is not None:
        way = rows[:, follow, :3]
        near = ((moving - way[::step, None]) @ across.T).reshape(-1, 3)
        low, high = frame_of(near, np.concatenate([fixed - one for one in way[::step] @ across.T]))
        view = View(planar, *axes, low, high, np.zeros(1), way[:1])
        path = Course(way, np.tile(rows[0, 0, 3:], (len(rows), 1)), np.ones(len(rows)), 0.0)
        keys, _ = key_frames(path, len(rows) - 1, TOLERANCE / 4 / view.scale)
        return replace(view, times=keys / (len(rows) - 1), places=way[keys])
    low, high = frame_of((moving @ across.T).reshape(-1, 3), fixed)
    return View(planar, *axes, low, high, np.zeros(1), np.zeros((1, 3)))


def _largest(scene: Scene) -> float:
    """Return the largest number in a scene [m]."""
    numbers = [value for one in scene.solids for value in (*one.sizes, *one.offset)]
    numbers += [value for one in scene.segments for value in (*one.start, *one.end)]
    numbers += [value for one in scene.solids if one.surface for value in (*one.surface.low, *one.surface.high)]
    return max(map(abs, numbers), default=0.0)


def _refuse_size(scene: Scene, size: float, least: float = _SINGLE[0]) -> None:
    """Refuse what viewers, which calculate in single precision, do not show."""
    if not least <= size < _SINGLE[1]:
        raise UsageError(f"{scene.name}: what is seen is {size:.3g} m large, which no viewer shows: scale its lengths")
