"""Walking is linear in the distinct nodes and needs no recursion."""

from __future__ import annotations

import math
import time

import sympy
from sympy.physics.mechanics import dynamicsymbols

from eomc.model.linearity import nonlinear_symbols
from eomc.model.walking import Seen, degree, distinct_nodes, is_time_function, mentions

x, y, z = sympy.symbols("x y z")
q = dynamicsymbols("q")
t = dynamicsymbols._t


def deep(levels: int) -> sympy.Expr:
    """Return sin(sin(... x)), nested deeper than Python recurses."""
    expression: sympy.Expr = x
    for _ in range(levels):
        expression = sympy.sin(expression, evaluate=False)
    return expression


def test_every_distinct_node_is_met_once() -> None:
    """A tree of 2**40 nodes that are 40 distinct ones is walked in 40 steps."""
    expression: sympy.Expr = x
    for _ in range(40):
        expression = sympy.Mul(sympy.sin(expression), sympy.cos(expression), evaluate=False)
    assert len(list(distinct_nodes([expression]))) == 3 * 40 + 1


def test_shared_memory_joins_walks() -> None:
    """What an earlier walk has met is not met again."""
    seen = Seen()
    assert sympy.sin(x) in list(distinct_nodes([sympy.sin(x) + y], seen))
    assert list(distinct_nodes([sympy.sin(x) * z], seen)) == [sympy.sin(x) * z, z]


def test_equal_objects_are_not_compared_branch_by_branch() -> None:
    """Of two trees of 2**40 nodes, made one after the other, each is walked in its 80 distinct ones, the leaf once."""
    trees = []
    for _ in range(2):
        sympy.core.cache.clear_cache()
        expression: sympy.Expr = x
        for _ in range(40):
            expression = sympy.Add(sympy.sin(expression, evaluate=False), expression, evaluate=False)
        trees.append(expression)
    begin = time.process_time()
    met = list(distinct_nodes(trees))
    assert len(met) == 2 * 80 + 1
    assert sum(node is x for node in met) == 1
    assert degree(sympy.Add(*trees, evaluate=False), {y}) == 0
    assert time.process_time() - begin < 5.0


def test_nesting_beyond_the_recursion_limit() -> None:
    """5,000 nested levels are walked and have a degree."""
    expression = deep(5000)
    assert mentions(expression, {x}) == [x]
    assert degree(expression, {x}) == math.inf
    assert degree(expression, {y}) == 0


def test_time_functions_and_derivatives_are_leaves() -> None:
    """The derivative of q mentions neither q nor t."""
    assert mentions(q.diff(t), {q, t}) == []
    assert is_time_function(q, t)
    assert not is_time_function(q.diff(t), t)
    assert not is_time_function(sympy.Function("q")(x), t)


def test_degrees() -> None:
    """Sums take the highest degree, products add, quotients and functions are no polynomials."""
    cases = {
        x + y: 1,
        x * y: 2,
        z * x + sympy.sin(z) * y: 1,
        (x + 1) ** 3: 3,
        1 / x: math.inf,
        sympy.sin(x): math.inf,
        z ** (x): math.inf,
        sympy.Piecewise((x, z > 0), (y, True)): 1,
        sympy.Piecewise((x, y > 0), (y, True)): math.inf,
    }
    for expression, expected in cases.items():
        assert degree(expression, {x, y}) == expected, expression


def test_linearity_sees_through_cancellation() -> None:
    """(x + z)**2 - x**2 is linear in x; x*y is linear in each but not in both."""
    assert nonlinear_symbols((x + z) ** 2 - x**2, [x]) == []
    assert set(nonlinear_symbols(x * y + z, [x, y])) == {x, y}
    assert nonlinear_symbols(x * y, [x]) == []
    assert nonlinear_symbols(sympy.Abs(x), [x]) == [x]
