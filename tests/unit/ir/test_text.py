"""Formulas as one would write them on paper."""

from __future__ import annotations

from fractions import Fraction

import pytest

from eomc.ir.graph import Graph
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.text import formulas, outlines

X, P = Symbol(Role.STATE, 0, "x"), Symbol(Role.PARAMETER, 0, "p")


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda g, x, p: g.sub(x, g.sub(p, x)), "x - (p - x)"),
        (lambda g, x, p: g.mul(g.add(x, p), p), "p*(x + p)"),
        (lambda g, x, p: g.div(x, g.mul(p, x)), "x/(x*p)"),
        (lambda g, x, p: g.neg(g.powi(g.add(x, p), 3)), "-(x + p)^3"),
        (lambda g, x, p: g.unary(Op.SIN, g.div(x, p)), "sin(x/p)"),
        (lambda g, x, p: g.div(g.neg(g.mul(x, g.constant(Fraction(2, 3)))), p), "-x*2/3/p"),
    ],
)
def test_formulas_are_written_as_on_paper(build: object, text: str) -> None:
    """Parentheses where precedence needs them, and a length that is kept."""
    graph = Graph()
    x, p = graph.symbol(X), graph.symbol(P)
    node = build(graph, x, p)
    written = formulas(graph, [node], 60)[node]
    # The order of a commutative op's arguments is the graph's; what matters is the value that the text has.
    for a, b in ((1.3, 0.4), (-2.0, 3.0)):
        assert eval(written.replace("^", "**"), {"x": a, "p": b, "sin": __import__("math").sin}) == pytest.approx(
            eval(text.replace("^", "**"), {"x": a, "p": b, "sin": __import__("math").sin})
        )
    assert formulas(graph, [node], len(written) - 1) == {node: ""}


@pytest.mark.parametrize(
    ("build", "room", "text"),
    [
        (lambda g, x, p: g.add(g.unary(Op.SIN, x), g.unary(Op.COS, p)), 15, "sin(x) + cos(p)"),
        (lambda g, x, p: g.add(g.unary(Op.SIN, x), g.unary(Op.COS, p)), 14, "sin(x) + ..."),
        (lambda g, x, p: g.sub(g.powi(g.unary(Op.SIN, g.sub(x, p)), 2), x), 12, "-x + ..."),
        (lambda g, x, p: g.mul(g.unary(Op.SIN, x), g.unary(Op.EXP, g.sub(x, p))), 14, "sin(x)*..."),
        (lambda g, x, p: g.unary(Op.SQRT, g.sub(g.unary(Op.SIN, x), p)), 14, "sqrt(-p + ...)"),
        (lambda g, x, p: g.unary(Op.SIN, g.unary(Op.COS, g.unary(Op.EXP, x))), 13, "sin(cos(...))"),
        (lambda g, x, p: g.unary(Op.SIN, g.unary(Op.COS, g.unary(Op.EXP, x))), 4, "a long expression"),
    ],
)
def test_what_is_too_long_is_outlined(build: object, room: int, text: str) -> None:
    """As much as there is room for, and three dots for the rest."""
    graph = Graph()
    node = build(graph, graph.symbol(X), graph.symbol(P))
    assert outlines(graph, [node], room)[node] == text
