"""No branch can spoil another: every op under every form of choice, in value and in every derivative.

Expected are the values and slopes of the branch that is taken, by SymPy; outside its domain an op has none to give.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Abs, Heaviside, Max, Min, Mod, Piecewise, Rational, S, exp, log, sqrt
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.ir.choices import alternatives
from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.lowering.scalars import ScalarLowering
from eomc.passes.differentiate import Tangents, gradient, vjp
from eomc.reference.jets import constant, seed
from eomc.reference.plan import Plan
from eomc.solving.jacobian import sparse_jacobian

x, y, p = sympy.symbols("x y p", real=True)
STATES = {x: Symbol(Role.STATE, 0, "x"), y: Symbol(Role.STATE, 1, "y")}
P = Symbol(Role.PARAMETER, 0, "p")


class Case(NamedTuple):
    """An expression, what is positive where it is wanted, and a place where it is not: x, y and p."""

    expression: Any
    wanted: Any
    dead: float
    p: float = 2.0
    y: float = 0.4


PARTIAL = [
    Case(sqrt(x), x, -1.0),
    Case(sqrt(x) ** 3, x, -1e5),
    Case(x ** Rational(1, 3), x, -8.0),
    Case(x**0.3, x, -8.0),
    Case(x**y, x, -8.0),
    Case(y**x, 10 - x, 1e4, y=-3.0),
    Case(S.Zero**x, x, -1.0),
    Case(log(x), x, -1.0),
    Case(log(x), x - 1, 0.0),
    Case(log(log(x)), x - 1, 0.5),
    Case(1 / x, x - 1, 0.0),
    Case(y / (x - 1) ** 2, x - 2, 1.0),
    Case(x**-3, x - 1, 0.0),
    Case(x**100, 2 - x, 1e6),
    Case(sympy.asin(x), 1 - x, 2.0),
    Case(sympy.acos(x), 1 - x, 2.0),
    Case(sympy.atan2(x, x * y), x - 1, 0.0),
    Case(sqrt(x**2 + x**4), x - 1, 0.0),
    Case(Mod(y, x), x - 1, 0.0),
    Case(sympy.tan(x), 1 - x, math.pi / 2),
    Case(exp(x), 10 - x, 1e4),
    Case(exp(1000 * x), 1 - x, 2.0),
    Case(sympy.sinh(x), 10 - x, 1e4),
    Case(sympy.cosh(x), 10 - x, 1e4),
    Case(sqrt(p) * x, x - 1, 0.0, p=-1.0),
    Case(x / p, x - 1, 0.0, p=0.0),
    Case(x * log(p), x - 1, 0.0, p=0.0),
    Case(x**2 * sympy.asin(p), x - 1, 0.0, p=3.0),
    Case(p**x, x - 1, 0.0, p=-3.0),
    Case(Mod(x, p), x - 1, 0.0, p=0.0),
]

ELSE = 3 * x + y**2
FORMS: dict[str, tuple[Callable[[Any, Any], Any], Any, Any]] = {
    # form -> (expression under a condition, what it is elsewhere, by what it multiplies where wanted)
    "piecewise": (lambda f, s: Piecewise((f, s > 0), (ELSE, True)), ELSE, 1),
    "piecewise, last": (lambda f, s: Piecewise((ELSE, s <= 0), (f, True)), ELSE, 1),
    "within": (lambda f, s: Piecewise((Piecewise((f, y > -9), (y, True)), s > 0), (ELSE, True)), ELSE, 1),
    "scaled": (lambda f, s: sympy.cos(x) * Piecewise((f, s > 0), (ELSE, True)), sympy.cos(x) * ELSE, sympy.cos(x)),
    "heaviside": (lambda f, s: Heaviside(s) * f, 0, 1),
    "heaviside, to a power": (lambda f, s: 3 * y * Heaviside(s, 1) ** 2 * f, 0, 3 * y),
    "heaviside, below": (lambda f, s: (1 - Heaviside(-s)) * f * p, 0, p),
    "a quotient": (lambda f, s: -Heaviside(s, 0) * f / (1 + y**2), 0, -1 / (1 + y**2)),
    "a zero branch": (lambda f, s: Piecewise((y, s > 0), (0, True)) * f, 0, y),
    "the other zero branch": (lambda f, s: Piecewise((0, s <= 0), (x + y, True)) * f * x, 0, x * (x + y)),
    "clipped": (lambda f, s: Max(s, 0) * f * y, 0, None),
    "clipped from below": (lambda f, s: Min(-s, 0) * f, 0, None),
    "a sum": (lambda f, s: ELSE + Heaviside(s) * (f + y), ELSE, None),
}


def lowered(expression: Any) -> tuple[Graph, Node]:
    """Return the node of an expression in x, y and the parameter p."""
    graph = Graph()
    nodes = {symbol: graph.symbol(role) for symbol, role in (*STATES.items(), (p, P))}
    return graph, ScalarLowering(graph, nodes)(expression)


def answers(graph: Graph, node: Node, at: tuple[float, float, float]) -> list[list[float]]:
    """Return the value and both slopes, by forward, reverse and sparse sweeps; second derivatives come last."""
    variables = [graph.symbol(role) for role in STATES.values()]
    forward = [Tangents(graph, {v: graph.one})(node) for v in variables]
    reverse = gradient(graph, node, variables)
    sparse = sparse_jacobian(graph, [node], variables)[0]
    second = vjp(graph, [(forward[0], graph.one), (reverse[1], graph.one)], variables)
    second += [Tangents(graph, {variables[0]: graph.one})(slope) for slope in reverse]
    sample = Sample(graph, dict(zip((*STATES.values(), P), at, strict=True)))
    return [sample.vector([node, *slopes]) for slopes in (forward, reverse, sparse)] + [sample.vector(second)]


@functools.cache
def by_mpmath(expression: Any, at: tuple[float, float, float]) -> list[Any]:
    """Return the value and both slopes of an expression without choices."""
    function = sympy.lambdify([x, y, p], expression, "mpmath")
    with mpmath.workdps(40):
        point = tuple(map(mpmath.mpf, at))
        return [function(*point), *(mpmath.diff(function, point, order) for order in ((1, 0, 0), (0, 1, 0)))]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_not_wanted_is_silent(form: str) -> None:
    """Value, tangent, adjoint and second derivatives are those of the branch that is taken, for every op."""
    under, elsewhere, _ = FORMS[form]
    for case in PARTIAL:
        at = (case.dead, case.y, case.p)
        *found, second = answers(*lowered(under(case.expression, case.wanted)), at)
        for way in found:
            assert way == pytest.approx(by_mpmath(elsewhere, at), rel=1e-12), case
        assert all(map(math.isfinite, second)), case


@pytest.mark.parametrize("form", [name for name, (*_, factor) in FORMS.items() if factor is not None])
def test_what_is_wanted_is_unchanged(form: str) -> None:
    """Where the expression is taken it has its own value and slopes."""
    under, _, factor = FORMS[form]
    compared = 0
    for case, value in itertools.product(PARTIAL, (0.3, 1.7)):
        if case.wanted.subs(x, value) > 0:
            at = (value, 0.4, 0.6)
            expected = by_mpmath(factor * case.expression, at)
            if all(isinstance(v, mpmath.mpf) and abs(v) < 1e100 for v in expected):  # real, and no overflow
                compared += 1
                for way in answers(*lowered(under(case.expression, case.wanted)), at)[:-1]:
                    assert way == pytest.approx([*map(float, expected)], rel=1e-11, abs=1e-12), case
    assert compared > 30


# (expression, place) where the value is below, at the end of the domain or beyond: Max with something else is that.
EXTREMA = [
    (Max(sqrt(x), 1), 0.0, 1),
    (Max(1, sqrt(x**2 + x**4) * 3), 0.0, 1),
    (Max(x ** Rational(1, 3), p), 0.0, p),
    (Max(x**0.3, Rational(1, 2)), 0.0, Rational(1, 2)),
    (Max(x**y, y), 0.0, y),
    (Max(log(x), y), 0.0, y),
    (Max(sympy.asin(x), 2), 1.0, 2),
    (Min(sympy.acos(-x), 3), 1.0, 3),
    (Max(sympy.atan2(x, x * y), 1), 0.0, 1),
    (Max(Mod(y, x), 2 * y), 0.0, 2 * y),
    (Max(y, -x / p, sqrt(x)), 0.0, y),
    (Min(1 / x, y + 2), 0.0, y + 2),
    (Min(x**-4, y), 0.0, y),
    (Min(1, exp(1000 * x)), 1.0, 1),
    (Min(y, sympy.cosh(1000 * x)), 1.0, y),
    (Max(y, sympy.sinh(-1000 * x)), 1.0, y),
    (Min(y, x**200), 1e3, y),
    (Max(sqrt(x), 1) * sqrt(Max(x, -4) + 5), 0.0, sqrt(x + 5)),
    (Abs(Min(-sqrt(x), -1)) + Max(x, y), 0.0, 1 + y),
    # clipped: what is constant over a stretch has no slope, however steep the function is there
    (sqrt(Max(x, 0)), -1.0, 0),
    (sqrt(Max(x, 0) * y), -1.0, 0),
    (sqrt(3 * y * Max(-x, 0) ** 2 + Max(-x, 0)), 1.0, 0),
    (Max(x, 0) ** Rational(1, 3) * y, -1.0, 0),
    ((y * Max(x, 0)) ** 0.3, -1.0, 0),
    (Max(x, 0) ** p, -1.0, 0),
    (Max(x, 0) ** y, -1.0, 0),
    (sympy.asin(Min(Max(x, -1), 1)), 2.0, sympy.pi / 2),
    (sympy.acos(Min(Max(x, -1), 1)), -2.0, sympy.pi),
    (sympy.asin(Max(-1, Min(1, x)) * p / 2), 2.0, sympy.pi / 2),
    (sqrt(Max(x, 0) ** 2 + Max(x + y, 0) ** 2), -2.0, 0),
    (sympy.atan2(Max(x, 0), Max(x, 0) * y), -1.0, 0),
    (sqrt(Heaviside(x) * y) + sqrt(Heaviside(x) * y**3), -1.0, 0),
    (sqrt((Heaviside(x) * y) ** 2 + (Heaviside(x) * x) ** 2), -1.0, 0),
    (sqrt(Piecewise((x * y, x > 0), (0, True))), -1.0, 0),
    (sqrt(Piecewise((x, x > 0), (0, True)) * y), -1.0, 0),
    # windows
    ((Heaviside(x) - Heaviside(x - 1)) * sqrt(x), -1.0, 0),
    ((Heaviside(x) - Heaviside(x - 1)) * sqrt(1 - x), 2.0, 0),
    ((1 - Heaviside(x)) * log(-x) * y, 3.0, 0),
    ((1 + sympy.sign(x)) / 2 * sqrt(x), -3.0, 0),
    (Heaviside(x) * Heaviside(1 - x) * sqrt(x) * sqrt(1 - x), 2.0, 0),
    (Heaviside(x) * Heaviside(1 - x) * sqrt(x) * sqrt(1 - x), -2.0, 0),
    (Heaviside(x) * Max(1 - x, 0) ** Rational(3, 2) / sqrt(x), -2.0, 0),
    (Piecewise((x, x > 0), (0, True)) / x, 0.0, 0),
    (-3 * y * Piecewise((x, x > 0), (0, True)) / x, 0.0, 0),
]


@pytest.mark.parametrize(
    ("expression", "place", "taken"), EXTREMA, ids=lambda v: str(v) if isinstance(v, sympy.Basic) else ""
)
def test_extrema_and_what_is_clipped(expression: Any, place: float, taken: Any) -> None:
    """Min and Max have value and slopes of what they return; a function of what rests has no slope."""
    at = (place, 0.4, 2.0)
    *found, second = answers(*lowered(expression), at)
    for way in found:
        assert way == pytest.approx(by_mpmath(taken, at), rel=1e-12, abs=1e-15)
    assert all(map(math.isfinite, second))


@pytest.mark.parametrize("expression", [x * log(x), sympy.sign(x) * log(x), Abs(x) / x])
def test_a_plain_zero_makes_nothing_of_what_has_no_value(expression: Any) -> None:
    """0 times NaN stays NaN where no choice says that the factor is zero."""
    graph, node = lowered(expression)
    values = {symbol: 0.0 for symbol in STATES.values()}
    assert math.isnan(Sample(graph, values)[node])


@pytest.mark.parametrize(("base", "slope"), [(S.Zero, 0.0), (p, 0.0), (y, 0.0)])
def test_a_power_of_zero_has_no_slope(base: Any, slope: float) -> None:
    """d(0^x)/dx = 0 for x > 0: 0^x log 0 would be no number."""
    graph, node = lowered(base**x)
    states = [graph.symbol(role) for role in STATES.values()]
    forward, reverse = Tangents(graph, {states[0]: graph.one})(node), gradient(graph, node, states)[0]
    sample = Sample(graph, {STATES[x]: 1.5, STATES[y]: 0.0, P: 0.0})
    assert sample.vector([node, forward, reverse]) == [0.0, slope, slope]


@pytest.mark.parametrize("kind", list(Factorization))
@pytest.mark.parametrize("op", [Op.SELECT, Op.MAX])
def test_systems_behind_a_choice(kind: Factorization, op: Op) -> None:
    """A system that is singular where its results are not taken leaves the others alone."""
    graph = Graph()
    a, b = (graph.symbol(role) for role in STATES.values())
    if kind in (Factorization.LDLT, Factorization.LU):
        rows = graph.solve(kind, [[a, graph.zero], [graph.zero, b]], [[b], [a]], ["a", "b"])
    else:
        rows, _ = graph.solve_constrained(kind, [[a, graph.zero], [graph.zero, b]], [[b, b]], [[b], [a], [a]], [*"abc"])
    result = graph.add(rows[0][0], rows[1][0])
    other = graph.mul(b, graph.constant(3))
    node = graph.select(graph.binary(Op.LT, graph.zero, a), result, other) if op is Op.SELECT else None
    node = graph.binary(Op.MAX, graph.sub(result, b), other) if node is None else node
    *found, second = answers(graph, node, (0.0, 0.4, 2.0))
    for way in found:
        assert way == pytest.approx([1.2, 0.0, 3.0])
    assert all(map(math.isfinite, second))


@pytest.mark.parametrize("values", [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (math.nan, 1.0), (1.0, math.nan)])
@pytest.mark.parametrize("op", [Op.MIN, Op.MAX])
def test_extrema_follow_what_they_return(op: Op, values: tuple[float, float]) -> None:
    """The slope is that of the argument whose value is returned; what is no number is not returned."""
    graph = Graph()
    a, b = (graph.symbol(role) for role in STATES.values())
    node = graph.binary(op, a, b)
    condition, if_true, if_false = alternatives(graph, node)
    sample = Sample(graph, dict(zip(STATES.values(), values, strict=True)))
    assert sample[if_true if sample[condition] else if_false] == sample[node]


SAMPLE = [
    *(
        (under(case.expression, case.wanted), case.dead, elsewhere)
        for index, (under, elsewhere, _) in enumerate(FORMS.values())
        for case in PARTIAL[index % 4 :: 4]
        if case.p == 2.0 and case.y == 0.4
    ),
    *EXTREMA,
]


@pytest.mark.needs_cc
@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-12), ("float", 1e-5)])
def test_compiled(real: str, tolerance: float) -> None:
    """The emitted C has the same values and slopes, in float too: rates of extra states, and their Jacobian."""
    q, u, other = dynamicsymbols("q u w")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    place = origin.locatenew("P", q * N.x)
    place.set_vel(N, u * N.x)
    extra = dynamicsymbols(f"z0:{len(SAMPLE)}")
    rates = {z: expression.subs({x: q, y: other}) for z, (expression, *_) in zip(extra, SAMPLE, strict=True)}
    model = eomc.Model(
        name="guards",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u],
        kinematical_equations=[q.diff() - u],
        bodies=[Particle("B", place, 1)],
        extra_states={other: 0, **rates},
        parameters={p: 2.0},
    )
    sim = eomc.compile(model, functions=["jacobian"], real=real).load()
    n = len(sim.state_names)
    for index, (expression, at, taken) in enumerate(SAMPLE):
        state = np.zeros(n)
        state[[0, 2]] = at, 0.4
        row = 3 + index
        A, _ = sim.jacobian(0.0, state)
        found = [sim.rhs(0.0, state)[row], A[row, 0], A[row, 2]]
        expected = [*map(float, by_mpmath(taken, (at, 0.4, 2.0)))]
        assert found == pytest.approx(expected, rel=tolerance, abs=tolerance), expression


def falling(force: Any, coordinate: Any, speed: Any) -> eomc.Model:
    """Return a unit mass on a line under a force."""
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    place = origin.locatenew("P", coordinate * N.x)
    place.set_vel(N, speed * N.x)
    return eomc.Model(
        name="contact",
        inertial_frame=N,
        coordinates=[coordinate],
        speeds=[speed],
        kinematical_equations=[coordinate.diff() - speed],
        bodies=[Particle("B", place, 1)],
        loads=[(place, force * N.x)],
        parameters={p: 1e5},
    )


def test_hertzian_contact() -> None:
    """K H(d) d^(3/2) is zero apart, with slope zero, for the derivation and for the reference."""
    d, u = dynamicsymbols("d u")
    model = falling(p * Heaviside(d) * sqrt(d) ** 3, d, u)
    for depth in (-1e-3, 1e-3):
        force, slope = (1e5 * depth**1.5, 1.5e5 * depth**0.5) if depth > 0 else (0.0, 0.0)
        assert eomc.linearize(model, at=[depth, 0.0]).A[1] == pytest.approx([slope, 0.0], rel=1e-12)
        assert eomc.reference(model).rhs(0.0, [depth, 0.2]) == pytest.approx([0.2, force], rel=1e-12)
        found = eomc.reference(model).jacobian(0.0, [depth, 0.2])[0]
        assert found[1] == pytest.approx([slope, 0.0], rel=1e-6, abs=1e-6)


def test_regularized_speed() -> None:
    """F = -v/max(|v|, 1/100) has the slope -100 at rest, where |v| has none."""
    d, u = dynamicsymbols("d u")
    model = falling(-u / Max(sqrt(u**2 + (u * p) ** 2), Rational(1, 100)), d, u)
    assert eomc.linearize(model, at=[0.0, 0.0]).A[1] == pytest.approx([0.0, -100.0], rel=1e-12)


def test_regularized_speed_in_the_plane() -> None:
    """F = -x'/max(|v|, 1/100) along x: the slope is -100 in x' at rest, zero in all others, all finite."""
    a, b = dynamicsymbols("a b")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    place = origin.locatenew("P", a * N.x + b * N.y)
    speed = Max(sqrt(a.diff() ** 2 + b.diff() ** 2), Rational(1, 100))
    model = eomc.Model(
        name="sliding", inertial_frame=N, coordinates=[a, b], speeds=[a.diff(), b.diff()],
        bodies=[Particle("B", place, 1)], loads=[(place, -a.diff() / speed * N.x)],
    )  # fmt: skip
    expected = np.kron([[0, 1], [0, 0]], np.eye(2)) + np.diag([0, 0, -100.0, 0])
    at = [0.1, 0.2, 0.0, 0.0]
    np.testing.assert_allclose(eomc.linearize(model, at=at).A, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(eomc.reference(model).jacobian(0.0, at)[0], expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("expression", "place", "taken"), EXTREMA, ids=[str(e) for e, *_ in EXTREMA])
def test_the_reference_agrees(expression: Any, place: float, taken: Any) -> None:
    """Jets of the reference have the same values and slopes at choices."""
    point = {x: seed(np.array([place]), 0, 2, 1), y: seed(np.array([0.4]), 1, 2, 1), p: constant(2.0)}
    (jet,) = Plan([expression]).run(point)
    slopes = np.zeros(2) if jet.gradient is None else np.broadcast_to(jet.gradient, (1, 2))[0]
    expected = [*map(float, by_mpmath(taken, (place, 0.4, 2.0)))]
    assert [float(np.ravel(jet.value)[0]), *slopes] == pytest.approx(expected, rel=1e-12, abs=1e-15)
