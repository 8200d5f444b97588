"""From the text of a unit to what it means."""

from __future__ import annotations

import functools
from fractions import Fraction

from eomc.errors import EomcError, ModelError
from eomc.units.dimension import NONE, Exponent, power, product
from eomc.units.foreign import foreign
from eomc.units.parsing import parse
from eomc.units.spelling import joined
from eomc.units.table import LONG_PREFIXES, NAMES, PREFIXES, PURE, UNITS, WITH_OFFSET, Named
from eomc.units.unit import Unit

_LEAST = Fraction(1, 10**300)


def read_unit(what: str, text: str, kind: type[EomcError] = ModelError) -> Unit:
    """Return the unit that a text means.

    Parameters
    ----------
    what
        Whose unit it is, for messages: "parameter k".
    text
        Such as ``kg m^2``, ``N*m``, ``mm``, ``deg/s`` or ``1``; other names than those of SI are pint's.
    kind
        The error of a text that means none.

    Raises
    ------
    EomcError
        The unit is not known, or has an offset; the message begins with `what`.

    Examples
    --------
    >>> read_unit("k", "N/mm").si, float(read_unit("k", "N/mm").factor)
    ('N/m', 1000.0)
    """
    try:
        return _read(text)
    except ValueError as error:
        raise kind(f"{what}: the unit {_cut(text)!r} {error}") from error


def _cut(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:36]} ..."


@functools.lru_cache(maxsize=1024)
def _read(text: str) -> Unit:
    if text.strip() in PURE:
        return Unit(text, "1", NONE, Fraction(1))
    dimension, factor, si = NONE, Fraction(1), []
    for name, exponent in parse(text):
        one = _named(name)
        dimension = product(dimension, power(one.dimension, exponent))
        factor *= _power(one.factor, exponent)
        si += [(symbol, count * exponent) for symbol, count in one.si]
    if not _LEAST <= factor <= 1 / _LEAST:
        raise ValueError("is beyond what a number holds")
    return Unit(" ".join(text.split()), joined(si), dimension, factor)


def _power(factor: Fraction, exponent: Exponent) -> Fraction:
    if factor == 1:
        return factor
    if Fraction(exponent).denominator == 1:
        return factor ** int(exponent)
    try:
        return Fraction(float(factor) ** float(exponent))
    except OverflowError:
        raise ValueError("is beyond what a number holds") from None


def _named(name: str) -> Named:
    """Return what a name stands for: in the table, with a prefix, as a long word, or in pint's registry."""
    if name in WITH_OFFSET:
        raise ValueError(f"has {name}, a scale with an offset: give kelvin, 'K'")
    found = _symbol(name) or _word(name) or (_word(name[:-1]) if name.endswith("s") else None) or foreign(name)
    if found is None:
        raise ValueError(f"has {name!r}, which is not known")
    return found


def _symbol(name: str) -> Named | None:
    """Return a symbol of the table, with its prefix."""
    if name in UNITS:
        return UNITS[name]
    for letters in (name[:1], name[:2]):
        unit = UNITS.get(name[len(letters) :])
        if letters in PREFIXES and unit is not None and unit.prefixed:
            return Named(unit.factor * Fraction(10) ** PREFIXES[letters], unit.dimension, unit.si)
    return None


def _word(name: str) -> Named | None:
    """Return a unit by its long name."""
    if name in NAMES:
        return UNITS[NAMES[name]]
    for word, letter in LONG_PREFIXES.items():
        rest = name.removeprefix(word)
        if rest != name and rest in NAMES:
            return _symbol(letter + NAMES[rest])
    return None
