"""Where a function's results go: the arrays that come last among its arguments."""

from __future__ import annotations

from eomc.backends.c99.code_views import ArrayView
from eomc.ir.program import EVALUATE, Function


def is_derivative(function: Function) -> bool:
    """Whether a function hands out the state derivative."""
    return function.name in ("rhs", EVALUATE)


SERIES_LENGTHS = {
    "dx": "NX",
    "kept": "TAYLOR_KEPT",
    "first": "TAYLOR_PRODUCTS",
    "second": "TAYLOR_PRODUCTS",
    "squared": "TAYLOR_SQUARES",
}
"""Macros of the lengths of what belongs to power series."""


def result_arrays(function: Function, macro: str) -> tuple[ArrayView, ...]:
    """Return the arrays of a function, in order; `macro` begins the names of the model's macros."""
    size = len(function.outputs)
    if is_derivative(function):
        return (ArrayView("dx", f"{macro}_NX", size, "state derivative; may be x itself"),)
    if function.name in ("taylor_value", "taylor_term"):
        return tuple(
            ArrayView(one.name, f"{macro}_{SERIES_LENGTHS[one.name]}", one.size, one.title) for one in function.arrays
        )
    prefix = f"{macro}_{function.name.upper()}"
    if not function.arrays:
        return (ArrayView("out", f"{prefix}_SIZE", size, _shape(function.shape) or "result"),)
    return tuple(
        ArrayView(
            array.name,
            f"{prefix}_{array.name.upper()}_SIZE",
            array.size,
            ", ".join(filter(None, (array.title, _shape(array.shape))))
            if array.size
            else f"{array.title}: empty, may be a null pointer",
        )
        for array in function.arrays
    )


def _shape(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} x {shape[1]}, by rows" if len(shape) == 2 else ""
