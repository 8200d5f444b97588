"""How the coefficients of a power series follow from those of its arguments: a recurrence, or a refusal, for every op.

Griewank & Walther, *Evaluating Derivatives* (2008), section 13.2. A sum is linear; products, quotients and roots follow
from u v = w; whatever else has slopes follows from them: v' = P a' with P = n / w says w v' = n a', and the coefficient
of t^(k-1) is k (w_0 v_k - n_0 a_k) on one side and sums over lower orders on the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from eomc.errors import UnsupportedError
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Op
from eomc.ir.text import formulas
from eomc.passes.strength import half_integer, half_power, integer_power
from eomc.solving.sums import Sums


class Orders(Protocol):
    """What a rule knows: nodes are values at order 0."""

    graph: Graph
    sums: Sums

    def __getitem__(self, node: Node) -> Node:
        """Return the coefficient of order k of an argument."""


Rule: TypeAlias = Callable[[Orders, Node], Node]
"""The coefficient of order k > 0 of a node, whose arguments have theirs."""
Rewriting: TypeAlias = Callable[[Graph, Node], Node]
"""The same value by other ops; the node itself where there are none."""


Reason: TypeAlias = Callable[[Graph, Node], str]
"""Why a node has no power series, "" where it has one."""


@dataclass(frozen=True, slots=True)
class Recurrence:
    """One row."""

    rule: Rule
    rewriting: Rewriting = lambda graph, node: node
    reason: Reason = lambda graph, node: ""


def recurrence_of(graph: Graph, node: Node) -> Recurrence:
    """Return the recurrence of a varying node.

    Raises
    ------
    UnsupportedError
        The node has no power series.
    """
    row = RECURRENCES[graph.ops[node]]
    reason = row.reason(graph, node)
    if reason:
        text = formulas(graph, [node], 60)[node] or "an expression of the model"
        raise UnsupportedError(f"{text} has no power series: {reason}; use another integrator, such as dop853")
    return row


# -- rules -----------------------------------------------------------------------------------------------------------


def _add(orders: Orders, node: Node) -> Node:
    a, b = orders.graph.args[node]
    return orders.graph.add(orders[a], orders[b])


def _sub(orders: Orders, node: Node) -> Node:
    a, b = orders.graph.args[node]
    return orders.graph.sub(orders[a], orders[b])


def _neg(orders: Orders, node: Node) -> Node:
    return orders.graph.neg(orders[orders.graph.args[node][0]])


def _product(orders: Orders, node: Node) -> Node:
    graph = orders.graph
    a, b = graph.args[node]
    if a == b:
        ends = graph.mul(graph.add(a, a), orders[a])
    else:
        ends = graph.add(graph.mul(a, orders[b]), graph.mul(b, orders[a]))
    return graph.add(ends, orders.sums.product(a, b))


def _quotient(orders: Orders, node: Node) -> Node:
    graph = orders.graph
    a, b = graph.args[node]
    if graph.level[b] < Level.VARYING:
        return graph.div(orders[a], b)
    left = graph.sub(graph.sub(orders[a], graph.mul(node, orders[b])), orders.sums.product(node, b))
    return graph.mul(left, graph.div(graph.one, b))


def _root(orders: Orders, node: Node) -> Node:
    graph = orders.graph
    left = graph.sub(orders[graph.args[node][0]], orders.sums.product(node, node))
    return graph.mul(left, graph.div(graph.one, graph.add(node, node)))


def _by_slopes(orders: Orders, node: Node) -> Node:
    graph, args = orders.graph, orders.graph.args[node]
    partial = OPS[graph.ops[node]].partial
    assert partial is not None
    slopes = [_fraction(graph, slope) for slope in partial(graph, node, args, graph.data[node])]
    divisor = next(divisor for numerator, divisor in slopes if numerator != graph.zero)  # all have the same
    total = graph.zero
    for (numerator, _), argument in zip(slopes, args, strict=True):
        ends = graph.mul(numerator, orders[argument])
        total = graph.add(total, graph.add(ends, orders.sums.weighted(argument, numerator)))
    if divisor == graph.one:
        return total
    return graph.mul(graph.sub(total, orders.sums.weighted(node, divisor)), graph.div(graph.one, divisor))


def _fraction(graph: Graph, slope: Node) -> tuple[Node, Node]:
    """Return numerator and divisor of a slope."""
    if graph.ops[slope] is Op.NEG:
        numerator, divisor = _fraction(graph, graph.args[slope][0])
        return graph.neg(numerator), divisor
    if graph.ops[slope] is Op.DIV:
        numerator, divisor = graph.args[slope]
        return numerator, divisor
    return slope, graph.one


def _power(orders: Orders, node: Node) -> Node:
    """X v' = y v x' for v = x^y with a steady y."""
    graph, sums = orders.graph, orders.sums
    x, y = graph.args[node]
    total = graph.mul(graph.mul(y, node), orders[x])
    total = graph.add(total, graph.sub(graph.mul(y, sums.weighted(x, node)), sums.weighted(node, x)))
    return graph.mul(total, graph.div(graph.one, x))


def _choice(orders: Orders, node: Node) -> Node:
    graph = orders.graph
    condition, if_true, if_false = graph.args[node]
    return graph.select(condition, orders[if_true], orders[if_false])


# -- rewritings ------------------------------------------------------------------------------------------------------


def _as_products(graph: Graph, node: Node) -> Node:
    """Return an integer power as products: they have a series at zero, too."""
    exponent, (base,) = graph.integer(node), graph.args[node]
    product = integer_power(graph, base, abs(exponent))
    return graph.div(graph.one, product) if exponent < 0 else product


def _as_exponential(graph: Graph, node: Node) -> Node:
    """Return x^y by whole powers and roots where y has them, by exp(y log x) where it varies."""
    x, y = graph.args[node]
    if graph.level[y] == Level.VARYING:
        return graph.unary(Op.EXP, graph.mul(y, graph.unary(Op.LOG, x)))
    exponent = graph.number(y)
    if exponent is not None and exponent == int(exponent):
        return graph.powi(x, int(exponent))
    half = half_integer(exponent)
    if half is None:
        return node
    product = half_power(graph, x, abs(half))
    return graph.div(graph.one, product) if half < 0 else product


# -- the table -------------------------------------------------------------------------------------------------------


def _absent(orders: Orders, node: Node) -> Node:
    raise AssertionError(f"{orders.graph.ops[node]} has no recurrence of its own")


def _refused(reason: str) -> Recurrence:
    return Recurrence(_absent, reason=lambda graph, node: reason)


def _changes_over(graph: Graph, node: Node) -> str:
    varies = graph.level[graph.args[node][0]] == Level.VARYING
    return "it changes over from one expression to another" if varies else ""


_SLOPES = Recurrence(_by_slopes)
_KINK = _refused("it has a kink where it changes over")
_STEP = _refused("it jumps")
_TRUTH = _refused("it is a truth value")
_ELSEWHERE = Recurrence(_absent)  # given, steady, or an unknown of a linear system

RECURRENCES: dict[Op, Recurrence] = {
    Op.CONSTANT: _ELSEWHERE,
    Op.SYMBOL: _ELSEWHERE,
    Op.ADD: Recurrence(_add),
    Op.SUB: Recurrence(_sub),
    Op.MUL: Recurrence(_product),
    Op.DIV: Recurrence(_quotient),
    Op.NEG: Recurrence(_neg),
    Op.POWI: Recurrence(_absent, _as_products),
    Op.SQRT: Recurrence(_root),
    Op.SIN: _SLOPES,
    Op.COS: _SLOPES,
    Op.TAN: _SLOPES,
    Op.ASIN: _SLOPES,
    Op.ACOS: _SLOPES,
    Op.ATAN: _SLOPES,
    Op.ATAN2: _SLOPES,
    Op.SINH: _SLOPES,
    Op.COSH: _SLOPES,
    Op.TANH: _SLOPES,
    Op.EXP: _SLOPES,
    Op.LOG: _SLOPES,
    Op.POW: Recurrence(_power, _as_exponential),
    Op.ABS: _KINK,
    Op.SIGN: _STEP,
    Op.MIN: _KINK,
    Op.MAX: _KINK,
    Op.FLOOR: _STEP,
    Op.MOD: _STEP,
    Op.LT: _TRUTH,
    Op.LE: _TRUTH,
    Op.EQ: _TRUTH,
    Op.NE: _TRUTH,
    Op.AND: _TRUTH,
    Op.OR: _TRUTH,
    Op.NOT: _TRUTH,
    Op.SELECT: Recurrence(_choice, reason=_changes_over),
    Op.SOLVE: _ELSEWHERE,
    Op.RESULT: _ELSEWHERE,
}
"""A row for every op; steady nodes need none."""
