"""Whether a motion is planar, and from where it is seen."""

from __future__ import annotations

import numpy as np

from eomc.pictures.motion import PICTURE, Array
from eomc.pictures.turning import inverse, product

_SEEN = 1e-3 / PICTURE
"""A thousandth of a pixel, as a share of the picture: what leaves a plane by less does so in no picture of it."""

_AXES = np.eye(3)


def common_normal(places: Array, quaternions: Array, size: float, upright: Array | None) -> Array | None:
    """Return the unit vector across which everything moves; None where there is no such vector.

    Parameters
    ----------
    places
        Of all that moves, shape (k, n, 3).
    quaternions
        Of all frames that turn, of continuous sign, shape (k, m, 4).
    size
        Of the scene [m].
    upright
        Against gravity.
    """
    away = (places - places[:1]).reshape(-1, 3) / size
    turns = product(quaternions, inverse(quaternions[:1])).reshape(-1, 4)[:, 1:]
    (most, about, rest), axes = _principal(turns)
    if max(about, rest) > _SEEN:
        return None  # rotations about several axes
    if most > _SEEN:
        normal: Array = axes[0]
        return normal if np.abs(away @ normal).max(initial=0.0) <= _SEEN else None
    spread, axes = _principal(away)
    if spread[2] > _SEEN:
        return None
    if spread[1] > _SEEN:
        across: Array = axes[2]
        return across
    # Along one line, or at rest: the plane of the line and of the vertical, x to the right where there is a choice.
    line = [axes[0]] if spread[0] > _SEEN else []
    kept = [*line, *([] if upright is None else [upright])]
    best = min(
        (_AXES[2], _AXES[1], _AXES[0]), key=lambda axis: round(max((abs(axis @ v) for v in kept), default=0.0), 9)
    )
    for v in kept:
        best = best - (best @ v) * v
    length = float(np.linalg.norm(best))
    found: Array = best / length if length > 0.5 else axes[2]
    return found


def _principal(vectors: Array) -> tuple[Array, Array]:
    """Return how far vectors reach along their principal axes, the longest first, and these as rows."""
    if not len(vectors):
        return np.zeros(3), np.eye(3)
    axes = np.linalg.svd(vectors.T @ vectors)[2]
    return np.abs(vectors @ axes.T).max(axis=0), axes


def axes_of_view(normal: Array | None, upright: Array | None) -> tuple[Array, Array, Array]:
    """Return right, up and the normal of a view: x to the right, gravity downwards.

    A motion that is not planar is seen from the front, from a little above and to the side.
    """
    if normal is None:
        vertical = _AXES[2] if upright is None else upright
        ahead = _across(_AXES[1] if abs(vertical[1]) < 0.9 else -_AXES[2], vertical)
        side = np.cross(ahead, vertical)
        towards = -np.cos(0.6) * ahead + np.sin(0.6) * side
        normal = np.cos(0.35) * towards + np.sin(0.35) * vertical
        up = _across(vertical, normal)
        return np.cross(up, normal), up, normal
    if upright is None or abs(upright @ normal) > 0.9:  # seen from above, or nothing is above
        slants = np.round(np.abs(normal), 9)
        up = _across(_AXES[min((1, 2, 0), key=lambda k: float(slants[k]))], normal)
        from_above = upright is not None
        if upright is not None and upright @ normal < 0.0:
            normal = -normal
    else:
        up, from_above = _across(upright, normal), False
    right = np.cross(up, normal)
    if not from_above and right[int(np.argmax(np.abs(right)))] < 0.0:
        right, normal = -right, -normal
    return right, up, normal


def _across(vector: Array, normal: Array) -> Array:
    """Return the unit vector of what of a vector is across another."""
    rest = vector - (vector @ normal) * normal
    found: Array = rest / np.linalg.norm(rest)
    return found


def frame_of(moving: Array, standing: Array) -> tuple[Array, Array]:
    """Return corners of what is seen: all that moves, and of what stands as much as widens it by half on each side.

    Parameters
    ----------
    moving, standing
        Corners of what is drawn, along right, up and normal, shapes (n, 3) and (m, 3).
    """
    seen = moving if len(moving) else standing
    low, high = seen.min(axis=0), seen.max(axis=0)
    if len(standing):
        wide = 0.5 * (high - low).max()
        low = np.minimum(low, np.maximum(standing.min(axis=0), low - wide))
        high = np.maximum(high, np.minimum(standing.max(axis=0), high + wide))
    size = float((high - low)[:2].max()) or 1.0
    least = 0.4 * size  # no picture is a strip
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, least / 2) + 0.05 * size
    return middle - half, middle + half
