"""The derivative of a linearly implicit step, which holds df/dx: with the second derivatives of f, exact as all others.

Of (1/(h gamma) - A) U_i = f(y_i) + (1/h) sum_j C_ij U_j + h d_i f_t with A and f_t = df/dt + B r' at the beginning,

    (1/(h gamma) - A) dU_i = A(y_i) dy_i + [0 P(y_i)] + (1/h) sum_j C_ij dU_j + h d_i df_t + dA U_i.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.sensitivity.dividing import Estimated
from eomc.binding.sensitivity.rates import Place, Rates
from eomc.binding.sensitivity.reached import Reached, Steps, beside
from eomc.binding.vectors import Array
from eomc.rosenbrock import Rosenbrock


def linearly_implicit(scheme: Rosenbrock, rates: Rates, steps: Steps, moving: Array, start: Reached) -> Estimated:
    """Return the ends of steps, and their derivatives by the states from which they went and by parameters.

    The last U is the estimate of the error, and its derivative that of the derivatives.

    Parameters
    ----------
    scheme, rates, steps
        Whose steps they are, dx/dt and its derivatives, the steps.
    moving
        dr/dt where they begin, (k, nr).
    start
        Where they begin, by itself.
    """
    (count, n), nr = steps.x.shape, steps.r.shape[-1]
    width = n + rates.chosen
    taken = scheme.times(False)
    first = np.broadcast_to(steps.r[:, 0], (count, nr))
    place = Place(steps.t, steps.x, first, start.by, np.zeros((count, width)), moving)
    changes = rates.changes("jacobian", place)  # of A, then of B, by rows
    dA, dB = changes[:, : n * n].reshape(count, n, n, width), changes[:, n * n :].reshape(count, n, nr, width)
    values = rates.values("jacobian", place)
    A, B = values[:, : n * n].reshape(count, n, n), values[:, n * n :].reshape(count, n, nr)
    f_t = rates.values("time_derivative", place) + np.einsum("kir,kr->ki", B, moving)
    df_t = rates.changes("time_derivative", place) + np.einsum("kirm,kr->kim", dB, moving)
    h = steps.h
    matrix = np.eye(n) / (float(scheme.gamma) * h[:, None, None]) - A
    unit = np.ones_like(h)
    found: list[tuple[Array, Array]] = []
    for row, coupled, share, d in zip(scheme.a, scheme.couplings, scheme.c, scheme.d, strict=True):
        at = beside(start, unit, row, found)
        slopes = rates.slopes(steps.t + float(share) * h, at.x, steps.r[:, taken.index(share)])
        nothing = Reached(np.zeros_like(start.x), np.zeros_like(start.by))
        pulled = beside(nothing, 1.0 / h, coupled, found)
        right = slopes.f + pulled.x + float(d) * h[:, None] * f_t
        U: Array = np.linalg.solve(matrix, right[:, :, None])[:, :, 0]
        turned = np.einsum("kijm,kj->kim", dA, U)
        changed = slopes.along(at.by) + pulled.by + float(d) * h[:, None, None] * df_t + turned
        dU: Array = np.linalg.solve(matrix, changed)
        found.append((U, dU))
    return Estimated(beside(start, unit, scheme.b, found), found[-1][1])
