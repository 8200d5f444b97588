"""Jets against SymPy's own derivatives, and their conventions at kinks and branches."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.physics.mechanics import dynamicsymbols

from eomc.errors import LoweringError, ModelError
from eomc.reference.arrays import cross, crossed, dot, matvec, solve, stack
from eomc.reference.clock import Clock, Seeds
from eomc.reference.jets import Jet, constant, seed
from eomc.reference.plan import Plan

x, y, z = sympy.symbols("x y z", real=True)
SYMBOLS = (x, y, z)

# Each is smooth where |x|, |y|, |z| < 1.
SMOOTH = [
    x + y * z - 3,
    x / (2 + y),
    (x + y) ** 3 / (3 + z) ** 2,
    sympy.sin(x * y) * sympy.cos(z),
    sympy.tan(x) + sympy.sec(y) - sympy.csc(z + 2) + sympy.cot(2 + x),
    sympy.asin(x * y / 2) + sympy.acos(z / 2) + sympy.atan(x - z),
    sympy.atan2(y + 2, x),
    sympy.atan2(y, x - 2),
    sympy.sinh(x) * sympy.cosh(y) * sympy.tanh(z),
    sympy.exp(x * y) * sympy.log(3 + z),
    sympy.sqrt(2 + x * y) + 1 / sympy.sqrt(3 + z),
    (2 + x) ** sympy.Rational(2, 3) * (2 + y) ** sympy.Float(1.7),
    (2 + x) ** (y * z),
    sympy.Float(2.5) ** x,
    sympy.pi * x - sympy.E * y,
    sympy.sinc(x) * sympy.sinc(3 + y),
    sympy.Piecewise((x**2 * y, x + y > 0), (sympy.sin(z), True)),
]


def evaluated(expression: sympy.Expr, point: tuple[float, ...], order: int = 2) -> Jet:
    """Return the jet of an expression in x, y, z at a point."""
    plan = Plan([expression])
    environment = {s: seed(np.array([v]), i, 3, order) for i, (s, v) in enumerate(zip(SYMBOLS, point, strict=True))}
    return plan.run(environment)[0].expanded((1,))


def gradient_of(jet: Jet) -> np.ndarray:
    return np.zeros(3) if jet.gradient is None else jet.gradient[0]


def hessian_of(jet: Jet) -> np.ndarray:
    return np.zeros((3, 3)) if jet.hessian is None else jet.hessian[0]


unit = st.floats(-0.95, 0.95).filter(lambda v: abs(v) > 1e-3)


@functools.cache
def derivatives(expression: sympy.Expr) -> Callable[..., list[Any]]:
    """Return value, gradient and Hessian as SymPy finds them, as a function that computes with 30 digits."""
    slopes = [sympy.diff(expression, a) for a in SYMBOLS]
    curvatures = [sympy.diff(s, b) for s in slopes for b in SYMBOLS]
    return sympy.lambdify(SYMBOLS, [expression, *slopes, *curvatures], "mpmath")


@pytest.mark.parametrize("expression", SMOOTH, ids=str)
@settings(max_examples=30)
@given(point=st.tuples(unit, unit, unit))
def test_jets_are_taylor_polynomials(expression: sympy.Expr, point: tuple[float, float, float]) -> None:
    """Value, gradient and Hessian equal SymPy's, evaluated with 30 digits."""
    with mpmath.workdps(30):
        exact = [float(number) for number in derivatives(expression)(*map(mpmath.mpf, point))]
    jet = evaluated(expression, point)
    found = np.concatenate([np.ravel(jet.value), gradient_of(jet), hessian_of(jet).ravel()])
    np.testing.assert_allclose(found, exact, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("expression", SMOOTH, ids=str)
def test_order_one_jets_know_no_hessian(expression: sympy.Expr) -> None:
    """A jet of order 1 has the same gradient as one of order 2 and no second derivatives."""
    point = (0.3, -0.4, 0.7)
    one, two = evaluated(expression, point, 1), evaluated(expression, point, 2)
    np.testing.assert_array_equal(gradient_of(one), gradient_of(two))
    assert one.hessian is None


@pytest.mark.parametrize(
    ("expression", "point", "value", "slope"),
    [
        (sympy.Abs(x), -2.0, 2.0, -1.0),
        (sympy.Abs(x), 0.0, 0.0, 0.0),
        (-0.3 * x * sympy.Abs(x), -2.0, 1.2, -1.2),  # quadratic drag
        (sympy.sign(x), 0.0, 0.0, 0.0),
        (-x - sympy.Rational(1, 10) * sympy.sign(y) + 0 * x, 0.5, -0.5, -1.0),  # dry friction at rest
        (10**4 * sympy.Max(0, -x), -0.01, 100.0, -1e4),  # one-sided ground
        (10**4 * sympy.Max(0, -x), 0.01, 0.0, 0.0),
        (sympy.Min(x, 2, x**2), 0.5, 0.25, 1.0),
        (sympy.floor(x) + sympy.ceiling(x), 1.5, 3.0, 0.0),
        (sympy.frac(x), -0.25, 0.75, 1.0),
        (sympy.Mod(x, 3), -1.0, 2.0, 1.0),
        (sympy.Heaviside(x), 0.0, 0.5, 0.0),
        (sympy.Heaviside(x, 1) * x, 2.0, 2.0, 1.0),
        (x**2, 0.0, 0.0, 0.0),
        (x ** sympy.Float(1.0), 0.0, 0.0, 1.0),
        (sympy.Piecewise((sympy.sqrt(x), x > 0), (3 * x, True)), -1.0, -3.0, 3.0),
        (sympy.Piecewise((1 / x, sympy.Ne(x, 0)), (5, True)), 0.0, 5.0, 0.0),
        (sympy.Piecewise((x, (x > 1) & (x < 3)), (-x, sympy.Eq(x, 4) | (x < 0)), (7, True)), 4.0, -4.0, -1.0),
        (sympy.Piecewise((x, ~(x > 1)), (2 * x, True)), 2.0, 4.0, 2.0),
    ],
    ids=str,
)
def test_kinks_and_branches(expression: sympy.Expr, point: float, value: float, slope: float) -> None:
    """Steps have derivative 0, kinks that of a branch, and what a branch does not use cannot spoil it."""
    jet = evaluated(expression, (point, 0.0, 0.0))
    assert jet.value[0] == pytest.approx(value, abs=1e-15)
    assert gradient_of(jet)[0] == pytest.approx(slope, rel=1e-12)


@given(point=st.floats(-1.0, 1.0))
def test_sinc_is_even_and_smooth(point: float) -> None:
    """sinc'' at 0 is -1/3, and the branches of its evaluation meet at 1e-12."""
    series = sum((-1) ** k * point ** (2 * k) / float(sympy.factorial(2 * k + 1)) for k in range(12))
    jet = evaluated(sympy.sinc(x), (point, 0.0, 0.0))
    assert jet.value[0] == pytest.approx(series, abs=1e-14)
    assert hessian_of(evaluated(sympy.sinc(x), (0.0, 0.0, 0.0)))[0, 0] == pytest.approx(-1 / 3)


def test_deep_expressions_need_no_recursion() -> None:
    """An expression that nests 5000 levels deep is evaluated like any other."""
    expression = x
    for _ in range(5000):
        expression = sympy.Add(sympy.Mul(expression, sympy.Rational(1, 2), evaluate=False), y, evaluate=False)
    jet = evaluated(expression, (1.0, 0.25, 0.0))
    assert jet.value[0] == pytest.approx(0.5)
    assert gradient_of(jet)[1] == pytest.approx(2.0)


def test_equal_subexpressions_are_evaluated_once() -> None:
    """A square of a square of ... takes as many steps as it has distinct subexpressions, not 2**40."""
    expression = x
    for _ in range(40):
        expression = sympy.Add(sympy.sin(expression), expression * y, evaluate=False)
    assert np.isfinite(evaluated(expression, (0.3, 0.1, 0.0)).value[0])


def test_symbols_are_keyed_by_object() -> None:
    """Symbols of equal names but other assumptions are other symbols."""
    plain = sympy.Symbol("x")
    values = Plan([plain - x]).run({x: constant(2.0), plain: constant(5.0)})
    assert values[0].value == 3.0


def test_a_symbol_without_value_is_named() -> None:
    """An expression that nobody can evaluate says which symbol is missing."""
    with pytest.raises(ModelError, match="z has no value"):
        Plan([x * z]).run({x: constant(1.0)})


@pytest.mark.parametrize("expression", [sympy.I * x, x + sympy.zoo, sympy.DiracDelta(x), sympy.gamma(x)], ids=str)
def test_what_is_not_real_is_refused(expression: sympy.Expr) -> None:
    """Complex, infinite and unknown heads are refused, not evaluated to something."""
    with pytest.raises(LoweringError):
        evaluated(expression, (0.5, 0.0, 0.0))


def test_derivatives_of_expressions_are_carried_out() -> None:
    """A derivative that SymPy left standing over an expression is worked out; q' stays a symbol of its own."""
    q = dynamicsymbols("q")
    t = dynamicsymbols._t
    plan = Plan([sympy.Derivative(sympy.sin(q), t)])
    value = plan.run({q: constant(0.4), q.diff(t): constant(3.0)})[0].value
    assert value == pytest.approx(3.0 * np.cos(0.4))


@given(st.lists(st.floats(-2, 2), min_size=15, max_size=15))
def test_arrays_of_jets_obey_the_product_rules(numbers: list[float]) -> None:
    """Products, cross products and solutions of linear systems have the derivatives of their components' formulas."""
    a = [[2 + x, y * z, z], [y, 3 + sympy.sin(x), x * y], [x * z, z, 4 + y]]
    b = [numbers[0] * x + y**2, numbers[1] * y * z, sympy.cos(x * z) + numbers[2]]
    point = (0.3 * np.tanh(numbers[3]), 0.3 * np.tanh(numbers[4]), 0.3 * np.tanh(numbers[5]))
    vector = stack([evaluated(e, point) for e in b], (1,))
    rows = [stack([evaluated(e, point) for e in row], (1,)) for row in np.array(a).T.tolist()]
    matrix = stack(rows, (1, 3))
    image = matvec(matrix, vector)
    for index in range(3):
        expected = evaluated(sum(p * q for p, q in zip(a[index], b, strict=True)), point)
        np.testing.assert_allclose(image.hessian[0, index], hessian_of(expected), atol=1e-12)
    back = solve(matrix, image, "matrix")
    np.testing.assert_allclose(back.value, vector.value, atol=1e-12)
    np.testing.assert_allclose(back.gradient, vector.gradient, atol=1e-12)
    np.testing.assert_allclose(back.hessian, vector.hessian, atol=1e-11)
    turned = cross(image, vector)
    assert dot(turned, vector).value[0] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(dot(turned, vector).hessian, 0.0, atol=1e-10)


def test_linear_systems_of_constants_have_constant_slopes() -> None:
    """A x = b with A a constant and b linear: d2x is zero, d2x of a quadratic b is A^-1 d2b."""
    matrix = constant(np.array([[[2.0, 1.0], [0.5, 3.0]]]))
    inverse = np.linalg.inv(matrix.value[0])
    point = (0.3, -0.2, 0.1)
    linear = stack([evaluated(e, point) for e in (3 * x - z, x + 2 * y)], (1,))
    found = solve(matrix, linear, "matrix")
    np.testing.assert_allclose(found.gradient[0], inverse @ [[3.0, 0.0, -1.0], [1.0, 2.0, 0.0]], atol=1e-15)
    np.testing.assert_allclose(hessian_of(found), 0.0, atol=0.0)
    assert found.order == 2
    quadratic = stack([evaluated(e, point) for e in (x**2, x * y)], (1,))
    curvature = np.zeros((2, 3, 3))
    curvature[0, 0, 0] = 2.0
    curvature[1, 0, 1] = curvature[1, 1, 0] = 1.0
    found = solve(matrix, quadratic, "matrix")
    np.testing.assert_allclose(found.hessian[0], np.einsum("ij,jkl->ikl", inverse, curvature), atol=1e-15)


def test_what_is_left_of_a_truncated_jet() -> None:
    """Derivatives up to the order, the same values; a constant stays one, whose derivatives of all orders are known."""
    jet = evaluated(sympy.sin(x) * y, (0.3, 0.5, 0.0))
    first = jet.truncated(1)
    assert (first.order, first.hessian) == (1, None)
    np.testing.assert_array_equal(first.gradient, jet.gradient)
    assert (jet.truncated(0).order, jet.truncated(0).gradient) == (0, None)
    square = first * first
    assert (square.order, square.hessian) == (1, None)
    assert (jet.truncated(0) * jet).gradient is None
    still = constant(2.0)
    assert still.truncated(1) * jet is not None
    assert (still.truncated(1) * jet).order == 2


def test_total_derivative_lowers_the_order() -> None:
    """Two total derivatives of q(t)^2 are 2 q'^2 + 2 q q'', with q' itself a function of q."""
    q = sympy.Symbol("q")
    seeds = Seeds((q,), (), ())
    environment = seeds.planted({q: np.array([0.5])}, 2)
    rate = environment[q] * environment[q] * environment[q]  # q' = q^3
    clock = Clock.of(seeds, [rate], 1)
    first = clock.rate(environment[q] * environment[q])
    assert first.value[0] == pytest.approx(2 * 0.5**4)
    assert clock.rate(first).value[0] == pytest.approx(8 * 0.5**6)


def test_a_missing_derivative_of_a_signal_is_named() -> None:
    """What moves with a signal of unknown rate has no velocity; the message asks for the derivative."""
    r = dynamicsymbols("r")
    seeds = Seeds((), (), (r,))
    environment = seeds.planted({r: np.array([0.5])}, 2)
    clock = Clock.of(seeds, [None], 1)
    with pytest.raises(ModelError, match=r"Derivative\(r\(t\), t\)"):
        clock.rate(environment[r])


def test_vector_products() -> None:
    """Of rows, and of one vector with rows of several, to the bits of NumPy's."""
    rng = np.random.default_rng(0)
    for a, b in (((4, 3), (4, 3)), ((1, 3, 3), (4, 1, 3)), ((3,), (5, 3))):
        left, right = rng.uniform(-1, 1, a), rng.uniform(-1, 1, b)
        np.testing.assert_array_equal(crossed(left, right), np.cross(left, right))
