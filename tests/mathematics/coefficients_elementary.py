"""Coefficients of the elementary family."""

from __future__ import annotations

__all__ = ["table"]


def table(precision: str) -> dict[str, str | tuple[str, ...]]:
    """Return name -> literal or literals of a precision."""
    return {}
