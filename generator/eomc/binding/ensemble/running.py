"""All trajectories of a plan: blocks of them, in threads; those that a checkpoint holds are not run again."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

import numpy as np

from eomc.binding.ensemble.blocks import UNFINISHED, BlockRunner, Points
from eomc.binding.ensemble.checkpoint import Checkpoint
from eomc.binding.ensemble.plan import Plan
from eomc.binding.ensemble.progress import Meter, Watcher
from eomc.binding.library import Library

_LARGEST = 4096
"""Trajectories of a block."""

_PATIENCE = 0.2
"""Seconds between words about the progress."""

_EACH = 4
"""Blocks for each thread, or more: the last one does not work alone for long."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def blocks_of(count: int, threads: int, done: Iterable[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """Return the blocks of trajectories that are not done, first and end of each; whole groups of lanes."""
    size = min(_LARGEST, max(8, -(-count // (8 * _EACH * threads)) * 8))
    begin, blocks = 0, []
    for first, end in [*sorted(done), (count, count)]:
        blocks += [(start, min(start + size, first)) for start in range(begin, first, size)]
        begin = end
    return blocks


class ThreadedRun:
    """One run over all blocks of a plan.

    Parameters
    ----------
    library
        The compiled model.
    constrained
        Whether starts are brought onto constraints.
    plan
        What is computed.
    watcher
        Is told how far it is.
    """

    def __init__(self, library: Library, constrained: bool, plan: Plan, watcher: Watcher | None) -> None:
        self._library = library
        self._constrained = constrained
        self._plan = plan
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self.points = Points.empty(plan.count, plan.rows, plan.starts.shape[1], len(plan.reductions))
        self.points.status[:] = UNFINISHED
        self.moved = 0  # starts that were brought onto the constraints
        self._meter = Meter(plan.count * plan.grid.total, watcher)
        self._checkpoint: Checkpoint | None = None

    def run(self, threads: int, checkpoint: Checkpoint | None) -> None:
        """Run everything that the checkpoint does not hold.

        Raises
        ------
        KeyboardInterrupt
            By the user: blocks that are not finished are NaN, the others stay.
        """
        self._checkpoint = checkpoint
        done = checkpoint.restore(self.points) if checkpoint else []
        self._meter.done = sum(end - first for first, end in done) * self._plan.grid.total
        blocks = blocks_of(self._plan.count, threads, done)
        try:
            self._run_blocks(blocks, threads)
        finally:
            unfinished = self.points.status == UNFINISHED
            self.points.x[unfinished] = np.nan
            self.points.reduced[unfinished] = np.nan
        self._meter.tell()

    def _run_blocks(self, blocks: Sequence[tuple[int, int]], threads: int) -> None:
        waiting = iter(blocks)
        with ThreadPoolExecutor(threads) as pool:
            workers = [pool.submit(self._work, waiting) for _ in range(min(threads, len(blocks)))]
            try:
                while wait(workers, _PATIENCE, FIRST_EXCEPTION).not_done:
                    self._meter.tell()
                    if any(worker.done() and worker.exception() for worker in workers):
                        break
            finally:
                self._stopped.set()
        for worker in workers:
            worker.result()

    def _work(self, waiting: Iterator[tuple[int, int]]) -> None:
        """Take blocks until none is left."""
        runner = BlockRunner(self._library, self._constrained)
        while not self._stopped.is_set():
            with self._lock:
                block = next(waiting, None)
            if block is None:
                return
            moved = runner.run(self._plan.part(*block), self.points.part(*block), self._advanced)
            with self._lock:
                self.moved += moved or 0
                if moved is not None and self._checkpoint is not None:
                    self._checkpoint.add(*block, self.points)

    def _advanced(self, steps: int) -> bool:
        """Count steps of all trajectories of a block; whether to go on."""
        with self._lock:
            self._meter.done += steps
        return not self._stopped.is_set()
