"""States as columns, the way in which SciPy hands over many of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.evaluation import Evaluator
from eomc.binding.sources import InputSource
from eomc.binding.vectors import Real, Values, real_array


class Columns:
    """`rhs` and `jac` of states of the shape (nx, k), one per column, with one time for all or (k,) times.

    Elsewhere k states are rows, (k, nx); no number of a square array tells one from the other, so the caller does::

        solve_ivp(sim.columns.rhs, (0, 10), x0, method="Radau", vectorized=True)
        solve_bvp(sim.columns.rhs, ends, t, x, fun_jac=sim.columns.jac)

    One state, (nx,), is as everywhere; one column, (nx, 1), is one state, too: where its accelerations are not
    determined, ``SingularSystemError`` is raised. Of several states such a column becomes NaN, with a warning.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def rhs(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the state derivatives dx/dt in the shape of `x`.

        Parameters
        ----------
        t, x
            Time [s], states (nx, k).
        inputs, parameters
            As everywhere; inputs of k states are rows, (k, nr), or follow a function of time.
        """
        t, states = self._rows(t, x)
        rates = self._evaluator.evaluate("rhs", t, states, inputs, parameters)
        return rates.reshape(np.shape(x)) if rates.ndim == 1 else rates.T

    def jac(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return df/dx, shape (nx, nx), or (nx, nx, k) for states (nx, k); the arguments are those of `rhs`."""
        t, states = self._rows(t, x)
        A, _ = self._evaluator.arrays("jacobian", t, states, inputs, parameters)
        if A.ndim == 2:
            return A if np.ndim(x) == 1 else A[:, :, None]
        return np.moveaxis(A, 0, -1)

    def _rows(self, t: Any, x: ArrayLike) -> tuple[Any, Real]:
        """Return times and states as the evaluator has them: one state, or rows."""
        states = real_array(x, f"{self._evaluator.name}: states")
        if states.ndim != 2:
            return t, self._evaluator.checked_state(states)
        if len(states) != self._evaluator.shape[0]:
            raise self._evaluator.wrong_shape(states, columns=True)
        if states.shape[1] != 1:
            return t, states.T
        return (t[0] if np.shape(t) == (1,) else t), states[:, 0]
