"""What it takes to evaluate nodes of a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from eomc.ir.graph import Data, Graph, Node
from eomc.ir.ops import Op
from eomc.ir.systems import SystemSpec
from eomc.passes.kernels import count_system
from eomc.passes.operations import OperationCounts

__all__ = ["OperationCounts", "count_operations", "count_system"]


_ADDITION = OperationCounts(additions=1)
_MULTIPLICATION = OperationCounts(multiplications=1)
_FUNCTION = OperationCounts(functions=1)
_OTHER = OperationCounts(others=1)
_NOTHING = OperationCounts()

COST: dict[Op, OperationCounts] = {
    Op.CONSTANT: _NOTHING,
    Op.SYMBOL: _NOTHING,
    Op.ADD: _ADDITION,
    Op.SUB: _ADDITION,
    Op.MUL: _MULTIPLICATION,
    Op.DIV: OperationCounts(divisions=1),
    Op.NEG: _ADDITION,
    Op.POWI: _MULTIPLICATION,  # at least: see count_operations
    Op.SQRT: OperationCounts(square_roots=1),
    Op.CBRT: _FUNCTION,
    Op.SIN: _FUNCTION,
    Op.COS: _FUNCTION,
    Op.TAN: _FUNCTION,
    Op.ASIN: _FUNCTION,
    Op.ACOS: _FUNCTION,
    Op.ATAN: _FUNCTION,
    Op.ATAN2: _FUNCTION,
    Op.SINH: _FUNCTION,
    Op.COSH: _FUNCTION,
    Op.TANH: _FUNCTION,
    Op.EXP: _FUNCTION,
    Op.LOG: _FUNCTION,
    Op.POW: _FUNCTION,
    Op.ABS: _OTHER,
    Op.SIGN: _OTHER,
    Op.MIN: _OTHER,
    Op.MAX: _OTHER,
    Op.FLOOR: _OTHER,
    Op.MOD: OperationCounts(additions=1, multiplications=1, divisions=1, others=1),
    Op.HYPOT: _FUNCTION,
    Op.LT: _OTHER,
    Op.LE: _OTHER,
    Op.EQ: _OTHER,
    Op.NE: _OTHER,
    Op.AND: _OTHER,
    Op.OR: _OTHER,
    Op.NOT: _NOTHING,
    Op.SELECT: _OTHER,
    Op.SOLVE: _NOTHING,  # its size is in its data: see count_system
    Op.RESULT: _NOTHING,
}


def count_operations(graph: Graph, nodes: Iterable[Node]) -> OperationCounts:
    """Return what it takes to evaluate each of the nodes once, their arguments given."""
    nodes = list(nodes)
    ops, data = graph.ops, graph.data
    total = OperationCounts()
    for op, times in Counter([ops[node] for node in nodes]).items():
        if op is Op.SOLVE or op is Op.POWI:
            for node in nodes:
                if ops[node] is op:
                    total = total + _cost_by_data(data[node])
            continue
        cost = COST[op]
        total = total + OperationCounts(
            cost.additions * times,
            cost.multiplications * times,
            cost.divisions * times,
            cost.square_roots * times,
            cost.functions * times,
            cost.others * times,
        )
    return total


def _cost_by_data(data: Data) -> OperationCounts:
    """Return the operations of a linear system or of a power."""
    if isinstance(data, SystemSpec):
        return count_system(data)
    assert isinstance(data, int)
    size = abs(data)
    products = size.bit_length() + size.bit_count() - 2
    return OperationCounts(multiplications=products, divisions=int(data < 0))
