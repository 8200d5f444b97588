"""Scene and poses -> Motion: as many key frames as keep what is between them near the motion, and no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eomc.errors import UsageError
from eomc.pictures.coarsening import coarsened
from eomc.pictures.corners import corners_of, reach_of
from eomc.pictures.motion import Array, Motion, Node, View
from eomc.pictures.plane import axes_of_view, common_normal, frame_of
from eomc.pictures.turning import along, rotated, slerp, unwrapped
from eomc.scenery import Scene, Segment, Solid
from eomc.scenery.records import GROUND
from eomc.wording import did_you_mean

TOLERANCE = 0.5
"""Pixels between a motion and what is drawn between key frames; formats round by less than the other half."""

_GRIDS = (1000, 2000, 5000, 10000, 20000)
"""Numbers of equal intervals whose ends are short decimal shares of a run."""


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """A node at all instants that are looked at."""

    offsets: Array  # (k, 3)
    turns: Array  # (k, 4) quaternions, or (k, 3) directions of a stretched line
    lengths: Array  # (k,), of a stretched line
    reach: float  # of a frame: of its shapes from its origin

    def off(self, a: int, b: int) -> Array:
        """Return how far what is drawn between key frames a and b is from the motion at the instants between [m]."""
        inner = slice(a + 1, b)
        shares = np.arange(1, b - a) / (b - a)
        drawn = self.offsets[a] + shares[:, None] * (self.offsets[b] - self.offsets[a])
        away = np.linalg.norm(drawn - self.offsets[inner], axis=1)
        turned = slerp(self.turns[a], self.turns[b], shares)
        if self.turns.shape[1] == 3:
            lengths = self.lengths[a] + shares * (self.lengths[b] - self.lengths[a])
            ends = self.offsets[inner] + self.lengths[inner, None] * self.turns[inner]
            off: Array = np.maximum(away, np.linalg.norm(drawn + lengths[:, None] * turned - ends, axis=1))
            return off
        half = np.minimum(*(np.linalg.norm(turned + sign * self.turns[inner], axis=1) for sign in (-1.0, 1.0)))
        off = away + 2.0 * self.reach * half  # |R v - R' v| <= 2 |q - q'| |v|
        return off


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
    if not scene.solids and not scene.segments:
        raise UsageError(f"{scene.name}: there is nothing to draw: give shapes=, lines= or points=")
    refuse_unknown(scene, follow)
    followed = None if follow is None else scene.rows.index(follow)
    coarse = coarsened(scene)
    scene = coarse.scene
    begin, end = float(begin), float(end)
    for count in _GRIDS if end > begin else (1,):
        shares = np.arange(2 * count + 1) / (2 * count)
        rows = poses(begin + shares * (end - begin))
        if not np.isfinite(rows).all():
            raise UsageError(f"{scene.name}: the motion has poses that are not finite, and no picture")
        paths = _paths(scene, rows)
        view = _view(scene, rows, followed)
        fine = max((float(_middles(path).max(initial=0.0)) for _, path in paths), default=0.0) * view.scale
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
        keys, off = _keys(path, 2 * count, (TOLERANCE - min(fine, TOLERANCE / 4)) / view.scale)
        worst = max(worst, off * view.scale)
        turns = path.turns[keys] if path.turns.shape[1] == 4 else along(path.turns[keys])
        times = np.array([0.0]) if len(keys) == 1 else keys / (2 * count)
        nodes.append(Node(*node, times, path.offsets[keys], unwrapped(turns), path.lengths[keys]))
    return Motion(scene, begin, end, tuple(nodes), view, worst, coarse.note)


_Named = tuple[str, tuple[Solid, ...], tuple[Segment, ...], Segment | None]


def _standing(scene: Scene) -> list[Node]:
    """Return what stands on the ground, as one node."""
    solids = tuple(one for one in scene.solids if one.row == GROUND)
    lines = tuple(one for one in scene.segments if one.start_row == one.end_row == GROUND)
    if not solids and not lines:
        return []
    identity = np.array([[1.0, 0.0, 0.0, 0.0]])
    return [Node("ground", solids, lines, None, np.zeros(1), np.zeros((1, 3)), identity, np.ones(1))]


def _paths(scene: Scene, rows: Array) -> list[tuple[_Named, _Path]]:
    """Return all that follows rows: frames with their shapes, and lines from one to another."""
    found: list[tuple[_Named, _Path]] = []
    for row, name in enumerate(scene.rows):
        solids = tuple(one for one in scene.solids if one.row == row)
        lines = tuple(one for one in scene.segments if one.start_row == one.end_row == row)
        if solids or lines:
            turns = unwrapped(rows[:, row, 3:])
            path = _Path(rows[:, row, :3], turns, np.ones(len(rows)), reach_of(solids, lines))
            found.append(((name, solids, lines, None), path))
    for line in scene.segments:
        if line.start_row != line.end_row:
            start, end = _ends(rows, line)
            lengths = np.linalg.norm(end - start, axis=1)
            found.append(((line.style, (), (), line), _Path(start, _directions(end - start, lengths), lengths, 0.0)))
    return found


def _ends(rows: Array, line: Segment) -> tuple[Array, Array]:
    """Return both ends of a line, shape (k, 3) each."""
    return tuple(  # type: ignore[return-value]  # of two
        np.broadcast_to(place, (len(rows), 3)) if row == GROUND
        else rows[:, row, :3] + rotated(rows[:, row, 3:], np.array(place))
        for row, place in ((line.start_row, line.start), (line.end_row, line.end))
    )  # fmt: skip


def _directions(vectors: Array, lengths: Array) -> Array:
    """Return unit vectors; where a line has no length, the one before it, and z before all."""
    known = np.where(lengths > 0.0, np.arange(len(lengths)), -1)
    last = np.maximum.accumulate(known)
    units = vectors / np.where(lengths > 0.0, lengths, 1.0)[:, None]
    return np.where((last >= 0)[:, None], units[last], [0.0, 0.0, 1.0])


def refuse_unknown(scene: Scene, follow: str | None) -> None:
    """Refuse to follow what has no pose.

    Raises
    ------
    UsageError
        No row has this name.
    """
    if follow is not None and follow not in scene.rows:
        raise UsageError(f"{scene.name}: follow={follow!r} has no pose: {did_you_mean(str(follow), scene.rows)}")


def _view(scene: Scene, rows: Array, follow: int | None) -> View:
    """Return from where a scene is seen, which may follow a row."""
    step = max(1, len(rows) // 500)
    moving, standing = corners_of(scene, rows[::step])
    size = float(np.linalg.norm(np.ptp(moving.reshape(-1, 3), axis=0))) if moving.size else 1.0
    upright = None if scene.up is None else np.array(scene.up)
    ends = [end for line in scene.segments if line.start_row != line.end_row for end in _ends(rows, line)]
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
        path = _Path(way, np.tile(rows[0, 0, 3:], (len(rows), 1)), np.ones(len(rows)), 0.0)
        keys, _ = _keys(path, len(rows) - 1, TOLERANCE / 4 / view.scale)
        return replace(view, times=keys / (len(rows) - 1), places=way[keys])
    low, high = frame_of((moving @ across.T).reshape(-1, 3), fixed)
    return View(planar, *axes, low, high, np.zeros(1), np.zeros((1, 3)))


def _middles(path: _Path) -> Array:
    """Return how far the middles between even instants are from the motion, were all even instants key frames."""
    before, after = slice(0, -2, 2), slice(2, None, 2)
    odd = slice(1, None, 2)
    away = np.linalg.norm((path.offsets[before] + path.offsets[after]) / 2 - path.offsets[odd], axis=1)
    turned = path.turns[before] + path.turns[after]
    norms = np.linalg.norm(turned, axis=1, keepdims=True)
    turned = turned / np.where(norms > 0.0, norms, 1.0)
    if path.turns.shape[1] == 3:
        lengths = (path.lengths[before] + path.lengths[after]) / 2
        drawn = (path.offsets[before] + path.offsets[after]) / 2 + lengths[:, None] * turned
        ends = path.offsets[odd] + path.lengths[odd, None] * path.turns[odd]
        off: Array = np.maximum(away, np.linalg.norm(drawn - ends, axis=1))
        return off
    off = away + 2.0 * path.reach * np.linalg.norm(turned - path.turns[odd], axis=1)
    return off


def _keys(path: _Path, last: int, tolerance: float) -> tuple[Array, float]:
    """Return which instants are key frames, of the even ones, and how far the others are from what is drawn.

    Where an interval is off by more, it is divided at the instant that is farthest (D. H. Douglas and T. K. Peucker,
    *Cartographica* 10 (1973) 112).
    """
    if _rests(path):
        return np.array([0]), 0.0
    keys, open_, worst = {0, last}, [(0, last)], 0.0
    while open_:
        a, b = open_.pop()
        if b - a <= 2:
            continue
        off = path.off(a, b)
        farthest = int(off.argmax())
        if off[farthest] <= tolerance:
            worst = max(worst, float(off[farthest]))
            continue
        middle = a + 1 + farthest
        middle = min(max(middle - middle % 2, a + 2), b - 2)
        keys.add(middle)
        open_ += [(a, middle), (middle, b)]
    return np.array(sorted(keys)), worst


def _rests(path: _Path) -> bool:
    """Whether nothing of it changes, to the bit."""
    changing: Sequence[Array] = (path.offsets, path.turns, path.lengths)
    return all(bool((one == one[:1]).all()) for one in changing)
