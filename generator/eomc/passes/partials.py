"""Derivative rules, one line per op: the partial derivatives of a node with respect to its arguments.

Non-smooth ops differentiate branch by branch: d|x| = sign(x) dx, d sign = d floor = 0, min and max follow the argument
that they return. Comparisons have no derivative. SOLVE and RESULT obey A dX = dB - dA X, in the forward and reverse
sweeps themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op

__all__ = ["PARTIALS", "Rule"]

Rule: TypeAlias = Callable[[Graph, Node, tuple[Node, ...]], tuple[Node, ...]]


def _one_minus_square(g: Graph, x: Node) -> Node:
    return g.sub(g.one, g.powi(x, 2))


def _inverse(g: Graph, x: Node) -> Node:
    return g.div(g.one, x)


def _powi(g: Graph, node: Node, args: tuple[Node, ...]) -> tuple[Node, ...]:
    exponent = g.data[node]
    assert isinstance(exponent, int)
    return (g.mul(g.powi(args[0], exponent - 1), g.constant(exponent)),)


def _pow(g: Graph, node: Node, args: tuple[Node, ...]) -> tuple[Node, ...]:
    x, y = args
    exponent = g.number(y)
    less = g.sub(y, g.one)
    if _rests_at_zero(g, x) and (exponent is None or exponent < 1):
        positive = g.binary(Op.LT, g.zero, x)
        slope = g.mul(y, g.binary(Op.POW, g.select(positive, x, g.one), less))
        slope = g.select(positive, slope, g.zero)
    else:
        slope = g.mul(y, g.binary(Op.POW, x, less))  # finite at x = 0 for y >= 1, as y x^y / x is not
    if exponent is not None:
        return slope, g.zero
    return slope, g.mul(node, g.unary(Op.LOG, x))


def _sqrt(g: Graph, node: Node, args: tuple[Node, ...]) -> tuple[Node, ...]:
    half = g.constant(_HALF)
    if not _rests_at_zero(g, args[0]):
        return (g.div(half, node),)
    positive = g.binary(Op.LT, g.zero, args[0])
    return (g.select(positive, g.div(half, g.select(positive, node, g.one)), g.zero),)


def _rests_at_zero(g: Graph, node: Node) -> bool:
    """Whether a factor of the node is clipped, such as max(x, 0): zero over whole stretches, where the slope is zero.

    There the infinite slope of a root would meet the zero slope of what it is taken of, and inf times 0 is NaN.
    """
    stack = [node]
    while stack:
        factor = stack.pop()
        op, args = g.ops[factor], g.args[factor]
        if op in (Op.MAX, Op.MIN, Op.ABS) or (op is Op.SELECT and g.zero in args):
            return True
        if op is Op.MUL:
            stack.extend(args)
        elif op in (Op.NEG, Op.DIV, Op.POWI):
            stack.append(args[0])
    return False


def _atan2(g: Graph, _: Node, args: tuple[Node, ...]) -> tuple[Node, ...]:
    y, x = args
    square = g.add(g.powi(x, 2), g.powi(y, 2))
    return g.div(x, square), g.neg(g.div(y, square))


def _extremum(g: Graph, args: tuple[Node, ...], swapped: bool) -> tuple[Node, ...]:
    x, y = args
    first = g.binary(Op.LE, y, x) if swapped else g.binary(Op.LE, x, y)
    one, zero = g.one, g.zero
    return g.select(first, one, zero), g.select(first, zero, one)


def _select(g: Graph, _: Node, args: tuple[Node, ...]) -> tuple[Node, ...]:
    one, zero = g.one, g.zero
    return zero, g.select(args[0], one, zero), g.select(args[0], zero, one)


def _zeros(g: Graph, _: Node, args: tuple[Node, ...]) -> tuple[Node, ...]:
    return tuple(g.zero for _ in args)


_HALF = Fraction(1, 2)

PARTIALS: dict[Op, Rule | None] = {
    Op.CONSTANT: _zeros,
    Op.SYMBOL: _zeros,
    Op.ADD: lambda g, _, a: (g.one, g.one),
    Op.SUB: lambda g, _, a: (g.one, g.constant(-1)),
    Op.MUL: lambda g, _, a: (a[1], a[0]),
    Op.DIV: lambda g, n, a: (_inverse(g, a[1]), g.neg(g.div(n, a[1]))),
    Op.NEG: lambda g, _, a: (g.constant(-1),),
    Op.POWI: _powi,
    Op.SQRT: _sqrt,
    Op.CBRT: lambda g, n, a: (g.div(g.constant(Fraction(1, 3)), g.powi(n, 2)),),
    Op.SIN: lambda g, _, a: (g.unary(Op.COS, a[0]),),
    Op.COS: lambda g, _, a: (g.neg(g.unary(Op.SIN, a[0])),),
    Op.TAN: lambda g, n, a: (g.add(g.one, g.powi(n, 2)),),
    Op.ASIN: lambda g, _, a: (_inverse(g, g.unary(Op.SQRT, _one_minus_square(g, a[0]))),),
    Op.ACOS: lambda g, _, a: (g.neg(_inverse(g, g.unary(Op.SQRT, _one_minus_square(g, a[0])))),),
    Op.ATAN: lambda g, _, a: (_inverse(g, g.add(g.one, g.powi(a[0], 2))),),
    Op.ATAN2: _atan2,
    Op.SINH: lambda g, _, a: (g.unary(Op.COSH, a[0]),),
    Op.COSH: lambda g, _, a: (g.unary(Op.SINH, a[0]),),
    Op.TANH: lambda g, n, a: (_one_minus_square(g, n),),
    Op.EXP: lambda g, n, a: (n,),
    Op.LOG: lambda g, _, a: (_inverse(g, a[0]),),
    Op.POW: _pow,
    Op.ABS: lambda g, _, a: (g.unary(Op.SIGN, a[0]),),
    Op.SIGN: _zeros,
    Op.MIN: lambda g, _, a: _extremum(g, a, swapped=False),
    Op.MAX: lambda g, _, a: _extremum(g, a, swapped=True),
    Op.FLOOR: _zeros,
    Op.MOD: lambda g, _, a: (g.one, g.neg(g.unary(Op.FLOOR, g.div(a[0], a[1])))),
    Op.HYPOT: lambda g, n, a: (g.div(a[0], n), g.div(a[1], n)),
    Op.LT: _zeros,
    Op.LE: _zeros,
    Op.EQ: _zeros,
    Op.NE: _zeros,
    Op.AND: _zeros,
    Op.OR: _zeros,
    Op.NOT: _zeros,
    Op.SELECT: _select,
    Op.SOLVE: None,  # handled by the sweeps
    Op.RESULT: None,
}
