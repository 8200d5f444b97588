"""No analysis recurses: chains of a hundred thousand nodes are evaluated, differentiated and rewritten."""

from __future__ import annotations

import math
import sys

import pytest

from eomc.derivation.methods.kane import KANE
from eomc.ir.choices import EVERYWHERE, moving, nonzero
from eomc.ir.graph import Graph, Node
from eomc.ir.guards import guarded
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.program import Function, Program, Variable
from eomc.ir.symbols import Role, Symbol
from eomc.ir.text import formulas
from eomc.lowering.order import StructuralOrder
from eomc.passes.collect import CollectedSums
from eomc.passes.cost import cost
from eomc.passes.differentiate import Tangents, depends_on, gradient
from eomc.passes.strength import reduce_strength
from eomc.passes.substitute import Substitution

DEPTH = 100_000
X = Symbol(Role.STATE, 0, "x")


def is_sine(level: int) -> bool:
    """Every tenth op is a sine, the others subtract x."""
    return level % 10 == 0


@pytest.fixture(scope="module")
def chain() -> tuple[Graph, Node, Node]:
    """Return a graph, its symbol x, and the end of a chain of sines and subtractions of x."""
    graph = Graph()
    x = node = graph.symbol(X)
    for level in range(DEPTH):
        node = graph.unary(Op.SIN, node) if is_sine(level) else graph.sub(node, x)
    assert len(graph) > DEPTH > 10 * sys.getrecursionlimit()
    return graph, x, node


def test_evaluation(chain: tuple[Graph, Node, Node]) -> None:
    """The interpreter is a loop."""
    graph, _, node = chain
    value = 0.3
    for level in range(DEPTH):
        value = math.sin(value) if is_sine(level) else value - 0.3
    assert Sample(graph, {X: 0.3})[node] == value


def test_both_derivatives(chain: tuple[Graph, Node, Node]) -> None:
    """Forward and reverse sweeps are loops, and agree."""
    graph, x, node = chain
    forward = Tangents(graph, {x: graph.one})(node)
    (reverse,) = gradient(graph, node, [x])
    sample = Sample(graph, {X: 0.3})
    value, slope = 0.3, 1.0
    for level in range(DEPTH):
        value, slope = (math.sin(value), math.cos(value) * slope) if is_sine(level) else (value - 0.3, slope - 1.0)
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
    assert (moving(graph, node), nonzero(graph, node)) == (EVERYWHERE, EVERYWHERE)
    assert sample[CollectedSums(graph)([node, node])] == 2 * sample[node]
    assert cost(graph, [node]) == DEPTH + 9 * DEPTH // 10
    assert len(depends_on(graph, graph.reachable([node]), [x])) == DEPTH + 1
    assert StructuralOrder(graph).sorted([node, x]) == [x, node]
    assert formulas(graph, [node], 60) == {node: ""}
    function = Function("rhs", "", (node,), ("x",), (1,))
    program = Program("m", "", KANE, graph, Symbol(Role.TIME, 0, "t"), (Variable(X, "x"),), (), (), (function,))
    assert reduce_strength(program).functions[0].outputs == (node,)
