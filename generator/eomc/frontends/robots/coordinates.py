"""Coordinates and speeds that a reader makes."""

from __future__ import annotations

from dataclasses import dataclass

import sympy


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A coordinate (or a speed) of the model: where it starts, and what it is."""

    symbol: sympy.Expr
    start: float
    unit: str
    meaning: str


def effort_unit(unit: str) -> str:
    """Return the unit of what drives a coordinate in rad or m."""
    return {"rad": "N m", "m": "N"}[unit]
