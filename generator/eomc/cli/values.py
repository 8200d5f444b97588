"""Numbers on the command line: what the emitted program reads, too, and to the same bit.

A number is decimal or hexadecimal, or ``pi`` or ``deg`` (pi/180), or a chain of these with ``*`` and ``/``:
``pi/2``, ``3*deg``, ``-2*pi/3``.
"""

from __future__ import annotations

import math
import re
from typing import Final

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
