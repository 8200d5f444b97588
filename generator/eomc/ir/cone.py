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
        if not is_end(node):
            for arg in args[node]:
                if arg not in found:
                    found.add(arg)
                    stack.append(arg)
    return sorted(found)


def above(graph: Graph, roots: Iterable[Node], known: Container[Node]) -> list[Node]:
    """Return what the roots depend on, themselves included, above what is known, in increasing order."""
    args = graph.args
    found = {node for node in roots if node not in known}
    stack = list(found)
    while stack:
        for arg in args[stack.pop()]:
            if arg not in found and arg not in known:
                found.add(arg)
                stack.append(arg)
    return sorted(found)


def walked(graph: Graph, roots: Iterable[Node]) -> Iterator[Node]:
    """Yield what the roots are made of, themselves included, each once, in no order: for who may have enough early."""
    args = graph.args
    seen = set(roots)
    stack = list(seen)
    while stack:
        node = stack.pop()
        yield node
        for arg in args[node]:
            if arg not in seen:
                seen.add(arg)
                stack.append(arg)


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


def unmet_holding(graph: Graph, root: Node, known: Container[Node], symbols: int) -> Iterator[Node]:
    """Yield the same of a root of which only what holds any of some symbols, as bits, is looked at."""
    args, holds = graph.args, graph.holds
    stack = [root]
    while stack:
        node = stack[-1]
        depth = len(stack)
        for operand in args[node]:
            if operand not in known and holds[operand] & symbols:
                stack.append(operand)
        if len(stack) == depth:
            stack.pop()
            if node not in known:
                yield node
