"""Jacobians by central differences, of steps that get shorter, with an estimate of their errors.

A long step has truncation errors, a short one rounding errors, and one that crosses the kink of a sign or a branch is
wrong by any measure: of each entry the estimate is taken whose error is the least.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eomc.reference.jets import Array

_PLACES = np.array([1.03, 1.94, 3.07, 4.0])  # at equal distances values of nearly linear functions round alike, unseen
_RATIOS = (_PLACES[:, None] / _PLACES) ** 2 - np.diag(np.ones(4))
_WEIGHTS = 0.5 / (_PLACES * np.prod(1.0 - _RATIOS, axis=1))  # of eighth order: Lagrange's polynomials in v^2, at zero
_CERTAIN = 10.0  # times a rounding error that is known from few values
_ALONG = [7, 6, 5, 4, 0, 1, 2, 3]  # the points of a step in their order on the line, without its middle
_CONTRASTS = np.linalg.qr(np.vander([*-_PLACES[::-1], *_PLACES], increasing=True))[0].T[6:]
_STEPS = np.array([2e-2, 8e-3, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5])  # in proportion to the size of v
_SHORTER = np.array([1e-5, 3e-6, 1e-6, 3e-7, 1e-7])  # of a single variable: some functions of time are fast
_SHORTEST = 3  # of these steps, whose contrasts tell the rounding: the two of one may both be small by chance


def estimates(function: Callable[[Array], Array], at: Array, size: Array) -> tuple[Array, Array, Array]:
    """Return df/dv at k points, how far it may be from the truth, and how large f is beside v, all of shape (k, m, n).

    An estimate is off by what it and the one with the next longer step differ by, or by the rounding of the values:
    what they have beside a polynomial of degree 5 on the shortest steps. What a shorter step contradicts by more than
    its rounding counts, too. The best one is off by the least.

    Parameters
    ----------
    function
        (rows, n) -> (rows, m), each row on its own; called once.
    at
        Points v, shape (k, n).
    size
        By how much each variable has to change until the function is another one, shape (k, n).
    """
    n = at.shape[1]
    steps = np.concatenate([_STEPS, _SHORTER]) if n == 1 else _STEPS
    away = np.concatenate([_PLACES, -_PLACES])[:, None] * steps  # (8, steps)
    offsets = away[:, :, None, None, None] * size[:, None, :] * np.eye(n)  # (8, steps, k, n, n): point, direction
    points = at[:, None, :] + offsets
    values = function(points.reshape(-1, n)).reshape(*points.shape[:4], -1)  # (8, steps, k, n, m)
    half = len(_WEIGHTS)
    with np.errstate(invalid="ignore"):  # of points outside a domain
        slopes = np.tensordot(_WEIGHTS, values[:half] - values[half:], axes=1)  # (steps, k, n, m)
        found = slopes / (steps[:, None, None] * size)[..., None]
        distances = np.abs(np.diff(found, axis=0))  # (steps - 1, k, n, m)
        last = values[_ALONG, -_SHORTEST if n == 1 else -1 :]  # several directions have enough contrasts in one step
        noise = np.max(np.abs(np.tensordot(_CONTRASTS, last, axes=1)), axis=(0, 1))  # (k, n, m)
        noise = np.where(np.isfinite(noise), noise, 0.0)  # of f, whatever the direction: along one it may not show
        noise = np.max(noise, axis=1, keepdims=True) / size[..., None]
        rough = noise / steps[1:, None, None, None]
        errors = np.maximum(distances, rough)
        for number in range(1, len(errors)):  # what a shorter step contradicts, but for its rounding
            against = np.abs(found[1 : number + 1] - found[number + 1]) - _CERTAIN * rough[number]
            errors[:number] = np.maximum(errors[:number], np.where(np.isfinite(against), against, 0.0))
        choice = np.argmin(np.where(np.isfinite(errors), errors, np.inf), axis=0)[None]
        best, error = (np.take_along_axis(some, choice, axis=0)[0] for some in (found[1:], errors))
        large = np.max(np.where(np.isfinite(values), np.abs(values), 0.0), axis=(0, 1)) / size[..., None]
    return np.swapaxes(best, 1, 2), np.swapaxes(error, 1, 2), np.swapaxes(large, 1, 2)
