"""How far an ensemble is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Watcher: TypeAlias = Callable[["Progress"], None]
"""Called now and then."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Steps of all trajectories together."""

    done: int
    total: int
    seconds: float  # since the beginning

    @property
    def rate(self) -> float:
        """Steps a second; 0 before the first."""
        return self.done / self.seconds if self.seconds > 0.0 else 0.0

    @property
    def remaining(self) -> float:
        """Seconds that are left at this rate; infinity before the first steps."""
        return (self.total - self.done) / self.rate if self.done else float("inf")

    def __str__(self) -> str:
        """Return a line for people.

        Examples
        --------
        >>> print(Progress(250_000, 1_000_000, 0.5))
        25 %, 5e+05 steps/s, 1.5 s left
        """
        share = 100 * self.done // max(1, self.total)
        left = f", {self.remaining:.1f} s left" if self.done else ""
        return f"{share} %, {self.rate:.3g} steps/s{left}"


def show(progress: Progress) -> None:
    """Write a line over the one before, on stderr."""
    end = "\n" if progress.done == progress.total else ""
    sys.stderr.write(f"\r{progress!s:<60}{end}")
    sys.stderr.flush()


class Meter:
    """Counts steps, and tells a watcher of them."""

    def __init__(self, total: int, watcher: Watcher | None) -> None:
        self._total = total
        self._watcher = watcher
        self._begin = time.monotonic()
        self.done = 0

    def tell(self) -> None:
        """Tell the watcher, if there is one."""
        if self._watcher is not None:
            self._watcher(Progress(self.done, self._total, time.monotonic() - self._begin))
