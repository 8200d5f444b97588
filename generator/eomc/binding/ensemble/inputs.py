"""The inputs of an ensemble as people give them -> what steps take: rows, or feeds that the C evaluates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from eomc.binding.ensemble.feeds import EachFeeds, Feeds, GridFeeds, HeldFeeds
from eomc.binding.ensemble.given import given_of
from eomc.binding.integration import TimeGrid, run_inputs
from eomc.binding.samples import Samples
from eomc.binding.sources import Sources
from eomc.binding.vectors import Array
from eomc.errors import UsageError


@dataclass(frozen=True, slots=True, eq=False)
class StepRows:
    """Inputs that are known for each step; an axis has length 1 where it makes no difference."""

    taken: Array  # by steps, (k, steps, times, nr)
    at: Array  # at the times of the grid, (k, steps + 1, nr)

    @property
    def count(self) -> int:
        """Trajectories, or 1 where it is the same for all."""
        return len(self.taken)

    def part(self, first: int, end: int) -> StepRows:
        """Return those of some trajectories."""
        return self if self.count == 1 else StepRows(self.taken[first:end], self.at[first:end])


def ensemble_inputs(
    inputs: Any, sources: Sources, grid: TimeGrid, times: Sequence[Fraction], own_steps: bool, adaptive: bool
) -> StepRows | Feeds:
    """Interpret the inputs of an ensemble.

    Parameters
    ----------
    inputs, sources, grid
        What is given, what makes values of it, and the times of the points.
    times
        At which a fixed step takes inputs, in steps from its beginning.
    own_steps
        Whether each trajectory has steps of its own: by a tolerance, or between events.
    adaptive
        Whether it is a tolerance.

    Raises
    ------
    UsageError
        An unknown input, an array of another shape, or samples that jump within a fixed step.
    """
    names = sources.names
    several = _several(inputs)
    if several is not None:
        steps = None if own_steps else grid
        return EachFeeds(tuple(_one(one, k, sources, steps) for k, one in enumerate(several)), sources)
    if callable(inputs) or isinstance(inputs, Samples):
        if isinstance(inputs, Samples):
            rows = inputs.rows(names)
            if inputs.jump and not own_steps:
                held = on_grid(inputs, rows, grid, names.owner)[None]
                return StepRows(held[:, :-1, None, :], held)
        if own_steps:
            return EachFeeds((inputs,), sources)
        given = run_inputs(inputs, sources, grid, times)
        numbers = np.arange(grid.total + 1, dtype=np.int64)
        return StepRows(given.block(0, grid.total)[None], given.at(numbers)[None])
    if inputs is None or isinstance(inputs, Mapping):
        return HeldFeeds(given_of(inputs, names))
    array = names.numbers(inputs)
    if array.ndim < 2 or (array.ndim == 2 and array.shape[1] == len(names)):
        return HeldFeeds(given_of(array, names))
    return _sampled(array, sources, grid, own_steps, adaptive)


def _sampled(array: Array, sources: Sources, grid: TimeGrid, own_steps: bool, adaptive: bool) -> StepRows | GridFeeds:
    """Return one row at each time of the grid, of each trajectory or of all."""
    names = sources.names
    if array.ndim != 3 or array.shape[1] not in (1, grid.total + 1) or array.shape[2] != len(names):
        raise UsageError(
            f"{names.owner}: inputs of an ensemble have the shape (k, {len(names)}), held, or "
            f"(k, {grid.total + 1}, {len(names)}), one row at each time, not {array.shape}"
        )
    if adaptive and array.shape[1] > 1:
        raise UsageError(
            f"{names.owner}: sampled inputs in adaptive steps need their times: eomc.Samples(t, values), or a list "
            "with one of these for each trajectory"
        )
    names.finite(array.reshape(array.shape[0] * array.shape[1], len(names)))
    if own_steps:
        whole = np.arange(grid.total + 1, dtype=np.int64)[: array.shape[1]]
        return GridFeeds(grid.times(whole), array)
    return StepRows((array if array.shape[1] == 1 else array[:, :-1])[:, :, None, :], array)


def _several(inputs: Any) -> list[Any] | None:
    """Return sources of each trajectory; None where it is one for all, or numbers."""
    if isinstance(inputs, np.ndarray) and inputs.dtype.kind == "O" and inputs.ndim == 1:
        inputs = inputs.tolist()
    if not isinstance(inputs, (list, tuple)):
        return None
    return list(inputs) if any(callable(one) or isinstance(one, (Samples, Mapping)) for one in inputs) else None


def _one(source: Any, place: int, sources: Sources, grid: TimeGrid | None) -> Any:
    """Return the source of one trajectory, checked; `grid` has the fixed steps in which it is taken."""
    names = sources.names
    try:
        if isinstance(source, Samples):
            rows = source.rows(names)
            if source.jump and grid is not None:
                on_grid(source, rows, grid, names.owner)
            return source
        return source if callable(source) else names.array(source)
    except UsageError as error:
        raise UsageError(f"{error}, for trajectory {place}") from error


def rounding_of(grid: TimeGrid) -> float:
    """Return how far a time of the grid may be from a time that is meant to be the same [s]."""
    return float(8.0 * np.finfo(np.float64).eps * (abs(grid.t0) + abs(grid.t_end)))


def on_grid(samples: Samples, rows: Array, grid: TimeGrid, owner: str) -> Array:
    """Return what is held at each time of a grid, (steps + 1, nr), if each jump is at one of them.

    Raises
    ------
    UsageError
        One is within a step.
    """
    times, rounding = grid.times(np.arange(grid.total + 1)), rounding_of(grid)
    jumps = samples.t[1:][np.any(rows[1:] != rows[:-1], axis=1)]
    jumps = jumps[(jumps > grid.t0 + rounding) & (jumps < grid.t_end - rounding)]
    within = jumps[times[np.searchsorted(times, jumps - rounding)] > jumps + rounding]
    if len(within):
        raise UsageError(
            f"{owner}: samples jump at t = {within[0]:.9g}, within a step of dt = {grid.dt:g}: all steps of an "
            "ensemble are as long, so choose dt or the samples so that one ends there, or give rtol"
        )
    held: Array = rows[np.maximum(np.searchsorted(samples.t, times + rounding, side="right") - 1, 0)]
    return held
