"""A unit as somebody wrote it, with what it is in SI."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eomc.units.dimension import Dimension


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit, and how a number beside it becomes one in SI."""

    text: str  # as it was written
    si: str  # the coherent unit of SI in its place, in our spelling: "kg m^2" for "kg*mm**2"
    dimension: Dimension
    factor: Fraction  # one of it in SI; 1 for what is coherent

    def to_si(self, number: Any) -> Any:
        """Return a number of this unit, or an array of them, in SI; rounded once where ten's powers are between.

        Examples
        --------
        >>> Unit("mm", "m", (0, 1, 0, 0, 0, 0, 0), Fraction(1, 1000)).to_si(200.0)
        0.2
        """
        if self.factor == 1:
            return number
        return number / self.factor.denominator if self.factor.numerator == 1 else number * float(self.factor)


def with_unit(value: Any) -> tuple[Any, str]:
    """Return a value and the text of the unit beside it, empty where there is none.

    Examples
    --------
    >>> with_unit((200, "mm")), with_unit(0.2)
    ((200, 'mm'), (0.2, ''))
    """
    if isinstance(value, (tuple, list)) and len(value) == 2 and isinstance(value[1], str):
        return value[0], value[1].strip()
    return value, ""
