"""Sizes for the kernels: what their pivots are told from rounding by, and in which units the columns of J are.

The pivot of a matrix is rounding beside the sizes of its entries' terms, which the entries do not tell where the terms
cancel.

A kernel that asks which rows of J follow from others compares columns of metres with columns of radians. What tells it
how they compare is not what J is at one state, where an entry may vanish, but the sizes that the parameters give to its
entries: lengths, and 1 where a sine stands alone. Sizes that the state gives tell an entry from rounding alone.

Where rows follow from others, what their right sides say beside the others' is rounding, or comes of a state that is a
little off the constraints, or contradicts them: the sizes of the right sides' terms tell.
"""

from __future__ import annotations

from dataclasses import replace

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Program
from eomc.ir.systems import Factorization, SystemSpec
from eomc.passes.equal import join_equal
from eomc.passes.sizes import Sizes


def add_sizes(program: Program) -> Program:
    """Return the program with sizes behind the matrix of each system; values are the same."""
    graph = program.graph
    if Op.SOLVE not in graph.ops:
        return program
    order = graph.reachable(program.roots)
    first = next((k for k, node in enumerate(order) if _has_none(graph, node)), len(order))
    if first == len(order):
        return program
    sizes, memo = Sizes(graph), {node: node for node in order}
    for node in order[first:]:
        args = tuple(map(memo.__getitem__, graph.args[node]))
        if _has_none(graph, node):
            memo[node] = _sized(graph, sizes, node, args)
        elif args != graph.args[node]:
            memo[node] = graph.rebuild(node, args)
    sized = program.over(memo)
    pairs = zip(program.evaluated, sized.evaluated, strict=True)
    same = [one.name for one, new in pairs if one.outputs == new.outputs]
    return join_equal(sized, but=same)  # sizes are sums in many orders


def _has_none(graph: Graph, node: Node) -> bool:
    spec = graph.data[node]
    return isinstance(spec, SystemSpec) and not spec.sized


def _sized(graph: Graph, sizes: Sizes, node: Node, args: tuple[Node, ...]) -> Node:
    spec = graph.system_of(node)
    matrix, right = args[: spec.entries], args[spec.entries :]
    if spec.factorization is Factorization.LU:
        found = [graph.zero if sizes.is_own(entry) else sizes.size(entry) for entry in matrix]
    else:
        triangle = spec.n * (spec.n + 1) // 2
        found = [_of_slope(graph, sizes, entry) for entry in matrix[triangle:]]
        found += [_of_diagonal(sizes, matrix[i * (i + 3) // 2]) for i in range(spec.n)]
    if spec.constraints and spec.strict:  # last, for what they divide by is checked where the right sides do so
        right += tuple(_of_terms(graph, sizes, entry) for entry in right[spec.n * spec.columns :])
    return graph.system(replace(spec, sized=True), (*matrix, *found, *right))


def _of_slope(graph: Graph, sizes: Sizes, entry: Node) -> Node:
    """Return the size of an entry of J, less than zero where it varies; zero where it is what the entry is."""
    size = sizes.steady(entry)
    if graph.level[size] < Level.VARYING:
        return size
    return graph.neg(size) if not sizes.is_own(entry) else graph.zero


def _of_terms(graph: Graph, sizes: Sizes, entry: Node) -> Node:
    """Return the size of a right side; zero where nothing cancels in it."""
    return sizes.steady(entry) if not sizes.is_own(entry) else graph.zero


def _of_diagonal(sizes: Sizes, entry: Node) -> Node:
    """Return the size of a diagonal entry: itself where nothing cancels in it; one that is negative fails its test."""
    return entry if sizes.is_own(entry) else sizes.size(entry)
