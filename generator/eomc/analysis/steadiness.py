"""Which rates must vanish for a motion to be steady: an equilibrium, or a motion that stays as it is.

A wheel rolls and a disk runs in a circle while their coordinates x, y and theta grow: these enter no acceleration, so
that the linear equations of the others stay what they are. What must rest are all speeds, and every coordinate and
extra state that has a part in a rate that must. Extra states that act on each other in a circle are motions of their
own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_Truths = NDArray[np.bool_]


def that_must_rest(acts: _Truths, speeds: _Truths, extra: _Truths) -> _Truths:
    """Return which states must have the rate zero.

    Parameters
    ----------
    acts
        Shape (n, n): whether the rate of state i depends on state j.
    speeds, extra
        Shape (n,): which states are speeds or momenta, and which are extra states.
    """
    core = speeds | _on_circles(acts & np.outer(extra, extra))
    for _ in core:  # no way to a further state is longer
        core = core | acts[core].any(axis=0)
    return core


def _on_circles(acts: _Truths) -> _Truths:
    """Return which states act on themselves, by themselves or by way of others."""
    reached = acts
    for _ in range(len(acts).bit_length()):  # each time by ways of twice the length
        reached = reached | (reached.astype(np.int64) @ reached.astype(np.int64) > 0)
    return np.diagonal(reached).astype(np.bool_)
