"""Cheaper forms of the same value, last before scheduling.

``x / p`` with a parameter-only p becomes ``x (1/p)`` with the inverse hoisted: one rounding more, a division less per
call. ``p (q x)`` with parameter-only p and q becomes ``(p q) x`` with p q hoisted, where q x serves nothing else.
Small integer powers are products by repeated squaring; larger ones stay powers.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Sequence, Set
from fractions import Fraction

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Program

# By names of their own: looking up a member of an enumeration takes long.
_MUL, _DIV, _POW, _POWI = Op.MUL, Op.DIV, Op.POW, Op.POWI

_LARGEST_PRODUCT = 16
_LEAST = sys.float_info.min  # with all its digits
_REWRITTEN = frozenset({_DIV, _POW, _POWI})


def reduce_strength(program: Program, needed: Set[Node] = frozenset()) -> Program:
    """Return the program with powers and steady divisions rewritten; values agree to rounding.

    What its results need is `needed`, where that is known before.
    """
    return program.over(_Rewrite(program.graph, program.roots, needed).memo)


class _Rewrite:
    """One rewriting of a graph, remembered."""

    def __init__(self, graph: Graph, roots: Sequence[Node], needed: Set[Node]) -> None:
        self._graph = graph
        order = sorted(graph.below(roots, needed) | needed)
        self.memo: dict[Node, Node] = dict(zip(order, order, strict=True))
        uses = Counter(itertools.chain.from_iterable(map(graph.args.__getitem__, order)))
        uses.update(dict.fromkeys(roots, 2))  # handed out: serves something else
        self._uses = uses
        memo, ops, all_args, level, changed = self.memo, graph.ops, graph.args, graph.level, set[Node]()
        for node in order:
            op, old = ops[node], all_args[node]
            args = old if changed.isdisjoint(old) else tuple([memo[arg] for arg in old])
            if op is _MUL:  # a steady factor may be gathered with one of an inner product
                x, y = args
                rewritten = level[x] != level[y] and (ops[x] is _MUL or ops[y] is _MUL)
            else:
                rewritten = op in _REWRITTEN
            if rewritten:
                new = self._node(node, args)
            elif args is old:
                continue
            else:
                new = graph.rebuild(node, args)
            if new != node:
                memo[node] = new
                changed.add(node)

    def _node(self, node: Node, args: tuple[Node, ...]) -> Node:
        graph, op = self._graph, self._graph.ops[node]
        varies = graph.level[node] == Level.VARYING
        if op is _MUL and varies:
            return self._gathered(node, args)
        if op is _DIV and varies and graph.level[args[1]] == Level.PARAMETERS:
            return graph.mul(args[0], graph.div(graph.one, args[1]))
        if op is _POWI and isinstance(whole := graph.data[node], int) and abs(whole) <= _LARGEST_PRODUCT:
            product = integer_power(graph, args[0], abs(whole))
            return graph.div(graph.one, product) if whole < 0 else product
        if op is _POW and (half := half_integer(graph.number(args[1]))) is not None:
            product = half_power(graph, args[0], abs(half))
            return graph.div(graph.one, product) if half < 0 else product
        return node if args == graph.args[node] else graph.rebuild(node, args)

    def _gathered(self, node: Node, args: tuple[Node, ...]) -> Node:
        """Return p (q x) as (p q) x."""
        graph = self._graph
        level = graph.level
        first, second = graph.args[node]
        for outer, inner, original in ((args[0], args[1], second), (args[1], args[0], first)):
            if level[outer] == Level.VARYING or graph.ops[inner] is not _MUL or self._uses[original] > 1:
                continue
            for steady, varying in (graph.args[inner], graph.args[inner][::-1]):
                if level[steady] != Level.VARYING:
                    factor = graph.mul(outer, steady)
                    number = graph.number(factor)
                    if number is None or not -_LEAST < number < _LEAST:  # else digits of p (q x) are lost
                        return graph.times(factor, varying)
        return node if args == graph.args[node] else graph.rebuild(node, args)


def half_integer(number: float | Fraction | None) -> Fraction | None:
    """Return an exponent such as 3/2 that a square root serves, None for any other."""
    if number is None or not -_LARGEST_PRODUCT <= number <= _LARGEST_PRODUCT:
        return None
    exact = Fraction(number)
    return exact if exact.denominator == 2 else None


def half_power(graph: Graph, base: Node, exponent: Fraction) -> Node:
    """Return base^exponent for a positive half-integer exponent."""
    root = graph.unary(Op.SQRT, base)
    whole = exponent.numerator // 2
    return graph.times(integer_power(graph, base, whole), root) if whole else root


def integer_power(graph: Graph, base: Node, exponent: int) -> Node:
    """Return base^exponent for a positive exponent by repeated squaring, each square its own node."""
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
