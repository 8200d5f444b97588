"""Numbers on the command line: what the emitted program reads, too, and to the same bit.

A number is decimal or hexadecimal, or ``pi`` or ``deg`` (pi/180), or a chain of these with ``*`` and ``/``:
``pi/2``, ``3*deg``, ``-2*pi/3``. In the commands, not in the program, a decimal number may also have a unit: ``200mm``.
"""

from __future__ import annotations

import math
import re
from typing import Final

from eomc.errors import UsageError

_NAMED: Final = {"pi": 3.141592653589793, "deg": 0.017453292519943295}
_FACTOR: Final = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<name>pi|deg)"
    r"|(?P<hex>0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?)"
    r"|(?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))"
)


def read_number(text: str) -> float | None:
    """Return the finite number that a text means, None where it means none.

    Examples
    --------
    >>> read_number("0.25"), read_number("0x10"), read_number("pi/2"), read_number("3*deg")
    (0.25, 16.0, 1.5707963267948966, 0.05235987755982989)
    >>> read_number("1_000"), read_number("1/0"), read_number("inf"), read_number("2 pi")
    (None, None, None, None)
    """
    value, place, divides = 1.0, 0, False
    while True:
        factor = _FACTOR.match(text, place)
        if factor is None:
            return None
        number = _value(factor)
        if divides and number == 0.0:
            return None
        value = value / number if divides else value * number
        place = factor.end()
        if place == len(text):
            return value if math.isfinite(value) else None
        if text[place] not in "*/":
            return None
        divides = text[place] == "/"
        place += 1


class InSI(float):
    """A number that was given with a unit, in SI; it keeps the unit."""

    __slots__ = ("unit",)
    unit: str

    def __new__(cls, number: float, unit: str) -> InSI:
        """Return a number with its unit as it was written."""
        made = super().__new__(cls, number)
        made.unit = unit
        return made


_AMOUNT: Final = re.compile(
    r"(?P<number>[+-]?(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+)"  # no digit of it is left to the unit
    r"\s*(?P<unit>[^\W\d_].*|[%\N{DEGREE SIGN}].*)"
)


def read_amount(text: str) -> float | None:
    """Return the number that a text means, in SI where a unit follows it; None where it means none.

    Raises
    ------
    UsageError
        The unit is not known.

    Examples
    --------
    >>> read_amount("0.25"), read_amount("200mm"), read_amount("2 kN"), read_amount("1/0")
    (0.25, 0.2, 2000.0, None)
    """
    value = read_number(text)
    found = _AMOUNT.fullmatch(text.strip()) if value is None else None
    if found is None:
        return value
    from eomc.units import read_unit

    unit = read_unit(repr(text), found["unit"], UsageError)
    number = unit.to_si(float(found["number"]))
    return InSI(number, unit.text) if math.isfinite(number) else None


def _value(factor: re.Match[str]) -> float:
    if factor["name"]:
        size = _NAMED[factor["name"]]
    elif factor["hex"]:
        try:
            size = float.fromhex(factor["hex"])
        except OverflowError:
            size = math.inf
    else:
        size = float(factor["decimal"])
    return -size if factor["sign"] == "-" else size
