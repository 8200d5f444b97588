"""Steps that are too long for changes of the motion.

The length of a step follows from the motion alone. About an equilibrium, which is one step long, the derivative of that
step has nothing to do with the motions beside it. The error of a derivative is estimated as that of a step is, by the
derivatives of the same slopes; where it is far above the tolerance, the step is differentiated as two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eomc.binding.feeding import Feed
from eomc.binding.sensitivity.products import chained
from eomc.binding.sensitivity.reached import Reached, Steps
from eomc.binding.vectors import Array
from eomc.errors import StepError

MOST = 14
"""How often a step is halved."""
_ENOUGH = 10.0  # tolerances: a derivative has larger errors than what it is of


class Allowed(NamedTuple):
    """How far a step of an adaptive run may be off."""

    rtol: float
    nothing: Array  # what counts as nothing of each state, (nx,)
    scales: Array  # of the chosen parameters, (np,)

    def misses(self, steps: Steps, end: Reached, error: Array, limit: float) -> NDArray[np.bool_]:
        """Return which steps have derivatives with errors above a limit, beside the sizes of what they are of."""
        starts = np.abs(steps.x) + self.nothing
        scales = np.hstack([starts, np.broadcast_to(self.scales, (len(starts), len(self.scales)))])[:, None]
        sizes = (np.abs(end.x) + self.nothing)[:, :, None] + np.abs(end.by) * scales
        fine: NDArray[np.bool_] = np.abs(error) * scales <= limit * sizes
        return np.logical_not(fine.all(axis=(1, 2)))  # what is no number misses, too


class Estimated(NamedTuple):
    """Ends of steps, and how far their derivatives may be off, (k, nx, nx + np); None of a scheme without estimate."""

    end: Reached
    error: Array | None


def divided(
    make: Callable[[Steps], Estimated],
    steps: Steps,
    allowed: Allowed,
    feed: Feed,
    shares: Sequence[Fraction],
    owner: str,
    halved: int = 0,
) -> Reached:
    """Return the ends of steps, and their derivatives; those far off are taken in halves.

    Parameters
    ----------
    make
        Differentiates steps as they are.
    steps
        The steps.
    allowed
        What is far off.
    feed, shares
        The inputs, and when a step takes them.
    owner
        Name of the model, for messages.
    halved
        How often these have been.

    Raises
    ------
    StepError
        Changes need steps that are shorter by many orders.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # what leaves the numbers is taken in halves
        end, error = make(steps)
        if error is None:
            return end
        far = float(np.sqrt(allowed.rtol))
        near = min(_ENOUGH * allowed.rtol, far)
        limit = near if 0 < halved < MOST else far  # across a kink the error falls no faster than the length
        missing = allowed.misses(steps, end, error, limit)
    if not missing.any():
        return end
    if halved == MOST:
        at = steps.t[np.flatnonzero(missing)[0]]
        raise StepError(
            f"{owner}: sensitivities: at t = {at:.9g} changes of the motion need steps that are shorter than its own "
            "by many orders: give max_step, or take rodas5p where they are stiff"
        )
    rest = steps.part(missing)
    first = _half(rest.t, rest.x, rest.h / 2.0, feed, shares)
    middle = divided(make, first, allowed, feed, shares, owner, halved + 1)
    second = _half(first.t + first.h, middle.x, rest.h - first.h, feed, shares)
    last = divided(make, second, allowed, feed, shares, owner, halved + 1)
    end.by[missing] = chained(last.by, middle.by)
    return end


def _half(t: Array, x: Array, h: Array, feed: Feed, shares: Sequence[Fraction]) -> Steps:
    """Return steps with their inputs; the end of one is seen from before it, as in the C."""
    times = t[:, None] + np.array([float(share) for share in shares]) * h[:, None]
    times = np.minimum(times, np.nextafter(t + h, t)[:, None])
    return Steps(t, h, x, feed.at(times.ravel()).reshape(*times.shape, -1))
