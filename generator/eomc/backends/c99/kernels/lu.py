"""A = L U with rows pivoted at run time."""

from __future__ import annotations

from eomc.backends.c99.kernels.record import Kernel, below
from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization, SystemSpec


def _count(spec: SystemSpec) -> OperationCounts:
    """Return elimination, no rows exchanged, then one triangular solve per column."""
    n, columns = spec.n, spec.columns
    inner, pairs = (n - 1) * n * (2 * n - 1) // 6, below(n)
    return OperationCounts(
        additions=inner + 2 * pairs + columns * 2 * pairs,
        multiplications=inner + 3 * pairs + 2 * n + columns * 2 * pairs,
        divisions=2 * n + pairs + columns * n,
        others=3 * n * n + n + 2 * (pairs + n) + pairs + 2 * n,
    )


LU = Kernel(
    Factorization.LU,
    name="lu",
    title="general, rows pivoted",
    arguments=("n", "columns", "a", "b", "s", "order"),
    statics=(),
    macros=("EPSILON", "FABS"),
    after=(),
    scratch=lambda spec: 2 * spec.n,
    order=lambda spec: spec.n,
    count=_count,
    most=_count,
)
