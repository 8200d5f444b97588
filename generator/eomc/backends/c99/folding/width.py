"""How wide emitted C is."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

WIDTH = 120


def wide_lines(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the lines that are wider than a page, which few are."""
    return list(itertools.compress(itertools.count(), map(WIDTH.__lt__, map(len, lines))))
