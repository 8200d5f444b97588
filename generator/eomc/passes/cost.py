"""What expressions cost at run time: the measure by which the derivation chooses between equal forms."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.systems import SystemSpec

__all__ = ["cost"]

_CHEAP = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.POWI, Op.ABS, Op.MIN, Op.MAX, Op.SELECT, Op.SIGN})
_FREE = frozenset({Op.NEG, Op.RESULT})
_SLOW = frozenset({Op.DIV, Op.SQRT, Op.FLOOR})


def cost(graph: Graph, roots: Iterable[Node]) -> int:
    """Return the cost of evaluating the roots, in additions; what depends on parameters alone is free."""
    total = 0
    for node in graph.reachable(roots):
        op, spec = graph.ops[node], graph.data[node]
        if isinstance(spec, SystemSpec) and graph.level[node] == Level.VARYING:
            total += spec.n**3 // 3 + 2 * spec.n**2 * spec.columns + 4 * spec.n
        if graph.level[node] != Level.VARYING or OPS[op].kind is not Kind.REAL or op in _FREE:
            continue
        total += 1 if op in _CHEAP else 4 if op in _SLOW else 10
    return total
