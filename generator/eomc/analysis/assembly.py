"""Consistent initial values: coordinates that close the loops by Newton's method, speeds that meet the constraints.

Which unknowns give way is a matter of rank: in each step they are chosen by complete pivoting, tier by tier: those
first that were named dependent, then those without a value, then those with the model's. The next tier moves only
where the ones before it reach no root. Where none do, Newton's method starts anew from points around the first one.

A residual is judged by the size of its own terms, an unknown by its own scale, so that no unit matters. All of it is
done in floats of the standard library: what is found is printed, and has the same digits on every machine.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from eomc.ir.elimination import least_squares, pivots_by_preference

_STEPS = 100
_HALVINGS = 30
_CLOSED = 4.0 * sys.float_info.epsilon  # residuals beside the size of their terms
_MET = 1e-10  # what may be left where no step makes it smaller
_ROUNDING = 16.0 * sys.float_info.epsilon
_CLEAR = 1e-13
_RINGS = (0.25, 0.5, 1.0, 2.0, 4.0)  # how far from the first start the others are, in scales of the unknowns
_TRIES = 8  # on each ring

Tiers: TypeAlias = Sequence[Sequence[int]]


class Point(NamedTuple):
    """Residuals Phi at a point x, the sizes of their terms, and the slopes dPhi/dx."""

    residuals: Sequence[float]
    sizes: Sequence[float]
    slopes: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Affine:
    """Residuals J v + b with the sizes of the terms of J and b."""

    slopes: Sequence[Sequence[float]]
    slope_sizes: Sequence[Sequence[float]]
    offsets: Sequence[float]
    offset_sizes: Sequence[float]

    def __call__(self, v: list[float]) -> Point:
        """Return residuals, their sizes and slopes at v."""
        residuals = [_product(row, v) + b for row, b in zip(self.slopes, self.offsets, strict=True)]
        sizes = [
            _product(row, list(map(abs, v))) + size
            for row, size in zip(self.slope_sizes, self.offset_sizes, strict=True)
        ]
        return Point(residuals, sizes, self.slopes)


Function: TypeAlias = Callable[[list[float]], Point]


class Unmet(Exception):
    """No values of the unknowns meet the constraints; `row` is the first that is not met."""

    def __init__(self, row: int, residual: float, starts: int = 1) -> None:
        super().__init__(f"residual {residual:.2g} of row {row}")
        self.row = row
        self.residual = residual
        self.starts = starts  # how many points Newton's method started from


def close(
    function: Function, start: Sequence[float], tiers: Tiers, scales: Sequence[float], search: bool = True
) -> list[float]:
    """Return the root of Phi(x) = 0 near `start`, by Newton's method with halved steps.

    Parameters
    ----------
    function
        x -> Phi, the sizes of its terms, dPhi/dx.
    start
        First guess, n numbers.
    tiers
        Indices of the unknowns that may move, those that give way first in front.
    scales
        What is a change of size one of each unknown, in its own unit.
    search
        Whether to start from other points where the first one leads to no root.

    Raises
    ------
    Unmet
        The residuals do not vanish, whatever moves.
    """
    failure: Unmet | None = None
    for allowed in _widening(tiers):
        try:
            return _root(function, start, allowed, scales)
        except Unmet as error:
            failure = error
    if failure is None:
        return _root(function, start, [], scales)  # nothing may move: the start is a root, or there is none
    starts = 1
    if search:
        filled = [list(tier) for tier in tiers if tier]
        for count in range(1, len(filled) + 1):
            for ring in range(len(_RINGS)):
                found = _around(function, start, filled[:count], scales, ring)
                if found is not None:
                    return found
                starts += _TRIES
    raise Unmet(failure.row, failure.residual, starts)


def settle(function: Affine, start: list[float], tiers: Tiers, scales: Sequence[float]) -> list[float]:
    """Return v with J v + b = 0 near `start`.

    Raises
    ------
    Unmet
        The constraints contradict one another here.
    """
    v, at, moved = list(start), function(start), 0.0
    if _open(at.residuals, at.sizes) <= _CLOSED:
        return v
    before = v
    for _ in range(2):  # the second step takes away the rounding of the first
        step = _step(at, tiers, scales)
        length = _length(step, scales)
        moved = max(moved, length)
        v = [x + dx for x, dx in zip(v, step, strict=True)]
        at = _blurred(function(v), scales, length)
    _refuse_unmet(at)
    return _without_rounding(function, before, v, scales, moved)


def _widening(tiers: Tiers) -> Iterator[list[list[int]]]:
    """Yield more and more tiers: by preference, as rank demands, then alike, for roots that these do not reach."""
    allowed: list[list[int]] = []
    for tier in filter(len, tiers):
        allowed.append(list(tier))
        yield allowed
        if len(allowed) > 1:
            yield [[k for some in allowed for k in some]]


def _around(
    function: Function, start: Sequence[float], tiers: list[list[int]], scales: Sequence[float], ring: int
) -> list[float] | None:
    """Return the root nearest to `start` of those that are found from points on a ring around it."""
    best: tuple[float, list[float]] | None = None
    generator = random.Random(ring)  # draws the same numbers everywhere
    for _ in range(_TRIES):
        beside = list(start)
        for tier in tiers:
            for k in tier:
                beside[k] += _RINGS[ring] * scales[k] * (2.0 * generator.random() - 1.0)
        try:
            root = _root(function, beside, tiers, scales)
        except Unmet:
            continue
        far = max(abs(x - y) / scale for x, y, scale in zip(root, start, scales, strict=True))
        if best is None or far < best[0]:
            best = far, root
    return None if best is None else best[1]


def _root(function: Function, start: Sequence[float], tiers: Tiers, scales: Sequence[float]) -> list[float]:
    x, at, moved = list(start), function(list(start)), 0.0
    for _ in range(_STEPS):
        if _open(at.residuals, at.sizes) <= _CLOSED:
            break
        step = _step(at, tiers, scales)
        length = _length(step, scales)
        if not length:
            break
        part = 1.0
        for _ in range(_HALVINGS):
            trial = [a + part * b for a, b in zip(x, step, strict=True)]
            there = _blurred(function(trial), scales, part * length)
            sizes = list(map(max, at.sizes, there.sizes))  # the same for both, or a large size would be progress
            if _open(there.residuals, sizes) < (1.0 - 1e-4 * part) * _open(at.residuals, sizes):
                break
            part /= 2.0
        else:
            break  # no progress: a root to rounding, or none
        x, at = trial, there
        moved = max(moved, part * length)
    _refuse_unmet(at)
    return _without_rounding(function, start, x, scales, moved)


def _length(step: Sequence[float], scales: Sequence[float]) -> float:
    """Return the largest change in scales of the unknowns."""
    return max((abs(x) / scale for x, scale in zip(step, scales, strict=True)), default=0.0)


def _blurred(at: Point, scales: Sequence[float], length: float) -> Point:
    """Return a point whose sizes hold that of the step to it, too: its rounding is in the unknowns."""
    sizes = [
        size + length * math.fsum(abs(x) * scale for x, scale in zip(row, scales, strict=True))
        for size, row in zip(at.sizes, at.slopes, strict=True)
    ]
    return Point(at.residuals, sizes, at.slopes)


def _step(at: Point, tiers: Tiers, scales: Sequence[float]) -> list[float]:
    """Return the step of the chosen unknowns that closes the residuals, least squares where rows are redundant."""
    step = [0.0] * len(scales)
    if not all(map(math.isfinite, [*at.residuals, *(x for row in at.slopes for x in row)])):
        return step
    rows, right = [], []
    for slopes, residual in zip(at.slopes, at.residuals, strict=True):
        row = [x * scale for x, scale in zip(slopes, scales, strict=True)]
        peak = max(map(abs, row), default=0.0)
        if peak > 0.0:
            weight = power_of_two(peak)
            rows.append([x / weight for x in row])
            right.append(-residual / weight)
    chosen = pivots_by_preference(rows, tiers)
    for j, y in zip(chosen, least_squares([[row[j] for j in chosen] for row in rows], right), strict=True):
        step[j] = y * scales[j]
    return step


def power_of_two(size: float) -> float:
    """Return the power of two at or below a positive number: to divide by it changes no digit."""
    return math.ldexp(0.5, math.frexp(size)[1])


def _without_rounding(
    function: Function, start: Sequence[float], x: list[float], scales: Sequence[float], moved: float
) -> list[float]:
    """Return the unknowns with zero for what is rounding of the steps to them, where zero meets the constraints."""
    cleared = [
        0.0 if value != first and abs(value) <= _ROUNDING * scale * moved else value
        for value, first, scale in zip(x, start, scales, strict=True)
    ]
    if cleared == x:
        return x
    there = function(cleared)
    return cleared if _open(there.residuals, there.sizes) <= _CLEAR else x


def _product(row: Sequence[float], x: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(row, x, strict=True))


def _open(residuals: Sequence[float], sizes: Sequence[float]) -> float:
    """Return the largest residual beside the size of its terms."""
    return max(map(_share, residuals, sizes), default=0.0)


def _share(residual: float, size: float) -> float:
    if residual == 0.0:
        return 0.0
    return abs(residual) / size if math.isfinite(residual) and size > 0.0 else math.inf


def _refuse_unmet(at: Point) -> None:
    for row, (residual, size) in enumerate(zip(at.residuals, at.sizes, strict=True)):
        if _share(residual, size) > _MET:
            raise Unmet(row, float(residual))
