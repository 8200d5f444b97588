"""Functions of events: g, dg/dt, states after them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.evaluation import Evaluator
from eomc.binding.vectors import Values
from eomc.errors import UsageError
from eomc.ir.program import EventKind
from eomc.wording import did_you_mean


class EventFunctions:
    """A method for each function of the emitted C that events have."""

    evaluator: Evaluator
    _kinds: tuple[EventKind, ...]

    @property
    def event_names(self) -> tuple[str, ...]:
        """Names of the events, those of impacts last."""
        return tuple(kind.name for kind in self._kinds)

    def events(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the functions g of the events and the gaps of impacts, shape (ne,) or (k, ne)."""
        return self.evaluator.evaluate("events", t, x, inputs, parameters)

    def event_rates(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return dg/dt of the events along the motion, shape (ne,) or (k, ne)."""
        return self.evaluator.evaluate("event_rates", t, x, inputs, parameters)

    def event_sizes(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the sizes of the terms of g, which its rounding is proportional to, shape (ne,) or (k, ne)."""
        return self.evaluator.evaluate("event_sizes", t, x, inputs, parameters)

    def event_times(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the times [s] of the events that have one, shape (n,) or (k, n)."""
        return self.evaluator.evaluate("event_times", t, x, inputs, parameters)

    def resets(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the states after the resets of all events but impacts, shape (n, nx) or (k, n, nx).

        Constraints are not closed; `reset` does so.
        """
        (after,) = self.evaluator.arrays("resets", t, x, inputs, parameters)
        return after

    def impacts(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return what impulses along the gaps do.

        Returns
        -------
        W
            Changes of the gaps' rates by impulses, shape (n, n) or (k, n, n).
        jumps
            Changes of the second half of the state by impulses, shape (m, n) or (k, m, n).
        e
            Coefficients of restitution, shape (n,) or (k, n).
        """
        W, jumps, e = self.evaluator.arrays("impacts", t, x, inputs, parameters)
        return W, jumps, e

    def reset(
        self, event: str, t: float, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the state (nx,) after an event at the state `x` (nx,).

        Impulses act along all gaps that are closed, and constraints are closed again.

        Raises
        ------
        UsageError
            There is no event of this name.
        RunError
            Impulses follow each other without an end, or no state near meets the constraints.
        SingularSystemError
            The masses do not determine what impulses do.
        """
        if event not in self.event_names:
            raise UsageError(f"there is no event {event!r}; {did_you_mean(str(event), self.event_names)}")
        return self.evaluator.after_event(self.event_names.index(event), event, t, x, inputs, parameters)
