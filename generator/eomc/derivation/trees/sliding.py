"""Origins slid along the axes of revolute rows, to where their offsets have fewer entries.

Every point of its axis may be the origin of a revolute row. The foot of the perpendicular from the parent's origin
takes from the offset what it has along the axis; a row on the ground is slid to the level of the first row it carries,
as no offset of its own matters there.
"""

from __future__ import annotations

from dataclasses import replace

from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.moments import Moments, shifted
from eomc.derivation.trees.rows import GROUND, Place, Row, TreeRows
from eomc.derivation.trees.tensors import filled
from eomc.derivation.trees.turns import into, out
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, plus
from eomc.model.trees.records import JointKind


def slide_origins(graph: Graph, given: TreeRows) -> TreeRows:
    """Return rows whose origins are at feet of perpendiculars, where that makes no offset fuller."""
    rows, children = list(given.rows), given.children()
    slides: list[Node] = []
    for i, row in enumerate(rows):
        slides.append(_slide(graph, rows, i, children[i]) if row.kind is JointKind.REVOLUTE else graph.zero)
        if slides[i] == graph.zero:
            continue
        along = (graph.zero, graph.zero, slides[i])
        rows[i] = replace(
            row,
            offset=_without_rest(graph, row, plus(graph, row.offset, out(factors(graph, row.rotation), along))),
            moments=_seen_from(graph, row.moments, along),
        )
        for child in children[i]:
            rows[child] = replace(rows[child], offset=_less(graph, rows[child].offset, slides[i]))
    places = {name: _moved(graph, place, slides) for name, place in given.places.items()}
    return replace(given, rows=tuple(rows), places=places)


def _slide(graph: Graph, rows: list[Row], i: int, children: list[int]) -> Node:
    """Return how far the origin of a row goes along its axis."""
    row = rows[i]
    if row.parent == GROUND:
        return rows[children[0]].offset[2] if children else graph.zero
    rotation = factors(graph, row.rotation)
    height = graph.neg(into(rotation, row.offset)[2])
    along = out(rotation, (graph.zero, graph.zero, height))
    after = _without_rest(graph, row, plus(graph, row.offset, along))
    return height if filled(graph, after) <= filled(graph, row.offset) else graph.zero


def _without_rest(graph: Graph, row: Row, offset: Components) -> Components:
    """Return an offset without what it has along the axis, which is nothing or rounding."""
    rotation = factors(graph, row.rotation)
    x, y, _ = into(rotation, offset)
    return offset if row.parent == GROUND else out(rotation, (x, y, graph.zero))


def _seen_from(graph: Graph, moments: Moments, point: Components) -> Moments:
    x, y, z = point
    return shifted(graph, moments, (graph.neg(x), graph.neg(y), graph.neg(z)))


def _less(graph: Graph, r: Components, slide: Node) -> Components:
    return r[0], r[1], graph.sub(r[2], slide)


def _moved(graph: Graph, place: Place, slides: list[Node]) -> Place:
    if place.row == GROUND:
        return place
    return replace(place, origin=_less(graph, place.origin, slides[place.row]))
