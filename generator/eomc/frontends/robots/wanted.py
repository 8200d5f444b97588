"""What a caller may ask for when a robot is read from a file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from eomc.errors import UsageError
from eomc.wording import did_you_mean


def check_choice(name: str, value: Any, known: Sequence[str]) -> None:
    """Refuse what is none of the words that an argument may be."""
    if value not in known:
        raise UsageError(f"{name}={value!r}: {did_you_mean(str(value), known)}")


def check_switch(name: str, value: Any) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise UsageError(f"{name}={value!r}: give True or False")


def speed_of_friction(value: Any) -> float | None:
    """Return the speed within which dry friction passes through zero [rad/s, m/s]; None: it is left out."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not (math.isfinite(value) and value > 0):
        raise UsageError(
            f"friction={value!r}: give the speed within which dry friction passes through zero, such as 0.01, or None"
        )
    return float(value)
