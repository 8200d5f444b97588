"""What the components of an arm in a frame are: an offset that is constant, and shifts along constant directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.found.constants import settled
from eomc.derivation.found.steps import unit
from eomc.derivation.trees.tensors import AXES
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.lowering.vectors import Components, each, three
from eomc.passes.differentiate import Tangents
from eomc.passes.substitute import Substitution


@dataclass(frozen=True, slots=True)
class Shift:
    """A displacement along a unit vector that is constant in its frame."""

    axis: Components
    displacement: Node


def shifts_of(graph: Graph, coordinates: Sequence[Node], arm: Components) -> tuple[Components, list[Shift]]:
    """Return the constant offset of an arm and its shifts.

    One coordinate along a direction askew is one shift; any other function shifts along the axis of its component.
    """
    moving = [k for k in AXES if graph.level[arm[k]] == Level.VARYING]
    if len(moving) > 1:
        askew = _along_one(graph, coordinates, arm)
        if askew is not None:
            return askew
    offset = three(graph.zero if k in moving else arm[k] for k in AXES)
    shifts = []
    for k in moving:
        sign = graph.ops[arm[k]] is Op.NEG  # along the other direction of the axis
        shifts.append(
            Shift(each(graph.neg, unit(graph, k)), graph.neg(arm[k])) if sign else Shift(unit(graph, k), arm[k])
        )
    return offset, shifts


def _along_one(graph: Graph, coordinates: Sequence[Node], arm: Components) -> tuple[Components, list[Shift]] | None:
    """Return an arm that is a constant one and one coordinate times a constant direction; None for others."""
    g = graph
    held = [q for q in coordinates if any(g.holds[entry] & g.holds[q] for entry in arm)]
    if len(held) != 1:
        return None
    (q,) = held
    slope = each(Tangents(g, {q: g.one}), arm)
    offset = each(Substitution(g, {q: g.zero}), arm)
    if any(g.level[entry] == Level.VARYING for entry in (*slope, *offset)):
        return None
    length = settled(g, g.unary(Op.SQRT, g.sum(g.powi(entry, 2) for entry in slope)))
    axis = each(lambda entry: settled(g, g.div(entry, length)), slope)
    return offset, [Shift(axis, g.mul(length, q))]
