"""Jumps of dx/dt that are no events: sensitivities would lack them, so that a run across one is refused."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from eomc.binding.sensitivity.rates import Place, Rates
from eomc.binding.sensitivity.reached import Steps
from eomc.binding.vectors import Array
from eomc.errors import RunError

_JUMP = {"double": 1e-9, "float": 1e-3}  # beside the terms of dx/dt: what a continuous one does not change
_HALVINGS = 60


class Switching(NamedTuple):
    """Looks for them."""

    rates: Rates
    real: str

    def refuse_jumps(self, steps: Steps, ends: Array, after: Array | None, before: Array | None) -> None:
        """Refuse steps that follow each other, over one of which dx/dt jumps.

        Parameters
        ----------
        steps, ends
            The steps, and the states at their ends, (k, nx).
        after, before
            The switches just after an event at which they begin, and just before one at which they end.

        Raises
        ------
        RunError
            There is such a jump.
        """
        if "switches" not in self.rates.evaluator.functions or not len(ends):
            return
        r = np.broadcast_to(steps.r, (len(ends), *steps.r.shape[1:]))
        first, last = _places(steps.t, steps.x, r[:, 0]), _places(steps.t + steps.h, ends, r[:, -1])
        sides = np.vstack([self._switches(_row(first, 0)), self._switches(last)])
        sides[0] = sides[0] if after is None else after
        sides[-1] = sides[-1] if before is None else before
        for k in range(1, len(sides)):  # on a surface it is still on the side from which it came
            sides[k] = np.where(sides[k] == 0.0, sides[k - 1], sides[k])
        changed = (sides[1:] != sides[:-1]) & (sides[:-1] != 0.0)
        for k, which in np.argwhere(changed).tolist():
            self._refuse_jump(_row(first, k), _row(last, k), which, sides[k, which])

    def _refuse_jump(self, first: Place, last: Place, which: int, side: float) -> None:
        """Refuse the jump of one switch between two places, unless dx/dt is continuous where it changes."""
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            if self._switches(_between(first, last, middle))[0, which] == side:
                low = middle
            else:
                high = middle
        places = [_between(first, last, share) for share in (low, high)]
        slopes = [self.rates.slopes(one.t, one.x, one.r) for one in places]
        x = np.abs(first.x[0]) + np.abs(last.x[0])  # of the whole step, for terms may vanish where it changes
        sizes = sum(np.abs(one.f[0]) + np.abs(one.A[0]) @ x for one in slopes)
        if np.any(np.abs(slopes[1].f[0] - slopes[0].f[0]) > _JUMP[self.real] * sizes):
            text = self.rates.evaluator.functions["switches"].output_names[which]
            raise RunError(
                f"{self.rates.evaluator.name}: sensitivities: dx/dt jumps near t = {places[1].t[0]:.9g}, where {text} "
                "changes, and the derivatives would lack that: give the model an event there, eomc.Event(g) with g "
                "zero where it changes"
            )

    def _switches(self, place: Place) -> Array:
        return self.rates.values("switches", place)


def last_start(steps: Steps) -> Place | None:
    """Return where the last of some steps begins; None of none."""
    if not len(steps.t):
        return None
    return _row(_places(steps.t, steps.x, np.broadcast_to(steps.r[:, 0], (len(steps.t), steps.r.shape[-1]))), -1)


def _places(t: Array, x: Array, r: Array) -> Place:
    nothing = np.zeros((len(t), 0))
    return Place(t, x, r, np.zeros((*x.shape, 0)), nothing, nothing)


def _row(places: Place, k: int) -> Place:
    return Place(*(one[[k]] for one in places))


def _between(first: Place, last: Place, share: float) -> Place:
    """Return a place on the line between two."""
    return Place(*(one + share * (other - one) for one, other in zip(first, last, strict=True)))
