"""Along a run: products of the derivatives of its steps, kept where the trajectory has points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eomc.binding.feeding import Feed
from eomc.binding.sensitivity.rates import Rates
from eomc.binding.sensitivity.record import Record
from eomc.binding.sensitivity.steps import Steps, differentiated
from eomc.binding.vectors import Array
from eomc.integrators import Staged

_NUMBERS = 4_000_000
"""That the derivatives of stages of some steps may hold at once."""


class Followed(NamedTuple):
    """What makes the derivative of each step of a run."""

    scheme: Staged
    rates: Rates
    coordinates: int
    record: Record

    def at_points(self, t: Array, x: Array) -> Array:
        """Return d x/d(x0, p), (len(t), nx, nx + np), at points of the run that ended steps, in order."""
        ends = self.record.ends
        return self._products(_places(*ends, t, x))

    def at_times(self, t: Array, feed: Feed) -> Array:
        """Return the same at times within the run: by a shorter step from the beginning of that in which each is."""
        ends, states = self.record.ends
        after = np.searchsorted(ends, t)
        before = np.where(ends[np.minimum(after, len(ends) - 1)] == t, after, after - 1)
        h = t - ends[before]
        shares = np.array([float(share) for share in self.scheme.times(False)])
        times = ends[before][:, None] + shares * h[:, None]
        r = feed.at(times.ravel()).reshape(*times.shape, -1)
        found = self._products(before)
        most = self._most()
        for first in range(0, len(t), most):
            part = slice(first, first + most)
            short = Steps(ends[before[part]], h[part], states[before[part]], r[part])
            found[part] = _chained(self._derivatives(short), found[part])
        return found

    def _products(self, places: NDArray[np.int64]) -> Array:
        """Return the products up to the ends of steps with these ascending numbers."""
        n = self.rates.evaluator.shape[0]
        now = np.eye(n, n + self.rates.chosen)
        kept = np.empty((len(places), *now.shape))
        at, passed = 0, 0
        while at < len(places) and places[at] == passed:
            kept[at] = now
            at += 1
        for part in self.record.parts(self._most()):
            for by in self._derivatives(part):
                now = _chained(by, now)
                passed += 1
                while at < len(places) and places[at] == passed:
                    kept[at] = now
                    at += 1
        return kept

    def _derivatives(self, steps: Steps) -> Array:
        return differentiated(self.scheme, self.rates, self.coordinates, steps).by

    def _most(self) -> int:
        """Return how many steps are differentiated at once."""
        n = self.rates.evaluator.shape[0]
        stages = max(len(self.scheme.a), 1)
        each = stages * n * (n + self.rates.chosen) * (stages if self.scheme.implicit else 1)
        return max(1, _NUMBERS // max(each, 1))


def _chained(by: Array, before: Array) -> Array:
    """Return dx/d(x0, p) after steps with derivatives `by`, from those before."""
    n = by.shape[-2]
    after: Array = by[..., :n] @ before
    after[..., n:] += by[..., n:]
    return after


def _places(ends: Array, states: Array, t: Array, x: Array) -> NDArray[np.int64]:
    """Return the numbers of some of the ends of steps, in order."""
    if not len(ends):
        return np.zeros(len(t), dtype=np.int64)  # a run without a step has its start alone
    found = np.empty(len(t), dtype=np.int64)
    place = 0
    for k in range(len(t)):
        while ends[place] != t[k] or not np.array_equal(states[place], x[k]):
            place += 1
        found[k] = place
        place += 1
    return found
