"""Cheaper forms of the same value: powers, half-integer powers, divisions by parameters, gathered parameters."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.derivation.methods.kane import KANE
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check, Function, Program, Variable
from eomc.ir.symbols import Role, Symbol
from eomc.ir.verify import verify
from eomc.passes.strength import reduce_strength

X, Y = Symbol(Role.STATE, 0, "x"), Symbol(Role.STATE, 1, "y")
P, Q = Symbol(Role.PARAMETER, 0, "p"), Symbol(Role.PARAMETER, 1, "q")
AT = {X: 1.7, Y: 0.6, P: 2.3, Q: 0.9}


def program(graph: Graph, *outputs: Node, checks: tuple[Check, ...] = (), blocks: tuple[Block, ...] = ()) -> Program:
    names = tuple(str(i) for i in range(len(outputs)))
    return Program(
        "m",
        "",
        KANE,
        graph,
        Symbol(Role.TIME, 0, "t"),
        (Variable(X, "x"), Variable(Y, "y")),
        (),
        (Variable(P, "p"), Variable(Q, "q")),
        (Function("rhs", "", outputs, names, (len(outputs),), blocks),),
        checks,
    )


def reduced(graph: Graph, *outputs: Node) -> tuple[Node, ...]:
    result = reduce_strength(program(graph, *outputs))
    verify(result)
    return result.functions[0].outputs


def ops(graph: Graph, root: Node) -> list[Op]:
    return [graph.ops[n] for n in graph.reachable([root])]


@pytest.mark.parametrize("exponent", [-16, -3, -2, -1, 2, 3, 4, 5, 7, 8, 15, 16])
def test_small_powers_are_products(exponent: int) -> None:
    """Repeated squaring, one division for a negative exponent, within 2 ulp of pow per product."""
    graph = Graph()
    (node,) = reduced(graph, graph.powi(graph.symbol(X), exponent))
    found = ops(graph, node)
    assert Op.POWI not in found
    assert Op.POW not in found
    assert found.count(Op.DIV) == (exponent < 0)
    assert found.count(Op.MUL) <= 2 * (abs(exponent).bit_length() - 1)
    assert Sample(graph, AT)[node] == pytest.approx(1.7**exponent, rel=1e-14)


@pytest.mark.parametrize("exponent", [17, 64, -40])
def test_large_powers_stay(exponent: int) -> None:
    """A power that would be a long product is left to the target."""
    graph = Graph()
    node = graph.powi(graph.symbol(X), exponent)
    assert reduced(graph, node) == (node,)


def test_powers_share_their_squares() -> None:
    """x^2, x^3 and x^4 together take three products."""
    graph = Graph()
    x = graph.symbol(X)
    nodes = reduced(graph, *(graph.powi(x, n) for n in (2, 3, 4)))
    live = graph.reachable(nodes)
    assert sum(graph.ops[n] is Op.MUL for n in live) == 3


@pytest.mark.parametrize("kind", [Fraction, float])
@pytest.mark.parametrize("twice", [-5, -3, -1, 1, 3, 5, 7])
def test_half_integer_powers_take_a_square_root(twice: int, kind: type) -> None:
    """x^(3/2) is x sqrt(x), also when the exponent is a float; no call of pow."""
    graph = Graph()
    exponent = graph.constant(kind(Fraction(twice, 2)))
    (node,) = reduced(graph, graph.binary(Op.POW, graph.symbol(X), exponent))
    found = ops(graph, node)
    assert Op.POW not in found
    assert found.count(Op.SQRT) == 1
    assert Sample(graph, AT)[node] == pytest.approx(1.7 ** (twice / 2), rel=1e-15)


@pytest.mark.parametrize("exponent", [Fraction(1, 3), Fraction(-2, 3), 0.3, Fraction(101, 2)])
def test_other_powers_stay(exponent: float) -> None:
    """What no square root serves is pow."""
    graph = Graph()
    node = graph.binary(Op.POW, graph.symbol(X), graph.constant(exponent))
    assert reduced(graph, node) == (node,)


def test_a_division_by_a_parameter_is_a_product_by_its_hoisted_inverse() -> None:
    """x / p: no division at run time; x / y and p / q keep theirs."""
    graph = Graph()
    x, y, p, q = (graph.symbol(s) for s in (X, Y, P, Q))
    nodes = reduced(graph, graph.div(x, graph.mul(p, q)), graph.div(x, y), graph.div(p, q), graph.div(p, x))
    divisions = [n for n in graph.reachable(nodes) if graph.ops[n] is Op.DIV]
    varying = [n for n in divisions if graph.level[n] == Level.VARYING]
    assert [graph.args[n] for n in varying] == [graph.args[graph.div(x, y)], graph.args[graph.div(p, x)]]
    sample = Sample(graph, AT)
    assert sample.vector(nodes) == pytest.approx([1.7 / (2.3 * 0.9), 1.7 / 0.6, 2.3 / 0.9, 2.3 / 1.7], rel=1e-15)


def test_numbers_whose_product_loses_digits_are_not_gathered() -> None:
    """1e-200 (1e-200 x) is no zero where x is large."""
    graph = Graph()
    small, x = graph.constant(1e-200), graph.symbol(X)
    inner = graph.mul(small, x)
    (output,) = reduce_strength(program(graph, graph.mul(graph.constant(2e-200), inner))).functions[0].outputs
    assert Sample(graph, {X: 1e300})[output] == pytest.approx(2e-100, rel=1e-15)
    (output,) = reduce_strength(program(graph, graph.mul(graph.constant(2e100), inner))).functions[0].outputs
    assert graph.number(graph.args[output][1]) == pytest.approx(2e-100)


def test_parameters_are_gathered() -> None:
    """p (q x) is (p q) x with p q hoisted, unless q x serves something else."""
    graph = Graph()
    x, p, q = (graph.symbol(s) for s in (X, P, Q))
    inner = graph.mul(q, x)
    (node,) = reduced(graph, graph.mul(p, inner))
    assert sum(graph.level[n] == Level.VARYING for n in graph.reachable([node])) == 2
    assert Sample(graph, AT)[node] == pytest.approx(2.3 * 0.9 * 1.7)
    shared = reduced(graph, graph.mul(p, inner), graph.unary(Op.SIN, inner))
    assert inner in graph.reachable(shared[:1])


KINDS = st.sampled_from(["add", "sub", "mul", "div", "powi", "half", "sin"])


@given(st.lists(st.tuples(KINDS, st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12))
def test_the_value_stays_up_to_rounding(steps: list[tuple[str, int, int]]) -> None:
    """Any expression has the same value after the pass, and the program is still a legal one."""
    graph = Graph()
    nodes = [graph.symbol(s) for s in (X, Y, P, Q)]
    for kind, i, j in steps:
        a, b = nodes[-1 - i % len(nodes)], nodes[-1 - j % len(nodes)]
        positive = graph.add(graph.one, graph.powi(graph.unary(Op.SIN, b), 2))
        if kind == "powi":
            nodes.append(graph.powi(positive, j - 5))
        elif kind == "half":
            nodes.append(graph.binary(Op.POW, positive, graph.constant(Fraction(2 * j - 9, 2))))
        elif kind == "sin":
            nodes.append(graph.unary(Op.SIN, a))
        else:
            bounded = graph.unary(Op.TANH, a) if kind == "mul" else a
            nodes.append(getattr(graph, kind)(bounded, positive if kind == "div" else b))
    outputs = reduced(graph, *nodes[4:])
    sample = Sample(graph, AT)
    for old, new in zip(nodes[4:], outputs, strict=True):
        assert sample[new] == pytest.approx(sample[old], rel=1e-10, abs=1e-10)


def test_checks_and_blocks_follow_their_nodes() -> None:
    """A check guards the rewritten division; a block shows rewritten entries, without those that nothing needs."""
    graph = Graph()
    x, p = graph.symbol(X), graph.symbol(P)
    pivot = graph.add(graph.powi(x, 2), graph.div(x, p))
    inverse = graph.div(graph.one, pivot)
    check = Check(inverse, graph.binary(Op.LT, graph.zero, pivot), "x", 0)
    lost = graph.unary(Op.EXP, x)
    block = Block("b", (("pivot", pivot), ("lost", lost)))
    result = reduce_strength(program(graph, graph.mul(inverse, x), checks=(check,), blocks=(block,)))
    verify(result)
    (output,) = result.functions[0].outputs
    assert result.checks[0].node in graph.reachable([output])
    assert result.checks[0].node != inverse
    assert [name for name, _ in result.functions[0].blocks[0].entries] == ["pivot"]
    assert result.functions[0].blocks[0].entries[0][1] in graph.reachable([output])
