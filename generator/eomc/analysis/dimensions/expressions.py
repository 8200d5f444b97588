"""The dimension of an expression, from those of its symbols: one visit of each distinct node, without recursion.

A bare number matches anything where it stands by itself: as a term of a sum, in a comparison, as an argument, as the
whole. As a factor an exact number (2, 1/3, pi) is pure, and a float may have any dimension: 9.81 in ``9.81*m`` is one
that nobody gave a name, and so is the 3 in ``sin(3*t)``.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

import sympy
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.piecewise import ExprCondPair

from eomc.analysis.dimensions.forms import PURE, Form, Unknowns
from eomc.errors import ModelError
from eomc.model.arrays import is_element
from eomc.model.definitions import definition
from eomc.model.names import name_of
from eomc.model.signals import signal_of
from eomc.model.trees.measures import Component
from eomc.model.walking import distinct_nodes


class Bare(enum.Enum):
    """A number without a name."""

    EXACT = "exact"
    FLOAT = "float"


Dimensions: TypeAlias = Form | Bare


class Disagreement(Exception):
    """Two dimensions that should be one.

    Attributes
    ----------
    term, form
        An expression and its dimension.
    wanted
        The other dimension.
    other
        The expression that it stands beside; None where it is what its place wants.
    role
        What the expression is there.
    """

    def __init__(
        self, term: sympy.Basic, form: Form, wanted: Form, other: sympy.Basic | None = None, role: str = "term"
    ) -> None:
        super().__init__()
        self.term, self.form, self.wanted, self.other, self.role = term, form, wanted, other, role


_PURE_OF_PURE = (
    *(sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec, sympy.csc, sympy.sinc),
    *(sympy.asin, sympy.acos, sympy.atan, sympy.sinh, sympy.cosh, sympy.tanh, sympy.exp, sympy.log),
)
_ALIKE = (sympy.Add, sympy.Min, sympy.Max, sympy.Mod)
_SAME = (sympy.Abs, sympy.floor, sympy.ceiling, sympy.frac)
_SIGNS = (sympy.sign, sympy.Heaviside)
_LOGIC = (sympy.And, sympy.Or, sympy.Not, sympy.ITE)


class Expressions:
    """Dimensions of expressions in symbols of which some are known.

    Parameters
    ----------
    unknowns
        To which those of other symbols are added, which are found by what they stand in.
    symbols
        Forms of parameters, coordinates, speeds, ..., and of the time.
    clock, time
        The symbol of the time, and its form.
    values
        Of parameters, for exponents.
    measure
        The form of a component of a measure of a tree.
    """

    def __init__(
        self,
        unknowns: Unknowns,
        symbols: Mapping[sympy.Basic, Form],
        clock: sympy.Basic,
        time: Form,
        values: Mapping[sympy.Basic, float],
        measure: Callable[[Component], Form],
    ) -> None:
        self.unknowns = unknowns
        self._symbols = {**symbols, clock: time}
        self._clock = clock
        self._time = time
        self._measure = measure
        self._values = values
        self._known: dict[int, Dimensions] = {}
        self._kept: list[sympy.Basic] = []  # so that no id is taken by another object

    def symbol(self, symbol: sympy.Basic) -> Form:
        """Return the dimension of a symbol, time function or derivative; an unknown one where nothing is told."""
        found = self._symbols.get(symbol)
        if found is None:
            base, order = signal_of(symbol)
            if order:
                found = self.symbol(base) * self._time**-order
            elif isinstance(symbol, Component):
                found = self._measure(symbol)
            else:
                found = self.unknowns.new(name_of(symbol))
            self._symbols[symbol] = found
        return found

    def known(self, symbol: sympy.Basic) -> Form | None:
        """Return the dimension of a symbol that was met, None of anything else."""
        return self._symbols.get(symbol)

    def of(self, expression: sympy.Basic) -> Dimensions:
        """Return the dimension of an expression.

        Raises
        ------
        Disagreement
            Terms of it do not agree.
        """
        stack: list[tuple[sympy.Basic, tuple[sympy.Basic, ...] | None, bool]] = [(expression, None, False)]
        while stack:
            node, arguments, stands_for = stack.pop()
            if id(node) in self._known:
                continue
            if arguments is None:
                self._kept.append(node)
                found = self._leaf(node)
                if found is not None:
                    self._known[id(node)] = found
                    continue
                instead = _definition(node)
                arguments = node.args if instead is None else (instead,)
                self._kept.extend(arguments)
                stack.append((node, arguments, instead is not None))
                stack.extend((argument, None, False) for argument in arguments)
            else:
                forms = [self._known[id(argument)] for argument in arguments]
                self._known[id(node)] = forms[0] if stands_for else self._compound(node, arguments, forms)
        return self._known[id(expression)]

    def _leaf(self, node: sympy.Basic) -> Dimensions | None:
        """Return the dimension of what has no arguments to look at; None of the others."""
        if isinstance(node, sympy.Number):
            return Bare.FLOAT if isinstance(node, sympy.Float) else Bare.EXACT
        if isinstance(node, sympy.Symbol) or is_element(node):
            return self.symbol(node)
        if isinstance(node, (AppliedUndef, sympy.Derivative)):
            return self.symbol(node) if node in self._symbols or _definition(node) is None else None
        return None if node.args else Bare.EXACT

    def _compound(self, node: sympy.Basic, arguments: Sequence[sympy.Basic], forms: Sequence[Dimensions]) -> Dimensions:
        """Return the dimension of a node from those of its arguments."""
        kind = type(node)
        if kind is sympy.Mul:
            return self.unknowns.new() if self._is_rate(arguments) else self._product(forms)
        if kind in _ALIKE:
            return self.alike(arguments, forms)
        if kind is sympy.Pow:
            return self._power(arguments, forms)
        if kind in _SAME or kind is ExprCondPair:
            return forms[0]
        if kind is sympy.Piecewise:
            return self.alike([pair.args[0] for pair in arguments], forms)
        if isinstance(node, sympy.core.relational.Relational) or kind is sympy.atan2:
            return Bare.EXACT if isinstance(self.alike(arguments, forms), Bare) else PURE
        if kind in _PURE_OF_PURE:
            return self._demand_pure(arguments, forms, "argument")
        if kind in _SIGNS:
            return forms[0] if isinstance(forms[0], Bare) else PURE
        return Bare.EXACT if kind in _LOGIC or not isinstance(node, sympy.Expr) else self.unknowns.new()

    def _is_rate(self, factors: Sequence[sympy.Basic]) -> bool:
        """Whether a product is a number of the time alone, 3*t or t/10: as much in each second, of whatever it is."""
        if len(factors) != 2:
            return False
        number, other = factors if isinstance(factors[0], sympy.Number) else factors[::-1]
        return isinstance(number, sympy.Number) and other == self._clock and abs(number) != 1

    def _product(self, forms: Sequence[Dimensions]) -> Dimensions:
        product: Form | None = None
        floating = False
        for form in forms:
            if isinstance(form, Bare):
                floating = floating or form is Bare.FLOAT
            else:
                product = form if product is None else product * form
        if product is None:
            return Bare.FLOAT if floating else Bare.EXACT
        return product * self.unknowns.new() if floating else product

    def alike(self, terms: Sequence[sympy.Basic], forms: Sequence[Dimensions]) -> Dimensions:
        """Return the one dimension of terms; bare numbers among them match it."""
        first: Form | None = None
        place = 0
        for number, form in enumerate(forms):
            if isinstance(form, Bare):
                continue
            if first is None:
                first, place = form, number
            elif not self.unknowns.equate(form, first):
                raise Disagreement(terms[number], form, first, terms[place])
        if first is not None:
            return first
        return Bare.FLOAT if Bare.FLOAT in forms else Bare.EXACT

    def _demand_pure(self, arguments: Sequence[sympy.Basic], forms: Sequence[Dimensions], role: str) -> Dimensions:
        for argument, form in zip(arguments, forms, strict=True):
            if isinstance(form, Form) and not self.unknowns.equate(form, PURE):
                raise Disagreement(argument, form, PURE, role=role)
        return forms[0] if isinstance(forms[0], Bare) else PURE

    def _power(self, arguments: Sequence[sympy.Basic], forms: Sequence[Dimensions]) -> Dimensions:
        """Return the dimension of a power: an exponent is pure, and one that moves wants a pure base."""
        (base, exponent), (below, above) = arguments, forms
        if isinstance(above, Form):
            self._demand_pure([exponent], [above], "exponent")
        if isinstance(below, Bare):
            return below if isinstance(above, Bare) else PURE
        moves = any(isinstance(node, (AppliedUndef, sympy.Derivative)) for node in distinct_nodes([exponent]))
        number = None if moves else self._number(exponent)
        if number is not None and number.is_number and number.is_real:
            return below ** _rational(number)
        return self._demand_pure([base], [below], "base of a power that moves,")

    def _number(self, exponent: sympy.Expr) -> sympy.Expr:
        """Return an exponent with the values of parameters."""
        if isinstance(exponent, sympy.Number):
            return exponent
        held = exponent.free_symbols.intersection(self._values)
        return exponent.xreplace({symbol: sympy.Float(self._values[symbol]) for symbol in held})


def _rational(number: sympy.Expr) -> Fraction | int:
    """Return an exponent: a float as the fraction that it is meant for."""
    if number.is_Integer:
        return int(number)
    return Fraction(number.p, number.q) if number.is_Rational else Fraction(float(number)).limit_denominator(1000)


def _definition(node: sympy.Basic) -> sympy.Basic | None:
    """Return what a function stands for; nothing where it has no sound definition, which the validation reports."""
    if isinstance(node, (sympy.Add, sympy.Mul, sympy.Pow)):
        return None
    try:
        return definition(node)
    except ModelError:
        return None
