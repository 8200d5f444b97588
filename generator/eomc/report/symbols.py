"""What the symbols of a model are: tables of their letters, names, values, units and meanings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from eomc.analysis.contract import Built
from eomc.backends.render import render
from eomc.backends.report import letters_of
from eomc.backends.report.pages import raised
from eomc.ir.program import Variable

_NONE: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """One symbol; `letter` is MathML, "" for none, `value` "" where it has none."""

    letter: str
    name: str
    value: str
    unit: str
    meaning: str


@dataclass(frozen=True, slots=True)
class SymbolsView:
    """The `m` of the template; columns that nothing fills are left out."""

    value: str  # what the values are
    rows: tuple[SymbolRow, ...]
    has_letters: bool
    has_values: bool
    has_units: bool
    has_meanings: bool


def states(build: Built, values: Mapping[str, float] = _NONE) -> str:
    """Return the table of the states with their start; `values` in place of the model's, by name."""
    letters = letters_of(build.equations)
    return _table("start", [_row(letters, one, values) for one in build.program.states])


def inputs(build: Built, values: Mapping[str, float] = _NONE) -> str:
    """Return the table of the inputs with what they are held at; "" for a model without."""
    letters = letters_of(build.equations)
    return _table("value", [_row(letters, one, values) for one in build.program.inputs])


def parameters(build: Built, values: Mapping[str, float] = _NONE) -> str:
    """Return the table of the parameters, in SI; "" for a model without.

    Parameters
    ----------
    build
        What `eomc.compile` returns.
    values
        By name, in place of the model's own.
    """
    letters = letters_of(build.equations)
    return _table("value", [_row(letters, one, values) for one in build.program.parameters])


def outputs(build: Built) -> str:
    """Return the table of the outputs; "" for a model without."""
    rows = [SymbolRow("", one.name, "", raised(one.unit), one.description) for one in build.model.outputs]
    return _table("", rows)


def number(value: float) -> str:
    """Return a number with the digits that a person reads, nine of them at most.

    Examples
    --------
    >>> number(2.0), number(0.3141592653589793), number(-1e-7)
    ('2', '0.314159265', '-1e-07')
    """
    return f"{value:.9g}"


def _row(letters: Mapping[str, str], one: Variable, values: Mapping[str, float]) -> SymbolRow:
    value = number(values.get(one.name, one.value))
    return SymbolRow(letters.get(one.name, ""), one.name, value, raised(one.unit), one.description)


def _table(value: str, rows: Sequence[SymbolRow]) -> str:
    if not rows:
        return ""
    filled = [any(column) for column in zip(*((r.letter, r.value, r.unit, r.meaning) for r in rows), strict=True)]
    return render("report/symbols.html.jinja", SymbolsView(value, tuple(rows), *filled))
