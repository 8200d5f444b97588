"""Functions of SymPy and what they are in ops of the graph, one line per function."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import sympy

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.lowering.order import StructuralOrder

__all__ = ["FUNCTIONS", "Rule"]

Rule: TypeAlias = Callable[[Graph, StructuralOrder, list[Node]], Node]


def _unary(op: Op) -> Rule:
    return lambda g, _, args: g.unary(op, args[0])


def _binary(op: Op) -> Rule:
    return lambda g, _, args: g.binary(op, args[0], args[1])


def _chain(op: Op) -> Rule:
    def lower(graph: Graph, order: StructuralOrder, args: list[Node]) -> Node:
        nodes = order.sorted(args)
        total = nodes[0]
        for node in nodes[1:]:
            total = graph.binary(op, total, node)
        return total

    return lower


def _reciprocal(op: Op) -> Rule:
    return lambda g, _, args: g.div(g.one, g.unary(op, args[0]))


def _heaviside(g: Graph, _: StructuralOrder, args: list[Node]) -> Node:
    zero, one = g.zero, g.one
    at_zero = args[1] if len(args) > 1 else g.constant(Fraction(1, 2))
    positive = g.binary(Op.LT, zero, args[0])
    if at_zero == zero:
        return g.select(positive, one, zero)
    negative = g.binary(Op.LT, args[0], zero)
    return g.select(negative, zero, g.select(positive, one, at_zero))


def _sinc(g: Graph, _: StructuralOrder, args: list[Node]) -> Node:
    """Return sin(x) / x, near zero its series, which is right in its derivatives too."""
    x = args[0]
    small = g.binary(Op.LT, g.unary(Op.ABS, x), g.constant(Fraction(1, 16)))
    square, series = g.powi(x, 2), g.zero
    for k in range(4, -1, -1):  # what follows is below 1e-19
        series = g.add(g.constant(Fraction((-1) ** k, math.factorial(2 * k + 1))), g.mul(series, square))
    safe = g.select(small, g.one, x)
    return g.select(small, series, g.div(g.unary(Op.SIN, safe), safe))


def _ceiling(g: Graph, _: StructuralOrder, args: list[Node]) -> Node:
    return g.neg(g.unary(Op.FLOOR, g.neg(args[0])))


def _frac(g: Graph, _: StructuralOrder, args: list[Node]) -> Node:
    return g.sub(args[0], g.unary(Op.FLOOR, args[0]))


FUNCTIONS: dict[Any, Rule] = {
    sympy.sin: _unary(Op.SIN),
    sympy.cos: _unary(Op.COS),
    sympy.tan: _unary(Op.TAN),
    sympy.asin: _unary(Op.ASIN),
    sympy.acos: _unary(Op.ACOS),
    sympy.atan: _unary(Op.ATAN),
    sympy.atan2: _binary(Op.ATAN2),
    sympy.sinh: _unary(Op.SINH),
    sympy.cosh: _unary(Op.COSH),
    sympy.tanh: _unary(Op.TANH),
    sympy.exp: _unary(Op.EXP),
    sympy.log: _unary(Op.LOG),
    sympy.Abs: _unary(Op.ABS),
    sympy.sign: _unary(Op.SIGN),
    sympy.floor: _unary(Op.FLOOR),
    sympy.ceiling: _ceiling,
    sympy.frac: _frac,
    sympy.Mod: _binary(Op.MOD),
    sympy.Min: _chain(Op.MIN),
    sympy.Max: _chain(Op.MAX),
    sympy.Heaviside: _heaviside,
    sympy.sinc: _sinc,
    sympy.cot: _reciprocal(Op.TAN),
    sympy.sec: _reciprocal(Op.COS),
    sympy.csc: _reciprocal(Op.SIN),
}
