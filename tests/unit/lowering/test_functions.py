"""Functions of SymPy: each against SymPy's own value at random points, and at the points where one must decide."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
import sympy
from sympy.utilities.lambdify import implemented_function

from eomc.errors import LoweringError
from eomc.ir.ops import Op
from eomc.lowering.functions import FUNCTIONS
from eomc.passes.differentiate import Tangents, gradient

x, y, z = sympy.symbols("x y z", real=True)
p = sympy.Symbol("p")

UNIT = {sympy.asin, sympy.acos}  # defined on [-1, 1]
POSITIVE = {sympy.log}
TWO = {sympy.atan2, sympy.Mod, sympy.Min, sympy.Max}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_every_function_has_sympys_value(bench: Any, function: Any) -> None:
    """At random points, in and outside of composite expressions."""
    random_numbers = random.Random(function.__name__)
    for _ in range(8):
        a = random_numbers.uniform(-1, 1) if function in UNIT else random_numbers.uniform(-4, 4)
        a = abs(a) if function in POSITIVE else a
        b = random_numbers.uniform(-3, 3)
        expression = function(x, y) if function in TWO else function(x)
        value = float(expression.subs({x: a, y: b}).evalf(30))
        assert bench.value(expression, a, b) == pytest.approx(value, rel=1e-13, abs=1e-14)
        inner = expression.subs({x: sympy.sin(x), y: y * z + 1}, simultaneous=True)
        if function not in POSITIVE:
            value = float((inner * y).subs({x: a, y: b, z: 0.5}).evalf(30))
            assert bench.value(inner * y, a, b, 0.5) == pytest.approx(value, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("value", [-3.0, -1.0, 0.0, 1.0, 3.0])
def test_heaviside_is_one_half_at_zero_unless_told_otherwise(bench: Any, value: float) -> None:
    """The second argument is the value at zero, and may be an expression."""
    step = 1.0 if value > 0 else 0.0
    assert bench.value(sympy.Heaviside(x), value) == (step if value else 0.5)
    assert bench.value(sympy.Heaviside(x, 0), value) == (step if value else 0.0)
    assert bench.value(sympy.Heaviside(x, 1), value) == (step if value else 1.0)
    assert bench.value(sympy.Heaviside(x, y), value, 7.0) == (step if value else 7.0)
    assert bench.value(sympy.Min(sympy.Heaviside(x), y), value, 0.25) == min(step if value else 0.5, 0.25)


def test_the_slope_of_a_step_is_zero(bench: Any) -> None:
    """d Heaviside = 0 everywhere, where sympy has DiracDelta."""
    slope = Tangents(bench.graph, {bench.nodes[x]: bench.graph.one})(bench.lower(sympy.Heaviside(x) * y))
    assert slope == bench.graph.zero


@pytest.mark.parametrize("value", [0.0, 1e-300, 1e-9, 1e-3, 0.0624, 0.0626, 0.5, 3.0, -0.01, -2.0])
def test_sinc_and_its_derivatives_are_right_near_zero(bench: Any, value: float) -> None:
    """sinc(0) = 1, sinc'(0) = 0, sinc''(0) = -1/3, on both sides of where its series takes over."""
    rate = Tangents(bench.graph, {bench.nodes[x]: bench.graph.one})
    node = bench.lower(sympy.sinc(x))
    nodes = [node, rate(node), rate(rate(node))]
    w = sympy.Symbol("w")
    series = sum((-1) ** k * w ** (2 * k) / sympy.factorial(2 * k + 1) for k in range(30))
    expected = [float(series.diff(w, k).subs(w, sympy.Float(value, 40)).evalf(40)) for k in range(3)]
    found = bench.at(value).vector(nodes)
    assert found[0] == pytest.approx(expected[0], rel=1e-15)
    assert found[1] == pytest.approx(expected[1], rel=1e-11, abs=1e-14)
    assert found[2] == pytest.approx(expected[2], rel=1e-11)


@pytest.mark.parametrize("a", [-7.4, -2.0, 0.0, 2.5])
@pytest.mark.parametrize("b", [-3.0, 2.0])
def test_mod_has_the_sign_of_the_modulus(bench: Any, a: float, b: float) -> None:
    """As SymPy's Mod and Python's %, not as C's fmod; frac is Mod by one."""
    assert bench.value(sympy.Mod(x, y), a, b) == pytest.approx(a % b)
    assert bench.value(sympy.frac(x), a) == pytest.approx(a % 1)


@pytest.mark.parametrize("values", [(-3.0, 2.0), (1.0, -4.0), (-0.5, -0.2), (0.0, 0.0)])
def test_nested_extrema(bench: Any, values: tuple[float, float]) -> None:
    """Max(|x|, |y|, 0) and mixtures, of any number of arguments, with finite slopes."""
    a, b = values
    expression = sympy.Max(sympy.Abs(x), sympy.Abs(y), 0, **{"evaluate": False})
    assert bench.value(expression, a, b) == max(abs(a), abs(b))
    mixed = sympy.Max(sympy.Min(x, y, z), sympy.Min(-x, y + 1), -2)
    assert bench.value(mixed, a, b, 0.5) == max(min(a, b, 0.5), min(-a, b + 1), -2)
    slope = Tangents(bench.graph, {bench.nodes[x]: bench.graph.one})(bench.lower(expression))
    assert abs(bench.at(a, b)[slope]) <= 1


def test_one_sided_contact(bench: Any) -> None:
    """k max(0, -y): the slope is -k in contact, 0 above, finite at the touch."""
    force = 10_000 * sympy.Max(0, -y)
    slope = Tangents(bench.graph, {bench.nodes[y]: bench.graph.one})(bench.lower(force))
    assert bench.at(0, -0.1)[slope] == -10_000
    assert bench.at(0, 0.1)[slope] == 0
    assert math.isfinite(bench.at(0, 0.0)[slope])
    assert bench.value(force, 0, -0.1) == 1000.0


@pytest.mark.parametrize("power", [sympy.Rational(3, 2), 1.5, 2.2, p])
def test_hertzian_contact_is_differentiable_apart_from_the_surface(bench: Any, power: Any) -> None:
    """The slope of max(0, -y)^n out of contact is zero, forwards and backwards, not 0 times infinity."""
    from eomc.passes.differentiate import gradient

    force = sympy.Max(0, -y) ** power
    node, variable = bench.lower(force), bench.nodes[y]
    slopes = [
        Tangents(bench.graph, {variable: bench.graph.one})(node),
        *gradient(bench.graph, node, [variable]),
    ]
    assert bench.at(0, 0.3, p=1.5).vector(slopes) == [0.0, 0.0]
    n = 1.5 if power is p else float(power)
    assert bench.at(0, -0.3, p=1.5).vector(slopes) == pytest.approx([-n * 0.3 ** (n - 1)] * 2)


def test_coulomb_friction(bench: Any) -> None:
    """-x - (1/10) sign(v): -0.4 at x = 0.5, v = -0.2; -0.5 at v = 0; slope 0 in v."""
    force = -x - sympy.sign(y) / 10
    assert bench.value(force, 0.5, -0.2) == pytest.approx(-0.4)
    assert bench.value(force, 0.5, 0.0) == -0.5
    slope = Tangents(bench.graph, {bench.nodes[y]: bench.graph.one})(bench.lower(force))
    assert slope == bench.graph.zero


def test_the_length_of_a_vector_along_a_line_has_a_slope_at_zero(bench: Any) -> None:
    """sqrt(q^2) of a time function is |q|: slope sign(q), no 0/0 at the origin."""
    q = sympy.Function("q")(sympy.Symbol("t"))
    bench.lower.define(q, bench.nodes[x])
    node = bench.lower(sympy.sqrt(q**2))
    assert bench.graph.ops[node] is Op.ABS
    slope = Tangents(bench.graph, {bench.nodes[x]: bench.graph.one})(node)
    assert [bench.at(value)[slope] for value in (-2.0, 0.0, 2.0)] == [-1.0, 0.0, 1.0]


def test_functions_of_truth_values_are_refused(bench: Any) -> None:
    """Eq of two conditions compares no numbers."""
    condition = sympy.Eq(x > 0, y > 0, evaluate=False)
    with pytest.raises(LoweringError, match="And, Or, Not"):
        bench.lower(sympy.Piecewise((1, condition), (0, True), evaluate=False))


class Cube(sympy.Function):
    """A function of the user's that says by ``doit`` what it is."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Return x^3."""
        del hints
        return self.args[0] ** 3


def test_functions_of_the_user(bench: Any) -> None:
    """What they stand for, with the derivatives of that, also where SymPy left a derivative standing."""
    table = implemented_function("table", lambda v: sympy.Max(v, 0) ** 2 + sympy.sin(v))
    expression = table(2 * x) * Cube(y) + sympy.UnevaluatedExpr(x + y) * sympy.Derivative(Cube(x), x)
    assert bench.value(expression, 0.3, 0.5) == pytest.approx(
        (0.36 + math.sin(0.6)) * 0.125 + 0.8 * 3 * 0.09, rel=1e-15
    )
    (slope,) = gradient(bench.graph, bench.lower(table(2 * x)), [bench.lower(x)])
    assert bench.at(0.3)[slope] == pytest.approx(2 * (1.2 + math.cos(0.6)), rel=1e-15)
    again = bench.lower(table(2 * x))
    assert again == bench.lower(sympy.Max(2 * x, 0) ** 2 + sympy.sin(2 * x))


def test_brackets_of_macaulay(bench: Any) -> None:
    """<x - 1>^2 is a Piecewise."""
    bracket = sympy.SingularityFunction(x, 1, 2)
    assert [bench.value(bracket, value) for value in (0.5, 1.0, 3.0)] == [0.0, 0.0, 4.0]
