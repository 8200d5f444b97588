"""Derivatives of random expressions: the graph against sympy.diff, forward against reverse, against differences."""

from __future__ import annotations

import math

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.differentiate import Tangents, gradient, jacobian, vjp

SYMBOLS = [Symbol(Role.STATE, i, name) for i, name in enumerate("xyz")]
NAMES = sympy.symbols("x y z", real=True)

# Every smooth op, over operands that keep it inside its domain: s is below one, p is positive.
SMOOTH = [
    *("add", "sub", "mul", "quotient", "neg", "square", "cube", "inverse", "sqrt", "sin", "cos", "tan", "asin"),
    *("acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "pow", "power"),
]


def step(graph: Graph, kind: str, x: Node, y: Node, a: sympy.Expr, b: sympy.Expr) -> tuple[Node, sympy.Expr]:
    """Apply one smooth op to both representations."""
    g = graph
    s, positive = g.unary(Op.TANH, x), g.add(g.one, g.powi(y, 2))
    s_, positive_ = sympy.tanh(a), 1 + b**2
    half, half_ = g.mul(s, g.constant(0.5)), s_ / 2
    match kind:
        case "add":
            return g.add(x, y), a + b
        case "sub":
            return g.sub(x, y), a - b
        case "mul":
            return g.mul(s, y), s_ * b
        case "quotient":
            return g.div(x, positive), a / positive_
        case "neg":
            return g.neg(x), -a
        case "square":
            return g.powi(s, 2), s_**2
        case "cube":
            return g.powi(s, 3), s_**3
        case "inverse":
            return g.powi(positive, -2), positive_**-2
        case "sqrt":
            return g.unary(Op.SQRT, positive), sympy.sqrt(positive_)
        case "asin":
            return g.unary(Op.ASIN, half), sympy.asin(half_)
        case "acos":
            return g.unary(Op.ACOS, half), sympy.acos(half_)
        case "log":
            return g.unary(Op.LOG, positive), sympy.log(positive_)
        case "atan2":
            return g.binary(Op.ATAN2, x, positive), sympy.atan2(a, positive_)
        case "pow":
            return g.binary(Op.POW, positive, g.constant(0.3)), positive_ ** sympy.Float(0.3)
        case "power":
            return g.binary(Op.POW, positive, s), positive_**s_
        case _:
            return g.unary(Op(kind), s), getattr(sympy, kind)(s_)


programs = st.lists(st.tuples(st.sampled_from(SMOOTH), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5)
points = st.lists(st.floats(-1.5, 1.5).map(lambda x: round(x, 3)), min_size=3, max_size=3)


def build(program: list[tuple[str, int, int]]) -> tuple[Graph, Node, sympy.Expr]:
    graph = Graph()
    nodes: list[Node] = [graph.symbol(s) for s in SYMBOLS]
    expressions: list[sympy.Expr] = list(NAMES)
    for kind, i, j in program:
        x, y = -1 - i % len(nodes), -1 - j % len(nodes)
        node, expression = step(graph, kind, nodes[x], nodes[y], expressions[x], expressions[y])
        nodes.append(node)
        expressions.append(expression)
    return graph, nodes[-1], expressions[-1]


@given(programs, points)
@settings(max_examples=settings.default.max_examples // 2)
def test_derivatives_are_those_of_sympy(program: list[tuple[str, int, int]], point: list[float]) -> None:
    """Forward and reverse sweeps give sympy's derivative of sympy's expression."""
    graph, node, expression = build(program)
    variables = [graph.symbol(s) for s in SYMBOLS]
    forward = jacobian(graph, [node], variables)[0]
    reverse = gradient(graph, node, variables)
    sample = Sample(graph, dict(zip(SYMBOLS, point, strict=True)))
    at = dict(zip(NAMES, point, strict=True))
    expected = [float(expression.diff(name).subs(at).evalf(30)) for name in NAMES]
    assert sample[node] == pytest.approx(float(expression.subs(at).evalf(30)), rel=1e-10, abs=1e-12)
    assert sample.vector(forward) == pytest.approx(expected, rel=1e-9, abs=1e-11)
    assert sample.vector(reverse) == pytest.approx(expected, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("kind", SMOOTH)
def test_each_smooth_op_is_that_of_sympy(kind: str) -> None:
    """The random programs above reach every smooth op; this one is sure to."""
    graph, node, expression = build([(kind, 1, 2), ("mul", 0, 1)])
    variables = [graph.symbol(s) for s in SYMBOLS]
    reverse = gradient(graph, node, variables)
    point = [0.37, -0.81, 0.64]
    sample = Sample(graph, dict(zip(SYMBOLS, point, strict=True)))
    at = dict(zip(NAMES, point, strict=True))
    expected = [float(expression.diff(name).subs(at).evalf(30)) for name in NAMES]
    assert sample.vector(reverse) == pytest.approx(expected, rel=1e-11, abs=1e-12)


@given(programs, programs, points, st.lists(st.floats(-2, 2), min_size=5, max_size=5))
@settings(max_examples=40)
def test_the_adjoint_is_the_transpose_of_the_tangent(
    one: list[tuple[str, int, int]], two: list[tuple[str, int, int]], point: list[float], weights: list[float]
) -> None:
    """w . (J v) = (J^T w) . v for random expressions, directions and weights."""
    graph, first, _ = build(one)
    nodes: list[Node] = [graph.symbol(s) for s in SYMBOLS] + [first]
    for kind, i, j in two:
        x, y = nodes[-1 - i % len(nodes)], nodes[-1 - j % len(nodes)]
        nodes.append(step(graph, kind, x, y, sympy.S.One, sympy.S.One)[0])
    variables, roots = nodes[:3], [first, nodes[-1]]
    direction = {v: graph.constant(w) for v, w in zip(variables, weights[:3], strict=True)}
    pushed = Tangents(graph, direction).all(roots)
    pulled = vjp(graph, [(r, graph.constant(w)) for r, w in zip(roots, weights[3:], strict=True)], variables)
    sample = Sample(graph, dict(zip(SYMBOLS, point, strict=True)))
    left = [w * x for w, x in zip(weights[3:], sample.vector(pushed), strict=True)]
    right = [w * x for w, x in zip(weights[:3], sample.vector(pulled), strict=True)]
    size = sum(map(abs, left + right))
    assert math.fsum(left) == pytest.approx(math.fsum(right), abs=1e-9 * (1 + size))
