"""Blocks of trajectories on other machines, by a client of Dask, or in other processes, by any executor.

A task is the C as text, the compiler's flags and a part of the plan: a worker compiles the C once, or finds it compiled
in its cache, and sends points back. Dask is not imported here: its clients are executors of concurrent.futures, too.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager
from itertools import islice
from typing import Any

from eomc.binding.ensemble.blocks import BlockRunner, Points
from eomc.binding.ensemble.plan import Part
from eomc.binding.ensemble.running import EACH, PATIENCE, Range, Run
from eomc.binding.ensemble.threads import processors
from eomc.binding.library import Library
from eomc.binding.loading import Source
from eomc.errors import EomcError, RunError, UsageError

_LOCK = threading.Lock()


def run_block(source: Source, constrained: bool, part: Part) -> tuple[Points, int]:
    """Run some trajectories in a worker; return their points, and how many starts were moved onto constraints."""
    with _LOCK:  # a worker's threads compile once
        library = _opened(source)
    points = Points.of(part.task, part.count)
    return points, BlockRunner(library, constrained).run(part, points, lambda steps: True) or 0


@functools.lru_cache(16)
def _opened(source: Source) -> Library:
    return source.opened()


class Scheduled:
    """A crew behind a scheduler.

    Parameters
    ----------
    source
        The C, which workers compile.
    constrained
        Whether starts are brought onto constraints.
    lanes
        So many trajectories stand side by side in it.
    scheduler
        A ``distributed.Client``, or an executor of concurrent.futures.

    Raises
    ------
    UsageError
        It is neither.
    """

    def __init__(self, source: Source, constrained: bool, lanes: int, scheduler: Any) -> None:
        self.lanes = lanes
        self._task = functools.partial(run_block, source, constrained)
        # Tasks that differ in nothing but the time of their submission are not merged: no hash of their arrays is made.
        self._executor = scheduler.get_executor(pure=False) if hasattr(scheduler, "get_executor") else scheduler
        if isinstance(scheduler, type) or not callable(getattr(self._executor, "submit", None)):
            raise UsageError(
                f"scheduler takes a client of Dask or an executor of concurrent.futures, not {scheduler!r}"
            )
        # Dask tells how many threads its workers have, executors tell nothing.
        self.workers = sum(scheduler.nthreads().values()) if hasattr(scheduler, "nthreads") else processors()
        self.workers = max(1, self.workers)

    def work(self, blocks: Sequence[Range], run: Run) -> None:
        """Run some blocks: as `Crew` has it.

        Raises
        ------
        RunError
            A worker ended, or cannot do its task.
        """
        waiting, sent = iter(blocks), dict[Future[tuple[Points, int]], Range]()
        try:
            while True:
                for block in islice(waiting, EACH * self.workers - len(sent)):  # not all: their arrays need memory
                    with _told(block):
                        sent[self._executor.submit(self._task, run.plan.part(*block))] = block
                if not sent:
                    return
                for future in wait(sent, PATIENCE, FIRST_COMPLETED).done:
                    block = sent.pop(future)
                    with _told(block):
                        points, moved = future.result()
                    run.points.part(*block).take(points)
                    run.advanced((block[1] - block[0]) * run.plan.task.grid.total)
                    run.finished(block, moved)
                run.tell()
        finally:
            for future in sent:
                future.cancel()


@contextmanager
def _told(block: Range) -> Iterator[None]:
    """Say in one way what each scheduler says in its own: that a worker is lost, or cannot do its task."""
    try:
        yield
    except EomcError:
        raise
    except (Exception, CancelledError) as error:
        raise RunError(
            f"a worker of the scheduler did not run trajectories {block[0]} to {block[1] - 1}: "
            f"{type(error).__name__}: {error}"
        ) from error
