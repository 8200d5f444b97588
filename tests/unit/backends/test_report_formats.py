"""The printers: least brackets, right precedence, three languages that are well-formed."""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hypothesis
import hypothesis.strategies as st
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.backends.report import FORMATS, render_equations
from eomc.backends.report.forms import Form, add, negate
from eomc.backends.report.latex import LatexSpelling
from eomc.backends.report.mathml import MathmlSpelling
from eomc.backends.report.notation import Name
from eomc.backends.report.spelling import COMPARISONS, FUNCTIONS, Spelling
from eomc.backends.report.text import TextSpelling
from eomc.backends.report.writer import Writer
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.methods.kane import KANE
from eomc.errors import UsageError
from eomc.ir.equations import NO_MATRICES, Constraints, Energetics, EquationsOfMotion, Motion
from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.program import Variable
from eomc.ir.symbols import Named, Role, Symbol

SPELLINGS = {"text": TextSpelling, "latex": LatexSpelling, "html": MathmlSpelling}
MODELS = ["simple_pendulum", "rolling_disk", "cart_pole", "henon_heiles", "n_link_pendulum:4"]


def leaves(graph: Graph) -> tuple[Node, ...]:
    """Return the parameters a, b and the states x, y."""
    roles = (Role.PARAMETER, Role.PARAMETER, Role.STATE, Role.STATE)
    return tuple(graph.symbol(Symbol(role, i % 2, "abxy"[i])) for i, role in enumerate(roles))


def spelled(graph: Graph, node: Node, spelling: Spelling) -> str:
    """Return one formula, nothing named."""
    names = {data: Name.of(data.name) for data in graph.data if isinstance(data, Symbol)}
    piece = Writer(graph, spelling, names).write([node], {})[node]
    return spelling.total(piece) if isinstance(piece, Form) else piece.text


def page(name: str, form: str, method: str | None = None) -> str:
    """Return a report of a shipped model without emitting C."""
    return shown(eomc.load(name), form, method)


def shown(model: eomc.Model, form: str, method: str | None) -> str:
    """Return a report of a model without emitting C."""
    equations = derive(model, choose_method(model, method))
    return render_equations(SimpleNamespace(model=model, equations=equations), form)


Maker = Callable[[Graph, Node, Node, Node, Node], Node]
EXAMPLES: list[tuple[Maker, str, str]] = [
    (lambda g, a, b, x, y: g.sub(a, g.sub(b, x)), "a - b + x", "a - b + x"),
    (lambda g, a, b, x, y: g.neg(g.add(a, b)), "-a - b", "-a - b"),
    (lambda g, a, b, x, y: g.sub(g.neg(x), g.neg(y)), "y - x", "y - x"),
    (lambda g, a, b, x, y: g.mul(g.add(x, y), g.add(a, b)), "(a + b)*(x + y)", "(a + b) (x + y)"),
    (lambda g, a, b, x, y: g.div(a, g.mul(b, x)), "a/(b*x)", r"\frac{a}{b x}"),
    (lambda g, a, b, x, y: g.div(g.div(a, b), x), "a/(b*x)", r"\frac{a}{b x}"),
    (lambda g, a, b, x, y: g.div(g.add(a, x), b), "(a + x)/b", r"\frac{a + x}{b}"),
    (lambda g, a, b, x, y: g.mul(x, g.mul(x, a)), "a*x^2", "a x^{2}"),
    (lambda g, a, b, x, y: g.powi(g.mul(a, x), 2), "a^2*x^2", "a^{2} x^{2}"),
    (lambda g, a, b, x, y: g.powi(g.add(a, x), 3), "(a + x)^3", "(a + x)^{3}"),
    (lambda g, a, b, x, y: g.neg(g.powi(x, 2)), "-x^2", "-x^{2}"),
    (lambda g, a, b, x, y: g.powi(x, -2), "1/x^2", r"\frac{1}{x^{2}}"),
    (lambda g, a, b, x, y: g.mul(g.constant(Fraction(1, 2)), g.powi(x, 2)), "1/2*x^2", r"\frac{1}{2} x^{2}"),
    (lambda g, a, b, x, y: g.div(g.mul(a, x), g.mul(g.constant(3), b)), "a*x/(3*b)", r"\frac{a x}{3 b}"),
    (lambda g, a, b, x, y: g.powi(g.unary(Op.SIN, x), 2), "sin(x)^2", r"\sin^{2} x"),
    (lambda g, a, b, x, y: g.unary(Op.COS, g.sub(x, y)), "cos(x - y)", r"\cos(x - y)"),
    (lambda g, a, b, x, y: g.mul(g.unary(Op.COS, x), g.mul(a, y)), "a*y*cos(x)", r"a y \cos x"),
    (lambda g, a, b, x, y: g.binary(Op.POW, x, g.constant(Fraction(3, 2))), "x^(3/2)", r"x^{\frac{3}{2}}"),
    (lambda g, a, b, x, y: g.binary(Op.POW, g.binary(Op.POW, x, a), b), "(x^a)^b", "(x^{a})^{b}"),
    (lambda g, a, b, x, y: g.mul(x, g.constant(0.1)), "0.1*x", "0.1 x"),
    (lambda g, a, b, x, y: g.constant(0), "0", "0"),
    (
        lambda g, a, b, x, y: g.mul(a, g.select(g.binary(Op.LT, x, y), x, g.zero)),
        "a*(x if x < y else 0)",
        r"a \left(\begin{cases} x & \text{if } x < y \\ 0 & \text{otherwise} \end{cases}\right)",
    ),
]


@pytest.mark.parametrize(("make", "text", "latex"), EXAMPLES, ids=[text for _, text, _ in EXAMPLES])
def test_a_formula_is_written_as_on_paper(make: Maker, text: str, latex: str) -> None:
    """Brackets stand where they change the value, and nowhere else."""
    graph = Graph()
    node = make(graph, *leaves(graph))
    assert spelled(graph, node, TextSpelling()) == text
    assert spelled(graph, node, LatexSpelling()) == latex


_BINARY = (Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.MIN, Op.MAX, Op.ATAN2)
_UNARY = (Op.SIN, Op.COS, Op.ATAN, Op.ABS, Op.TANH, Op.EXP, Op.SIGN, Op.NEG)


@hypothesis.settings(max_examples=3 * hypothesis.settings.default.max_examples)
@hypothesis.given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 99), st.integers(0, 99)), max_size=12))
def test_text_means_what_the_graph_means(steps: list[tuple[int, int, int]]) -> None:
    """Python, reading the text with its own precedence, finds the interpreter's value."""
    graph = Graph()
    nodes = [*leaves(graph), graph.constant(2), graph.constant(Fraction(-1, 3)), graph.constant(0.7)]
    ops = [*_BINARY, *_UNARY, Op.POWI, Op.SELECT]
    for choice, i, j in steps:
        op, x, y = ops[choice % len(ops)], nodes[-1 - i % len(nodes)], nodes[-1 - j % len(nodes)]
        if op is Op.DIV:
            y = graph.add(graph.unary(Op.ABS, y), graph.constant(1))
        if op is Op.POWI:
            nodes.append(graph.powi(x, 2 + j % 2))
        elif op is Op.SELECT:
            condition = graph.binary(Op.AND, graph.binary(Op.LT, x, y), graph.negate(graph.binary(Op.LE, y, x)))
            nodes.append(graph.select(condition, x, graph.neg(y)))
        elif op is Op.NEG:
            nodes.append(graph.neg(x))
        else:
            nodes.append(graph.binary(op, x, y) if op in _BINARY else graph.unary(op, x))
    values = {"a": 0.3, "b": 1.7, "x": -0.6, "y": 0.9}
    expected = Sample(graph, {d: values[d.name] for d in graph.data if isinstance(d, Symbol)})[nodes[-1]]
    hypothesis.assume(abs(expected) < 1e9)  # NaN, too, is not
    text = spelled(graph, nodes[-1], TextSpelling())
    functions = {name: getattr(__import__("math"), name, None) for name in FUNCTIONS.values()}
    functions |= {"abs": abs, "min": min, "max": max, "sign": lambda v: (v > 0) - (v < 0)}
    found = eval(text.replace("^", "**"), {**functions, **values, "__builtins__": {}})
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("form", SPELLINGS)
def test_every_op_has_a_spelling(form: str) -> None:
    """A new op of the graph must be given a spelling in every language."""
    graph = Graph()
    a, b, x, y = leaves(graph)
    condition = graph.binary(Op.LT, x, y)
    for op, row in OPS.items():
        if row.kind in (Kind.LEAF, Kind.SYSTEM) or op is Op.RESULT:
            continue
        if op is Op.POWI:
            node = graph.powi(x, 5)
        elif op is Op.SELECT:
            node = graph.select(condition, a, b)
        elif op is Op.NOT:
            node = graph.negate(condition)
        elif op in (Op.AND, Op.OR):
            node = graph.binary(op, condition, graph.binary(Op.LE, a, b))
        else:
            node = graph.binary(op, x, y) if row.arity == 2 else graph.unary(op, x)
        assert spelled(graph, node, SPELLINGS[form]())
    for constant in Named:
        assert spelled(graph, graph.constant(constant), SPELLINGS[form]())
    assert {op for op, row in OPS.items() if row.kind is Kind.BOOLEAN} == {*COMPARISONS, Op.AND, Op.OR, Op.NOT}


@pytest.mark.parametrize("form", FORMATS)
def test_a_language_is_a_table_with_a_row_for_each_op(form: str) -> None:
    """What has neither a sign, a name nor something around has a rule of its own, the same in all languages."""
    table = SPELLINGS[form]().ops
    assert set(table) == set(Op)
    plain = {op for op, row in table.items() if not (row.sign or row.name or any(row.around))}
    structural = {Op.CONSTANT, Op.SYMBOL, Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.POW}
    assert plain == structural | {Op.SELECT, Op.SOLVE, Op.RESULT}


def test_stand_ins_of_different_nodes_do_not_cancel() -> None:
    """Names that are not given yet have one length, and each node's is its own, in brackets and functions, too."""
    graph = Graph()
    writer = Writer(graph, SPELLINGS["text"](), {})
    x, y = writer.stand_in(7), writer.stand_in(8)
    assert writer.text(x) == writer.text(y)
    assert add(x, negate(x)).terms == ()
    assert len(add(x, negate(y)).terms) == 2
    one = Form.number(Fraction(1))
    first, second = (Form.atom(writer.bracket(add(piece, one))) for piece in (x, y))
    assert len(add(first, negate(second)).terms) == 2
    assert add(first, negate(first)).terms == ()


@pytest.mark.parametrize(
    ("name", "latex"),
    [("theta", r"\theta"), ("u1", "u_{1}"), ("p_theta", r"p_{\theta}"), ("It", r"\mathit{It}"), ("q_1_2", "q_{1,2}"),
     ("omega12", r"\omega_{12}"), ("F_max", r"F_{\mathrm{max}}")],
)  # fmt: skip
def test_names_have_greek_letters_and_subscripts(name: str, latex: str) -> None:
    """theta is a letter, the digits and words after it are subscripts, a derivative has a dot."""
    assert LatexSpelling().name(Name.of(name)) == latex
    assert LatexSpelling().name(Name.of("theta").rate().rate()) == r"\ddot{\theta}"
    assert LatexSpelling().name(Name.of("p_theta").rate()) == r"\dot{p}_{\theta}"


@pytest.mark.parametrize("name", MODELS)
def test_html_is_well_formed_and_needs_nothing_else(name: str) -> None:
    """The page is XML, its formulas MathML Core, and it loads nothing."""
    text = page(name, "html")
    assert text.isascii()
    tree = ElementTree.fromstring(text)
    assert len(list(tree.iter("{http://www.w3.org/1999/xhtml}math"))) > 5
    allowed = set("math mrow mi mn mo mtext mspace mfrac msqrt mroot msup msub mover mtable mtr mtd".split())
    for formula in tree.iter("{http://www.w3.org/1999/xhtml}math"):
        assert {element.tag.partition("}")[2] for element in formula.iter()} <= allowed
    assert not re.search(r"<(script|link|img|iframe)|url\(|@import|src=|href=", text)


def odd_model(description: str) -> Any:
    """Return an oscillator with hostile words, and with names that a report would use itself."""
    q = dynamicsymbols("q")
    z0, mass, stiffness = sympy.symbols("z0 M k_&")
    return eomc.from_lagrangian(
        mass * q.diff() ** 2 / 2 - stiffness * q**2 / 2 - z0 * sympy.cos(q),
        coordinates=[q],
        name="odd",
        parameters={z0: (1.0, "N*m", description), mass: 2.0, stiffness: 3.0},
        description=description,
    )


@pytest.mark.parametrize("form", FORMATS)
def test_words_of_the_user_are_only_words(form: str) -> None:
    """Markup in a description stays text in every format."""
    model = odd_model("<script>50% & #1 \\input{x} $_^~</script>")
    text = shown(model, form, "lagrange")
    if form == "html":
        assert "<script" not in text
        assert "".join(ElementTree.fromstring(text).itertext()).count("<script>50% & #1") == 2
    if form == "latex":
        assert r"\input{" not in text
        assert r"50\% \& \#1" in text


def test_letters_of_the_report_give_way_to_those_of_the_model() -> None:
    """A model that has an M and a z0 of its own keeps them; the mass matrix gets another letter."""
    text = page("cart_pole", "text")
    assert "Mass matrix W of W u' = f" in text
    model = odd_model("plain")
    text = shown(model, "text", "lagrange")
    assert re.search(r"^  W = M$", text, re.MULTILINE)


@pytest.mark.parametrize("name", MODELS)
def test_latex_is_balanced(name: str) -> None:
    """Braces, fences and environments close in the order in which they open."""
    text = page(name, "latex")
    assert text.isascii()
    stack: list[str] = []
    for token in re.findall(r"\\left|\\right|\\begin\{\w+\*?\}|\\end\{\w+\*?\}|\\.|[{}]", text):
        if token in ("\\left", "{") or token.startswith("\\begin"):
            stack.append(token)
        elif token in ("\\right", "}") or token.startswith("\\end"):
            opened = stack.pop()
            pairs = {"\\right": "\\left", "}": "{"}
            assert opened == pairs.get(token, token.replace("\\end", "\\begin"))
    assert stack == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    """LaTeX sets the document without an error and without a line that leaves the page."""
    compiler = shutil.which("pdflatex") or shutil.which("lualatex") or shutil.which("tectonic")
    if compiler is None:
        pytest.skip("no LaTeX here")
    (tmp_path / "page.tex").write_text(page(name, "latex"), encoding="ascii")
    options = [] if compiler.endswith("tectonic") else ["-interaction=nonstopmode", "-halt-on-error"]
    done = subprocess.run([compiler, *options, "page.tex"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "page.pdf").stat().st_size > 1000
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", done.stdout)]
    assert max(wide, default=0.0) < 3.0  # fonts of another TeX may differ by a hair, which nobody sees


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_model_gives_the_same_bytes(form: str) -> None:
    """Two derivations print the same page."""
    assert page("double_pendulum", form, "hamilton") == page("double_pendulum", form, "hamilton")


def test_a_deep_graph_is_printed() -> None:
    """Nothing recurses: an expression six thousand operations deep is cut into variables."""
    graph = Graph()
    state = Symbol(Role.STATE, 0, "s")
    x = node = graph.symbol(state)
    for _ in range(3_000):
        node = graph.unary(Op.SIN, graph.add(node, x))
    equations = EquationsOfMotion(
        graph=graph, method=KANE, summary="", time=Symbol(Role.TIME, 0, "t"), states=(Variable(state, "s"),),
        inputs=(), parameters=(), motion=Motion((), NO_MATRICES, (), (), extra_rates=(node,)),
        constraints=Constraints(), energetics=Energetics(), outputs=(), blocks=(), checks=(), systems=(),
    )  # fmt: skip
    build = SimpleNamespace(model=SimpleNamespace(name="deep", description=""), equations=equations)
    for form in FORMATS:
        assert len(render_equations(build, form)) < 6_000 * 200


def test_an_unknown_format_is_refused() -> None:
    """The message names the formats."""
    with pytest.raises(UsageError, match="text, latex, html"):
        page("simple_pendulum", "markdown")


@pytest.mark.parametrize("form", FORMATS)
def test_the_command_prints_the_page(eomc_command: Any, form: str) -> None:
    """`eomc equations` prints what the function returns, and nothing else."""
    answer = eomc_command("equations", "simple_pendulum", "--format", form)
    assert answer.code == 0
    assert answer.out.strip() == page("simple_pendulum", form).strip()
