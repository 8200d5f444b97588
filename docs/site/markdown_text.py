"""What is put together of Markdown: tables, lists of pages, text that is shown as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def escaped(text: str) -> str:
    """Return text such that Markdown shows just these characters."""
    return re.sub(r"([\\`*_{}\[\]<>|$#~^])", r"\\\1", text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table and an empty one; nothing without rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return [f"| {' | '.join(head)} |", "|" + "---|" * len(head), *lines, ""] if lines else []


def below(pages: Sequence[str]) -> list[str]:
    """Return the lines by which Sphinx knows the pages below a page that lists them itself."""
    return ["```{toctree}", ":hidden:", "", *pages, "```", ""]
