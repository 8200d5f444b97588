"""Walking SymPy expressions without recursion, each distinct subexpression once.

SymPy expressions are trees whose equal branches are shared objects in practice; a visit per *distinct* node makes every
question about a model linear in what the user wrote (124,000 tree nodes of a derived model are 2,191 distinct ones).
Leaves are remembered by value, compound expressions by the object: to compare two equal objects by value takes SymPy
as long as the trees that they stand for, which double with every joint of a chain of bodies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator

import sympy
from sympy.core.function import AppliedUndef

from eomc.errors import ModelError
from eomc.model.arrays import is_element
from eomc.model.definitions import definition


class Seen:
    """What has been met."""

    __slots__ = ("_compounds", "_leaves")

    def __init__(self) -> None:
        self._leaves: set[sympy.Basic] = set()
        self._compounds: dict[int, sympy.Basic] = {}  # by id; the object is kept, so that its id is too

    def meet(self, node: sympy.Basic) -> bool:
        """Whether a node is met for the first time."""
        if _is_leaf(node):
            if node in self._leaves:
                return False
            self._leaves.add(node)
            return True
        if id(node) in self._compounds:
            return False
        self._compounds[id(node)] = node
        return True


def distinct_nodes(
    roots: Iterable[sympy.Basic],
    seen: Seen | None = None,
    meaning: Callable[[sympy.Basic], sympy.Basic | None] | None = None,
) -> Iterator[sympy.Basic]:
    """Yield every distinct node below `roots` that is not in `seen`, parents first; `seen` grows as it goes.

    Time functions and derivatives are leaves: their arguments are not visited. In place of a node that has a `meaning`
    that is visited.
    """
    seen = Seen() if seen is None else seen
    stack = list(roots)
    stack.reverse()
    while stack:
        node = stack.pop()
        if not seen.meet(node):
            continue
        instead = None if meaning is None else meaning(node)
        if instead is not None:
            stack.append(instead)
            continue
        yield node
        if not _is_leaf(node):
            stack.extend(reversed(node.args))


def _is_leaf(node: sympy.Basic) -> bool:
    return not node.args or isinstance(node, (AppliedUndef, sympy.Derivative)) or is_element(node)


def _definition(node: sympy.Basic) -> sympy.Basic | None:
    """Return what a function stands for; none where it has no sound definition, which the validation reports."""
    try:
        return definition(node)
    except ModelError:
        return None


def mentions(expression: sympy.Basic, symbols: Collection[sympy.Basic]) -> list[sympy.Basic]:
    """Return those of `symbols` (a set) that occur in `expression`, in the order in which they are met.

    What a function stands for is looked into, too.
    """

    def meaning(node: sympy.Basic) -> sympy.Basic | None:
        return None if node in symbols else _definition(node)

    return [node for node in distinct_nodes([expression], meaning=meaning) if node in symbols]


def is_time_function(node: sympy.Basic, time: sympy.Symbol) -> bool:
    """Tell whether `node` is f(t) for an undefined function f of the model's time alone."""
    return isinstance(node, AppliedUndef) and node.args == (time,)


def degree(expression: sympy.Expr, symbols: Collection[sympy.Basic]) -> float:
    """Return an upper bound of the polynomial degree of `expression` in `symbols`; infinite where it is no polynomial.

    Read off the structure in one pass: a sum has the highest degree of its terms, a product their sum. Cancellation is
    not seen, so that ``(u + 1)**2 - u**2`` counts as 2.
    """
    known: dict[int, float] = {}  # by id
    kept: list[tuple[sympy.Basic, ...]] = []  # the objects, so that their ids are too
    defined: set[int] = set()  # nodes that stand for their argument
    stack: list[tuple[sympy.Basic, tuple[sympy.Basic, ...] | None]] = [(expression, None)]
    while stack:
        node, arguments = stack.pop()
        if id(node) in known:
            continue
        if arguments is None:
            instead = None if node in symbols else _definition(node)
            if instead is not None:
                arguments = (instead,)
                defined.add(id(node))
            else:
                arguments = () if node in symbols or _is_leaf(node) else node.args
            kept.append(arguments)
            stack.append((node, arguments))
            stack.extend((argument, None) for argument in arguments)
        elif id(node) in defined:
            known[id(node)] = known[id(arguments[0])]
        else:
            known[id(node)] = _degree_of(node, [known[id(argument)] for argument in arguments], symbols)
    return known[id(expression)]


def _degree_of(node: sympy.Basic, degrees: list[float], symbols: Collection[sympy.Basic]) -> float:
    """Return the degree of a node from those of its arguments, none for a leaf."""
    if not degrees:
        return 1.0 if node in symbols else 0.0
    if isinstance(node, sympy.Add):
        return max(degrees)
    if isinstance(node, sympy.Mul):
        return sum(degrees)
    if not any(degrees):
        return 0.0
    if isinstance(node, sympy.Pow) and node.exp.is_Integer and node.exp > 0:
        return degrees[0] * int(node.exp)
    if isinstance(node, sympy.Piecewise):
        return max(degrees)  # infinite where a condition moves
    if isinstance(node, sympy.functions.elementary.piecewise.ExprCondPair):
        return math.inf if degrees[1] else degrees[0]
    return math.inf
