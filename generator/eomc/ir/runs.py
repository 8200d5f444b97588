"""How a motion is followed where nothing else is said."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """How long a motion is followed [s], in which steps [s], and what is done against drift from the constraints."""

    t_end: float = 10.0
    dt: float = 1e-3
    stabilization: str = "none"


USUAL = Run()
