"""Products of the derivatives of steps that follow each other."""

from __future__ import annotations

import math

import numpy as np

from eomc.binding.vectors import Array


def chained(by: Array, before: Array) -> Array:
    """Return dx/d(x0, p) after steps with derivatives `by`, (..., nx, nx + np), from those before, (..., nx, m)."""
    n = by.shape[-2]
    after: Array = by[..., :n] @ before
    after[..., after.shape[-1] - (by.shape[-1] - n) :] += by[..., n:]
    return after


def running_products(by: Array, start: Array) -> Array:
    """Return dx/d(x0, p) after each of k steps, (k, nx, nx + np).

    Blocks of about sqrt(k) steps are multiplied side by side, then their products one after the other, so that NumPy is
    called some sqrt(k) times.

    Parameters
    ----------
    by
        Of each step, (k, nx, nx + np).
    start
        Before the first, (nx, nx + np).
    """
    count, n, width = by.shape
    length = max(1, math.isqrt(count))
    blocks = -(-count // length)
    padded = np.repeat(np.eye(n, width)[None], blocks * length, axis=0)
    padded[:count] = by
    inner = padded.reshape(blocks, length, n, width)
    for k in range(1, length):
        inner[:, k] = chained(inner[:, k], inner[:, k - 1])
    starts = np.empty((blocks, n, width))
    for block in range(blocks):
        starts[block] = start
        start = chained(inner[block, -1], start)
    whole: Array = chained(inner, starts[:, None])
    return whole.reshape(-1, n, width)[:count]
