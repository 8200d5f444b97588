"""What validation lets pass, the graph can express; what it refuses is named."""

from __future__ import annotations

import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

from eomc.ir.graph import Graph
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.scalars import ScalarLowering
from eomc.model.vocabulary import ALLOWED_TYPES, excerpt, refusal

x, y = sympy.symbols("x y", real=True)

SAMPLES: dict[type, sympy.Basic] = {
    sympy.Piecewise: sympy.Piecewise((x, x > y), (y, True)),
    sympy.functions.elementary.piecewise.ExprCondPair: sympy.Piecewise((x, x > 0), (0, True)),
    sympy.And: sympy.And(x > 0, y > 0),
    sympy.Or: sympy.Or(x > 0, y > 0),
    sympy.ITE: sympy.ITE(x > 0, y > 0, y < 0),
    sympy.Not: sympy.Not(sympy.And(x > 0, y > 0), evaluate=False),
    type(sympy.true): sympy.true,
    type(sympy.false): sympy.false,
    sympy.Heaviside: sympy.Heaviside(x),
}


def sample(kind: type) -> sympy.Basic:
    """Return an expression with a node of `kind`."""
    if kind in SAMPLES:
        return SAMPLES[kind]
    arity = 2 if kind in (sympy.Add, sympy.Mul, sympy.Pow, sympy.Mod, sympy.Min, sympy.Max, sympy.atan2) else 1
    if issubclass(kind, sympy.Rel):
        arity = 2
    return kind(*(x, y)[:arity])


@pytest.mark.parametrize("kind", sorted(ALLOWED_TYPES, key=lambda kind: kind.__name__))
def test_what_is_allowed_can_be_lowered(kind: type) -> None:
    """No model passes validation to fail in the conversion to the graph."""
    expression = sample(kind)
    assert any(type(node) is kind for node in sympy.preorder_traversal(expression))
    assert refusal(expression) == ""
    if expression in (sympy.true, sympy.false):
        return  # stands only in conditions
    if isinstance(expression, sympy.logic.boolalg.Boolean):
        expression = sympy.Piecewise((x, expression), (y, True))
    graph = Graph()
    symbols = {one: graph.symbol(Symbol(Role.STATE, index, str(one))) for index, one in enumerate((x, y))}
    ScalarLowering(graph, symbols)(expression)


@pytest.mark.parametrize("number", [sympy.Integer(2), sympy.Rational(1, 3), sympy.Float(0.5), sympy.pi, sympy.E])
def test_real_numbers_are_allowed(number: sympy.Expr) -> None:
    """Integers, rationals, floats, pi and E have no refusal."""
    assert refusal(number) == ""


@pytest.mark.parametrize("number", [sympy.I, sympy.zoo, sympy.oo, -sympy.oo, sympy.nan])
def test_numbers_that_are_not_real_and_finite_are_refused(number: sympy.Expr) -> None:
    """Their name is in the message."""
    assert str(number) in refusal(number)


@pytest.mark.parametrize(
    "expression",
    [
        sympy.gamma(x),
        sympy.DiracDelta(x),
        sympy.besselj(0, x),
        sympy.Integral(x, (x, 0, y)),
        sympy.Sum(x, (x, 0, 3)),
        sympy.Subs(x, x, y),
        sympy.Matrix([x]).as_immutable(),
        sympy.re(sympy.Symbol("w")),
    ],
    ids=lambda expression: type(expression).__name__,
)
def test_anything_else_is_refused(expression: sympy.Basic) -> None:
    """Special functions, integrals, sums and matrices."""
    assert refusal(expression)


def test_a_long_expression_is_cut_and_a_deep_one_is_not_printed() -> None:
    """Messages stay one line, and printing never recurses."""
    assert len(excerpt(sympy.Add(*sympy.symbols("a:30")))) <= 60
    nested: sympy.Expr = dynamicsymbols("q")
    for _ in range(3000):
        nested = sympy.sin(nested, evaluate=False)
    assert excerpt(nested) == "sin(...)"
