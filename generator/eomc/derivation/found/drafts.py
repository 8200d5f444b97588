"""A row of a tree as it is found, before frames are chosen for cost."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derivation.trees.rows import Place
from eomc.derivation.trees.turns import Rotation
from eomc.ir.graph import Node
from eomc.lowering.vectors import Components
from eomc.model.trees.records import JointKind


class NoTreeError(Exception):
    """A model of bodies is no tree of joints; the message says by what, for whoever asks why."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A row: what carries it and where, and how it moves.

    Attributes
    ----------
    place
        Of its frame at the zero position, in the frame of the row that carries it.
    axis
        Of a revolute or prismatic row, in its axes; () for three rates.
    rates
        Its velocity against what carries it; three are an angular velocity in its axes.
    coordinate
        Its angle or displacement.
    turns
        The rotation of a row of three rates.
    """

    kind: JointKind
    place: Place
    axis: Components | tuple[()]
    label: str
    rates: tuple[Node, ...]
    coordinate: Node | None = None
    turns: Rotation = ()
