"""What was made on one graph, written on another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from eomc.ir.graph import Graph, Node
from eomc.ir.program import Check, Function
from eomc.ir.symbols import Symbol, Tabled


def transplant(
    source: Graph, functions: Iterable[Function], target: Graph, renamed: Mapping[Symbol, Symbol]
) -> list[Function]:
    """Return functions over the target, to which their nodes are added as they are.

    Parameters
    ----------
    source
        The graph of the functions.
    functions
        What is written again, with its own checks and what of its blocks it evaluates.
    target
        The other graph.
    renamed
        Symbols that are others there, no two the same; all others stay.
    """
    functions = tuple(functions)
    checks = [check for function in functions for check in function.checks]
    roots = [node for function in functions for node in function.outputs]
    roots += [node for check in checks for node in (check.node, check.condition)]
    new: dict[Node, Node] = {}
    for node in source.reachable(roots):
        data = source.data[node]
        if isinstance(data, Symbol):
            data = renamed.get(data, data)
        elif isinstance(data, Tabled):
            data = Tabled(float(data), ("from another graph", node))
        new[node] = target.taken(source.ops[node], tuple([new[a] for a in source.args[node]]), data)
    return [_over(function, new) for function in functions]


def _over(function: Function, new: Mapping[Node, Node]) -> Function:
    checks = [Check(new[one.node], new[one.condition], one.label, one.index) for one in function.checks]
    return replace(function.over(new), checks=tuple(checks))
