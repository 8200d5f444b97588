"""Sizes of terms bound rounding errors, against sums and functions of many digits."""

from __future__ import annotations

import math
import sys

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.rounding import FreeKinks, Rounded, is_rounding
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization

NAMES = "xyz"
SYMBOLS = [Symbol(Role.STATE, i, name) for i, name in enumerate(NAMES)]

DIGITS = {
    Op.ADD: mpmath.fadd, Op.SUB: mpmath.fsub, Op.MUL: mpmath.fmul, Op.DIV: mpmath.fdiv, Op.NEG: mpmath.fneg,
    Op.SIN: mpmath.sin, Op.COS: mpmath.cos, Op.TAN: mpmath.tan, Op.ATAN: mpmath.atan, Op.SINH: mpmath.sinh,
    Op.COSH: mpmath.cosh, Op.TANH: mpmath.tanh, Op.EXP: mpmath.exp, Op.ABS: abs, Op.ATAN2: mpmath.atan2,
}  # fmt: skip
UNARY = [Op.SIN, Op.COS, Op.TAN, Op.ATAN, Op.SINH, Op.COSH, Op.TANH, Op.EXP]
BINARY = [Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.ATAN2]


def space() -> tuple[Graph, list[Node]]:
    """Return a graph and nodes of three states."""
    graph = Graph()
    return graph, [graph.symbol(symbol) for symbol in SYMBOLS]


def at(graph: Graph, *values: float) -> Rounded:
    """Return the graph's values at a point."""
    return Rounded(graph, dict(zip(SYMBOLS, values, strict=False)))


@given(
    st.lists(st.tuples(st.sampled_from(UNARY + BINARY), st.integers(0, 30), st.integers(0, 30)), max_size=12),
    st.tuples(*[st.floats(-20.0, 20.0)] * 3),
)
def test_a_size_bounds_the_rounding_error(steps: list[tuple[Op, int, int]], values: tuple[float, ...]) -> None:
    """|value - value of 50 digits| is below the limit of what counts as rounding, for random expressions."""
    graph, nodes = space()
    with mpmath.workdps(50):
        exact = [mpmath.mpf(value) for value in values]
        sample = at(graph, *values)
        for op, i, j in steps:
            args = [nodes[i % len(nodes)], nodes[j % len(nodes)]][: 1 if op in UNARY else 2]
            places = [i % len(nodes), j % len(nodes)][: len(args)]
            try:
                node = graph.unary(op, *args) if op in UNARY else graph.binary(op, *args)
                true = DIGITS[op](*[exact[k] for k in places])
            except ZeroDivisionError:
                continue
            value, size = sample.number(node)
            if not size < 1e200:
                continue  # says that it tells nothing
            nodes.append(node)
            exact.append(true)
            assert is_rounding((float(mpmath.mpf(value) - true), size))


def test_an_identity_is_rounding_and_its_neighbours_are_not() -> None:
    """sin^2 + cos^2 - 1 is nothing but rounding, at arguments of 1e6 too; a term of 1e-9 beside it is seen."""
    graph, (x, y, _) = space()
    square = graph.add(graph.powi(graph.unary(Op.SIN, x), 2), graph.powi(graph.unary(Op.COS, x), 2))
    identity = graph.sub(square, graph.one)
    beside = graph.add(identity, y)
    for place in (0.3, 7e6, 1e-3):
        assert is_rounding(at(graph, place, 1.0).number(identity))
    assert not is_rounding(at(graph, 0.3, 1e-9).number(beside))
    assert not is_rounding(at(graph, 0.3, -1e-13).number(beside))


@pytest.mark.parametrize("scale", [2.0**-300, 2.0**-33, 1.0, 2.0**33, 2.0**300])
def test_units_scale_sizes_with_values(scale: float) -> None:
    """Value and size of a difference of lengths scale alike, to the last bit."""
    graph, (x, y, z) = space()
    node = graph.add(graph.sub(x, y), graph.mul(z, graph.unary(Op.COS, graph.div(x, y))))
    one, many = (at(graph, 3.0 * s, 2.9 * s, 0.2 * s).number(node) for s in (1.0, scale))
    assert many == (one[0] * scale, one[1] * scale)


@pytest.mark.parametrize(
    ("make", "values"),
    [
        (lambda g, x, y: g.add(x, y), (1.0, 1e-20)),
        (lambda g, x, y: g.mul(x, y), (1e-200, 1e-200)),
        (lambda g, x, y: g.unary(Op.TANH, g.mul(x, y)), (1e6, 0.5)),
        (lambda g, x, y: g.unary(Op.EXP, g.mul(x, y)), (-2000.0, 0.5)),
        (lambda g, x, y: g.unary(Op.SQRT, g.sub(x, y)), (0.1 + 0.2, 0.1 + 0.2)),
        (lambda g, x, y: g.unary(Op.LOG, g.sub(x, y)), (1.0, 2.0)),
    ],
    ids=["absorbed", "underflow", "saturated", "vanished", "infinite slope", "no value"],
)
def test_a_value_that_tells_nothing_has_no_size(make: object, values: tuple[float, float]) -> None:
    """Where digits are gone the size is NaN, and nothing is taken for rounding."""
    graph, (x, y, _) = space()
    node = make(graph, x, y)
    number = at(graph, *values).number(node)
    assert math.isnan(number[1])
    assert not is_rounding((0.0, number[1]))


@pytest.mark.parametrize("form", [None, *(f for f in Factorization if f not in (Factorization.LDLT, Factorization.LU))])
def test_solutions_have_sizes(form: Factorization | None) -> None:
    """What solves a system satisfies its equations to rounding, and a size grows as the matrix nears singular."""
    graph, (x, y, z) = space()
    matrix = [[graph.constant(2), x], [x, graph.constant(3)]]
    right = [[y], [z]]
    if form is None:
        found = graph.solve(Factorization.LU, matrix, right, ["a", "b"])
        rest = graph.sub(graph.add(graph.mul(matrix[0][0], found[0][0]), graph.mul(x, found[1][0])), y)
    else:
        row = [graph.one, graph.constant(-1)]
        found, multipliers = graph.solve_constrained(form, matrix, [row, row], [*right, [x], [x]], ["a", "b", "c", "d"])
        rest = graph.sub(graph.sub(found[0][0], found[1][0]), x)
        assert math.isnan(at(graph, 1.0, 2.0, 3.0).size(multipliers[0][0]))  # shared by two equal rows
    sample = at(graph, 1.0, 2.0, 3.0)
    assert is_rounding(sample.number(rest))
    assert sample.size(found[0][0]) < 100.0
    if form is None:
        near = at(graph, math.sqrt(6.0) * (1.0 + 1e-9), 2.0, 3.0)
        assert near.size(found[0][0]) * sys.float_info.epsilon > 1e-9


def test_kinks_are_free() -> None:
    """Where |x| is one more variable, |x| - x is no zero and sign(x) (y - y) is one."""
    graph, (x, y, z) = space()
    cancels = graph.sub(graph.mul(graph.add(y, z), y), graph.add(graph.mul(y, y), graph.mul(z, y)))
    hidden = graph.mul(graph.unary(Op.SIGN, x), cancels)
    size = graph.sub(graph.unary(Op.ABS, x), x)
    free = FreeKinks(graph, dict(zip(SYMBOLS, (0.3, 0.7, 0.9), strict=True)), 1)
    assert not is_rounding(free.number(size))
    assert is_rounding(free.number(hidden))
    assert is_rounding(at(graph, 0.3, 0.7, 0.9).number(size))
