"""The units that are read without a package: those of SI with their prefixes, and a few that are used with it.

Brochure of the International Bureau of Weights and Measures, 9th edition (2019): tables 2, 4, 7 and 8.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from eomc.units.dimension import BASE, NONE, Dimension, Exponent, power, product

Pairs: TypeAlias = tuple[tuple[str, Exponent], ...]
"""Symbols of coherent units with exponents."""


@dataclass(frozen=True, slots=True)
class Named:
    """What one name stands for."""

    factor: Fraction  # to the coherent unit
    dimension: Dimension
    si: Pairs  # the coherent unit by its symbols
    prefixed: bool = False  # whether a prefix may stand before it


def dimension_of(pairs: Pairs) -> Dimension:
    """Return the dimension of a product of coherent units."""
    found = NONE
    for symbol, exponent in pairs:
        found = product(found, power(DIMENSIONS[symbol], exponent))
    return found


DIMENSIONS: dict[str, Dimension] = {symbol: tuple(int(symbol == other) for other in BASE) for symbol in BASE}
"""The dimensions of the coherent units, by their symbols."""

_DERIVED: tuple[tuple[str, Pairs], ...] = (
    ("rad", ()),
    ("sr", ()),
    ("Hz", (("s", -1),)),
    ("Bq", (("s", -1),)),
    ("N", (("kg", 1), ("m", 1), ("s", -2))),
    ("J", (("N", 1), ("m", 1))),
    ("W", (("J", 1), ("s", -1))),
    ("Pa", (("N", 1), ("m", -2))),
    ("C", (("A", 1), ("s", 1))),
    ("V", (("W", 1), ("A", -1))),
    ("F", (("C", 1), ("V", -1))),
    ("ohm", (("V", 1), ("A", -1))),
    ("S", (("A", 1), ("V", -1))),
    ("Wb", (("V", 1), ("s", 1))),
    ("T", (("Wb", 1), ("m", -2))),
    ("H", (("Wb", 1), ("A", -1))),
    ("lm", (("cd", 1),)),
    ("lx", (("lm", 1), ("m", -2))),
    ("Gy", (("J", 1), ("kg", -1))),
    ("kat", (("mol", 1), ("s", -1))),
)
for _symbol, _pairs in _DERIVED:
    DIMENSIONS[_symbol] = dimension_of(_pairs)

PREFIXES: Mapping[str, int] = {
    **{"Q": 30, "R": 27, "Y": 24, "Z": 21, "E": 18, "P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "da": 1},
    **{"d": -1, "c": -2, "m": -3, "\N{MICRO SIGN}": -6, "u": -6, "n": -9, "p": -12, "f": -15, "a": -18, "z": -21},
    **{"y": -24, "r": -27, "q": -30},
}
"""Powers of ten."""


def _named(factor: Fraction | int, pairs: Pairs, prefixed: bool = False) -> Named:
    return Named(Fraction(factor), dimension_of(pairs), pairs, prefixed)


_PI = Fraction(math.pi)
UNITS: dict[str, Named] = {
    **{symbol: _named(1, ((symbol, 1),), symbol != "kg") for symbol in DIMENSIONS},
    "g": _named(Fraction(1, 1000), (("kg", 1),), True),
    "\N{GREEK CAPITAL LETTER OMEGA}": _named(1, (("ohm", 1),), True),
    "deg": _named(_PI / 180, (("rad", 1),)),
    "rev": _named(2 * _PI, (("rad", 1),)),
    "rpm": _named(_PI / 30, (("rad", 1), ("s", -1))),
    "min": _named(60, (("s", 1),)),
    "h": _named(3600, (("s", 1),)),
    "d": _named(86400, (("s", 1),)),
    "L": _named(Fraction(1, 1000), (("m", 3),), True),
    "l": _named(Fraction(1, 1000), (("m", 3),), True),
    "t": _named(1000, (("kg", 1),)),
    "bar": _named(100_000, (("Pa", 1),), True),
    "%": _named(Fraction(1, 100), ()),
    # written together, as many do
    "Nm": _named(1, (("N", 1), ("m", 1)), True),
    "Nms": _named(1, (("N", 1), ("m", 1), ("s", 1)), True),
    "Ns": _named(1, (("N", 1), ("s", 1)), True),
    "Ws": _named(1, (("W", 1), ("s", 1)), True),
    "Wh": _named(3600, (("J", 1),), True),
    "Ah": _named(3600, (("C", 1),), True),
    "Vs": _named(1, (("V", 1), ("s", 1)), True),
}

NAMES: Mapping[str, str] = {
    **{"metre": "m", "meter": "m", "gram": "g", "kilogram": "kg", "second": "s", "sec": "s", "ampere": "A"},
    **{"kelvin": "K", "mole": "mol", "candela": "cd", "radian": "rad", "steradian": "sr", "hertz": "Hz"},
    **{"newton": "N", "joule": "J", "watt": "W", "pascal": "Pa", "coulomb": "C", "volt": "V", "farad": "F"},
    **{"ohm": "ohm", "siemens": "S", "weber": "Wb", "tesla": "T", "henry": "H", "lumen": "lm", "lux": "lx"},
    **{"degree": "deg", "\N{DEGREE SIGN}": "deg", "revolution": "rev", "turn": "rev", "minute": "min", "hour": "h"},
    **{"hr": "h", "day": "d", "litre": "L", "liter": "L", "tonne": "t", "percent": "%"},
}
"""Other names of units; a plural may stand in place of a singular."""

LONG_PREFIXES: Mapping[str, str] = {
    **{"giga": "G", "mega": "M", "kilo": "k", "deci": "d", "centi": "c", "milli": "m", "micro": "u", "nano": "n"},
}

PURE = ("1", "-", "dimensionless")
"""Texts that say that a number has no unit."""

WITH_OFFSET = frozenset(
    {
        *("degC", "degF", "\N{DEGREE SIGN}C", "\N{DEGREE SIGN}F", "\N{DEGREE CELSIUS}", "\N{DEGREE FAHRENHEIT}"),
        *("celsius", "Celsius", "fahrenheit", "Fahrenheit", "degree_Celsius", "degree_Fahrenheit"),
    }
)
"""Scales whose zero is none: a factor does not convert them."""
