"""Coefficients of own functions as texts; a table for each family, made by ``tests/mathematics/coefficients.py``."""

from __future__ import annotations

from eomc.backends.c99.mathematics.coefficients.elementary import ELEMENTARY
from eomc.backends.c99.mathematics.coefficients.trigonometric import TRIGONOMETRIC
from eomc.backends.c99.mathematics.record import Coefficients, Precision

__all__ = ["COEFFICIENTS"]

_FAMILIES: tuple[dict[Precision, Coefficients], ...] = (TRIGONOMETRIC, ELEMENTARY)

COEFFICIENTS: dict[Precision, Coefficients] = {
    precision: {name: value for family in _FAMILIES for name, value in family[precision].items()}
    for precision in ("double", "single")
}
