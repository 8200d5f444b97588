"""Units as a description has them: exponents of the base units, the radian among them, and other units to show."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from eomc.units import NONE, power, product, read_unit
from eomc.units.dimension import BASE
from eomc.units.parsing import parse
from eomc.units.spelling import joined
from eomc.units.table import DIMENSIONS, PURE


@dataclass(frozen=True, slots=True)
class ShownUnit:
    """A unit in which people see numbers: a number of it is `factor` times that of the unit of SI."""

    name: str
    factor: float


@dataclass(frozen=True, slots=True)
class UnitDefinition:
    """A coherent unit of SI."""

    name: str
    exponents: tuple[tuple[str, int], ...] | None  # that are not zero; None where one is no integer
    shown: tuple[ShownUnit, ...] = ()


def unit_name(text: str) -> str:
    """Return the name of a variable's unit; empty for numbers without."""
    return "" if text in PURE else text


def rate_unit(text: str) -> str:
    """Return the unit of a time derivative: empty where that of the variable is not stated.

    Examples
    --------
    >>> rate_unit("m/s"), rate_unit("1"), rate_unit("")
    ('m/s^2', '1/s', '')
    """
    if not text:
        return ""
    return joined([*([] if text in PURE else parse(text)), ("s", -1)])


def define_unit(name: str, written: frozenset[str] = frozenset()) -> UnitDefinition:
    """Return a unit with those that were `written` in its place.

    Examples
    --------
    >>> define_unit("N m/rad").exponents, define_unit("m", frozenset({"mm"})).shown[0].factor
    ((('kg', 1), ('m', 2), ('s', -2), ('rad', -1)), 1000.0)
    """
    dimension, angle = NONE, Fraction(0)
    for symbol, exponent in parse(name):
        dimension = product(dimension, power(DIMENSIONS[symbol], exponent))
        angle += Fraction(exponent) if symbol == "rad" else 0
    pairs = [*zip((*BASE, "rad"), map(Fraction, (*dimension, angle)), strict=True)]
    whole = all(exponent.denominator == 1 for _, exponent in pairs)
    return UnitDefinition(
        name,
        tuple((symbol, int(exponent)) for symbol, exponent in pairs if exponent) if whole else None,
        tuple(ShownUnit(text, float(1 / read_unit(name, text).factor)) for text in sorted(written)),
    )
