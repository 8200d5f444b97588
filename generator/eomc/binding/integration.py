"""Runs of the emitted C in fixed steps: the time grid, the inputs over each step, the loop.

Time is ``t0 + k dt``. When the interval is not a whole number of steps, one shorter step ends it, so that the last row
is always at `t_end`.
"""

from __future__ import annotations

import functools
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eomc.binding.calls import Constants, real_type
from eomc.binding.library import Library
from eomc.binding.samples import Samples
from eomc.binding.sources import InputSource, Sources
from eomc.binding.vectors import Array, NamedVector, Real, Values
from eomc.errors import DivergenceError, RunError, SingularSystemError, UsageError
from eomc.ir.remedies import remedy
from eomc.model.arguments import number_of
from eomc.wording import counted

BLOCK = 4096
"""Steps per call into C: bounds the memory for sampled inputs and the wait for an interrupt from the keyboard."""

Follower: TypeAlias = Callable[[Array, Array, Array, Array], None]
"""Takes times, states and inputs at the ends of some steps, and what these take, as `RunInputs.block` has it."""


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
    ratio = (t_end - t0) / dt
    steps = math.floor(ratio + 0.5)
    # Whole but for the rounding of decimals; the same arithmetic as in the emitted main.
    if abs(ratio - steps) <= 8.0 * sys.float_info.epsilon * (abs(t0) + abs(t_end)) / dt:
        return TimeGrid(t0, t_end, dt, steps, 0.0)
    steps = math.floor(ratio)
    return TimeGrid(t0, t_end, dt, steps, t_end - (t0 + steps * dt))


def positive_integer(name: str, value: Any) -> int:
    """Return a whole number of at least 1.

    Raises
    ------
    UsageError
        It is something else.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise UsageError(f"{name} must be a positive whole number, not {value!r}")
    return int(value)


class RunInputs(ABC):
    """Inputs of a run in fixed steps."""

    @abstractmethod
    def block(self, first: int, count: int) -> NDArray[np.float64]:
        """Return the inputs that some steps take, shape (count, times, nr), or (1, times, nr) for all."""

    @abstractmethod
    def at(self, indices: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the inputs at the grid times with these numbers, shape (len(indices), nr)."""

    @abstractmethod
    def before(self, indices: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """Return the inputs of the steps that end at these grid times, where they are others than those that begin."""


class HeldInputs(RunInputs):
    """Values that stay over each step, `times` of it: one row for all steps, or one row per grid time."""

    def __init__(self, rows: NDArray[np.float64], times: int) -> None:
        self._rows = rows
        self._times = times

    def block(self, first: int, count: int) -> NDArray[np.float64]:
        """Return the inputs that some steps take, shape (count, times, nr), or (1, times, nr) for all."""
        rows = self._rows if len(self._rows) == 1 else self._rows[first : first + count]
        return np.repeat(rows[:, None, :], self._times, axis=1)

    def at(self, indices: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the inputs at the grid times with these numbers, shape (len(indices), nr)."""
        return np.repeat(self._rows, len(indices), axis=0) if len(self._rows) == 1 else self._rows[indices]

    def before(self, indices: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """Return the inputs of the steps that end at these grid times, where they are others than those that begin."""
        return None if len(self._rows) == 1 else self._rows[np.maximum(indices - 1, 0)]


class InputFunction(RunInputs):
    """A function of time, evaluated where the integrator needs it."""

    def __init__(
        self,
        function: Callable[[float], Values],
        sources: Sources,
        grid: TimeGrid,
        times: Sequence[Fraction],
    ) -> None:
        self._value = functools.partial(sources.called, function)
        self._names = sources.names
        self._grid = grid
        self._times = [float(share) for share in times]
        self._last = (math.nan, sources.names.defaults)  # a time and its inputs: a step begins where one ends

    def block(self, first: int, count: int) -> NDArray[np.float64]:
        """Return the inputs that some steps take, shape (count, times, nr)."""
        grid, block = self._grid, np.empty((count, len(self._times), len(self._names)))
        for row, k in enumerate(range(first, first + count)):
            for place, share in enumerate(self._times):
                t = grid.time(k + 1) if share == 1.0 else grid.time(k) + share * grid.length(k)
                if t != self._last[0]:
                    self._last = t, self._value(t)
                block[row, place] = self._last[1]
        return block

    def at(self, indices: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the inputs at the grid times with these numbers, shape (len(indices), nr)."""
        rows = [self._value(self._grid.time(k)) for k in indices.tolist()]
        return np.reshape(rows, (len(indices), len(self._names)))

    def before(self, indices: NDArray[np.int64]) -> None:
        """Return None: a function of time has one value where a step ends and the next begins."""


def run_inputs(inputs: InputSource, sources: Sources, grid: TimeGrid, times: Sequence[Fraction]) -> RunInputs:
    """Interpret the inputs of a run.

    Parameters
    ----------
    inputs, sources, grid
        What is given, what makes values of it, and the times of the run.
    times
        At which a step takes inputs, in steps from its beginning.

    Raises
    ------
    UsageError
        An unknown input, or an array that is neither (nr,) nor one row per grid time.
    """
    inputs = sources.unsampled(inputs)
    if callable(inputs):
        return InputFunction(inputs, sources, grid, times)
    names = sources.names
    if inputs is None or isinstance(inputs, Mapping):
        return HeldInputs(names.array(inputs)[None], len(times))
    array = names.numbers(inputs)
    if array.ndim == 2:
        return HeldInputs(_sampled(array, names, grid), len(times))
    return HeldInputs(names.checked(array)[None], len(times))


def on_grid(inputs: InputSource, sources: Sources, grid: Grid) -> InputSource:
    """Return one row for each time of a grid as samples, each held until the next; what else is given as it is.

    Raises
    ------
    UsageError
        As `run_inputs`.
    """
    if inputs is None or callable(inputs) or isinstance(inputs, (Mapping, Samples)) or np.ndim(inputs) < 2:
        return inputs
    rows = _sampled(sources.names.numbers(inputs), sources.names, grid)
    return Samples(grid.times(np.arange(grid.total + 1)), rows, "held")


def _sampled(array: Array, names: NamedVector, grid: Grid) -> Array:
    """Return inputs at each time of a grid, checked."""
    if array.shape != (grid.total + 1, len(names)):
        raise UsageError(
            f"{names.owner}: sampled inputs must have one row of {counted(len(names), 'value')} at each of the "
            f"{counted(grid.total + 1, 'time')} t0, t0 + dt, ..., t_end, not the shape {array.shape}"
        )
    return names.finite(array)


def integrate(
    library: Library,
    owner: str,
    grid: TimeGrid,
    x0: Real,
    inputs: RunInputs,
    constants: Constants,
    work: Any,
    every: int,
    follow: Follower | None,
) -> tuple[Real, RunError | None]:
    """Run over the grid.

    Returns
    -------
    Real, shape (k, nx)
        The stored states: ``grid.count(every)``, or those before the step that failed.
    RunError or None
        Why the run ended early: a pivot vanished, or the state left the finite numbers.

    Raises
    ------
    MemoryError
        The states do not fit into memory.
    """
    x: Real = np.array(x0, dtype=real_type(library))
    states: Real = np.empty((grid.count(every), len(x)), dtype=x.dtype)
    states[0] = x
    kept = 1
    passed: Real = np.empty((1 + BLOCK, len(x)), dtype=x.dtype)
    diverged = library.ffi.new("int *")
    for block in grid.blocks(BLOCK):
        rows = _rows(library, inputs, block)
        passed[0] = x
        done = library.lib.eomc_steps(
            block.t0, block.h, block.offset, block.steps, library.pointer(rows),
            0 if len(rows) == 1 else rows[0].size, constants.pointer, work, library.pointer(x),
            library.pointer(passed[1:]), diverged,
        )  # fmt: skip
        if follow is not None and done:
            _tell(follow, grid, np.arange(block.first, block.first + done + 1), passed[: done + 1], inputs)
        new = passed[1 + -(block.first + 1) % every : done + 1 : every]
        states[kept : kept + len(new)] = new
        kept += len(new)
        if done < block.steps:
            return states[:kept], _failure(library, owner, grid, block.first + done, work, diverged[0])
    states[-1] = x
    return states, None


def _tell(follow: Follower, grid: TimeGrid, numbers: NDArray[np.int64], x: Real, inputs: RunInputs) -> None:
    """Tell a follower of the steps between the grid times with these numbers."""
    taken = inputs.block(int(numbers[0]), len(numbers) - 1)
    follow(grid.times(numbers), x.astype(np.float64), inputs.at(numbers), taken)


def _rows(library: Library, inputs: RunInputs, block: Block) -> Real:
    """Return the inputs of some steps as the C reads them; never an empty array."""
    rows = np.ascontiguousarray(inputs.block(block.first, block.steps), dtype=real_type(library))
    return rows if rows.size else np.zeros((*rows.shape[:2], 1), dtype=rows.dtype)


def _failure(library: Library, owner: str, grid: TimeGrid, step: int, work: Any, diverged: int) -> RunError:
    """Say in the words of the emitted main why a step was not taken."""
    where = f"at t = {grid.time(step):.9g}, in the step to {grid.time(step + 1):.9g}"
    if diverged:
        what = "diverged" if diverged == 1 else "no convergence"
        return DivergenceError(f"{owner}: {what} {where}: take smaller steps")
    what = library.label(work) or "the equations"
    return SingularSystemError(
        f"{owner}: singular {where}: no unique solution for {what}; "
        + remedy(what, "keep away from that state, or choose other coordinates or speeds", library.real)
    )
