"""Cheaper forms of the same value, last before scheduling: integer powers as products, quotients by parameters as products.

``x / p`` with a parameter-only p becomes ``x (1/p)`` with the inverse hoisted: one rounding more, a division less per call.
Small integer powers are products by repeated squaring; larger ones stay powers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check, Program

__all__ = ["reduce_strength"]

_LARGEST_PRODUCT = 16


def reduce_strength(program: Program) -> Program:
    """Return the program with powers and steady divisions rewritten; values agree to rounding."""
    rewrite = _Rewrite(program.graph)
    roots = [node for function in program.functions for node in function.outputs]
    roots += [check.node for check in program.checks] + [check.condition for check in program.checks]
    rewrite.all(roots)
    functions = tuple(
        replace(
            function,
            outputs=tuple(rewrite.memo[node] for node in function.outputs),
            blocks=tuple(rewrite.block(block) for block in function.blocks),
        )
        for function in program.functions
    )
    checks = tuple(
        Check(rewrite.memo[check.node], rewrite.memo[check.condition], check.label, check.index)
        for check in program.checks
    )
    return replace(program, functions=functions, checks=checks)


class _Rewrite:
    """One rewriting of a graph, remembered."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.memo: dict[Node, Node] = {}

    def all(self, roots: Sequence[Node]) -> None:
        """Rewrite everything below the roots."""
        graph, memo = self._graph, self.memo
        for node in graph.reachable(root for root in roots if root not in memo):
            if node in memo:
                continue
            args = tuple(memo[a] for a in graph.args[node])
            memo[node] = self._node(node, args)

    def block(self, block: Block) -> Block:
        """Return a block over the rewritten nodes."""
        self.all([node for _, node in block.entries])
        return Block(block.title, tuple((name, self.memo[node]) for name, node in block.entries))

    def _node(self, node: Node, args: tuple[Node, ...]) -> Node:
        graph, op, data = self._graph, self._graph.ops[node], self._graph.data[node]
        if op is Op.POWI and isinstance(data, int) and abs(data) <= _LARGEST_PRODUCT:
            product = _power(graph, args[0], abs(data))
            return graph.div(graph.one, product) if data < 0 else product
        if op is Op.DIV and graph.level[node] == Level.VARYING and graph.level[args[1]] == Level.PARAMETERS:
            return graph.mul(args[0], graph.div(graph.one, args[1]))
        return node if args == graph.args[node] else graph.rebuild(node, args)


def _power(graph: Graph, base: Node, exponent: int) -> Node:
    """Return base^exponent by repeated squaring, each square its own node."""
    result: Node | None = None
    square = base
    while exponent:
        if exponent & 1:
            result = square if result is None else graph.times(result, square)
        exponent >>= 1
        if exponent:
            square = graph.times(square, square)
    assert result is not None
    return result
