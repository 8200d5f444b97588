"""Some trajectories of a plan, in C: a call for as many steps as take a fraction of a second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.controls import Controls
from eomc.binding.ensemble.plan import Adaptive, Plan
from eomc.binding.integration import Block
from eomc.binding.library import Library
from eomc.binding.vectors import Array

_STEPS = 1 << 19
"""Steps of a trajectory in one call, all together: bounds the wait for an interrupt."""

_LINE = 64
"""Bytes of a line of the cache."""

EVENT, DIVERGED = 3, 4
"""Status of a trajectory that an event has ended, or that left the numbers; statuses are those of the emitted C."""


UNFINISHED = -1
"""Status of one that has not been run to its end."""


@dataclass(frozen=True, slots=True)
class Points:
    """Results, by trajectory; those of some are views."""

    x: Array  # (k, rows, nx)
    reduced: Array  # (k, reductions)
    status: NDArray[np.int8]  # (k,)
    t_failed: Array  # (k,) [s], NaN where nothing failed
    happened: Array  # (k, reductions of events)

    @classmethod
    def of(cls, plan: Plan) -> Points:
        """Return room for the results of a plan."""
        first = np.where(plan.reductions.happenings[:, 1] == 0, 0.0, np.nan)  # of events: none has happened
        return cls(
            np.empty((plan.count, plan.rows, plan.starts.shape[1])),
            np.empty((plan.count, len(plan.reductions))),
            np.zeros(plan.count, dtype=np.int8),
            np.full(plan.count, np.nan),
            np.full((plan.count, len(first)), first),
        )

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All of them."""
        return (self.x, self.reduced, self.status, self.t_failed, self.happened)

    def part(self, first: int, end: int) -> Points:
        """Return those of some trajectories."""
        return Points(*(array[first:end] for array in self.arrays))

    def take(self, others: Points) -> None:
        """Copy others here."""
        for own, other in zip(self.arrays, others.arrays, strict=True):
            own[...] = other


class BlockRunner:
    """Runs trajectories in one thread; owns the memory that the C works in."""

    def __init__(self, library: Library, constrained: bool) -> None:
        self._library = library
        self._constrained = constrained
        self._memory = _aligned(library.lib.eomc_group_size())
        self._lanes = int(library.lib.eomc_group_lanes())

    def run(self, plan: Plan, into: Points, advanced: Callable[[int], bool]) -> int | None:
        """Run all trajectories of a plan to the end.

        Parameters
        ----------
        plan, into
            What is computed, and where the results go.
        advanced
            Called with the number of steps that were taken, of all together; whether to go on.

        Returns
        -------
        int or None
            How many starts were moved onto the constraints; None where the run was stopped.
        """
        grid, reductions = plan.grid, plan.reductions
        call = _Call(self._library, plan, into, self._memory, self._lanes)
        finite = np.isfinite(call.x).all(axis=1)
        call.status[~finite] = DIVERGED
        moved = (
            int(self._library.lib.eomc_close_starts(call.at(Block(0, 0, grid.t0, 0.0, 0)))) if self._constrained else 0
        )
        started = call.status == 0
        if plan.every > 0:
            into.x[:, 0] = call.x
            into.x[~started, 0] = np.nan
        take = self._fixed_steps if plan.adaptive is None else self._adaptive_steps
        if not take(plan, call, advanced):
            return None
        self._finish(plan, into, call)
        for place in np.flatnonzero(reductions.kinds == 2):  # of means
            if grid.total:
                into.reduced[:, place] /= np.where(into.status == EVENT, into.t_failed, grid.t_end) - grid.t0
        return moved

    def _fixed_steps(self, plan: Plan, call: _Call, advanced: Callable[[int], bool]) -> bool:
        """Take all steps; whether it came to the end."""
        grid = plan.grid
        most = max(1, _STEPS // max(1, plan.count))
        for block in grid.blocks(most) if grid.total else [Block(0, 0, grid.t0, 0.0, 0)]:
            self._library.lib.eomc_advance(call.at(block))
            goes_on = advanced(block.steps * plan.count)
            if not goes_on and block.first + block.steps < grid.total:
                return False
        failed = np.flatnonzero(call.status)
        call.t_failed[failed] = grid.times(call.failed_in[failed])
        return True

    def _adaptive_steps(self, plan: Plan, call: _Call, advanced: Callable[[int], bool]) -> bool:
        """Take all steps, as many as each trajectory has; whether it came to the end."""
        call.t_failed[call.status != 0] = plan.grid.t0
        arguments, done = call.whole(_STEPS // (64 * self._lanes)), 0
        self._library.lib.eomc_adapt_start(arguments)
        while done < plan.count:
            now = int(self._library.lib.eomc_adapt(arguments))
            goes_on, done = advanced((now - done) * plan.grid.total), now
            if not goes_on and done < plan.count:
                return False
        return True

    def _finish(self, plan: Plan, into: Points, call: _Call) -> None:
        """Put the last point and what failed into the results."""
        grid = plan.grid
        if plan.rows:
            into.x[:, -1] = call.x
        into.status[:] = call.status
        failed = np.flatnonzero(call.status)
        into.t_failed[failed] = call.t_failed[failed]
        into.reduced[failed[call.status[failed] != EVENT]] = np.nan
        kept = plan.kept if plan.every > 0 else np.full(plan.rows, grid.total + 1)
        for trajectory in failed.tolist():
            if plan.every <= 0 and call.status[trajectory] == EVENT:
                continue  # its last point is that of the event
            into.x[trajectory, kept > call.failed_in[trajectory]] = np.nan


class _Call:
    """The arguments of the C, and what keeps their memory alive."""

    def __init__(self, library: Library, plan: Plan, into: Points, memory: NDArray[np.uint8], lanes: int) -> None:
        self._library = library
        self._plan = plan
        self.x = np.array(np.broadcast_to(plan.starts, (plan.count, plan.starts.shape[1])), order="C")
        self.status = np.zeros(plan.count, dtype=np.int32)
        self.failed_in = np.zeros(plan.count, dtype=np.int64)
        self.t_failed = np.full(plan.count, np.nan)
        reductions = plan.reductions
        self._scratch = np.zeros((2 * len(reductions.columns) + len(reductions)) * lanes + 1)
        self._reduced, self._happened = into.reduced, into.happened
        self._inputs = _never_empty(plan.inputs)
        self._inputs_at = _never_empty(plan.inputs_at)
        self._parameters = _never_empty(plan.parameters)
        self._arguments: Any = library.ffi.new("eomc_ensemble *")
        one = self._arguments
        one.count = plan.count
        one.parameters = self._pointer(self._parameters)
        one.parameters_stride = _strides(self._parameters, 1)[0]
        one.input_strides = _strides(self._inputs, 3)
        one.input_at_strides = _strides(self._inputs_at, 2)
        one.x = self._pointer(self.x)
        one.status = self._pointer(self.status, "int32_t *")
        one.failed_in = self._pointer(self.failed_in, "int64_t *")
        one.kept = self._pointer(into.x, "double *")
        one.kept_stride = into.x.shape[1] * into.x.shape[2]
        one.every = plan.every
        one.column = self._pointer(reductions.columns, "int32_t *")
        one.columns = len(reductions.columns)
        one.outputs = reductions.outputs
        # At a single time a mean is the value.
        self._kinds = reductions.kinds if plan.grid.total else np.minimum(reductions.kinds, 1)
        one.kind = self._pointer(self._kinds, "int32_t *")
        one.reduced_column = self._pointer(reductions.places, "int32_t *")
        one.reductions = len(reductions)
        one.reduced = self._pointer(into.reduced, "double *")
        one.happening = self._pointer(reductions.happenings, "int32_t *")
        one.happenings = len(reductions.happenings)
        one.happened = self._pointer(into.happened, "double *")
        one.scratch = self._pointer(self._scratch, "double *")
        one.work = self._pointer(memory, "void *")
        self._remembered = np.zeros(plan.count * plan.remembered + 1, dtype=self.x.dtype)
        one.remembered = self._pointer(self._remembered)
        one.t_failed = self._pointer(self.t_failed, "double *")
        if plan.adaptive is not None:
            self._setup = self._made_setup(plan.adaptive)
            one.setup = self._setup

    def _made_setup(self, given: Adaptive) -> Any:
        """Return what adaptive steps take; its arrays live as long as this."""
        setup = self._library.ffi.new("eomc_setup *")
        real = given.rows.dtype
        self._kept = [_never_empty(np.ascontiguousarray(a, dtype=real)) for a in _tolerances(given.controls)]
        setup.rtol, setup.atols = given.controls.rtol, self._pointer(self._kept[0])
        setup.jumps, setup.jump_count = self._pointer(self._kept[1]), len(given.controls.jumps)
        setup.first_step, setup.largest_step = given.controls.first_step, given.controls.max_step
        setup.most_steps, setup.kind, setup.count = given.controls.max_steps, given.kind, len(given.times)
        setup.values, setup.times = self._pointer(given.rows), self._pointer(given.times)
        return setup

    def whole(self, steps: int) -> Any:
        """Return the arguments for adaptive steps over the whole time, so many in one call."""
        one, grid = self.at(Block(0, 0, self._plan.grid.t0, self._plan.grid.dt, 0)), self._plan.grid
        one.steps, one.points, one.t_end = steps, grid.total, grid.t_end
        one.last = grid.length(grid.total - 1)
        return one

    def at(self, block: Block) -> Any:
        """Return the arguments for some steps."""
        one, first = self._arguments, block.first
        one.inputs = self._pointer(self._inputs[:, first if self._inputs.shape[1] > 1 else 0 :])
        one.inputs_at = self._pointer(self._inputs_at[:, first if self._inputs_at.shape[1] > 1 else 0 :])
        one.t0, one.h, one.offset = block.t0, block.h, block.offset
        one.first, one.steps = first, block.steps
        one.taken = self._plan.grid.dt if first else 0.0
        one.t_end = self._plan.grid.time(first + block.steps)
        return one

    def _pointer(self, array: NDArray[Any], kind: str = "eomc_real *") -> Any:
        return self._library.ffi.cast(kind, array.ctypes.data)


def _aligned(size: int) -> NDArray[np.uint8]:
    """Return memory that begins with a line of the cache: vectors that lie across two take twice the time."""
    memory = np.zeros(size + _LINE, dtype=np.uint8)
    first = -memory.ctypes.data % _LINE
    return memory[first : first + size]


def _tolerances(controls: Controls) -> tuple[Array, Array]:
    return controls.atols, controls.jumps


def _never_empty(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array whose last axis has an element: the C reads one where a model has none."""
    return array if array.shape[-1] else np.zeros((*array.shape[:-1], 1), dtype=array.dtype)


def _strides(array: NDArray[Any], axes: int) -> list[int]:
    """Return the distances between elements along the first axes; 0 along those of length 1."""
    size = array.dtype.itemsize
    return [
        stride // size if length > 1 else 0
        for stride, length in zip(array.strides[:axes], array.shape[:axes], strict=True)
    ]
