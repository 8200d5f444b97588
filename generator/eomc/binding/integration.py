"""Runs of the emitted C in fixed steps: the inputs over each step, the loop."""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eomc.binding.calls import Constants, real_type
from eomc.binding.grids import BLOCK, Block, Grid, TimeGrid
from eomc.binding.library import Library
from eomc.binding.samples import Samples
from eomc.binding.sources import InputSource, Sources
from eomc.binding.vectors import Array, NamedVector, Real, Values
from eomc.errors import DivergenceError, RunError, SingularSystemError, UsageError
from eomc.ir.remedies import remedy
from eomc.wording import counted

Follower: TypeAlias = Callable[[Array, Array, Array, Array], None]
"""Takes times, states and inputs at the ends of some steps, and what these take, as `RunInputs.block` has it."""


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

    Held samples of equal steps jump at their ends where these are equal but for rounding.

    Raises
    ------
    UsageError
        As `run_inputs`.
    """
    if isinstance(inputs, Samples):
        return inputs.jumping_on(grid, sources.names) if inputs.jump and isinstance(grid, TimeGrid) else inputs
    if inputs is None or callable(inputs) or isinstance(inputs, Mapping) or np.ndim(inputs) < 2:
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
            return states[:kept], _failure(library, owner, grid, block.first + done, work, diverged[0], constants)
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


def _failure(
    library: Library, owner: str, grid: TimeGrid, step: int, work: Any, diverged: int, constants: Constants
) -> RunError:
    """Say in the words of the emitted main why a step was not taken."""
    where = f"at t = {grid.time(step):.9g}, in the step to {grid.time(step + 1):.9g}"
    if diverged:
        what = "diverged" if diverged == 1 else "no convergence"
        return DivergenceError(f"{owner}: {what} {where}: take smaller steps")
    return no_solution(library, owner, where, work, constants)


def no_solution(library: Library, owner: str, where: str, work: Any, constants: Constants) -> SingularSystemError:
    """Say what has no unique solution where a run ended."""
    what = library.label(work) or "the equations"
    otherwise = "keep away from that state, or choose other coordinates or speeds"
    return SingularSystemError(
        f"{owner}: singular {where}: no unique solution for {what}; "
        + remedy(what, otherwise, library.real, constants.doubt())
    )
