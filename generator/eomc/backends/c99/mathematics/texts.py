"""Texts of own functions, with all that they call."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.backends.c99.mathematics.coefficients import COEFFICIENTS
from eomc.backends.c99.mathematics.elementary import ELEMENTARY
from eomc.backends.c99.mathematics.record import OwnFunction, OwnView, Precision, RootView, Shape
from eomc.backends.c99.mathematics.trigonometric import TRIGONOMETRIC
from eomc.backends.render import render

INCLUDES = ("stdbool.h", "stdint.h")  # beside them the text wants the macros REAL and REAL_RARELY

_BITS = (
    OwnFunction("in_place"),
    OwnFunction("image", ("in_place",)),
    OwnFunction("from_bits", ("image",)),
    OwnFunction("bits", ("from_bits",)),
    OwnFunction("nan", ("from_bits",)),
)

OWN_FUNCTIONS: dict[str, OwnFunction] = {record.name: record for record in (*_BITS, *TRIGONOMETRIC, *ELEMENTARY)}


def with_needs(names: Iterable[str], shape: Shape = "floats") -> tuple[str, ...]:
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


def own_text(names: Iterable[str], real: str, precision: Precision, shape: Shape = "floats") -> str:
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
        ``floats``: floating-point arithmetic; ``fused``: the same, with products and sums in one operation where the
        processor has it; ``integers``: integer arithmetic where it is known, for targets without hardware for double
        (single precision has the other one then).
    """
    shape = _known(shape, precision)
    return "\n".join(_texts(with_needs(names, shape), real, precision, shape).values())


def own_definitions(names: Iterable[str], real: str, precision: Precision, shape: Shape) -> str:
    """Return what a model defines for functions that it calls, the macro `REAL_SQRT` included where it is wanted.

    A square root is the processor's where that has one and the compiler may take it: the same bits as ours.
    """
    shape = _known(shape, precision)
    wanted = set(names)
    functions = with_needs(sorted(wanted - {"sqrt"}), shape)
    texts = _texts(functions, real, precision, shape)
    if "sqrt" not in wanted and not any("REAL_SQRT(" in text for text in texts.values()):
        return "\n".join(texts.values())
    own = _texts(with_needs(["sqrt"]), real, precision, shape)
    shared = [texts.pop(name) for name in own if name in texts]  # what others call, too, cannot be left out with it
    alone = "\n".join(text for name, text in own.items() if name not in functions)
    root = render("c99/mathematics/root.c.jinja", RootView(precision == "double", alone))
    return "\n".join([*shared, root, *texts.values()])


def _known(shape: Shape, precision: Precision) -> Shape:
    """Return the shape that there is: single precision has none of integers alone."""
    return "floats" if shape == "integers" and precision == "single" else shape


def _texts(names: Iterable[str], real: str, precision: Precision, shape: Shape) -> dict[str, str]:
    """Return the texts of functions in this order; some have none in a shape."""
    view = OwnView(real=real, double=precision == "double", shape=shape, c=COEFFICIENTS[precision])
    texts = {name: render(f"c99/mathematics/{OWN_FUNCTIONS[name].template or name}.c.jinja", view) for name in names}
    return {name: text for name, text in texts.items() if text}
