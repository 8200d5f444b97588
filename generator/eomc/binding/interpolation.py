"""States between the points of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from eomc.binding.vectors import Array


class Interpolant(Protocol):
    """What gives the states of a run at times in its interval; at a jump, those after it."""

    def __call__(self, times: Array) -> Array:
        """Return the states at times of shape (k,), shape (k, nx)."""


class Sloped(Protocol):
    """What knows the rates of a run at its points."""

    @property
    def slopes(self) -> tuple[Array, Array]:
        """Rates after and before each point, each of shape (n, nx)."""


@dataclass(frozen=True, slots=True, eq=False)
class Hermite:
    """Cubic polynomials with the states and the rates of the run at both ends of each interval.

    Their error is h^4/384 times the fourth derivative, h being the distance of the points (Hairer, Norsett & Wanner,
    *Solving Ordinary Differential Equations I*, section II.6).
    """

    t: Array  # (n,), equal ones at a jump
    x: Array  # (n, nx)
    along: Sloped

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


_LEAST = 7  # the degree of a pair's dense output is not higher, projections included


class Dense:
    """The dense output of an adaptive run: in each step a polynomial, and so the one through some of its points.

    They are found when they are first asked for, by taking the run again. A pickle holds the polynomials. The
    interpolation is barycentric (J.-P. Berrut and L. N. Trefethen, *SIAM Review* 46 (2004), section 5).

    Parameters
    ----------
    again
        Takes the same steps again and returns times and states: those of all steps for None, else those asked for.
    order
        Of the scheme, which the polynomial's degree does not exceed, or `_LEAST`.
    """

    def __init__(self, again: Callable[[Array | None], tuple[Array, Array]], order: int) -> None:
        self._again = again
        self._count = max(_LEAST, order) + 1

    @cached_property
    def polynomials(self) -> tuple[Array, Array, Array, Array]:
        """Steps that take time: begins (n,), ends (n,), states (n, count, nx) at the nodes of these; the last state."""
        t, x = self._again(None)
        moving = np.diff(t) > 0.0  # the two sides of an event have one time
        begins, ends = t[:-1][moving], t[1:][moving]
        inner = begins[:, None] + (ends - begins)[:, None] * _nodes(self._count)[0][1:-1]
        between = self._again(inner.ravel())[1] if len(begins) else x[:0]
        first, last = (side[moving, None] for side in (x[:-1], x[1:]))
        return begins, ends, np.hstack([first, between.reshape(*inner.shape, x.shape[1]), last]), x[-1]

    def __call__(self, times: Array) -> Array:
        """Return the states at times of shape (k,), shape (k, nx)."""
        begins, ends, states, last = self.polynomials
        if not len(begins):
            return np.repeat(last[None], len(times), axis=0)
        nodes, weights = _nodes(states.shape[1])
        k = np.clip(np.searchsorted(begins, times, side="right") - 1, 0, None)
        away = ((times - begins[k]) / (ends[k] - begins[k]))[:, None] - nodes
        at_node = away == 0.0
        parts = weights / np.where(at_node, 1.0, away)
        parts = np.where(at_node.any(axis=1, keepdims=True), at_node, parts)
        found: Array = np.einsum("kj,kji->ki", parts, states[k]) / parts.sum(axis=1, keepdims=True)
        return np.where((times >= ends[-1])[:, None], last, found)

    def __getstate__(self) -> dict[str, object]:
        return {"polynomials": self.polynomials}


def _nodes(count: int) -> tuple[Array, Array]:
    """Return Chebyshev's points of the second kind on [0, 1], and their barycentric weights."""
    k = np.arange(count)
    weights = np.where(k % 2, -1.0, 1.0) * np.where((k == 0) | (k == count - 1), 0.5, 1.0)
    return 0.5 - 0.5 * np.cos(np.pi * k / (count - 1)), weights
