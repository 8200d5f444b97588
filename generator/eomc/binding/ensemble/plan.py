"""Arguments of an ensemble -> a plan: what is given, from which the arrays that the C reads are made block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.controls import Controls
from eomc.binding.ensemble.feeds import Feeds
from eomc.binding.ensemble.given import CHUNK, Given, common_count, given_of
from eomc.binding.ensemble.inputs import StepRows, ensemble_inputs
from eomc.binding.ensemble.reductions import Reductions
from eomc.binding.grids import TimeGrid
from eomc.binding.integration import positive_integer
from eomc.binding.sources import Sources
from eomc.binding.states import States
from eomc.binding.vectors import Array, NamedVector, start_array
from eomc.errors import UsageError
from eomc.integrators import Integrator
from eomc.tableaus import Tableau

LAST, NONE = 0, -1
"""What is kept of a trajectory, where it is not each n-th point."""

_KEPT = {"all": 1, "last": LAST, "none": NONE}

_LOOKS = 17
"""Times at which a checkpoint knows inputs that the C asks for."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is done with each trajectory."""

    grid: TimeGrid
    every: int  # of how many points one is kept; LAST or NONE
    reductions: Reductions
    states: int
    remembered: int  # numbers that a step leaves for the next one
    shares: tuple[float, ...]  # when a fixed step takes inputs, in steps from its beginning
    controls: Controls | None  # None: steps go from one time of the grid to the next

    @property
    def rows(self) -> int:
        """Number of points that are kept of each trajectory."""
        return self.grid.count(self.every) if self.every > 0 else int(self.every == LAST)

    @property
    def kept(self) -> NDArray[np.int64]:
        """Numbers of the grid times whose points are kept."""
        return self.grid.stored(self.every) if self.every > 0 else np.full(self.rows, self.grid.total)

    @property
    def told(self) -> str:
        """All that a run's bytes depend on, but arrays."""
        told = (self.grid, self.every, self.reductions.names, self.reductions.happened)
        if self.controls is None:
            return repr(told)
        given = self.controls
        return repr((*told, given.rtol, given.first_step, given.max_step, given.max_steps, given.fixed))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some trajectories; the first axis of an array is theirs, or has length 1 for what is common to all."""

    task: Task
    count: int
    starts: Array  # (k, nx)
    parameters: Array  # (k, np)
    inputs: StepRows | Feeds


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is computed of all."""

    task: Task
    count: int  # trajectories
    starts: Array  # (k, nx), or (1, nx)
    parameters: Given
    inputs: StepRows | Feeds

    def part(self, first: int, end: int) -> Part:
        """Return some trajectories."""
        starts = self.starts if len(self.starts) == 1 else self.starts[first:end]
        inputs = self.inputs if self.inputs.count == 1 else self.inputs.part(first, end)
        return Part(self.task, end - first, starts, self.parameters.part(first, end).rows, inputs)

    @property
    def arrays(self) -> Iterator[NDArray[Any]]:
        """All numbers that a run's bytes depend on; functions of time count by what they say at some times."""
        yield self.starts
        yield from self.parameters.chunks
        if isinstance(self.inputs, StepRows):
            yield from (self.inputs.taken, self.inputs.at)
        else:
            for first in range(0, self.inputs.count, CHUNK):
                part = self.inputs.part(first, min(first + CHUNK, self.inputs.count))
                fed = part.fed()
                yield from (fed.kinds, fed.begins, fed.times, fed.rows)
                if part.called:
                    yield from map(part.at, np.linspace(self.task.grid.t0, self.task.grid.t_end, _LOOKS).tolist())
        if self.task.controls is not None:
            yield from (self.task.controls.atols, self.task.controls.jumps)


class Planner:
    """Makes plans for one model."""

    def __init__(
        self, integrator: Integrator, scheme: Tableau, projected: bool, states: States, sources: Sources
    ) -> None:
        self._integrator = integrator
        self._scheme = scheme
        self._times = scheme.times(projected)
        self._states = states
        self._sources = sources

    def plan(
        self,
        grid: TimeGrid,
        x0: ArrayLike | None,
        parameters: Any,
        inputs: Any,
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
        owner, own_steps, adaptive = vector.owner, controls is not None, self._integrator.adaptive
        of_each = given_of(parameters, vector)
        taken = ensemble_inputs(inputs, self._sources, grid, self._times, own_steps, adaptive)
        if self._integrator.expands and not isinstance(taken, StepRows) and taken.called:
            raise UsageError(
                f"{owner}: inputs that are a function of time have no power series for {self._integrator.name}: give "
                "eomc.Samples(t, values), or take dop853"
            )
        if x0 is not None:
            starts = np.atleast_2d(start_array(x0, owner, self._states.names))
            if starts.ndim != 2 or starts.shape[1] != len(self._states.names):
                names = ", ".join(self._states.names)
                raise UsageError(f"{owner}: x0 must have the shape (k, {len(self._states.names)}), a row [{names}] "
                                 f"for each trajectory, not {np.shape(x0)}")  # fmt: skip
        else:
            common_count({"parameters": of_each.count, "inputs": taken.count}, owner)  # before rows are made of both
            starts = self._default_starts(grid.t0, of_each, taken, parameters is None and inputs is None)
        count = common_count({"x0": len(starts), "parameters": of_each.count, "inputs": taken.count}, owner)
        every = min(_every(keep, bool(len(reductions)) or bool(reductions.happened)), max(1, grid.total))
        remembered = (len(self._scheme.b) + 1) * starts.shape[1] if self._scheme.implicit else 0
        shares = tuple(map(float, self._times))
        task = Task(grid, every, reductions, starts.shape[1], remembered, shares, controls)
        return Plan(task, count, starts, of_each, taken)

    def _default_starts(self, t0: float, parameters: Given, inputs: StepRows | Feeds, usual: bool) -> Array:
        """Return the model's own starts: one for each set of parameters and inputs."""
        if usual and t0 == 0.0:
            return self._states.start()[None]
        lengths = (parameters.count, inputs.count)
        count = max(lengths) if min(lengths) else 0
        rows = np.empty((count, len(self._states.names)))
        for first in range(0, count, CHUNK):
            end = min(first + CHUNK, count)
            own, part = parameters.part(first, end).rows, inputs if inputs.count == 1 else inputs.part(first, end)
            held = part.at[:, 0] if isinstance(part, StepRows) else part.at(t0)
            for k in range(end - first):
                rows[first + k] = self._states.state(None, None, t0, own[k % len(own)], None, held[k % len(held)])
        return rows


def _every(keep: Any, reduced: bool) -> int:
    """Return which points are kept."""
    if keep is None:
        return NONE if reduced else 1
    if isinstance(keep, str):
        if keep not in _KEPT:
            raise UsageError(f'keep must be "all", "last", "none" or a positive whole number, not {keep!r}')
        return _KEPT[keep]
    return positive_integer("keep", keep)
