"""Which shapes the rows of a model wear: its own where one of them is seen, guesses where there are none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from eomc.model import Model
from eomc.model.placements import placements
from eomc.model.shapes import Shape, ShapeKind
from eomc.model.surfaces import Surface
from eomc.scenery.bodies import Guesses
from eomc.scenery.meshes import Meshes
from eomc.scenery.records import GROUND


@dataclass(frozen=True, slots=True)
class WornShape:
    """A shape with the row of poses that it follows, its number among that row's from one, and a mesh's surface."""

    row: int
    name: str
    number: int
    shape: Shape
    surface: Surface | None


def worn_shapes(model: Model, values: dict[Any, float], meshes: Meshes) -> Iterator[WornShape]:
    """Yield the shapes of all rows, then those of the ground, without meshes that cannot be read.

    A mesh is a shape for each colour in its file.

    Parameters
    ----------
    model
        What has no shape that can be read has a guess, unless it was given none on purpose, or is a point.
    values
        Of the parameters by their symbols, for guesses.
    meshes
        Reads their files, and keeps what cannot be read.
    """
    appearance, guesses = model.appearance, Guesses(model, values)
    given = {one.name: one.shapes for one in appearance.shapes}
    points = {one.name for one in appearance.points}
    for row, placement in enumerate(placements(model).rows):
        name = placement.name
        found = list(_readable(row, name, given.get(name, ()), meshes))
        if not found and (given[name] if name in given else name not in points):
            found = list(_readable(row, name, (guesses.of(name),), meshes))
        yield from found
    yield from _readable(GROUND, "ground", appearance.ground, meshes)


def _readable(row: int, name: str, shapes: Iterable[Shape], meshes: Meshes) -> Iterator[WornShape]:
    for number, shape in enumerate(shapes, 1):
        if shape.kind is not ShapeKind.MESH:
            yield WornShape(row, name, number, shape, None)
            continue
        pieces = meshes.pieces_of(shape)
        if not pieces:
            meshes.bare[name] = None
        for colour, surface in pieces:
            yield WornShape(row, name, number, replace(shape, colour=colour), surface)
