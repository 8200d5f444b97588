"""Taylor series as integrators, a row each: the order is a constant of the compiler, the length of a step follows.

A. Jorba and M. Zou, *A software package for the numerical integration of ODEs by means of high-order Taylor methods*,
Experimental Mathematics 14 (2005) 99-117: at the tolerance e the order 1 - ln(e) / 2 and steps of 1 / e^2 of the radius
of convergence take the least time.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple


class Expansion(NamedTuple):
    """A Taylor series."""

    name: str
    title: str
    order: int  # in double precision, where nobody says another
    form: str = ""  # the method whose equations are expanded, one of FORMS; "" where it is chosen

    def times(self, projected: bool) -> tuple[Fraction, ...]:
        """Return when a step takes inputs, in steps from its beginning; between they are lines."""
        del projected
        return Fraction(0), Fraction(1)


def order_for(tolerance: float) -> int:
    """Return the order that is best at a tolerance.

    Parameters
    ----------
    tolerance
        Of a step, relative; between 0 and 1.

    Examples
    --------
    >>> order_for(1e-16)
    20
    """
    return max(3, math.ceil(1.0 - math.log(tolerance) / 2.0))


MOST = 100
"""The highest order."""

FORMS = ("kane", "lagrange", "gibbs-appell")
"""Methods whose equations can have the same state as those of another: q and speeds that are q'."""

EXPANSIONS = (Expansion("taylor", "Taylor series", order_for(2.0**-52)),)
