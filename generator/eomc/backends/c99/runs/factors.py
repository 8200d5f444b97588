"""How the matrix of a linearly implicit step is factorized, decided by counting: densely, or by its structural entries.

Densely, rows are exchanged for the largest pivots, and coordinates are eliminated by hand where they can be. By its
entries, the order is fixed beforehand, so that C tests the factors and goes the dense way where they do not serve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.backends.c99.layout import wrap_words
from eomc.backends.c99.runs.views import SparseView
from eomc.ir.operations import OperationCounts
from eomc.ir.program import Program
from eomc.rosenbrock import NEEDED
from eomc.solving.sparse import SparseFactors, sparse_factors

_PAIR = OperationCounts(additions=1, multiplications=1)


@dataclass(frozen=True, slots=True)
class Factors:
    """The way of the matrix of a model's steps."""

    states: int
    first: int  # coordinates that are eliminated by hand
    sparse: SparseFactors | None  # None: densely
    factorizing: OperationCounts  # as it usually is
    solving: OperationCounts  # one right side
    testing: OperationCounts  # the factors, once in a step
    exchanging: OperationCounts  # the most that factors with exchanged rows take
    exchanged: OperationCounts  # one right side by them

    @property
    def rest(self) -> int:
        """States whose matrix has factors with exchanged rows."""
        return self.states - self.first

    def usual(self, stages: int) -> OperationCounts:
        """Return what the linear algebra of a step takes where no factors fail."""
        return self.factorizing + self.solving * stages + self.testing

    def most(self, stages: int) -> OperationCounts:
        """Return the most that it takes."""
        if self.sparse is None:
            return self.exchanging + self.exchanged * stages
        tried = self.factorizing + self.solving + self.testing
        return tried + self.exchanging + (self.exchanged * stages).most(self.solving * stages)


def choose_factors(program: Program, stages: int) -> Factors:
    """Return how steps of so many stages factorize their matrix: the way of fewer operations."""
    n, rows = len(program.states), jacobian_pattern(program)
    first = _eliminated(program, rows)
    rest = n - first
    exchanging = _exchanging(first, rest)
    exchanged = _PAIR * (rest * rest + 2 * first * rest) + OperationCounts(multiplications=n, others=rest)
    dense = Factors(n, first, None, _in_order(rows, first), exchanged, OperationCounts(), exchanging, exchanged)
    found = sparse_factors(rows)
    solving = found.solving()
    residual = (_PAIR + OperationCounts(others=1)) * (found.entries + 2 * n)
    testing = residual + solving + (_PAIR * 2 + OperationCounts(divisions=1, others=1)) * n
    sparse = Factors(n, first, found, found.factorizing(), solving, testing, exchanging, exchanged)
    return min((dense, sparse), key=lambda way: way.usual(stages).total)


def jacobian_pattern(program: Program) -> list[list[int]]:
    """Return the columns of df/dx that have an entry, by rows: what the expressions say, not their values."""
    jacobian = next(function for function in program.functions if function.name == NEEDED[0])
    n, zero = len(program.states), program.graph.zero
    return [[j for j in range(n) if jacobian.outputs[i * n + j] != zero] for i in range(n)]


def sparse_view(factors: Factors) -> SparseView | None:
    """Return the tables of a sparse way as C places them."""
    found = factors.sparse
    if found is None:
        return None
    columns: list[int] = []
    begins, lowers, uppers = [], [], []
    for before, lower, upper in zip(found.before, found.lower, found.upper, strict=True):
        begins.append(len(columns))
        lowers.append(len(columns) + len(before))
        uppers.append(len(columns) + len(before) + len(lower))
        columns += [*before, *lower, *upper]
    return SparseView(
        entries=len(columns),
        blocks=len(found.blocks) - 1,
        order=_table(found.order),
        block=_table(found.blocks),
        column=_table(columns),
        begin=_table([*begins, len(columns)]),
        lower=_table(lowers) if lowers != begins else (),
        upper=_table(uppers),
    )


def _eliminated(program: Program, rows: Sequence[Sequence[int]]) -> int:
    """Return how many coordinates are eliminated by hand: all, where the rate of none depends on any."""
    count = program.coordinates
    depends = any(j < count for row in rows[:count] for j in row)
    return 0 if depends or count == len(rows) else count


def _exchanging(first: int, rest: int) -> OperationCounts:
    """Return the most that factors with exchanged rows take: no entry is zero."""
    eliminated = (_PAIR * (rest * rest) + OperationCounts(divisions=rest, others=2 * rest)) * first
    total = eliminated + OperationCounts(additions=rest * rest + rest)
    for left in range(rest):
        total += _PAIR * (left * left) + OperationCounts(multiplications=left, divisions=1, others=4 * left + 3)
    return total


def _in_order(rows: Sequence[Sequence[int]], first: int) -> OperationCounts:
    """Return what they take without exchanges, where nothing is done for what is structurally zero."""
    n = len(rows)
    rest = n - first
    columns = [[i for i in range(n) if j in rows[i]] for j in range(n)]
    bits = [sum(1 << j for j in {*row, i}) >> first for i, row in enumerate(rows)]
    total = OperationCounts(additions=rest * rest + rest)
    for k in range(first):
        along = bits[k].bit_count()
        total += _PAIR * (rest * along) + OperationCounts(divisions=rest, others=2 * rest)
        for i in (i for i in columns[k] if i >= first):
            bits[i] |= bits[k]
    for k in range(first, n):
        left = n - 1 - k
        below = [i for i in range(k + 1, n) if bits[i] >> (k - first) & 1]
        total += _PAIR * (left * len(below)) + OperationCounts(multiplications=left, divisions=1, others=4 * left + 3)
        for i in below:
            bits[i] |= bits[k]
    return total


def _table(values: Sequence[int]) -> tuple[str, ...]:
    """Return the lines of an array of integers."""
    return tuple(wrap_words(", ".join(map(str, values)), 106))
