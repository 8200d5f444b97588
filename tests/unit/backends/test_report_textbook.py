"""Printed equations have the form of text-books, and mean what the graph means."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eomc
from eomc.backends.report import textbook
from eomc.backends.report.letters import with_greek
from eomc.backends.report.notation import Name
from eomc.backends.report.outline import Section, Show
from eomc.backends.report.text import TextSpelling
from eomc.backends.report.textbook import put_in_textbook_form
from eomc.backends.report.writer import Writer
from eomc.errors import UsageError
from eomc.frontends.loading import shipped_models
from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.rounding import Rounded
from eomc.ir.symbols import Role, Symbol
from eomc.model.parts import MechanicalSystem
from eomc.passes.differentiate import jacobian

SYMBOLS = [Symbol(Role.PARAMETER, i, name) for i, name in enumerate("abk")]
SYMBOLS += [Symbol(Role.STATE, i, name) for i, name in enumerate("xyzu")]


class Page:
    """One entry on a graph."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.leaf = {symbol.name: self.graph.symbol(symbol) for symbol in SYMBOLS}
        self.writer = Writer(self.graph, TextSpelling(), {symbol: Name.of(symbol.name) for symbol in SYMBOLS})

    def shortest(self, node: Node) -> Node:
        (section,) = put_in_textbook_form([Section("", (Show(Name.of("f"), node),))], self.writer)
        (item,) = section.items
        assert isinstance(item, Show)
        return item.node

    def text(self, node: Node) -> str:
        return self.writer.text(self.writer.write([node], {})[node])

    def turned(self, op: Op, *names: str) -> Node:
        """Return op of a sum of angles."""
        return self.graph.unary(op, self.graph.sum(self.leaf[name] for name in names))


def test_a_product_of_cosines_and_one_of_sines_is_a_cosine_of_the_difference() -> None:
    """cos x cos y + sin x sin y = cos(x - y)."""
    page = Page()
    graph = page.graph
    cosines = graph.mul(page.turned(Op.COS, "x"), page.turned(Op.COS, "y"))
    sines = graph.mul(page.turned(Op.SIN, "x"), page.turned(Op.SIN, "y"))
    both = graph.mul(page.leaf["a"], graph.add(cosines, sines))
    assert page.text(page.shortest(both)) == "a*cos(x - y)"


def test_a_frame_within_a_frame_turns_by_the_difference_of_the_angles() -> None:
    """cos(x + y) cos x + sin(x + y) sin x = cos y: angles are sums of angles."""
    page = Page()
    graph = page.graph
    cosines = graph.mul(page.turned(Op.COS, "x", "y"), page.turned(Op.COS, "x"))
    sines = graph.mul(page.turned(Op.SIN, "x", "y"), page.turned(Op.SIN, "x"))
    assert page.text(page.shortest(graph.add(cosines, sines))) == "cos(y)"


def test_squares_of_brackets_are_multiplied_out_where_that_is_shorter() -> None:
    """(a u cos x)^2 + (b + a u sin x)^2 = a^2 u^2 + b^2 + 2 a b u sin x."""
    page = Page()
    graph, leaf = page.graph, page.leaf
    speed = graph.mul(leaf["a"], leaf["u"])
    across = graph.mul(speed, page.turned(Op.COS, "x"))
    along = graph.add(leaf["b"], graph.mul(speed, page.turned(Op.SIN, "x")))
    text = page.text(page.shortest(graph.add(graph.powi(across, 2), graph.powi(along, 2))))
    assert text == "a^2*u^2 + b^2 + 2*a*b*u*sin(x)"


def test_what_is_short_stays_as_it_was_derived() -> None:
    """sin x cos x is no longer than sin(2 x)/2."""
    page = Page()
    product = page.graph.mul(page.turned(Op.SIN, "x"), page.turned(Op.COS, "x"))
    assert page.shortest(product) == product


def test_large_entries_are_left_alone() -> None:
    """What has too many terms is not multiplied out, whatever it would become: the limit is a number of terms."""
    page = Page()
    graph, leaf = page.graph, page.leaf
    bracket = graph.sum([leaf[name] for name in "abkuz"])
    turning = graph.add(graph.powi(page.turned(Op.COS, "x"), 2), graph.powi(page.turned(Op.SIN, "x"), 2))
    large = graph.mul(graph.powi(bracket, 5), turning)
    assert page.shortest(large) == large


@pytest.mark.parametrize("broken", ["TR8", "TR10i", "TR5", "TR6"])
def test_a_wrong_simplification_is_not_printed(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """Each result is compared with the graph: a rule that errs changes nothing."""
    monkeypatch.setattr(textbook, broken, lambda expression: 0 * expression + 1)
    page = Page()
    graph = page.graph
    cosines = graph.mul(page.turned(Op.COS, "x"), page.turned(Op.COS, "y"))
    sines = graph.mul(page.turned(Op.SIN, "x"), page.turned(Op.SIN, "y"))
    both = graph.mul(page.leaf["a"], graph.add(cosines, sines))
    assert page.shortest(both) == both


factors = st.lists(
    st.tuples(st.sampled_from(["sin", "cos", "leaf", "square"]), st.integers(0, 6), st.booleans()), max_size=4
)


@given(st.lists(factors, min_size=1, max_size=5), st.integers(0, 4))
def test_random_entries_keep_their_value(terms: list[list[tuple[str, int, bool]]], bracketed: int) -> None:
    """Sums of products of sines, cosines and other factors, in a bracket or not: the same value, never longer."""
    page = Page()
    graph, leaves = page.graph, list(page.leaf.values())
    total = graph.zero
    for number, term in enumerate(terms):
        node = graph.constant(number + 1)
        for how, index, negative in term:
            leaf = leaves[index]
            if how in ("sin", "cos"):
                leaf = graph.unary(Op[how.upper()], graph.sub(leaf, leaves[-1]) if negative else leaf)
            node = graph.mul(node, graph.powi(leaf, 2) if how == "square" else leaf)
            node = graph.neg(node) if negative else node
        total = graph.add(total, node)
        if number == bracketed:
            total = graph.mul(graph.unary(Op.COS, leaves[3]), total)
    shorter = page.shortest(total)
    for seed in range(3, 6):
        sample = Sample(graph, {}, seed=seed)
        assert sample[shorter] == pytest.approx(sample[total], rel=1e-11, abs=1e-9)
    assert len(page.text(shorter)) <= len(page.text(total))


def lines(printed: Any) -> dict[str, str]:
    """Return what stands behind each name."""
    text = re.sub(r"\n {6,}", " ", printed.text)
    return dict(re.findall(r"(?m)^  (\w+) += (.*?)(?: +#.*)?$", text))


@pytest.mark.parametrize(("method", "dots"), [("kane", "d"), ("lagrange", "'"), ("gibbs-appell", "d")])
def test_the_double_pendulum_reads_as_in_every_text_book(method: str, dots: str) -> None:
    """m2 l1 l2 cos(th1 - th2) couples the rods, and its derivative brings the centrifugal terms."""
    printed = eomc.equations(eomc.load("double_pendulum"), method)
    assert "m2*l1*l2*cos(th1 - th2)" in printed.text
    found = lines(printed)
    assert sorted(re.split(r" (?=[+-] \w*\*)", found["f2"])) == [
        "- m2*l2*g*sin(th2)", f"m2*l1*l2*th1{dots}^2*sin(th1 - th2)",
    ]  # fmt: skip
    assert f"m2*l1*l2*th2{dots}^2*sin(th1 - th2)" in found["f1"]
    assert "cos" not in found["f1"]
    assert found["T"] == (
        f"1/2*m1*l1^2*th1{dots}^2 + 1/2*m2*l1^2*th1{dots}^2 + 1/2*m2*l2^2*th2{dots}^2 "
        f"+ m2*l1*l2*th1{dots}*th2{dots}*cos(th1 - th2)"
    )


def test_a_notebook_shows_the_equations() -> None:
    """A fragment that styles nothing around it, and displays that MathJax sets; the pages are whole."""
    printed = eomc.equations(eomc.load("double_pendulum"))
    fragment = printed._repr_html_()
    assert fragment.startswith('<div class="eomc">')
    style = fragment[: fragment.index("</style>")].partition("<style>")[2]
    styled = re.findall(r"(?m)^(\S[^{}]*)\{", style)
    assert styled
    assert all(selector.startswith(".eomc") for selector in styled)
    assert "<body>" in printed.html
    assert r"\cos(\mathit{th}_{1} - \mathit{th}_{2})" in printed._repr_latex_()
    assert r"\documentclass" not in printed._repr_latex_()
    assert r"\documentclass" in printed.latex
    assert str(printed) == printed.text
    assert repr(printed).startswith("<eomc.Equations of 'double_pendulum' by kane")


def test_only_models_are_printed() -> None:
    """A name is not a model."""
    with pytest.raises(eomc.EomcError, match=r"takes an eomc\.Model, not str; eomc\.load"):
        eomc.equations("double_pendulum")


@pytest.mark.parametrize(
    ("word", "base", "subscripts"),
    [("lam", "lam", ()), ("upsi", "u", ("psi",)), ("utheta1", "u", ("theta", "1")), ("theta", "theta", ()),
     ("beta", "beta", ()), ("map", "map", ()), ("smu", "smu", ())],
)  # fmt: skip
def test_a_speed_named_after_a_greek_coordinate_has_it_as_subscript(
    word: str, base: str, subscripts: tuple[str, ...]
) -> None:
    """upsi is u with psi, as utheta is; other words are words."""
    name = Name.of(word)
    assert (name.base, name.subscripts, name.text) == (base, subscripts, word)


def test_titles_have_greek_letters() -> None:
    """J^T lambda in a title is set in letters, as in a formula; words that hold such a name are not."""
    printed = eomc.equations(eomc.load("four_bar"), "lagrange")
    (title,) = re.findall(r"<h2>(Motion under.*?)</h2>", printed.html)
    assert "&#955;" in title
    assert "lambda" not in title
    (title,) = re.findall(r"\\section\{(Motion under.*)\}", printed.latex)
    assert r"$\lambda$" in title
    assert with_greek("a lambda, lambdas, lam", str.upper) == "a LAMBDA, lambdas, LAMBDA"


def test_active_and_inertia_forces_are_those_of_kane_and_levinson() -> None:
    """A rolling disk: its weight is the one active force, -m g R cos(theta)."""
    printed = eomc.equations(eomc.load("rolling_disk"), forces="apart")
    found = lines(printed)
    assert (found["F1"], found["F2"], found["F3"]) == ("-m*R*g*cos(theta)", "0", "0")
    assert sorted(re.split(r" (?=[+-] )", found["Fstar3"])) == ["- Ia*u3'", "- m*R^2*u3'", "m*R^2*u1*u2"]
    assert "Generalized active forces F_r of F_r + F*_r = 0" in printed.text
    assert r"F^{*}_{3}" in printed.latex
    star, heading = "<msup><mi>F</mi><mo>*</mo></msup>", "Generalized active forces"
    for page in (printed.html, printed.sections, printed._repr_html_()):
        assert star in page
        assert heading in page
    assert heading not in eomc.equations(eomc.load("rolling_disk")).sections


@pytest.mark.parametrize("name", shipped_models())
def test_active_and_inertia_forces_balance(name: str) -> None:
    """F_r + F*_r = 0 at the motion; along independent speeds with dependent ones, else -J^T lambda balances them."""
    model = eomc.load(name)
    if "kane" not in model.methods:
        return
    if not isinstance(model.dynamics, MechanicalSystem):
        with pytest.raises(eomc.EomcError, match="not made of them"):
            eomc.equations(model, "kane", forces="apart")
        return
    form = "eliminated" if not model.dynamics.configuration_constraints else "augmented"
    try:
        printed = eomc.equations(model, "kane", forces="apart", constraints=form)
    except UsageError as error:
        assert "reactions" in str(error)  # noqa: PT017  what is refused says why
        return
    eqs, apart = printed.equations, printed.apart
    assert apart is not None
    graph = eqs.graph
    values = {v.symbol: v.value for v in eqs.parameters}
    values |= {v.symbol: 0.3 + 0.1 * i for i, v in enumerate(eqs.states)}
    solved = Rounded(graph, values, 3)
    rates = {graph.data[u]: solved[a] for u, a in zip(apart.accelerations, eqs.motion.accelerations, strict=False)}
    sample = Rounded(graph, values | rates, 3)
    forces = [sample[f] + sample[i] for f, i in zip(apart.active, apart.inertia, strict=True)]
    sizes = [1.0 + sample.size(f) + sample.size(i) for f, i in zip(apart.active, apart.inertia, strict=True)]
    if eqs.constraints.multipliers:
        forces = [f + solved[q.node] for f, q in zip(forces, eqs.constraints.forces, strict=True)]
    elif len(eqs.motion.labels) < len(forces):  # the slopes of dependent speeds: A, from the constraints themselves
        seconds = [v.name for v in eqs.states[len(eqs.motion.rates) :]][: len(forces)]
        independent = [seconds.index(label) for label in eqs.motion.labels]
        dependent = [i for i in range(len(forces)) if i not in independent]
        symbols = [graph.symbol(v.symbol) for v in eqs.states[len(eqs.motion.rates) :]]
        rows = [r.node for r in eqs.constraints.residuals if r.name.startswith("velocity")]
        slopes = np.array([[sample[x] for x in row] for row in jacobian(graph, rows, symbols[: len(forces)])])
        a = -np.linalg.solve(slopes[:, dependent], slopes[:, independent])
        forces = [
            forces[r] + sum(a[k, j] * forces[s] for k, s in enumerate(dependent)) for j, r in enumerate(independent)
        ]
        sizes = [sum(sizes) * (1.0 + np.abs(a).max())] * len(forces)
    for force, size in zip(forces, sizes, strict=True):
        assert abs(force) <= 1e-9 * size


def test_forces_apart_are_for_methods_in_speeds() -> None:
    """Lagrange's equations have no F*_r; an unknown word is refused."""
    with pytest.raises(eomc.EomcError, match="by kane and gibbs-appell, not by lagrange"):
        eomc.equations(eomc.load("cart_pole"), "lagrange", forces="apart")
    with pytest.raises(eomc.EomcError, match="forces"):
        eomc.equations(eomc.load("cart_pole"), forces="some")


def test_what_a_short_form_is_made_of_is_rewritten_with_it() -> None:
    """An entry that holds another one by its name holds the other's short form: one node, so that the name is found."""
    page = Page()
    graph, leaf = page.graph, page.leaf
    cosines = graph.mul(page.turned(Op.COS, "x"), page.turned(Op.COS, "y"))
    sines = graph.mul(page.turned(Op.SIN, "x"), page.turned(Op.SIN, "y"))
    inner = graph.mul(leaf["k"], graph.add(cosines, sines))
    squares = graph.add(graph.powi(page.turned(Op.COS, "z"), 2), graph.powi(page.turned(Op.SIN, "z"), 2))
    outer = graph.add(inner, graph.mul(leaf["a"], squares))
    shows = (Show(Name.of("v"), inner), Show(Name.of("w"), outer))
    (section,) = put_in_textbook_form([Section("", shows, by_name=True)], page.writer)
    first, second = [item.node for item in section.items if isinstance(item, Show)]
    assert page.text(first) == "k*cos(x - y)"
    assert first in graph.args[second]
