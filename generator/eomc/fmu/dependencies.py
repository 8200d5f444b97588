"""Which states, inputs and parameters are in rates and outputs: by the symbols of their expressions, never by numbers.

Derivatives do not tell: that of sign(v) is zero, and its value depends on v.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eomc.ir.graph import Graph, Node
    from eomc.ir.symbols import Symbol


def dependencies(graph: Graph, nodes: Sequence[Node], symbols: Sequence[Symbol]) -> list[tuple[int, ...]]:
    """Return for each node the numbers of the symbols in it, in order."""
    bits = [graph.bits([graph.symbol(symbol)]) for symbol in symbols]
    return [tuple(k for k, bit in enumerate(bits) if graph.holds[node] & bit) for node in nodes]
