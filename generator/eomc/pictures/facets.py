"""Flat faces of solids, which tell in a flat picture how a solid stands in space."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.model.shapes import ShapeKind
from eomc.pictures.motion import Array
from eomc.pictures.turning import rotated
from eomc.scenery import Solid

_RIM = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)
_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def is_wheel(solid: Solid) -> bool:
    """Whether a solid is a cylinder wider than long: a spoke along its x shows how it turns about its axis."""
    return solid.kind is ShapeKind.CYLINDER and solid.sizes[1] < 2.0 * solid.sizes[0]


def facets(solid: Solid) -> Iterator[tuple[Array, Array]]:
    """Yield outward normals (3,) and corners (n, 3), in the frame of a box or a cylinder; of others none."""
    offset, quaternion = np.array(solid.offset), np.array(solid.quaternion)
    axes = range(3) if solid.kind is ShapeKind.BOX else (2,) if solid.kind is ShapeKind.CYLINDER else ()
    for axis in axes:
        for side in (-1.0, 1.0):
            normal, corners = np.zeros(3), np.zeros((4 if len(axes) == 3 else len(_RIM), 3))
            normal[axis] = side
            if len(axes) == 3:
                corners[:, [(axis + 1) % 3, (axis + 2) % 3]] = _SQUARE
                corners[:, axis] = side / 2
                corners *= np.array(solid.sizes)
            else:
                radius, length = solid.sizes
                corners[:, 0], corners[:, 1] = radius * np.cos(_RIM), radius * np.sin(_RIM)
                corners[:, 2] = side * length / 2
            yield rotated(quaternion, normal), rotated(quaternion, corners) + offset
