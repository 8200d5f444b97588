"""How a motion is followed where nothing else is said."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """How long a motion is followed [s], in which steps [s], what is done against drift, and how fast it is shown."""

    t_end: float = 10.0
    dt: float = 1e-3
    stabilization: str = "none"
    speed: float = 1.0  # seconds of the motion in one of a picture


USUAL = Run()
