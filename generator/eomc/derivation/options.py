"""How the equations are to be solved and stabilized: what a user chooses beside the method."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BAUMGARTE_GAINS", "CONSTRAINTS", "DEFAULT_OPTIONS", "STABILIZATIONS", "Options"]

BAUMGARTE_GAINS = ("baumgarte_alpha", "baumgarte_beta")  # parameters that Baumgarte's stabilization brings
CONSTRAINTS = ("eliminated", "augmented", "range-space", "null-space")
STABILIZATIONS = ("none", "baumgarte", "projection")


@dataclass(frozen=True, slots=True)
class Options:
    """Solution form of constrained systems, and what is done against drift."""

    constraints: str = "eliminated"
    stabilization: str = "none"

    def __str__(self) -> str:
        """Return the options as they enter the hash of a build."""
        kept = "" if self.stabilization == "none" else f" stabilization={self.stabilization}"
        return f"constraints={self.constraints}{kept}"


DEFAULT_OPTIONS = Options()
