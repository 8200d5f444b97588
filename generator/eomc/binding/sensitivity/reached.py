"""Steps of a run, and what they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eomc.binding.vectors import Array


class Steps(NamedTuple):
    """Some steps of one run."""

    t: Array  # (k,) where they begin
    h: Array  # (k,) their lengths
    x: Array  # (k, nx) states there
    r: Array  # (k, times, nr) or (1, times, nr): the inputs that they take, as `Tableau.times` has these

    def part(self, rows: slice | NDArray[np.bool_]) -> Steps:
        """Return some of them."""
        return Steps(self.t[rows], self.h[rows], self.x[rows], self.r if len(self.r) == 1 else self.r[rows])


class Reached(NamedTuple):
    """States, and their derivatives by the states from which steps went and by parameters."""

    x: Array  # (k, nx)
    by: Array  # (k, nx, nx + np)

    def moved(self, h: Array, f: Array, along: Array, part: slice = slice(None)) -> Reached:
        """Return them moved by h f, and the derivatives likewise, in one part of the state."""
        x, by = self.x.copy(), self.by.copy()
        x[:, part] += h[:, None] * f[:, part]
        by[:, part] += h[:, None, None] * along[:, part]
        return Reached(x, by)


def beside(
    start: Reached, h: Array, weights: Sequence[Fraction | int], found: Sequence[tuple[Array, Array]]
) -> Reached:
    """Return what a weighted sum of slopes leads to."""
    x, by = np.zeros_like(start.x), np.zeros_like(start.by)
    for weight, (f, along) in zip(weights, found, strict=False):
        if weight:
            x += float(weight) * f
            by += float(weight) * along
    return start.moved(h, x, by)
