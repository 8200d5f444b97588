"""The table as text: of each row a line per contender, and the ratio to the best peer below."""

from __future__ import annotations

from collections.abc import Sequence

from comparison.columns import COLUMNS
from comparison.record import Record, Told
from comparison.rows import ROWS

__all__ = ["figure", "table"]


def figure(value: float) -> str:
    """Return a number with three digits, long ones with spaces between thousands."""
    if value >= 100:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.3g}" if value >= 1e-3 else f"{value:.1g}"


def _cell(told: Told, column: str) -> str:
    if column in told.figures:
        return figure(told.figures[column])
    return told.reasons.get(column, "") if told.reasons.get(column, "").startswith("over ") else ""


def lines_of(record: Record, columns: Sequence[str]) -> list[list[str]]:
    """Return the lines of a row: name, contender, cells."""
    title = ROWS[record.row].title
    if record.disagreements:
        return [[title, "no agreement: " + "; ".join(record.disagreements)]]
    lines = []
    for name, told in record.told.items():
        cells = [_cell(told, column) for column in columns]
        if any(cells):
            lines.append(["" if lines else title, name, *cells])
    ratios = [record.ratio(column) for column in columns]
    if any(ratios):
        lines.append(["", "ratio", *(f"{ratio[0]:.2f} {ratio[1]}" if ratio else "" for ratio in ratios)])
    return lines


def table(records: Sequence[Record], columns: Sequence[str], legend: bool = False) -> str:
    """Return the table, with the legend where it is asked for."""
    titles = ["mechanism", "by"]
    for name in columns:
        unit = COLUMNS[name].unit
        titles.append(f"{COLUMNS[name].title}{', ' + unit if unit else ''}")
    groups = [lines_of(record, columns) for record in records]
    full = [line for group in groups for line in group if len(line) == len(titles)]
    widths = [max(len(line[i]) for line in (titles, *full)) for i in range(len(titles))]
    found = [_joined(titles, widths), "  ".join("-" * width for width in widths)]
    for group in groups:
        found += [_joined(line, widths) for line in group]
        found.append("")
    text = "\n".join(found).rstrip() + "\n"
    return f"{text}\n{reasons(records)}" if legend else text


def _joined(line: Sequence[str], widths: Sequence[int]) -> str:
    if len(line) != len(widths):
        return "  ".join([line[0].ljust(widths[0]), *line[1:]])
    words = [cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
    return "  ".join(words).rstrip()


def reasons(records: Sequence[Record]) -> str:
    """Return why cells are empty: each reason once, with the rows that it holds for."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for record in records:
        for name, told in record.told.items():
            for column, reason in told.reasons.items():
                if column not in told.figures:
                    title = COLUMNS[column].title if set(told.reasons) != set(COLUMNS) else "all"
                    found.setdefault((name, reason), {})[f"{title} of {ROWS[record.row].title}"] = None
    lines = ["Empty cells:"] if found else []
    for (name, reason), where in found.items():
        lines.append(f"  {name}: {reason} ({', '.join(where)})")
    return "\n".join(lines) + "\n" if lines else ""
