"""M = L D L^T by rows, without pivoting."""

from __future__ import annotations

from eomc.backends.c99.kernels.record import Kernel, below
from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization


def count_ldlt(n: int, columns: int) -> OperationCounts:
    """Return the operations of ldlt_solve: factorization, then two triangular solves per column."""
    inner, pairs = n * (n - 1) * (n - 2) // 6, below(n)
    return OperationCounts(
        additions=inner + 3 * pairs + columns * 2 * pairs,
        multiplications=inner + 3 * pairs + 2 * n + columns * (2 * pairs + n),
        divisions=n,
        others=2 * n,
    )


LDLT = Kernel(
    Factorization.LDLT,
    name="ldlt",
    title="symmetric, positive definite",
    arguments=("n", "columns", "a", "b"),
    statics=(),
    macros=("EPSILON",),
    after=(),
    scratch=lambda spec: 0,
    order=lambda spec: 0,
    count=lambda spec: count_ldlt(spec.n, spec.columns),
    most=lambda spec: count_ldlt(spec.n, spec.columns),
)
