"""Sums of products of powers, as one writes them: what the graph's nodes become before they are spelled.

Chains of + and - are one sum, chains of * and / one fraction whose equal factors are gathered; nothing is expanded.
A factor is already text in the language of the output, so every node is written once, from its arguments up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction


class Binding:
    """How strongly the outermost operation of a factor binds: what is weaker than its surroundings is bracketed."""

    OPEN = 0  # a conditional
    SUM = 1
    POWER = 2
    ATOM = 3


class Order:
    """Places of factors in a product: 2 m z0 u1 (a + b) sin(theta)."""

    NUMBER = 0
    PARAMETER = 1
    INTERMEDIATE = 2
    INPUT = 3
    STATE = 4
    RATE = 5  # u', where it stands for itself
    SUM = 6
    CALL = 7
    CONDITIONAL = 8


@dataclass(frozen=True, slots=True)
class Factor:
    """An indivisible piece of a product, spelled."""

    text: str
    binding: int
    order: tuple[int, int]
    key: int  # the same for what means the same, whatever the language
    depth: int = 0  # nested brackets
    head: str = ""  # of a function: where its exponent goes, the text being head + tail
    tail: str = ""
    inner: tuple[Term, ...] = ()  # of a sum
    size: int = 1  # characters in plain text, whatever the language

    @property
    def place(self) -> tuple[tuple[int, int], str]:
        """Sort key in a product."""
        return self.order, self.text


@dataclass(frozen=True, slots=True)
class Term:
    """coefficient * product of factor^exponent; the coefficient carries the sign."""

    coefficient: Fraction
    powers: tuple[tuple[Factor, int], ...] = ()

    @property
    def size(self) -> int:
        """Characters that the term takes in plain text, about."""
        number = 0 if abs(self.coefficient) == 1 else len(str(abs(self.coefficient))) + 1
        return number + sum(factor.size + (1 if abs(e) == 1 else 3) for factor, e in self.powers)


@dataclass(frozen=True, slots=True)
class Form:
    """A sum of terms; none is zero."""

    terms: tuple[Term, ...]

    @property
    def depth(self) -> int:
        """Depth of nested brackets."""
        return max((factor.depth for term in self.terms for factor, _ in term.powers), default=0)

    @classmethod
    def number(cls, value: Fraction) -> Form:
        """Return the form of an exact number."""
        return cls((Term(value),) if value else ())

    @classmethod
    def atom(cls, factor: Factor) -> Form:
        """Return the form of one factor."""
        return cls((Term(Fraction(1), ((factor, 1),)),))

    @property
    def size(self) -> int:
        """Characters that the sum takes in plain text, about."""
        return sum(term.size for term in self.terms) + 3 * (len(self.terms) - 1)

    def lone_factor(self) -> Factor | None:
        """Return the factor that is all of this form, None where there is more."""
        if len(self.terms) == 1 and self.terms[0].coefficient == 1 and len(self.terms[0].powers) == 1:
            factor, exponent = self.terms[0].powers[0]
            return factor if exponent == 1 else None
        return None


SPREAD = 8
"""Characters that multiplying out a single factor may cost."""

Bracket = Callable[[Form], Factor]  # a sum as a factor of a product


def add(x: Form, y: Form) -> Form:
    """Return x + y; like terms are added."""
    found: dict[tuple[tuple[int, int], ...], Term] = {}
    for term in (*x.terms, *y.terms):
        key = tuple((factor.key, exponent) for factor, exponent in term.powers)
        before = found.get(key)
        found[key] = term if before is None else replace(before, coefficient=before.coefficient + term.coefficient)
    return Form(tuple(term for term in found.values() if term.coefficient))


def negate(x: Form) -> Form:
    """Return -x, term by term."""
    return Form(tuple(replace(term, coefficient=-term.coefficient) for term in x.terms))


def multiply(x: Form, y: Form, bracket: Bracket, exponent: int = 1) -> Form:
    """Return x y^exponent; powers of equal factors are gathered and cancelled, sums become factors."""
    if not x.terms or (not y.terms and exponent > 0):
        return Form(())
    if exponent == 1 and (len(x.terms) == 1) != (len(y.terms) == 1):
        spread = _spread(*((x, y) if len(x.terms) == 1 else (y, x)), bracket)
        if spread is not None:
            return spread
    left, right = _as_term(x, bracket), _as_term(y, bracket)
    powers = [*left.powers, *((factor, e * exponent) for factor, e in right.powers)]
    return _flat(Term(left.coefficient * right.coefficient**exponent, _gathered(powers)))


def power(x: Form, exponent: int, bracket: Bracket) -> Form:
    """Return x^exponent, spread over the factors of a product."""
    return multiply(Form.number(Fraction(1)), x, bracket, exponent)


def _spread(single: Form, several: Form, bracket: Bracket) -> Form | None:
    """Return a factor times each term of a sum, None where that is much longer than factor times sum.

    A number before three terms or more is always multiplied out: a kinetic energy is read term by term.
    """
    term = single.terms[0]
    products = Form(())
    for other in several.terms:
        powers = _gathered([*term.powers, *other.powers])
        products = add(products, _flat(Term(term.coefficient * other.coefficient, powers)))
    if not term.powers and len(several.terms) > 2:
        return products
    together = Form((Term(term.coefficient, _gathered([*term.powers, (bracket(several), 1)])),))
    return products if products.size <= together.size + SPREAD else None


def _as_term(x: Form, bracket: Bracket) -> Term:
    return x.terms[0] if len(x.terms) == 1 else Term(Fraction(1), ((bracket(x), 1),))


def _gathered(powers: Iterable[tuple[Factor, int]]) -> tuple[tuple[Factor, int], ...]:
    found: dict[int, tuple[Factor, int]] = {}
    for factor, exponent in powers:
        before = found.get(factor.key)
        found[factor.key] = (factor, exponent + (before[1] if before else 0))
    return tuple(sorted(((f, e) for f, e in found.values() if e), key=lambda pair: pair[0].place))


def _flat(term: Term) -> Form:
    """Return a term as a form; a sum that cancelling left alone is a sum again."""
    if abs(term.coefficient) == 1 and len(term.powers) == 1:
        factor, exponent = term.powers[0]
        if exponent == 1 and factor.inner:
            return Form(factor.inner) if term.coefficient == 1 else negate(Form(factor.inner))
    return Form((term,))
