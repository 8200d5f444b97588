"""What a model is to look like: from which point its poses are measured, and which points beside bodies have one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy.physics.vector import Point

from eomc.errors import ModelError
from eomc.model.arguments import expressions_of, mapping_of, quoted, text_of


@dataclass(frozen=True, slots=True)
class NamedPoint:
    """A point that no body need be at: one of sympy.physics.vector, or its components from the origin."""

    name: str
    place: Any  # Point, or (x, y, z) along the axes of the inertial frame [m]


@dataclass(frozen=True, slots=True)
class Appearance:
    """What stands beside a mechanism so that it can be drawn; the equations of motion do not know it."""

    origin: Any = None  # Point; None: the fixed one
    points: tuple[NamedPoint, ...] = ()


def appearance_of(origin: Any, points: Any) -> Appearance:
    """Return the record of what a user gives.

    Raises
    ------
    ModelError
        `origin` is no Point, or one of `points` is neither a Point nor three expressions.
    """
    if origin is not None and not isinstance(origin, Point):
        raise ModelError(f"origin is {quoted(origin)}: give the Point from which poses are measured")
    given = mapping_of("points", points)
    return Appearance(origin, tuple(_point(text_of("a key of points", key), place) for key, place in given.items()))


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
