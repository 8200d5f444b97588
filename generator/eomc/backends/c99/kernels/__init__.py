"""The solve kernels in C: a record each, beside its template in ``templates/c99/kernels``."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from eomc.backends.c99.kernels.augmented import AUGMENTED
from eomc.backends.c99.kernels.eliminated import ELIMINATED
from eomc.backends.c99.kernels.ldlt import LDLT
from eomc.backends.c99.kernels.lu import LU
from eomc.backends.c99.kernels.null_space import NULL_SPACE
from eomc.backends.c99.kernels.range_space import RANGE_SPACE
from eomc.backends.c99.kernels.record import Kernel
from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization, SystemSpec

__all__ = ["KERNELS", "Kernel", "count_system", "kernel_templates", "most_of_system"]

KERNELS: Mapping[Factorization, Kernel] = {
    kernel.factorization: kernel for kernel in (LDLT, LU, ELIMINATED, AUGMENTED, RANGE_SPACE, NULL_SPACE)
}
"""In the order in which they stand in a file."""


def count_system(spec: SystemSpec) -> OperationCounts:
    """Return the operations of one call of the kernel that solves a system."""
    return KERNELS[spec.factorization].count(spec)


def most_of_system(spec: SystemSpec) -> OperationCounts:
    """Return the most operations of each kind that a call of the kernel can take."""
    return KERNELS[spec.factorization].most(spec)


def kernel_templates(kernels: Collection[Kernel]) -> tuple[str, ...]:
    """Return the names of the templates that define kernels, each after what it calls."""
    wanted = {name for kernel in kernels for name in (*kernel.after, kernel.name)}
    every = dict.fromkeys(name for kernel in KERNELS.values() for name in (*kernel.after, kernel.name))
    return tuple(name for name in every if name in wanted)
