"""Dimensions that are not all known: products of powers of unknown ones, solved by equations between them.

Taking logarithms makes an equation between dimensions linear in the exponents, so that unification over the rationals
is elimination: A. J. Kennedy, Types for Units-of-Measure (2010), section 3, with rational exponents for integer ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from eomc.units import NONE, Dimension, power, product, spelled
from eomc.units.dimension import Exponent


@dataclass(frozen=True, slots=True)
class Form:
    """A known dimension times powers of unknown ones."""

    known: Dimension
    unknowns: tuple[tuple[int, Exponent], ...] = ()  # number and exponent, none of which is zero

    def __mul__(self, other: Form) -> Form:
        """Return the dimension of a product."""
        known = product(self.known, other.known)
        if not self.unknowns or not other.unknowns:
            return Form(known, self.unknowns or other.unknowns)
        exponents = dict(self.unknowns)
        for unknown, exponent in other.unknowns:
            exponents[unknown] = exponents.get(unknown, 0) + exponent
        return Form(known, tuple((unknown, exponent) for unknown, exponent in exponents.items() if exponent))

    def __pow__(self, exponent: Exponent) -> Form:
        """Return the dimension of a power."""
        if exponent == 0:
            return PURE
        unknowns = tuple((unknown, count * exponent) for unknown, count in self.unknowns)
        return Form(power(self.known, exponent), unknowns)


PURE = Form(NONE)
"""That of a number."""


class Unknowns:
    """Unknown dimensions, and what equations made of them."""

    def __init__(self) -> None:
        self.place = ""  # where equations come from, in words
        self._solved: list[Form | None] = []
        self._places: list[str] = []  # where each was solved
        self._names: list[str] = []

    def new(self, name: str = "a number") -> Form:
        """Return the unknown dimension of something that is called so."""
        self._solved.append(None)
        self._places.append("")
        self._names.append(name)
        return Form(NONE, ((len(self._solved) - 1, 1),))

    def spelled(self, form: Form) -> str:
        """Return the unit of SI of a form as text; what is unknown by the names of what has it."""
        form = self.resolved(form)
        rest = "".join(f" [{self._names[unknown]}]^{exponent}" for unknown, exponent in form.unknowns)
        return f"{spelled(form.known)}{rest}".replace("]^1", "]")

    def source(self, form: Form) -> str:
        """Return where the dimension of a symbol was found that is not known by itself; empty where it is known."""
        return next((self._places[unknown] for unknown, _ in form.unknowns), "")

    def resolved(self, form: Form) -> Form:
        """Return a form without what is solved."""
        while any(self._solved[unknown] is not None for unknown, _ in form.unknowns):
            made = Form(form.known)
            for unknown, exponent in form.unknowns:
                solution = self._solved[unknown]
                made *= (Form(NONE, ((unknown, 1),)) if solution is None else solution) ** exponent
            form = made
        return form

    def equate(self, one: Form, other: Form) -> bool:
        """Let two forms be equal; tell whether they can be."""
        if not one.unknowns and not other.unknowns:
            return one.known == other.known
        rest = self.resolved(one * other**-1)
        if not rest.unknowns:
            return rest.known == NONE
        unknown, exponent = max(rest.unknowns, key=lambda pair: pair[0])  # the youngest: floats before symbols
        others = Form(rest.known, tuple(pair for pair in rest.unknowns if pair[0] != unknown))
        self._solved[unknown] = others ** (-1 / Fraction(exponent))
        self._places[unknown] = self.place
        return True
