"""Piecewise: the branch that is not taken can neither raise nor poison value, derivative or adjoint."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from eomc.errors import LoweringError
from eomc.ir.ops import Op
from eomc.passes.differentiate import Tangents, gradient, vjp

x, y, z = sympy.symbols("x y z", real=True)
p = sympy.Symbol("p")
Piecewise, S = sympy.Piecewise, sympy.S

# (branch, condition under which it is total, points outside)
DEAD = [
    (sympy.sqrt(x), x > 0, [-1.0, 0.0, -1e300]),
    (sympy.log(x), x > 0, [-1.0, 0.0]),
    (1 / x, sympy.Ne(x, 0), [0.0]),
    (x**-3, sympy.Ne(x, 0), [0.0]),
    (y / (x - 1), sympy.Ne(x, 1), [1.0]),
    (sympy.asin(x), sympy.Abs(x) < 1, [1.0, 2.0, -7.0]),
    (sympy.acos(x * 2), sympy.Abs(x) < S.Half, [0.5, 2.0]),
    (x ** sympy.Rational(1, 3), x > 0, [-8.0, 0.0]),
    (x ** sympy.Rational(5, 2), x > 0, [-8.0]),
    (x**y, x > 0, [-8.0, 0.0]),
    (x**0.3, x > 0, [-8.0, 0.0]),
    (sympy.tan(x), sympy.Abs(x) < 1, [math.pi / 2, 1e300]),
    (sympy.exp(x), x < 10, [1e4, 800.0]),
    (sympy.sinh(x) + sympy.cosh(x), x < 10, [1e4]),
    (sympy.Mod(y, x), x > 0, [0.0]),
    (sympy.atan2(y - y**2, x), x > 0, [0.0]),
    (x**100, x < 2, [1e6]),
    (sympy.sqrt(x**2 + y**2 - 1), x**2 + y**2 > 1, [0.2]),
    (sympy.log(sympy.log(x)), x > 1, [1.0, 0.5, -3.0]),
    (sympy.sqrt(sympy.exp(x) / sympy.asin(x)), sympy.And(x > 0, x < 1), [2.0, -0.5, 0.0, 1e4]),
]
CASES = [
    pytest.param(branch, condition, point, id=f"{branch} at {point}")
    for branch, condition, points in DEAD
    for point in points
]


def derivatives(bench: Any, node: int) -> list[int]:
    """Return slopes in x and y, forwards, backwards, and once more."""
    graph = bench.graph
    variables = [bench.nodes[x], bench.nodes[y]]
    forward = [Tangents(graph, {v: graph.one})(node) for v in variables]
    reverse = gradient(graph, node, variables)
    second = vjp(graph, [(forward[0], graph.one), (reverse[1], graph.one)], variables)
    return [*forward, *reverse, *second]


@pytest.mark.parametrize(("branch", "condition", "point"), CASES)
def test_a_dead_branch_is_silent(bench: Any, branch: Any, condition: Any, point: float) -> None:
    """Outside its condition the branch leaves value, derivatives and adjoints of the other one alone."""
    other = 3 * x + y**2
    for expression in (
        Piecewise((branch, condition), (other, True)),
        Piecewise((other, sympy.Not(condition)), (branch, True)),
    ):
        node = bench.lower(expression)
        sample = bench.at(point, 0.4)
        assert sample[node] == pytest.approx(3 * point + 0.16)
        found = sample.vector(derivatives(bench, node))
        assert found[:4] == pytest.approx([3.0, 0.8, 3.0, 0.8])
        assert all(map(math.isfinite, found[4:]))
        # a product with something else, as forces have it
        product = bench.lower(expression * sympy.cos(x + y))
        assert all(map(math.isfinite, bench.at(point, 0.4).vector([product, *derivatives(bench, product)])))


@pytest.mark.parametrize(("branch", "condition", "point"), CASES)
def test_a_live_branch_is_unchanged(bench: Any, branch: Any, condition: Any, point: float) -> None:
    """Guards change nothing where the branch is taken."""
    for value in (0.3, 0.7, 1.2, 3.0):
        if condition.subs({x: value, y: 0.4}):
            node, plain = bench.lower(Piecewise((branch, condition), (0, True))), bench.lower(branch)
            sample = bench.at(value, 0.4)
            assert sample[node] == sample[plain]
            pairs = zip(derivatives(bench, node), derivatives(bench, plain), strict=True)
            for a, b in pairs:
                assert sample[a] == pytest.approx(sample[b], rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("value", [-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0])
def test_nested_branches(bench: Any, value: float) -> None:
    """Piecewise within Piecewise, in values and in conditions."""
    inner = Piecewise((sympy.sqrt(x), x > 1), (sympy.log(x), x > 0), (x**2, True))
    outer = Piecewise((inner + 1 / x, x > sympy.Rational(1, 4)), (sympy.sqrt(-x), x < -2), (x**3, True))
    within = Piecewise((x, sympy.sqrt(Piecewise((x, x > 0), (1, True))) > sympy.Rational(1, 2)), (y, True))
    if value > 0.25:
        expected, slope = (math.sqrt(value), 0.5 / math.sqrt(value)) if value > 1 else (math.log(value), 1 / value)
        expected, slope = expected + 1 / value, slope - value**-2
    elif value < -2:
        expected, slope = math.sqrt(-value), -0.5 / math.sqrt(-value)
    else:
        expected, slope = value**3, 3 * value**2
    node = bench.lower(outer)
    sample = bench.at(value, 0.4)
    assert sample[node] == pytest.approx(expected)
    assert sample.vector(derivatives(bench, node))[:3:2] == pytest.approx([slope, slope])
    clipped = value if value > 0 else 1.0
    assert bench.value(within, value, 0.4) == (value if math.sqrt(clipped) > 0.5 else 0.4)


@pytest.mark.parametrize("value", [-1.0, 0.0, 2.0])
def test_conditions_on_parameters_guard_parameters(bench: Any, value: float) -> None:
    """x sqrt(p) for p > 0, else x: the adjoint of x is 1 at p = -1, not 0 times NaN; what can be hoisted still can."""
    for branch in (x * sympy.sqrt(p), x / p, x * sympy.log(p)):
        node = bench.lower(Piecewise((branch, p > 0), (x, True)))
        found = bench.at(1.5, 0.4, p=value).vector([node, *derivatives(bench, node)[:4]])
        factor = {sympy.sqrt(p): math.sqrt, 1 / p: lambda v: 1 / v, sympy.log(p): math.log}[branch / x](value) \
            if value > 0 else 1.0  # fmt: skip
        assert found == pytest.approx([1.5 * factor, factor, 0, factor, 0])


@pytest.mark.parametrize("branch", [x**2 / (2 * p), x * sympy.log(p), (y + 1 / p) * x**2, sympy.atan2(x, p), x**y / p])
def test_parameters_that_only_a_dead_branch_needs(bench: Any, branch: Any) -> None:
    """At p = 0 the branch has no value anywhere: the other one keeps its value, derivatives and adjoints."""
    other = 3 * x + y**2
    for expression in (
        Piecewise((branch, x > 1), (other, True)),
        Piecewise((other, x < 1), (branch, True)),
        Piecewise((branch, x > 1), (2 * branch, x < -1), (other, True)),
        Piecewise((branch, x > 1), (Piecewise((branch + y, y > 1), (other, True)), True)),
    ):
        node = bench.lower(expression)
        found = bench.at(0.0, 0.4, p=0.0).vector([node, *derivatives(bench, node)])
        assert found[:5] == pytest.approx([0.16, 3.0, 0.8, 3.0, 0.8])
        assert all(map(math.isfinite, found[5:]))


@pytest.mark.parametrize("point", [-3.0, -1.5, 0.0, 1.5, 3.0])
def test_adjoints_choose_as_the_value_does(bench: Any, point: float) -> None:
    """Of n branches, n - 1 choices are made in the value and no more in a slope; each branch has its own."""
    branches = [x**2, sympy.sin(x), x**3 + x, sympy.cos(x)]
    node = bench.lower(Piecewise(*zip(branches, (x < -2, x < -1, x < 2, True), strict=True)))
    graph = bench.graph
    (slope,) = gradient(graph, node, [bench.nodes[x]])
    assert [graph.ops[n] for n in graph.reachable([slope])].count(Op.SELECT) == 3
    index = (point >= -2) + (point >= -1) + (point >= 2)
    expected = [2 * point, math.cos(point), 3 * point**2 + 1, -math.sin(point)][index]
    assert bench.at(point)[slope] == pytest.approx(expected)


def test_branches_that_share_parts(bench: Any) -> None:
    """What two branches and the outside use has an adjoint from each: d/dx of s^2 + {s, 5 s, x} with s = sin x."""
    s = sympy.sin(x)
    node = bench.lower(s**2 + Piecewise((s, x > 1), (5 * s, y > 0), (x, True)))
    for point, second, factor in ((2.0, 0.4, 1.0), (0.5, 0.4, 5.0), (0.5, -0.4, 0.0)):
        expected = 2 * math.sin(point) * math.cos(point) + (factor * math.cos(point) if factor else 1.0)
        found = bench.at(point, second).vector(derivatives(bench, node)[:4])
        assert found == pytest.approx([expected, 0.0, expected, 0.0])


def test_a_guard_does_not_make_parameters_vary(bench: Any) -> None:
    """x / p in a branch that depends on the state divides by the plain parameter: its inverse is hoisted."""
    node = bench.lower(Piecewise((x / p, x > 0), (0, True)))
    graph = bench.graph
    (division,) = [n for n in graph.reachable([node]) if graph.ops[n] is Op.DIV]
    assert graph.args[division][1] == bench.nodes[p]


CONDITIONS = [
    x > 0,
    x >= 0,
    x < 0,
    x <= 0,
    sympy.Eq(x, 0),
    sympy.Ne(x, 0),
    sympy.And(x > 0, y > 0),
    sympy.Or(x > 0, y > 0, sympy.Eq(z, 0)),
    sympy.Not(sympy.And(x > 0, sympy.Or(y > 0, z < 0))),
    sympy.And(x > y, y > z),
    sympy.Nand(x > 0, y < 0),
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_conditions(bench: Any, condition: Any) -> None:
    """Comparisons, And, Or and Not choose as they do in SymPy, at ties too."""
    node = bench.lower(Piecewise((1, condition), (0, True)))
    for values in itertools.product((-1.0, 0.0, 1.0), repeat=3):
        truth = bool(condition.subs(dict(zip((x, y, z), map(S, map(int, values)), strict=True))))
        assert bench.at(*values)[node] == truth


def test_the_first_condition_that_holds_wins(bench: Any) -> None:
    """Overlapping conditions, more than two branches."""
    node = bench.lower(Piecewise((1, x < -1), (2, x < 0), (3, x < 1), (4, x < 2), (5, True)))
    assert [bench.at(v)[node] for v in (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)] == [1, 2, 2, 3, 3, 4, 4, 5]


@pytest.mark.parametrize("if_true", [sympy.true, sympy.false, y > 0])
@pytest.mark.parametrize("if_false", [sympy.true, sympy.false, z > 0])
def test_conditions_on_conditions(bench: Any, if_true: Any, if_false: Any) -> None:
    """ITE, which SymPy makes of a Piecewise in a condition, with truth values in its places."""
    if if_true == if_false:
        return  # SymPy has put the condition away
    condition = sympy.ITE(x > 0, if_true, if_false, evaluate=False)
    node = bench.lower(Piecewise((1, condition), (0, True), evaluate=False))
    for values in itertools.product((-1, 1), repeat=3):
        truth = if_true if values[0] > 0 else if_false
        at = dict(zip((x, y, z), values, strict=True))
        assert bench.at(*map(float, values))[node] == bool(truth.subs(at))


def test_a_missing_default_is_refused(bench: Any) -> None:
    """No value where no condition holds: the message says what to add."""
    with pytest.raises(LoweringError, match=r"add \(value, True\)"):
        bench.lower(2 * Piecewise((x, x > 0), (y, x < -1)))


def test_a_branch_that_is_no_number_is_refused(bench: Any) -> None:
    """nan as the default has no C to go with it."""
    with pytest.raises(LoweringError, match="nan"):
        bench.lower(Piecewise((x, x > 0), (sympy.nan, True)))


EIGHTHS = st.integers(-24, 24).map(lambda k: k / 8)


@given(st.lists(st.integers(0, len(DEAD) - 1), min_size=1, max_size=3), EIGHTHS, EIGHTHS)
@settings(max_examples=25)
def test_random_nests_stay_finite(indices: list[int], a: float, b: float) -> None:
    """Whatever is nested in whatever, value and slopes are those of the branch that SymPy takes."""
    from eomc.ir.graph import Graph
    from eomc.ir.interpreter import Sample
    from eomc.ir.symbols import Role, Symbol
    from eomc.lowering.scalars import ScalarLowering

    expression: Any = x + 2 * y
    for index in indices:
        branch, condition, _ = DEAD[index]
        safe = sympy.And(condition, sympy.Abs(x) < 2)
        expression = Piecewise((sympy.sin(branch) + expression, safe), (expression, True), evaluate=False)
    graph = Graph()
    roles = {x: Symbol(Role.STATE, 0, "x"), y: Symbol(Role.STATE, 1, "y")}
    nodes = {s: graph.symbol(role) for s, role in roles.items()}
    node = ScalarLowering(graph, nodes)(expression)
    slopes = gradient(graph, node, list(nodes.values()))
    forward = [Tangents(graph, {v: graph.one})(node) for v in nodes.values()]
    sample = Sample(graph, {roles[x]: a, roles[y]: b})
    assert math.isfinite(sample[node])
    assert sample.vector(slopes) == pytest.approx(sample.vector(forward), rel=1e-8, abs=1e-8, nan_ok=True)
    dead = all(not bool(DEAD[i][1].subs({x: a, y: b})) for i in indices) or abs(a) >= 2
    if dead:
        assert sample.vector([node, *slopes]) == pytest.approx([a + 2 * b, 1.0, 2.0])
