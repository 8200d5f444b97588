"""Whether expressions are analytic: what is true of such a function at a random point is true of it everywhere."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import ROUGH


def is_smooth(graph: Graph, nodes: Iterable[Node]) -> bool:
    """Whether no op with a kink or a jump acts on anything that varies below `nodes`."""
    ops, level = graph.ops, graph.level
    return ROUGH.isdisjoint(ops) or not any(
        ops[node] in ROUGH and level[node] == Level.VARYING for node in graph.reachable(nodes)
    )
