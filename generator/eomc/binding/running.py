"""A run: its start, its steps in C, and the trajectory with what belongs to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.adaptive import AdaptiveRun
from eomc.binding.along import Along
from eomc.binding.contract import Compiled
from eomc.binding.controls import Asked, controls
from eomc.binding.evaluation import Evaluator
from eomc.binding.feeding import Feed
from eomc.binding.hits import Hit
from eomc.binding.integration import (
    Follower,
    integrate,
    positive_integer,
    run_inputs,
    time_grid,
)
from eomc.binding.interpolation import Dense, Hermite, Interpolant
from eomc.binding.library import Library
from eomc.binding.plotting import Quantity
from eomc.binding.sources import InputSource
from eomc.binding.starting import closed_start, refuse_infinite_start
from eomc.binding.states import States
from eomc.binding.trajectory import Trajectory
from eomc.binding.vectors import Array, NamedVector, Values, real_array
from eomc.errors import DivergenceError, RunError, UsageError
from eomc.wording import counted


class Runner:
    """Makes the runs of a simulator."""

    def __init__(
        self, build: Compiled, library: Library, evaluator: Evaluator, states: States, parameters: NamedVector
    ) -> None:
        self._build = build
        self._library = library
        self._evaluator = evaluator
        self._states = states
        self._parameters = parameters
        self._times = build.tableau.times(build.program.projected)
        self._stages = build.integrator.row.times(build.program.projected)
        self.name = build.program.name

    def run(
        self,
        t_end: float,
        dt: float,
        x0: ArrayLike | None,
        t0: float,
        inputs: InputSource,
        parameters: Values | None,
        every: int,
        follow: Follower | None,
    ) -> Trajectory:
        """Integrate the motion in fixed steps; the arguments are those of `Simulator.simulate`."""
        every = positive_integer("every", every)
        grid = time_grid(t0, t_end, dt)
        given = run_inputs(inputs, self._evaluator.sources, grid, self._times)
        constants = self._evaluator.constants.of(parameters)
        first = given.at(np.zeros(1, dtype=np.int64))[0]
        start = self._start(grid.t0, x0, first, inputs is None, parameters)
        try:
            indices = grid.stored(every)
            x, failure = integrate(
                self._library, self.name, grid, start, given, constants, self._evaluator.buffers.work, every, follow
            )
        except MemoryError as error:
            raise UsageError(f"{counted(grid.total, 'step')} do not fit into memory; raise dt or every") from error
        if isinstance(failure, DivergenceError) and len(x) == 1:
            refuse_infinite_start(self._evaluator, grid.t0, start, first, parameters)
        indices = indices[: len(x)]
        t, states = grid.times(indices), x.astype(np.float64)
        return self._result(t, states, given.at(indices), given.before(indices), parameters, failure, None)

    def run_adaptive(
        self,
        asked: Asked,
        t_end: float,
        x0: ArrayLike | None,
        t0: float,
        inputs: InputSource,
        parameters: Values | None,
        every: int,
        follow: Follower | None,
    ) -> Trajectory:
        """Integrate the motion in steps that follow from a tolerance; likewise."""
        every = positive_integer("every", every)
        if asked.t_eval is not None and every > 1:
            raise UsageError("every counts steps, and t_eval asks for times: give one of the two")
        chosen = controls(asked, t0, t_end, self._evaluator.state_names, self.name)
        feed = Feed(inputs, self._evaluator.sources, self._library)
        if feed.called and self._build.integrator.expands:
            raise UsageError(
                f"{self.name}: inputs that are a function of time have no power series for "
                f"{self._build.integrator.name}: give eomc.Samples(t, values), or take dop853"
            )
        constants = self._evaluator.constants.of(parameters)
        first = feed.at(np.array([chosen.t0]))[0]
        start = self._start(chosen.t0, x0, first, inputs is None, parameters)
        names = tuple(kind.name for kind in self._build.program.events)
        made = AdaptiveRun(self._library, chosen, feed, constants, self._evaluator.buffers.work, names)
        t, x, failure, events = made.run(self.name, start, every, self._stages, follow)
        if isinstance(failure, DivergenceError) and len(x) <= 1:
            refuse_infinite_start(self._evaluator, chosen.t0, start, first, parameters)

        def again(times: Array | None) -> tuple[Array, Array]:
            work, asked_again = self._evaluator.buffers.work, replace(chosen, t_eval=times)
            same = AdaptiveRun(self._library, asked_again, feed, constants, work, names)
            t_again, x_again, *_ = same.run(self.name, start, 1, self._stages, None)
            if times is None and asked.t_eval is None and not np.array_equal(x_again[-1:], x[-1:]):
                raise UsageError(f"{self.name}: inputs(t) has other values when it is asked again: nothing is between")
            return t_again, x_again

        dense = Dense(again, self._build.integrator.order)
        return self._result(t, x, feed.at(t), feed.before(t), parameters, failure, dense, events)

    def _result(
        self,
        t: Array,
        x: Array,
        r: Array,
        before: Array | None,
        parameters: Values | None,
        failure: RunError | None,
        dense: Dense | None,
        events: tuple[Hit, ...] = (),
    ) -> Trajectory:
        """Return the trajectory, which has the scheme's own states between the points or cubic ones, or the failure."""
        along = Along(self._evaluator, t, x, r, self._parameters.array(parameters), before)
        between = dense or Hermite(t, x, along)
        trajectory = replace(self._trajectory(along, between, t, x, r, parameters), events=events)
        if failure is not None:
            failure.trajectory = trajectory
            raise failure
        return trajectory

    def _start(
        self, t0: float, x0: ArrayLike | None, first: NDArray[np.float64], held: bool, parameters: Values | None
    ) -> NDArray[np.float64]:
        """Return where a run begins, with the inputs `first`; those of the model where they are `held`."""
        if x0 is not None:
            start = self._evaluator.checked_state(real_array(x0, f"{self.name}: x0"))
            if not np.isfinite(start).all():
                raise UsageError(f"{self.name}: x0 must be finite, not {start.tolist()}")
            return closed_start(self._evaluator, t0, start, first, parameters)
        if parameters is None and held and t0 == 0.0:
            return self._states.initial
        return self._states.state(None, None, t0, parameters, None, first)

    def _trajectory(
        self, along: Along, between: Interpolant, t: Array, x: Array, r: Array, parameters: Values | None
    ) -> Trajectory:
        """Put a run together, outputs included."""
        p = self._parameters.array(parameters)
        outputs = np.empty((len(t), 0))
        if "outputs" in self._evaluator.functions:
            outputs = self._evaluator.evaluate("outputs", t, x, r, p)
        signals = tuple(Quantity(one.name, one.unit, "Inputs") for one in self._build.program.inputs)
        return Trajectory(
            self.name, self._build.method, t, x, outputs, r, p, self._quantities(), self._build.real, signals, along,
            between,
        )  # fmt: skip

    def _quantities(self) -> tuple[Quantity, ...]:
        """Describe states and outputs for people."""
        model, states = self._build.model, self._build.program.states
        coordinates, extra = len(model.coordinates), len(states) - len(model.extra_states)
        second = self._build.program.method.second.heading
        groups = [
            "Coordinates" if k < coordinates else second if k < extra else "Extra states" for k in range(len(states))
        ]
        listed = [Quantity(v.name, v.unit, group) for v, group in zip(states, groups, strict=True)]
        outputs = self._evaluator.functions.get("outputs")
        if outputs is None:
            return tuple(listed)
        units = [unit for unit, _ in outputs.output_texts] or [""] * len(outputs.output_names)
        return (*listed, *(Quantity(name, u, "Outputs") for name, u in zip(outputs.output_names, units, strict=True)))
