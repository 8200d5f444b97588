"""Model -> Scene: every size a number, every shape with the row of poses that it follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eomc.errors import UsageError
from eomc.model import MechanicalSystem, Model
from eomc.model.appearance import Anchor, Line
from eomc.model.arguments import mapping_of, number_of
from eomc.model.placements import placements
from eomc.model.shapes import ShapeKind, refuse_negative
from eomc.model.trees.tree import JointTree
from eomc.scenery.meshes import Meshes
from eomc.scenery.numbers import Numbers, between, quaternion_of
from eomc.scenery.records import GROUND, Floats, Scene, Segment, Solid
from eomc.scenery.worn import WornShape, worn_shapes
from eomc.wording import did_you_mean, suggesting


@suggesting
def scene(model: Model, parameters: Mapping[Any, float] | None = None) -> Scene:
    """Return what a model looks like, in numbers.

    Parameters
    ----------
    model
        Its shapes, ground and lines; bodies and links without a shape have one that is guessed from mass and inertia,
        and labelled so; files of meshes are read, and those that cannot be are told in `unread`.
    parameters
        By name or symbol; what is not given has its default.

    Returns
    -------
    Scene
        Solids and segments, each with the row of ``Simulator.poses`` that it follows.

    Raises
    ------
    UsageError
        An unknown parameter, a value that is no number.
    ModelError
        A size is negative with these parameters.

    Examples
    --------
    >>> import eomc
    >>> found = eomc.scene(eomc.load("four_bar"))
    >>> found.rows
    ('crank', 'coupler', 'rocker')
    """
    values = _values(model, parameters)
    placed = placements(model)
    names = tuple(row.name for row in placed.rows)
    making, meshes = _Making(Numbers(values), names), Meshes()
    for one in worn_shapes(model, values, meshes):
        making.add(one)
    for line in model.appearance.lines:
        making.join(line)
    return Scene(
        name=model.name,
        description=model.description,
        rows=names,
        solids=tuple(making.solids),
        segments=tuple(making.segments),
        up=_up(model, Numbers(values)),
        left_out=placed.left_out,
        unread=tuple(meshes.unread.items()),
        bare=tuple(meshes.bare),
    )


class _Making:
    """The solids and segments so far."""

    def __init__(self, numbers: Numbers, names: Sequence[str]) -> None:
        self._numbers = numbers
        self._rows = {name: row for row, name in reversed(list(enumerate(names)))}
        self.solids: list[Solid] = []
        self.segments: list[Segment] = []

    def add(self, worn: WornShape) -> None:
        """Add a shape."""
        row, shape = worn.row, worn.shape
        if shape.kind is ShapeKind.LINE:
            assert shape.ends is not None
            start, end = map(self._numbers.each, shape.ends)
            self.segments.append(Segment(row, start, row, end, shape.style, shape.colour))
        else:
            self.solids.append(self._solid(worn))

    def _solid(self, worn: WornShape) -> Solid:
        shape, where = worn.shape, f"of shape {worn.number} of {worn.name!r}"
        sizes = self._numbers.each(shape.sizes)
        for size, (_, what) in zip(sizes, shape.entries(), strict=False):
            refuse_negative(shape.kind, f"{what} {where}", size, " with these parameters")
        if shape.ends is None:
            offset, rotation = self._numbers.each(shape.offset), self._numbers.matrix(shape.rotation)
        else:
            middle, length, rotation = between(*map(self._numbers.each, shape.ends))
            offset, sizes = tuple(middle.tolist()), (*sizes, length)
        turned = quaternion_of(rotation)
        return Solid(
            worn.row,
            worn.name,
            shape.kind,
            sizes,
            offset,
            turned,
            shape.file,
            shape.colour,
            shape.guessed,
            worn.surface,
        )

    def join(self, line: Line) -> None:
        """Add a line, unless an end of it has no pose."""
        ends = [self._place(anchor) for anchor in (line.start, line.end)]
        if None not in ends:
            (start_row, start), (end_row, end) = ends  # type: ignore[misc]  # neither is None
            self.segments.append(Segment(start_row, start, end_row, end, line.style, line.colour))

    def _place(self, anchor: Anchor) -> tuple[int, Floats] | None:
        at = self._numbers.each(anchor.at)
        if anchor.row is None:
            return GROUND, at
        return (self._rows[anchor.row], at) if anchor.row in self._rows else None


def _values(model: Model, parameters: Mapping[Any, float] | None) -> dict[Any, float]:
    """Return the parameters by their symbols."""
    values = {one.symbol: one.value for one in model.parameters}
    by_name = {one.name: one.symbol for one in model.parameters}
    for key, value in mapping_of("parameters", parameters).items():
        symbol = key if key in values else by_name.get(key) if isinstance(key, str) else None
        if symbol is None:
            raise UsageError(f"{model.name}: parameter {key!s} is unknown: {did_you_mean(str(key), list(by_name))}")
        values[symbol] = number_of(f"{model.name}: parameter {key!s}", value, UsageError)
    return values


def _up(model: Model, numbers: Numbers) -> Floats | None:
    """Return the unit vector against gravity where that is constant in inertial axes; None elsewhere."""
    dynamics = model.dynamics
    if isinstance(dynamics, JointTree):
        entries: Sequence[Any] = dynamics.gravity
    elif isinstance(dynamics, MechanicalSystem) and dynamics.gravity is not None:
        pieces = dynamics.gravity.args
        if len(pieces) != 1 or pieces[0][1] is not dynamics.inertial_frame:
            return None
        entries = pieces[0][0].flat()
    else:
        return None
    vector = np.array(numbers.each(entries))
    length = float(np.linalg.norm(vector))
    return None if length == 0.0 else tuple((-vector / length + 0.0).tolist())
