"""What a function outside the vocabulary stands for: the user's own, SymPy's, derivatives left standing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.biomechanics import TendonForceLengthDeGroote2016
from sympy.physics.mechanics import dynamicsymbols
from sympy.utilities.lambdify import implemented_function

from eomc.errors import ModelError
from eomc.model.definitions import definition
from eomc.model.walking import degree, mentions

q, p = dynamicsymbols("q p")
t = dynamicsymbols._t


class Cube(sympy.Function):
    """A function that says by ``doit`` what it is."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Return x^3."""
        del hints
        return self.args[0] ** 3


class Twice(sympy.Function):
    """A function defined by another one."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Return 2 x^3."""
        del hints
        return 2 * Cube(self.args[0])


class There(sympy.Function):
    """A function defined by one that is defined by it."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Return the other one."""
        del hints
        return Back(self.args[0])


class Back(sympy.Function):
    """The other one."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Return the first one."""
        del hints
        return There(self.args[0])


f = implemented_function("f", lambda x: x**2 + sympy.sin(x))
double = implemented_function("double", lambda x: 2 * x)
two = implemented_function("two", lambda x, y: sympy.Max(x - y, 0))
CARRIED = sympy.Derivative(q**2, q, evaluate=False)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Cube(q + 1), (q + 1) ** 3),
        (Twice(q), 2 * q**3),
        (f(q), q**2 + sympy.sin(q)),
        (f(f(q)), (q**2 + sympy.sin(q)) ** 2 + sympy.sin(q**2 + sympy.sin(q))),
        (two(p, 2 * q), sympy.Max(p - 2 * q, 0)),
        (f(q).diff(q), 2 * q + sympy.cos(q)),
        (Twice(q).diff(q), 6 * q**2),
        (f(2 * q).diff(t).args[-1], 4 * q + sympy.cos(2 * q)),  # what SymPy leaves as a substitution
        (CARRIED, 2 * q),
        (sympy.Derivative(q, q), sympy.S.One),
        (sympy.UnevaluatedExpr(q + p), q + p),
        (sympy.SingularityFunction(q, 1, 1), sympy.Piecewise((q - 1, q >= 1), (0, True))),
        (sympy.Subs(sympy.sin(p), p, q), sympy.sin(q)),
    ],
    ids=str,
)
def test_what_a_function_stands_for(expression: sympy.Basic, expected: sympy.Expr) -> None:
    """By ``doit``, by the user's code, by rewriting."""
    assert definition(expression) == expected


@pytest.mark.parametrize(
    "expression",
    [q, q.diff(t), q.diff(t, 2), sympy.sin(q), q + p, sympy.gamma(q), sympy.DiracDelta(q), sympy.Function("h")(q)],
    ids=str,
)
def test_what_stands_for_itself(expression: sympy.Basic) -> None:
    """Signals, known functions, and those that have no meaning at all."""
    assert definition(expression) is None


def test_a_derivative_of_something_undefined_stays() -> None:
    """There is nothing to carry out."""
    assert definition(sympy.Function("h")(q).diff(q)) is None


def test_muscle_curves_keep_their_order_of_operations() -> None:
    """SymPy offers a form that is not folded: c0 exp(c3 (l - c1)) - c2."""
    curve = TendonForceLengthDeGroote2016.with_defaults(q)
    found = definition(curve)
    assert found is not None
    assert found.has(sympy.UnevaluatedExpr)
    value = float(found.subs(q, 1.02).doit())
    assert value == pytest.approx(0.2 * math.exp(33.93669377311689 * (1.02 - 0.995)) - 0.25, rel=1e-14)


BAD: list[tuple[str, Callable[..., Any], str]] = [
    ("math", math.sin, "does not work with symbols"),
    ("numpy", np.sin, "does not work with symbols"),
    ("branch", lambda x: x if x > 0 else 0.0, "cannot determine truth value"),
    ("equality", lambda x: 1.0 if x == 0 else sympy.sin(x) / x, "does not do with the number 0"),
    ("truth", lambda x: x**2 if x else 5.0, "does not do with the number 0"),
    ("nothing", lambda x: None, "makes no expression"),
    ("two arguments", lambda x, y: x, "does not work with symbols"),
]


@pytest.mark.parametrize(("code", "message"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_code_that_cannot_be_written_out(code: Callable[..., Any], message: str) -> None:
    """One line that names the function, also where symbols silently take another way than numbers."""
    with pytest.raises(ModelError, match=message) as caught:
        definition(implemented_function("table", code)(q))
    assert "the function table" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_functions_defined_in_a_circle() -> None:
    """They end in a message, not in a loop."""
    with pytest.raises(ModelError, match=r"There\(q\(t\)\) is defined by functions that are defined by it"):
        definition(There(q))


def test_arguments_of_implemented_functions_are_seen() -> None:
    """A speed inside the user's function is not hidden, and makes it nonlinear."""
    assert mentions(p * f(q), {q}) == [q]
    assert degree(p * f(q), {q}) == math.inf
    assert degree(p * f(q), {p}) == 1
    assert degree(double(p) + Cube(q), {p}) == 1
    assert degree(Cube(p), {p}) == 3


@pytest.mark.parametrize(
    ("expression", "highest"),
    [(f(q).diff(q), math.inf), (f(2 * q).diff(q), math.inf), (Twice(q).diff(q), 2), (Cube(q + 1), 3), (double(q), 1)],
    ids=str,
)
def test_derivatives_hide_nothing(expression: sympy.Expr, highest: float) -> None:
    """Neither do those that SymPy left standing; the symbols of its substitutions are not the model's."""
    assert mentions(expression, {q, p, t}) == [q]
    assert degree(expression, {q}) == highest
    assert degree(expression, {p}) == 0
