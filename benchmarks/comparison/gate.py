"""Who agrees with whom, before any time is taken."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

__all__ = ["difference", "disagreements", "missed"]


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Return the largest difference of two results at all states, each beside the largest component there.

    What is not finite differs by infinity, and so do results of different shapes or of no state at all.
    """
    if one.shape != other.shape or not one.size:
        return float("inf")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        return float("inf")
    axes = tuple(range(1, one.ndim))
    size = np.maximum(abs(one).max(axis=axes), abs(other).max(axis=axes))
    apart = abs(one - other).max(axis=axes)
    return float((apart / np.where(size > 0.0, size, 1.0)).max())


def missed(needed: np.ndarray, given: np.ndarray, bias: np.ndarray) -> float:
    """Return how far accelerations are from solving M u' = tau - bias, beside the largest force, M u' and bias apart.

    `needed` are the forces that they need, `given` those that act. Where M is nearly singular, accelerations that
    differ in many digits need the same forces.
    """
    if needed.shape != given.shape or not np.isfinite(needed).all() or not needed.size:
        return float("inf")
    size = np.maximum(abs(needed - bias).max(axis=1), abs(bias).max(axis=1))
    apart = abs(needed - given).max(axis=1)
    return float((apart / np.where(size > 0.0, size, 1.0)).max())


def disagreements(results: Mapping[str, np.ndarray], tolerance: float) -> tuple[list[str], float]:
    """Return who differs from the first, in a sentence each, and the largest difference that was seen."""
    found, worst = [], 0.0
    first, *others = results
    for name in others:
        apart = difference(results[first], results[name])
        worst = max(worst, apart)
        if not apart <= tolerance:
            found.append(f"{first} and {name} differ by {apart:.1e}")
    return found, worst
