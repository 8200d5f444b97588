"""Derivative rules: smooth ops against central differences, the others at, above and below their kinks."""

from __future__ import annotations

import math

import pytest

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.differentiate import Tangents, gradient

X, Y = Symbol(Role.STATE, 0, "x"), Symbol(Role.STATE, 1, "y")
KINKED = {Op.ABS, Op.SIGN, Op.MIN, Op.MAX, Op.FLOOR, Op.MOD}
REAL = [op for op in Op if OPS[op].kind is Kind.REAL and op not in KINKED]
UNARY = [op for op in REAL if OPS[op].arity == 1 and op not in (Op.POWI, Op.RESULT)]
BINARY = [op for op in REAL if OPS[op].arity == 2]


def both(graph: Graph, root: Node, at: dict[Symbol, float]) -> tuple[float, float]:
    """Return the gradient with respect to x and y, forward and reverse being the same."""
    variables = [graph.symbol(X), graph.symbol(Y)]
    forward = [Tangents(graph, {v: graph.one})(root) for v in variables]
    reverse = gradient(graph, root, variables)
    sample = Sample(graph, at)
    a, b = sample.vector(forward), sample.vector(reverse)
    assert a == pytest.approx(b, rel=1e-12, nan_ok=True)
    return a[0], a[1]


@pytest.mark.parametrize("op", UNARY)
@pytest.mark.parametrize("x", [0.15, 0.4, 0.85])
def test_functions_of_one_argument(op: Op, x: float) -> None:
    """The rule is the limit of the difference quotient."""
    graph = Graph()
    slope, other = both(graph, graph.unary(op, graph.symbol(X)), {X: x, Y: 0.0})
    rule = OPS[op].evaluate
    assert rule is not None
    h = 1e-5
    assert slope == pytest.approx((rule(x + h) - rule(x - h)) / (2 * h), rel=1e-7)
    assert other == 0


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("point", [(0.3, 0.8), (1.7, 0.6), (2.0, 3.0)])
def test_functions_of_two_arguments(op: Op, point: tuple[float, float]) -> None:
    """Both partial derivatives are limits of difference quotients."""
    graph = Graph()
    node = graph.binary(op, graph.symbol(X), graph.symbol(Y))
    rule = OPS[op].evaluate
    assert rule is not None
    x, y = point
    h = 1e-5
    quotients = [
        (rule(x + h, y) - rule(x - h, y)) / (2 * h),
        (rule(x, y + h) - rule(x, y - h)) / (2 * h),
    ]
    assert both(graph, node, {X: x, Y: y}) == pytest.approx(quotients, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("exponent", [-3, -1, 2, 3, 7])
@pytest.mark.parametrize("x", [-1.5, 0.7])
def test_integer_powers(exponent: int, x: float) -> None:
    """d x^n = n x^(n-1), for negative x too."""
    graph = Graph()
    slope, _ = both(graph, graph.powi(graph.symbol(X), exponent), {X: x, Y: 0.0})
    assert slope == pytest.approx(exponent * x ** (exponent - 1), rel=1e-14)


@pytest.mark.parametrize(
    ("op", "x", "slope"),
    [
        (Op.ABS, -2.0, -1),
        (Op.ABS, 3.0, 1),
        (Op.ABS, 0.0, 0),
        (Op.SIGN, -0.2, 0),
        (Op.SIGN, 0.0, 0),
        (Op.SIGN, 0.2, 0),
        (Op.FLOOR, 1.5, 0),
        (Op.FLOOR, 2.0, 0),
    ],
)
def test_kinks_of_one_argument(op: Op, x: float, slope: float) -> None:
    """d|x| = sign(x) dx; steps have slope zero, on the step too, and no DiracDelta."""
    graph = Graph()
    assert both(graph, graph.unary(op, graph.symbol(X)), {X: x, Y: 0.0}) == (slope, 0)


@pytest.mark.parametrize(
    ("op", "point", "slopes"),
    [
        (Op.MIN, (1.0, 2.0), {(1, 0)}),
        (Op.MIN, (2.0, 1.0), {(0, 1)}),
        (Op.MIN, (1.0, 1.0), {(1, 0), (0, 1)}),
        (Op.MAX, (1.0, 2.0), {(0, 1)}),
        (Op.MAX, (2.0, 1.0), {(1, 0)}),
        (Op.MAX, (1.0, 1.0), {(1, 0), (0, 1)}),
        (Op.MOD, (7.3, 2.0), {(1, -3)}),
        (Op.MOD, (-7.3, 2.0), {(1, 4)}),
        (Op.MOD, (4.0, 2.0), {(1, -2)}),
    ],
)
def test_kinks_of_two_arguments(op: Op, point: tuple[float, float], slopes: set[tuple[float, float]]) -> None:
    """min and max follow one argument, of equals one of the two; mod has the slopes of its branch."""
    graph = Graph()
    node = graph.binary(op, graph.symbol(X), graph.symbol(Y))
    assert both(graph, node, dict(zip((X, Y), point, strict=True))) in slopes


@pytest.mark.parametrize(("x", "slope"), [(-1.0, 3.0), (0.0, 2.0), (1.0, 2.0)])
def test_select_follows_its_branch(x: float, slope: float) -> None:
    """A selection differentiates branch by branch."""
    graph = Graph()
    x_ = graph.symbol(X)
    three, two = graph.mul(x_, graph.constant(3)), graph.mul(x_, graph.constant(2))
    node = graph.select(graph.binary(Op.LT, x_, graph.zero), three, two)
    assert both(graph, node, {X: x, Y: 0.0}) == (slope, 0)


def test_quadratic_drag() -> None:
    """d(-c u |u|)/du = -2 c |u|: -1.2 at c = 0.3, u = -2."""
    graph = Graph()
    u = graph.symbol(X)
    force = graph.mul(graph.neg(graph.mul(graph.constant(0.3), u)), graph.unary(Op.ABS, u))
    assert Sample(graph, {X: -2.0})[force] == pytest.approx(1.2)
    assert both(graph, force, {X: -2.0, Y: 0.0})[0] == pytest.approx(-1.2)


@pytest.mark.parametrize("numeric", [True, False], ids=["number", "symbol"])
@pytest.mark.parametrize("exponent", [1.5, 2.5, 1.2, 0.5, 0.25])
@pytest.mark.parametrize("x", [-1.0, 0.0, 0.7])
def test_powers_of_what_is_clipped_have_slopes(exponent: float, x: float, numeric: bool) -> None:
    """max(x, 0)^n, a Hertzian contact, has slope n x^(n-1) in contact and zero apart, never 0 times infinity."""
    graph = Graph()
    power = graph.constant(exponent) if numeric else graph.symbol(Y)
    depth = graph.binary(Op.MAX, graph.symbol(X), graph.zero)
    node = graph.binary(Op.POW, graph.mul(depth, graph.constant(2)), power)
    variables = [graph.symbol(X)]
    forward = Tangents(graph, {variables[0]: graph.one})(node)
    (reverse,) = gradient(graph, node, variables)
    sample = Sample(graph, {X: x, Y: exponent})
    expected = exponent * 2 * (2 * x) ** (exponent - 1) if x > 0 else 0.0
    assert sample.vector([forward, reverse]) == pytest.approx([expected] * 2)


def test_square_roots_of_what_is_not_clipped_keep_their_cheap_rule() -> None:
    """No selections where a square root has a plain argument."""
    graph = Graph()
    x = graph.symbol(X)
    node = graph.unary(Op.SQRT, graph.add(graph.one, graph.powi(x, 2)))
    slope = Tangents(graph, {x: graph.one})(node)
    assert Op.SELECT not in {graph.ops[n] for n in graph.reachable([slope])}


def test_the_derivative_of_a_power_at_zero_is_finite() -> None:
    """d x^n/dx is n x^(n-1), zero at zero, where n x^n / x is none."""
    graph = Graph()
    node = graph.binary(Op.POW, graph.symbol(X), graph.symbol(Y))
    slope = Tangents(graph, {graph.symbol(X): graph.one})(node)
    assert Sample(graph, {X: 0.0, Y: 3.0})[slope] == 0
    assert not math.isnan(Sample(graph, {X: -2.0, Y: 3.0})[slope])
