"""Functions of SymPy and what they are in ops of the graph: one op each, or a rule of their own."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import sympy

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import OPS, Op
from eomc.lowering.order import StructuralOrder
from eomc.model.vocabulary import OPS_OF_FUNCTIONS

Rule: TypeAlias = Callable[[Graph, StructuralOrder, list[Node]], Node]


def _of(op: Op) -> Rule:
    """Return the rule of a function that is an op; one whose arguments may change places takes any number of them."""
    row = OPS[op]
    if row.arity == 1:
        return lambda g, _, args: g.unary(op, args[0])
    if not row.commutative:
        return lambda g, _, args: g.binary(op, args[0], args[1])
    return lambda g, order, args: functools.reduce(functools.partial(g.binary, op), order.sorted(args))


def _reciprocal(op: Op) -> Rule:
    return lambda g, _, args: g.div(g.one, g.unary(op, args[0]))


def _heaviside(g: Graph, _: StructuralOrder, args: list[Node]) -> Node:
    zero, one = g.zero, g.one
    at_zero = args[1] if len(args) > 1 else g.constant(Fraction(1, 2))
    positive = g.binary(Op.LT, zero, args[0])
    if at_zero == zero:
        return g.select(positive, one, zero)
    return g.select(g.binary(Op.LT, args[0], zero), zero, g.select(positive, one, at_zero))


def _sinc(g: Graph, _: StructuralOrder, args: list[Node]) -> Node:
    """Return sin(x) / x, near zero its series, which is right in its derivatives too."""
    x = args[0]
    small = g.binary(Op.LT, g.unary(Op.ABS, x), g.constant(Fraction(1, 16)))
    square, series = g.powi(x, 2), g.zero
    for k in range(4, -1, -1):  # what follows is below 1e-19
        series = g.add(g.constant(Fraction((-1) ** k, math.factorial(2 * k + 1))), g.mul(series, square))
    safe = g.select(small, g.one, x)
    return g.select(small, series, g.div(g.unary(Op.SIN, safe), safe))


FUNCTIONS: dict[Any, Rule] = {
    **{function: _of(op) for function, op in OPS_OF_FUNCTIONS.items()},
    sympy.ceiling: lambda g, _, args: g.neg(g.unary(Op.FLOOR, g.neg(args[0]))),
    sympy.frac: lambda g, _, args: g.sub(args[0], g.unary(Op.FLOOR, args[0])),
    sympy.Heaviside: _heaviside,
    sympy.sinc: _sinc,
    sympy.cot: _reciprocal(Op.TAN),
    sympy.sec: _reciprocal(Op.COS),
    sympy.csc: _reciprocal(Op.SIN),
}
