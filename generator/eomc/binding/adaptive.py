"""Runs by the emitted C: the loop, block by block."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eomc.binding.calls import Constants, real_type
from eomc.binding.controls import Controls
from eomc.binding.feeding import Feed
from eomc.binding.hits import Hit, hits_of
from eomc.binding.integration import Follower, no_solution
from eomc.binding.library import Library
from eomc.binding.vectors import Array, Real
from eomc.errors import DivergenceError, EventError, RunError, SingularSystemError, StepError

BLOCK = 4096
"""Steps per call into C: bounds the wait for an interrupt from the keyboard."""

# Results of the emitted functions.
_SINGULAR, _OPEN, _DIVERGED, _TOO_SMALL, _TOO_MANY, _NO_INPUT, _TOO_MANY_EVENTS, _NOT_CONVERGED = 1, 2, 4, 5, 6, 7, 8, 9


class Run(NamedTuple):
    """What a run came to."""

    t: Array  # (k,)
    x: Array  # (k, nx)
    failure: BaseException | None  # why it ended early
    events: tuple[Hit, ...]
    early: bool  # an event has ended it before its time
    rounded: int  # steps whose error was rounding, and more than the tolerance


class Running:
    """One run: its memory, and what the C reads while it lasts."""

    def __init__(
        self,
        library: Library,
        controls: Controls,
        feed: Feed,
        constants: Constants,
        work: Any,
        names: tuple[str, ...] = (),
    ) -> None:
        self._names = names  # of events
        real = real_type(library)
        self._library, self._controls, self._feed = library, controls, feed
        self._memory = np.zeros(library.lib.eomc_run_size(), dtype=np.uint8)
        self.pointer = library.pointer(self._memory, "void *")
        self._kept: list[Any] = [feed]
        self._constants = constants
        self._work = work
        self.setup = library.ffi.new("eomc_setup *")
        self.setup.rtol = controls.rtol
        self.setup.atols = self._reals(controls.atols, real)
        self.setup.first_step, self.setup.largest_step = controls.first_step, controls.max_step
        self.setup.most_steps = controls.max_steps
        self.setup.jumps, self.setup.jump_count = self._reals(controls.jumps, real), len(controls.jumps)
        self.setup.c, self.setup.work = constants.pointer, work
        feed.fill(self.setup)

    def _reals(self, values: Array, real: Any) -> Any:
        """Return the address of reals that live as long as the run."""
        array = np.ascontiguousarray(values if len(values) else np.zeros(1), dtype=real)
        self._kept.append(array)
        return self._library.pointer(array)

    def run(self, owner: str, x0: Array, every: int, shares: tuple[Fraction, ...], follow: Follower | None) -> Run:
        """Run from t0 to t_end, from sample to sample where a controller is asked.

        Parameters
        ----------
        owner
            Name of the model, for messages.
        x0
            State at t0.
        every
            So many steps are a row; the first and the last are rows in any case. Not with ``t_eval``.
        shares
            At which a step takes inputs, for `follow`.
        follow
            Called with what some thousand steps were.
        """
        library, lib, controls, feed = self._library, self._library.lib, self._controls, self._feed
        x: Real = np.array(x0, dtype=real_type(library))
        rows = _Rows(library, x, controls)
        passed = _Passed(rows, _Kept(controls.t0, x, every), self._names, follow and self._told(follow, shares))
        failure: BaseException | None = None
        for number, limit in enumerate([controls.t_end] if feed.control is None else feed.control.ends):
            if not feed.sample(rows.now):
                failure = feed.raised
                break
            if number == 0:
                lib.eomc_run_start(controls.t0, library.pointer(x), self.setup, self.pointer)
            else:
                lib.eomc_run_jumped(self.pointer)
            status = self._advance(limit, rows, passed)
            if status != 0:
                failure = self._failure(owner, status, rows)
            if status != 0 or rows.pointer.ended:
                break
        passed.take()
        t, states = rows.those_asked() if controls.t_eval is not None else passed.kept.finished(failure is None)
        early = bool(rows.pointer.ended) and rows.is_before(controls.t_end)
        return Run(t, states, failure, tuple(passed.hits), early, int(rows.pointer.rounded))

    def _advance(self, limit: float, rows: _Rows, passed: _Passed) -> int:
        """Go on to a time, or to the end; return the status of the C."""
        status = 0
        rows.pointer.goes_on = int(rows.is_before(limit))
        while status == 0 and rows.pointer.goes_on:
            status = self._library.lib.eomc_run_steps(limit, self.setup, self.pointer, rows.pointer)
            if 2 * rows.pointer.steps > BLOCK:
                passed.take()
        return int(status)

    def _told(self, follow: Follower, shares: tuple[Fraction, ...]) -> Callable[[Array, Array], None]:
        """Return what tells a follower of times and states, with inputs at them and in the steps between."""

        def tell(t: Array, x: Array) -> None:
            taken = self._feed.taken(t, np.array([float(share) for share in shares]))
            follow(t, x, self._feed.at(t), taken)

        return tell

    def _failure(self, owner: str, status: int, rows: _Rows) -> RunError:
        """Say in the words of the emitted main why the run ended."""
        if status == _NO_INPUT and self._feed.raised is not None:
            raise self._feed.raised
        where = f"at t = {rows.pointer.t_now:.9g}"
        if status == _SINGULAR:
            return no_solution(self._library, owner, where, self._work, self._constants)
        if status == _TOO_MANY_EVENTS:
            name = self._names[rows.pointer.which]
            return EventError(
                f"{owner}: too many events {where}: {name} happens again before any time has passed; let the state "
                "after it rest, by a mode that holds it, or end the run, by an event with stop=True"
            )
        if status == _DIVERGED and self._controls.fixed:
            return DivergenceError(f"{owner}: diverged {where}: take smaller steps")
        return _FAILURES[status](owner, where, int(rows.pointer.tried))


_Failure: TypeAlias = Callable[[str, str, int], RunError]
_FAILURES: dict[int, _Failure] = {
    _OPEN: lambda owner, where, _: SingularSystemError(f"{owner}: open {where}: the constraints cannot be met"),
    _DIVERGED: lambda owner, where, _: DivergenceError(
        f"{owner}: diverged {where}: the motion leaves all bounds there"
    ),
    _NOT_CONVERGED: lambda owner, where, _: DivergenceError(f"{owner}: no convergence {where}: take smaller steps"),
    _TOO_SMALL: lambda owner, where, _: StepError(
        f"{owner}: step too small {where}: none meets the tolerance: the motion ends there, something jumps at a time "
        "that is not declared, or the tolerance is below rounding"
    ),
    _TOO_MANY: lambda owner, where, tried: StepError(
        f"{owner}: too many steps {where}: {tried} were tried; allow more, or a larger tolerance"
    ),
}


class _Rows:
    """What calls into C write: ends of steps, and states at times that are asked for."""

    def __init__(self, library: Library, x0: Real, controls: Controls) -> None:
        t_eval = controls.t_eval
        self.t: Array = np.empty(BLOCK)
        self.x: Real = np.empty((BLOCK, len(x0)), dtype=x0.dtype)
        self.event = np.empty(BLOCK, dtype=np.intc)
        self.before = controls.t0, x0  # the end of the last step that is no longer here
        self._t_asked = np.zeros(1) if t_eval is None or not len(t_eval) else t_eval
        self.asked: Real = np.empty((len(self._t_asked), len(x0)), dtype=x0.dtype)
        self.pointer = library.ffi.new("eomc_rows *")
        self.pointer.event = library.pointer(self.event, "int *")
        self.pointer.room = BLOCK
        self.pointer.t, self.pointer.x = library.pointer(self.t, "double *"), library.pointer(self.x)
        self.pointer.asked = 0 if t_eval is None else len(t_eval)
        self.pointer.t_asked = library.pointer(self._t_asked, "double *")
        self.pointer.x_asked = library.pointer(self.asked)
        self.pointer.t_now = controls.t0
        if self.pointer.asked and self._t_asked[0] <= controls.t0:
            self.asked[0] = x0
            self.pointer.passed = 1

    def is_before(self, t: float) -> bool:
        """Whether a time is still to come."""
        return bool(self.pointer.t_now < float(self.x.dtype.type(t)))

    def those_asked(self) -> tuple[Array, Array]:
        """Return times and states that were asked for, as far as they have come."""
        done = self.pointer.passed
        return self._t_asked[:done], self.asked[:done].astype(np.float64)

    @property
    def now(self) -> Real:
        """The state that was reached."""
        steps = self.pointer.steps
        return self.x[steps - 1] if steps else self.before[1]


class _Passed:
    """What a run has come by: rows that are kept, events."""

    def __init__(
        self, rows: _Rows, kept: _Kept, names: tuple[str, ...], tell: Callable[[Array, Array], None] | None
    ) -> None:
        self._rows, self._names, self._tell = rows, names, tell
        self.kept = kept
        self.hits: list[Hit] = []

    def take(self) -> None:
        """Take the ends of steps that the C has written, and make room for others."""
        rows, count = self._rows, self._rows.pointer.steps
        if not count:
            return
        t, x, event = rows.t[:count].copy(), rows.x[:count].copy(), rows.event[:count].copy()
        self.kept.add(t, x, event)
        self.hits += hits_of(self._names, t, x, event, rows.before[1])
        if self._tell is not None:
            times, states = np.concatenate([[rows.before[0]], t]), np.vstack([rows.before[1][None], x])
            self._tell(times, states.astype(np.float64))
        rows.before = float(t[-1]), x[-1]
        rows.pointer.steps = 0


class _Kept:
    """The rows of a run: each so many steps, the first and the last."""

    def __init__(self, t0: float, x0: Real, every: int) -> None:
        self._t, self._x = [np.array([t0])], [x0[None].copy()]
        self._every, self._passed = min(every, sys.maxsize), 0
        self._last: tuple[Array, Real] | None = None

    def add(self, t: Array, x: Real, event: NDArray[np.intc]) -> None:
        """Keep what is to be kept of some steps: both sides of an event in any case."""
        ends = event == -1
        after = np.append(~ends[1:], False) & (np.append(t[1:], np.inf) == t)  # the state after an event follows
        numbers = self._passed + np.cumsum(ends)
        chosen = (ends & (numbers % self._every == 0)) | ~ends | after
        self._t.append(t[chosen])
        self._x.append(x[chosen])
        self._passed = int(numbers[-1])
        self._last = None if chosen[-1] else (t[-1:], x[-1:])

    def finished(self, whole: bool) -> tuple[Array, Array]:
        """Return times and states; of a whole run the last, too."""
        if whole and self._last is not None:
            self._t.append(self._last[0])
            self._x.append(self._last[1])
        return np.concatenate(self._t), np.concatenate(self._x).astype(np.float64)
