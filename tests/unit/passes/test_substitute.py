"""Substitution: like evaluating at other leaves, simplified anew, remembered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.passes.substitute import Substitution

X, Y, Z = (Symbol(Role.STATE, i, name) for i, name in enumerate("xyz"))
OPERATIONS = [op for op in Op if OPS[op].kind is Kind.REAL and OPS[op].arity in (1, 2) and op is not Op.RESULT]


@given(
    st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=10),
    st.floats(0.2, 1.2),
    st.floats(0.2, 1.2),
)
def test_substituting_is_evaluating_elsewhere(program: list[tuple[Op, int, int]], x: float, y: float) -> None:
    """f with x replaced by sin(y) + 0.3, at (x, y), is f at (sin(y) + 0.3, y)."""
    graph = Graph()
    nodes: list[Node] = [graph.symbol(X), graph.symbol(Y)]
    for op, i, j in program:
        a, b = nodes[-1 - i % len(nodes)], nodes[-1 - j % len(nodes)]
        if op in (Op.DIV, Op.MOD):
            b = graph.add(graph.powi(b, 2), graph.one)
        if op is Op.POWI:
            nodes.append(graph.powi(a, 1 + j))
        elif op is Op.NEG:
            nodes.append(graph.neg(a))
        else:
            nodes.append(graph.unary(op, a) if OPS[op].arity == 1 else graph.binary(op, a, b))
    other = graph.add(graph.unary(Op.SIN, nodes[1]), graph.constant(0.3))
    new = Substitution(graph, {nodes[0]: other})(nodes[-1])
    sample = Sample(graph, {X: x, Y: y})
    elsewhere = Sample(graph, {X: sample[other], Y: y})
    assert sample[new] == pytest.approx(elsewhere[nodes[-1]], rel=1e-9, abs=1e-9, nan_ok=True)


def test_replacing_a_speed_by_zero_leaves_no_trace() -> None:
    """Terms in a variable that is put to zero disappear."""
    graph = Graph()
    x, y = graph.symbol(X), graph.symbol(Y)
    node = graph.add(graph.mul(graph.unary(Op.COS, y), graph.powi(x, 2)), y)
    assert Substitution(graph, {x: graph.zero})(node) == y


def test_replacements_are_not_rewritten_themselves() -> None:
    """x -> y and y -> x change places at the same time."""
    graph = Graph()
    x, y = graph.symbol(X), graph.symbol(Y)
    swap = Substitution(graph, {x: y, y: x})
    assert swap(graph.sub(x, graph.unary(Op.SIN, y))) == graph.sub(y, graph.unary(Op.SIN, x))
    assert swap.all([x, y]) == [y, x]


def test_inner_nodes_can_be_replaced() -> None:
    """Any node may give way, not only leaves; what does not hold it stays the same node."""
    graph = Graph()
    x, y = graph.symbol(X), graph.symbol(Y)
    sine = graph.unary(Op.SIN, x)
    untouched = graph.add(x, y)
    change = Substitution(graph, {sine: y})
    assert change(graph.mul(sine, untouched)) == graph.mul(y, untouched)
    assert change(untouched) == untouched


def test_linear_systems_and_selections_are_rebuilt() -> None:
    """SOLVE, RESULT, SELECT, NOT and powers over new arguments."""
    graph = Graph()
    x, y, z = (graph.symbol(s) for s in (X, Y, Z))
    rows = graph.solve(Factorization.LU, [[x, graph.one], [graph.one, y]], [[x], [y]], ["a", "b"])
    condition = graph.negate(graph.binary(Op.LT, x, y))
    node = graph.select(condition, rows[1][0], graph.powi(x, -3))
    new = Substitution(graph, {x: z})(node)
    for low, high in ((0.5, 2.0), (3.0, 2.0)):
        assert Sample(graph, {Z: low, Y: high})[new] == Sample(graph, {X: low, Y: high})[node]


def test_a_replacement_without_a_value_is_nan() -> None:
    """1/x with x replaced by zero is NaN, as at run time, and no exception."""
    graph = Graph()
    x = graph.symbol(X)
    nan = Substitution(graph, {x: graph.zero})(graph.div(graph.one, x))
    assert Sample(graph, {})[nan] != Sample(graph, {})[nan]
