"""Arguments of an ensemble -> a plan: all its numbers, as the C reads them.

The first axis of an array is that of the trajectories, or has length 1 for what is common to all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.controls import Controls
from eomc.binding.ensemble.reductions import Reductions
from eomc.binding.feeding import HELD, LINES, STEPS
from eomc.binding.integration import TimeGrid, positive_integer, run_inputs
from eomc.binding.samples import Samples
from eomc.binding.sources import InputSource, Sources
from eomc.binding.states import States
from eomc.binding.vectors import Array, NamedVector, Real, name_of_key, real_array
from eomc.errors import UsageError
from eomc.tableaus import Tableau

LAST, NONE = 0, -1
"""What is kept of a trajectory, where it is not each n-th point."""

_KEPT = {"all": 1, "last": LAST, "none": NONE}


@dataclass(frozen=True, slots=True)
class Adaptive:
    """What trajectories take that have steps of their own."""

    controls: Controls
    kind: int  # of inputs: held by each trajectory, or samples that are common to all
    times: Real  # of samples
    rows: Real


@dataclass(frozen=True, slots=True)
class Plan:
    """What is computed. Arrays are of the C's real type."""

    grid: TimeGrid
    count: int  # trajectories
    starts: Real  # (k, nx)
    parameters: Real  # (k, np)
    inputs: Real  # that steps take, (k, steps, times, nr)
    inputs_at: Real  # at the times of the grid, (k, steps + 1, nr)
    every: int  # of how many points one is kept; LAST or NONE
    remembered: int  # numbers that a step leaves for the next one
    reductions: Reductions
    adaptive: Adaptive | None  # None: steps go from one time of the grid to the next

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All numbers, but those of the grid and of the tolerances."""
        own = (self.starts, self.parameters, self.inputs, self.inputs_at)
        if self.adaptive is None:
            return own
        given = self.adaptive.controls
        return (*own, self.adaptive.times, self.adaptive.rows, given.atols, given.jumps)

    @property
    def told(self) -> str:
        """All else that a run's bytes depend on."""
        told = (self.grid, self.count, self.every, self.reductions.names, self.reductions.happened)
        if self.adaptive is None:
            return repr(told)
        given = self.adaptive.controls
        lengths = (given.rtol, given.first_step, given.max_step, given.max_steps, given.fixed)
        return repr((*told, self.adaptive.kind, lengths))

    @property
    def rows(self) -> int:
        """Number of points that are kept of each trajectory."""
        return self.grid.count(self.every) if self.every > 0 else int(self.every == LAST)

    @property
    def kept(self) -> NDArray[np.int64]:
        """Numbers of the grid times whose points are kept."""
        return self.grid.stored(self.every) if self.every > 0 else np.full(self.rows, self.grid.total)

    def part(self, first: int, end: int) -> Plan:
        """Return the plan of some trajectories."""
        cut = [
            array if len(array) == 1 else array[first:end]
            for array in (self.starts, self.parameters, self.inputs, self.inputs_at)
        ]
        starts, parameters, inputs, inputs_at = cut
        return replace(
            self, count=end - first, starts=starts, parameters=parameters, inputs=inputs, inputs_at=inputs_at
        )


class Planner:
    """Makes plans for one model."""

    def __init__(self, real: str, scheme: Tableau, projected: bool, states: States, sources: Sources) -> None:
        self._real = np.float64 if real == "double" else np.float32
        self._scheme = scheme
        self._times = scheme.times(projected)
        self._states = states
        self._sources = sources

    def plan(
        self,
        grid: TimeGrid,
        x0: ArrayLike | None,
        parameters: Any,
        inputs: InputSource,
        keep: Any,
        reductions: Reductions,
        vector: NamedVector,
        controls: Controls | None,
    ) -> Plan:
        """Interpret the arguments of an ensemble; `vector` has parameters' names, steps of their own have `controls`.

        Raises
        ------
        UsageError
            An argument is not as `Simulator.ensemble` describes it, or two are of different numbers of trajectories.
        """
        owner = vector.owner
        of_all = parameter_rows(parameters, vector)
        adaptive = None if controls is None else self._adaptive(controls, inputs)
        taken, at = self._inputs(inputs, grid, adaptive is not None)
        if x0 is not None:
            starts = np.atleast_2d(real_array(x0, f"{owner}: x0", self._states.names))
            if starts.ndim != 2 or starts.shape[1] != len(self._states.names):
                names = ", ".join(self._states.names)
                raise UsageError(f"{owner}: x0 must have the shape (k, {len(self._states.names)}), a row [{names}] "
                                 f"for each trajectory, not {np.shape(x0)}")  # fmt: skip
        else:
            starts = self._default_starts(grid.t0, of_all, at[:, 0], parameters is None and inputs is None)
        count = _common({"x0": len(starts), "parameters": len(of_all), "inputs": len(taken)}, owner)
        x: Real = np.ascontiguousarray(starts, dtype=self._real)
        return Plan(
            grid,
            count,
            x,
            np.ascontiguousarray(of_all, dtype=self._real),
            np.ascontiguousarray(taken, dtype=self._real),
            np.ascontiguousarray(at, dtype=self._real),
            min(_every(keep, bool(len(reductions)) or bool(reductions.happened)), max(1, grid.total)),
            (len(self._scheme.b) + 1) * x.shape[1] if self._scheme.implicit else 0,
            reductions,
            adaptive,
        )

    def _adaptive(self, controls: Controls, inputs: InputSource) -> Adaptive:
        """Return what trajectories take that have steps of their own."""
        names = self._sources.names
        times, rows, kind = np.zeros(1), np.zeros((1, max(1, len(names)))), HELD
        if isinstance(inputs, Samples):
            times, kind = inputs.t, LINES if inputs.interpolation == "linear" else STEPS
            rows = inputs.rows(names)
        elif callable(inputs) or (inputs is not None and not isinstance(inputs, Mapping) and np.ndim(inputs) > 2):
            raise UsageError(
                f"{names.owner}: inputs of an ensemble in adaptive steps, or with events, are held, (k, {len(names)}), "
                "or known at some times: eomc.Samples(t, values)"
            )
        return Adaptive(
            controls, kind, np.ascontiguousarray(times, dtype=self._real), np.ascontiguousarray(rows, dtype=self._real)
        )

    def _default_starts(self, t0: float, parameters: Array, inputs: Array, usual: bool) -> Array:
        """Return the model's own starts: one for each set of parameters and inputs."""
        count = max(len(parameters), len(inputs))
        if usual and t0 == 0.0:
            return self._states.initial[None]
        rows = np.empty((count if min(len(parameters), len(inputs)) else 0, len(self._states.names)))
        for k, row in enumerate(rows):
            own = parameters[k % len(parameters)], inputs[k % len(inputs)]
            row[:] = self._states.state(None, None, t0, own[0], None, own[1])
        return rows

    def _inputs(self, inputs: InputSource, grid: TimeGrid, own_steps: bool) -> tuple[Array, Array]:
        """Return what steps take, (k, steps, times, nr), and what holds at the grid's times, (k, steps + 1, nr).

        An axis of steps or times has length 1 where it makes no difference.
        """
        names = self._sources.names
        if isinstance(inputs, Samples) and inputs.jump and not own_steps:
            inputs = _on_grid(inputs, inputs.rows(names), grid, names.owner)[None]
        inputs = self._sources.unsampled(inputs)
        rows = inputs if inputs is None or callable(inputs) or isinstance(inputs, Mapping) else names.numbers(inputs)
        if isinstance(rows, np.ndarray) and rows.ndim >= 2:
            shape = rows.shape
            if rows.ndim == 2 and rows.shape[1] == len(names):
                rows = rows[:, None, :]
            if rows.ndim != 3 or rows.shape[1] not in (1, grid.total + 1) or rows.shape[2] != len(names):
                raise UsageError(
                    f"{names.owner}: inputs of an ensemble have the shape (k, {len(names)}), held, or "
                    f"(k, {grid.total + 1}, {len(names)}), one row at each time, not {shape}"
                )
            names.finite(rows.reshape(rows.shape[0] * rows.shape[1], len(names)))
            steps = rows if rows.shape[1] == 1 else rows[:, :-1]
            return steps[:, :, None, :], rows
        given = run_inputs(inputs, self._sources, grid, self._times)
        taken = given.block(0, grid.total)[None]
        return taken, given.at(np.arange(grid.total + 1 if callable(inputs) else 1, dtype=np.int64))[None]


def _on_grid(samples: Samples, rows: Array, grid: TimeGrid, owner: str) -> Array:
    """Return what is held at each time of a grid, (steps + 1, nr), if each jump is at one of them.

    Raises
    ------
    UsageError
        One is within a step.
    """
    times = grid.times(np.arange(grid.total + 1))
    rounding = 8.0 * np.finfo(np.float64).eps * (abs(grid.t0) + abs(grid.t_end))
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


def parameter_rows(parameters: Any, vector: NamedVector) -> Array:
    """Return parameters as rows, (k, np) or (1, np).

    Raises
    ------
    UsageError
        An unknown name, numbers of different lengths, or an array of another shape.
    """
    if parameters is None:
        return vector.defaults[None]
    if not isinstance(parameters, Mapping):
        array = vector.numbers(parameters)
        if array.ndim != 2 or array.shape[1] != len(vector):
            return vector.checked(array)[None]
        return vector.finite(array)
    single: dict[Any, Any] = {}
    several: dict[str, Array] = {}
    for key, value in parameters.items():
        if np.ndim(value) == 1 and name_of_key(key) in vector.names:
            name = name_of_key(key)
            several[name] = real_array(value, f"{vector.owner}: parameter {name}")
        else:
            single[key] = value
    common = vector.array(single)
    count = _common({f"parameter {name}": len(values) for name, values in several.items()}, vector.owner)
    rows = np.repeat(common[None], count if several else 1, axis=0)
    for name, values in several.items():
        rows[:, vector.names.index(name)] = values
    return vector.finite(rows)


def _common(lengths: Mapping[str, int], owner: str) -> int:
    """Return the number of trajectories, which all that have not one for all must agree in."""
    several = {what: length for what, length in lengths.items() if length != 1}
    if len(set(several.values())) > 1:
        told = ", ".join(f"{what} {length}" for what, length in several.items())
        raise UsageError(f"{owner}: all must be of as many trajectories, or of one for all: there are {told}")
    return next(iter(several.values()), 1)


def _every(keep: Any, reduced: bool) -> int:
    """Return which points are kept."""
    if keep is None:
        return NONE if reduced else 1
    if isinstance(keep, str):
        if keep not in _KEPT:
            raise UsageError(f'keep must be "all", "last", "none" or a positive whole number, not {keep!r}')
        return _KEPT[keep]
    return positive_integer("keep", keep)
