"""Unit solids as triangles, each with its normals; sizes come as the scale of a node."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eomc.pictures.motion import Array

_AROUND = 24
_TALL = 12
_COILS, _STEPS = 8, 10


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Vertices and normals, shape (n, 3), and triangles (m, 3) that are counterclockwise from outside.

    Of a line there are no normals and no triangles: its vertices are joined in their order. Where triangles have no
    normals, they are flat.
    """

    vertices: Array
    normals: Array
    triangles: NDArray[np.integer]


def cube() -> Mesh:
    """Return a box of side 1 about the origin."""
    vertices, normals = [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal, first, second = np.zeros(3), np.zeros(3), np.zeros(3)
            normal[axis], first[(axis + 1) % 3], second[(axis + 2) % 3] = sign, sign, 1.0
            vertices += [(normal + a * first + b * second) / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            normals += [normal] * 4
    corners = 4 * np.arange(6)[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return _mesh(vertices, normals, corners.reshape(-1, 3))


def cylinder() -> Mesh:
    """Return a cylinder of radius 1 and length 1 along z about the origin."""
    angles = np.linspace(0.0, 2.0 * np.pi, _AROUND + 1)
    rim = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
    vertices, normals, triangles = [], [], []
    half = np.array([0.0, 0.0, 0.5])
    vertices += [*(rim - half), *(rim + half)]
    normals += [*rim, *rim]
    count = _AROUND + 1
    for k in range(_AROUND):
        triangles += [(k, k + 1, count + k + 1), (k, count + k + 1, count + k)]
    for sign in (-1.0, 1.0):
        first = len(vertices)
        vertices += [sign * half, *(rim + sign * half)]
        normals += [2 * sign * half] * (count + 1)
        for k in range(1, _AROUND + 1):
            near, far = (first + k, first + k + 1)[:: 1 if sign > 0 else -1]
            triangles.append((first, near, far))
    return _mesh(vertices, normals, triangles)


def sphere() -> Mesh:
    """Return a sphere of radius 1."""
    polar, around = np.meshgrid(
        np.linspace(0.0, np.pi, _TALL + 1), np.linspace(0.0, 2.0 * np.pi, _AROUND + 1), indexing="ij"
    )
    points = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], axis=-1)
    points = points.reshape(-1, 3)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    count, triangles = _AROUND + 1, []
    for row in range(_TALL):
        for k in range(_AROUND):
            a, b = row * count + k, (row + 1) * count + k
            triangles += [(a, b, b + 1)] * (row < _TALL - 1) + [(a, b + 1, a + 1)] * (row > 0)
    return _mesh(points, points, triangles)


def coil() -> Mesh:
    """Return a spring of radius 1 from the origin to 1 along z, as a line."""
    share = np.linspace(0.0, 1.0, _COILS * _STEPS + 1)
    angle = 2.0 * np.pi * _COILS * share
    turns = np.stack([np.cos(angle), np.sin(angle), 0.1 + 0.8 * share], axis=1)
    whole = np.concatenate([[[0.0, 0.0, 0.0], [0.0, 0.0, 0.1]], turns, [[0.0, 0.0, 0.9], [0.0, 0.0, 1.0]]])
    return _mesh(whole, np.empty((0, 3)), np.empty((0, 3)))


def _mesh(vertices: object, normals: object, triangles: object) -> Mesh:
    return Mesh(np.array(vertices, dtype=float), np.array(normals, dtype=float), np.array(triangles, dtype=np.uint16))


MESHES = {"box": cube, "cylinder": cylinder, "sphere": sphere, "spring": coil}
