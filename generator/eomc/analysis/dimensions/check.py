"""What a model's places want against what its expressions have.

The places say what they are measured in (:class:`~eomc.model.place.Measured`): positions are lengths, loads forces or
torques, constraints only sums of like terms. A symbol without a unit has the dimension that the places need.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy
from sympy.core.function import AppliedUndef

from eomc.analysis.dimensions.declared import declared, is_pure, measure_of
from eomc.analysis.dimensions.expressions import Bare, Disagreement, Expressions
from eomc.analysis.dimensions.forms import PURE, Form, Unknowns
from eomc.derivation.options import refuse_unknown
from eomc.errors import ModelError
from eomc.ir.remembered import remembered
from eomc.model.mechanism import Mechanism
from eomc.model.names import name_of
from eomc.model.place import ALIKE, Measured, Place
from eomc.model.places import all_places
from eomc.model.vocabulary import excerpt
from eomc.model.walking import distinct_nodes
from eomc.units import read_unit


def states_its_units(model: Mechanism) -> bool:
    """Whether all parameters of a model have units, so that its expressions can be held to them."""
    return bool(model.parameters) and all(one.unit for one in model.parameters if one.given)


def refuse_disagreeing(model: Mechanism, units: str) -> None:
    """Check the units of a model as an option says: ``check``, where all parameters have them, or ``ignore``.

    Raises
    ------
    UsageError
        The option is neither.
    ModelError
        Units do not agree.
    """
    refuse_unknown("units", units, ("check", "ignore"))
    if units == "check" and states_its_units(model):
        check_dimensions(model)


def check_dimensions(model: Mechanism) -> None:
    """Raise ModelError unless the units of a model agree in every expression of it.

    Raises
    ------
    ModelError
        Two dimensions that should be one differ; the message names the place, both, and the term.
    """
    _Check(model).run()


class _Check:
    """The check of one model."""

    def __init__(self, model: Mechanism) -> None:
        self._model = model
        self._pure = is_pure(model)
        self._unknowns = Unknowns()
        self._met: dict[tuple[int, Measured], sympy.Basic] = {}  # kept, so that no id is taken by another object
        known = [*model.parameters, *model.inputs, *getattr(model.dynamics, "reactions", ()), *model.meanings]
        symbols = {
            one.symbol: self._unit(one.unit)
            for one in known
            if one.unit and not isinstance(one.symbol, sympy.Derivative)
        }
        time = self._unit("s")
        values = {one.symbol: one.value for one in model.parameters}
        self._forms = Expressions(
            self._unknowns, symbols, model.time, time, values, lambda one: self._form(measure_of(model, one))
        )

    def run(self) -> None:
        """Go through what is declared, then through all places."""
        for symbol, measured, words in declared(self._model):
            self._unknowns.place = words
            self._hold(words, symbol, self._forms.symbol(symbol), self._form(measured), measured)
        for place in all_places(self._model):
            try:
                self._look_at(place)
            except Disagreement as found:
                raise self._error(place.words, found) from None

    def _look_at(self, place: Place) -> None:
        expression, measured = place.expression, place.measured
        if isinstance(expression, sympy.Number) and measured.times is None and not measured.per:
            return  # a zero, mostly
        if (id(expression), measured) in self._met:
            return  # it stands in another place as well
        self._met[id(expression), measured] = expression
        self._unknowns.place = place.words
        terms = expression.args if isinstance(expression, sympy.Add) else (expression,)
        forms = [self._forms.of(term) for term in terms]
        if measured == ALIKE:
            self._forms.alike(terms, forms)
            return
        wanted = self._form(measured)
        for term, form in zip(terms, forms, strict=True):
            if not isinstance(form, Bare) and form != wanted:
                self._hold(place.words, term, form, wanted, measured)

    def _hold(self, words: str, term: sympy.Basic, form: Form, wanted: Form, measured: Measured) -> None:
        if not self._unknowns.equate(form, wanted):
            alone = measured.times is None and not measured.per and not self._pure
            raise self._error(words, Disagreement(term, form, wanted), measured.unit if alone else "")

    def _error(self, words: str, found: Disagreement, unit: str = "") -> ModelError:
        """Return the error that names both sides; `unit` is how the place calls its own."""
        wanted, has = unit or self._unknowns.spelled(found.wanted), self._unknowns.spelled(found.form)
        beside = "" if found.other is None else f", and the term {self._text(found.other)} beside it {wanted}"
        told = f"{words}: {wanted} against {has}: the {found.role} {self._text(found.term)} has {has}{beside}"
        inferred = self._inferred([found.term, *([] if found.other is None else [found.other])])
        return ModelError(
            f"model {self._model.name!r}: {told}{inferred}; correct a unit or the expression, or leave units unchecked "
            "by units='ignore'"
        )

    def _inferred(self, terms: Iterable[sympy.Basic]) -> str:
        """Tell of the first symbol without a unit in some terms where its dimension comes from."""
        for node in distinct_nodes(terms):
            form = self._forms.known(node)
            if form is not None and (source := self._unknowns.source(form)):
                return f" ({self._text(node)} has no unit of its own, and {self._unknowns.spelled(form)} by {source})"
        return ""

    def _text(self, expression: sympy.Basic) -> str:
        """Return an expression for people, its functions of time by their names alone."""
        text = excerpt(expression)
        if "..." in text:  # a long one
            return text
        moving = (node for node in distinct_nodes([expression]) if isinstance(node, (AppliedUndef, sympy.Derivative)))
        return excerpt(expression.xreplace({node: sympy.Symbol(name_of(node)) for node in moving}))

    @remembered
    def _form(self, measured: Measured) -> Form:
        form = self._unit(measured.unit)
        if measured.times is not None:
            form *= self._forms.symbol(measured.times)
        for symbol in measured.per:
            form *= self._forms.symbol(symbol) ** -1
        return form

    def _unit(self, unit: str) -> Form:
        """Return the form of a unit; a model without any dimension has none of time and energy either."""
        return PURE if self._pure else Form(read_unit("a model", unit).dimension)
