"""dx/dt and its derivatives at many states at once, for the parameters of one run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from eomc.binding.evaluation import Evaluator
from eomc.binding.vectors import Array


class Slopes(NamedTuple):
    """What is known of dx/dt = f(t, x, r, p) at k states."""

    f: Array  # (k, nx)
    A: Array  # df/dx, (k, nx, nx)
    P: Array  # df/dp of the chosen parameters, (k, nx, np)

    def along(self, changes: Array) -> Array:
        """Return df (k, nx, m) along changes dx (k, nx, m); the last columns are those of the parameters."""
        moved: Array = self.A @ changes
        if self.P.shape[-1]:
            moved[..., changes.shape[-1] - self.P.shape[-1] :] += self.P
        return moved


class Rates:
    """Evaluates them.

    Parameters
    ----------
    evaluator
        Has ``jacobian`` and, where parameters are chosen, ``rhs_parameter_jacobian`` of these.
    parameters
        Of the run, (np,) in order.
    chosen
        Number of the chosen ones.
    """

    def __init__(self, evaluator: Evaluator, parameters: Array, chosen: int) -> None:
        self.evaluator, self.chosen = evaluator, chosen
        self.parameters = parameters

    def rates(self, t: Array, x: Array, r: Array) -> Array:
        """Return dx/dt, (k, nx), at times (k,), states (k, nx) and inputs (k, nr) or (1, nr)."""
        return self.evaluator.evaluate("rhs", t, x, _inputs(r, len(x)), self.parameters)

    def slopes(self, t: Array, x: Array, r: Array) -> Slopes:
        """Return dx/dt and its derivatives; likewise."""
        given = t, x, _inputs(r, len(x)), self.parameters
        A = self.evaluator.arrays("jacobian", *given)[0]
        P = np.zeros((*x.shape, 0))
        if self.chosen:
            (P,) = self.evaluator.arrays("rhs_parameter_jacobian", *given)
        return Slopes(self.evaluator.evaluate("rhs", *given), A, P)


def _inputs(r: Array, count: int) -> Array | None:
    """Return inputs as an evaluation of many states takes them."""
    if r.shape[1] == 0:
        return None
    return r[0] if len(r) < count else r
