"""The derivative of a step by the state from which it goes and by parameters, its length held: exact, for many steps.

With Y = dy/d(x, p) of a stage's state y and K = dk/d(x, p) of its slopes k = f(t, y, p):
Y_i = [1 0] + h sum_j a_ij K_j, K_i = A(y_i) Y_i + [0 P(y_i)], and [1 0] + h sum_i b_i K_i at the end. An implicit
scheme has these as one linear system, by the theorem on implicit functions. A splitting goes along one part of the
state at a time, and so do its derivatives; the semi-implicit Euler step is Euler's along the second part of the state,
then along the coordinates. Power series have a module of their own.

Source: Hairer, Norsett and Wanner, *Solving Ordinary Differential Equations I*, sec. II.6 and I.14 (internal
differentiation).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from eomc.binding.feeding import Feed
from eomc.binding.sensitivity.closing import closed
from eomc.binding.sensitivity.dividing import Estimated, divided
from eomc.binding.sensitivity.linear import linearly_implicit
from eomc.binding.sensitivity.rates import Place, Rates
from eomc.binding.sensitivity.reached import Reached, Steps, beside
from eomc.binding.vectors import Array
from eomc.errors import DivergenceError
from eomc.expansions import Expansion
from eomc.integrators import Row, Staged
from eomc.pairs import Pair
from eomc.rosenbrock import Rosenbrock

_ROUNDS = 50
_CLOSE = 1e-9  # of the terms of a slope: the next round of Newton's method ends at rounding


def differentiated(scheme: Row, rates: Rates, steps: Steps, feed: Feed, real: str, projected: bool) -> Reached:
    """Return the ends of steps, and their derivatives by the states from which they went and by parameters.

    Parameters
    ----------
    scheme
        Whose steps they are.
    rates
        dx/dt and its derivatives.
    steps
        Where they begin, how long they are, which inputs they take.
    feed
        Has the rates of the inputs.
    real
        The emitted scalar type.
    projected
        Whether a step ends with a projection onto the constraints.
    """
    if isinstance(scheme, Expansion):
        assert rates.variations is not None
        assert rates.allowed is not None
        return rates.variations.over(steps, rates.parameters, rates.allowed)  # which knows no projection
    owner, taken = rates.evaluator.name, scheme.times(projected)

    def made(some: Steps) -> Estimated:
        return _as_they_are(scheme, rates, some, feed, real, projected)

    return made(steps).end if rates.allowed is None else divided(made, steps, rates.allowed, feed, taken, owner)


def _as_they_are(
    scheme: Staged | Rosenbrock, rates: Rates, steps: Steps, feed: Feed, real: str, projected: bool
) -> Estimated:
    """Return the ends of steps, their derivatives, and how far these may be off."""
    count, n = steps.x.shape
    start = Reached(steps.x, np.repeat(np.eye(n, n + rates.chosen)[None], count, axis=0))
    taken = scheme.times(projected)
    made = _Made(rates, steps, lambda share: steps.r[:, taken.index(share)])
    error = None
    if isinstance(scheme, Rosenbrock):
        end, error = linearly_implicit(scheme, rates, steps, feed.rates(steps.t, steps.h), start)
    elif isinstance(scheme, Pair):
        end, error = _embedded(scheme, made, start)
    elif scheme.drifts:
        end = _split(scheme, made, start)
    elif scheme.implicit:
        end = _implicit(scheme, made, start)
    elif scheme.semi_implicit:
        end = _semi_implicit(made, start)
    else:
        end = _explicit(scheme, made, start)[0]
    if not projected:
        return Estimated(end, error)
    r = np.broadcast_to(made.inputs(Fraction(1)), (count, steps.r.shape[-1]))
    still = np.zeros((count, n + rates.chosen))
    place = Place(steps.t + steps.h, end.x, r, end.by, still, np.zeros_like(r))
    return Estimated(Reached(*closed(rates, place, real)), error)


class _Made(NamedTuple):
    """What makes slopes of stages."""

    rates: Rates
    steps: Steps
    inputs: Callable[[Fraction], Array]

    def at(self, share: Fraction, y: Reached) -> tuple[Array, Array]:
        """Return slopes (k, nx) and their derivatives at states, a share of the step after its beginning."""
        slopes = self.rates.slopes(self.steps.t + float(share) * self.steps.h, y.x, self.inputs(share))
        return slopes.f, slopes.along(y.by)


def _explicit(scheme: Staged, made: _Made, start: Reached) -> tuple[Reached, list[tuple[Array, Array]]]:
    """Return the ends, and the slopes."""
    found: list[tuple[Array, Array]] = []
    for row, share in zip(scheme.a, scheme.c, strict=True):
        found.append(made.at(share, beside(start, made.steps.h, row, found)))
    return beside(start, made.steps.h, scheme.b, found), found


def _embedded(scheme: Pair, made: _Made, start: Reached) -> Estimated:
    """Return the ends, and the errors of derivatives as the C estimates those of steps."""
    end, found = _explicit(scheme, made, start)
    if any(len(row) > len(found) for row in scheme.errors):
        found.append(made.at(Fraction(1), end))
    nothing = Reached(np.zeros_like(start.x), np.zeros_like(start.by))
    first, *others = (np.abs(beside(nothing, made.steps.h, row, found).by) for row in scheme.errors)
    for other in others:  # of fifth and of third order
        whole = np.hypot(first, 0.1 * other)
        first = np.where(whole > 0.0, first * (first / np.where(whole > 0.0, whole, 1.0)), first)
    return Estimated(end, first)


def _semi_implicit(made: _Made, start: Reached) -> Reached:
    coordinates = made.rates.coordinates
    for part in (slice(coordinates, None), slice(coordinates)):
        start = start.moved(made.steps.h, *made.at(Fraction(0), start), part)
    return start


def _split(scheme: Staged, made: _Made, start: Reached) -> Reached:
    h, coordinates = made.steps.h, made.rates.coordinates
    for i, drift in enumerate(scheme.drifts):
        at = scheme.c[min(i, len(scheme.b) - 1)]  # q' depends on p alone
        start = start.moved(float(drift) * h, *made.at(at, start), slice(coordinates))
        if i < len(scheme.b):
            kick = float(scheme.b[i]) * h
            start = start.moved(kick, *made.at(scheme.c[i], start), slice(coordinates, None))
    return start


def _implicit(scheme: Staged, made: _Made, start: Reached) -> Reached:
    """Return the same where the slopes k follow from each other: of k = f(x + h a k) the K solve a linear system."""
    steps, rates = made.steps, made.rates
    (count, n), stages = start.x.shape, len(scheme.b)
    weights = np.array([[float(entry) for entry in row] for row in scheme.a])
    shares = [Fraction(share) for share in scheme.c]
    k = np.repeat(rates.rates(steps.t, steps.x, made.inputs(shares[0]))[:, None], stages, axis=1)
    close = False  # whether what the slopes miss has been little, beside terms of their own
    for _ in range(_ROUNDS):
        stretched = steps.h[:, None, None] * weights
        states = steps.x[:, None] + stretched @ k
        found = [
            rates.slopes(steps.t + float(share) * steps.h, states[:, i], made.inputs(share))
            for i, share in enumerate(shares)
        ]
        A, f = (np.stack(parts, axis=1) for parts in zip(*((one.A, one.f) for one in found), strict=True))
        # (1 - h a A) is the matrix of Newton's step for the slopes, and of their derivatives
        matrix = np.repeat(np.eye(stages * n)[None], count, axis=0).reshape(count, stages, n, stages, n)
        matrix -= np.einsum("kij,kinm->kinjm", stretched, A)
        whole = matrix.reshape(count, stages * n, stages * n)
        rest = f - k
        k = k + np.linalg.solve(whole, rest.reshape(count, stages * n, 1)).reshape(k.shape)
        if close:  # the next ones are less than rounding, for what is missing has been squared
            break
        sizes = np.abs(steps.x[:, None]) + np.abs(stretched) @ np.abs(k)
        close = bool(np.all(np.abs(rest) <= _CLOSE * (np.abs(f) + np.einsum("kinm,kim->kin", np.abs(A), sizes))))
    else:
        raise DivergenceError(f"{rates.evaluator.name}: the slopes of a step of {scheme.name} are not found again")
    sides = np.stack([one.along(start.by) for one in found], axis=1)
    solved: Array = np.linalg.solve(whole, sides.reshape(count, stages * n, -1)).astype(np.float64, copy=False)
    K = solved.reshape(count, stages, n, -1)
    return beside(start, steps.h, scheme.b, [(k[:, i], K[:, i]) for i in range(stages)])
