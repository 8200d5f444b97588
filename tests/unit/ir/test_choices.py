"""Where expressions rest, and where they are zero by a choice."""

from __future__ import annotations

import itertools

import pytest

from eomc.ir.choices import EVERYWHERE, NOWHERE, moving, nonzero, without_zero
from eomc.ir.graph import Graph, Node
from eomc.ir.guards import guarded, is_total
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol

X, Y, P = Symbol(Role.STATE, 0, "x"), Symbol(Role.STATE, 1, "y"), Symbol(Role.PARAMETER, 0, "p")
POINTS = list(itertools.product((-1.5, -0.5, 0.5, 1.5), repeat=2))


def examples(g: Graph) -> dict[str, tuple[Node, str, str]]:
    """Return nodes, and where they move and differ from zero, as Python expressions in x and y."""
    x, y, p = (g.symbol(s) for s in (X, Y, P))
    positive = g.binary(Op.LT, g.zero, x)
    step = g.select(positive, g.one, g.zero)
    clipped = g.binary(Op.MAX, x, g.zero)
    below = g.binary(Op.MIN, y, g.zero)
    unit = g.binary(Op.MIN, g.binary(Op.MAX, x, g.constant(-1)), g.one)
    window = g.sub(step, g.select(g.binary(Op.LT, g.one, x), g.one, g.zero))
    return {
        "max": (clipped, "x > 0", "x > 0"),
        "min": (below, "y < 0", "y < 0"),
        "step": (step, "False", "x > 0"),
        "product": (g.mul(clipped, y), "x > 0", "x > 0"),
        "two": (g.mul(clipped, below), "x > 0 and y < 0", "x > 0 and y < 0"),
        "quotient": (g.div(clipped, y), "x > 0", "x > 0"),
        "sum": (g.add(clipped, g.powi(below, 2)), "x > 0 or y < 0", "x > 0 or y < 0"),
        "with more": (g.add(clipped, y), "True", "True"),
        "shifted": (g.add(clipped, p), "x > 0", "True"),
        "root": (g.unary(Op.SQRT, g.mul(p, clipped)), "x > 0", "x > 0"),
        "exponential": (g.unary(Op.EXP, clipped), "x > 0", "True"),
        "unit": (unit, "-1 < x < 1", "True"),
        "window": (window, "False", "0 < x < 1"),
        "either": (g.select(positive, below, y), "x < 0 or y < 0", "x < 0 or y < 0"),
        "power": (g.binary(Op.POW, clipped, g.constant(0.3)), "x > 0", "x > 0"),
    }


@pytest.mark.parametrize("name", examples(Graph()))
def test_where_nodes_rest(name: str) -> None:
    """The conditions are those that one reads from the expression, at points off the borders."""
    graph = Graph()
    node, moves, differs = examples(graph)[name]
    for point in POINTS:
        sample = Sample(graph, {**dict(zip((X, Y), point, strict=True)), P: 2.0})
        names = dict(zip("xy", point, strict=True))
        for condition, expected in ((moving(graph, node), moves), (nonzero(graph, node), differs)):
            known = {EVERYWHERE: True, NOWHERE: False}.get(condition)
            assert (sample[condition] if known is None else known) == eval(expected, {}, names)
        if nonzero(graph, node) not in (EVERYWHERE, NOWHERE) and sample[nonzero(graph, node)]:
            assert sample[without_zero(graph, node)] == sample[node]


def test_plain_expressions_are_looked_at_without_new_nodes() -> None:
    """What has no choice moves everywhere; parameters move nowhere."""
    graph = Graph()
    x, p = graph.symbol(X), graph.symbol(P)
    node = graph.unary(Op.SQRT, graph.add(graph.powi(x, 2), graph.mul(p, graph.unary(Op.ABS, x))))
    size = len(graph)
    assert (moving(graph, node), nonzero(graph, node)) == (EVERYWHERE, EVERYWHERE)
    assert (moving(graph, p), nonzero(graph, graph.zero)) == (NOWHERE, NOWHERE)
    assert len(graph) == size


def test_guards_stop_at_what_is_given_and_are_not_doubled() -> None:
    """Nodes that are evaluated in any case stay; an operand that is safe under the same condition stays, too."""
    graph = Graph()
    x, y = graph.symbol(X), graph.symbol(Y)
    rate = graph.div(y, x)
    node = graph.unary(Op.SQRT, rate)
    positive = graph.binary(Op.LT, graph.zero, rate)
    safe = guarded(graph, node, positive, {rate})
    assert graph.args[safe] == (graph.select(positive, rate, graph.one),)
    assert guarded(graph, safe, positive, {rate}) == safe
    assert not is_total(graph, node, {rate})
    assert is_total(graph, graph.mul(rate, y), {rate})
    assert not is_total(graph, graph.mul(rate, y))
