"""Factors of a sparse square matrix without exchanges: which entries there are, and in which order unknowns go.

Blocks first: strong components of the graph of the matrix, so that entries between blocks are no part of any
elimination. Within a block the pivot is the diagonal entry of least (r - 1) (c - 1), r and c being the entries of its
row and column that are left (H. M. Markowitz, *Management Science* 3 (1957); of symmetric patterns it is the minimum
degree of W. F. Tinney and J. W. Walker, *Proc. IEEE* 55 (1967)). Nothing here looks at a number: who factorizes by
such an order tests at run time what it has found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.ir.operations import OperationCounts
from eomc.solving.structure import strong_components


@dataclass(frozen=True, slots=True)
class SparseFactors:
    """Where the factors of a matrix have entries, those that fill in included; all by index of unknown."""

    order: tuple[int, ...]  # of elimination
    blocks: tuple[int, ...]  # places in the order at which blocks begin, and its end
    before: tuple[tuple[int, ...], ...]  # columns of each row in earlier blocks: entries of the matrix as they are
    lower: tuple[tuple[int, ...], ...]  # columns of its block that go before it, in the order of elimination
    upper: tuple[tuple[int, ...], ...]  # columns of its block that go after it

    @property
    def entries(self) -> int:
        """How many there are beside the diagonal."""
        return sum(len(row) for part in (self.before, self.lower, self.upper) for row in part)

    def factorizing(self) -> OperationCounts:
        """Return what the elimination of the block's rows takes; an index that is read counts as an operation."""
        pairs = sum(len(self.upper[j]) for row in self.lower for j in row)
        factors = sum(map(len, self.lower))
        return OperationCounts(
            additions=pairs,
            multiplications=pairs + factors,
            divisions=len(self.order),
            others=pairs + factors + 2 * self.entries,
        )

    def solving(self) -> OperationCounts:
        """Return what one right side takes."""
        return OperationCounts(
            additions=self.entries,
            multiplications=self.entries + len(self.order),
            others=self.entries + 2 * len(self.order),
        )


def sparse_factors(pattern: Sequence[Sequence[int]]) -> SparseFactors:
    """Return how to factorize a matrix whose diagonal entries are there.

    Parameters
    ----------
    pattern
        ``pattern[i]`` lists the columns of row i that have an entry; the diagonal counts as one, named or not.
    """
    n = len(pattern)
    rows = [sum(1 << j for j in {*row, i}) for i, row in enumerate(pattern)]
    order: list[int] = []
    starts = [0]
    before: list[tuple[int, ...]] = [()] * n
    lower: list[list[int]] = [[] for _ in range(n)]
    upper: list[tuple[int, ...]] = [()] * n
    done = 0
    for block in strong_components([[j for j in row if j != i] for i, row in enumerate(pattern)]):
        left = sum(1 << i for i in block)
        for i in block:
            before[i] = _members(rows[i] & done)
        done |= left
        columns = {j: sum(1 << i for i in block if rows[i] >> j & 1) for j in block}
        while left:
            pivot = min(
                _members(left),
                key=lambda i: ((rows[i] & left).bit_count() - 1) * ((columns[i] & left).bit_count() - 1),
            )
            order.append(pivot)
            left &= ~(1 << pivot)
            along, across = rows[pivot] & left, columns[pivot] & left
            upper[pivot] = _members(along)
            for i in _members(across):
                lower[i].append(pivot)
                rows[i] |= along
            for j in upper[pivot]:
                columns[j] |= across
        starts.append(len(order))
    return SparseFactors(tuple(order), tuple(starts), tuple(before), tuple(map(tuple, lower)), tuple(upper))


def _members(bits: int) -> tuple[int, ...]:
    """Return the indices of the bits that are set."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)
