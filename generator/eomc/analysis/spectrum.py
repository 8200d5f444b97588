"""Eigenvalues of a matrix of numbers, with zeros where the rounding of their computation does not tell them from zero.

A computed eigenvalue is one of A + E with |E| <= n eps |A|_F, A being balanced first, as LAPACK does, so that units of
states have no part in its norm. A number z is therefore as good an eigenvalue where A + E has it for such an E, that is
where the least singular value of z I - A is as small (L. N. Trefethen and M. Embree, *Spectra and Pseudospectra*
(2005), chapter 2). Of those as good, one that lies on an axis is taken: 0, then an imaginary one, then a real one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SWEEPS = 100  # of balancing, which takes a few
_NEAR = 1e-4  # of the norm: nothing farther from an axis is looked at, be the eigenvalue one of a block of four


def eigenvalues(matrix: NDArray[np.float64]) -> NDArray[np.complex128]:
    """Return the eigenvalues of a real matrix, by real part and then by imaginary part.

    Parameters
    ----------
    matrix
        Finite, shape (n, n).

    Returns
    -------
    NDArray
        Shape (n,); what is rounding is zero, real parts and imaginary parts alike.

    Examples
    --------
    >>> eigenvalues(np.array([[0.0, 1.0], [-4.0, 1e-17]])).real.tolist()
    [0.0, 0.0]
    """
    if not len(matrix):
        return np.zeros(0, dtype=np.complex128)
    balanced = _balanced(matrix)
    norm = float(np.linalg.norm(balanced))
    allowed = len(balanced) * float(np.finfo(np.float64).eps) * norm
    taken: list[complex] = []
    for s in map(complex, np.linalg.eigvals(balanced)):
        if s.imag >= 0.0:  # one of a pair, the other being its conjugate
            near = _nearest(balanced, s, norm, allowed)
            taken += [near, near.conjugate()] if s.imag else [near]
    return np.sort_complex(np.array(taken, dtype=np.complex128))


def _nearest(matrix: NDArray[np.float64], s: complex, norm: float, allowed: float) -> complex:
    """Return the eigenvalue on an axis that serves as well as `s`, or `s`."""
    for other in (0j, complex(0.0, s.imag), complex(s.real, 0.0)):
        way = abs(other - s)
        if way == 0.0:
            return other  # it is on this axis by itself
        if way <= _NEAR * norm and all(_serves(matrix, s + share * (other - s), allowed) for share in (0.5, 1.0)):
            return other
    return s


def _serves(matrix: NDArray[np.float64], z: complex, allowed: float) -> bool:
    """Whether a matrix that rounding does not tell from this one has the eigenvalue z."""
    least = np.linalg.svd(matrix - z * np.eye(len(matrix)), compute_uv=False)[-1]
    return bool(least <= allowed)


def _balanced(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return D^-1 A D with rows and columns of equal sizes, D of powers of two: exact, with the same eigenvalues.

    B. N. Parlett and C. Reinsch, Balancing a matrix for calculation of eigenvalues and eigenvectors, *Numerische
    Mathematik* 13 (1969). A row or a column of zeros beside the diagonal stays as it is.
    """
    balanced = np.array(matrix, dtype=np.float64)
    for _ in range(_SWEEPS):
        done = True
        for i in range(len(balanced)):
            beside = np.arange(len(balanced)) != i
            column, row = np.linalg.norm(balanced[beside, i]), np.linalg.norm(balanced[i, beside])
            if not (0.0 < column < np.inf and 0.0 < row < np.inf):
                continue
            factor = 2.0 ** round(float(np.log2(row / column)) / 2.0)
            if factor != 1.0:
                done = False
                balanced[:, i] *= factor
                balanced[i] /= factor
        if done:
            break
    return balanced
