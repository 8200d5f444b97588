"""Our own order of what SymPy keeps as a set: the same text for any hash seed, the same structure for any birth."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sympy

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.text import formulas
from eomc.lowering.order import StructuralOrder

x, y, z = sympy.symbols("x y z", real=True)
p = sympy.Symbol("p")

SCRIPT = """
import sympy
from eomc.ir.graph import Graph
from eomc.ir.symbols import Role, Symbol
from eomc.ir.text import formulas
from eomc.lowering.scalars import ScalarLowering

names = sympy.symbols("a b c d", real=True)
t = sympy.Symbol("t")
q = [sympy.Function(f"q{i}")(t) for i in range(4)]
a, b, c, d = names
expression = (
    sympy.Max(a, b, sympy.sin(c), q[0], q[1] * d) * sympy.Min(*q) + sum(n * f**2 for n, f in zip(names, q))
    + sympy.Piecewise((a, sympy.And(q[0] > 0, q[1] < b, sympy.Ne(c, d))), (q[2], sympy.Or(a > b, q[3] > q[1])),
        (1, True))
    + sympy.exp(sum(q)) * sympy.prod(sympy.cos(f) for f in q) / (a * b * (c + d)) + sympy.Abs(q[0] - q[1])
)
graph = Graph()
symbols = {s: graph.symbol(Symbol(Role.PARAMETER, i, str(s))) for i, s in enumerate(names)}
symbols |= {s: graph.symbol(Symbol(Role.STATE, i, str(s))) for i, s in enumerate(q)}
node = ScalarLowering(graph, symbols)(expression)
print(formulas(graph, [node], 10_000)[node])
"""


def test_the_text_does_not_depend_on_the_hash_seed(root: Path) -> None:
    """Interpreters with different PYTHONHASHSEED write the same bytes."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root / "generator")},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "4242")
    ]
    texts = [process.communicate(timeout=300)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert len(texts[0]) > 300
    assert texts[0] == texts[1]


PARTS = [x * y, sympy.sin(x), p * z, sympy.cos(y) * x**2, sympy.Integer(3)]


@pytest.mark.parametrize("combine", [sympy.Add, sympy.Mul, sympy.Max, sympy.Min], ids=lambda f: f.__name__)
def test_the_order_of_construction_does_not_show(new_bench: Callable[[], Any], combine: Any) -> None:
    """a + b and b + a, a b and b a are the same text, however the user wrote them."""
    texts = set()
    for order in itertools.islice(itertools.permutations(PARTS), 0, None, 7):
        bench = new_bench()
        node = bench.lower(combine(*order))
        texts.add(formulas(bench.graph, [node], 10_000)[node])
    assert len(texts) == 1


def shape(graph: Graph, node: Node) -> Any:
    """Return the structure of a node with the arguments of commutative ops as a set: free of any order of birth."""
    done: dict[Node, Any] = {}
    for n in graph.reachable([node]):
        below = [done[a] for a in graph.args[n]]
        arguments = frozenset(below) if graph.ops[n] in (Op.ADD, Op.MUL, Op.MIN, Op.MAX) else tuple(below)
        done[n] = (graph.ops[n], graph.data[n], arguments)
    return done[node]


@pytest.mark.parametrize("combine", [sympy.Add, sympy.Mul, sympy.Max], ids=lambda f: f.__name__)
def test_terms_are_grouped_alike_whatever_is_born_first(new_bench: Callable[[], Any], combine: Any) -> None:
    """Even where SymPy keeps the order as written, the same terms are added first: the rounding is the same."""
    shapes, values = set(), set()
    for order in itertools.permutations([x * y + z, sympy.sin(x), p * z, sympy.cos(y + x) * x**2]):
        bench = new_bench()
        node = bench.lower(combine(*order, evaluate=False))
        shapes.add(shape(bench.graph, node))
        values.add(bench.at(0.7, 1.3, 0.1)[node])
    assert len(shapes) == 1
    assert len(values) == 1


def test_parameters_come_first(bench: Any) -> None:
    """x p y 2 is ((2 p) (x y)) or the like: what can be hoisted stands together."""
    q = sympy.Symbol("q")
    bench.lower.define(q, bench.graph.symbol(Symbol(Role.PARAMETER, 1, "q")))
    node = bench.lower(x * p * sympy.sin(y) * q)
    graph = bench.graph
    varying = [n for n in graph.reachable([node]) if graph.level[n] == Level.VARYING and graph.ops[n] is Op.MUL]
    assert len(varying) == 2


def test_symbols_go_by_role_and_index() -> None:
    """Numbers, parameters by index, then states by index, then compound expressions."""
    graph = Graph()
    states = [graph.symbol(Symbol(Role.STATE, i, "s")) for i in (1, 0)]
    parameters = [graph.symbol(Symbol(Role.PARAMETER, i, "p")) for i in (1, 0)]
    compound = graph.unary(Op.SIN, states[0])
    number = graph.constant(7)
    order = StructuralOrder(graph).sorted([compound, *states, *parameters, number])
    assert order == [number, parameters[1], parameters[0], states[1], states[0], compound]
