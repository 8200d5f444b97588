"""U M^-1 U^T Y for the multipliers, then the unknowns: M has to be regular."""

from __future__ import annotations

from eomc.backends.c99.kernels.constrained import constrained_kernel, count_solved
from eomc.backends.c99.kernels.ldlt import count_ldlt
from eomc.backends.c99.kernels.record import products
from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization


def _count(n: int, rank: int, columns: int) -> OperationCounts:
    schur = products(sum((i + 1) * (n - i - 1) for i in range(rank)))
    right = products(columns * sum(n - i - 1 for i in range(rank))) + OperationCounts(additions=columns * rank)
    sides = products(columns * (n * rank + n * n))
    sizes = sum(n - i - 1 for i in range(rank))
    sized = OperationCounts(sizes, sizes, others=sizes + rank)
    return count_ldlt(n, rank + columns) + schur + sized + right + count_solved(rank, columns) + sides


RANGE_SPACE = constrained_kernel(
    Factorization.RANGE_SPACE,
    scratch=lambda n, m, columns: n * (n + 3) // 2 + n * (m + columns) + m * (m + 3) // 2 + (n + m) * columns,
    count=_count,
)
