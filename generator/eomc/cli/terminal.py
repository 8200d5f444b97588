"""Tables for people, and signs of life during long work; rich is imported only when one is drawn."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from eomc.waiting import shown


def number(value: float) -> str:
    """Return `value` with the digits that a person reads."""
    return f"{value:.6g}"


def finite_or_none(value: float) -> float | None:
    """Return a number that JSON has, too, or None."""
    return value if math.isfinite(value) else None


def print_json(value: Any) -> None:
    """Print `value` as JSON, for programs."""
    print(json.dumps(value, indent=2, allow_nan=False))


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "", right: Sequence[str] = ()
) -> None:
    """Print a table on stdout.

    Parameters
    ----------
    columns, rows
        Headings, and one text per column for each row.
    title
        A line above.
    right
        Those of the columns that are aligned to the right, as numbers are.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    # A pipe or a file has no width: nothing is wrapped there.
    console = Console(width=None if sys.stdout.isatty() else 10_000, highlight=False, markup=False, emoji=False)
    with console.capture() as text:
        console.print(table)
    # Printed here and not by rich, which leaves the program by itself when a pipe's reader is gone.
    print("".join(f"{line.rstrip()}\n" for line in (*title.splitlines(), *text.get().splitlines(), "")), end="")


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal's stderr that `what` is going on; elsewhere do nothing."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with shown(), Console(stderr=True).status(what):
        yield
