"""Consistent initial values: coordinates that close the loops by Newton's method, speeds that meet the constraints.

Which unknowns give way is a matter of rank: in each step they are chosen by complete pivoting, tier by tier: those
first that were named dependent, then those without a value, then those with the model's. The next tier moves only
where the ones before it reach no root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Unmet", "close", "pivots_by_preference", "settle"]

_STEPS = 100
_HALVINGS = 30
_CLOSED = 1e-13  # residuals in proportion to 1 + the largest unknown
_NEGLIGIBLE = 1e-7  # a pivot beside the largest of its row: a worse choice than giving way elsewhere


class Unmet(Exception):
    """No values of the unknowns meet the constraints; `row` is the worst of them."""

    def __init__(self, row: int, residual: float) -> None:
        super().__init__(f"residual {residual:.2g} of row {row}")
        self.row = row
        self.residual = residual


def close(
    function: Callable[[NDArray[np.float64]], tuple[NDArray[np.float64], NDArray[np.float64]]],
    start: Sequence[float],
    tiers: Sequence[Sequence[int]],
) -> list[float]:
    """Return the root of Phi(x) = 0 near `start`, by Newton's method with halved steps.

    Parameters
    ----------
    function
        x -> (Phi, dPhi/dx), shapes (m,) and (m, n).
    start
        First guess, n numbers.
    tiers
        Indices of the unknowns that may move, those that give way first in front.

    Raises
    ------
    Unmet
        The residuals do not vanish, whatever moves.
    """
    failure: Unmet | None = None
    for allowed in _widening(tiers):
        try:
            return _root(function, start, allowed)
        except Unmet as error:
            failure = error
    if failure is not None:
        raise failure
    return _root(function, start, [])  # nothing may move: the start is a root, or there is none


def _widening(tiers: Sequence[Sequence[int]]) -> Iterator[list[list[int]]]:
    """Yield more and more tiers: by preference, as rank demands, then alike, for roots that these do not reach."""
    allowed: list[list[int]] = []
    for tier in filter(None, tiers):
        allowed.append(list(tier))
        yield allowed
        if len(allowed) > 1:
            yield [[k for some in allowed for k in some]]


def _root(
    function: Callable[[NDArray[np.float64]], tuple[NDArray[np.float64], NDArray[np.float64]]],
    start: Sequence[float],
    tiers: Sequence[Sequence[int]],
) -> list[float]:
    x = np.array(start, dtype=float)
    residual, slopes = function(x)
    for _ in range(_STEPS):
        size = _norm(residual)
        if size <= _CLOSED * (1.0 + np.max(np.abs(x), initial=0.0)):
            break
        step = _step(slopes, -residual, tiers)
        length = 1.0
        for _ in range(_HALVINGS):
            trial = x + length * step
            with np.errstate(all="ignore"):
                next_residual, next_slopes = function(trial)
            if _norm(next_residual) < (1.0 - 1e-4 * length) * size:
                break
            length /= 2.0
        else:
            break  # no progress: a root to rounding, or none
        x, residual, slopes = trial, next_residual, next_slopes
    _refuse_unmet(residual, 1e-10 * (1.0 + np.max(np.abs(x), initial=0.0)))
    return [float(value) for value in x]


def settle(
    jacobian: NDArray[np.float64], residual: NDArray[np.float64], start: Sequence[float], tiers: Sequence[Sequence[int]]
) -> list[float]:
    """Return v with J v + b = 0 near `start`, where `residual` is J start + b.

    Raises
    ------
    Unmet
        The constraints contradict one another here.
    """
    v = np.array(start, dtype=float)
    scale = 1e-13 * (1.0 + np.max(np.abs(v), initial=0.0))
    if _norm(residual) <= scale:
        return [float(value) for value in v]
    rest = residual
    for _ in range(2):  # the second step takes away the rounding of the first
        v = v + _step(jacobian, -rest, tiers)
        rest = residual + jacobian @ (v - np.array(start))
    size = np.max(np.abs(v), initial=1.0) * np.max(np.abs(jacobian), initial=1.0)
    _refuse_unmet(rest, 1e-10 * max(size, _norm(residual)))
    return [float(value) for value in v]


def pivots_by_preference(matrix: NDArray[np.float64], tiers: Sequence[Sequence[int]]) -> list[int]:
    """Return independent columns of a matrix, found by complete pivoting tier by tier."""
    rows = np.array(matrix, dtype=float)
    peaks = np.max(np.abs(rows), axis=1, initial=0.0)
    rows = rows[peaks > 0.0] / peaks[peaks > 0.0, None]
    chosen: list[int] = []
    top = 0
    for tier in tiers:
        left = [j for j in tier if j not in chosen]
        while left and top < len(rows):
            part = np.abs(rows[top:, left])
            i, j = np.unravel_index(int(np.argmax(part)), part.shape)
            if not part[i, j] > _NEGLIGIBLE:
                break
            column = left.pop(int(j))
            rows[[top, top + int(i)]] = rows[[top + int(i), top]]
            rows[top + 1 :] -= np.outer(rows[top + 1 :, column] / rows[top, column], rows[top])
            chosen.append(column)
            top += 1
    return chosen


def _step(
    jacobian: NDArray[np.float64], right: NDArray[np.float64], tiers: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """Return the step of the chosen unknowns that makes J step = right, least squares where rows are redundant."""
    step = np.zeros(jacobian.shape[1])
    if not np.all(np.isfinite(jacobian)) or not np.all(np.isfinite(right)):
        return step
    chosen = pivots_by_preference(jacobian, tiers)
    if chosen:
        step[chosen] = np.linalg.lstsq(jacobian[:, chosen], right, rcond=None)[0]
    return step


def _norm(residual: NDArray[np.float64]) -> float:
    return float(np.max(np.abs(residual), initial=0.0)) if np.all(np.isfinite(residual)) else float("inf")


def _refuse_unmet(residual: NDArray[np.float64], tolerance: float) -> None:
    finite = np.where(np.isfinite(residual), np.abs(residual), np.inf)
    if np.max(finite, initial=0.0) > tolerance:
        row = int(np.argmax(finite))
        raise Unmet(row, float(residual[row]))
