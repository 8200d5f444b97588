"""Equal expressions that are different objects take no more than their distinct parts."""

from __future__ import annotations

import time

import sympy

from eomc.ir.graph import Graph
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.scalars import ScalarLowering


def shared(x: sympy.Symbol, levels: int) -> sympy.Expr:
    """Return an expression of `levels` distinct nodes that stands for a tree of about 2**levels, made anew."""
    expression: sympy.Expr = x
    for _ in range(levels):
        expression = sympy.Add(sympy.sin(expression, evaluate=False), expression, evaluate=False)
    return expression


def test_equal_objects_with_shared_parts_are_one_node() -> None:
    """Comparing them by value would take as long as the tree: 2**40 steps."""
    x = sympy.Symbol("x")
    graph = Graph()
    lower = ScalarLowering(graph, {x: graph.symbol(Symbol(Role.STATE, 0, "x"))})
    sympy.core.cache.clear_cache()
    first = shared(x, 40)
    sympy.core.cache.clear_cache()
    second = shared(x, 40)
    assert first is not second
    begin = time.process_time()
    assert lower(first) == lower(second)
    assert time.process_time() - begin < 5.0


def test_leaves_are_known_by_value() -> None:
    """Two objects of one symbol are the same leaf."""
    graph = Graph()
    node = graph.symbol(Symbol(Role.STATE, 0, "x"))
    lower = ScalarLowering(graph, {sympy.Symbol("x"): node})
    sympy.core.cache.clear_cache()
    assert lower.knows(sympy.Symbol("x"))
    assert lower(sympy.Symbol("x")) == node


def test_what_is_said_anew_holds_for_all_equal_objects() -> None:
    """A rate that gets another node has it whichever of its objects is asked for, those met before among them."""
    graph, t = Graph(), sympy.Symbol("t")
    one, other = (graph.symbol(Symbol(Role.STATE, k, f"s{k}")) for k in range(2))
    q = sympy.Function("q")(t)
    met, given = sympy.Derivative(q, t), sympy.Derivative(q, t)
    assert met is not given
    lower = ScalarLowering(graph, {given: one})
    assert lower(met) == lower(given) == one
    lower.define(given, other)
    assert lower(met) == lower(given) == other
