"""What happened on the way of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eomc.binding.vectors import Array, Real


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """One event: when, which, and the states before and after it, (nx,) each."""

    t: float
    name: str
    before: Array
    after: Array

    def __repr__(self) -> str:
        return f"<{self.name} at t = {self.t:.9g}>"


def hits_of(names: tuple[str, ...], t: Array, x: Real, event: NDArray[np.intc], first: Real) -> list[Hit]:
    """Return the events among rows that follow each other.

    Parameters
    ----------
    names
        Of all events.
    t, x, event
        Rows: times, states, and numbers of the events that they are the states after, or -1.
    first
        State before the first row.
    """
    earlier = np.vstack([first[None], x[:-1]]) if len(x) else x
    return [
        Hit(float(t[k]), names[event[k]], earlier[k].astype(np.float64), x[k].astype(np.float64))
        for k in np.flatnonzero(event >= 0).tolist()
    ]


def hits_so_far(names: Sequence[str], hits: Sequence[Hit], t: Array) -> dict[str, Array]:
    """Return how often each event has happened at the points of a run, (n,) each.

    Parameters
    ----------
    names
        Of all events.
    hits
        What happened, in order.
    t
        Times of the points; where some have one time, the last of them are the states after the events of that time.
    """
    times = np.array([hit.t for hit in hits])
    before, upto = (np.searchsorted(times, t, side=side) for side in ("left", "right"))
    left = np.searchsorted(t, t, side="right") - 1 - np.arange(len(t))  # points of the same time that follow
    passed = np.maximum(before, upto - left)
    counts = {}
    for name in names:
        own = np.append(0.0, np.cumsum([hit.name == name for hit in hits]))
        counts[name] = own[passed]
    return counts
