"""Linear systems as nodes of the graph."""

from __future__ import annotations

import enum
from dataclasses import dataclass

__all__ = ["Factorization", "SystemSpec"]


class Factorization(enum.Enum):
    """How a linear system is solved at run time."""

    LDLT = "ldlt"  # symmetric positive definite; a pivot that is not positive is an error
    LU = "lu"  # general; rows pivoted at run time


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """Shape of a SOLVE node: A X = B with A of size n x n and B with `columns` columns.

    The node's arguments are the entries of A (LDLT: lower triangle by rows, n (n + 1) / 2 of them; LU: by rows, n n),
    then the entries of B by rows, n columns. RESULT i is entry i of X by rows. `labels[k]` names row k for people: the
    run-time error points at it.
    """

    factorization: Factorization
    n: int
    columns: int
    labels: tuple[str, ...]

    @property
    def matrix_entries(self) -> int:
        """Number of leading arguments that hold the matrix."""
        return self.n * (self.n + 1) // 2 if self.factorization is Factorization.LDLT else self.n * self.n
