"""Records of sin, cos, sincos and tan."""

from __future__ import annotations

from eomc.backends.c99.mathematics.record import Bound, OwnFunction

__all__ = ["TRIGONOMETRIC"]

_REDUCED = ("bits", "magnitude", "reduction", "reduction_large")
_PAIR = (*_REDUCED, "sincos_kernels")
_INTEGERS = ("bits", "integer_angle", "integer_sincos")

TRIGONOMETRIC: tuple[OwnFunction, ...] = (
    OwnFunction("near", ("bits", "magnitude")),
    OwnFunction("near_angle", ("near",)),
    OwnFunction("high_product"),
    OwnFunction("leading_zeros"),
    OwnFunction("turns"),
    OwnFunction("reduction", ("bits", "magnitude")),
    OwnFunction("reduction_large", ("bits", "high_product", "turns", "reduction")),
    OwnFunction("sincos_kernels"),
    OwnFunction("integer_angle", ("bits", "high_product", "leading_zeros", "turns")),
    OwnFunction("integer_sincos", ("integer_angle",)),
    OwnFunction(
        "sin",
        _PAIR,
        Bound(0.9, 0.9),
        core="real_sin_core",
        range="near_angle",
        integers=_INTEGERS,
    ),
    OwnFunction(
        "cos",
        _PAIR,
        Bound(0.9, 0.9),
        core="real_cos_core",
        range="near_angle",
        integers=_INTEGERS,
    ),
    OwnFunction(
        "sincos",
        _PAIR,
        Bound(0.9, 0.9),
        results=("sin", "cos"),
        core="real_sincos_core",
        range="near_angle",
        integers=_INTEGERS,
    ),
    OwnFunction(
        "tan",
        _REDUCED,
        Bound(1.6, 1.6),
        core="real_tan_core",
        range="near_angle",
        integers=("bits", "high_product", "leading_zeros", "integer_angle"),
    ),
)
