"""Whether links are bodies that can be: masses and principal moments that some distribution of mass has.

With principal moments I1 <= I2 <= I3 about the centre, a body has m > 0, I1 >= 0 and I3 <= I1 + I2. What rounding
breaks is no flaw: it is judged against the moments themselves and against m length^2, whatever the units.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import sympy

from eomc.model.trees.records import Entry, Link

_ROUNDING = 1e-9


class Flaw(enum.Enum):
    """What no body has."""

    MASS = "the mass is negative"
    MOMENT = "a principal moment of inertia is negative"
    TRIANGLE = "a principal moment of inertia is larger than the sum of the others"


def flaw_of(link: Link, length: float = 0.0, values: Mapping[sympy.Expr, float] = MappingProxyType({})) -> Flaw | None:
    """Return the worst flaw of a link, None where there is none.

    Parameters
    ----------
    link
        A link as it is given, before anything is merged into it.
    length
        Its size, such as the largest distance of its joints and its centre from its origin [m].
    values
        Values of the parameters that its entries hold.
    """
    mass = _value(link.mass, values)
    if mass < 0:
        return Flaw.MASS
    least, middle, most = principal_moments(link, values)
    small = _ROUNDING * max(abs(least), abs(most), mass * length * length)
    if least < -small:
        return Flaw.MOMENT
    return Flaw.TRIANGLE if least + middle - most < -small else None


def principal_moments(
    link: Link, values: Mapping[sympy.Expr, float] = MappingProxyType({})
) -> tuple[float, float, float]:
    """Return the eigenvalues of a link's inertia about its centre, the least first [kg m^2]."""
    tensor = np.array([[_value(entry, values) for entry in row] for row in link.inertia], dtype=float)
    if not np.any(tensor - np.diag(np.diag(tensor))):
        least, middle, most = sorted(map(float, np.diag(tensor)))
    else:
        least, middle, most = map(float, np.linalg.eigvalsh(tensor))
    return least, middle, most


def _value(entry: Entry, values: Mapping[sympy.Expr, float]) -> float:
    return float(entry.subs(dict(values)) if isinstance(entry, sympy.Expr) else entry)
