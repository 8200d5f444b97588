"""A basis N of the null space, J N = 0, by Householder's reflections, orthogonal in the weights of the unknowns."""

from __future__ import annotations

from eomc.backends.c99.kernels.constrained import constrained_kernel, count_solved
from eomc.backends.c99.kernels.record import below, products
from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization


def _count(n: int, rank: int, columns: int) -> OperationCounts:
    free = n - rank
    reflected = OperationCounts()
    for k in range(rank):
        vectors = n + rank - k
        reflected += products(2 * (n - k) * (vectors + 1))
        reflected += OperationCounts(1, vectors, divisions=1, square_roots=1, others=1)
    particular = products(columns * (below(rank) + n * rank)) + OperationCounts(divisions=columns * rank)
    reduced = products(n * n * free + free * (free + 1) // 2 * n)
    sides = products(2 * columns * (n * free + n * n)) + OperationCounts(additions=n * columns)
    pairs = free * below(n)  # in the sizes of the reduced diagonal
    sizes = OperationCounts(additions=2 * pairs, multiplications=2 * pairs, others=pairs)
    sizes += OperationCounts(free * n, 2 * free * n, others=free * n)
    sizes += OperationCounts(multiplications=n * rank)  # weights of the unknowns
    return reflected + particular + reduced + sizes + sides + count_solved(free, columns)


NULL_SPACE = constrained_kernel(
    Factorization.NULL_SPACE,
    statics=("reflect",),
    scratch=lambda n, m, columns: n * n + n * (n + 3) // 2 + 2 * n * columns + n * max(n, columns),
    count=_count,
)
