"""What the templates see: texts, truth values and tuples of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.backends.report.notation import Name, Names
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.program import Variable


@dataclass(frozen=True, slots=True)
class Row:
    """One symbol of the legend; `symbol` is spelled in the language of the page."""

    symbol: str
    value: str
    unit: str
    description: str


@dataclass(frozen=True, slots=True)
class Group:
    """Symbols of one role; `listing` names them all where there is nothing to say about each."""

    title: str
    rows: tuple[Row, ...]
    listing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and lines."""

    title: str
    lines: tuple[object, ...]  # of the page's own kind


@dataclass(frozen=True, slots=True)
class PageView:
    """A page: the `m` of the report's templates; formulas are spelled, words are not escaped for HTML."""

    title: str
    description: str
    method: str
    summary: str
    legend: tuple[Group, ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class TextView:
    """A page of plain text: finished lines."""

    lines: tuple[str, ...]


def legend_of(equations: EquationsOfMotion, names: Names) -> list[tuple[str, list[tuple[Name, Variable | None]]]]:
    """Return (title, names) for every role that the model has; variables where there is more to say than the name."""
    n, n_second = len(names.coordinates), len(names.seconds)
    groups: list[tuple[str, Sequence[Name], Sequence[Variable | None]]] = [
        ("Coordinates", names.coordinates, [None] * n),
        (equations.method.second.heading, names.seconds, [None] * n_second),
        ("Extra states", names.extras, [None] * len(names.extras)),
        ("Inputs", names.inputs, equations.inputs),
        ("Parameters", names.parameters, equations.parameters),
    ]
    return [(title, list(zip(group, variables, strict=True))) for title, group, variables in groups if group]
