"""Products of sines and cosines of two angles become one of a sum, where that takes less."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eomc
from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.angles import with_sums_of_angles
from eomc.passes.cost import cost


class Angles:
    """A graph with parameters k and l and angles x and y."""

    def __init__(self) -> None:
        self.graph = Graph()
        roles = (Role.PARAMETER, Role.PARAMETER, Role.STATE, Role.STATE)
        self.symbols = {name: Symbol(role, i, name) for i, (role, name) in enumerate(zip(roles, "klxy", strict=True))}
        self.k, self.l, self.x, self.y = map(self.graph.symbol, self.symbols.values())

    def call(self, op: Op, angle: Node) -> Node:
        return self.graph.unary(op, angle)

    def term(self, first: Op, a: Node, second: Op, b: Node, factor: Node) -> Node:
        return self.graph.mul(self.graph.mul(factor, self.call(first, a)), self.call(second, b))


IDENTITIES = [
    ((Op.COS, Op.COS), (Op.SIN, Op.SIN), 1, lambda x, y: math.cos(x - y)),
    ((Op.COS, Op.COS), (Op.SIN, Op.SIN), -1, lambda x, y: math.cos(x + y)),
    ((Op.SIN, Op.SIN), (Op.COS, Op.COS), 1, lambda x, y: math.cos(x - y)),
    ((Op.SIN, Op.SIN), (Op.COS, Op.COS), -1, lambda x, y: -math.cos(x + y)),
    ((Op.SIN, Op.COS), (Op.COS, Op.SIN), 1, lambda x, y: math.sin(x + y)),
    ((Op.SIN, Op.COS), (Op.COS, Op.SIN), -1, lambda x, y: math.sin(x - y)),
    ((Op.COS, Op.SIN), (Op.SIN, Op.COS), 1, lambda x, y: math.sin(x + y)),
    ((Op.COS, Op.SIN), (Op.SIN, Op.COS), -1, lambda x, y: math.sin(y - x)),
]


@pytest.mark.parametrize(("first", "second", "sign", "closed"), IDENTITIES)
@given(x=st.floats(-7, 7), y=st.floats(-7, 7))
@settings(max_examples=20, deadline=None)
def test_the_addition_theorems(first, second, sign, closed, x: float, y: float) -> None:
    """Each pair of products is one sine or cosine, with its sign."""
    at = Angles()
    graph = at.graph
    one = at.term(first[0], at.x, first[1], at.y, at.k)
    other = at.term(second[0], at.x, second[1], at.y, at.k)
    total = graph.add(one, other) if sign > 0 else graph.sub(one, other)
    found = with_sums_of_angles(graph, [[total]])
    assert found is not None
    ((shorter,),) = found
    calls = [n for n in graph.reachable([shorter]) if graph.ops[n] in (Op.SIN, Op.COS)]
    assert len(calls) == 1
    sample = Sample(graph, dict(zip(at.symbols.values(), (2.0, 3.0, x, y), strict=True)))
    assert sample[shorter] == pytest.approx(2.0 * closed(x, y), abs=1e-14 * (1 + abs(x) + abs(y)))


def test_an_angle_within_an_angle() -> None:
    """cos(x + y) cos x + sin(x + y) sin x is cos y, of y itself."""
    at = Angles()
    graph = at.graph
    both = graph.add(at.x, at.y)
    total = graph.add(
        at.term(Op.COS, both, Op.COS, at.x, at.k), at.term(Op.SIN, both, Op.SIN, at.x, at.k)
    )  # fmt: skip
    assert with_sums_of_angles(graph, [[total]]) == [[graph.mul(at.k, graph.unary(Op.COS, at.y))]]


def test_a_call_more_is_not_made_for_three_operations_less() -> None:
    """Where sines and cosines of both angles are needed anyway, in the group or beside it, the products stay."""
    at = Angles()
    graph = at.graph
    total = graph.add(
        at.term(Op.COS, at.x, Op.COS, at.y, at.k), at.term(Op.SIN, at.x, Op.SIN, at.y, at.k)
    )  # fmt: skip
    others = [graph.mul(at.l, graph.unary(op, angle)) for op in (Op.SIN, Op.COS) for angle in (at.x, at.y)]
    assert with_sums_of_angles(graph, [[total], others]) is None
    assert with_sums_of_angles(graph, [[total]], others) is None
    assert with_sums_of_angles(graph, [[total]]) is not None


def test_different_coefficients_are_no_pair() -> None:
    """k cos x cos y + l sin x sin y stays."""
    at = Angles()
    total = at.graph.add(at.term(Op.COS, at.x, Op.COS, at.y, at.k), at.term(Op.SIN, at.x, Op.SIN, at.y, at.l))
    assert with_sums_of_angles(at.graph, [[total]]) is None


pieces = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 1), st.booleans()), max_size=6)


@given(pieces, pieces)
@settings(max_examples=3 * settings.default.max_examples // 2)
def test_values_stay_and_cost_falls(
    first: list[tuple[int, int, int, bool]], second: list[tuple[int, int, int, bool]]
) -> None:
    """Random sums of products: the same to rounding, no group dearer, all together cheaper."""
    at = Angles()
    graph = at.graph
    factors = [graph.unary(op, angle) for op in (Op.SIN, Op.COS) for angle in (at.x, at.y)]
    groups = []
    for told in (first, second):
        total = graph.zero
        for i, j, scale, negative in told:
            term = graph.mul((at.k, at.l)[scale], graph.mul(factors[i], factors[j]))
            total = graph.sub(total, term) if negative else graph.add(total, term)
        groups.append([total])
    found = with_sums_of_angles(graph, groups)
    if found is None:
        return
    for before, after in zip(groups, found, strict=True):
        assert cost(graph, after) <= cost(graph, before)
        for seed in range(3):
            sample = Sample(graph, {}, seed=seed)
            assert sample[after[0]] == pytest.approx(sample[before[0]], abs=1e-14 * 20)
    everything = [node for group in groups for node in group], [node for group in found for node in group]
    assert cost(graph, everything[1]) < cost(graph, everything[0])


@pytest.mark.parametrize("name", ["double_pendulum", "two_link_arm"])
def test_the_mass_matrix_of_two_links_needs_one_cosine(name: str) -> None:
    """By Lagrange's method M holds the angle between the links alone, as in every text-book."""
    equations = eomc.compile(eomc.load(name), "lagrange", functions=[]).equations
    graph = equations.graph
    entries = graph.reachable([entry for row in equations.matrices.mass_matrix for entry in row])
    assert [graph.ops[node] for node in entries if graph.ops[node] in (Op.SIN, Op.COS)] == [Op.COS]
