"""Safe operands: what only one branch of a choice needs can neither raise nor poison the others.

``Piecewise((sqrt(x), x > 0), (0, True))`` becomes select(x > 0, sqrt(select(x > 0, x, 1)), 0): both branches may be
evaluated everywhere, in value and in every derivative, so the node can be shared and moved freely.

Operands of parameters alone keep their own value under a condition on the state, or they could not be evaluated ahead
of time: x/p at p = 0 is no number in the branch that is not taken. The value and its derivatives are chosen, and
adjoints are kept apart by `passes.branches`, so that it stays there.
"""

from __future__ import annotations

from collections.abc import Collection

from eomc.ir.cone import above
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Op

_TAME = 16  # a larger power may overflow where its branch is not taken


def guarded(graph: Graph, root: Node, condition: Node, given: Collection[Node] = ()) -> Node:
    """Return `root` made total in what varies: partial ops read a safe operand wherever `condition` does not hold.

    Parameters
    ----------
    graph
        The graph, to which nodes are added.
    root, condition
        What is needed where the condition holds only.
    given
        Nodes that are evaluated in any case: they, and what is below them, stay as they are.
    """
    memo: dict[Node, Node] = {}
    for node in above(graph, [root], given):
        args = [memo.get(a, a) for a in graph.args[node]]
        partial = _partial_operand(graph, node)
        if partial is not None:
            position, value = partial
            # A select must not make vary what a target would evaluate once, ahead of time.
            if graph.level[args[position]] >= max(graph.level[condition], Level.PARAMETERS):
                args[position] = _safe(graph, args[position], condition, graph.constant(value))
        memo[node] = graph.rebuild(node, args) if args != list(graph.args[node]) else node
    return memo.get(root, root)


def is_total(graph: Graph, root: Node, given: Collection[Node] = ()) -> bool:
    """Whether a node has a finite value wherever what is given has, small enough operands supposed."""
    return all(_partial_operand(graph, node) is None for node in above(graph, [root], given))


def _safe(graph: Graph, operand: Node, condition: Node, value: Node) -> Node:
    """Return select(condition, operand, value), no second time where the operand is such a choice already."""
    chosen = graph.select(condition, operand, value)
    if graph.ops[operand] is Op.SELECT and graph.ops[chosen] is Op.SELECT:
        (test, *inner), (outer_test, *outer) = graph.args[operand], graph.args[chosen]
        place = outer.index(value)
        if test == outer_test and inner[place] == value:
            return operand
    return chosen


def _partial_operand(graph: Graph, node: Node) -> tuple[int, int] | None:
    """Return which argument of a node must not have every value, and a value that it may have."""
    op, exponent = graph.ops[node], graph.data[node]
    if op is Op.POWI and isinstance(exponent, int) and not 0 < exponent <= _TAME:
        return 0, 1
    if op is Op.DIV and graph.number(graph.args[node][1]) is not None:
        return None
    return OPS[op].safe
