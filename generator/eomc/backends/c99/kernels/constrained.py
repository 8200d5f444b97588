"""What the kernels for systems under constraints share: rows of J are chosen first, multipliers are found last.

Each form is what it does in between, with U X = R. Rows are counted as independent where there are no more of them than
unknowns, else as of the rank n.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from eomc.backends.c99.kernels.ldlt import count_ldlt
from eomc.backends.c99.kernels.record import Kernel, below, products
from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization, SystemSpec

_SHARED = (
    "symmetric",
    "swap_reals",
    "swap_ints",
    "factor",
    "largest_in_column",
    "measure_rows",
    "balance_rows",
    "choose_rows",
    "find_least",
    "find_multipliers",
    "subtract_product",
    "find_contradiction",
    "finish",
)


def constrained_kernel(
    factorization: Factorization,
    *,
    statics: tuple[str, ...] = (),
    scratch: Callable[[int, int, int], int],
    order: Callable[[int, int], int] = lambda n, m: n + 3 * m,
    count: Callable[[int, int, int], OperationCounts],
) -> Kernel:
    """Return the record of a form.

    Parameters
    ----------
    statics
        Functions that it has for itself.
    scratch
        Of n, m and the number of columns: reals beside those that choose rows and find multipliers.
    order
        Of n and m: integers, all of them.
    count
        Of n, the rank and the number of columns: the form's own operations.
    """

    def all_scratch(spec: SystemSpec) -> int:
        n, m, columns = spec.n, spec.constraints, spec.columns
        chosen = m + n + m * columns
        least = m * m + m * (m + 3) // 2 + m * columns
        return chosen + scratch(n, m, columns) + least

    def operations(spec: SystemSpec, rank: int) -> OperationCounts:
        return _choose_rows(spec, rank) + count(spec.n, rank, spec.columns) + _finish(spec, rank)

    def usual(spec: SystemSpec) -> OperationCounts:
        return operations(spec, min(spec.n, spec.constraints))

    def most(spec: SystemSpec) -> OperationCounts:
        ranks = range(min(spec.n, spec.constraints) + 1)
        return functools.reduce(OperationCounts.most, [operations(spec, rank) for rank in ranks]) + _measured_anew(spec)

    return Kernel(
        factorization,
        name=factorization.value.replace("-", "_"),
        title=factorization.value,
        arguments=("n", "m", "columns", "strict", "a", "b", "s", "order"),
        statics=(*_SHARED, *statics),
        macros=("FABS", "SQRT", "EPSILON"),
        after=("ldlt", "constrained"),
        scratch=all_scratch,
        order=lambda spec: order(spec.n, spec.constraints),
        count=usual,
        most=most,
    )


def count_factor(rows: int, columns: int, rank: int) -> OperationCounts:
    """Return the operations of `factor`, so many pivots found."""
    steps = range(rank)
    return products(sum((rows - k - 1) * (columns - k - 1) for k in steps)) + OperationCounts(
        multiplications=1,
        divisions=sum(rows - k - 1 for k in steps),
        others=sum(2 * (rows - k) * (columns - k) + 1 for k in _searches(rows, columns, rank)) + 1,
    )


def _searches(rows: int, columns: int, rank: int) -> range:
    """Return the steps in which `factor` looks for a pivot: that in which it finds none, too."""
    return range(min(rank + 1, rows, columns))


def _measured_anew(spec: SystemSpec) -> OperationCounts:
    """Return the operations of the rounds of `measure_rows` for unknowns without inertia, one a round."""
    n, m = spec.n, spec.constraints
    one = OperationCounts(multiplications=m * n, divisions=m * n + n, others=2 * m * n + 3 * m * n + 3 * n)
    return one * n


def count_solved(n: int, columns: int) -> OperationCounts:
    """Return the operations of ldlt_solve, or none where nothing is left to be solved for."""
    return count_ldlt(n, columns) if n else OperationCounts()


def _choose_rows(spec: SystemSpec, rank: int) -> OperationCounts:
    """Return the operations of `choose_rows`, balancing and factoring of J included; every unknown has inertia."""
    n, m, columns = spec.n, spec.constraints, spec.columns
    right = products(columns * sum(min(i, rank) for i in range(m)))
    weighed = sum((m - k) * (n - k) for k in _searches(m, n, rank))
    divided = m * n + columns * (m + rank) + sum(n - i - 1 for i in range(rank))
    balanced = OperationCounts(m * n, 2 + 2 * m * n, n, square_roots=n, others=9 * m * n + 2 * n + m)
    if spec.sized:  # the parameters tell a size in the first row, so that every column is weighed anew
        balanced += OperationCounts(divisions=(m + 1) * n, others=3 * m * n + n - m * n)
    if spec.strict:
        balanced += OperationCounts(others=2 * m * columns)
    return count_factor(m, n, rank) + right + balanced + OperationCounts(multiplications=weighed, divisions=divided)


def _finish(spec: SystemSpec, rank: int) -> OperationCounts:
    """Return the operations of `finish`: multipliers, and whether a row that was left out contradicts."""
    n, m, columns = spec.n, spec.constraints, spec.columns
    total = products(columns * below(rank)) + OperationCounts(divisions=columns * rank)
    if rank == m:
        return total + products(columns * below(m)) + OperationCounts(divisions=columns * m)
    gram = sum((i + 1) * (m - i) for i in range(rank))
    spread = columns * sum(min(i + 1, rank) for i in range(m))
    least = products(columns * below(rank) + gram + spread)
    least += OperationCounts(multiplications=m * rank, divisions=columns * rank)
    if spec.strict:
        rest = m - rank
        each = rank + 2 * n
        judged = OperationCounts(each + 1, each + 2, each + 1, others=rank + 4 * n + 2)
        least += products(rest * below(rank)) + judged * (rest * columns)
    return total + count_factor(m, rank, rank) + least + count_ldlt(rank, columns)
