"""Whether expressions are analytic: what is true of such a function at a random point is true of it everywhere."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import ROUGH

__all__ = ["is_smooth"]


def is_smooth(graph: Graph, nodes: Iterable[Node]) -> bool:
    """Whether no op with a kink or a jump acts on anything that varies below `nodes`."""
    return not any(graph.ops[node] in ROUGH and graph.level[node] == Level.VARYING for node in graph.reachable(nodes))
