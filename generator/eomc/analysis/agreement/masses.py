"""How large entries of M, forces and accelerations are beside the others of a mechanism, whatever the units of speeds.

A wrist whose centre of mass is 1e-17 m off its axis couples with the other joints by entries that are rounding, however
M is computed, and so are the forces that come of it. The sizes of their own terms tell nothing of these; the diagonal
does. A positive definite M has |M_ij| < sqrt(M_ii M_jj), the bound changes with the units of the speeds as the entry
does, and an error in this proportion is the one that accelerations see: they are those of D^-1 M D^-1, D^2 = diag M,
which has ones on its diagonal. Beside it stand D^-1 f and D u', whose components have one unit.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.vectors import Array


def sizes_by_diagonal(matrices: Array) -> Array:
    """Return sqrt(M_ii M_jj) of matrices by rows (k, n^2).

    It is zero where a diagonal entry is not positive or no number: there it bounds nothing.
    """
    roots = _roots(matrices)
    return (roots[:, :, None] * roots[:, None, :]).reshape(matrices.shape)


def sizes_of_forces(matrices: Array, forces: Array) -> Array:
    """Return how large each generalized force (k, n) is when it does as much as the largest: sqrt(M_ii) |D^-1 f|.

    Of a speed whose diagonal entry bounds nothing it is zero.
    """
    roots = _roots(matrices)
    return roots * _largest(_quotient(forces, roots))


def sizes_of_accelerations(matrices: Array, accelerations: Array) -> Array:
    """Return the same of accelerations (k, n): |D u'| / sqrt(M_ii)."""
    roots = _roots(matrices)
    return _quotient(_largest(accelerations * roots), roots)


def _roots(matrices: Array) -> Array:
    """Return sqrt(M_ii), zero where it bounds nothing."""
    count, n = len(matrices), round(matrices.shape[1] ** 0.5)
    diagonal = matrices.reshape(count, n, n)[:, range(n), range(n)]
    roots: Array = np.sqrt(np.where(np.isfinite(diagonal) & (diagonal > 0.0), diagonal, 0.0))
    return roots


def _quotient(values: Array, roots: Array) -> Array:
    return np.divide(values, roots, out=np.zeros_like(roots), where=roots > 0.0)


def _largest(values: Array) -> Array:
    """Return the largest magnitude of each row (k, 1), of what is a number."""
    largest: Array = np.max(np.where(np.isfinite(values), np.abs(values), 0.0), axis=1, initial=0.0, keepdims=True)
    return largest
