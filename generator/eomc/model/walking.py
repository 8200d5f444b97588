"""Walking SymPy expressions without recursion, each distinct subexpression once.

SymPy expressions are trees whose equal branches are shared objects in practice; a visit per *distinct* node makes every
question about a model linear in what the user wrote (124,000 tree nodes of a derived model are 2,191 distinct ones).
Memory is keyed by the object's value, whose hash SymPy caches, never by ``id``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator

import sympy
from sympy.core.function import AppliedUndef

__all__ = ["degree", "distinct_nodes", "is_time_function", "mentions"]


def distinct_nodes(roots: Iterable[sympy.Basic], seen: set[sympy.Basic] | None = None) -> Iterator[sympy.Basic]:
    """Yield every distinct node below `roots` that is not in `seen`, parents first; `seen` grows as it goes.

    Time functions and derivatives are leaves: their arguments are not visited.
    """
    visited: set[sympy.Basic] = set() if seen is None else seen
    stack = list(roots)
    stack.reverse()
    while stack:
        node = stack.pop()
        if node in visited:
            continue
        visited.add(node)
        yield node
        if not isinstance(node, (AppliedUndef, sympy.Derivative)):
            stack.extend(reversed(node.args))


def mentions(expression: sympy.Basic, symbols: Collection[sympy.Basic]) -> list[sympy.Basic]:
    """Return those of `symbols` (a set) that occur in `expression`, in the order in which they are met."""
    return [node for node in distinct_nodes([expression]) if node in symbols]


def is_time_function(node: sympy.Basic, time: sympy.Symbol) -> bool:
    """Tell whether `node` is f(t) for an undefined function f of the model's time alone."""
    return isinstance(node, AppliedUndef) and node.args == (time,)


def degree(expression: sympy.Expr, symbols: Collection[sympy.Basic]) -> float:
    """Return an upper bound of the polynomial degree of `expression` in `symbols`; infinite where it is no polynomial.

    Read off the structure in one pass: a sum has the highest degree of its terms, a product their sum. Cancellation is
    not seen, so that ``(u + 1)**2 - u**2`` counts as 2.
    """
    known: dict[sympy.Basic, float] = {}
    stack: list[sympy.Basic] = [expression]
    while stack:
        node = stack[-1]
        if node in known:
            stack.pop()
            continue
        leaf = node in symbols or isinstance(node, (AppliedUndef, sympy.Derivative)) or not node.args
        open_arguments = [] if leaf else [argument for argument in node.args if argument not in known]
        if open_arguments:
            stack.extend(open_arguments)
            continue
        known[node] = _degree_of(node, symbols, known, leaf)
        stack.pop()
    return known[expression]


def _degree_of(
    node: sympy.Basic, symbols: Collection[sympy.Basic], known: dict[sympy.Basic, float], leaf: bool
) -> float:
    if leaf:
        return 1.0 if node in symbols else 0.0
    degrees = [known[argument] for argument in node.args]
    if isinstance(node, sympy.Add):
        return max(degrees)
    if isinstance(node, sympy.Mul):
        return sum(degrees)
    if not any(degrees):
        return 0.0
    if isinstance(node, sympy.Pow) and node.exp.is_Integer and node.exp > 0:
        return degrees[0] * int(node.exp)
    if isinstance(node, sympy.Piecewise) and not any(known[condition] for _, condition in node.args):
        return max(degrees)
    if isinstance(node, sympy.functions.elementary.piecewise.ExprCondPair):
        return math.inf if degrees[1] else degrees[0]
    return math.inf
