"""A scene: solids and segments in numbers, each in the frame of a row of poses or of the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from eomc.model.shapes import ShapeKind
from eomc.model.surfaces import Surface
from eomc.wording import counted

Floats: TypeAlias = tuple[float, ...]
_NAMED = 4  # of many files
GROUND = -1
"""In the place of a row: the ground."""


@dataclass(frozen=True, slots=True)
class Solid:
    """A box, cylinder (about its z), sphere, mesh or point, fixed in a frame.

    Attributes
    ----------
    row
        The row of poses that it follows, or `GROUND`.
    name
        Of the body, link or point; ``"ground"``.
    sizes
        As the kind tells, :class:`~eomc.model.shapes.ShapeKind` [m]; of a point none.
    offset, quaternion
        Of the shape in the frame: v = R v_shape + offset, with the unit quaternion (w, x, y, z) of R.
    file, surface
        Of a mesh, as it was written, and its triangles before they are scaled.
    guessed
        Whether mass and inertia made it.
    """

    row: int
    name: str
    kind: ShapeKind
    sizes: Floats
    offset: Floats
    quaternion: Floats
    file: str = ""
    colour: str = ""
    guessed: bool = False
    surface: Surface | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A line between two places, each in a frame."""

    start_row: int
    start: Floats
    end_row: int
    end: Floats
    style: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn of a model.

    Attributes
    ----------
    name, description
        Of the model.
    rows
        What the rows of poses are of, ``Simulator.pose_names``.
    solids, segments
        What follows them, and what stands on the ground.
    up
        The direction against gravity in inertial axes; None where there is none.
    left_out
        What has no pose, and so is not seen: name and reason.
    unread
        Files of meshes that are not drawn, and why; a body that has no other shape is drawn by a guess.
    bare
        Bodies, links and points that should have these meshes.

    Examples
    --------
    >>> import eomc
    >>> eomc.scene(eomc.load("four_bar")).rows
    ('crank', 'coupler', 'rocker')
    """

    name: str
    description: str
    rows: tuple[str, ...]
    solids: tuple[Solid, ...]
    segments: tuple[Segment, ...]
    up: Floats | None
    left_out: tuple[tuple[str, str], ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    bare: tuple[str, ...] = ()

    @property
    def guessed(self) -> tuple[str, ...]:
        """What is drawn by a guess."""
        return tuple(dict.fromkeys(one.name for one in self.solids if one.guessed))

    @property
    def unread_words(self) -> str:
        """Which meshes are not drawn, and why, in a sentence; "" where all are."""
        if not self.unread:
            return ""
        named = "; ".join(f"{file}: {reason}" for file, reason in self.unread[:_NAMED])
        more = f"; and {len(self.unread) - _NAMED} more" if len(self.unread) > _NAMED else ""
        others = f" and {len(self.bare) - _NAMED} more" if len(self.bare) > _NAMED else ""
        owners = f" of {', '.join(self.bare[:_NAMED])}{others}" if self.bare else ""
        return f"{counted(len(self.unread), 'mesh', 'meshes')}{owners} cannot be drawn ({named}{more})"
