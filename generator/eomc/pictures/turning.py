"""Unit quaternions (w, x, y, z) of moving frames: of continuous sign, between two of them, and of directions."""

from __future__ import annotations

import numpy as np

from eomc.pictures.motion import Array


def unwrapped(quaternions: Array) -> Array:
    """Return quaternions along the first axis with the signs that make neighbours near each other."""
    turns = (np.einsum("k...i,k...i->k...", quaternions[1:], quaternions[:-1]) < 0.0).cumsum(axis=0)
    signs = np.concatenate([np.ones((1, *turns.shape[1:])), np.where(turns % 2, -1.0, 1.0)])
    signed: Array = quaternions * signs[..., None]
    return signed


def slerp(first: Array, last: Array, shares: Array) -> Array:
    """Return unit vectors on the great arc from one to another, shape (k, n) for k shares of the way.

    The shorter arc: of two opposite quaternions, which are one rotation, that which is nearer is taken.
    """
    cosine = float(first @ last)
    if len(first) == 4 and cosine < 0.0:
        last, cosine = -last, -cosine
    angle = 2.0 * np.arctan2(np.linalg.norm(last - first), np.linalg.norm(last + first))
    if angle < 1e-8:  # the sine of what is nearly nothing: the chord is the arc, to rounding
        found: Array = first + shares[:, None] * (last - first)
        return found
    weights = np.sin(np.stack([(1.0 - shares) * angle, shares * angle], axis=1)) / np.sin(angle)
    found = weights @ np.stack([first, last])
    return found


def rotated(quaternions: Array, vector: Array) -> Array:
    """Return R v of each quaternion (or of one)."""
    w, u = quaternions[..., :1], quaternions[..., 1:]
    once = 2.0 * np.cross(u, vector)
    found: Array = vector + w * once + np.cross(u, once)
    return found


def product(a: Array, b: Array) -> Array:
    """Return the quaternions of the rotations a after b."""
    w = a[..., :1] * b[..., :1] - np.sum(a[..., 1:] * b[..., 1:], axis=-1, keepdims=True)
    u = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w, u], axis=-1)


def inverse(quaternion: Array) -> Array:
    """Return the quaternion of the rotation back."""
    found: Array = quaternion * np.array([1.0, -1.0, -1.0, -1.0])
    return found


def along(directions: Array) -> Array:
    """Return quaternions that take z to directions of shape (k, 3), each by the shortest way from the one before."""
    found = np.empty((len(directions), 4))
    before, turned = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0, 0.0])
    for k, direction in enumerate(directions):
        half = np.concatenate([[1.0 + before @ direction], np.cross(before, direction)])
        length = float(np.linalg.norm(half))
        if length < 1e-12:  # opposite: any axis across serves
            across = np.cross(before, np.eye(3)[int(np.argmin(np.abs(before)))])
            half, length = np.concatenate([[0.0], across]), float(np.linalg.norm(across))
        turned = product(half / length, turned)
        turned /= np.linalg.norm(turned)
        found[k], before = turned, direction
    return found
