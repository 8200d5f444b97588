"""Ranks of matrices of functions: what is true at all points that are looked at, wherever the defaults lie.

A matrix has an inverse as a function when it has one at one point; it is singular when it is so at all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from eomc.derivation.rank import (
    Row,
    combination,
    has_positive_pivots,
    is_definite_beyond_rounding,
    redundant_rows,
    weakest_unknown,
)
from eomc.derivation.sampling import Sampling, looks
from eomc.errors import DerivationError
from eomc.ir.graph import Node
from eomc.ir.rounding import Number, Rounded

Nodes = Sequence[Sequence[Node]]


class Ranks:
    """Answers for the matrices of one graph.

    Parameters
    ----------
    sampling
        The points.
    model
        The name of the model whose matrices these are.
    """

    def __init__(self, sampling: Sampling, model: str) -> None:
        self._sampling = sampling
        self._model = model

    def undetermined(self, matrix: Nodes) -> int | None:
        """Return the unknown that a matrix determines nowhere, None where it has an inverse somewhere.

        Points at which the matrix has no value (outside the domain of a square root, say) do not count.

        Raises
        ------
        DerivationError
            The matrix has a value at none of the points that were tried.
        """
        if self._is_permuted_diagonal(matrix):
            return None
        weakest = None
        for rows in self._values(matrix, self._sampling.state):
            weakest = None if is_definite_beyond_rounding(rows) else weakest_unknown(rows)
            if weakest is None:
                return None
        if weakest is None:
            raise DerivationError(
                f"{self._model}: the equations have no value at random states within the ranges; "
                "give ranges={coordinate: (low, high)} in which they have"
            )
        return weakest

    def redundant(self, matrix: Nodes) -> int | None:
        """Return the first row that follows everywhere from those before it, None where there is none."""
        found = []
        for rows in self._values(matrix, self._sampling.state):
            redundant = redundant_rows(rows)
            if not redundant:
                return None
            found.append(redundant[0])
        return max(found, default=None)

    def factors(self, matrix: Nodes, row: Sequence[Node]) -> list[list[Number]] | None:
        """Return, at each point, the factors that make a row of the rows of a matrix; None where one has none.

        What is so at the points is so on both sides of every kink.
        """
        found = []
        for rows in self._values([*matrix, row], self._sampling.free):
            factors = combination(rows[:-1], rows[-1])
            if factors is None:
                return None
            found.append(factors)
        return found or None

    def is_positive_definite(self, matrix: Nodes) -> bool:
        """Whether a regular symmetric matrix has positive pivots where parameters have the signs of their defaults."""
        found = [has_positive_pivots(rows) for rows in self._values(matrix, self._sampling.signed)]
        return False not in found and True in found

    def _values(self, matrix: Nodes, draw: Callable[[int], Rounded]) -> Iterator[list[Row]]:
        """Return the entries of the matrix by rows, but for its zeros, at the points at which it has a value."""
        filled = [[(j, entry) for j, entry in enumerate(row) if entry != self._sampling.graph.zero] for row in matrix]

        def entries(sample: Rounded) -> list[Row] | None:
            sample.look_at(entry for row in filled for _, entry in row)
            rows: list[Row] = [{j: sample.sized(entry) for j, entry in row} for row in filled]
            return rows if all(math.isfinite(x) for row in rows for x, _ in row.values()) else None

        return looks(draw, entries)

    def _is_permuted_diagonal(self, matrix: Nodes) -> bool:
        """Whether each row and column holds one number beside zeros: it has an inverse, and needs no further look."""
        columns = set()
        for row in matrix:
            entries = [j for j, entry in enumerate(row) if entry != self._sampling.graph.zero]
            if len(entries) != 1 or self._sampling.graph.number(row[entries[0]]) is None:
                return False
            columns.add(entries[0])
        return len(columns) == len(matrix)
