"""Levenberg's and Marquardt's method with exact slopes, and the directions that a solution leaves open.

Columns are scaled by their norms, so that no unit of an unknown matters; the caller scales the rows. Where nothing
stands in the way a step is Gauss's and Newton's of least norm (J. J. More, The Levenberg-Marquardt algorithm:
implementation and theory, *Numerical Analysis*, Lecture Notes in Mathematics 630 (1978)).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from eomc.binding.vectors import Array

_STEPS = 200
_RANK = 1e-9  # singular values beside the largest that are rounding
_STILL = 1e-15  # residuals that nothing makes smaller
_MUCH = 0.5  # of the largest
_LEAST, _MOST = 1e-8, 1e8  # damping


class Residuals(NamedTuple):
    """Residuals, shape (m,), and their slopes by the unknowns, (m, n)."""

    values: Array
    slopes: Array


Function: TypeAlias = Callable[[Array], Residuals]


def minimize(function: Function, first: Array) -> tuple[Array, Residuals]:
    """Return unknowns near the first ones where the residuals' sum of squares is least, and the residuals there."""
    y, now, damping = first, function(first), 0.0
    if not _is_finite(now):
        return y, now
    for _ in range(_STEPS):
        if np.max(np.abs(now.values), initial=0.0) <= _STILL:
            break
        trial = y + _step(now, damping)
        there = function(trial)
        if _is_finite(there) and np.linalg.norm(there.values) < np.linalg.norm(now.values):
            y, now = trial, there
            damping = damping / 10.0 if damping > _LEAST else 0.0
        elif damping > _MOST:
            break
        else:
            damping = max(_LEAST, 10.0 * damping)
    return y, now


def open_directions(slopes: Array) -> list[int]:
    """Return as many unknowns as the solutions near one have dimensions; they fix one of them when they are given.

    Of the null space of the slopes, to first order, those are taken in turn in which most of what is left shows, the
    first of several that show much.
    """
    scales = _scales(slopes)
    _, sizes, right = np.linalg.svd(slopes / scales)
    rank = int(np.sum(sizes > _RANK * max(sizes, default=0.0)))
    null, chosen = right[rank:].copy() / scales, []
    for _ in range(len(null)):
        shown = np.linalg.norm(null * scales, axis=0)
        k = int(np.argmax(shown >= _MUCH * np.max(shown)))
        chosen.append(k)
        row = null[np.argmax(np.abs(null[:, k]))].copy()
        null -= np.outer(null[:, k] / row[k], row)
    return sorted(chosen)


def _step(at: Residuals, damping: float) -> Array:
    """Return the damped step; without damping the one of least norm."""
    scales = _scales(at.slopes)
    left, sizes, right = np.linalg.svd(at.slopes / scales, full_matrices=False)
    largest = max(sizes, default=0.0)
    kept = sizes > _RANK * largest
    gains = np.where(kept, sizes, 0.0) / np.where(kept, sizes**2 + damping * largest**2, 1.0)
    step: Array = -(right.T @ (gains * (left.T @ at.values))) / scales
    return step


def _scales(slopes: Array) -> Array:
    norms = np.linalg.norm(slopes, axis=0)
    scales: Array = np.where(norms > 0.0, norms, 1.0)
    return scales


def _is_finite(residuals: Residuals) -> bool:
    return bool(np.isfinite(residuals.values).all() and np.isfinite(residuals.slopes).all())
