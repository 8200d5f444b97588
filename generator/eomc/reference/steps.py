"""Steps of Runge-Kutta schemes and their derivatives, from the reference's own state derivative."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eomc.reference.differences import estimates
from eomc.reference.jets import Array
from eomc.tableaus import Tableau

_Rates = Callable[[Array, Array, Array], Array]  # (t, x, r) -> dx/dt, in rows


def step(rates: _Rates, scheme: Tableau, t: float, x: Array, r: Array, h: float, coordinates: int) -> Array:
    """Return the states (k, nx) at t + h with held inputs (k, nr)."""
    if scheme.drifts:
        return _split(rates, scheme, t, x, r, h, coordinates)
    slopes = _iterated(rates, scheme, t, x, r, h) if scheme.implicit else []
    for row, share in zip(scheme.a[len(slopes) :], scheme.c, strict=False):
        moved = x + h * sum((float(a) * k for a, k in zip(row, slopes, strict=False)), np.zeros_like(x))
        slopes.append(rates(np.full(len(x), t + float(share) * h), moved, r))
    change = h * sum((float(b) * k for b, k in zip(scheme.b, slopes, strict=True)), np.zeros_like(x))
    if scheme.semi_implicit:  # coordinates go along their rates at the new values of all other states
        beside = x + change
        beside[:, :coordinates] = x[:, :coordinates]
        change[:, :coordinates] = h * rates(np.full(len(x), t), beside, r)[:, :coordinates]
    return x + change


def _split(rates: _Rates, scheme: Tableau, t: float, x: Array, r: Array, h: float, coordinates: int) -> Array:
    """Return the states after drifts and kicks in turn."""
    x = x.copy()
    for i, drift in enumerate(scheme.drifts):
        x[:, :coordinates] += float(drift) * h * rates(np.full(len(x), t), x, r)[:, :coordinates]
        if i < len(scheme.b):
            at = np.full(len(x), t + float(scheme.c[i]) * h)
            x[:, coordinates:] += float(scheme.b[i]) * h * rates(at, x, r)[:, coordinates:]
    return x


def _iterated(rates: _Rates, scheme: Tableau, t: float, x: Array, r: Array, h: float) -> list[Array]:
    """Return the slopes of an implicit scheme: all at once from all before, until they stay but for rounding.

    Raises
    ------
    ArithmeticError
        They do not.
    """
    weights = np.array([[float(a) for a in row] for row in scheme.a])
    slopes = np.stack([rates(np.full(len(x), t), x, r)] * len(weights))
    least = np.inf
    for _ in range(200):
        states = x + h * np.einsum("ij,jkn->ikn", weights, slopes)
        at = zip(scheme.c, states, strict=True)
        renewed = np.stack([rates(np.full(len(x), t + float(share) * h), y, r) for share, y in at])
        change = float(np.abs(renewed - slopes).max())
        slopes = renewed
        if change == 0.0 or (change >= least and change <= 1e-10 * max(1.0, float(np.abs(slopes).max()))):
            return list(slopes)
        least = min(least, change)
    raise ArithmeticError(f"{scheme.name}: the slopes of a step of {h:g} are not found")


def step_slopes(advance: Callable[[Array, Array], Array], x: Array, r: Array) -> tuple[Array, Array]:
    """Return the derivatives (nx, nx) and (nx, nr) of a step (x, r) -> x by differences of eighth order."""
    at = np.concatenate([x, r])[None]
    found = estimates(lambda rows: advance(rows[:, : len(x)], rows[:, len(x) :]), at, np.maximum(np.abs(at), 1.0))[0][0]
    return found[:, : len(x)], found[:, len(x) :]
