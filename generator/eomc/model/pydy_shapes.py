"""Shapes of PyDy's viewer, read by what they have; PyDy is not imported.

Its viewer draws with three.js, whose cylinders stand along y and whose circles and planes lie in x and y.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eomc.errors import ModelError
from eomc.model.shapes import Shape

_MADE: dict[str, Callable[[Any, str], Shape]] = {
    "Cube": lambda one, colour: Shape.box(one.length, one.length, one.length, colour=colour),
    "Box": lambda one, colour: Shape.box(one.width, one.height, one.depth, colour=colour),
    "Plane": lambda one, colour: Shape.box(one.length, one.width, 0, colour=colour),
    "Cylinder": lambda one, colour: Shape.cylinder(one.radius, one.length, axis="y", colour=colour),
    "Circle": lambda one, colour: Shape.cylinder(one.radius, 0, colour=colour),
    "Sphere": lambda one, colour: Shape.sphere(one.radius, colour=colour),
    "Tetrahedron": lambda one, colour: Shape.sphere(one.radius, colour=colour),
    "Octahedron": lambda one, colour: Shape.sphere(one.radius, colour=colour),
    "Icosahedron": lambda one, colour: Shape.sphere(one.radius, colour=colour),
}


def is_pydy_shape(value: Any) -> bool:
    """Whether a value has what every shape of PyDy has."""
    return hasattr(value, "geometry_attrs") and hasattr(value, "material")


def from_pydy(value: Any) -> Shape:
    """Return a shape of PyDy as one of ours; a polyhedron is the sphere about it.

    Raises
    ------
    ModelError
        It is a cone, a torus, a knot or a tube.
    """
    kind = type(value).__name__
    if kind not in _MADE:
        raise ModelError(f"PyDy's {kind} has no counterpart: give a {', '.join(sorted(_MADE))} or an eomc.Shape")
    return _MADE[kind](value, str(value.color))
