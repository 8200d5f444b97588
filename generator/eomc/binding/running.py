"""A run: its start, its steps in C, and the trajectory with what belongs to it."""

from __future__ import annotations

import math
import sys
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.adaptive import Run, Running
from eomc.binding.along import Along
from eomc.binding.contract import Compiled
from eomc.binding.controllers import Control, Controlling
from eomc.binding.controls import Asked, Controls, controls, fixed_controls, positive, warn_of_rounded, warn_of_rounding
from eomc.binding.evaluation import Evaluator
from eomc.binding.feeding import Feed
from eomc.binding.grids import SampledGrid, TimeGrid, time_grid
from eomc.binding.hits import Hit
from eomc.binding.integration import (
    Follower,
    HeldInputs,
    integrate,
    on_grid,
    positive_integer,
    run_inputs,
)
from eomc.binding.interpolation import Dense, Hermite, Interpolant
from eomc.binding.library import Library
from eomc.binding.plotting import Quantity
from eomc.binding.sources import InputSource
from eomc.binding.starting import closed_start, refuse_infinite_start
from eomc.binding.states import States
from eomc.binding.trajectory import Trajectory
from eomc.binding.vectors import Array, NamedVector, Values, real_array, start_array
from eomc.errors import DivergenceError, EventError, UsageError
from eomc.model.arguments import number_of
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
        self._events = tuple(kind.name for kind in build.program.events)
        self.name = build.program.name

    def run_in_steps(
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
        """Take fixed steps that know nothing of each other; the arguments are those of `Simulator.simulate`."""
        every = positive_integer("every", every)
        grid = time_grid(t0, t_end, dt)
        r = run_inputs(inputs, self._evaluator.sources, grid, self._times)
        constants = self._evaluator.constants.of(parameters)
        begin = np.zeros(1, dtype=np.int64)
        start = self._start(grid.time(0), x0, r.at(begin)[0], inputs is None, parameters)
        try:
            indices = grid.stored(every)
            x, failure = integrate(
                self._library, self.name, grid, start, r, constants, self._evaluator.buffers.work, every, follow
            )
        except MemoryError as error:
            raise UsageError(f"{counted(grid.total, 'step')} do not fit into memory; raise dt or every") from error
        if isinstance(failure, DivergenceError) and len(x) == 1:
            refuse_infinite_start(self._evaluator, grid.time(0), start, r.at(begin)[0], parameters)
        indices = indices[: len(x)]
        t, states = grid.times(indices), x.astype(np.float64)
        return self._result(t, states, r.at(indices), r.before(indices), parameters, failure, None)

    def run(
        self,
        asked: Asked,
        t_end: float,
        dt: float,
        x0: ArrayLike | None,
        t0: float,
        inputs: InputSource,
        parameters: Values | None,
        every: int,
        follow: Follower | None,
        given: Controlling | None,
    ) -> Trajectory:
        """Go by a run in C, in steps of `dt` or to a tolerance; likewise."""
        every = min(positive_integer("every", every), sys.maxsize)  # no run has more steps
        if asked.t_eval is not None and every > 1:
            raise UsageError("every counts steps, and t_eval asks for times: give one of the two")
        chosen = self._controls(asked, t0, t_end, dt)
        control = None if given is None else Control.of(given, chosen.t0, chosen.t_end, self._evaluator.sources)
        if not self._build.integrator.adaptive:
            if control is None:
                inputs = on_grid(inputs, self._evaluator.sources, time_grid(t0, t_end, dt))
            else:
                inputs = on_grid(inputs, self._evaluator.sources, SampledGrid(control.samples, dt))
        feed = Feed(inputs, self._evaluator.sources, self._library, control)
        if feed.called and self._build.integrator.expands:
            raise UsageError(
                f"{self.name}: inputs that are a function of time have no power series for "
                f"{self._build.integrator.name}: give eomc.Samples(t, values), or take dop853"
            )
        start = self._start(chosen.t0, x0, feed.at(np.array([chosen.t0]))[0], inputs is None, parameters)
        t, x, failure, events, *_ = self._proceed(chosen, feed, start, parameters, every, follow)

        def again(times: Array | None) -> tuple[Array, Array]:
            same = self._made(replace(chosen, t_eval=times), feed.again(), parameters)
            t_again, x_again, *_ = same.run(self.name, start, 1, self._stages, None)
            if times is None and asked.t_eval is None and not np.array_equal(x_again[-1:], x[-1:]):
                raise UsageError(f"{self.name}: inputs(t) has other values when it is asked again: nothing is between")
            return t_again, x_again

        dense = Dense(again, self._build.integrator.order)
        return self._result(t, x, feed.at(t), feed.before(t), parameters, failure, dense, events)

    def _controls(self, asked: Asked, t0: float, t_end: float, dt: float) -> Controls:
        """Return what a run may take."""
        names = self._evaluator.state_names
        if self._build.integrator.adaptive:
            found = controls(asked, t0, t_end, names, self.name)
            warn_of_rounding(asked, self._build.integrator, self._build.real, self.name)
            return found
        return fixed_controls(asked, t0, t_end, dt, names, self.name)

    def _made(self, chosen: Controls, feed: Feed, parameters: Values | None) -> Running:
        """Return a run that has not begun."""
        constants, work = self._evaluator.constants.of(parameters), self._evaluator.buffers.work
        return Running(self._library, chosen, feed, constants, work, self._events)

    def _proceed(
        self,
        chosen: Controls,
        feed: Feed,
        start: Array,
        parameters: Values | None,
        every: int,
        follow: Follower | None,
    ) -> Run:
        """Run from a start; one without a finite derivative is refused."""
        ran = self._made(chosen, feed, parameters).run(self.name, start, every, self._stages, follow)
        warn_of_rounded(ran.rounded, self.name)
        if isinstance(ran.failure, DivergenceError) and len(ran.x) <= 1:
            first = feed.at(np.array([chosen.t0]))[0]
            refuse_infinite_start(self._evaluator, chosen.t0, start, first, parameters)
        return ran

    def step(
        self, t: float, x: ArrayLike, h: float, inputs: InputSource, parameters: Values | None
    ) -> NDArray[np.float64]:
        """Take one fixed step with held inputs; the arguments are those of `Steps.step`."""
        t, h = _step(t, h)
        if self._events:
            return self._step_between_events(
                fixed_controls(Asked(), t, t + h, h, self._evaluator.state_names, self.name), x, inputs, parameters
            )
        held = HeldInputs(self._held(inputs, t), len(self._times))
        states, failure = integrate(
            self._library, self.name, TimeGrid(t, t + h, h, 1, 0.0), self._state(x), held,
            self._evaluator.constants.of(parameters), self._evaluator.buffers.work, 1, None,
        )  # fmt: skip
        if failure is not None:
            raise failure
        after: Array = states[-1].astype(np.float64)
        return after

    def step_adaptive(
        self, asked: Asked, t: float, x: ArrayLike, h: float, inputs: InputSource, parameters: Values | None
    ) -> NDArray[np.float64]:
        """Go from t to t + h with held inputs; likewise."""
        t, h = _step(t, h)
        chosen = self._controls(asked, t, t + h, h)
        return self._step_between_events(chosen, x, inputs, parameters)

    def _step_between_events(
        self, chosen: Controls, x: ArrayLike, inputs: InputSource, parameters: Values | None
    ) -> NDArray[np.float64]:
        """Go from t0 to t_end with held inputs, and with the events on the way."""
        feed = Feed(self._held(inputs, chosen.t0)[0], self._evaluator.sources, self._library)
        run = self._made(chosen, feed, parameters).run(self.name, self._state(x), 1, self._stages, None)
        if run.failure is not None:
            raise run.failure
        if run.early:
            raise EventError(
                f"{self.name}: {run.events[-1].name} ends the motion at t = {run.t[-1]:.9g}, within the step to "
                f"{chosen.t_end:.9g}: sim.simulate has the motion until then"
            )
        after: Array = run.x[-1]
        return after

    def _held(self, inputs: InputSource, t: float) -> Array:
        """Return the inputs at a time as a row, (1, nr)."""
        return self._evaluator.inputs.array(self._evaluator.sources.held(inputs, t))[None]

    def _state(self, x: ArrayLike) -> Array:
        """Return `x` if it is a state of finite numbers."""
        state = self._evaluator.checked_state(real_array(x, f"{self.name}: states"))
        if not np.isfinite(state).all():
            raise UsageError(f"{self.name}: a step begins at finite numbers, not at {state.tolist()}")
        return state.astype(np.float64)

    def _result(
        self,
        t: Array,
        x: Array,
        r: Array,
        before: Array | None,
        parameters: Values | None,
        failure: BaseException | None,
        dense: Dense | None,
        events: tuple[Hit, ...] = (),
    ) -> Trajectory:
        """Return the trajectory, which has the scheme's own states between the points or cubic ones, or the failure."""
        along = Along(self._evaluator, t, x, r, self._parameters.array(parameters), before)
        between = dense or Hermite(t, x, along)
        trajectory = replace(
            self._trajectory(along, between, t, x, r, parameters), events=events, event_names=self._events
        )
        if failure is not None:
            with suppress(AttributeError, TypeError):  # a controller may raise what takes no attribute
                failure.trajectory = trajectory  # type: ignore[attr-defined]  # errors of runs declare it, others do not
            raise failure
        return trajectory

    def _start(
        self, t0: float, x0: ArrayLike | None, first: NDArray[np.float64], held: bool, parameters: Values | None
    ) -> NDArray[np.float64]:
        """Return where a run begins, with the inputs `first`; those of the model where they are `held`."""
        if x0 is not None:
            start = self._evaluator.checked_state(start_array(x0, self.name))
            if not np.isfinite(start).all():
                raise UsageError(f"{self.name}: x0 must be finite, not {start.tolist()}")
            return closed_start(self._evaluator, t0, start, first, parameters)
        if parameters is None and held and t0 == 0.0:
            return self._states.start()
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


def _step(t: float, h: float) -> tuple[float, float]:
    """Return time and length of a step, if they are numbers that make one."""
    t, h = number_of("t", t, UsageError), positive("h", h)
    if not t < t + h < math.inf:
        raise UsageError(f"h = {h!r} makes no step at t = {t!r}")
    return t, h
