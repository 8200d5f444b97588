"""Entries multiplied out: sums of products of powers with exact numbers, over nodes of the graph as factors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from eomc.ir.cone import cone
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op

MOST = 64
"""Terms of an entry that is multiplied out."""

HIGHEST = 6
"""Sines and cosines in one term, and the exponent of a bracket."""

Monomial: TypeAlias = tuple[tuple[Node, int], ...]  # sorted (factor, exponent)
Polynomial: TypeAlias = dict[Monomial, Fraction]

_ONE: Monomial = ()
_EXPANDED = frozenset({Op.ADD, Op.SUB, Op.NEG, Op.MUL, Op.DIV, Op.POWI})


class TooLarge(Exception):
    """The terms are too many."""


def expanded(graph: Graph, root: Node, is_said: Callable[[Node], bool]) -> Polynomial:
    """Return a node multiplied out; what is said by name, and every op but + - * / and powers, is one factor.

    Raises
    ------
    TooLarge
        There are too many terms on the way.
    """

    def is_factor(node: Node) -> bool:
        return graph.ops[node] not in _EXPANDED or is_said(node)

    found: dict[Node, Polynomial] = {}
    for node in cone(graph, [root], is_factor):
        number = graph.number(node)
        if isinstance(number, int | Fraction):
            found[node] = {_ONE: Fraction(number)} if number else {}
        elif is_factor(node):
            found[node] = {((node, 1),): Fraction(1)}
        else:
            found[node] = _step(graph, node, [found[arg] for arg in graph.args[node]])
    return found[root]


def common(polynomial: Polynomial) -> Monomial:
    """Return the factors that all terms have."""
    first, *others = map(dict, polynomial)
    return tuple(
        (factor, min([e, *(other[factor] for other in others)]))
        for factor, e in first.items()
        if e > 0 and all(other.get(factor, 0) > 0 for other in others)
    )


def divided(monomial: Monomial, by: Monomial) -> Monomial:
    """Return a product without factors that it has."""
    return _times(monomial, tuple((factor, -exponent) for factor, exponent in by))


def _step(graph: Graph, node: Node, args: Sequence[Polynomial]) -> Polynomial:
    """Return a node whose arguments are multiplied out."""
    op, x, y = graph.ops[node], args[0], args[-1]
    if op is Op.NEG:
        return _negated(x)
    if op is Op.ADD or op is Op.SUB:
        return _added(x, y if op is Op.ADD else _negated(y))
    if op is Op.MUL:
        return _product(x, y)
    if op is Op.DIV:
        if len(y) != 1:
            return _product(x, {((graph.args[node][1], -1),): Fraction(1)})
        ((monomial, number),) = y.items()
        return _product(x, {tuple((factor, -e) for factor, e in monomial): 1 / number})
    exponent = graph.integer(node)
    if exponent < 0 or exponent > HIGHEST:
        return {((node, 1),): Fraction(1)}
    return functools.reduce(_product, [x] * exponent)


def _negated(x: Polynomial) -> Polynomial:
    return {monomial: -number for monomial, number in x.items()}


def _added(x: Polynomial, y: Polynomial) -> Polynomial:
    total = _collected((*x.items(), *y.items()))
    if len(total) > MOST:
        raise TooLarge
    return total


def _product(x: Polynomial, y: Polynomial) -> Polynomial:
    if len(x) * len(y) > 4 * MOST:
        raise TooLarge
    return _collected((_times(first, second), a * b) for first, a in x.items() for second, b in y.items())


def _times(first: Monomial, second: Monomial) -> Monomial:
    powers = dict(first)
    for factor, exponent in second:
        powers[factor] = powers.get(factor, 0) + exponent
    return tuple(sorted((factor, e) for factor, e in powers.items() if e))


def _collected(terms: Iterable[tuple[Monomial, Fraction]]) -> Polynomial:
    """Return the sum of terms, what cancels left out."""
    total: Polynomial = {}
    for monomial, number in terms:
        total[monomial] = total.get(monomial, Fraction(0)) + number
    return {monomial: number for monomial, number in total.items() if number}
