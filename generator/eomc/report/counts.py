"""What the functions of the emitted C take."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from eomc.backends.render import render
from eomc.report.contract import Reported

_HEADINGS = ("operations", "+ \u2212", "\u00d7", "\u00f7", "\u221a", "sin \u2026", "others")


@dataclass(frozen=True, slots=True)
class Counted:
    """A function with its operations, all of them first."""

    name: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OperationsView:
    """The `m` of the template."""

    headings: tuple[str, ...]
    rows: tuple[Counted, ...]
    sentence: str


def operations(build: Reported) -> str:
    """Return a table of the functions with their operations."""
    code = build.statistics.code
    rows = tuple(Counted(one.name, (one.counts.total, *astuple(one.counts))) for one in (code.prepare, *code.functions))
    sentence = f"{code.lines} lines of C, {code.constants} constants prepared once, {code.work_bytes} bytes of work"
    return render("report/operations.html.jinja", OperationsView(_HEADINGS, rows, sentence))
