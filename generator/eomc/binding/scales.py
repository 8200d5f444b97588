"""What of a signal is rounding: a plot shows it as a line, not as noise from edge to edge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from eomc.binding.vectors import Array


def scales_of(columns: Iterable[tuple[str, Array]], duration: float) -> dict[str, float]:
    """Return how large quantities of each unit are in a motion.

    A rate is at least what takes its quantity through its size in the time of the run, and a quantity what its rate
    makes in that time: a speed that is all rounding is judged by the way.

    Parameters
    ----------
    columns
        Units and values.
    duration
        Of the run [s].
    """
    found: dict[str, float] = {}
    for unit, values in columns:
        finite = np.abs(values[np.isfinite(values)])
        found[unit] = max(found.get(unit, 0.0), float(finite.max(initial=0.0)))
    if duration > 0.0:
        pairs = [(unit, rate) for unit in found if (rate := rate_of(unit)) in found]
        for unit, rate in pairs:
            found[rate] = max(found[rate], found[unit] / duration)
        for unit, rate in pairs:
            found[unit] = max(found[unit], found[rate] * duration)
    return found


def rate_of(unit: str) -> str:
    """Return the unit of the rate of what has a unit, in the one spelling of units; of none none."""
    power = re.search(r"/s(?:\^(\d+))?$", unit)
    if power:
        return f"{unit[: power.start()]}/s^{int(power[1] or 1) + 1}"
    return f"{unit}/s" if unit and "/" not in unit else ""


def level(curves: Sequence[Array], unit: str, scales: Mapping[str, float], eps: float) -> tuple[float, float] | None:
    """Return the limits of an axis whose curves change by no more than the rounding of their steps; else None.

    Roundings of n steps add up as a random walk does, with the root of n.

    Parameters
    ----------
    curves
        What has this axis.
    unit, scales
        Their unit, and the sizes of all units.
    eps
        Of the scalar type of the run.
    """
    scale = scales.get(unit, 0.0)
    bounds = []
    for curve in curves:
        finite = curve[np.isfinite(curve)]
        if not len(finite):
            continue
        low, high = float(finite.min()), float(finite.max())
        if high - low > 8.0 * eps * np.sqrt(len(finite)) * scale:
            return None
        bounds += [low, high]
    if not bounds:
        return None
    if max(bounds) - min(bounds) > 0.01 * scale:  # level curves at several heights show all of these
        return None
    middle, half = (min(bounds) + max(bounds)) / 2, scale or 1.0
    return middle - half, middle + half
