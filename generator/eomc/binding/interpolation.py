"""States between the points of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from eomc.binding.along import Along
from eomc.binding.vectors import Array


class Interpolant(Protocol):
    """What gives the states of a run at times in its interval; at a jump, those after it."""

    def __call__(self, times: Array) -> Array:
        """Return the states at times of shape (k,), shape (k, nx)."""


@dataclass(frozen=True, slots=True, eq=False)
class Hermite:
    """Cubic polynomials with the states and the rates of the run at both ends of each interval.

    Their error is h^4/384 times the fourth derivative, h being the distance of the points (Hairer, Norsett & Wanner,
    *Solving Ordinary Differential Equations I*, section II.6).
    """

    t: Array  # (n,), equal ones at a jump
    x: Array  # (n, nx)
    along: Along  # has the rates

    def __call__(self, times: Array) -> Array:
        """Return the states at times of shape (k,), shape (k, nx)."""
        if len(self.t) == 1:
            return np.repeat(self.x, len(times), axis=0)
        k = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, len(self.t) - 2)
        h = (self.t[k + 1] - self.t[k])[:, None]
        with np.errstate(invalid="ignore"):
            s = np.where(h > 0.0, (times - self.t[k])[:, None] / h, 1.0)
        first, last = self.x[k], self.x[k + 1]
        after, before = self.along.slopes
        rest = s * (1.0 - s) * ((1.0 - s) * (h * after[k] - (last - first)) + s * ((last - first) - h * before[k + 1]))
        found: Array = first + s * (last - first) + rest
        points = times[:, None] == self.t[k][:, None]  # to the bit, also beside what is not finite
        return np.where((h == 0.0) | (times[:, None] == self.t[k + 1][:, None]), last, np.where(points, first, found))
