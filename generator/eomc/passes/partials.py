"""The partial derivatives of a node with respect to its arguments, by the rules of the op table.

Non-smooth ops differentiate branch by branch: d|x| = sign(x) dx, d sign = d floor = 0. Comparisons have no derivative.
The sweeps themselves follow choices (SELECT, MIN and MAX have the derivative of what they return) and systems (SOLVE
and RESULT obey A dX = dB - dA X).

A slope may be infinite where the value is not, that of a root at zero. Where the value rests there by a choice, over a
whole stretch, the slopes are zero: see `ir.choices`.
"""

from __future__ import annotations

from eomc.ir.choices import EVERYWHERE, NOWHERE, moving
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.guards import guarded
from eomc.ir.ops import CHOICES, OPS


def partials(graph: Graph, node: Node) -> tuple[Node, ...]:
    """Return the partial derivatives of a node with respect to its arguments."""
    row, args = OPS[graph.ops[node]], graph.args[node]
    assert row.partial is not None
    slopes = row.partial(graph, node, args, graph.data[node])
    if not row.steep:
        return slopes
    return tuple(_resting(graph, node, argument, slope) for argument, slope in zip(args, slopes, strict=True))


def _resting(graph: Graph, node: Node, argument: Node, slope: Node) -> Node:
    """Return a slope that is zero, and evaluated with safe operands, where the argument rests by a choice."""
    if graph.level[argument] < Level.VARYING or _rests_elsewhere(graph, argument, OPS[graph.ops[node]].steep):
        return slope
    where = moving(graph, argument)
    if where in (EVERYWHERE, NOWHERE):
        return slope
    return graph.select(where, guarded(graph, slope, where, {node, *graph.args[node]}), graph.zero)


def _rests_elsewhere(graph: Graph, argument: Node, steep: frozenset[int]) -> bool:
    """Whether an argument is a choice between what never rests and a number at which no slope is infinite."""
    if graph.ops[argument] not in CHOICES:
        return False
    numbers = [graph.number(a) for a in graph.args[argument][-2:]]
    others = [a for a in graph.args[argument][-2:] if graph.number(a) is None]
    return not steep.intersection(numbers) and all(moving(graph, a) == EVERYWHERE for a in others)
