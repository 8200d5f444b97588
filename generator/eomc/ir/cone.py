"""What some nodes are made of: down to chosen ends, or to what is known already."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator

from eomc.ir.graph import Graph, Node


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


def above(graph: Graph, roots: Iterable[Node], known: Container[Node]) -> list[Node]:
    """Return what the roots depend on, themselves included, above what is known, in increasing order."""
    return [node for node in cone(graph, roots, known.__contains__) if node not in known]


def unmet(root: Node, known: Container[Node], operands: Callable[[Node], Iterable[Node]]) -> Iterator[Node]:
    """Yield what a root is made of and is not `known`, operands first.

    Who asks makes each of them known before the next: what it is made of is known when a node comes.
    """
    stack = [root]
    while stack:
        node = stack[-1]
        missing = [] if node in known else [operand for operand in operands(node) if operand not in known]
        if missing:
            stack += missing
            continue
        stack.pop()
        if node not in known:
            yield node
