"""What bodies of MJCF look like: boxes, cylinders, capsules and spheres among the geoms that MuJoCo's viewer shows.

Meshes lie where MuJoCo has moved them to, height fields and ellipsoids are no shapes here: their bodies have a guess.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.frontends.mjcf.quaternions import Quaternion, matrix
from eomc.frontends.robots.matrices import Triple
from eomc.model.shapes import Shape, ShapeKind

PLANE, SPHERE, CAPSULE, CYLINDER, BOX = 0, 2, 3, 5, 6
"""Types of geoms, by MuJoCo's numbers."""

SHOWN = 3
"""Geoms of lower groups are seen; the others, by custom, are for contacts."""


@dataclass(frozen=True, slots=True)
class Geom:
    """A geom in the frame of its body: sizes are half of lengths, and radii."""

    type: int
    size: Triple
    at: Triple
    turn: Quaternion


def shape_of(geom: Geom) -> Shape | None:
    """Return a geom as a shape, None where it has none; a capsule is a cylinder without its caps."""
    x, y, z = geom.size
    made: tuple[ShapeKind, tuple[float, ...]]
    if geom.type == SPHERE:
        made = ShapeKind.SPHERE, (x,)
    elif geom.type in (CAPSULE, CYLINDER):
        made = ShapeKind.CYLINDER, (x, 2 * y)
    elif geom.type == BOX:
        made = ShapeKind.BOX, (2 * x, 2 * y, 2 * z)
    elif geom.type == PLANE and x > 0 and y > 0:
        made = ShapeKind.BOX, (2 * x, 2 * y, 0.0)
    else:
        return None
    kind, sizes = made
    return Shape(kind=kind, sizes=sizes, offset=geom.at, rotation=matrix(geom.turn))
