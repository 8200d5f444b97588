"""What bodies of MJCF look like: the geoms that MuJoCo's viewer shows, with their colours.

Height fields and signed distance fields are no shapes here: a body that has no other geom has a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from eomc.frontends.mjcf.quaternions import Quaternion, matrix
from eomc.frontends.robots.matrices import Triple
from eomc.model.shapes import Shape, ShapeKind
from eomc.model.surfaces import Surface

PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = 0, 2, 3, 4, 5, 6, 7
"""Types of geoms, by MuJoCo's numbers."""

UNDRAWN = -1
"""In the place of a type: what cannot be drawn."""

SOLIDS = (PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX)
"""Those whose sizes tell all of them."""

SHOWN = 3
"""Geoms of lower groups are seen; the others, by custom, are for contacts."""

PLAIN = (0.5, 0.5, 0.5, 1.0)
"""The colour of a geom that was given none."""


@dataclass(frozen=True, slots=True)
class Geom:
    """A geom in the frame of its body: sizes are half of lengths, and radii.

    Attributes
    ----------
    colour
        #rrggbb, or #rrggbbaa where it is partly transparent; "" where none was given.
    surface
        Of a mesh.
    """

    type: int
    size: Triple
    at: Triple
    turn: Quaternion
    colour: str = ""
    surface: Surface | None = None


def shapes_of(geoms: Iterable[Geom]) -> list[Shape] | None:
    """Return geoms as shapes; of a body without geoms none, and None where there are geoms but no shape of them."""
    given = list(geoms)
    found = [shape for geom in given for shape in _shapes_of(geom)]
    return found if found or not given else None


def _shapes_of(geom: Geom) -> Iterator[Shape]:
    x, y, z = geom.size
    turned = matrix(geom.turn)
    plain = Shape(kind=ShapeKind.SPHERE, sizes=(x,), offset=geom.at, rotation=turned, colour=geom.colour)
    if geom.type == SPHERE:
        yield plain
    elif geom.type == ELLIPSOID:
        yield replace(plain, kind=ShapeKind.ELLIPSOID, sizes=geom.size)
    elif geom.type in (CAPSULE, CYLINDER):
        yield replace(plain, kind=ShapeKind.CYLINDER, sizes=(x, 2 * y))
        for side in (-y, y) if geom.type == CAPSULE else ():
            ox, oy, oz = (place + side * row[2] for place, row in zip(geom.at, turned, strict=True))
            yield replace(plain, offset=(ox, oy, oz))
    elif geom.type in (BOX, PLANE):
        yield replace(plain, kind=ShapeKind.BOX, sizes=(2 * x, 2 * y, 2 * z if geom.type == BOX else 0.0))
    elif geom.type == MESH and geom.surface is not None:
        yield replace(plain, kind=ShapeKind.MESH, sizes=(1.0, 1.0, 1.0), surface=geom.surface)
