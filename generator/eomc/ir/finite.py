"""Numbers of a model that come to more than a double can hold."""

from __future__ import annotations

import math

from eomc.errors import DerivationError
from eomc.ir.graph import Graph


def refuse_infinite(graph: Graph, name: str) -> None:
    """Refuse a graph in which numbers have come to infinity, whatever stage has put them together.

    Raises
    ------
    DerivationError
        There is one; the message begins with the model's name.
    """
    if any(map(math.isinf, graph.floats())):
        raise too_large(name)


def too_large(name: str) -> DerivationError:
    """Return what to raise where numbers of a model are too large together."""
    return DerivationError(
        f"{name}: a product or a sum of its numbers is larger than a double can hold: take other units"
    )
