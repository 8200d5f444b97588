"""The interpreter: one point, plain floats, NaN where an operation has no value."""

from __future__ import annotations

import math

import numpy as np
import pytest

from eomc.ir.graph import Graph
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Named, Role, Symbol

X, Y = Symbol(Role.STATE, 0, "x"), Symbol(Role.STATE, 1, "y")


def test_the_sample_grows_with_the_graph() -> None:
    """Nodes that are added later have values too."""
    graph = Graph()
    x = graph.symbol(X)
    sample = Sample(graph, {X: 0.5})
    assert sample[x] == 0.5
    assert sample[graph.unary(Op.SIN, x)] == math.sin(0.5)


def test_named_constants_have_their_values() -> None:
    """Pi, e and the round-off of a double."""
    graph = Graph()
    sample = Sample(graph, {})
    assert sample[graph.constant(Named.PI)] == math.pi
    assert sample[graph.constant(Named.E)] == math.e
    assert sample[graph.constant(Named.EPSILON)] == np.finfo(float).eps
    assert math.isnan(sample[graph.constant(Named.NAN)])


def test_unknown_symbols_are_nan_or_random_by_the_seed() -> None:
    """Without a seed a missing value shows; with one it is the same every time."""
    graph = Graph()
    x = graph.symbol(X)
    assert math.isnan(Sample(graph, {})[x])
    assert Sample(graph, {}, seed=3)[x] == Sample(graph, {}, seed=3)[x]
    assert 0.2 <= Sample(graph, {}, seed=3)[x] <= 1.2


@pytest.mark.parametrize(
    ("op", "arguments"),
    [
        (Op.DIV, (1.0, 0.0)),
        (Op.LOG, (-1.0,)),
        (Op.SQRT, (-1.0,)),
        (Op.ASIN, (2.0,)),
        (Op.POW, (-8.0, 1 / 3)),
        (Op.MOD, (1.0, 0.0)),
        (Op.EXP, (1e4,)),
    ],
)
def test_an_operation_without_a_value_is_nan(op: Op, arguments: tuple[float, ...]) -> None:
    """Nothing raises while the derivation looks at a random point."""
    graph = Graph()
    nodes = [graph.symbol(X), graph.symbol(Y)][: len(arguments)]
    node = graph.unary(op, *nodes) if len(nodes) == 1 else graph.binary(op, *nodes)
    assert math.isnan(Sample(graph, dict(zip((X, Y), arguments, strict=False)))[node])


def test_min_and_max_pass_over_nan() -> None:
    """As fmin and fmax of C do."""
    graph = Graph()
    x, y = graph.symbol(X), graph.symbol(Y)
    for op in (Op.MIN, Op.MAX):
        node = graph.binary(op, x, y)
        assert Sample(graph, {X: math.nan, Y: 2.0})[node] == 2.0
        assert Sample(graph, {X: 2.0, Y: math.nan})[node] == 2.0


@pytest.mark.parametrize("x", [-7.4, -2.1, -0.5, 0.0, 0.5, 3.1, 7.25])
@pytest.mark.parametrize("y", [-2.0, -0.75, 0.3, 3.0])
def test_mod_has_the_sign_of_its_second_argument(x: float, y: float) -> None:
    """As in Python and SymPy, unlike fmod."""
    graph = Graph()
    node = graph.binary(Op.MOD, graph.symbol(X), graph.symbol(Y))
    assert Sample(graph, {X: x, Y: y})[node] == pytest.approx(x % y, abs=1e-15)
