"""What it takes to evaluate nodes of a graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeAlias

from eomc.ir.graph import Data, Graph, Node
from eomc.ir.operations import OperationCounts
from eomc.ir.ops import OPS, Op
from eomc.ir.systems import SystemSpec

CountSystem: TypeAlias = Callable[[SystemSpec], OperationCounts]
"""What a target takes to solve a linear system."""


_BY_DATA = (Op.SOLVE, Op.POWI)
_FREE = frozenset(op for op, row in OPS.items() if row.counts == OperationCounts())


def by_op(graph: Graph, nodes: Iterable[Node]) -> defaultdict[Op, list[Node]]:
    """Return the nodes of each op."""
    alike: defaultdict[Op, list[Node]] = defaultdict(list)
    ops = graph.ops
    for node in nodes:
        alike[ops[node]].append(node)
    return alike


def count_operations(graph: Graph, nodes: Iterable[Node], count_system: CountSystem) -> OperationCounts:
    """Return what it takes to evaluate each of the nodes once, their arguments given."""
    return count_alike(graph, by_op(graph, nodes), count_system)


def count_alike(graph: Graph, alike: Mapping[Op, Collection[Node]], count_system: CountSystem) -> OperationCounts:
    """Return the same for nodes by their ops."""
    data = graph.data
    counts = [_cost_by_data(data[node], count_system) for op in _BY_DATA for node in alike.get(op, ())]
    counts += [OPS[op].counts * len(nodes) for op, nodes in alike.items() if op not in _FREE and op not in _BY_DATA]
    return sum(counts, OperationCounts())


def _cost_by_data(data: Data, count_system: CountSystem) -> OperationCounts:
    """Return the operations of a linear system or of a power."""
    if isinstance(data, SystemSpec):
        return count_system(data)
    assert isinstance(data, int)
    size = abs(data)
    products = size.bit_length() + size.bit_count() - 2
    return OperationCounts(multiplications=products, divisions=int(data < 0))
