"""Composite bodies: the mass matrix, a column for each rate, from the moments of all that a joint carries.

Walker & Orin, *Efficient dynamic computer simulation of robotic mechanisms*, J. Dyn. Sys. Meas. Control 104 (1982);
Featherstone (2008), section 6.2. The wrench of a unit acceleration is carried inwards and read at each ancestor:
entries between branches are zeros, and L D L^T from the leaves to the root makes no others (section 6.3).
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derivation.trees.joints import JointMotion, Rate
from eomc.derivation.trees.moments import Moments, carried, moments_plus
from eomc.derivation.trees.newton_euler import Wrench, component, wrench_out
from eomc.derivation.trees.rows import GROUND, TreeRows
from eomc.ir.graph import Graph, Node, Rows
from eomc.lowering.vectors import Components


def composite_moments(graph: Graph, rows: TreeRows, motions: Sequence[JointMotion]) -> list[Moments]:
    """Return the moments of all that each row carries, itself included."""
    total = [row.moments for row in rows.rows]
    for i, row in reversed(list(enumerate(rows.rows))):
        if row.parent != GROUND:
            moved = carried(graph, motions[i].rotation, motions[i].offset, total[i])
            total[row.parent] = moments_plus(graph, total[row.parent], moved)
    return total


def unit_wrench(graph: Graph, moments: Moments, rate: Rate) -> Wrench:
    """Return what a unit acceleration takes: f = e x h, n = I e about an axis; f = m e, n = h x e along it."""
    g, i = graph, rate.axis
    j, k = (i + 1) % 3, (i + 2) % 3
    h = moments.first
    if rate.linear:
        force = _entries(g, {i: moments.mass})
        return Wrench(force, _entries(g, {j: h[k], k: g.neg(h[j])}))
    s = moments.second
    moment = _entries(g, {i: g.add(s(j, j), s(k, k)), j: g.neg(s(i, j)), k: g.neg(s(i, k))})
    return Wrench(_entries(g, {j: g.neg(h[k]), k: h[j]}), moment)


def _entries(graph: Graph, at: dict[int, Node]) -> Components:
    x, y, z = (at.get(k, graph.zero) for k in range(3))
    return x, y, z


def mass_matrix(graph: Graph, rows: TreeRows, motions: Sequence[JointMotion], rates: Sequence[Sequence[Rate]]) -> Rows:
    """Return M by the rates, in the order of the rows, with the rotors on its diagonal."""
    places = {rate: n for n, rate in enumerate(rate for own in rates for rate in own)}
    matrix = [[graph.zero] * len(places) for _ in places]
    for i, moments in enumerate(composite_moments(graph, rows, motions)):
        for rate in rates[i]:
            here, wrench = i, unit_wrench(graph, moments, rate)
            column = places[rate]
            while True:
                for other in rates[here]:
                    entry = component(wrench, other)
                    matrix[places[other]][column] = matrix[column][places[other]] = entry
                parent = rows.rows[here].parent
                if parent == GROUND:
                    break
                wrench, here = wrench_out(graph, motions[here], wrench), parent
            matrix[column][column] = graph.add(matrix[column][column], rows.rows[i].armature)
    return matrix
