"""Names of units that SI does not have, such as inches and pounds, by the package pint; imported when one is met."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from eomc.units.dimension import NONE, Dimension, Exponent, power, product
from eomc.units.spelling import coherent
from eomc.units.table import DIMENSIONS, Named

_ROOTS = {
    **{"gram": "kg", "meter": "m", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol", "candela": "cd"},
    "radian": "rad",
}  # pint's root units -> ours


def foreign(name: str) -> Named | None:
    """Return what pint knows under a name, None where it knows nothing.

    Raises
    ------
    ValueError
        pint is not installed, or the unit is none that a factor converts.
    """
    registry = _registry()
    if registry is None:
        raise ValueError(f"has {name!r}, which is no unit of SI: others need pint, pip install 'eomc[units]'")
    import pint

    try:
        unit = registry.parse_units(name)
        factor, roots = registry.get_root_units(unit)
        doubled = registry.Quantity(2, unit).to_root_units().magnitude
    except (pint.PintError, AttributeError, TypeError, ValueError):
        return None
    if not roots._units:
        return None  # a number, such as pi
    if doubled != 2 * factor:
        raise ValueError(f"has {name!r}, a scale that no factor converts: give a unit of SI")
    dimension: Dimension = NONE
    pairs: list[tuple[str, Exponent]] = []
    number = Fraction(factor)
    for root, exponent in roots._units.items():
        count = Fraction(exponent).limit_denominator(100)
        if root in _ROOTS:
            pairs.append((_ROOTS[root], count))
            dimension = product(dimension, power(DIMENSIONS[_ROOTS[root]], count))
            number *= _grams(count) if root == "gram" else 1
        elif not registry.Unit(root).dimensionless:
            return None
    turns = any(symbol == "rad" for symbol, _ in pairs)
    return Named(number, dimension, tuple(pairs) if turns else coherent(dimension))


def _grams(count: Fraction) -> Fraction:
    """Return the factor of grams to some power to kilograms."""
    return Fraction(1, 1000) ** int(count) if count.denominator == 1 else Fraction(0.001 ** float(count))


@functools.cache
def _registry() -> Any:
    """Return pint's units, with decimal factors; None where pint is not installed."""
    try:
        import pint
    except ImportError:
        return None
    from decimal import Decimal

    return pint.UnitRegistry(non_int_type=Decimal)
