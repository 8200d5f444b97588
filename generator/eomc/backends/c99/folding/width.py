"""How wide emitted C is."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 120


def wide_lines(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the lines that are wider than a page, which few are."""
    return [number for number, line in enumerate(lines) if len(line) > WIDTH]
