"""Dimensions: the exponents of the seven base units of SI. The radian counts as 1."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

Exponent: TypeAlias = int | Fraction
Dimension: TypeAlias = tuple[Exponent, ...]
"""Exponents of `BASE`, in its order."""

BASE = ("kg", "m", "s", "A", "K", "mol", "cd")
NONE: Dimension = (0,) * len(BASE)
"""The dimension of a pure number."""


def product(a: Dimension, b: Dimension) -> Dimension:
    """Return the dimension of a product.

    Examples
    --------
    >>> product((1, 0, 0, 0, 0, 0, 0), (0, 1, -2, 0, 0, 0, 0))
    (1, 1, -2, 0, 0, 0, 0)
    """
    return tuple(one + other for one, other in zip(a, b, strict=True))


def power(a: Dimension, exponent: Exponent) -> Dimension:
    """Return the dimension of a power; exponents are rational, for roots.

    Examples
    --------
    >>> power((0, 2, -2, 0, 0, 0, 0), Fraction(1, 2)) == (0, 1, -1, 0, 0, 0, 0)
    True
    """
    return tuple(one * exponent for one in a)
