"""All trajectories of a plan: blocks of them, in threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from eomc.binding.ensemble.blocks import BlockRunner, Points
from eomc.binding.ensemble.plan import Plan
from eomc.binding.library import Library

_LARGEST = 4096
"""Trajectories of a block."""

_EACH = 4
"""Blocks for each thread, or more: the last one does not work alone for long."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def blocks_of(count: int, threads: int) -> list[tuple[int, int]]:
    """Return the blocks of trajectories, first and end of each; whole groups of lanes."""
    size = min(_LARGEST, max(8, -(-count // (8 * _EACH * threads)) * 8))
    return [(first, min(first + size, count)) for first in range(0, count, size)]


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
    """

    def __init__(self, library: Library, constrained: bool, plan: Plan) -> None:
        self._library = library
        self._constrained = constrained
        self._plan = plan
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self.points = Points.empty(plan.count, plan.rows, plan.starts.shape[1], len(plan.reductions))
        self.moved = 0  # starts that were brought onto the constraints

    def run(self, threads: int) -> None:
        """Run everything."""
        blocks = blocks_of(self._plan.count, threads)
        waiting = iter(blocks)
        with ThreadPoolExecutor(threads) as pool:
            workers = [pool.submit(self._work, waiting) for _ in range(min(threads, len(blocks)))]
            try:
                wait(workers, return_when=FIRST_EXCEPTION)
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

    def _advanced(self, steps: int) -> bool:
        """Whether to go on."""
        del steps
        return not self._stopped.is_set()
