"""A heading, sentences and tables as HTML. What is no `Markup` is text, and escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeAlias

ROWS = 30
"""Rows of a table that are shown."""

_LONGEST = 200  # characters of one text
_TABLE = "color:inherit;margin:0 0 1em 0"  # notebooks put tables into the middle, old pages make their text black


class Markup(str):
    """HTML that is ready."""

    __slots__ = ()


Cell: TypeAlias = str | int | float
"""A number is aligned to the right."""


def page(kind: str, name: str, about: str, *parts: Markup) -> Markup:
    """Return what a cell shows: kind and name of the object, a few words about it, and parts below."""
    words = f": {escaped(about)}" if about else ""
    heading = f"<p><b>{escaped(kind)}</b> <code>{escaped(name)}</code>{words}</p>"
    return Markup(f"<div>{heading}{''.join(part for part in parts if part)}</div>")


def sentence(text: str) -> Markup:
    """Return a paragraph; nothing for no text."""
    return Markup(f"<p>{escaped(text)}</p>") if text else Markup("")


def table(title: str, headings: Sequence[str], rows: Iterable[Sequence[Cell]], count: int) -> Markup:
    """Return a table without the columns that are empty in all of its rows; nothing for no rows.

    Parameters
    ----------
    title
        Above it.
    headings, rows
        Names of the columns, and one cell for each; no more rows are asked for than are shown.
    count
        How many rows there are.
    """
    shown = [list(row) for row in islice(rows, ROWS)]
    if not shown:
        return Markup("")
    kept = [k for k in range(len(headings)) if any(row[k] != "" for row in shown)]
    head = "".join(_cell("th", headings[k], any(not isinstance(row[k], str) for row in shown)) for k in kept)
    body = "".join(f"<tr>{''.join(_cell('td', row[k]) for k in kept)}</tr>" for row in shown)
    more = f"{count - len(shown)} more rows" if count - len(shown) > 1 else "1 more row"
    rest = f'<tr><td colspan="{len(kept)}" style="text-align:left">and {more}</td></tr>' if count > len(shown) else ""
    caption = f'<caption style="text-align:left">{escaped(title)}</caption>' if title else ""
    return Markup(f'<table style="{_TABLE}">{caption}<thead><tr>{head}</tr></thead><tbody>{body}{rest}</tbody></table>')


def number(value: float) -> str:
    """Return a number with the digits that a person reads."""
    return f"{value:.6g}"


def escaped(text: str) -> str:
    """Return text as HTML; of a long one the beginning."""
    return html.escape(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")


def _cell(tag: str, content: Cell, to_the_right: bool = False) -> str:
    """Return a cell; numbers stand on the right, as they do in any notebook, and text on the left."""
    if isinstance(content, str):
        text = content if isinstance(content, Markup) else escaped(content)
    else:
        text, to_the_right = str(content) if isinstance(content, int) else number(content), True
    return f'<{tag} style="text-align:{"right" if to_the_right else "left"}">{text}</{tag}>'
