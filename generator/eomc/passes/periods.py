"""Where a sequence repeats itself: regions with a period, found in a time linear in its length but for a logarithm.

Windows get numbers by doubling (Karp, Miller & Rosenberg, *Rapid identification of repeated patterns in strings, trees
and arrays* (1972)): equal windows have equal numbers. The distance to the next equal window is constant along a region
with that period.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

_DOUBLINGS = 4  # windows of 16 elements


class Region(NamedTuple):
    """So many times a period's elements, one after the other, from a place on."""

    start: int
    period: int
    times: int

    @property
    def end(self) -> int:
        """The place behind it."""
        return self.start + self.period * self.times


def find_regions(sequence: Sequence[Hashable], least: int) -> list[Region]:
    """Return regions, apart from each other and in order, in which a period is there at least so many times.

    Those that cover the most are taken first. What is left of the last period at the end of a region is in none.
    """
    candidates: set[Region] = set()
    known: dict[int, list[tuple[int, int]]] = {}  # period -> stretches in which elements come again after it
    for start, period in _runs(sequence):
        stretches = known.setdefault(period, [])
        if any(low <= start < high for low, high in stretches):
            continue
        low, high = _stretch(sequence, start, period)
        stretches.append((low, high))
        times = (high - low) // period + 1
        if times >= least:
            candidates.add(Region(low, period, times))
    taken: list[Region] = []
    for region in sorted(candidates, key=lambda one: (one.start - one.end, one.period, one.start)):
        left = _beside(region, taken)
        if left.times >= least:
            taken.append(left)
    return sorted(taken)


def _runs(sequence: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return (start, distance) of stretches whose windows come again after that distance, and not before."""
    numbers: dict[Hashable, int] = {}
    window = [numbers.setdefault(one, len(numbers)) for one in sequence]
    for doubling in range(_DOUBLINGS):
        pairs: dict[tuple[int, int], int] = {}
        window = [pairs.setdefault(one, len(pairs)) for one in zip(window, window[1 << doubling :], strict=False)]
    following: dict[int, int] = {}
    runs: list[tuple[int, int]] = []
    distance = 0
    for place in range(len(window) - 1, -1, -1):
        own = following.get(window[place], place) - place
        following[window[place]] = place
        if own != distance:
            if distance:
                runs.append((place + 1, distance))
            distance = own
    if distance:
        runs.append((0, distance))
    return runs[::-1]


def _stretch(sequence: Sequence[Hashable], start: int, period: int) -> tuple[int, int]:
    """Return the longest stretch about a place in which each element comes again after a period."""
    low = high = start
    last = len(sequence) - period
    while low > 0 and sequence[low - 1] == sequence[low - 1 + period]:
        low -= 1
    while high < last and sequence[high] == sequence[high + period]:
        high += 1
    return low, high


def _beside(region: Region, taken: Sequence[Region]) -> Region:
    """Return what is left of a region beside those that are taken: the longest part of it."""
    start, period, _ = region
    free: list[tuple[int, int]] = [(start, region.end)]
    for other in taken:
        free = [
            part
            for low, high in free
            for part in ((low, min(high, other.start)), (max(low, other.end), high))
            if part[0] < part[1]
        ]
    low, high = max(free, key=lambda part: part[1] - part[0], default=(start, start))
    return Region(low, period, (high - low) // period)
