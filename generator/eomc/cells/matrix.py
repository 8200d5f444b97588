"""A matrix as a table with the names of its rows and columns."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.cells.page import Cell, Markup, sentence, table

LARGEST = 12
"""Rows and columns of a matrix that are shown."""


def matrix(title: str, values: Sequence[Sequence[float]], rows: Sequence[str], columns: Sequence[str]) -> Markup:
    """Return a matrix with names; of a large one the first rows and columns, and a sentence that says so.

    Parameters
    ----------
    title
        What it is.
    values
        (n, k) numbers.
    rows, columns
        n and k names.
    """
    if not rows or not columns:
        return sentence(f"{title}: {len(rows)} x {len(columns)}")
    shown: list[list[Cell]] = [
        [name, *(float(value) for value in row[:LARGEST])]
        for name, row in zip(rows[:LARGEST], values[:LARGEST], strict=True)
    ]
    cut = len(rows) > LARGEST or len(columns) > LARGEST
    note = f"{title}: {len(rows)} x {len(columns)}, of which no more than {LARGEST} rows and columns are shown"
    return table(note if cut else title, ["", *columns[:LARGEST]], shown, len(shown))
