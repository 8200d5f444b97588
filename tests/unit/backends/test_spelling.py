"""Spelling of ops and numbers in C99, and the shape of expressions and lines."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.backends.ascii import plain
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.layout import WIDTH, comment, doc, wrap
from eomc.backends.c99.spelling import MACROS, SPELLINGS, literal, number
from eomc.errors import LoweringError
from eomc.ir.graph import Graph
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.symbols import Named, Role, Symbol

ITSELF = {Op.CONSTANT, Op.SYMBOL, Op.NEG, Op.NOT, Op.SELECT, Op.POWI, Op.SOLVE, Op.RESULT}


def test_tables_are_total():
    """Every op has a spelling; every called macro exists."""
    assert set(SPELLINGS) == set(OPS)
    for op, spelling in SPELLINGS.items():
        assert bool(spelling.infix) + bool(spelling.call) == (0 if op in ITSELF else 1)
        assert not spelling.call.isupper() or spelling.call in MACROS


def test_every_op_prints():
    """Each op of values and truth values gives balanced text over names."""
    g = Graph()
    x, y = (g.symbol(Symbol(Role.STATE, i, n)) for i, n in enumerate("xy"))
    names = {x: "x", y: "y"}
    less = g.binary(Op.LT, x, y)
    for op, spec in OPS.items():
        if spec.kind not in (Kind.REAL, Kind.BOOLEAN) or op is Op.RESULT:
            continue
        if op is Op.SELECT:
            node = g.select(less, x, y)
        elif op is Op.POWI:
            node = g.powi(x, -3)
        elif op in (Op.AND, Op.OR):
            node = g.binary(op, less, g.binary(Op.LE, y, x))
        elif op is Op.NOT:
            node = g.negate(less)
        else:
            node = g.binary(op, x, y) if spec.arity == 2 else g.unary(op, x) if op is not Op.NEG else g.neg(x)
        text = Printer(g, names, set()).text(node)
        assert text.count("(") == text.count(")")
        assert "x" in text


def printed(build):
    g = Graph()
    symbols = {n: g.symbol(Symbol(Role.STATE, i, n)) for i, n in enumerate("abcd")}
    node = build(g, **symbols)
    return Printer(g, {node: name for name, node in symbols.items()}, set()).text(node)


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda g, a, b, c, d: g.sub(g.add(a, b), g.sub(c, d)), "a + b - (c - d)"),
        (lambda g, a, b, c, d: g.sub(g.sub(a, g.add(b, c)), d), "a - (b + c) - d"),
        (lambda g, a, b, c, d: g.div(a, g.div(b, c)), "a / (b / c)"),
        (lambda g, a, b, c, d: g.div(g.div(a, b), c), "(a / b) / c"),
        (lambda g, a, b, c, d: g.div(g.mul(a, b), c), "(a * b) / c"),
        (lambda g, a, b, c, d: g.add(g.mul(a, b), c), "c + (a * b)"),
        (lambda g, a, b, c, d: g.neg(g.mul(a, b)), "-(a * b)"),
        (lambda g, a, b, c, d: g.neg(a), "-a"),
        (lambda g, a, b, c, d: g.powi(a, 4), "(a * a) * (a * a)"),
        (lambda g, a, b, c, d: g.powi(a, -2), "REAL(1.0) / (a * a)"),
        (lambda g, a, b, c, d: g.select(g.binary(Op.LT, a, b), g.neg(a), b), "(a < b) ? (-a) : b"),
        (lambda g, a, b, c, d: g.negate(g.binary(Op.EQ, a, b)), "!equal(a, b)"),
        (lambda g, a, b, c, d: g.binary(Op.NE, a, b), "!equal(a, b)"),
    ],
)
def test_parentheses(build, text):
    """Chains of sums and of products stand bare, all else is explicit; the order of operations is the graph's."""
    assert printed(build) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "REAL(1.0)"), (-2, "REAL(-2.0)"), (Fraction(1, 2), "REAL(0.5)"), (0.1, "REAL(0.1)"),
        (10**20, "REAL(1e+20)"),
        (10**22 + 1, "REAL(1e+22)"), (Fraction(1, 3), "REAL(0.3333333333333333)"), (1e-300, "REAL(1e-300)"),
        (Named.PI, "REAL(3.14159265358979323846)"), (Named.EPSILON, "REAL_EPSILON"), (Named.NAN, "REAL_NAN"),
    ],
)  # fmt: skip
def test_literals(value, text):
    """Numbers are floating literals of the scalar type."""
    assert literal(value) == text


@given(st.one_of(st.integers(), st.fractions(), st.floats(allow_nan=False, allow_infinity=False)))
def test_literals_read_back(value):
    """A literal reads back as the double nearest to the exact value, and is never an integer to C."""
    try:
        nearest = float(value)
    except OverflowError:
        with pytest.raises(LoweringError):
            number(value)
        return
    text = number(value)
    assert float(text) == nearest
    assert re.search(r"[.e]", text)


@pytest.mark.parametrize("value", [10**400, Fraction(-(10**400), 3), math.inf])
def test_numbers_beyond_double_are_refused(value):
    """No literal for what a double cannot hold: one line that says so."""
    with pytest.raises(LoweringError, match="no finite value"):
        number(value)


def test_lines_are_bounded():
    """A long statement breaks at operators, and joins to what it was."""
    code = "    const model_real z0 = " + " + ".join(f"(alpha_{i} * beta_{i})" for i in range(40)) + ";"
    lines = wrap(code)
    assert all(len(line) <= WIDTH for line in lines)
    assert len(lines) > 8
    assert " ".join(line.strip() for line in lines) == code.strip()
    assert all(line.lstrip().startswith("+ ") for line in lines[1:])


@given(st.text())
def test_comments_end_where_they_should(text):
    """Whatever a description holds: printable ASCII, no end of comment, no trigraph, no line splice."""
    for made in (comment(text), doc(text)):
        assert all(" " <= character <= "~" for character in made)
        assert "*/" not in made
        assert "/*" not in made
        assert "??" not in made
        assert not made.endswith("\\")


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("m/s²", "m/s^2"),
        ("N·m", "N m"),
        ("s⁻¹", "s^-1"),
        ("θ̇", "theta_d"),
        ("µm", "um"),
        ("a\nb", "a b"),
        ("Ω", "Omega"),
    ],
)
def test_units_in_ascii(text, ascii_text):
    """Units and remarks are spelled for any terminal."""
    assert plain(text) == ascii_text
