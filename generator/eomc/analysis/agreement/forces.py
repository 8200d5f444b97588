"""Accelerations of an ill-conditioned mechanism, judged by inverse dynamics: the forces that those found take.

With a condition of 1e7 two right ways to u' differ in the ninth digit, and no tolerance of their difference tells an
error from rounding. The forces M u' that the accelerations take are those that act, f, to the last digits all the same:
that is what backward stability of a solution means. (N. J. Higham, *Accuracy and Stability of Numerical Algorithms*
(2002), sec. 7.1 and 10.1.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.binding.vectors import Array
from eomc.reference import Reference

_BY_FORCES = ("kane", "gibbs-appell", "lagrange")  # what they solve is M u' = f


@dataclass(frozen=True, slots=True)
class Balanced:
    """Forces at k samples: those that accelerations take, those that act, and the sizes of their terms (k, n)."""

    taken: Array
    acting: Array
    size: Array


def takes_forces(source: Reference) -> bool:
    """Whether the accelerations of a model follow from M u' = f alone."""
    return source.method in _BY_FORCES and not source.model.is_constrained and bool(source.model.speeds)


def balanced(matrix: Array, acting: Array, rates: Array, known: Array) -> Balanced:
    """Return the forces that accelerations take.

    Parameters
    ----------
    matrix, acting
        M (k, n, n) and f (k, n).
    rates, known
        u' (k, n), and that of the reference, with which the sizes are made.
    """
    taken = np.einsum("kij,kj->ki", matrix, rates)
    size = np.einsum("kij,kj->ki", np.abs(matrix), np.abs(known)) + np.abs(acting)
    return Balanced(taken, acting, size)
