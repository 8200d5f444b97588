"""The times of runs in fixed steps.

Time is ``t0 + k dt``. When the interval is not a whole number of steps, one shorter step ends it, so that the last row
is always at `t_end`.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from eomc.binding.vectors import Array
from eomc.errors import UsageError
from eomc.model.arguments import number_of

BLOCK = 4096
"""Steps per call into C: bounds the memory for sampled inputs and the wait for an interrupt from the keyboard."""


class Block(NamedTuple):
    """Steps that one call into C takes: the kth begins at ``t0 + (offset + k) h``."""

    first: int  # its number in the grid
    steps: int
    t0: float
    h: float
    offset: int


class Grid(ABC):
    """The times of a run: its steps follow each other, and each begins where the one before it ends."""

    __slots__ = ()

    @property
    @abstractmethod
    def total(self) -> int:
        """Number of steps."""

    @abstractmethod
    def times(self, indices: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the times with these numbers."""


@dataclass(frozen=True, slots=True)
class TimeGrid(Grid):
    """`steps` whole steps of `dt` from `t0`, then one of length `rest` unless that is zero."""

    t0: float
    t_end: float
    dt: float
    steps: int
    rest: float

    @property
    def total(self) -> int:
        """Number of steps, the short one included."""
        return self.steps + (self.rest > 0.0)

    def time(self, k: int) -> float:
        """Return the time at the start of step k, or the end of the last."""
        return self.t_end if k == self.total else self.t0 + k * self.dt

    def length(self, k: int) -> float:
        """Return the length of step k."""
        return self.dt if k < self.steps else self.rest

    def count(self, every: int) -> int:
        """Return how many grid times are kept: each `every`-th and the last."""
        return 1 + -(-self.total // every)

    def stored(self, every: int) -> NDArray[np.int64]:
        """Return the numbers of the grid times that are kept: each `every`-th and the last."""
        kept = np.arange(0, self.total + 1, every, dtype=np.int64)
        return kept if kept[-1] == self.total else np.append(kept, self.total)

    def blocks(self, most: int = BLOCK) -> Iterator[Block]:
        """Yield the steps in blocks of steps of equal length, `most` of them in one."""
        for first in range(0, self.steps, most):
            yield Block(first, min(most, self.steps - first), self.t0, self.dt, first)
        if self.rest > 0.0:
            yield Block(self.steps, 1, self.time(self.steps), self.rest, 0)

    def times(self, indices: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the times with these numbers."""
        t = self.t0 + indices.astype(np.float64) * self.dt
        t[indices == self.total] = self.t_end
        return t

    def settled(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return times, as those of the grid where they are these but for rounding."""
        number = np.clip(np.rint((t - self.t0) / self.dt), 0.0, float(self.steps))
        rounding = _rounding(self.t0, self.t_end)
        for near in (self.times(number.astype(np.int64)), np.full(len(t), self.t_end)):
            t = np.where(abs(t - near) <= rounding, near, t)
        return t


def time_grid(t0: float, t_end: float, dt: float, name: str = "dt") -> TimeGrid:
    """Divide an interval into steps, whose length has a `name`.

    Raises
    ------
    UsageError
        Something is not finite, `dt` is not positive or not resolvable, or the end is before the start.
    """
    t0 = number_of("t0", t0, UsageError)
    t_end = number_of("t_end", t_end, UsageError)
    dt = number_of(name, dt, UsageError)
    if dt <= 0.0:
        raise UsageError(f"{name} must be a positive number of seconds, not {dt!r}")
    if t_end < t0:
        raise UsageError(f"t_end must not be before t0: {t_end!r} < {t0!r}")
    latest = max(abs(t0), abs(t_end))
    if t_end > t0 and latest + dt <= latest:
        raise UsageError(f"{name} = {dt!r} is too small to be told apart at t = {latest!r}")
    if not math.isfinite((t_end - t0) / dt):
        raise UsageError(f"{name} = {dt!r} is too small for a run from {t0!r} to {t_end!r}")
    return divided(t0, t_end, dt)


def divided(t0: float, t_end: float, dt: float) -> TimeGrid:
    """Divide an interval into steps of a length that is known to be one."""
    steps, rest = _parts(t0, t_end, dt)
    return TimeGrid(t0, t_end, dt, int(steps), float(rest))


def _parts(t0: Any, t_end: Any, dt: float) -> tuple[NDArray[np.int64], Array]:
    """Return the numbers of whole steps in some intervals, and what is left of each."""
    with np.errstate(over="ignore"):
        ratio = (t_end - t0) / dt
        nearest = np.floor(ratio + 0.5)
        # Whole but for the rounding of decimals; the same arithmetic as in the emitted main.
        whole = abs(ratio - nearest) <= _rounding(t0, t_end) / dt
    steps = np.where(whole, nearest, np.floor(ratio))
    return steps.astype(np.int64), np.where(whole, 0.0, t_end - (t0 + steps * dt))


def _rounding(t0: Any, t_end: Any) -> Any:
    """Return how far from each other times between these are that are the same but for rounding."""
    return 8.0 * sys.float_info.epsilon * (abs(t0) + abs(t_end))


class SampledGrid(Grid):
    """Steps from sample to sample: in each interval whole ones of `dt`, then a shorter one where that is left.

    What is known of each interval is made when it is first asked for: a run with a controller goes without.

    Raises
    ------
    UsageError
        `dt` is not as `time_grid` wants it, or an interval is too short to be told apart.
    """

    def __init__(self, samples: TimeGrid, dt: float) -> None:
        self._samples, self._dt = samples, time_grid(samples.t0, samples.t_end, dt).dt  # looked at
        last = samples.total - 1
        for k in (0, last - 1, last):  # the latest are those of the largest rounding
            if k >= 0 and divided(samples.time(k), samples.time(k + 1), self._dt).total == 0:
                raise self._too_short()

    @property
    def total(self) -> int:
        """Number of steps."""
        return int(self._firsts[-1])

    def times(self, indices: NDArray[np.int64]) -> Array:
        """Return the times with these numbers."""
        k = np.clip(np.searchsorted(self._firsts, indices, side="right") - 1, 0, max(0, self._samples.total - 1))
        t = self._samples.times(k) + (indices - self._firsts[k]).astype(np.float64) * self._dt
        t[indices == self.total] = self._samples.t_end
        return t

    def _too_short(self) -> UsageError:
        return UsageError(
            f"sample_time = {self._samples.dt!r} is too small to be told apart at t = {self._samples.t_end!r}"
        )

    @cached_property
    def _firsts(self) -> NDArray[np.int64]:
        """The number of each interval's first step, and that of all steps."""
        ends = self._samples.times(np.arange(self._samples.total + 1))
        steps, rests = _parts(ends[:-1], ends[1:], self._dt)
        totals = steps + (rests > 0.0)
        if not totals.all():
            raise self._too_short()
        return np.concatenate([[0], np.cumsum(totals)])
