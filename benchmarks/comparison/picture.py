"""The table as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from comparison.record import Record

__all__ = ["draw"]


def draw(records: Sequence[Record], columns: Sequence[str], head: str, path: Path) -> None:
    """Draw the table into a file."""
