"""Operation counts, as a value that adds up."""

from __future__ import annotations

from dataclasses import astuple, dataclass


@dataclass(frozen=True, slots=True)
class OperationCounts:
    """How often each kind of arithmetic is done; a negation counts as an addition."""

    additions: int = 0
    multiplications: int = 0
    divisions: int = 0
    square_roots: int = 0
    functions: int = 0  # transcendental: sin, exp, atan2, pow, ...
    others: int = 0  # comparisons, selections, abs, min, max, floor

    def __add__(self, other: OperationCounts) -> OperationCounts:
        return OperationCounts(
            self.additions + other.additions,
            self.multiplications + other.multiplications,
            self.divisions + other.divisions,
            self.square_roots + other.square_roots,
            self.functions + other.functions,
            self.others + other.others,
        )

    def __sub__(self, other: OperationCounts) -> OperationCounts:
        return self + other * -1

    def __mul__(self, times: int) -> OperationCounts:
        return OperationCounts(
            self.additions * times,
            self.multiplications * times,
            self.divisions * times,
            self.square_roots * times,
            self.functions * times,
            self.others * times,
        )

    def most(self, other: OperationCounts) -> OperationCounts:
        """Return the larger number of each kind."""
        return OperationCounts(*map(max, astuple(self), astuple(other)))

    @property
    def total(self) -> int:
        """All operations."""
        return self.additions + self.multiplications + self.divisions + self.square_roots + self.functions + self.others

    def __str__(self) -> str:
        kinds = (
            (self.additions, "add"),
            (self.multiplications, "mul"),
            (self.divisions, "div"),
            (self.square_roots, "sqrt"),
            (self.functions, "func"),
            (self.others, "other"),
        )
        parts = [f"{number} {word}" for number, word in kinds if number]
        return f"{self.total} ({', '.join(parts)})" if parts else "0"
