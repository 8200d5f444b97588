"""[M U^T; U 0] as a whole, by complete pivoting."""

from __future__ import annotations

from eomc.backends.c99.kernels.constrained import constrained_kernel, count_factor
from eomc.backends.c99.kernels.record import below, products
from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization


def _count(n: int, rank: int, columns: int) -> OperationCounts:
    size = n + rank
    beside = sum(n - i - 1 for i in range(rank))  # the diagonal of U
    built = OperationCounts(
        multiplications=n * (n + 1) + beside + 2 * rank * n,
        divisions=n + rank,
        square_roots=n,
        others=n + 2 * beside,
    )
    solved = products(columns * (2 * below(size) + n * n))
    solved += OperationCounts(multiplications=columns * (size + n), divisions=columns * size)
    judged = OperationCounts(3 * below(size) + 2 * size, 2 * below(size) + size, size, others=below(size) + 4 * size)
    return built + count_factor(size, size, size) + judged + solved


AUGMENTED = constrained_kernel(
    Factorization.AUGMENTED,
    statics=("count_sound",),
    scratch=lambda n, m, columns: (n + m) * (n + m) + n + m + (n + m) * columns + n * columns,
    order=lambda n, m: 3 * (n + m),
    count=_count,
)
