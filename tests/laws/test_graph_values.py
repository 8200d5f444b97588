"""Every rewriting at a node's birth keeps the value: random expressions against exact arithmetic and plain floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.symbols import Role, Symbol

SYMBOLS = [Symbol(Role.STATE, i, name) for i, name in enumerate("xyz")]

numbers = st.one_of(
    st.integers(-4, 4),
    st.fractions(-3, 3, max_denominator=8),
)
# (op, operand, operand): operands count backwards from the newest value
steps = st.lists(
    st.tuples(st.sampled_from(["add", "sub", "mul", "div", "neg", "powi"]), st.integers(0, 9), st.integers(0, 9)),
    min_size=1,
    max_size=14,
)


class Exact:
    """Symbols, numbers and every step, in the graph and in exact arithmetic side by side."""

    def __init__(self, values: list[Fraction]) -> None:
        self.graph = Graph()
        self.nodes = [self.graph.symbol(s) for s in SYMBOLS]
        self.values: list[Fraction] = list(values)
        self.at = dict(zip(SYMBOLS, values, strict=True))

    def push(self, node: Node, value: Fraction) -> None:
        self.nodes.append(node)
        self.values.append(value)

    def pick(self, back: int) -> tuple[Node, Fraction]:
        index = -1 - back % len(self.nodes)
        return self.nodes[index], self.values[index]

    def evaluate(self, node: Node) -> Fraction:
        """Evaluate the graph in exact arithmetic, by the definition of each op."""
        found: dict[Node, Fraction] = {}
        for n in self.graph.reachable([node]):
            op, data = self.graph.ops[n], self.graph.data[n]
            args = [found[a] for a in self.graph.args[n]]
            if op is Op.CONSTANT:
                found[n] = Fraction(data)
            elif op is Op.SYMBOL:
                found[n] = self.at[data]
            elif op is Op.POWI:
                found[n] = args[0] ** data
            else:
                rule = OPS[op].evaluate
                assert rule is not None
                found[n] = rule(*args)
        return found[node]


@given(st.lists(st.fractions(-3, 3, max_denominator=7), min_size=3, max_size=3), st.lists(numbers, max_size=3), steps)
def test_arithmetic_keeps_its_exact_value(
    values: list[Fraction], constants: list[Fraction], program: list[tuple[str, int, int]]
) -> None:
    """Sums, differences, products, quotients and powers, over symbols and exact numbers, are exactly what they say."""
    both = Exact(values)
    for number in constants:
        both.push(both.graph.constant(number), Fraction(number))
    for op, i, j in program:
        (x, a), (y, b) = both.pick(i), both.pick(j)
        if abs(a) > 10**40 or abs(b) > 10**40:
            continue
        if op == "neg":
            both.push(both.graph.neg(x), -a)
        elif op == "powi":
            exponent = j - 4
            if a != 0:
                both.push(both.graph.powi(x, exponent), a**exponent)
        elif op == "div":
            if b != 0:
                both.push(both.graph.div(x, y), a / b)
        else:
            rule: Callable[[Any, Any], Any] = {
                "add": lambda p, q: p + q, "sub": lambda p, q: p - q, "mul": lambda p, q: p * q,
            }[op]  # fmt: skip
            both.push(getattr(both.graph, op)(x, y), rule(a, b))
    for node, value in zip(both.nodes, both.values, strict=True):
        assert both.evaluate(node) == value


UNARY = [op for op in Op if OPS[op].arity == 1 and OPS[op].kind is Kind.REAL and op not in (Op.POWI, Op.RESULT)]
BINARY = [op for op in Op if OPS[op].arity == 2 and OPS[op].kind is Kind.REAL]
reals = st.floats(-3, 3, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-6)
signs = st.tuples(st.booleans(), st.booleans(), st.booleans())


def apply(op: Op, *arguments: float) -> float:
    rule = OPS[op].evaluate
    assert rule is not None
    try:
        value = rule(*arguments)
    except (ArithmeticError, ValueError):
        return math.nan
    return math.nan if isinstance(value, complex) else float(value)


@pytest.mark.parametrize("op", UNARY)
@given(x=reals, k=st.integers(-3, 3), signed=signs)
@settings(max_examples=15)
def test_functions_of_one_argument_keep_their_value(op: Op, x: float, k: int, signed: tuple[bool, ...]) -> None:
    """f(x), f(-x), f(|x|), f(x^2) and f of a number have the value of the op, or none where it has none."""
    graph = Graph()
    node, value = graph.symbol(SYMBOLS[0]), x
    if signed[0]:
        node, value = graph.neg(node), -value
    if signed[1]:
        node, value = graph.unary(Op.ABS, node), abs(value)
    if signed[2]:
        node, value = graph.powi(node, 2), value * value
    sample = Sample(graph, {SYMBOLS[0]: x})
    assert sample[graph.unary(op, node)] == pytest.approx(apply(op, value), rel=1e-14, abs=1e-300, nan_ok=True)
    exact = graph.unary(op, graph.constant(Fraction(k, 2)))
    assert sample[exact] == pytest.approx(apply(op, k / 2), rel=1e-14, abs=1e-300, nan_ok=True)


@pytest.mark.parametrize("op", BINARY)
@given(x=reals, y=reals, signed=signs, literal=st.booleans())
@settings(max_examples=25)
def test_functions_of_two_arguments_keep_their_value(
    op: Op, x: float, y: float, signed: tuple[bool, ...], literal: bool
) -> None:
    """Swapping, signs, literals and equal arguments change no value."""
    graph = Graph()
    first, second = graph.symbol(SYMBOLS[0]), graph.constant(y) if literal else graph.symbol(SYMBOLS[1])
    assume(not (op is Op.DIV and y == 0))
    sample = Sample(graph, dict(zip(SYMBOLS, (x, y, 0.0), strict=True)))
    a, b = x, y
    if signed[0]:
        first, a = graph.neg(first), -a
    if signed[1]:
        second, b = graph.neg(second), -b
    expected = apply(op, a, b)
    assert sample[graph.binary(op, first, second)] == pytest.approx(expected, rel=1e-14, abs=1e-300, nan_ok=True)
    if signed[2] and x:
        same = apply(op, a, a)
        assert sample[graph.binary(op, first, first)] == pytest.approx(same, rel=1e-14, abs=1e-15, nan_ok=True)


@given(
    st.sampled_from([Op.LT, Op.LE, Op.EQ, Op.NE]),
    st.sampled_from([-1.0, 0.0, 1.0, math.nan]),
    st.sampled_from([-1.0, 0.0, 1.0, math.nan]),
)
def test_comparisons_are_those_of_ieee_754(op: Op, x: float, y: float) -> None:
    """NaN is neither less than, nor equal to, anything; a negation is the opposite."""
    graph = Graph()
    node = graph.binary(op, graph.symbol(SYMBOLS[0]), graph.symbol(SYMBOLS[1]))
    sample = Sample(graph, {SYMBOLS[0]: x, SYMBOLS[1]: y})
    expected = {Op.LT: x < y, Op.LE: x <= y, Op.EQ: x == y, Op.NE: x != y}[op]
    assert sample[node] is expected
    assert sample[graph.negate(node)] is (not expected)
