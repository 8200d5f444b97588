"""How large the terms of a row's inertia can be: what tells a pivot from rounding, from parameters alone.

The magnitudes of all moments that a row carries, brought to its origin by the longest offsets, bound every term that an
articulated or composite inertia of it is made of, whatever the angles. Only what slides makes them vary with the state.

They are bounds, and far above the terms where a row of many joints is bent: in a tentacle in float a small link's own
inertia would count as rounding. But a joint never feels less than half of the body alone unless rounding took the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from eomc.derivation.trees.joints import JointMotion, Rate
from eomc.derivation.trees.rows import GROUND, TreeRows
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.passes.sizes import COARSEST_ROUNDING, Sizes


def inertia_bounds(
    graph: Graph, rows: TreeRows, motions: Sequence[JointMotion], rates: Sequence[Sequence[Rate]]
) -> dict[Rate, Node]:
    """Return a bound of the terms of each rate's inertia with its rotor: [kg m^2] about an axis, [kg] along one."""
    g, two = graph, graph.constant(2)
    bodies = [row.moments for row in rows.rows]
    masses = [_magnitude(g, [body.mass]) for body in bodies]
    firsts = [_magnitude(g, body.first) for body in bodies]
    seconds = [_magnitude(g, body.second) for body in bodies]
    bounds: dict[Rate, Node] = {}
    for i, row in reversed(list(enumerate(rows.rows))):
        for rate in rates[i]:
            bounds[rate] = g.add(masses[i] if rate.linear else seconds[i], row.armature)
        if row.parent == GROUND:
            continue
        far = _magnitude(g, motions[i].offset)
        mass, first = masses[i], firsts[i]
        moved = g.mul(far, g.add(g.mul(two, first), g.mul(mass, far)))
        parent = row.parent
        masses[parent] = g.add(masses[parent], mass)
        firsts[parent] = g.add(firsts[parent], g.add(first, g.mul(mass, far)))
        seconds[parent] = g.add(seconds[parent], g.add(seconds[i], moved))
    return _below_the_least(graph, rows, rates, bounds)


def _below_the_least(
    graph: Graph, rows: TreeRows, rates: Sequence[Sequence[Rate]], bounds: Mapping[Rate, Node]
) -> dict[Rate, Node]:
    """Return bounds whose rounding is at most half of the least inertia along any rate, where those are known.

    All are lowered by one share, so that what is alike along a row stays alike; where rounding is smaller in every
    scalar type, it is one.
    """
    g, shares, expressed = graph, {}, {}  # type: Graph, dict[Rate, float], dict[Rate, Node]
    for row, own in zip(rows.rows, rates, strict=True):
        for rate, least in zip(own, row.least, strict=False):
            bound = _number(graph, bounds[rate])
            if bound and 0 < least:
                shares[rate] = least / 2 / bound
        if row.least_of_parameters is not None and g.level[bounds[own[0]]] <= Level.PARAMETERS:
            expressed[own[0]] = _share(graph, row.least_of_parameters, bounds[own[0]])
    rounding = Sizes(graph).rounding(graph.one)
    smallest = min(shares.values(), default=1.0)
    if smallest >= COARSEST_ROUNDING and not expressed:
        return dict(bounds)
    limit = g.constant(smallest)
    for share in dict.fromkeys(expressed.values()):
        limit = g.binary(Op.MIN, limit, share)
    lowered = g.select(g.binary(Op.LT, rounding, limit), g.one, g.div(limit, rounding))
    known = shares.keys() | expressed.keys()
    return {rate: g.mul(bound, lowered) if rate in known else bound for rate, bound in bounds.items()}


def _share(graph: Graph, least: Node, bound: Node) -> Node:
    """Return half of the least inertia beside its bound, one for a body that has none."""
    has_some = graph.binary(Op.LT, graph.zero, least)
    share = graph.div(least, graph.mul(graph.constant(2), graph.select(has_some, bound, graph.one)))
    return graph.select(has_some, share, graph.one)


def _number(graph: Graph, node: Node) -> float | None:
    """Return the value of a number, tabled or not."""
    data = graph.data[node]
    return float(data) if graph.ops[node] is Op.CONSTANT and isinstance(data, (int, float, Fraction)) else None


def _magnitude(graph: Graph, nodes: Iterable[Node]) -> Node:
    """Return the sum of magnitudes; those of numbers are taken now."""
    return graph.sum(_size(graph, node) for node in nodes)


def _size(graph: Graph, node: Node) -> Node:
    number = graph.number(node)
    return graph.unary(Op.ABS, node) if number is None else graph.constant(max(number, -number))
