"""Collecting the sums that a derivation makes: same value, masses of equal products in one hoisted sum."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.collect import CollectedSums
from eomc.passes.cost import cost

PARAMETERS = [Symbol(Role.PARAMETER, i, name) for i, name in enumerate(["m1", "m2", "l", "k"])]
STATES = [Symbol(Role.STATE, i, name) for i, name in enumerate("qrs")]


@pytest.fixture
def graph() -> Graph:
    """Return an empty graph."""
    return Graph()


def leaves(graph: Graph) -> list[Node]:
    q, r, s = (graph.symbol(x) for x in STATES)
    trig = [graph.unary(op, x) for x in (q, r) for op in (Op.SIN, Op.COS)]
    return [*(graph.symbol(p) for p in PARAMETERS), q, r, s, *trig, graph.constant(Fraction(1, 2)), graph.constant(3)]


factors = st.lists(st.tuples(st.integers(0, 12), st.sampled_from(["mul", "div", "neg", "square"])), max_size=6)


@given(st.lists(factors, max_size=6))
def test_the_sum_keeps_its_value(terms: list[list[tuple[int, str]]]) -> None:
    """Whatever is collected, the sum is the sum."""
    graph = Graph()
    atoms = leaves(graph)
    nodes = []
    for term in terms:
        node = graph.one
        for index, how in term:
            atom = atoms[index]
            if how == "div":
                node = graph.div(node, atom)
            else:
                node = graph.mul(node, graph.powi(atom, 2) if how == "square" else atom)
                node = graph.neg(node) if how == "neg" else node
        nodes.append(node)
    total = CollectedSums(graph)(nodes)
    sample = Sample(graph, {}, seed=7)
    values = sample.vector(nodes)
    assert sample[total] == pytest.approx(sum(values), abs=1e-12 * (1 + sum(map(abs, values))), rel=1e-12)


def test_masses_of_equal_products_become_one_parameter(graph: Graph) -> None:
    """m1 l^2 (c1 c2) + m2 l^2 (c1 c2): the factor of the varying product depends on parameters alone."""
    m1, m2, length, *_ = (graph.symbol(p) for p in PARAMETERS)
    q, r, _ = (graph.symbol(x) for x in STATES)
    product = graph.mul(graph.unary(Op.COS, q), graph.unary(Op.COS, r))
    square = graph.powi(length, 2)
    total = CollectedSums(graph)([graph.mul(graph.mul(m, square), product) for m in (m1, m2)])
    assert graph.ops[total] is Op.MUL
    levels = sorted(graph.level[a] for a in graph.args[total])
    assert levels == [Level.PARAMETERS, Level.VARYING]
    varying = [n for n in graph.reachable([total]) if graph.level[n] == Level.VARYING]
    assert sum(graph.ops[n] is Op.MUL for n in varying) == 2
    assert not any(graph.ops[n] is Op.ADD for n in varying)


def test_equal_coefficients_are_taken_out(graph: Graph) -> None:
    """k q + k r is k (q + r), and k q - k r is k (q - r)."""
    k = graph.symbol(PARAMETERS[3])
    q, r, _ = (graph.symbol(x) for x in STATES)
    assert CollectedSums(graph)([graph.mul(k, q), graph.mul(k, r)]) == graph.mul(k, graph.add(q, r))
    assert CollectedSums(graph)([graph.mul(k, q), graph.neg(graph.mul(k, r))]) == graph.mul(k, graph.sub(q, r))


def test_cos_squared_and_sin_squared_are_one(graph: Graph) -> None:
    """m l^2 (c^2 + s^2) loses its trigonometry, with any common factor; unequal factors keep it."""
    m1, m2, *_ = (graph.symbol(p) for p in PARAMETERS)
    q, r, _ = (graph.symbol(x) for x in STATES)
    c2, s2 = graph.powi(graph.unary(Op.COS, q), 2), graph.powi(graph.unary(Op.SIN, q), 2)
    assert CollectedSums(graph)([graph.mul(m1, c2), graph.mul(m1, s2)]) == m1
    assert CollectedSums(graph)([c2, s2]) == graph.one
    assert CollectedSums(graph)([graph.mul(graph.mul(m1, r), c2), graph.mul(graph.mul(m1, r), s2)]) == graph.mul(m1, r)
    unequal = CollectedSums(graph)([graph.mul(m1, c2), graph.mul(m2, s2)])
    assert Op.SIN in {graph.ops[n] for n in graph.reachable([unequal])}


def test_terms_that_cancel_are_gone(graph: Graph) -> None:
    """A term and its opposite leave the literal zero, and the other terms."""
    m1 = graph.symbol(PARAMETERS[0])
    q, r, _ = (graph.symbol(x) for x in STATES)
    term = graph.mul(m1, graph.unary(Op.SIN, q))
    assert CollectedSums(graph)([term, graph.neg(term)]) == graph.zero
    assert CollectedSums(graph)([term, r, graph.neg(term)]) == r
    assert CollectedSums(graph)([]) == graph.zero


def test_steady_divisors_count_as_coefficients(graph: Graph) -> None:
    """q/k + 2 q/k is one product by a hoisted factor."""
    k = graph.symbol(PARAMETERS[3])
    q = graph.symbol(STATES[0])
    total = CollectedSums(graph)([graph.div(q, k), graph.div(graph.mul(q, graph.constant(2)), k)])
    assert cost(graph, [total]) == 1


def test_factors_that_vary_are_not_expanded(graph: Graph) -> None:
    """(q - r)^2 stays a power of a difference."""
    q, r, _ = (graph.symbol(x) for x in STATES)
    square = graph.powi(graph.sub(q, r), 2)
    assert CollectedSums(graph)([square, graph.one]) == graph.add(square, graph.one)
