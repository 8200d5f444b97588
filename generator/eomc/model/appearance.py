"""What a model looks like: its shapes, the ground, lines between points, and the point from which poses count.

All that a user gives is brought to names here: shapes to the bodies, links and points that wear them, ends of lines to
places in frames of these or of the ground. A Point that is no mass centre becomes one of the points that have a pose.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import sympy
from sympy.core.function import AppliedUndef
from sympy.physics.vector import Point, ReferenceFrame, dynamicsymbols

from eomc.errors import ModelError
from eomc.model.arguments import expressions_of, kind_of, mapping_of, quoted, sequence_of, text_of
from eomc.model.described import Described
from eomc.model.parts import Dynamics, MechanicalSystem, fixed_point_of
from eomc.model.pydy_shapes import from_pydy, is_pydy_shape
from eomc.model.shapes import Shape, ShapeKind
from eomc.model.trees.entries import entry_of, triple_of
from eomc.model.trees.records import ZERO, Triple
from eomc.model.trees.tree import JointTree
from eomc.wording import did_you_mean


@dataclass(frozen=True, slots=True)
class NamedPoint:
    """A point that no body need be at: one of sympy.physics.vector, or its components from the origin."""

    name: str
    place: Any  # Point, or (x, y, z) along the axes of the inertial frame [m]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in the frame of what has a pose; `row` is None for the ground."""

    row: str | None
    at: Triple = ZERO


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two places that may move against each other."""

    start: Anchor
    end: Anchor
    style: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Worn:
    """The shapes of a body, link or point."""

    name: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Appearance:
    """What stands beside a mechanism so that it can be drawn; the equations of motion do not know it."""

    origin: Any = None  # Point; None: the fixed one
    points: tuple[NamedPoint, ...] = ()
    shapes: tuple[Worn, ...] = ()
    ground: tuple[Shape, ...] = ()
    lines: tuple[Line, ...] = ()

    @property
    def moves_poses(self) -> bool:
        """Whether poses are others than those of the bodies from the fixed point."""
        return self.origin is not None or bool(self.points)

    def expressions(self) -> Iterator[tuple[sympy.Basic, str, ShapeKind | None]]:
        """Yield what is no number in shapes and lines, with its place in words, and what it is a size of."""
        for name, shapes in (*((repr(one.name), one.shapes) for one in self.shapes), ("the ground", self.ground)):
            for number, shape in enumerate(shapes, 1):
                for position, (entry, what) in enumerate(shape.entries()):
                    if isinstance(entry, sympy.Basic):
                        label = f"{what} of shape {number} of {name}"
                        yield entry, label, shape.kind if position < len(shape.sizes) else None
        for number, line in enumerate(self.lines, 1):
            for entry in (*line.start.at, *line.end.at):
                if isinstance(entry, sympy.Basic):
                    yield entry, f"an end of line {number}", None

    def rewritten(self, write: Callable[[Any], Any], centres: Mapping[str, Triple]) -> Appearance:
        """Return that of bodies made of links, whose frames are moved to `centres` of mass; `write` is for points."""
        points = tuple(
            replace(one, place=tuple(map(write, one.place))) if isinstance(one.place, tuple) else one
            for one in self.points
        )

        def carried(anchor: Anchor) -> Anchor:
            if anchor.row is None or anchor.row not in centres:
                return anchor
            return replace(anchor, at=_minus(anchor.at, centres[anchor.row]))

        kept = {None, *centres, *(one.name for one in points)}
        return Appearance(
            None,
            points,
            tuple(
                replace(one, shapes=tuple(shape.moved(_minus(ZERO, centres[one.name])) for shape in one.shapes))
                if one.name in centres
                else one
                for one in self.shapes
                if one.name in kept
            ),
            self.ground,
            tuple(
                replace(line, start=carried(line.start), end=carried(line.end))
                for line in self.lines
                if {line.start.row, line.end.row} <= kept
            ),
        )


def _minus(a: Triple, b: Triple) -> Triple:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def appearance_of(described: Described, dynamics: Dynamics) -> Appearance:
    """Return the record of what a user gives.

    Raises
    ------
    ModelError
        `origin` is no Point, something wears a shape that the model does not have, or what should be a shape, a point
        or an end of a line is none.
    """
    origin = described.get("origin")
    if origin is not None and not isinstance(origin, Point):
        raise ModelError(f"origin is {quoted(origin)}: give the Point from which poses are measured")
    given = mapping_of("points", described.get("points"))
    points = [_point(text_of("a key of points", key), place) for key, place in given.items()]
    reading = _Reading(dynamics, origin, points)
    worn = [
        Worn(reading.name(key, "shapes has"), _shapes(f"shapes[{quoted(key)}]", value))
        for key, value in mapping_of("shapes", described.get("shapes")).items()
    ]
    ground = _shapes("ground", described.get("ground", ()))
    lines = [reading.line(f"lines[{k}]", one) for k, one in enumerate(sequence_of("lines", described.get("lines", ())))]
    return Appearance(origin, tuple(reading.points), tuple(worn), ground, tuple(lines))


def _point(name: str, place: Any) -> NamedPoint:
    if isinstance(place, Point):
        return NamedPoint(name, place)
    return NamedPoint(name, coordinates_of(f"points[{name!r}]", place))


def coordinates_of(what: str, place: Any) -> tuple[sympy.Expr, sympy.Expr, sympy.Expr]:
    """Return three expressions of what is given as a place."""
    try:
        x, y, z = expressions_of(what, place)
    except ValueError as error:
        raise ModelError(f"{what} is {quoted(place)}: give a Point, or three expressions (x, y, z)") from error
    return x, y, z


def _shapes(what: str, value: Any) -> tuple[Shape, ...]:
    """Return shapes of one or a list."""
    listed = (value,) if isinstance(value, Shape) or is_pydy_shape(value) else sequence_of(what, value)
    return tuple(_shape(f"{what}[{number}]", one) for number, one in enumerate(listed))


def _shape(what: str, value: Any) -> Shape:
    if is_pydy_shape(value):
        try:
            return from_pydy(value)
        except ModelError as error:
            raise ModelError(f"{what}: {error}") from error
    if not isinstance(value, Shape):
        raise ModelError(f"{what} is {quoted(value)}: give an eomc.Shape, such as eomc.Shape.box(0.3, 0.1, 0.1)")
    if value.kind is ShapeKind.LINE:
        assert value.ends is not None
        first, second = (triple_of(f"an end of {what}", end) for end in value.ends)
        return replace(value, ends=(first, second))
    return value


class _Reading:
    """Bodies, links and points by what users call them; points that lines need are added on the way."""

    def __init__(self, dynamics: Dynamics, origin: Point | None, points: list[NamedPoint]) -> None:
        self.points = points
        self._given_origin, self._dynamics = origin, dynamics
        bodies = dynamics.bodies if isinstance(dynamics, MechanicalSystem) else ()
        # the checks of the model, which come later, tell of what is no body
        self._bodies = [body for body in bodies if isinstance(getattr(body, "masscenter", None), Point)]
        self._links = [link.name for link in dynamics.links] if isinstance(dynamics, JointTree) else []
        self._own = [*(str(body.name) for body in self._bodies), *self._links]

    @functools.cached_property
    def _origin(self) -> Point | None:
        """Where places count from; found only where a line ends at a Point, as the search takes time."""
        system = self._dynamics
        if self._given_origin is not None or not isinstance(system, MechanicalSystem):
            return self._given_origin
        if len(self._bodies) < len(system.bodies) or not isinstance(system.inertial_frame, ReferenceFrame):
            return None
        return cast("Point | None", fixed_point_of(system))

    def name(self, key: Any, who: str) -> str:
        """Return the name of a body, link or point."""
        name = key if isinstance(key, str) else getattr(key, "name", None)
        known = [*self._own, *(one.name for one in self.points)]
        listed = isinstance(key, str) or any(key is body for body in self._bodies) or kind_of(key) == "Link"
        if not listed or name not in known:
            noun = "link" if self._links else "body"
            near = f": {did_you_mean(str(name), known)}" if known else ": there is none"
            raise ModelError(f"{who} {quoted(key)}, which is no {noun} and no point of the model{near}")
        if known.count(name) > 1:
            raise ModelError(f"{who} {name!r}, and {known.count(name)} have that name: give them different names")
        return str(name)

    def line(self, what: str, value: Any) -> Line:
        """Return a line with anchored ends."""
        if not isinstance(value, Shape) or value.kind is not ShapeKind.LINE or value.ends is None:
            raise ModelError(f"{what} is {quoted(value)}: give eomc.Shape.line(start, end)")
        start, end = (self._anchor(f"an end of {what}", place) for place in value.ends)
        return Line(start, end, value.style, value.colour)

    def _anchor(self, what: str, place: Any) -> Anchor:
        if isinstance(place, Point):
            return self._at_point(place)
        if isinstance(place, str) or any(place is body for body in self._bodies):
            return Anchor(self.name(place, f"{what} is at"))
        listed = sequence_of(what, place)
        if len(listed) == 2:
            return Anchor(self.name(listed[0], f"{what} is at"), triple_of(f"{what}, its place", listed[1]))
        coordinates = coordinates_of(what, place)
        moving = any(one.atoms(AppliedUndef, sympy.Derivative) or one.has(dynamicsymbols._t) for one in coordinates)
        if not moving:
            x, y, z = (entry_of(what, one) for one in coordinates)
            return Anchor(None, (x, y, z))
        return Anchor(self._added("end", coordinates))

    def _at_point(self, point: Point) -> Anchor:
        if point is self._origin:
            return Anchor(None)
        for body, name in zip(self._bodies, self._own, strict=False):
            if body.masscenter is point and self._own.count(name) == 1:
                return Anchor(name)
        for one in self.points:
            if one.place is point:
                return Anchor(one.name)
        return Anchor(self._added(str(point.name), point))

    def _added(self, wish: str, place: Any) -> str:
        """Add a point under a name that is free."""
        taken = {*self._own, *(one.name for one in self.points)}
        name = next(one for one in (wish, *(f"{wish}_{k}" for k in range(2, len(taken) + 3))) if one not in taken)
        self.points.append(NamedPoint(name, place))
        return name
