"""On which states and inputs rates and outputs depend: by which symbols their expressions hold, never by numbers.

Derivatives do not tell: that of sign(v) is zero, and its value depends on v.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eomc.ir.graph import Node
    from eomc.ir.program import Program, Variable


def dependencies(program: Program, nodes: Sequence[Node], variables: Sequence[Variable]) -> list[tuple[int, ...]]:
    """Return for each node the numbers of the variables in it, in order."""
    graph = program.graph
    bits = [graph.bits([graph.symbol(variable.symbol)]) for variable in variables]
    return [tuple(k for k, bit in enumerate(bits) if graph.holds[node] & bit) for node in nodes]
