"""SymPy scalars to graph nodes: values, numbers, powers, order of operations, refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import ReferenceFrame, dynamicsymbols

from eomc.errors import LoweringError
from eomc.ir.graph import Graph
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Named, Role, Symbol
from eomc.lowering.scalars import ScalarLowering

x, y, z = sympy.symbols("x y z", real=True)
p = sympy.Symbol("p")
S = sympy.S
unevaluated = {"evaluate": False}


class TestArithmetic:
    """Sums, products, quotients, powers."""

    @pytest.mark.parametrize(
        "expression",
        [
            x + 2 * y - z / 3,
            S.Half * x - x / 3 + 3 / x + 1 / x,
            x * y / (z * p),
            -x / (y * z**2),
            (x + y) ** 3 * (x - y) ** -2,
            2 * (x + y) * (x + 2 * y) / 7,
            sympy.pi * x + sympy.E,
            sympy.GoldenRatio * x,
            x ** sympy.Rational(1, 2) + x ** sympy.Rational(3, 2) + x ** sympy.Rational(-5, 2),
            x ** sympy.Rational(2, 3) + y ** sympy.Rational(-4, 3),
            x**y + (x * y) ** z + 2**x + x**p,
            sympy.exp(-x) * sympy.exp(2 * y),
            sympy.sqrt(x**2 + y**2) + sympy.sqrt(x * y),
            x**sympy.pi,
            sympy.sqrt(2) * x + sympy.cos(1),
        ],
        ids=str,
    )
    def test_values_are_sympys(self, bench: Any, expression: sympy.Expr) -> None:
        """The node has the value of the expression."""
        values = (0.7, 1.3, 0.4)
        at = dict(zip((x, y, z, p), (*values, 2.0), strict=True))
        assert bench.value(expression, *values) == pytest.approx(float(expression.subs(at).evalf(30)), rel=1e-14)

    @pytest.mark.parametrize("expression", [x / 2, S.Half * x, x * sympy.Rational(1, 2), x - x / 2])
    def test_halves_are_no_integer_division(self, bench: Any, expression: sympy.Expr) -> None:
        """One half is one half: 3/2 = 1.5."""
        assert bench.value(expression, 3.0) == 1.5

    @pytest.mark.parametrize(
        ("exponent", "op"),
        [
            (sympy.Float(2.0), Op.POWI),
            (S(2), Op.POWI),
            (sympy.Float(0.5), Op.SQRT),
            (sympy.Float(1.5), Op.POW),
            (sympy.Rational(2, 3), Op.POW),
            (sympy.Float(2.1), Op.POW),
        ],
    )
    def test_exponents_that_are_floats_serve_like_exact_ones(self, bench: Any, exponent: sympy.Expr, op: Op) -> None:
        """x**2.0 is a product and x**0.5 a square root."""
        node = bench.lower(x**exponent)
        assert bench.graph.ops[node] is op
        assert bench.at(1.3)[node] == pytest.approx(1.3 ** float(exponent), rel=1e-15)

    def test_x_to_2_point_0_is_x_squared(self, bench: Any) -> None:
        """The same node, for negative x too."""
        assert bench.lower(x**2.0) == bench.lower(x**2)
        assert bench.value(x**2.0, -3.0) == 9.0
        assert bench.value(x**-1.0, -4.0) == -0.25

    def test_the_cube_root_of_a_negative_number_is_nan(self, bench: Any) -> None:
        """SymPy's principal root is complex there; no C library's cbrt is put in its place."""
        assert math.isnan(bench.value(sympy.cbrt(x), -8.0))
        assert bench.value(sympy.cbrt(x), 8.0) == pytest.approx(2.0)

    def test_slopes_of_half_integer_powers_at_zero(self, bench: Any) -> None:
        """d x^(3/2)/dx is 0 at x = 0, which x sqrt(x) written out cannot say."""
        from eomc.passes.differentiate import Tangents

        node = bench.lower(x ** sympy.Rational(3, 2))
        slope = Tangents(bench.graph, {bench.nodes[x]: bench.graph.one})(node)
        assert bench.at(0.0)[slope] == 0.0
        assert bench.at(4.0)[slope] == pytest.approx(3.0)

    def test_a_product_has_one_division(self, bench: Any) -> None:
        """1/(a b) c/d is c over a product, not a chain of reciprocals."""
        node = bench.lower(x * z / (y * (y + 1) * (y + 2)))
        found = [bench.graph.ops[n] for n in bench.graph.reachable([node])]
        assert found.count(Op.DIV) == 1

    def test_several_numbers_in_one_product(self, bench: Any) -> None:
        """A product that SymPy was told not to evaluate keeps all its numbers."""
        product = sympy.Mul(2, 3, x, sympy.Float(0.5), **unevaluated)
        assert bench.value(product, 7.0) == 21.0
        assert bench.value(sympy.Add(2, 3, x, sympy.Rational(1, 2), **unevaluated), 7.0) == 12.5

    def test_derivatives_come_in_by_their_symbols(self) -> None:
        """a q'' + b q' + a b q + a^2 at q'' = 2, q' = 3, q = 4, a = 5, b = 6 is 173."""
        graph = Graph()
        t = dynamicsymbols._t
        q, a, b = dynamicsymbols("q"), *sympy.symbols("a b")
        roles = {s: Symbol(Role.INPUT, i, f"s{i}") for i, s in enumerate((q.diff(t, 2), q.diff(t), q, a, b))}
        lower = ScalarLowering(graph, {s: graph.symbol(role) for s, role in roles.items()})
        node = lower(a * q.diff(t, 2) + b * q.diff(t) + a * b * q + a**2)
        assert Sample(graph, dict(zip(roles.values(), (2.0, 3.0, 4.0, 5.0, 6.0), strict=True)))[node] == 173.0

    def test_nothing_is_expanded(self, bench: Any) -> None:
        """(x - y)^25 at (3, 2) is 1; expanded it would cancel to 0."""
        node = bench.lower((x - y) ** 25)
        assert bench.at(3.0, 2.0)[node] == 1.0
        assert len(bench.graph.reachable([node])) == 4
        assert bench.value((x - y) ** 25 + (x - y) ** 24, 3.0, 2.0) == 2.0


class TestNumbers:
    """Exact where SymPy is exact, the user's float where the user wrote one."""

    @pytest.mark.parametrize(
        ("number", "data"),
        [
            (S(3), 3),
            (S.Half, Fraction(1, 2)),
            (sympy.Float(0.1), 0.1),
            (sympy.Float("0.1", 30), 0.1),
            (sympy.pi, Named.PI),
            (sympy.E, Named.E),
            (S(10) ** 20, 10**20),
            (sympy.Rational(1015308793816973697, 2361183241434822606848), Fraction(1015308793816973697, 2**71)),
            (7, 7),
            (0.25, 0.25),
            (np.float64(0.25), 0.25),
            (np.int64(4), 4),
            (True + 1, 2),
        ],
        ids=str,
    )
    def test_a_number_is_what_it_is(self, bench: Any, number: Any, data: Any) -> None:
        """Kind and value survive."""
        found = bench.graph.data[bench.lower(number)]
        assert found == data
        assert type(found) is type(data)

    def test_huge_integers_multiply_exactly_rounded(self, bench: Any) -> None:
        """10^20 x at 1.5 is 1.5e20."""
        assert bench.value(S(10) ** 20 * x, 1.5) == 1.5e20

    def test_floats_near_the_smallest(self, bench: Any) -> None:
        """A subnormal double is still that double."""
        assert bench.value(sympy.Float("1e-310") * x, 1.0) == 1e-310

    @pytest.mark.parametrize("zero", [sympy.Float(0.0), S.Zero, 0, 0.0, sympy.Float("-0.0")])
    def test_zero_of_any_kind_is_structural(self, bench: Any, zero: Any) -> None:
        """A zero removes what it multiplies."""
        assert bench.lower(zero) == bench.graph.zero

    @pytest.mark.parametrize(
        "number",
        [
            *(sympy.Float("1e-400"), sympy.Float("1e400"), S(10) ** 400, S(10) ** 5000, sympy.Rational(1, 10**400)),
            *(sympy.I, sympy.zoo, sympy.oo, -sympy.oo, sympy.nan, math.inf, math.nan, 1j),
            *(sympy.sqrt(-2), S(-8) ** sympy.Rational(1, 3), sympy.asin(2), sympy.log(-2), sympy.acosh(S.Half)),
        ],
        ids=lambda n: str(n)[:20] if not isinstance(n, sympy.Integer) or n < 10**9 else "huge",
    )
    @pytest.mark.parametrize("within", [False, True], ids=["alone", "within"])
    def test_what_no_double_can_hold_is_refused(self, bench: Any, number: Any, within: bool) -> None:
        """Complex, infinite, undefined, too large and too small numbers have one clear error."""
        expression = sympy.Mul(x, number, evaluate=False) if within else number
        with pytest.raises(LoweringError):
            bench.lower(expression)

    def test_overflow_while_folding_is_an_error_of_the_expression(self, bench: Any) -> None:
        """10^300 (10^300) has no double; what is said is a LoweringError, not Python's."""
        big = S(10) ** 300
        with pytest.raises(LoweringError, match="larger than a double"):
            bench.lower(sympy.Add(sympy.Mul(big, big, **unevaluated), sympy.Float(1.5), **unevaluated))

    def test_division_by_zero_is_named(self, bench: Any) -> None:
        """x / 0 that SymPy did not see."""
        with pytest.raises(LoweringError, match="division by zero in"):
            bench.lower(sympy.Mul(x, sympy.Pow(sympy.Add(1, -1, **unevaluated), -1, **unevaluated), **unevaluated))


class TestSymbols:
    """A symbol is an object, not a name."""

    def test_equal_names_are_different_symbols(self) -> None:
        """p and a positive p, and a time function and a real one of the same name, have their own nodes."""
        graph = Graph()
        t = dynamicsymbols._t
        symbols = [
            sympy.Symbol("p"),
            sympy.Symbol("p", positive=True),
            sympy.Function("p")(t),
            sympy.Function("p", real=True)(t),
            sympy.Dummy("p"),
            sympy.Dummy("p"),
        ]
        roles = {s: Symbol(Role.PARAMETER, i, "p") for i, s in enumerate(symbols)}
        lower = ScalarLowering(graph, {s: graph.symbol(role) for s, role in roles.items()})
        node = lower(sum(10**i * s for i, s in enumerate(symbols)))
        assert Sample(graph, {role: float(role.index + 1) for role in roles.values()})[node] == 654321.0

    @pytest.mark.parametrize("unknown", [*sympy.symbols("x w"), sympy.Function("f")(x), sympy.Dummy("x")])
    def test_unknown_symbols_are_named(self, bench: Any, unknown: sympy.Expr) -> None:
        """The error says which symbol, in which expression, and what to do."""
        with pytest.raises(LoweringError) as caught:
            bench.lower(1 + sympy.sin(unknown))
        message = str(caught.value)
        assert str(unknown) in message
        assert "sin(" in message
        assert "list it among the coordinates, speeds, inputs or parameters" in message

    @pytest.mark.parametrize("f", ["f", "q"])
    def test_unknown_derivatives_are_named(self, bench: Any, f: str) -> None:
        """A derivative without a value is an input that is not listed, or no mechanics at all."""
        t = dynamicsymbols._t
        for derivative in (sympy.Function(f)(x).diff(x), dynamicsymbols(f).diff(t)):
            with pytest.raises(LoweringError, match="list it among the inputs"):
                bench.lower(x + derivative)

    def test_definitions_can_be_added(self, bench: Any) -> None:
        """What is defined later is known from then on."""
        w = sympy.Symbol("w")
        assert not bench.lower.knows(w)
        bench.lower.define(w, bench.lower(x * y))
        assert bench.lower.knows(w)
        assert bench.value(w + 1, 2.0, 3.0) == 7.0


class TestRefusals:
    """One clear error for what has no meaning in real arithmetic."""

    @pytest.mark.parametrize(
        ("expression", "name"),
        [
            (sympy.DiracDelta(x), "DiracDelta"),
            (x * sympy.gamma(y), "gamma"),
            (sympy.besselj(0, x), "besselj"),
            (sympy.erf(x), "erf"),
            (sympy.re(sympy.Symbol("w")), "re"),
            (sympy.Integral(sympy.sin(x * y), (y, 0, 1)), "Integral"),
            (sympy.Subs(sympy.gamma(y), y, x), "gamma"),
            (sympy.Sum(x**z, (z, 1, 3)), "Sum"),
            (sympy.MatrixSymbol("A", 2, 2)[0, 1] * x, "has no value"),
            (sympy.LambertW(x), "LambertW"),
        ],
        ids=str,
    )
    def test_functions_without_a_real_op(self, bench: Any, expression: sympy.Expr, name: str) -> None:
        """The message names the function and the expression."""
        with pytest.raises(LoweringError, match=name) as caught:
            bench.lower(2 + expression)
        assert str(2 + expression)[:20] in str(caught.value)

    @pytest.mark.parametrize(
        "thing",
        [
            sympy.Matrix([x, y]),
            sympy.ImmutableMatrix([x, y]),
            sympy.MatrixSymbol("A", 2, 2),
            [x, y],
            (x, y),
            "x + y",
            None,
            x > 0,
            sympy.true,
            ReferenceFrame("N").x,
            np.array([1.0, 2.0]),
            sympy.Tuple(x, y),
        ],
        ids=lambda thing: type(thing).__name__,
    )
    def test_what_is_no_scalar(self, bench: Any, thing: Any) -> None:
        """Matrices, vectors, texts, lists and truth values are refused by their type, never with a traceback."""
        with pytest.raises(LoweringError, match="scalar"):
            bench.lower(thing)

    def test_large_expressions_do_not_flood_the_message(self, bench: Any) -> None:
        """A mistake deep inside is reported in a line, without SymPy's recursive printer."""
        deep = sympy.Symbol("unlisted")
        for _ in range(300):
            deep = sympy.Add(sympy.sin(deep, **unevaluated), x, **unevaluated)
        wide = sympy.Add(*(sympy.sin(i * x, **unevaluated) for i in range(500)), sympy.DiracDelta(y), **unevaluated)
        for expression, name in ((deep, "unlisted"), (wide, "DiracDelta")):
            with pytest.raises(LoweringError, match=name) as caught:
                bench.lower(expression)
            assert len(str(caught.value)) < 300


class TestSize:
    """Large expressions: time by nodes."""

    def test_shared_subexpressions_are_one_node(self, bench: Any) -> None:
        """A tree of 100,000 and more nodes, with few different ones, is walked once per different node."""
        expression = x
        for k in range(16):
            expression = sympy.Add(sympy.sin(expression), sympy.Mul(expression, y, **unevaluated), k + 1, **unevaluated)
        count = 1
        for _ in range(16):
            count = 2 * count + 5
        assert count > 100_000
        before = len(bench.graph)
        bench.lower(expression)
        assert len(bench.graph) - before < 16 * 5

    def test_many_different_nodes(self, bench: Any) -> None:
        """5,000 different terms give a number of nodes that is linear in them."""
        n = 5_000
        expression = sympy.Add(*(sympy.Mul(k, x**k, **unevaluated) for k in range(2, n)), **unevaluated)
        bench.lower(expression)
        assert len(bench.graph) < 4 * n

    def test_deep_expressions_need_no_recursion(self, bench: Any) -> None:
        """A chain deeper than Python's stack."""
        expression = x
        for _ in range(3000):
            expression = sympy.Add(sympy.sin(expression, **unevaluated), y, **unevaluated)
        value = 0.3
        for _ in range(3000):
            value = math.sin(value) + 0.1
        assert bench.value(expression, 0.3, 0.1) == pytest.approx(value)

    def test_a_second_conversion_is_remembered(self, bench: Any) -> None:
        """What was converted is known, as a whole and in part."""
        expression = sympy.sin(x * y) + sympy.exp(z)
        node = bench.lower(expression)
        size = len(bench.graph)
        assert bench.lower(expression) == node
        bench.lower(sympy.sin(x * y))
        assert len(bench.graph) == size
