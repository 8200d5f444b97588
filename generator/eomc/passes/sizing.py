"""Sizes for the kernels of constrained systems: in which units the columns of J are.

A kernel that asks which rows of J follow from others compares columns of metres with columns of radians. What tells it
how they compare is not what J is at one state, where an entry may vanish, but the sizes that the parameters give to its
entries: lengths, and 1 where a sine stands alone.
"""

from __future__ import annotations

from dataclasses import replace

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check, Program
from eomc.ir.systems import SystemSpec
from eomc.passes.sizes import Sizes

__all__ = ["add_sizes"]


def add_sizes(program: Program) -> Program:
    """Return the program with sizes behind the constraint matrix of each system; values are the same."""
    graph = program.graph
    roots = [node for function in program.functions for node in function.outputs]
    roots += [check.node for check in program.checks] + [check.condition for check in program.checks]
    order = graph.reachable(roots)
    if not any(_is_constrained(graph, node) for node in order):
        return program
    sizes, memo = Sizes(graph), dict[Node, Node]()
    for node in order:
        args = tuple([memo[a] for a in graph.args[node]])
        if _is_constrained(graph, node):
            memo[node] = _sized(graph, sizes, node, args)
        else:
            memo[node] = node if args == graph.args[node] else graph.rebuild(node, args)
    functions = tuple(
        replace(
            function,
            outputs=tuple(memo[node] for node in function.outputs),
            blocks=tuple(
                Block(block.title, tuple((name, memo[node]) for name, node in block.entries if node in memo))
                for block in function.blocks
            ),
        )
        for function in program.functions
    )
    checks = tuple(Check(memo[c.node], memo[c.condition], c.label, c.index) for c in program.checks)
    return replace(program, functions=functions, checks=checks)


def _is_constrained(graph: Graph, node: Node) -> bool:
    if graph.ops[node] is not Op.SOLVE:
        return False
    spec = graph.data[node]
    return isinstance(spec, SystemSpec) and spec.constraints > 0 and not spec.sized


def _sized(graph: Graph, sizes: Sizes, node: Node, args: tuple[Node, ...]) -> Node:
    spec = graph.data[node]
    assert isinstance(spec, SystemSpec)
    first, end = spec.n * (spec.n + 1) // 2, spec.matrix_entries
    steady = []
    for entry in args[first:end]:
        size = sizes.steady(entry) if entry != graph.zero else graph.zero
        steady.append(size if graph.level[size] < Level.VARYING else graph.zero)
    return graph.system(replace(spec, sized=True), (*args[:end], *steady, *args[end:]))
