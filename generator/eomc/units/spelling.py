"""One spelling of units: ``kg m^2/s``, ``N m s/rad``, ``1/(m s)``; symbols in one order, at most one stroke."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from eomc.units.dimension import BASE, Dimension, Exponent
from eomc.units.table import DIMENSIONS, Pairs, dimension_of

_FIRST = ("kg", "N", "Pa", "J", "W", "V", "A", "C")
_LAST = ("mol", "K", "cd", "m", "rad", "s")
_RANK: Mapping[str, int] = {
    symbol: rank
    for rank, symbol in enumerate((*_FIRST, *(s for s in DIMENSIONS if s not in _FIRST and s not in _LAST), *_LAST))
}


def joined(factors: Iterable[tuple[str, Exponent]]) -> str:
    """Return symbols with exponents as one text; ``1`` where nothing is left of them.

    Examples
    --------
    >>> joined([("m", 1), ("kg", 1), ("m", 1)]), joined([("N", 1), ("m", -1), ("s", -1)]), joined([("s", -1)])
    ('kg m^2', 'N/(m s)', '1/s')
    """
    exponents: dict[str, Exponent] = {}
    for symbol, exponent in factors:
        exponents[symbol] = exponents.get(symbol, 0) + exponent
    ordered = sorted(((s, e) for s, e in exponents.items() if e), key=lambda pair: _RANK[pair[0]])
    above = [_raised(symbol, exponent) for symbol, exponent in ordered if exponent > 0]
    below = [_raised(symbol, -exponent) for symbol, exponent in ordered if exponent < 0]
    text = " ".join(above) or "1"
    if not below:
        return text
    return f"{text}/{below[0]}" if len(below) == 1 else f"{text}/({' '.join(below)})"


def _raised(symbol: str, exponent: Exponent) -> str:
    if exponent == 1:
        return symbol
    return f"{symbol}^{exponent}" if Fraction(exponent).denominator == 1 else f"{symbol}^({Fraction(exponent)})"


_USUAL: tuple[Pairs, ...] = (
    (("N", 1),),
    (("N", 1), ("m", 1)),
    (("N", 1), ("m", -1)),
    (("N", 1), ("m", -3)),
    (("Pa", 1),),
    (("W", 1),),
    (("V", 1),),
    (("C", 1),),
    (("ohm", 1),),
    (("H", 1),),
    (("F", 1),),
    (("T", 1),),
    (("V", 1), ("s", 1)),
    (("N", 1), ("m", 1), ("A", -1)),
)
_FAMILIAR: Mapping[Dimension, Pairs] = {dimension_of(pairs): pairs for pairs in reversed(_USUAL)}


def coherent(dimension: Dimension) -> Pairs:
    """Return the unit of SI of a dimension: by a usual name, else in base units."""
    return _FAMILIAR.get(dimension) or tuple(zip(BASE, dimension, strict=True))


def spelled(dimension: Dimension) -> str:
    """Return the unit of SI of a dimension as text: ``N m`` of energies and torques.

    Examples
    --------
    >>> spelled((1, 2, -2, 0, 0, 0, 0)), spelled((1, 2, -1, 0, 0, 0, 0)), spelled((0,) * 7)
    ('N m', 'kg m^2/s', '1')
    """
    return joined(coherent(dimension))
