"""A row of a tree as it is found, before frames are chosen for cost."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derivation.trees.moments import Moments
from eomc.derivation.trees.rows import Place
from eomc.derivation.trees.turns import Rotation
from eomc.ir.graph import Node
from eomc.lowering.vectors import Components, Matrix
from eomc.model.sympy_private import Frame, Point
from eomc.model.trees.records import JointKind


class NoTreeError(Exception):
    """A model of bodies is no tree of joints; the message says by what, for whoever asks why."""


@dataclass(frozen=True, slots=True)
class Turned:
    """Three rates that are three of the model's speeds, or these with other signs, in other axes: R^T speeds.

    Attributes
    ----------
    first
        Place of the first rate in its row.
    rotation
        R, from the axes of the row to those of the speeds.
    """

    first: int
    speeds: Components
    rotation: Rotation


@dataclass(frozen=True, slots=True)
class Draft:
    """A row: what carries it and where, and how it moves.

    Attributes
    ----------
    place
        Of its frame at the zero position, in the frame of the row that carries it.
    axis
        Of a revolute or prismatic row, in its axes; () for more rates.
    rates
        Its velocity against what carries it; three are an angular velocity in its axes, six begin with the velocity of
        its origin in these.
    where
        The frame or the point that is reached by it.
    coordinate
        Its angle or displacement.
    turns
        The rotation of a row of three or six rates beyond that of its place.
    position, outer
        Of a row of six rates, in axes in which the rotation to those of the ground is `outer`.
    turned
        Its rates that are speeds in other axes.
    """

    kind: JointKind
    place: Place
    axis: Components | tuple[()]
    label: str
    rates: tuple[Node, ...]
    where: Frame | Point
    coordinate: Node | None = None
    turns: Rotation = ()
    position: Components | None = None
    outer: Matrix | None = None
    turned: tuple[Turned, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of a tree, parents first, and the moments of what moves with each, in its frame, and of what stands."""

    drafts: tuple[Draft, ...]
    moments: dict[int, Moments]
