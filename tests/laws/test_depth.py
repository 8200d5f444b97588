"""No analysis recurses: chains of a hundred thousand nodes are evaluated, differentiated and rewritten."""

from __future__ import annotations

import math
import sys

import pytest

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.program import Function, Program, Variable
from eomc.ir.symbols import Role, Symbol
from eomc.ir.text import formula, program_text
from eomc.lowering.guards import guarded
from eomc.lowering.order import StructuralOrder
from eomc.passes.collect import collected_sum
from eomc.passes.cost import cost
from eomc.passes.differentiate import Tangents, depends_on, gradient
from eomc.passes.strength import reduce_strength
from eomc.passes.substitute import Substitution

DEPTH = 100_000
X = Symbol(Role.STATE, 0, "x")


@pytest.fixture
def chain() -> tuple[Graph, Node, Node]:
    """Return a graph, its symbol x, and x -> sin(x) + x/2 applied over and over."""
    graph = Graph()
    x = node = graph.symbol(X)
    for _ in range(DEPTH // 2):
        node = graph.sub(graph.unary(Op.SIN, node), x)
    assert len(graph) > DEPTH > 10 * sys.getrecursionlimit()
    return graph, x, node


def test_evaluation(chain: tuple[Graph, Node, Node]) -> None:
    """The interpreter is a loop."""
    graph, _, node = chain
    value = 0.3
    for _ in range(DEPTH // 2):
        value = math.sin(value) - 0.3
    assert Sample(graph, {X: 0.3})[node] == value


def test_both_derivatives(chain: tuple[Graph, Node, Node]) -> None:
    """Forward and reverse sweeps are loops, and agree."""
    graph, x, node = chain
    forward = Tangents(graph, {x: graph.one})(node)
    (reverse,) = gradient(graph, [(node, graph.one)], [x])
    sample = Sample(graph, {X: 0.3})
    value, slope = 0.3, 1.0
    for _ in range(DEPTH // 2):
        value, slope = math.sin(value) - 0.3, math.cos(value) * slope - 1.0
    assert sample[forward] == pytest.approx(slope, rel=1e-12)
    assert sample[reverse] == pytest.approx(slope, rel=1e-9)


def test_substitution_and_the_other_rewritings(chain: tuple[Graph, Node, Node]) -> None:
    """Substitution, guards, strength reduction, collection, cost, structural order and text."""
    graph, x, node = chain
    other = graph.symbol(Symbol(Role.STATE, 1, "y"))
    moved = Substitution(graph, {x: other})(node)
    sample = Sample(graph, {X: 0.3, Symbol(Role.STATE, 1, "y"): 0.3})
    assert sample[moved] == sample[node]
    assert sample[guarded(graph, node, graph.binary(Op.LT, graph.zero, x))] == sample[node]
    assert sample[collected_sum(graph, [node, node])] == 2 * sample[node]
    assert cost(graph, [node]) == 11 * (DEPTH // 2)
    assert len(depends_on(graph, [node], [x])) == DEPTH + 1
    assert StructuralOrder(graph).sorted([node, x]) == [x, node]
    assert formula(graph, node, 60) == ""
    function = Function("rhs", "", (node,), ("x",), (1,))
    program = Program("m", "", "kane", graph, Symbol(Role.TIME, 0, "t"), (Variable(X, "x"),), (), (), (function,))
    assert program_text(program).count("\n") > DEPTH
    assert reduce_strength(program).functions[0].outputs == (node,)
