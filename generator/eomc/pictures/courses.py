"""What moves in a picture at all instants that are looked at, and which of them are key frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from eomc.pictures.corners import reach_of
from eomc.pictures.motion import Array
from eomc.pictures.turning import rotated, slerp, unwrapped
from eomc.scenery import Scene, Segment, Solid
from eomc.scenery.records import GROUND, Floats

_OTHERS, _GOLDEN = 300, (5.0**0.5 - 1.0) / 2.0  # instants that keep no step with any grid


@dataclass(frozen=True, slots=True, eq=False)
class Course:
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


Named = tuple[str, tuple[Solid, ...], tuple[Segment, ...], Segment | None]


def courses(scene: Scene, rows: Array, in_time: bool = True) -> list[tuple[Named, Course]]:
    """Return all that follows rows: frames with their shapes, and lines from one to another.

    Where rows follow each other in time, signs of quaternions do not jump.
    """
    found: list[tuple[Named, Course]] = []
    for row, name in enumerate(scene.rows):
        solids = tuple(one for one in scene.solids if one.row == row)
        lines = tuple(one for one in scene.segments if one.start_row == one.end_row == row)
        if solids or lines:
            turns = unwrapped(rows[:, row, 3:]) if in_time else rows[:, row, 3:]
            path = Course(rows[:, row, :3], turns, np.ones(len(rows)), reach_of(solids, lines))
            found.append(((name, solids, lines, None), path))
    for line in scene.segments:
        if line.start_row != line.end_row:
            start, end = ends_of(rows, line)
            lengths = np.linalg.norm(end - start, axis=1)
            found.append(((line.style, (), (), line), Course(start, _directions(end - start, lengths), lengths, 0.0)))
    return found


def ends_of(rows: Array, line: Segment) -> tuple[Array, Array]:
    """Return both ends of a line, shape (k, 3) each."""
    return _place_of(rows, line.start_row, line.start), _place_of(rows, line.end_row, line.end)


def _place_of(rows: Array, row: int, point: Floats) -> Array:
    """Return where a point of a body, or of the ground, is."""
    if row == GROUND:
        return np.broadcast_to(point, (len(rows), 3))
    return rows[:, row, :3] + rotated(rows[:, row, 3:], np.array(point))


def _directions(vectors: Array, lengths: Array) -> Array:
    """Return unit vectors; where a line has no length, the one before it, and z before all."""
    known = np.where(lengths > 0.0, np.arange(len(lengths)), -1)
    last = np.maximum.accumulate(known)
    units = vectors / np.where(lengths > 0.0, lengths, 1.0)[:, None]
    return np.where((last >= 0)[:, None], units[last], [0.0, 0.0, 1.0])


def middles(path: Course) -> Array:
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


def elsewhere(
    scene: Scene,
    poses: Callable[[Array], Array],
    run: tuple[float, float],
    paths: list[tuple[Named, Course]],
    count: int,
) -> float:
    """Return how far instants that keep no step with the grid are from what is between its even ones [m].

    What turns a whole number of times from instant to instant seems to rest at all of them.
    """
    shares = (np.arange(1, _OTHERS + 1) * _GOLDEN) % 1.0
    found = courses(scene, poses(run[0] + shares * (run[1] - run[0])), in_time=False)
    worst = 0.0
    for (_, path), (_, there) in zip(paths, found, strict=True):
        if not np.isfinite(there.offsets).all():
            return np.inf
        before = np.minimum((shares * count).astype(int), count - 1)
        part = (shares * count - before)[:, None]
        a, b = 2 * before, 2 * before + 2
        drawn = path.offsets[a] + part * (path.offsets[b] - path.offsets[a])
        turned = path.turns[a] + part * (path.turns[b] - path.turns[a])  # the chord: steps are small where this counts
        norms = np.linalg.norm(turned, axis=1, keepdims=True)
        turned = turned / np.where(norms > 0.0, norms, 1.0)
        away = np.linalg.norm(drawn - there.offsets, axis=1)
        if path.turns.shape[1] == 3:
            lengths = (path.lengths[a] + part[:, 0] * (path.lengths[b] - path.lengths[a]))[:, None]
            far = drawn + lengths * turned - there.offsets - there.lengths[:, None] * there.turns
            worst = max(worst, float(away.max()), float(np.linalg.norm(far, axis=1).max()))
        else:
            half = np.minimum(*(np.linalg.norm(turned + sign * there.turns, axis=1) for sign in (-1.0, 1.0)))
            worst = max(worst, float((away + 2.0 * path.reach * half).max()))
    return worst


def key_frames(path: Course, last: int, tolerance: float) -> tuple[Array, float]:
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


def _rests(path: Course) -> bool:
    """Whether nothing of it changes, to the bit."""
    changing: Sequence[Array] = (path.offsets, path.turns, path.lengths)
    return all(bool((one == one[:1]).all()) for one in changing)
