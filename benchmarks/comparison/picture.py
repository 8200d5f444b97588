"""The table as a picture: a panel for each column, a line for each row, a mark for each contender."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from comparison.columns import COLUMNS
from comparison.record import Record
from comparison.render import share
from comparison.rows import ROWS

__all__ = ["draw"]

MARKS = {
    "eomc": ("#c8102e", "o"),
    "CasADi": ("#1f5fa8", "s"),
    "Pinocchio": ("#e08a00", "^"),
    "MuJoCo": ("#2a8f5c", "D"),
    "heyoka": ("#7a4fa3", "v"),
    "numba": ("#5b5b5b", "P"),
    "PyDy": ("#a0703c", "X"),
}
"""Colour and shape of each contender, so that both tell them apart."""


def draw(records: Sequence[Record], columns: Sequence[str], head: str, path: Path) -> None:
    """Draw the table into a file; beside each line, eomc's figure as a part of the best peer's.

    Where nobody has a figure there is no file.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    shown = [name for name in columns if any(_has(record, name) for record in records)]
    if not shown:
        path.unlink(missing_ok=True)
        return
    height = 1.9 + 0.27 * len(records)
    sheet, panels = plt.subplots(
        1, len(shown), figsize=(1.8 + 2.15 * len(shown), height), sharey=True, squeeze=False, layout="constrained"
    )
    places = {record.row: -i for i, record in enumerate(records)}
    for panel, name in zip(panels[0], shown, strict=True):
        _draw_column(panel, records, name, places)
    panels[0][0].set_yticks([*places.values()], [_title(record) for record in records], fontsize=8)
    panels[0][0].set_ylim(min(places.values()) - 0.6, 0.6)
    handles = [
        plt.Line2D([], [], color=colour, marker=mark, linestyle="", markersize=7 if who == "eomc" else 5, label=who)
        for who, (colour, mark) in MARKS.items()
        if any(record.told.get(who) and record.told[who].figures for record in records)
    ]
    sheet.legend(handles=handles, loc="outside upper left", ncols=len(handles), frameon=False, fontsize=9)
    told = "Numbers: eomc's figure as a part of the best peer's. Left is better.\n" + head
    sheet.supxlabel(told, fontsize=7, x=0.01, ha="left")
    sheet.savefig(path, dpi=110)
    plt.close(sheet)


def _has(record: Record, name: str) -> bool:
    return not record.silent and any(name in told.figures for told in record.told.values())


def _title(record: Record) -> str:
    title = ROWS[record.row].title
    return f"{title} ({record.silent})" if record.silent else title


def _draw_column(panel: object, records: Sequence[Record], name: str, places: dict[str, int]) -> None:
    from matplotlib.axes import Axes
    from matplotlib.ticker import NullFormatter

    assert isinstance(panel, Axes)
    column = COLUMNS[name]
    panel.set_xscale("log")
    panel.xaxis.set_minor_formatter(NullFormatter())  # else they run into each other in a narrow panel
    panel.set_title(f"{column.title}{', ' + column.unit if column.unit else ''}", fontsize=9)
    panel.grid(axis="y", color="#e6e6e6", linewidth=0.6)
    panel.grid(axis="x", color="#f0f0f0", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.tick_params(axis="x", labelsize=7)
    panel.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        panel.spines[side].set_visible(False)
    for who, (colour, mark) in reversed(MARKS.items()):
        points = [
            (record.told[who].figures[name], places[record.row])
            for record in records
            if not record.silent and who in record.told and record.told[who].figures.get(name, 0.0) > 0.0
        ]
        if points:
            first = who == "eomc"
            size, alpha = (6, 1.0) if first else (4, 0.85)
            panel.plot(*zip(*points, strict=True), mark, color=colour, markersize=size, alpha=alpha)
    for record in records:
        ratio = None if record.silent else record.ratio(name)
        if ratio:
            panel.annotate(
                share(ratio[0]),
                (1.0, places[record.row]), xycoords=("axes fraction", "data"), fontsize=7, va="center", ha="left",
                color="#b00020" if ratio[0] > 1.0 else "#1b6e3a", annotation_clip=False,
            )  # fmt: skip
