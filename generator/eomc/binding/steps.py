"""Single steps of a scheme with held inputs, and their derivatives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.contract import Compiled
from eomc.binding.controls import Asked
from eomc.binding.evaluation import Evaluator
from eomc.binding.later import Later
from eomc.binding.running import Runner
from eomc.binding.sources import InputSource
from eomc.binding.vectors import Values
from eomc.errors import UsageError
from eomc.integrators import Integrator
from eomc.ir.program import STEP_JACOBIAN
from eomc.wording import suggesting


def with_step_jacobian(build: Compiled, integrator: str) -> Compiled:
    """Return a build with the steps of an integrator and, where its functions are the usual ones, their derivatives."""
    other = build.with_integrator(integrator)
    return other if build.functions is not None else other.with_functions(STEP_JACOBIAN)


class Steps(ABC):
    """A method for each thing that is done with one step."""

    evaluator: Evaluator
    integrator: str
    _runner: Runner
    _differentiated: Later[Evaluator]

    @abstractmethod
    def _chosen(self, integrator: str | None, asked: Asked) -> Integrator:
        """Return an integrator by its name, or the one that follows from what is asked for."""

    @abstractmethod
    def _by(self, integrator: str) -> Steps:
        """Return what has the steps of an integrator."""

    @suggesting
    def step(
        self,
        t: float,
        x: ArrayLike,
        h: float,
        inputs: InputSource = None,
        parameters: Values | None = None,
        integrator: str | None = None,
        *,
        rtol: float | None = None,
        atol: ArrayLike | Mapping[Any, float] | None = None,
    ) -> NDArray[np.float64]:
        """Return the state after a step with held inputs, shape (nx,).

        By a scheme of fixed steps it is one step, that of ``_rk4_step_held`` or of another scheme, to the bit; an event
        divides it. By an adaptive one it is the motion from t to t + h, in as many steps as its tolerance takes, with
        the events on the way. The state is taken as it is, on the constraints or not.

        Parameters
        ----------
        t, x, h
            Time, state (nx,) and length of the step [s].
        inputs, parameters
            As everywhere; a function of time gives the inputs at t, which are held.
        integrator, rtol, atol
            As in `simulate`.

        Raises
        ------
        SingularSystemError, DivergenceError, StepError, EventError
            As of `simulate`; EventError also where an event ends the motion before t + h.
        UsageError
            Something above is not as described, or the integrator does not take it.
        """
        asked = Asked(rtol, atol)
        chosen = self._chosen(integrator, asked)
        runner = self._by(chosen.asked)._runner
        if chosen.adaptive:
            return runner.step_adaptive(asked, t, x, h, inputs, parameters)
        if asked.tolerates:
            raise UsageError(f"{asked.names[0]} is not for {chosen.name}, whose steps are fixed")
        return runner.step(t, x, h, inputs, parameters)

    def step_jacobian(
        self,
        t: float,
        x: ArrayLike,
        dt: float,
        inputs: InputSource = None,
        parameters: Values | None = None,
        integrator: str | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Take one step with held inputs, and differentiate it: what EKF, MPC and LQR linearize about.

        The derivatives are exact, through all stages and a projection at the end: those of ``_rk4_step_held`` or of
        another scheme. A build with the usual functions gets it when it is first asked for, as it gets `jacobian`.

        Parameters
        ----------
        t, x, dt
            Time, state (nx,) and length of the step [s].
        inputs, parameters
            As everywhere; a function of time gives the inputs at t, which are held.
        integrator
            A scheme of `eomc.tableaus`; None: the build's own.

        Returns
        -------
        x
            The state at t + dt, shape (nx,).
        F, G
            Its derivatives by the state at t (nx, nx) and by the inputs (nx, nr).

        Raises
        ------
        SingularSystemError
            A stage of the step has no motion.
        RunError
            The projection that ends the step finds no coordinates that meet the constraints.
        UsageError
            The functions of this build were chosen, and this is not among them.
        """
        if integrator is not None and integrator != self.integrator:
            return self._differentiated(integrator).step_jacobian(t, x, dt, inputs, parameters)
        return self.evaluator.step_jacobian(t, x, dt, inputs, parameters)
