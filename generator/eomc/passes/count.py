"""What it takes to evaluate nodes of a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeAlias

from eomc.ir.graph import Data, Graph, Node
from eomc.ir.operations import OperationCounts
from eomc.ir.ops import OPS, Op
from eomc.ir.systems import SystemSpec

CountSystem: TypeAlias = Callable[[SystemSpec], OperationCounts]
"""What a target takes to solve a linear system."""


_FREE = frozenset(op for op, row in OPS.items() if row.counts == OperationCounts())


def count_operations(graph: Graph, nodes: Iterable[Node], count_system: CountSystem) -> OperationCounts:
    """Return what it takes to evaluate each of the nodes once, their arguments given."""
    nodes = list(nodes)
    ops, data = graph.ops, graph.data
    total = OperationCounts()
    times = Counter([ops[node] for node in nodes])
    for op in (Op.SOLVE, Op.POWI):
        if times.pop(op, 0):
            total = sum([_cost_by_data(data[node], count_system) for node in nodes if ops[node] is op], total)
    return sum([OPS[op].counts * number for op, number in times.items() if op not in _FREE], total)


def _cost_by_data(data: Data, count_system: CountSystem) -> OperationCounts:
    """Return the operations of a linear system or of a power."""
    if isinstance(data, SystemSpec):
        return count_system(data)
    assert isinstance(data, int)
    size = abs(data)
    products = size.bit_length() + size.bit_count() - 2
    return OperationCounts(multiplications=products, divisions=int(data < 0))
