"""The table as text: of each row a line per contender, and the ratio to the best peer below."""

from __future__ import annotations

from collections.abc import Sequence

from comparison.columns import COLUMNS
from comparison.contenders import HOW
from comparison.entries import NOT_INSTALLED
from comparison.record import Record, Told
from comparison.rows import ROWS

__all__ = ["figure", "share", "table"]


def figure(value: float) -> str:
    """Return a number with three digits, long ones with spaces between thousands."""
    if value >= 100:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.3g}" if value >= 1e-3 else f"{value:.1g}"


def share(ratio: float) -> str:
    """Return a ratio with two digits, of a small one the first, of a large one what stands before the point."""
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.1g}"


def _cell(told: Told, column: str) -> str:
    if column in told.figures:
        return figure(told.figures[column])
    return told.reasons.get(column, "") if told.reasons.get(column, "").startswith("over ") else ""


def lines_of(record: Record, columns: Sequence[str]) -> list[list[str]]:
    """Return the lines of a row: name, contender, cells."""
    title = ROWS[record.row].title
    if record.silent:
        return [[title, f"{record.silent}: {record.missing or '; '.join(record.disagreements)}"]]
    lines = []
    for name, told in record.told.items():
        cells = [_cell(told, column) for column in columns]
        if any(cells):
            lines.append(["" if lines else title, name, *cells])
    ratios = [record.ratio(column) for column in columns]
    if any(ratios):
        lines.append(["", "ratio", *(f"{share(ratio[0])} {ratio[1]}" if ratio else "" for ratio in ratios)])
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
    missing = _missing(records)
    found += [_joined([name, why], widths) for name, why in missing.items()]
    text = "\n".join(found).rstrip() + "\n"
    remarks = [f"{ROWS[record.row].title}: {remark}." for record in records for remark in record.remarks]
    return "\n".join([text, *remarks, *_explained(records), *reasons(records)]) + "\n" if legend else text


def _missing(records: Sequence[Record]) -> dict[str, str]:
    """Return contenders that take part in no row because they are not installed, with the reason."""
    found: dict[str, set[str]] = {}
    for record in records:
        for name, told in record.told.items():
            found.setdefault(name, set()).update(told.reasons.values() or [""])
    return {
        name: why for name, all_of_them in found.items() for why in all_of_them
        if len(all_of_them) == 1 and why.startswith(NOT_INSTALLED)
    }  # fmt: skip


def _joined(line: Sequence[str], widths: Sequence[int]) -> str:
    if len(line) != len(widths):
        return "  ".join([line[0].ljust(widths[0]), *line[1:]])
    words = [cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
    return "  ".join(words).rstrip()


def _explained(records: Sequence[Record]) -> list[str]:
    """Return what the columns mean, and how each contender is asked."""
    there = {name for record in records for name, told in record.told.items() if told.figures}
    return [
        "Less is better everywhere; a ratio is eomc's figure divided by the best peer's, whose name stands beside it.",
        "  derive, emit, compile: processor time from a description in memory to equations, text and machine code of",
        "    the right-hand side alone, in a process that is warm; reading of files is not in it.",
        "  rhs to RK4 step: one call in a loop over 100 random states; ensemble step: one step of one of 1024",
        "    trajectories without inputs. The least of many short blocks, which all take in turn on one processor.",
        "  Jacobian: of the state's rate by state and inputs; Pinocchio's: of accelerations.",
        "  text: bytes of the right-hand side's functions and tables at -Os; operations: + - * / calls.",
        "Before any time, all results at 100 random states agree with eomc's; where one does not, a row has no times.",
        *(f"  {name}: {how}." for name, how in HOW.items() if name in there),
    ]


def reasons(records: Sequence[Record]) -> list[str]:
    """Return why cells are empty: each reason once, with the columns and rows that it holds for."""
    found: dict[tuple[str, str, str], list[str]] = {}
    missing = _missing(records)  # a line of the table says so already
    for record in records:
        for name, told in record.told.items():
            if name in missing:
                continue
            empty: dict[str, list[str]] = {}
            for column in COLUMNS:
                if column in told.reasons and column not in told.figures:
                    empty.setdefault(told.reasons[column], []).append(COLUMNS[column].title)
            for reason, titles in empty.items():
                columns = "all" if len(titles) == len(COLUMNS) else ", ".join(titles)
                found.setdefault((name, columns, reason), []).append(ROWS[record.row].title)
    lines = ["Empty cells:"] if found else []
    for (name, columns, reason), rows in found.items():
        served = [record for record in records if name in record.told]
        where = "" if len(rows) == len(served) > 1 else f" ({', '.join(rows)})"
        lines.append(f"  {name}, {columns}: {' '.join(reason.split())}{where}")
    return lines
