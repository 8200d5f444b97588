"""The text of a unit, such as ``kg m^2``, ``N*m*s/rad``, ``m s-1`` or ``N-m``, as names with exponents.

Products are written by a space, ``*``, a dot or a hyphen, quotients by ``/`` or ``per``, powers by ``^``, ``**``,
digits at the end or small raised digits. A stroke divides by the one factor that follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from eomc.units.dimension import Exponent

Factors: TypeAlias = list[tuple[str, Exponent]]

_PLAIN = str.maketrans(
    {
        "\N{MIDDLE DOT}": "*",
        "\N{DOT OPERATOR}": "*",
        "\N{BULLET}": "*",
        "\N{MULTIPLICATION SIGN}": "*",
        "\N{MINUS SIGN}": "-",
        "\N{GREEK SMALL LETTER MU}": "\N{MICRO SIGN}",
        "\N{OHM SIGN}": "\N{GREEK CAPITAL LETTER OMEGA}",
    }
)
_RAISED = "\N{SUPERSCRIPT ZERO}\N{SUPERSCRIPT ONE}\N{SUPERSCRIPT TWO}\N{SUPERSCRIPT THREE}" + "".join(
    map(chr, range(0x2074, 0x207A))
)
_LOWERED = str.maketrans({**dict(zip(_RAISED, "0123456789", strict=True)), "\N{SUPERSCRIPT MINUS}": "-"})
_RAISED_NUMBER = re.compile(f"\N{SUPERSCRIPT MINUS}?[{_RAISED}]+")
_LONGEST = 100  # characters: brackets within brackets stay few
_LARGEST = 100  # exponent: a prefix to the power of a billion fills all memory

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[^\W\d]+|[%\N{DEGREE SIGN}][^\W\d]*)|(?P<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?P<sign>\*\*|\S))"
)
_EXPONENT = re.compile(
    r"\s*(?:\^|\*\*)\s*(?:(?P<power>[-+]?\d+(?:\.\d+)?)|\(\s*(?P<ratio>[-+]?\d+(?:\.\d+)?(?:\s*/\s*\d+)?)\s*\))"
    r"|(?P<digits>[-+]?\d+(?:\.\d+)?)"
)


def parse(text: str) -> Factors:
    """Return names with exponents, in the order of the text.

    Raises
    ------
    ValueError
        The text is no unit; the message says what is wrong with it, and stands after "the unit ...".

    Examples
    --------
    >>> parse("kg*m^2/s"), parse("m s-1")
    ([('kg', 1), ('m', 2), ('s', -1)], [('m', 1), ('s', -1)])
    """
    if len(text) > _LONGEST:
        raise ValueError("is too long for a unit")
    plain = _RAISED_NUMBER.sub(lambda found: "^" + found[0].translate(_LOWERED), text.translate(_PLAIN))
    reader = _Reader(plain)
    factors = list(reader.product())
    if reader.rest():
        raise ValueError(f"cannot be read from {reader.rest()!r} on")
    return factors


class _Reader:
    """Reads a text from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def rest(self) -> str:
        """Return what is not read yet."""
        return self._text[self._place :].strip()

    def product(self) -> Iterator[tuple[str, Exponent]]:
        """Read factors up to a closing bracket or the end."""
        sign = 1
        while True:
            for name, exponent in self._factor():
                yield name, sign * exponent
            rest = self.rest()
            if not rest or rest[0] == ")":
                return
            word = re.match(r"\*(?!\*)|[./]|-(?!\s*\d)|per\b", rest)
            sign = -1 if word and word[0] in ("/", "per") else 1
            if word:
                self._place = self._text.index(rest, self._place) + word.end()

    def _factor(self) -> Factors:
        token = _TOKEN.match(self._text, self._place)
        if token is None:
            raise ValueError("ends where a factor is missing")
        self._place = token.end()
        if token["name"]:
            found: Factors = [(token["name"], 1)]
        elif token["number"] == "1":
            return []
        elif token["number"]:
            raise ValueError(f"holds the number {token['number']}: give a unit without it")
        elif token["sign"] == "(":
            found = list(self.product())
            if not self.rest().startswith(")"):
                raise ValueError("has a bracket that is not closed")
            self._place = self._text.index(")", self._place) + 1
        else:
            raise ValueError(f"has {token['sign']!r} where a factor is missing")
        exponent = self._exponent()
        raised: Factors = [(name, exponent * power) for name, power in found]
        if any(abs(Fraction(power)) > _LARGEST for _, power in raised):
            raise ValueError(f"has an exponent that is larger than {_LARGEST}")
        return raised

    def _exponent(self) -> Exponent:
        found = _EXPONENT.match(self._text, self._place)
        if found is None:
            return 1
        self._place = found.end()
        try:
            value = Fraction((found["power"] or found["ratio"] or found["digits"]).replace(" ", ""))
        except ZeroDivisionError:
            raise ValueError("has an exponent that divides by zero") from None
        return int(value) if value.denominator == 1 else value
