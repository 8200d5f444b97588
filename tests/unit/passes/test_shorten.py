"""Terms that cancel, like terms and cos^2 + sin^2: the value stays to the last digit, operations never grow."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eomc
from eomc.backends.c99.kernels import count_system
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.cost import cost
from eomc.passes.count import count_operations
from eomc.passes.shorten import shorten

NAMES = "abcdxyz"
ANGLES = {"x": (Fraction(3, 5), Fraction(4, 5)), "y": (Fraction(-5, 13), Fraction(12, 13))}  # sine, cosine


class Algebra:
    """A graph with symbols, of which a to d are parameters, and sines and cosines of x and y."""

    def __init__(self) -> None:
        self.graph = graph = Graph()
        self.symbols = {
            name: Symbol(Role.PARAMETER if name in "abcd" else Role.STATE, index, name)
            for index, name in enumerate(NAMES)
        }
        self.leaf = {name: graph.symbol(symbol) for name, symbol in self.symbols.items()}
        for name in ANGLES:
            self.leaf["s" + name] = graph.unary(Op.SIN, self.leaf[name])
            self.leaf["c" + name] = graph.unary(Op.COS, self.leaf[name])

    def __getitem__(self, text: str) -> Node:
        """Return an expression written in Python, built operation by operation as it is read."""
        return eval(text, {name: Written(self.graph, node) for name, node in self.leaf.items()}).node

    def exact(self, node: Node, values: dict[str, Fraction]) -> Fraction:
        """Evaluate in exact arithmetic, with the angles' sines and cosines on the unit circle."""
        graph, found = self.graph, {self.leaf[name]: value for name, value in values.items()}
        for name, (sine, cosine) in ANGLES.items():
            found |= {self.leaf["s" + name]: sine, self.leaf["c" + name]: cosine}
        rules: dict[Op, Any] = {
            Op.ADD: lambda x, y: x + y, Op.SUB: lambda x, y: x - y, Op.MUL: lambda x, y: x * y,
            Op.DIV: lambda x, y: x / y, Op.NEG: lambda x: -x,
        }  # fmt: skip
        for n in graph.reachable([node]):
            if n in found:
                continue
            args = [found[arg] for arg in graph.args[n]]
            if graph.ops[n] is Op.CONSTANT:
                found[n] = Fraction(graph.data[n])
            elif graph.ops[n] is Op.POWI:
                found[n] = args[0] ** graph.data[n]
            else:
                found[n] = rules[graph.ops[n]](*args)
        return found[node]


class Written:
    """A node with Python's operators."""

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph, self.node = graph, node

    def of(self, other: Any) -> Node:
        return other.node if isinstance(other, Written) else self.graph.constant(other)

    def __add__(self, other: Any) -> Written:
        return Written(self.graph, self.graph.add(self.node, self.of(other)))

    def __sub__(self, other: Any) -> Written:
        return Written(self.graph, self.graph.sub(self.node, self.of(other)))

    def __mul__(self, other: Any) -> Written:
        return Written(self.graph, self.graph.mul(self.node, self.of(other)))

    def __rmul__(self, other: Any) -> Written:
        return Written(self.graph, self.graph.mul(self.of(other), self.node))

    def __truediv__(self, other: Any) -> Written:
        return Written(self.graph, self.graph.div(self.node, self.of(other)))

    def __pow__(self, exponent: int) -> Written:
        return Written(self.graph, self.graph.powi(self.node, exponent))

    def __neg__(self) -> Written:
        return Written(self.graph, self.graph.neg(self.node))


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("(a*z + b*cx)*sx - b*cx*sx", "a*z*sx"),
        ("sx*(a*z - b*cx) + cx*(b*sx) + c", "a*z*sx + c"),
        ("a*(b*(z + d*sx) - c) - a*b*d*sx", "a*(b*z - c)"),
        ("z*cx - cx*z", "0*z"),
        ("a*z*cx/2 + cx*(a*z)/2", "a*z*cx"),
        ("(a*z + c)/d - z*a/d", "c/d"),
        ("a*(b*z*cx)**2 + a*(b*z*sx)**2", "a*(b*z)**2"),
        ("z + cy**2*cx**2 + cy**2*sx**2 + sy**2", "z + 1 + 0*z"),
        ("a*cx*cx*z - c + sx*z*sx*a", "a*z - c"),
        ("(a*cx*cx + b)*z + a*z*sx**2", "(a + b)*z"),
        ("cx**2 - sx**2", "cx**2 - sx**2"),
        ("a*cx**2 + b*sx**2", "a*cx**2 + b*sx**2"),
        ("cx**2 + sy**2", "cx**2 + sy**2"),
        ("0.1*z*cx - 0.3*z*cx", "0.1*z*cx - 0.3*z*cx"),  # floats are not added
        ("1.5*z*cx - 2.5*z*cx", "-z*cx"),  # but for halves, which are exact
    ],
)
def test_known_sums(long: str, short: str) -> None:
    """Sums whose shortest form is known on paper."""
    algebra = Algebra()
    assert shorten(algebra.graph, [algebra[long]]) == [algebra[short]]


def test_what_is_shared_stays() -> None:
    """A bracket that something else needs is not written a second time without one of its terms."""
    algebra = Algebra()
    bracket, cancelling = algebra["a*z + b*cx"], algebra["(a*z + b*cx)*sx - b*cx*sx"]
    assert shorten(algebra.graph, [cancelling, bracket]) == [cancelling, bracket]
    assert shorten(algebra.graph, [cancelling], [bracket]) == [cancelling]


pieces = st.tuples(
    st.sampled_from([*NAMES, "sx", "cx", "sy", "cy"]),
    st.sampled_from(["mul", "mul", "square", "div", "neg", "add", "sub", "double"]),
)
terms = st.lists(st.lists(pieces, min_size=1, max_size=6), min_size=1, max_size=5)
exact_numbers = st.fractions(1, 9, max_denominator=7)


@given(terms, st.lists(st.integers(0, 9), max_size=4), st.lists(exact_numbers, min_size=7, max_size=7))
@settings(max_examples=2 * settings.default.max_examples)
def test_the_value_is_the_same_in_exact_arithmetic(
    told: list[list[tuple[str, str]]], again: list[int], numbers: list[Fraction]
) -> None:
    """Random sums, brackets among them, with some terms taken away again: no digit differs, no operation is new."""
    algebra = Algebra()
    graph = algebra.graph
    made = []
    for term in told:
        node = graph.one
        for name, how in term:
            leaf = algebra.leaf[name]
            if how == "square":
                node = graph.mul(node, graph.powi(leaf, 2))
            elif how == "neg":
                node = graph.neg(node)
            elif how == "double":
                node = graph.mul(graph.constant(2), node)
            else:
                node = graph.binary(Op[how.upper()], node, leaf)
        made.append(node)
    total = graph.sum(made)
    for index in again:  # written otherwise than before: the factors the other way round
        total = graph.sub(graph.mul(total, algebra.leaf["cx"]), graph.mul(algebra.leaf["cx"], made[index % len(made)]))
    values = dict(zip(NAMES, numbers, strict=True))
    (shorter,) = shorten(graph, [total])
    assert algebra.exact(shorter, values) == algebra.exact(total, values)
    assert cost(graph, [shorter]) <= cost(graph, [total])
    assert shorten(graph, [shorter])[0] == shorten(graph, shorten(graph, [shorter]))[0]


@given(st.floats(1e-150, 1e150), st.floats(1e-150, 1e150), st.floats(-30, 30))
def test_huge_and_tiny_terms_leave_nothing_behind(large: float, small: float, angle: float) -> None:
    """What cancels on paper leaves no rounding: (a z + b cos) sin - b cos sin is a z sin, however large b is."""
    algebra = Algebra()
    (shorter,) = shorten(algebra.graph, [algebra["(a*z + b*cx)*sx - b*cx*sx"]])
    values = {"a": small, "b": large, "z": 1.0, "x": angle}
    sample = Sample(algebra.graph, {algebra.symbols[name]: value for name, value in values.items()})
    assert sample[shorter] == sample[algebra["a*z*sx"]]


def test_a_long_chain_takes_time_in_proportion_to_its_length() -> None:
    """Brackets within brackets are read once: ten times the depth visits ten times the nodes, and nothing recurses."""
    algebra = Algebra()
    graph = algebra.graph
    node = algebra["z*cx"]
    for index in range(4000):
        node = graph.add(graph.mul(node, algebra.leaf["a"]), graph.mul(graph.constant(index + 2), algebra.leaf["y"]))
    before = len(graph)
    assert shorten(graph, [node]) == [node]
    assert len(graph) == before


def f_of(name: str, method: str) -> tuple[Graph, tuple[Node, ...], eomc.Build]:
    build = eomc.compile(eomc.load(name), method, functions=[])
    return build.equations.graph, build.equations.matrices.forcing, build


@pytest.mark.parametrize("method", ["kane", "gibbs-appell", "lagrange"])
def test_gravity_leaves_the_equation_of_the_cart(method: str) -> None:
    """(M + m) x'' + m l cos(theta) theta'' = F + m l theta'^2 sin(theta): g stands in the other equation alone."""
    graph, (cart, pole), build = f_of("cart_pole", method)
    symbols = {p.name: graph.symbol(p.symbol) for p in build.equations.parameters}
    assert symbols["g"] not in graph.reachable([cart])
    assert symbols["g"] in graph.reachable([pole])
    varying = [n for n in graph.reachable([cart]) if graph.level[n] == Level.VARYING]
    assert count_operations(graph, varying, count_system).total <= 6  # a sum, a square, three products, the sine


def test_the_upper_mass_has_a_kinetic_energy_without_its_angle() -> None:
    """It turns about a fixed axis: m1 l1^2 th1'^2/2, and T has no square of a cosine."""
    build = eomc.compile(eomc.load("double_pendulum"), "kane", functions=["energy"])
    graph = build.equations.graph
    kinetic = build.equations.energetics.energies[0].node
    for node in graph.reachable([kinetic]):
        if graph.ops[node] is Op.POWI:
            (inner,) = graph.args[node]
            assert graph.ops[inner] is not Op.MUL or all(
                graph.ops[n] not in (Op.COS, Op.SIN) for n in graph.reachable([inner])
            )
