"""Records of sin, cos, sincos and tan."""

from __future__ import annotations

from eomc.backends.c99.mathematics.record import Bound, OwnFunction

__all__ = ["TRIGONOMETRIC"]

_REDUCED = ("bits", "magnitude", "reduction", "reduction_large")

TRIGONOMETRIC: tuple[OwnFunction, ...] = (
    OwnFunction("high_product"),
    OwnFunction("reduction", ("bits",)),
    OwnFunction("reduction_large", ("bits", "high_product", "reduction")),
    OwnFunction("sincos_kernels"),
    OwnFunction("sin", (*_REDUCED, "sincos_kernels"), Bound(0.9, 0.9), core="real_sin_core"),
    OwnFunction("cos", (*_REDUCED, "sincos_kernels"), Bound(0.9, 0.9), core="real_cos_core"),
    OwnFunction(
        "sincos", (*_REDUCED, "sincos_kernels"), Bound(0.9, 0.9), results=("sin", "cos"), core="real_sincos_core"
    ),
    OwnFunction("tan", _REDUCED, Bound(1.5, 1.5), core="real_tan_core"),
)
