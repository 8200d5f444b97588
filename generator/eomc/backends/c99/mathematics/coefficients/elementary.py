"""Made by ``python tests/mathematics/coefficients.py elementary --write``; texts that read back exactly."""

from __future__ import annotations

from eomc.backends.c99.mathematics.record import Coefficients, Precision

__all__ = ["ELEMENTARY"]

ELEMENTARY: dict[Precision, Coefficients] = {
    "double": {},
    "single": {},
}
