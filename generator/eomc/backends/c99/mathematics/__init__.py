"""Own mathematics of emitted C: functions that are written into a model instead of being called in libm.

Each family has a module with its records and a table of coefficients; its texts lie in ``templates/c99/mathematics/``.
"""

from __future__ import annotations

from eomc.backends.c99.mathematics.modes import DEFAULT_MATHEMATICS, MATHEMATICS, Mathematics
from eomc.backends.c99.mathematics.record import Bound, OwnFunction, Precision, Shape
from eomc.backends.c99.mathematics.texts import INCLUDES, OWN_FUNCTIONS, own_definitions, own_text, with_needs
from eomc.backends.c99.mathematics.view import mathematics_view

__all__ = [
    "DEFAULT_MATHEMATICS",
    "INCLUDES",
    "MATHEMATICS",
    "OWN_FUNCTIONS",
    "Bound",
    "Mathematics",
    "OwnFunction",
    "Precision",
    "Shape",
    "mathematics_view",
    "own_definitions",
    "own_text",
    "with_needs",
]
