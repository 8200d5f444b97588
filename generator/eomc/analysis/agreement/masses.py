"""The size of an entry of M beside the others: sqrt(M_ii M_jj).

A wrist whose centre of mass is 1e-17 m off its axis couples with the other joints by entries that are rounding, however
M is computed. The sizes of their own terms tell nothing of these; the diagonal does. A positive definite M has
|M_ij| < sqrt(M_ii M_jj), the bound changes with the units of the speeds as the entry does, and an error in this
proportion is the one that accelerations see: they are those of D^-1 M D^-1 with D^2 = diag M, which has ones on its
diagonal.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.vectors import Array


def sizes_by_diagonal(matrices: Array) -> Array:
    """Return sqrt(M_ii M_jj) of matrices by rows (k, n^2).

    It is zero where a diagonal entry is not positive or no number: there it bounds nothing.
    """
    count, n = len(matrices), round(matrices.shape[1] ** 0.5)
    diagonal = matrices.reshape(count, n, n)[:, range(n), range(n)]
    roots = np.sqrt(np.where(np.isfinite(diagonal) & (diagonal > 0.0), diagonal, 0.0))
    return (roots[:, :, None] * roots[:, None, :]).reshape(count, n * n)
