"""How the equations are to be solved and stabilized: what a user chooses beside the method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.errors import UsageError
from eomc.ir.runs import Run
from eomc.model.runs import STABILIZATIONS

BAUMGARTE_GAINS = ("baumgarte_alpha", "baumgarte_beta")  # parameters that Baumgarte's stabilization brings
CONSTRAINTS = ("eliminated", "augmented", "range-space", "null-space")
ALGORITHMS = ("auto", "composite", "articulated")
_OTHER_NAMES = {"crba": "composite", "aba": "articulated"}  # of the field


@dataclass(frozen=True, slots=True)
class Options:
    """Solution form of constrained systems, what is done against drift, and how trees of joints are solved."""

    constraints: str = "eliminated"
    stabilization: str = "none"
    algorithm: str = "auto"
    trees: bool = True  # bodies may be taken as the tree of joints that they are; no choice of a user's

    def __post_init__(self) -> None:
        """Refuse what is not on the lists."""
        refuse_unknown("constraints", self.constraints, CONSTRAINTS)
        refuse_unknown("stabilization", self.stabilization, STABILIZATIONS)
        other = _OTHER_NAMES.get(str(self.algorithm).lower())
        if other is not None:
            raise UsageError(f"algorithm is {self.algorithm!r}: here it is called {other!r}")
        refuse_unknown("algorithm", self.algorithm, ALGORITHMS)

    @classmethod
    def of(
        cls, usual: Run, constraints: str, stabilization: str | None, algorithm: str = "auto", *, trees: bool = True
    ) -> Options:
        """Return what is asked for; against drift, where nothing is, what a usual run does."""
        return cls(constraints, usual.stabilization if stabilization is None else stabilization, algorithm, trees)

    def __str__(self) -> str:
        """Return the options as they enter the hash of a build."""
        kept = "" if self.stabilization == "none" else f" stabilization={self.stabilization}"
        asked = "" if self.algorithm == "auto" else f" algorithm={self.algorithm}"
        return f"constraints={self.constraints}{kept}{asked}"


def refuse_unknown(option: str, value: object, known: Sequence[str]) -> None:
    """Refuse a value of an option that is not one of the known strings, of whatever type it is."""
    if isinstance(value, str) and value in known:
        return
    given = repr(value) if isinstance(value, str) else f"of type {type(value).__name__}"
    if option == "method" and isinstance(value, str):
        raise UsageError(f"unknown method {given}: choose one of {', '.join(known)}")
    raise UsageError(f"{option} is {given}: it must be {' or '.join(map(repr, known))}")


DEFAULT_OPTIONS = Options()
