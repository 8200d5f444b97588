"""Words of a file as numbers, where they are that."""

from __future__ import annotations

import math
from collections.abc import Iterable


def finite_numbers(words: Iterable[str]) -> list[float] | None:
    """Return numbers, None where one is none, or is not finite."""
    try:
        found = list(map(float, words))
    except ValueError:
        return None
    return found if all(map(math.isfinite, found)) else None
