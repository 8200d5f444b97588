"""Safe operands: what only one branch of a Piecewise needs can neither raise nor poison the others.

``Piecewise((sqrt(x), x > 0), (0, True))`` becomes select(x > 0, sqrt(select(x > 0, x, 1)), 0): both branches may be
evaluated everywhere, in value and in every derivative, so the node can be shared and moved freely.

Operands of parameters alone keep their own value under a condition on the state, or they could not be evaluated ahead
of time: x/p at p = 0 is no number in the branch that is not taken. The value and its derivatives are chosen, and
adjoints are kept apart by `passes.branches`, so that it stays there.
"""

from __future__ import annotations

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op

__all__ = ["guarded"]

_SAFE: dict[Op, tuple[tuple[int, int], ...]] = {
    # op -> (argument, value at which op and its derivatives are finite)
    Op.DIV: ((1, 1),),
    Op.SQRT: ((0, 1),),
    Op.CBRT: ((0, 1),),
    Op.LOG: ((0, 1),),
    Op.ASIN: ((0, 0),),
    Op.ACOS: ((0, 0),),
    Op.POW: ((0, 1),),
    Op.MOD: ((1, 1),),
    Op.HYPOT: ((0, 1),),
    Op.ATAN2: ((1, 1),),
    Op.TAN: ((0, 0),),
    Op.EXP: ((0, 0),),
    Op.SINH: ((0, 0),),
    Op.COSH: ((0, 0),),
}

_TAME = 16  # a larger power may overflow where its branch is not taken


def guarded(graph: Graph, root: Node, condition: Node) -> Node:
    """Return `root` made total in what varies: partial ops read a safe operand wherever `condition` does not hold."""
    memo: dict[Node, Node] = {}
    for node in graph.reachable([root]):
        args = [memo[a] for a in graph.args[node]]
        op = graph.ops[node]
        safe = _SAFE.get(op, ())
        exponent = graph.data[node]
        if op is Op.POWI and isinstance(exponent, int) and not 0 < exponent <= _TAME:
            safe = ((0, 1),)
        for position, value in safe:
            # A select must not make vary what a target would evaluate once, ahead of time.
            if graph.level[args[position]] >= max(graph.level[condition], Level.PARAMETERS):
                args[position] = graph.select(condition, args[position], graph.constant(value))
        memo[node] = graph.rebuild(node, args) if args != list(graph.args[node]) else node
    return memo[root]
