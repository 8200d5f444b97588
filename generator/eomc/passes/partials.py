"""Derivative rules, one line per op: the partial derivatives of a node with respect to its arguments.

Non-smooth ops differentiate branch by branch: d|x| = sign(x) dx, d sign = d floor = 0. Comparisons have no derivative.
The sweeps themselves follow choices (SELECT, MIN and MAX have the derivative of what they return) and systems (SOLVE
and RESULT obey A dX = dB - dA X).

A slope may be infinite where the value is not, that of a root at zero. Where the value rests there by a choice, over a
whole stretch, the slopes are zero: see `ir.choices`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from eomc.ir.choices import CHOICES, EVERYWHERE, NOWHERE, moving
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.guards import guarded
from eomc.ir.ops import Op

__all__ = ["PARTIALS", "Rule", "partials"]

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
    slope = g.mul(y, g.binary(Op.POW, x, g.sub(y, g.one)))  # finite at x = 0 for y >= 1, as y x^y / x is not
    if g.number(y) is not None or x == g.zero:  # 0^y is zero for all positive y
        return slope, g.zero
    safe = x if g.number(x) is not None else g.select(g.binary(Op.EQ, x, g.zero), g.one, x)
    return slope, g.mul(node, g.unary(Op.LOG, safe))


def _atan2(g: Graph, _: Node, args: tuple[Node, ...]) -> tuple[Node, ...]:
    y, x = args
    square = g.add(g.powi(x, 2), g.powi(y, 2))
    return g.div(x, square), g.neg(g.div(y, square))


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
    Op.SQRT: lambda g, n, a: (g.div(g.constant(_HALF), n),),
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
    Op.MIN: None,  # handled by the sweeps, as all that have none
    Op.MAX: None,
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
    Op.SELECT: None,
    Op.SOLVE: None,
    Op.RESULT: None,
}

_STEEP: dict[Op, frozenset[int]] = {
    **dict.fromkeys((Op.SQRT, Op.CBRT, Op.POW, Op.HYPOT, Op.ATAN2), frozenset({0})),
    **dict.fromkeys((Op.ASIN, Op.ACOS), frozenset({-1, 1})),
}
"""Ops with a finite value where a slope is infinite, or no number, and where that is."""


def partials(graph: Graph, node: Node) -> tuple[Node, ...]:
    """Return the partial derivatives of a node with respect to its arguments."""
    op, args = graph.ops[node], graph.args[node]
    rule = PARTIALS[op]
    assert rule is not None
    slopes = rule(graph, node, args)
    if op not in _STEEP:
        return slopes
    return tuple(_resting(graph, node, argument, slope) for argument, slope in zip(args, slopes, strict=True))


def _resting(graph: Graph, node: Node, argument: Node, slope: Node) -> Node:
    """Return a slope that is zero, and evaluated with safe operands, where the argument rests by a choice."""
    if graph.level[argument] < Level.VARYING or _rests_elsewhere(graph, argument, _STEEP[graph.ops[node]]):
        return slope
    where = moving(graph, argument)
    if where in (EVERYWHERE, NOWHERE):
        return slope
    safe = guarded(graph, slope, where, {node, *graph.args[node]})
    return graph.select(where, safe, graph.zero)


def _rests_elsewhere(graph: Graph, argument: Node, steep: frozenset[int]) -> bool:
    """Whether an argument is a choice between what never rests and a number at which no slope is infinite."""
    if graph.ops[argument] not in CHOICES:
        return False
    numbers = [graph.number(a) for a in graph.args[argument][-2:]]
    others = [a for a in graph.args[argument][-2:] if graph.number(a) is None]
    return not steep.intersection(numbers) and all(moving(graph, a) == EVERYWHERE for a in others)
