"""Formulas of vectors and tensors: what the short form of a tree's equations is written in.

A formula is data, so that the one that is spelled is the one that is tested.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Sym:
    """A quantity by its name, a key of `symbols.WORDS`, and its index: of a joint, or of a pair."""

    name: str
    index: str = "i"


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms with their signs, 1 or -1."""

    terms: tuple[tuple[int, Expression], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Scalar, tensor or vector times tensor or vector, side by side."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Quotient:
    """Anything over a scalar."""

    above: Expression
    below: Expression


@dataclass(frozen=True, slots=True)
class Cross:
    """The product a x b of two vectors."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Dot:
    """The product a . b of two vectors."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Dyad:
    """The tensor a b^T of two vectors."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Transposed:
    """The transpose of a tensor."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Skew:
    """The tensor [a] of a vector, with [a] b = a x b."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Over:
    """The sum over all joints that an index stands for."""

    index: str
    of: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A function: a key of `symbols.FUNCTIONS`."""

    name: str
    args: tuple[Expression, ...]


Expression: TypeAlias = Sym | Number | Sum | Product | Quotient | Cross | Dot | Dyad | Transposed | Skew | Over | Call

ZERO = Sum(())


@dataclass(frozen=True, slots=True)
class Formula:
    """What a quantity is."""

    left: Sym
    right: Expression


def plus(*terms: Expression) -> Expression:
    """Return a sum without what is zero."""
    kept = [one for term in terms for one in (term.terms if isinstance(term, Sum) else ((1, term),))]
    return kept[0][1] if len(kept) == 1 else Sum(tuple(kept))


def minus(first: Expression, *others: Expression) -> Expression:
    """Return a difference without what is zero."""
    kept = tuple((-1, term) for term in others if term != ZERO)
    if not kept:
        return first
    return Sum(((1, first), *kept) if first != ZERO else kept)


def without(given: Expression, gone: frozenset[str]) -> Expression:
    """Return a formula in which quantities of these names are zero."""

    def less(one: Expression) -> Expression:
        return without(one, gone)

    match given:
        case Sym(name, _):
            return ZERO if name in gone else given
        case Sum(terms):
            kept = tuple((sign, term) for sign, term in ((s, less(t)) for s, t in terms) if term != ZERO)
            return kept[0][1] if len(kept) == 1 and kept[0][0] == 1 else Sum(kept)
        case Product(a, b) | Cross(a, b) | Dot(a, b) | Dyad(a, b):
            parts = less(a), less(b)
            return ZERO if ZERO in parts else type(given)(*parts)
        case Quotient(a, b):
            return ZERO if less(a) == ZERO else Quotient(less(a), less(b))
        case Transposed(a) | Skew(a):
            return ZERO if less(a) == ZERO else type(given)(less(a))
        case Over(index, a):
            return ZERO if less(a) == ZERO else Over(index, less(a))
        case Call(name, args):
            return Call(name, tuple(map(less, args)))
    return given


def renamed(given: Expression, names: dict[str, str]) -> Expression:
    """Return a formula with quantities called otherwise."""

    def other(one: Expression) -> Expression:
        return renamed(one, names)

    match given:
        case Sym(name, index):
            return Sym(names.get(name, name), index)
        case Sum(terms):
            return Sum(tuple((sign, other(term)) for sign, term in terms))
        case Product(a, b) | Cross(a, b) | Dot(a, b) | Dyad(a, b) | Quotient(a, b):
            return type(given)(other(a), other(b))
        case Transposed(a) | Skew(a):
            return type(given)(other(a))
        case Over(index, a):
            return Over(index, other(a))
        case Call(name, args):
            return Call(name, tuple(map(other, args)))
    return given


def parts_of(given: Expression) -> Iterator[Expression]:
    """Return a formula and all that it is made of, from left to right."""
    yield given
    match given:
        case Sum(terms):
            inner = [term for _, term in terms]
        case Product(a, b) | Cross(a, b) | Dot(a, b) | Dyad(a, b) | Quotient(a, b):
            inner = [a, b]
        case Transposed(a) | Skew(a) | Over(_, a):
            inner = [a]
        case Call(_, args):
            inner = list(args)
        case _:
            inner = []
    for one in inner:
        yield from parts_of(one)
