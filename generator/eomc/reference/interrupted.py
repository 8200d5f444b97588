"""What the reference says of events: a function of it for each of the emitted C."""

from __future__ import annotations

from numpy.typing import ArrayLike

from eomc.reference.evaluation import Evaluation, Values
from eomc.reference.events import Events
from eomc.reference.instant import Instant
from eomc.reference.jets import Array


class Interrupted:
    """The functions of events."""

    _evaluation: Evaluation
    _events: Events

    def events(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return g of the events and the gaps of impacts, shape (ne,) or (k, ne)."""
        return self._evaluation.array(self._events.functions, t, x, inputs, parameters)

    def event_times(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return the times of the events that have one, shape (n,) or (k, n)."""
        return self._evaluation.array(self._events.times, t, x, inputs, parameters)

    def resets(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return the states after the resets of all events but impacts, shape (n, nx) or (k, n, nx)."""
        return self._evaluation.array(self._events.after, t, x, inputs, parameters)

    def impacts(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> tuple[Array, Array, Array]:
        """Return changes of rates and of the second half of the state by impulses, and coefficients of restitution.

        Their shapes are (n, n), (m, n) and (n,), after (k,) for k states.
        """

        def part(index: int) -> Array:
            def one(instant: Instant) -> Array:
                return self._events.impulses(instant)[index]

            return self._evaluation.array(one, t, x, inputs, parameters)

        return part(0), part(1), part(2)
