"""Dependent unknowns by complete pivoting of J; the equations of the independent ones."""

from __future__ import annotations

from eomc.backends.c99.kernels.constrained import constrained_kernel, count_solved
from eomc.backends.c99.kernels.record import below, products
from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization


def _count(n: int, rank: int, columns: int) -> OperationCounts:
    free = n - rank
    dependent = products((free + columns) * below(rank)) + OperationCounts(additions=rank * free)  # A and B
    reduced = products(rank * rank * free + free * (free + 1) * rank)
    sides = products(2 * columns * (rank * free + n * n)) + OperationCounts(additions=n * columns)
    pairs = free * below(rank)  # of dependent unknowns, in the sizes of the reduced diagonal
    sizes = OperationCounts(additions=2 * pairs, multiplications=2 * pairs, others=pairs)
    sizes += OperationCounts(3 * free * rank, 2 * free * rank, others=2 * free * rank)  # beside M_II and M_ID
    return dependent + reduced + sizes + sides + count_solved(free, columns)


ELIMINATED = constrained_kernel(
    Factorization.ELIMINATED,
    scratch=lambda n, m, columns: n * (n + 3) // 2 + 2 * n * columns + n * max(n, columns),
    count=_count,
)
