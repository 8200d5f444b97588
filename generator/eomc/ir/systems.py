"""Linear systems as nodes of the graph."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Entry = TypeVar("Entry")


class Factorization(enum.Enum):
    """How a linear system is solved at run time."""

    LDLT = "ldlt"  # symmetric positive definite; a pivot that is not positive is an error
    LU = "lu"  # general; rows pivoted at run time
    ELIMINATED = "eliminated"  # constrained: dependent unknowns by complete pivoting of J
    AUGMENTED = "augmented"  # constrained: [[M, J^T], [J, 0]] as a whole
    RANGE_SPACE = "range-space"  # constrained: J M^-1 J^T
    NULL_SPACE = "null-space"  # constrained: R with J R = 0


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """Shape of a SOLVE node: A X = B with A of size n x n and B with `columns` columns.

    The node's arguments are the entries of A (LDLT: lower triangle by rows, n (n + 1) / 2 of them; LU: by rows, n n),
    then the entries of B by rows, n columns. RESULT i is entry i of X by rows. `labels[k]` names row k for people: the
    run-time error points at it.

    The constrained kinds solve [[M, J^T], [J, 0]] [X; L] = B with `constraints` rows of J: their arguments are the
    lower triangle of M by rows, J by rows, then B by rows, n + constraints of them; X comes before L in the results.
    Where rows of J are redundant X is what it is without them, and L has the least Euclidean norm. A redundant row
    whose right side contradicts the others is a failure at run time where the system is `strict`, else it is passed
    over.

    A `sized` system has sizes behind its matrix, each the sum of the sizes of an entry's terms (0: nothing cancels in
    it): of the diagonal for LDLT, of all entries for LU, by rows; a constrained one has those of J's entries, by rows,
    less than zero where the state tells them and not the parameters alone, then those of the diagonal of M, and, where
    it is strict, behind B those of the constraints' part of B. A pivot is told from rounding by them, which rows of J
    follow from others is asked in units that they give, and a right side contradicts others beside them. Else an
    entry's size is its magnitude.
    """

    factorization: Factorization
    n: int
    columns: int
    labels: tuple[str, ...]
    constraints: int = 0
    strict: bool = True
    sized: bool = False

    @property
    def rows(self) -> int:
        """Number of rows of the right side and of the solution: unknowns, then multipliers."""
        return self.n + self.constraints

    @property
    def symmetric(self) -> bool:
        """Whether the matrix is symmetric, so that only entries up to its diagonal are arguments."""
        return self.factorization is not Factorization.LU

    @property
    def places(self) -> list[tuple[int, int]]:
        """Row and column of each leading argument in the whole matrix, [[M, J^T], [J, 0]] for a constrained system."""
        n = self.n
        inner = [(i, j) for i in range(n) for j in range(i + 1 if self.symmetric else n)]
        return inner + [(n + k, j) for k in range(self.constraints) for j in range(n)]

    def whole(self, entries: Sequence[Entry], zero: Entry) -> list[list[Entry]]:
        """Return the whole matrix from the leading arguments, as numbers or as nodes."""
        matrix = [[zero] * self.rows for _ in range(self.rows)]
        for (i, j), entry in zip(self.places, entries, strict=False):
            matrix[i][j] = entry
            if self.symmetric:
                matrix[j][i] = entry
        return matrix

    @property
    def entries(self) -> int:
        """Number of leading arguments that hold the matrix itself."""
        if self.factorization is Factorization.LU:
            return self.n * self.n
        return self.n * (self.n + 1) // 2 + self.constraints * self.n

    @property
    def sizes(self) -> int:
        """Number of sizes that stand behind the matrix of a sized system."""
        return self.n * (self.n if self.factorization is Factorization.LU else 1 + self.constraints)

    @property
    def right_entries(self) -> int:
        """Number of arguments behind those: the right side, and the sizes that stand behind it."""
        judged = self.constraints * self.columns if self.sized and self.strict else 0
        return self.rows * self.columns + judged

    @property
    def matrix_entries(self) -> int:
        """Number of leading arguments that the kernel finds in its matrix."""
        return self.entries + (self.sizes if self.sized else 0)
