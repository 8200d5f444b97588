"""Moments that a joint cannot tell from those of what carries it go there: fewer entries, the same motion.

About a revolute axis mass on the axis moves alike in both bodies, so that m, h_z and S_zz go; along a prismatic axis
nothing turns, so that S goes whole (Khalil & Dombre, *Modeling, Identification and Control of Robots* (2002), chapter
9: base parameters). Nothing is divided by. Regrouped moments are not those of a body: physical checks come before.
"""

from __future__ import annotations

from dataclasses import replace

from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.moments import Moments, carried, moments_plus
from eomc.derivation.trees.rows import GROUND, TreeRows
from eomc.derivation.trees.tensors import Symmetric, no_tensor
from eomc.ir.graph import Graph
from eomc.model.trees.records import JointKind


def regroup(graph: Graph, given: TreeRows) -> TreeRows:
    """Return rows without what their joints cannot move, from the leaves to the ground."""
    zero = graph.zero
    moments = {GROUND: given.grounded, **{i: row.moments for i, row in enumerate(given.rows)}}
    for i, row in reversed(list(enumerate(given.rows))):
        mass, (x, y, z), second = moments[i].mass, moments[i].first, moments[i].second
        if row.kind is JointKind.REVOLUTE:
            still = Moments(mass, (zero, zero, z), Symmetric(zero, zero, second.zz, zero, zero, zero))
            moments[i] = Moments(zero, (x, y, zero), second._replace(zz=zero))
        elif row.kind is JointKind.PRISMATIC:
            still = Moments(zero, (zero, zero, zero), second)
            moments[i] = replace(moments[i], second=no_tensor(graph))
        else:
            continue
        offset = row.offset if row.kind is JointKind.REVOLUTE else (zero, zero, zero)
        moved = carried(graph, factors(graph, row.rotation), offset, still)
        moments[row.parent] = moments_plus(graph, moments[row.parent], moved)
    rows = tuple(replace(row, moments=moments[i]) for i, row in enumerate(given.rows))
    return replace(given, rows=rows, grounded=moments[GROUND])
