"""Own mathematics of emitted C: functions that are written into a model instead of being called in libm.

Each family has a module with its records and a table of coefficients; its texts lie in ``templates/c99/mathematics/``.
"""

from __future__ import annotations

from collections.abc import Iterable

from eomc.backends.c99.mathematics.coefficients import COEFFICIENTS
from eomc.backends.c99.mathematics.elementary import ELEMENTARY
from eomc.backends.c99.mathematics.record import Bound, OwnFunction, OwnView, Precision, Shape
from eomc.backends.c99.mathematics.trigonometric import TRIGONOMETRIC
from eomc.backends.render import render

__all__ = ["INCLUDES", "OWN_FUNCTIONS", "Bound", "OwnFunction", "Precision", "Shape", "own_text", "with_needs"]

INCLUDES = ("stdint.h", "string.h")  # beside them the text wants the macros REAL and REAL_RARELY

OWN_FUNCTIONS: dict[str, OwnFunction] = {
    record.name: record for record in (OwnFunction("bits"), *TRIGONOMETRIC, *ELEMENTARY)
}


def with_needs(names: Iterable[str], shape: Shape = "lanes") -> tuple[str, ...]:
    """Return the functions and what they call, each once and after all that it calls."""
    ordered: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in ordered:
            for needed in OWN_FUNCTIONS[name].needed(shape):
                visit(needed)
            ordered[name] = None

    for name in names:
        visit(name)
    return tuple(ordered)


def own_text(names: Iterable[str], real: str, precision: Precision, shape: Shape = "lanes") -> str:
    """Return the C text of functions and of all that they call, as static functions.

    Parameters
    ----------
    names
        Functions, keys of ``OWN_FUNCTIONS``.
    real
        The scalar type as it is called in C, such as ``rolling_disk_real``.
    precision
        Which type that is.
    shape
        ``lanes``: cores without branches, which compilers vectorize in a loop; ``branches``: the same bits by branches,
        for small cores with hardware for the scalar; ``integers``: integer arithmetic where it is known, for targets
        without hardware for double (single precision has branches then).
    """
    if shape == "integers" and precision == "single":
        shape = "branches"
    view = OwnView(real=real, double=precision == "double", shape=shape, c=COEFFICIENTS[precision])
    texts = [
        render(f"c99/mathematics/{OWN_FUNCTIONS[name].template or name}.c.jinja", view)
        for name in with_needs(names, shape)
    ]
    return "\n".join(text for text in texts if text)
