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
    slopes: list[Array] = []
    for row, share in zip(scheme.a, scheme.c, strict=True):
        moved = x + h * sum((float(a) * k for a, k in zip(row, slopes, strict=False)), np.zeros_like(x))
        slopes.append(rates(np.full(len(x), t + float(share) * h), moved, r))
    change = h * sum((float(b) * k for b, k in zip(scheme.b, slopes, strict=True)), np.zeros_like(x))
    if scheme.semi_implicit:  # coordinates go along their rates at the new values of all other states
        beside = x + change
        beside[:, :coordinates] = x[:, :coordinates]
        change[:, :coordinates] = h * rates(np.full(len(x), t), beside, r)[:, :coordinates]
    return x + change


def step_slopes(advance: Callable[[Array, Array], Array], x: Array, r: Array) -> tuple[Array, Array]:
    """Return the derivatives (nx, nx) and (nx, nr) of a step (x, r) -> x by differences of eighth order."""
    at = np.concatenate([x, r])[None]
    found = estimates(lambda rows: advance(rows[:, : len(x)], rows[:, len(x) :]), at, np.maximum(np.abs(at), 1.0))[0][0]
    return found[:, : len(x)], found[:, len(x) :]
