"""Inputs of trajectories that the C evaluates at the times of steps: samples, functions of time, held ones."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from eomc.binding.ensemble.given import Given
from eomc.binding.feeding import CALLED, HELD, LINES, STEPS
from eomc.binding.samples import Samples
from eomc.binding.sources import Sources
from eomc.binding.vectors import Array, Values

TimeFunction = Callable[[float], Values]


@dataclass(frozen=True, slots=True, eq=False)
class Fed:
    """Inputs of some trajectories, or of all of them, as the C reads them."""

    kinds: NDArray[np.int32]  # (m,)
    begins: NDArray[np.int64]  # (m + 1,): where the rows of each begin, and where the last ones end
    times: Array  # (n,)
    rows: Array  # (n, nr)
    functions: Functions | None  # those that are called


class Feeds(Protocol):
    """Inputs of trajectories."""

    @property
    def count(self) -> int:
        """Trajectories, or 1 where it is the same for all."""

    @property
    def called(self) -> bool:
        """Whether there are functions of time among them."""

    def part(self, first: int, end: int) -> Feeds:
        """Return those of some trajectories."""

    def fed(self) -> Fed:
        """Return what the C reads."""

    def at(self, t: float) -> Array:
        """Return the inputs of each at a time, (count, nr)."""


class Functions:
    """Functions of time that the C calls, by one thread at a time.

    Parameters
    ----------
    functions
        By the number of the trajectory among those that are run together.
    sources
        What makes values of what they return.
    first
        The number of the first of these trajectories among all.
    lock
        Held while one is called.

    Attributes
    ----------
    raised
        What one of them raised.
    """

    def __init__(
        self, functions: Mapping[int, TimeFunction], sources: Sources, first: int, lock: threading.Lock | None = None
    ) -> None:
        self._functions, self._sources, self._first = functions, sources, first
        self._lock = lock or threading.Lock()
        self._last: dict[int, tuple[float, list[float]]] = {}  # a step begins where one ends
        self.raised: BaseException | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle all but the lock: another process has its own."""
        return Functions, (self._functions, self._sources, self._first)

    def call(self, which: int, t: float, r: Any) -> int:
        """Write the inputs of a trajectory at a time; 1 where the function raised something."""
        try:
            last = self._last.get(which)
            if last is None or last[0] != t:
                with self._lock:
                    last = t, self._sources.called(self._functions[which], t).tolist()
                self._last[which] = last
            for place, value in enumerate(last[1]):
                r[place] = value
        except BaseException as error:  # Ctrl-C, too: nothing may pass through the C
            error.add_note(f"which the inputs of trajectory {self._first + which} raised at t = {t:.9g}")
            self.raised = error
            return 1
        return 0


@dataclass(frozen=True, slots=True, eq=False)
class HeldFeeds:
    """Inputs that do not change."""

    given: Given
    called = False

    @property
    def count(self) -> int:
        """Trajectories, or 1 where it is the same for all."""
        return self.given.count

    def part(self, first: int, end: int) -> HeldFeeds:
        """Return those of some trajectories."""
        return HeldFeeds(self.given.part(first, end))

    def fed(self) -> Fed:
        """Return what the C reads."""
        return _fed_rows(HELD, np.zeros(1), self.given.rows[:, None])

    def at(self, t: float) -> Array:
        """Return the inputs of each at a time, (count, nr)."""
        del t
        return self.given.rows


@dataclass(frozen=True, slots=True, eq=False)
class GridFeeds:
    """Inputs that are held from one time of a grid to the next."""

    times: Array  # (n,)
    rows: Array  # (count, n, nr)
    called = False

    @property
    def count(self) -> int:
        """Trajectories, or 1 where it is the same for all."""
        return len(self.rows)

    def part(self, first: int, end: int) -> GridFeeds:
        """Return those of some trajectories."""
        return self if len(self.rows) == 1 else GridFeeds(self.times, self.rows[first:end])

    def fed(self) -> Fed:
        """Return what the C reads."""
        return _fed_rows(STEPS, self.times, self.rows)

    def at(self, t: float) -> Array:
        """Return the inputs of each at a time, (count, nr)."""
        found: Array = self.rows[:, max(0, int(np.searchsorted(self.times, t, side="right")) - 1)]
        return found


def _fed_rows(kind: int, times: Array, rows: Array) -> Fed:
    """Return samples of each at the same times, rows (count, n, nr)."""
    count, n, width = rows.shape
    return Fed(
        np.full(count, kind, dtype=np.int32),
        n * np.arange(count + 1, dtype=np.int64),
        np.tile(times, count),
        rows.reshape(count * n, width),
        None,
    )


class EachFeeds:
    """A source for each trajectory: a function of time, samples, or values that are held.

    Parameters
    ----------
    each
        The sources; a row of values is held.
    sources
        What makes values of what they give.
    first
        The number of the first among all.
    lock
        Held while a function is called.
    """

    def __init__(
        self,
        each: tuple[TimeFunction | Samples | Array, ...],
        sources: Sources,
        first: int = 0,
        lock: threading.Lock | None = None,
    ) -> None:
        self._each, self._sources, self._first = each, sources, first
        self._lock = lock or threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle all but the lock: another process has its own."""
        return EachFeeds, (self._each, self._sources, self._first)

    @property
    def count(self) -> int:
        """Trajectories, or 1 where it is the same for all."""
        return len(self._each)

    @property
    def called(self) -> bool:
        """Whether there are functions of time among them."""
        return any(callable(one) for one in self._each)

    def part(self, first: int, end: int) -> EachFeeds:
        """Return those of some trajectories."""
        if self.count == 1:
            return self
        return EachFeeds(self._each[first:end], self._sources, self._first + first, self._lock)

    def fed(self) -> Fed:
        """Return what the C reads; a function has a row that nobody looks at."""
        names = self._sources.names
        kinds, times, rows = [], [], []
        functions: dict[int, TimeFunction] = {}
        for place, one in enumerate(self._each):
            if isinstance(one, Samples):
                kinds.append(STEPS if one.jump else LINES)
                times.append(one.t)
                rows.append(one.rows(names))
            elif callable(one):
                kinds.append(CALLED)
                times.append(np.zeros(1))
                rows.append(names.defaults[None])
                functions[place] = one
            else:
                kinds.append(HELD)
                times.append(np.zeros(1))
                rows.append(one[None])
        begins = np.cumsum([0, *map(len, times)], dtype=np.int64)
        called = Functions(functions, self._sources, self._first, self._lock) if functions else None
        return Fed(
            np.array(kinds, dtype=np.int32),
            begins,
            np.concatenate([*times, np.empty(0)]),
            np.concatenate([*rows, np.empty((0, len(names)))]),
            called,
        )

    def at(self, t: float) -> Array:
        """Return the inputs of each at a time, (count, nr)."""
        rows = [
            self._sources.names.array(self._sources.held(one, t)) if callable(one) or isinstance(one, Samples) else one
            for one in self._each
        ]
        return np.reshape(rows, (self.count, len(self._sources.names)))
