"""Jacobians by central differences, of steps that get shorter until two of them agree best.

A long step has truncation errors, a short one rounding errors, and one that crosses the kink of a sign or a branch is
wrong by any measure: of each entry the estimate is taken that differs the least from that of the step before.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eomc.reference.jets import Array

__all__ = ["jacobians"]

_WEIGHTS = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])  # of eighth order
_STEPS = np.array([2e-2, 8e-3, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5])  # in proportion to 1 + |v|


def jacobians(function: Callable[[Array], Array], at: Array) -> Array:
    """Return df/dv at k points, shape (k, m, n).

    Parameters
    ----------
    function
        (rows, n) -> (rows, m), each row on its own; called once.
    at
        Points v, shape (k, n).
    """
    n = at.shape[1]
    places = np.arange(1, len(_WEIGHTS) + 1)
    away = np.concatenate([places, -places])[:, None] * _STEPS  # (8, steps)
    size = 1.0 + np.abs(at)
    offsets = away[:, :, None, None, None] * size[:, None, :] * np.eye(n)  # (8, steps, k, n, n): point, direction
    points = at[:, None, :] + offsets
    values = function(points.reshape(-1, n)).reshape(*points.shape[:4], -1)  # (8, steps, k, n, m)
    half = len(_WEIGHTS)
    slopes = np.tensordot(_WEIGHTS, values[:half] - values[half:], axes=1)  # (steps, k, n, m)
    estimates = slopes / (_STEPS[:, None, None] * size)[..., None]
    distances = np.abs(np.diff(estimates, axis=0))
    choice = np.argmin(np.where(np.isfinite(distances), distances, np.inf), axis=0)
    best = np.take_along_axis(estimates[1:], choice[None], axis=0)[0]
    return np.asarray(np.swapaxes(best, 1, 2))
