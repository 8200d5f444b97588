"""The text form: what the hash of a model is taken over."""

from __future__ import annotations

from fractions import Fraction

import pytest

from eomc.derivation.methods.kane import KANE
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check, Function, Program, Variable
from eomc.ir.symbols import Named, Role, Symbol
from eomc.ir.text import formulas, program_text

X, P = Symbol(Role.STATE, 0, "x"), Symbol(Role.PARAMETER, 0, "p")


def program(graph: Graph, *outputs: Node, checks: tuple[Check, ...] = (), name: str = "m") -> Program:
    function = Function(
        "rhs", "dx/dt", outputs, ("x",) * len(outputs), (len(outputs),), (Block("b", (("y", outputs[0]),)),)
    )
    return Program(
        name,
        "a model",
        KANE,
        graph,
        Symbol(Role.TIME, 0, "t"),
        (Variable(X, "x"),),
        (),
        (Variable(P, "p", "kg", "mass", 2.0),),
        (function,),
        checks,
    )


def test_what_no_function_needs_does_not_show() -> None:
    """Scaffolding left in the graph changes neither numbering nor text."""
    clean, cluttered = Graph(), Graph()
    cluttered.unary(Op.EXP, cluttered.symbol(Symbol(Role.PLACEHOLDER, 0, "lambda")))
    texts = []
    for graph in (clean, cluttered):
        texts.append(program_text(program(graph, graph.unary(Op.SIN, graph.mul(graph.symbol(P), graph.symbol(X))))))
    assert texts[0] == texts[1]


def test_the_kind_of_a_number_shows() -> None:
    """1/2, 0.5 and a half of another kind give different programs, hence different hashes."""
    texts = set()
    for value in (Fraction(1, 2), 0.5, 2, 2.0, Named.PI, Named.E):
        graph = Graph()
        texts.add(program_text(program(graph, graph.binary(Op.ATAN2, graph.symbol(X), graph.constant(value)))))
    assert len(texts) == 6


def test_checks_show_where_their_nodes_are_needed() -> None:
    """A check belongs to the text as soon as its node does, also by way of another check."""
    graph = Graph()
    x, p = graph.symbol(X), graph.symbol(P)
    inverse = graph.div(graph.one, x)
    other = graph.div(graph.one, p)
    first = Check(inverse, graph.binary(Op.LT, other, x), "first", 0)
    second = Check(other, graph.binary(Op.LT, graph.zero, p), "second", 1)
    unused = Check(graph.unary(Op.EXP, x), graph.binary(Op.LT, graph.one, p), "unused", 2)
    text = program_text(program(graph, inverse, checks=(second, first, unused)))
    assert "'first'" in text
    assert "'second'" in text
    assert "'unused'" not in text


def test_names_units_and_values_are_part_of_the_text() -> None:
    """Two models that a user can tell apart have different texts."""
    graph = Graph()
    x = graph.symbol(X)
    assert program_text(program(graph, x)) != program_text(program(graph, x, name="n"))
    assert "2.0 [kg] 'mass'" in program_text(program(graph, x))


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
