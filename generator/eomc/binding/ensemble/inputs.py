"""The inputs of an ensemble as people give them -> what steps take: rows, or feeds that the C evaluates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from eomc.binding.ensemble.feeds import EachFeeds, Feeds, GridFeeds, HeldFeeds
from eomc.binding.ensemble.given import given_of
from eomc.binding.grids import TimeGrid
from eomc.binding.integration import run_inputs
from eomc.binding.samples import Samples
from eomc.binding.sources import Sources
from eomc.binding.vectors import Array, NamedVector
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
        steps = None if adaptive else grid
        return EachFeeds(tuple(_one(one, k, sources, steps, own_steps) for k, one in enumerate(several)), sources)
    if callable(inputs) or isinstance(inputs, Samples):
        if isinstance(inputs, Samples):
            inputs = _checked(inputs, names, None if adaptive else grid, own_steps)
            if inputs.jump and not own_steps:
                held = inputs.at(inputs.rows(names), grid.times(np.arange(grid.total + 1)))[None]
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


def _one(source: Any, place: int, sources: Sources, grid: TimeGrid | None, own_steps: bool) -> Any:
    """Return the source of one trajectory, checked; `grid` has the fixed steps in which it is taken."""
    try:
        if isinstance(source, Samples):
            return _checked(source, sources.names, grid, own_steps)
        return source if callable(source) else sources.names.array(source)
    except UsageError as error:
        raise UsageError(f"{error}, for trajectory {place}") from error


def _checked(samples: Samples, names: NamedVector, grid: TimeGrid | None, own_steps: bool) -> Samples:
    """Return samples as steps take them: fixed ones of a grid jump at its times, and within `own_steps` alone.

    Raises
    ------
    UsageError
        They are not of these inputs, or one jumps within a step that is as long as all others.
    """
    samples.rows(names)
    if grid is None or not samples.jump:
        return samples
    found = samples.jumping_on(grid, names)
    if not own_steps:
        jumps = found.t[1:]
        inner = jumps[(jumps > grid.t0) & (jumps < grid.t_end)]
        within = np.setdiff1d(inner, grid.times(np.arange(grid.total + 1)))
        if len(within):
            raise UsageError(
                f"{names.owner}: samples jump at t = {within[0]:.9g}, within a step of dt = {grid.dt:g}: all steps of "
                "an ensemble are as long, so choose dt or the samples so that one ends there, or give rtol"
            )
    return found
