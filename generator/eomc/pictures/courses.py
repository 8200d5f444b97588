"""What moves in a picture at all instants that are looked at, and which of them are key frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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

    def at(self, instants: slice | NDArray[np.int64]) -> Course:
        """Return the same node at some of the instants."""
        return Course(self.offsets[instants], self.turns[instants], self.lengths[instants], self.reach)

    def off(self, a: int, b: int) -> Array:
        """Return how far what is drawn between key frames a and b is from the motion at the instants between [m]."""
        shares = np.arange(1, b - a) / (b - a)
        drawn = self.offsets[a] + shares[:, None] * (self.offsets[b] - self.offsets[a])
        lengths = self.lengths[a] + shares * (self.lengths[b] - self.lengths[a])
        turned = slerp(self.turns[a], self.turns[b], shares)
        return _apart(Course(drawn, turned, lengths, self.reach), self.at(slice(a + 1, b)))


def _apart(drawn: Course, moves: Course) -> Array:
    """Return how far what is drawn of a node is from its motion, instant by instant [m]."""
    away = np.linalg.norm(drawn.offsets - moves.offsets, axis=1)
    if drawn.turns.shape[1] == 3:
        ends = [one.offsets + one.lengths[:, None] * one.turns for one in (drawn, moves)]
        off: Array = np.maximum(away, np.linalg.norm(ends[0] - ends[1], axis=1))
        return off
    half = np.minimum(*(np.linalg.norm(drawn.turns + sign * moves.turns, axis=1) for sign in (-1.0, 1.0)))
    off = away + 2.0 * drawn.reach * half  # |R v - R' v| <= 2 |q - q'| |v|
    return off


def _unit(turns: Array) -> Array:
    """Return rows of length one, of a row of zeros zeros."""
    norms = np.linalg.norm(turns, axis=1, keepdims=True)
    return turns / np.where(norms > 0.0, norms, 1.0)


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
    a, b = path.at(slice(0, -2, 2)), path.at(slice(2, None, 2))
    drawn = Course((a.offsets + b.offsets) / 2, _unit(a.turns + b.turns), (a.lengths + b.lengths) / 2, path.reach)
    return _apart(drawn, path.at(slice(1, None, 2)))


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
        a, b = path.at(2 * before), path.at(2 * before + 2)
        chord = a.turns + part * (b.turns - a.turns)  # steps are small where this counts
        lengths = a.lengths + part[:, 0] * (b.lengths - a.lengths)
        drawn = Course(a.offsets + part * (b.offsets - a.offsets), _unit(chord), lengths, path.reach)
        worst = max(worst, float(_apart(drawn, there).max()))
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
