"""Blocks of trajectories in threads of this process; the interpreter's lock is released while the C runs."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from eomc.binding.ensemble.blocks import BlockRunner
from eomc.binding.ensemble.running import PATIENCE, Range, Run
from eomc.binding.library import Library


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Threads:
    """A crew of threads.

    Parameters
    ----------
    library
        The compiled model.
    constrained
        Whether starts are brought onto constraints.
    workers
        How many threads.
    """

    def __init__(self, library: Library, constrained: bool, workers: int) -> None:
        self._library = library
        self._constrained = constrained
        self.workers = workers
        self.lanes = int(library.lib.eomc_group_lanes())

    def work(self, blocks: Sequence[Range], run: Run) -> None:
        """Run some blocks: as `Crew` has it."""
        waiting, stopped, lock = iter(blocks), threading.Event(), threading.Lock()
        with ThreadPoolExecutor(self.workers) as pool:
            workers = [
                pool.submit(self._work, waiting, lock, stopped, run) for _ in range(min(self.workers, len(blocks)))
            ]
            try:
                while wait(workers, PATIENCE, FIRST_EXCEPTION).not_done:
                    run.tell()
                    if any(worker.done() and worker.exception() for worker in workers):
                        break
            finally:
                stopped.set()
        for worker in workers:
            worker.result()

    def _work(self, waiting: Iterator[Range], lock: threading.Lock, stopped: threading.Event, run: Run) -> None:
        """Take blocks until none is left."""
        runner = BlockRunner(self._library, self._constrained)

        def advanced(steps: int) -> bool:
            run.advanced(steps)
            return not stopped.is_set()

        while not stopped.is_set():
            with lock:
                block = next(waiting, None)
            if block is None:
                return
            moved = runner.run(run.plan.part(*block), run.points.part(*block), advanced)
            if moved is not None:
                run.finished(block, moved)
