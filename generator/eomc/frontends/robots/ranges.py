"""Limits of joints as ranges of coordinates and speeds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import sympy

from eomc.model.trees.following import Lead
from eomc.model.trees.records import Joint


def bounds_of(joints: Sequence[Joint], leads: Sequence[Lead | None]) -> dict[sympy.Expr, tuple[float, float]]:
    """Return the ranges that the limits of joints give.

    Those of a follower narrow its leader's, unless they would leave nothing of it.
    """
    found: dict[sympy.Expr, tuple[float, float]] = {}
    for joint, lead in sorted(zip(joints, leads, strict=True), key=lambda pair: pair[1] is not None):
        if joint.kind.speeds != 1:
            continue
        leader = joint if lead is None else joints[lead.joint]
        factor, offset = (1.0, 0.0) if lead is None else (lead.factor, lead.offset)
        if not isinstance(factor, (int, float)) or not isinstance(offset, (int, float)) or factor == 0:
            continue  # a range does not follow from a default, and what stands still has none
        lower, upper, speed = joint.limits.lower, joint.limits.upper, joint.limits.speed
        if lower is not None and upper is not None and lower < upper:
            ends = sorted(((lower - offset) / factor, (upper - offset) / factor))
            low, high = found.get(leader.coordinates[0], (-math.inf, math.inf))
            if max(low, ends[0]) < min(high, ends[1]):
                found[leader.coordinates[0]] = max(low, ends[0]), min(high, ends[1])
        if speed is not None and speed > 0:
            least = min(speed / abs(factor), found.get(leader.speeds[0], (0.0, math.inf))[1])
            found[leader.speeds[0]] = -least, least
    return found
