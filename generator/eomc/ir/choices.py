"""Where an expression rests by a choice: ``Max(x, 0)`` is zero over a whole stretch, not at a point.

There its derivatives are zero, whatever the expression is an argument of: the slope of a root at zero is infinite, and
infinity times zero would be no number. A factor that rests at zero makes a product zero in the same way.

The answers are conditions: where a node may move, where it may differ from zero. Nothing is looked at twice.
"""

from __future__ import annotations

from eomc.ir.cone import unmet
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import CHOICES, Break, Op, ops_with

EVERYWHERE: Node = -1
"""In the place of a condition that always holds."""
NOWHERE: Node = -2
"""In the place of a condition that never holds."""

_STEPS = ops_with(lambda row: row.breaks is Break.STEP)
_FROM_ZERO = ops_with(lambda row: row.at_zero == 0)  # f(0) = 0, f(0, 0) = 0


def alternatives(graph: Graph, node: Node) -> tuple[Node, Node, Node]:
    """Return a choice as (condition, value where it holds, value elsewhere).

    Of equals, ``Min`` and ``Max`` return the one that varies less: at its kink ``Max(x, 0)`` has the slope 0. An
    argument that is no number is never the one.
    """
    if graph.ops[node] is Op.SELECT:
        condition, if_true, if_false = graph.args[node]
        return condition, if_true, if_false
    first, second = graph.args[node]
    if graph.level[first] < graph.level[second]:
        first, second = second, first
    taken = (node, second) if graph.ops[node] is Op.MAX else (second, node)
    return graph.binary(Op.LE, *taken), second, first


def moving(graph: Graph, node: Node) -> Node:
    """Return the condition under which a node may vary, `EVERYWHERE` or `NOWHERE`."""
    return _answers(graph, node)[0]


def nonzero(graph: Graph, node: Node) -> Node:
    """Return the condition under which a node may differ from zero, `EVERYWHERE` or `NOWHERE`."""
    return _answers(graph, node)[1]


def without_zero(graph: Graph, node: Node) -> Node:
    """Return what a node is where it may differ from zero: x of ``Max(x, 0)``."""
    if graph.ops[node] in CHOICES:
        _, if_true, if_false = alternatives(graph, node)
        if graph.zero in (if_true, if_false):
            return if_false if if_true == graph.zero else if_true
    return node


def both(graph: Graph, x: Node, y: Node) -> Node:
    """Return the condition that two conditions hold."""
    if x == y or y == EVERYWHERE or x == NOWHERE:
        return x
    if x == EVERYWHERE or y == NOWHERE:
        return y
    return graph.binary(Op.AND, x, y)


def _either(graph: Graph, x: Node, y: Node) -> Node:
    if x == y or y == NOWHERE or x == EVERYWHERE:
        return x
    if x == NOWHERE or y == EVERYWHERE:
        return y
    return graph.binary(Op.OR, x, y)


def _chosen(graph: Graph, condition: Node, x: Node, y: Node) -> Node:
    """Return the condition x where a condition holds, else y."""
    if x == y:
        return x
    if x == EVERYWHERE:
        return _either(graph, condition, y)
    if y == EVERYWHERE:
        return _either(graph, graph.negate(condition), x)
    return _either(graph, both(graph, condition, x), both(graph, graph.negate(condition), y))


def _answers(graph: Graph, root: Node) -> tuple[Node, Node]:
    """Return the conditions under which a node may vary and may differ from zero."""
    memo, ops, args = graph.resting, graph.ops, graph.args
    if root in memo:
        return memo[root]

    def operands(node: Node) -> tuple[Node, ...]:
        if graph.level[node] < Level.VARYING or ops[node] is Op.RESULT:
            return ()
        return args[node][1:] if ops[node] is Op.SELECT else args[node]

    for node in unmet(root, memo, operands):
        if graph.level[node] < Level.VARYING:
            memo[node] = NOWHERE, NOWHERE if node == graph.zero else EVERYWHERE
        else:
            known = [memo[a] for a in operands(node)]
            memo[node] = _answer(graph, node, known) if known else (EVERYWHERE, EVERYWHERE)
    return memo[root]


def _answer(graph: Graph, node: Node, known: list[tuple[Node, Node]]) -> tuple[Node, Node]:
    op, (moves, differs) = graph.ops[node], known[0]
    if op in CHOICES:
        return _of_choice(graph, node)
    if len(known) == 1:
        if op in _STEPS:
            moves = NOWHERE
        powers = op is Op.POWI and isinstance(exponent := graph.data[node], int) and exponent > 0
        return moves, differs if op in _FROM_ZERO or powers else EVERYWHERE
    other, other_differs = known[1]
    moves = _either(graph, moves, other)
    if op is Op.MUL or op is Op.DIV:
        if op is Op.MUL:
            differs = both(graph, differs, other_differs)
        return both(graph, moves, differs), differs
    if op in _FROM_ZERO:  # a sum, a difference, the length of a vector
        if moves == NOWHERE:  # steps alone: H(x) - H(x - 1)
            return moves, graph.binary(Op.NE, node, graph.zero)
        return moves, _either(graph, differs, other_differs)
    exponent = graph.number(graph.args[node][1]) if op is Op.POW else None
    return moves, differs if exponent is not None and exponent > 0 else EVERYWHERE


def _of_choice(graph: Graph, node: Node) -> tuple[Node, Node]:
    zero = graph.zero
    operands = graph.args[node][-2:]
    if all(graph.resting[a] == (EVERYWHERE, EVERYWHERE) for a in operands):
        return EVERYWHERE, EVERYWHERE
    condition, if_true, if_false = alternatives(graph, node)
    if zero in operands and graph.ops[node] is not Op.SELECT:  # a comparison of what the choice compares
        condition = graph.binary(Op.LT, *((zero, if_false) if graph.ops[node] is Op.MAX else (if_false, zero)))
        if_true, if_false = if_false, if_true
    (moves, differs), (others_move, others_differ) = graph.resting[if_true], graph.resting[if_false]
    return _chosen(graph, condition, moves, others_move), _chosen(graph, condition, differs, others_differ)
