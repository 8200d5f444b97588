"""All trajectories of a plan: blocks of them, which a crew runs; those that a checkpoint holds are not run again."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeAlias

import numpy as np

from eomc.binding.ensemble.blocks import UNFINISHED, Points
from eomc.binding.ensemble.checkpoint import Checkpoint
from eomc.binding.ensemble.plan import Plan
from eomc.binding.ensemble.progress import Meter, Watcher

PATIENCE = 0.2
"""Seconds between words about the progress."""

EACH = 4
"""Blocks for each worker, or more: the last one does not work alone for long."""

_LARGEST = 4096
"""Trajectories of a block."""
Range: TypeAlias = tuple[int, int]
"""First trajectory of a block, and its end."""


def blocks_of(count: int, workers: int, lanes: int, done: Iterable[Range] = ()) -> list[Range]:
    """Return the blocks of trajectories that are not done; whole groups of lanes."""
    size = min(_LARGEST, max(lanes, -(-count // (lanes * EACH * workers)) * lanes))
    begin, blocks = 0, []
    for first, end in [*sorted(done), (count, count)]:
        blocks += [(start, min(start + size, first)) for start in range(begin, first, size)]
        begin = end
    return blocks


class Crew(Protocol):
    """Runs blocks."""

    workers: int
    lanes: int  # so many stand side by side

    def work(self, blocks: Sequence[Range], run: Run) -> None:
        """Run some blocks of `run.plan`, and hand over each that is finished, in any order.

        Raises
        ------
        KeyboardInterrupt
            By the user; what was handed over stays.
        """


class Run:
    """One run over all blocks of a plan.

    Parameters
    ----------
    plan
        What is computed.
    watcher
        Is told how far it is.
    """

    def __init__(self, plan: Plan, watcher: Watcher | None) -> None:
        self.plan = plan
        self.points = Points.of(plan.task, plan.count)
        self.points.status[:] = UNFINISHED
        self.moved = 0  # starts that were brought onto the constraints
        self._lock = threading.Lock()
        self._meter = Meter(plan.count * plan.task.grid.total, watcher)
        self._checkpoint: Checkpoint | None = None

    def run(self, crew: Crew, checkpoint: Checkpoint | None) -> None:
        """Run everything that the checkpoint does not hold.

        Raises
        ------
        KeyboardInterrupt
            By the user: blocks that are not finished are NaN, the others stay.
        """
        self._checkpoint = checkpoint
        done = checkpoint.restore(self.points) if checkpoint else []
        self._meter.done = sum(end - first for first, end in done) * self.plan.task.grid.total
        try:
            crew.work(blocks_of(self.plan.count, crew.workers, crew.lanes, done), self)
        finally:
            unfinished = self.points.status == UNFINISHED
            self.points.x[unfinished] = np.nan
            self.points.reduced[unfinished] = np.nan
            self.points.happened[unfinished] = np.nan
        self.tell()

    def tell(self) -> None:
        """Tell the watcher how far it is."""
        self._meter.tell()

    def advanced(self, steps: int) -> None:
        """Count steps, of all trajectories of a block."""
        with self._lock:
            self._meter.done += steps

    def finished(self, block: Range, moved: int) -> None:
        """Note that the points of a block are in place, and how many of its starts were moved."""
        with self._lock:
            self.moved += moved
            if self._checkpoint is not None:
                self._checkpoint.add(*block, self.points)
