"""The derivative of a projection onto the constraints: of each of its rounds, as the C takes them."""

from __future__ import annotations

import numpy as np

from eomc.binding.sensitivity.rates import Place, Rates
from eomc.binding.vectors import Array

_ROUNDS = 25  # <MODEL>_PROJECTION_ROUNDS of the emitted header
_NEARLY_CLOSED = {"double": 1e-12, "float": 1e-5}  # REAL_NEARLY_CLOSED of project.c


def closed(rates: Rates, place: Place, real: str) -> tuple[Array, Array]:
    """Return states on the constraints, (k, nx), and how they change with x0 and p, (k, nx, m).

    Coordinates take rounds of Newton's method until so little is open that the last leaves only rounding; velocities
    are put back at the coordinates after these.

    Parameters
    ----------
    rates
        Evaluates corrections and their derivatives, where the program has these.
    place
        The states before, at the times at which the constraints hold.
    real
        The emitted scalar type, which says how much may be open.
    """
    there = rates.evaluator.functions
    now = Place(*(np.array(one) for one in place))
    coordinates = 0
    if "coordinate_correction" in there:
        rows = np.arange(len(now.x))
        for _ in range(_ROUNDS):
            some = Place(*(one[rows] for one in now))
            values, changes = rates.values("coordinate_correction", some), rates.changes("coordinate_correction", some)
            coordinates = values.shape[1] - 1
            now.x[rows, :coordinates] += values[:, :-1]
            now.by[rows, :coordinates] += changes
            rows = rows[values[:, -1] > _NEARLY_CLOSED[real]]
            if not len(rows):
                break
    if "velocity_correction" in there:
        values, changes = rates.values("velocity_correction", now), rates.changes("velocity_correction", now)
        part = slice(rates.coordinates, rates.coordinates + values.shape[1] - 1)
        now.x[:, part] += values[:, :-1]
        now.by[:, part] += changes
    return now.x, now.by
