"""What bodies look like: boxes, cylinders, spheres, ellipsoids, meshes and lines, with sizes that may hold parameters.

A shape stands in the frame of what it belongs to: of a body with its origin at the mass centre, of a link the link's
own, of the ground the inertial frame from the origin of the poses. Nothing of it is in the equations of motion.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from eomc.errors import ModelError
from eomc.model.arguments import quoted, text_of
from eomc.model.surfaces import Surface
from eomc.model.trees.entries import direction_of, entry_of, is_number, rotation_of, triple_of
from eomc.model.trees.records import IDENTITY, ZERO, Entry, Tensor, Triple

LINE_STYLES = ("line", "rod", "spring", "damper", "rope", "pin")

_AXES: dict[str, Triple] = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
_TURNED: dict[Triple, Tensor] = {
    (1, 0, 0): ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    (0, 1, 0): ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    (0, 0, 1): IDENTITY,
}
"""Rotations that take z to an axis: v = R v_shape."""


class ShapeKind(enum.Enum):
    """What a shape is, by its sizes: of a box along x, y, z; radius and length; radius; half axes; scales; none."""

    BOX = "box"
    CYLINDER = "cylinder"  # about its z
    SPHERE = "sphere"
    ELLIPSOID = "ellipsoid"
    MESH = "mesh"
    LINE = "line"
    POINT = "point"  # as large as the picture wants


_SIZES = {
    ShapeKind.BOX: ("the size along x", "the size along y", "the size along z"),
    ShapeKind.CYLINDER: ("the radius", "the length"),
    ShapeKind.SPHERE: ("the radius",),
    ShapeKind.ELLIPSOID: ("the half axis along x", "the half axis along y", "the half axis along z"),
    ShapeKind.MESH: ("the scale along x", "the scale along y", "the scale along z"),
    ShapeKind.LINE: (),
    ShapeKind.POINT: (),
}

Ends: TypeAlias = tuple[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A shape with a fixed offset and rotation; made by `box`, `sphere`, `cylinder` and so on.

    Attributes
    ----------
    sizes
        Numbers or expressions of parameters, as the kind tells [m].
    offset, rotation
        v = rotation v_shape + offset.
    ends
        Of a line, and of a cylinder that is given by them: it has a radius alone among its sizes.
    style
        Of a line, for those who draw it: one of `LINE_STYLES`.
    file, folder
        Of a mesh, as it was written, and where relative names and packages are looked for; "" is where one works.
    surface
        Of a mesh that has no file: its triangles.
    guessed
        Whether it was made of mass and inertia, not by anyone's wish.

    Notes
    -----
    `kind` is that of the constructor; `colour` is a name, #rgb, #rrggbb, or #rrggbbaa of what is partly transparent. A
    box has its sizes along `x`, `y` and `z`; a rod goes from `start` to `end` and has a `radius`, as a sphere has.

    Examples
    --------
    >>> import eomc
    >>> eomc.Shape.sphere(0.1).sizes
    (0.1,)
    """

    kind: ShapeKind
    sizes: tuple[Entry, ...] = ()
    offset: Triple = ZERO
    rotation: Tensor = IDENTITY
    ends: Ends | None = None
    style: str = ""
    file: str = ""
    colour: str = ""
    guessed: bool = False
    folder: str = ""
    surface: Surface | None = None

    # -- makers --------------------------------------------------------------------------------------------------------

    @classmethod
    def box(
        cls, x: Any, y: Any, z: Any, *, offset: Sequence[Any] = ZERO, rotation: Any = IDENTITY, colour: str = ""
    ) -> Shape:
        """Return a box of sizes along its axes [m], its middle at `offset`.

        Examples
        --------
        >>> Shape.box(0.4, 0.1, 0.1, offset=(0.2, 0, 0)).sizes
        (0.4, 0.1, 0.1)
        """
        return _made(cls(kind=ShapeKind.BOX, sizes=(x, y, z), colour=colour), offset, rotation)

    @classmethod
    def cylinder(
        cls,
        radius: Any,
        length: Any,
        *,
        axis: str | Sequence[Any] = "z",
        offset: Sequence[Any] = ZERO,
        rotation: Any = None,
        colour: str = "",
    ) -> Shape:
        """Return a cylinder, its middle at `offset`.

        Parameters
        ----------
        radius, length
            Sizes [m].
        axis
            ``"x"``, ``"y"``, ``"z"`` or a vector of numbers.
        rotation
            Instead of an axis: v = rotation v_shape, the shape's axis being z.
        """
        shape = cls(kind=ShapeKind.CYLINDER, sizes=(radius, length), colour=colour)
        return _made(shape, offset, _rotation_to(axis) if rotation is None else rotation)

    @classmethod
    def rod(cls, start: Sequence[Any], end: Sequence[Any], radius: Any, *, colour: str = "") -> Shape:
        """Return a cylinder between two points of the body."""
        ends = triple_of("the start of a rod", start), triple_of("the end of a rod", end)
        return _made(cls(kind=ShapeKind.CYLINDER, sizes=(radius,), ends=ends, colour=colour))

    @classmethod
    def sphere(cls, radius: Any, *, offset: Sequence[Any] = ZERO, colour: str = "") -> Shape:
        """Return a sphere, its middle at `offset`."""
        return _made(cls(kind=ShapeKind.SPHERE, sizes=(radius,), colour=colour), offset)

    @classmethod
    def ellipsoid(
        cls, x: Any, y: Any, z: Any, *, offset: Sequence[Any] = ZERO, rotation: Any = IDENTITY, colour: str = ""
    ) -> Shape:
        """Return an ellipsoid with half axes along its x, y and z [m], its middle at `offset`.

        Examples
        --------
        >>> Shape.ellipsoid(0.3, 0.1, 0.1).sizes
        (0.3, 0.1, 0.1)
        """
        return _made(cls(kind=ShapeKind.ELLIPSOID, sizes=(x, y, z), colour=colour), offset, rotation)

    @classmethod
    def mesh(
        cls,
        file: str | os.PathLike[str],
        *,
        scale: Sequence[Any] = (1, 1, 1),
        offset: Sequence[Any] = ZERO,
        rotation: Any = IDENTITY,
        colour: str = "",
    ) -> Shape:
        """Return a mesh of a file: STL, OBJ or COLLADA, which `eomc.scene` reads.

        Parameters
        ----------
        file
            A path from where one works; also ``package://NAME/PATH`` and ``file:///PATH``.
        scale
            Metres in a unit of the file along x, y and z: 0.001 where it has millimetres.
        """
        sizes = triple_of("the scale of a mesh", scale)
        name = text_of("the file of a mesh", os.fspath(file) if isinstance(file, os.PathLike) else file)
        return _made(cls(kind=ShapeKind.MESH, sizes=sizes, file=name, colour=colour), offset, rotation)

    @classmethod
    def line(cls, start: Any, end: Any, style: str = "line", *, colour: str = "") -> Shape:
        """Return a line between two points.

        Parameters
        ----------
        start, end
            Three entries in the frame of the body to which the shape belongs. Among a model's ``lines`` also a Point, a
            body or its name, (body, place in its frame), or three expressions from the origin.
        style
            ``"line"``, ``"rod"``, ``"spring"``, ``"damper"``, ``"rope"`` or ``"pin"``, a joint that closes a loop.
        """
        if style not in LINE_STYLES:
            raise ModelError(f"the style of a line is {quoted(style)}: give one of {', '.join(LINE_STYLES)}")
        return _made(cls(kind=ShapeKind.LINE, ends=(start, end), style=style, colour=colour))

    # -- what others ask -----------------------------------------------------------------------------------------------

    def entries(self) -> Iterator[tuple[Entry, str]]:
        """Yield every number and expression, with what it is in words."""
        yield from zip(self.sizes, _SIZES[self.kind], strict=False)
        yield from ((entry, "the offset") for entry in self.offset)
        yield from ((entry, "the rotation") for row in self.rotation for entry in row)
        for end in self.ends or ():
            if isinstance(end, tuple):
                yield from ((entry, "an end") for entry in end)

    def moved(self, offset: Triple) -> Shape:
        """Return the shape shifted in the frame that it stands in."""
        if self.ends is not None:
            first, second = (_plus(end, offset) for end in self.ends)
            return replace(self, ends=(first, second))
        return replace(self, offset=_plus(self.offset, offset))


def _plus(a: Triple, b: Triple) -> Triple:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _made(shape: Shape, offset: Any = ZERO, rotation: Any = IDENTITY) -> Shape:
    """Return a shape whose entries have been looked at."""
    noun = f"a {shape.kind.value}"
    names = _SIZES[shape.kind]
    sizes = tuple(entry_of(f"{name} of {noun}", size) for name, size in zip(names, shape.sizes, strict=False))
    for name, size in zip(names, sizes, strict=False):
        refuse_negative(shape.kind, f"{name} of {noun}", size)
    return replace(
        shape,
        sizes=sizes,
        offset=triple_of(f"the offset of {noun}", offset),
        rotation=rotation_of(f"the rotation of {noun}", rotation),
        colour=text_of(f"the colour of {noun}", shape.colour),
    )


def refuse_negative(kind: ShapeKind, what: str, size: Entry, where: str = "") -> None:
    """Refuse a size below zero; a scale may turn a mesh inside out."""
    if kind is not ShapeKind.MESH and is_number(size) and not size >= 0:
        raise ModelError(f"{what} is {float(size):g}{where}: a size is not negative")


def _rotation_to(axis: str | Sequence[Any]) -> Tensor:
    """Return a rotation that takes z to an axis."""
    if isinstance(axis, str):
        if axis not in _AXES:
            raise ModelError(f"the axis of a cylinder is {axis!r}: give 'x', 'y', 'z' or a vector")
        return _TURNED[_AXES[axis]]
    unit = direction_of("the axis of a cylinder", axis)
    if not all(map(is_number, unit)):
        raise ModelError(f"the axis of a cylinder is {quoted(axis)}: give a vector of numbers, or rotation=")
    return rotation_to(unit)


def rotation_to(unit: Triple) -> Tensor:
    """Return a rotation that takes z to a unit vector of numbers."""
    if unit in _TURNED:
        return _TURNED[unit]
    x, y, z = unit
    sign = -1.0 if z < 0 else 1.0  # T. Duff et al., Journal of Computer Graphics Techniques 6 (2017)
    a = -1.0 / (sign + z)
    b = x * y * a
    first, second = (1.0 + sign * x * x * a, sign * b, -sign * x), (b, sign + y * y * a, -y)
    (p, q, r), (s, t, u) = first, second
    return (p, s, x), (q, t, y), (r, u, z)
