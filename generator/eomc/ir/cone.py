"""What some nodes are made of, down to chosen ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from eomc.ir.graph import Graph, Node

__all__ = ["cone"]


def cone(graph: Graph, roots: Iterable[Node], is_end: Callable[[Node], bool]) -> list[Node]:
    """Return what the roots are made of, themselves included, in increasing order; nothing below an end."""
    args = graph.args
    found = set(roots)
    stack = list(found)
    while stack:
        node = stack.pop()
        new = () if is_end(node) else [arg for arg in args[node] if arg not in found]
        found.update(new)
        stack += new
    return sorted(found)
