"""Records of sin, cos, sincos and tan."""

from __future__ import annotations

from eomc.backends.c99.mathematics.record import Bound, OwnFunction

__all__ = ["TRIGONOMETRIC"]

_REDUCED = ("reduction_small", "reduction_large")
_CORE = ("bits", "reduction", "sincos_kernels")
_INTEGERS = ("bits", "integer_angle", "integer_sincos")
_ANGLE = "near_angle"
_ULP = Bound(0.9, 0.9)

TRIGONOMETRIC: tuple[OwnFunction, ...] = (
    OwnFunction("near", ("bits", "magnitude")),
    OwnFunction("below", ("near",)),
    OwnFunction("near_angle", ("near",)),
    OwnFunction("high_product"),
    OwnFunction("leading_zeros"),
    OwnFunction("turns"),
    OwnFunction("fma"),
    OwnFunction("reduction", ("bits", "fma")),
    OwnFunction("reduction_small", ("magnitude", "reduction"), fused=("bits", "reduction")),
    OwnFunction("reduction_large", ("bits", "high_product", "turns", "reduction")),
    OwnFunction("sincos_kernels", ("in_place", "fma")),
    OwnFunction("sine_cosine"),
    OwnFunction("tan_of", ("bits", "reduction")),
    OwnFunction("integer_angle", ("bits", "high_product", "leading_zeros", "turns")),
    OwnFunction("integer_sincos", ("integer_angle",)),
    OwnFunction("sin_core", _CORE),
    OwnFunction("cos_core", _CORE),
    OwnFunction("sincos_core", (*_CORE, "sine_cosine")),
    OwnFunction("tan_core", ("tan_of",)),
    OwnFunction("sin", (*_REDUCED, "sincos_kernels"), _ULP, core="real_sin_core", range=_ANGLE, integers=_INTEGERS),
    OwnFunction("cos", (*_REDUCED, "sincos_kernels"), _ULP, core="real_cos_core", range=_ANGLE, integers=_INTEGERS),
    OwnFunction(
        "sincos",
        (*_REDUCED, "sincos_kernels", "sine_cosine"),
        _ULP,
        results=("sin", "cos"),
        core="real_sincos_core",
        range=_ANGLE,
        integers=(*_INTEGERS, "sine_cosine"),
    ),
    OwnFunction("sincos_four", ("sincos", "sincos_core", "near_angle"), integers=("in_place", "sincos")),
    OwnFunction(
        "tan",
        (*_REDUCED, "tan_of"),
        Bound(1.6, 1.6),
        core="real_tan_core",
        range=_ANGLE,
        integers=("bits", "high_product", "leading_zeros", "integer_angle"),
    ),
)
