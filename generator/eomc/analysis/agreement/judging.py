"""How near two values are to each other, beside the sizes of the terms that they are made of.

A value of 1e-12 that is the difference of two terms of size 1 is known to 1e-16, no better. So nothing is judged
against the value alone, and nothing across units: each component of a function has a size and an error of its own
(`eomc.reference.noise`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.binding.vectors import Array

BLIND = 1e-8  # an error of a term in this proportion must be seen: a value that is known worse tells nothing


@dataclass(frozen=True, slots=True)
class Verdict:
    """What comes of a comparison."""

    worst: float  # |a - b| beside the size of the terms, less the errors; NaN where one has no value
    blind: bool  # the errors of a component are so large in all samples that nothing can be told


def judge(
    ours: Array, theirs: Array, size: Array, error: Array, tolerance: float, whole: Array | None = None
) -> Verdict:
    """Compare values (k, n) of a function at k samples.

    Parameters
    ----------
    ours, theirs
        The values.
    size, error
        Of the terms beside the value, and how far from the truth both may be, shapes (k, n).
    tolerance
        What is near enough, beside the size.
    whole
        Size (k, n) of what a component is part of, in its units, where that is known: an error that hides the component
        but is within the tolerance of this one hides nothing that matters. It excuses no difference beyond the error.
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        distance = np.abs(ours - theirs)
        scale = np.abs(theirs) + size
        left = np.maximum(distance - error, 0.0)
        ratio = np.where(left > 0.0, left / scale, np.where(np.isnan(distance), np.nan, 0.0))
    worst = float(np.max(ratio, initial=0.0))  # NaN stays
    excused = (distance > tolerance * scale) & (error > max(BLIND, tolerance) * scale)
    if whole is not None:
        excused &= error > tolerance * whole
    largest = np.maximum(np.abs(ours), np.abs(theirs))
    vanishes = np.all(largest <= np.maximum(error, tolerance * scale), axis=0)  # zero, but for rounding
    blind = bool(np.any(np.all(excused, axis=0) & ~vanishes)) if len(ours) else False
    return Verdict(worst, blind)
