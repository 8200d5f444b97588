"""Plain text that lines up in a terminal: columns, matrices, formulas broken before a sign."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence

from eomc.backends.report.compose import Equation, Matrix, Sentence, Table, Written
from eomc.backends.report.views import Group

WIDTH = 100
_INDENT = "  "


def fold(pieces: Sequence[str], width: int, measure: Callable[[str], int] = len, glue: str = " ") -> list[str]:
    """Return lines of pieces, none wider than `width` unless a single piece is."""
    lines = [pieces[0]]
    used = measure(pieces[0])
    for piece in pieces[1:]:
        size = measure(piece)
        if used + len(glue) + size > width:
            lines.append(piece)
            used = size
        else:
            lines[-1] += glue + piece
            used += len(glue) + size
    return lines


def text_lines(title: str, method: str, legend: Sequence[Group], sections: Sequence[Written]) -> list[str]:
    """Return the lines of the whole report."""
    lines = [*textwrap.wrap(title, WIDTH), *textwrap.wrap(method, WIDTH), ""]
    widest = max((len(group.title) for group in legend), default=0)
    tables = []
    for group in legend:
        if group.listing:
            head = f"{group.title:<{widest}}  "
            lines += textwrap.wrap(
                ", ".join(group.listing), WIDTH, initial_indent=head, subsequent_indent=" " * len(head)
            )
        else:
            tables.append(group)
    for group in tables:
        lines += ["", group.title, *_table(group)]
    for section in sections:
        lines += ["", section.title, *_section(section)]
    return lines


def _table(group: Group) -> list[str]:
    rows = [(row.symbol, row.value, row.unit, row.description) for row in group.rows]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        (_INDENT + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]


def _section(section: Written) -> list[str]:
    lefts = [len(line.left) for line in section.lines if isinstance(line, (Equation, Matrix))]
    column = min(max(lefts, default=0), 24)
    lines = []
    for line in section.lines:
        if isinstance(line, Sentence):
            text = "".join(part.text for part in line.parts)
            lines += textwrap.wrap(text, WIDTH, initial_indent=_INDENT, subsequent_indent=2 * _INDENT)
        elif isinstance(line, Table):
            lines += _columns(line)
        elif isinstance(line, Matrix):
            lines += _matrix(line, column)
        else:
            lines += _equation(line, column)
    return lines


def _columns(table: Table) -> list[str]:
    """Return rows that line up, the last column broken where it is too wide."""
    rows = [*([table.head] if table.head else []), *(tuple(part.text for part in row) for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = max(WIDTH, sum(widths[:-1]) + 2 * len(widths) + min(widths[-1], 40))
    lines = []
    for row in rows:
        head = _INDENT + "".join(f"{cell:<{width}}  " for cell, width in zip(row[:-1], widths[:-1], strict=True))
        margin = " " * len(head)
        lines += textwrap.wrap(row[-1], room, initial_indent=head, subsequent_indent=margin) or [head.rstrip()]
    return lines


def _matrix(matrix: Matrix, column: int) -> list[str]:
    widths = [max(len(cell) for cell in cells) for cells in zip(*matrix.rows, strict=True)]
    lines = []
    for number, row in enumerate(matrix.rows):
        cells = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        left = f"{matrix.left:<{column}} = " if number == len(matrix.rows) // 2 else " " * (column + 3)
        lines.append(f"{_INDENT}{left}[ {cells} ]")
    return lines


def _equation(equation: Equation, column: int) -> list[str]:
    """Return an equation, broken before a sign, or after * where a single term is too wide."""
    head = f"{_INDENT}{equation.left:<{column}} = "
    room = WIDTH - len(head)
    lines = []
    for line in fold(equation.pieces, room):
        lines += [line] if len(line) <= room else fold(re.split(r"(?<=\*)|(?<= )(?=[-+] )", line), room - 2, glue="")
    if equation.remark:
        remark = f"# {equation.remark}"
        fits = len(lines[-1]) + 3 + len(remark) <= room
        lines[-1:] = [f"{lines[-1]}   {remark}"] if fits else [lines[-1], remark]
    margins = [head, *(" " * (len(head) + (0 if line[:1] in "+-" else 2)) for line in lines[1:])]
    return [(margin + line).rstrip() for margin, line in zip(margins, lines, strict=True)]
