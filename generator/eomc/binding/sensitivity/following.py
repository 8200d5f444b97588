"""Along a run: products of the derivatives of its steps, kept where the trajectory has points."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eomc.binding.hits import Hit
from eomc.binding.sensitivity.closing import closed
from eomc.binding.sensitivity.jumps import Jumps
from eomc.binding.sensitivity.products import chained, running_products
from eomc.binding.sensitivity.rates import Place, Rates
from eomc.binding.sensitivity.reached import Reached, Steps
from eomc.binding.sensitivity.record import Record
from eomc.binding.sensitivity.steps import differentiated
from eomc.binding.sensitivity.switching import Switching, last_start
from eomc.binding.vectors import Array
from eomc.expansions import Expansion
from eomc.integrators import Row
from eomc.rosenbrock import Rosenbrock

_NUMBERS = 400_000
"""That the derivatives of stages of some steps may hold at once."""


class Along(NamedTuple):
    """Derivatives by x0 and p."""

    by: Array  # of the state at points, (n, nx, nx + np)
    times: Array  # of the times of events, (events, nx + np) [s]


class _Passed(NamedTuple):
    """What is known where a run has been followed to."""

    by: Array  # of the state, (nx, nx + np)
    times: tuple[Array, ...] = ()  # of the times of events
    switches: Array | None = None  # just after an event, where that is here
    instant: tuple[Hit, ...] = ()  # events of which no time has passed since


class Followed(NamedTuple):
    """What makes the derivative of each step of a run."""

    scheme: Row
    projected: bool  # whether a step ends on the constraints
    rates: Rates
    record: Record
    jumps: Jumps
    hits: Sequence[Hit]
    start: Place

    def at_points(self, t: Array, x: Array) -> Along:
        """Return the derivatives at points of the run that ended steps, in order."""
        ends = self.record.ends
        return self._products(_places(*ends, t, x))

    def at_times(self, t: Array) -> Along:
        """Return them at times within the run: by a shorter step from the beginning of that in which each is.

        At an event it is the first state after it, as of the dense output.
        """
        ends, states = self.record.ends
        if not len(ends):
            return self._products(np.zeros(len(t), dtype=np.int64))
        at = np.searchsorted(ends, t)
        exact = ends[at] == t
        jumps = exact & (at > 0) & (ends[np.minimum(at + 1, len(ends) - 1)] == t) & (at + 1 < len(ends))
        before = np.where(exact, at + jumps, at - 1)
        found = self._products(before)
        inner, most = np.flatnonzero(~exact), self._most()
        for first in range(0, len(inner), most):
            part = inner[first : first + most]
            begin = before[part]
            h = t[part] - ends[begin]
            shares = np.array([float(share) for share in self.scheme.times(self.projected)])
            times = ends[begin][:, None] + shares * h[:, None]
            r = self.jumps.feed.at(times.ravel()).reshape(*times.shape, -1)
            short = Steps(ends[begin], h, states[begin], r)
            found.by[part] = chained(self._reached(short).by, found.by[part])
        return found

    def _products(self, places: NDArray[np.int64]) -> Along:
        """Return the products up to the ends of steps with these ascending numbers."""
        if not len(places) and not len(self.start.t):  # no step, and no point is asked for
            return Along(np.zeros((0, *self.start.by.shape[1:])), np.zeros((0, self.start.by.shape[2])))
        now = _Passed(closed(self.rates, self.start, self.jumps.real)[1][0])  # a start is moved onto the constraints
        kept = np.empty((len(places), *now.by.shape))
        done = int(np.searchsorted(places, 0, side="right"))
        kept[:done] = now.by
        first = 0
        for part in self.record.parts(self._most()):
            after, now = self._over(part, now)
            last = first + len(after)
            end = int(np.searchsorted(places, last, side="right"))
            kept[done:end] = after[places[done:end] - first - 1]
            first, done = last, end
        return Along(kept, np.reshape(now.times, (len(now.times), now.by.shape[1])))

    def _over(self, steps: Steps, passed: _Passed) -> tuple[Array, _Passed]:
        """Return d x/d(x0, p) after each of some steps; those that take no time are events, and add their times."""
        moving = steps.h != 0.0
        by = np.empty((len(moving), *passed.by.shape))
        ends = np.empty_like(steps.x)
        ends[moving], by[moving] = self._reached(steps.part(moving))
        switching = Switching(self.rates, self.jumps.real)
        edges = [-1, *np.flatnonzero(~moving).tolist(), len(moving)]
        for before, event in itertools.pairwise(edges):
            rows = slice(before + 1, event)
            part, there = by[rows], steps.part(rows)
            if len(part):
                part[...] = running_products(part, passed.by)
                passed = passed._replace(by=part[-1], instant=())
            if event == len(moving):
                switching.refuse_jumps(there, ends[rows], passed.switches, None)
                passed = passed._replace(switches=None) if len(part) else passed
                continue
            hits = self.hits[: len(passed.times) + 1]
            moved = passed.times[-1] if passed.instant else None
            over = self.jumps.over(hits[-1], passed.by, last_start(there), self.jumps.end(hits), passed.instant, moved)
            switching.refuse_jumps(there, ends[rows], passed.switches, over.before)
            by[event] = over.by
            passed = _Passed(over.by, (*passed.times, over.dt), over.after, (*passed.instant, hits[-1]))
        return by, passed

    def _reached(self, steps: Steps) -> Reached:
        return differentiated(self.scheme, self.rates, steps, self.jumps.feed, self.jumps.real, self.projected)

    def _most(self) -> int:
        """Return how many steps are differentiated at once."""
        n = self.rates.evaluator.shape[0]
        if isinstance(self.scheme, Expansion):
            stages = 2  # the motion goes with each change of it
        elif isinstance(self.scheme, Rosenbrock):
            stages = len(self.scheme.a) + n  # second derivatives
        else:
            stages = max(len(self.scheme.a), 1) ** (2 if self.scheme.implicit else 1)
        each = stages * n * (n + self.rates.chosen)
        return max(1, _NUMBERS // max(each, 1))


def _places(ends: Array, states: Array, t: Array, x: Array) -> NDArray[np.int64]:
    """Return the numbers of some of the ends of steps, in order."""
    if not len(ends):
        return np.zeros(len(t), dtype=np.int64)  # a run without a step has its start alone
    if len(t) == len(ends):
        return np.arange(len(t))
    found = np.empty(len(t), dtype=np.int64)
    place = 0
    for k in range(len(t)):
        while ends[place] != t[k] or not np.array_equal(states[place], x[k]):
            place += 1
        found[k] = place
        place += 1
    return found
