"""Linear systems as nodes of the graph."""

from __future__ import annotations

import enum
from dataclasses import dataclass

__all__ = ["Factorization", "SystemSpec"]


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
    Where rows of J are redundant L has the least Euclidean norm.
    """

    factorization: Factorization
    n: int
    columns: int
    labels: tuple[str, ...]
    constraints: int = 0

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

    @property
    def scratch(self) -> int:
        """Number of reals that the kernel works with beside its arguments."""
        n, m, columns = self.n, self.constraints, self.columns
        if self.factorization is Factorization.LDLT:
            return 0
        if self.factorization is Factorization.LU:
            return n
        multipliers = m * m + m * (m + 1) // 2 + m * columns
        triangle = n * (n + 1) // 2
        own = {
            Factorization.ELIMINATED: n * (n + columns) + triangle + 2 * n * columns,
            Factorization.AUGMENTED: m * n + (n + m) * (n + m) + (n + m) * columns + n + m,
            Factorization.RANGE_SPACE: m * n + triangle + n * (m + columns) + m * (m + 1) // 2 + (n + m) * columns,
            Factorization.NULL_SPACE: m * n + n * n + n * (n + columns) + triangle + n * columns + n * (1 + columns),
        }[self.factorization]
        return m + own + multipliers

    @property
    def order(self) -> int:
        """Number of integers that the kernel works with: how rows and columns are pivoted."""
        if self.factorization is Factorization.LDLT:
            return 0
        if self.factorization is Factorization.LU:
            return self.n
        return (2 if self.factorization is Factorization.AUGMENTED else 1) * (self.n + self.constraints)

    @property
    def matrix_entries(self) -> int:
        """Number of leading arguments that hold the matrix, or M and J."""
        if self.factorization is Factorization.LU:
            return self.n * self.n
        return self.n * (self.n + 1) // 2 + self.constraints * self.n
