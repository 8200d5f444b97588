"""Records of exponential, hyperbolic and inverse trigonometric functions, powers and roots.

Their texts want the macro ``REAL_SQRT`` beside those of all texts: the target's square root or ``real_sqrt``.
"""

from __future__ import annotations

from eomc.backends.c99.mathematics.record import Bound, OwnFunction

__all__ = ["ELEMENTARY"]

_EXACT = Bound(0.0, 0.0)

_PARTS = (
    OwnFunction("magnitude", ("image",)),
    OwnFunction("with_sign", ("bits",)),
    OwnFunction("sign_mask", ("bits",)),
    OwnFunction("select", ("bits",)),
    OwnFunction("head", ("bits",)),
    OwnFunction("power_of_two", ("bits",)),
    *(OwnFunction(f"near_{name}", ("near",)) for name in ("exp", "hyperbolic", "atan")),
    OwnFunction("exp_reduced", ("in_place",)),
    OwnFunction("exp_near", ("bits", "exp_reduced")),
    OwnFunction("exp_scaled", ("exp_reduced", "power_of_two")),
    OwnFunction("exp_wide", ("bits", "exp_scaled")),
    OwnFunction("log_kernel", ("bits",)),
    OwnFunction("log_parts", ("bits", "head")),
    OwnFunction("pow_exponent", ("head", "log_parts")),
    OwnFunction("pow_core", ("pow_exponent", "exp_near")),  # pow does not call it: it needs the exponent before
    OwnFunction("hyperbolic", ("bits",)),
    OwnFunction("arc_tangent", ("bits", "sign_mask", "select")),
    OwnFunction("arc_sine", ("magnitude", "sign_mask", "select")),
)

ELEMENTARY: tuple[OwnFunction, ...] = (
    *_PARTS,
    OwnFunction("exp", ("magnitude", "exp_near", "exp_wide"), Bound(1.0, 1.0), core="real_exp_core", range="near_exp"),
    OwnFunction("log", ("bits", "log_kernel"), Bound(1.0, 1.0), core="real_log_core"),
    OwnFunction(
        "pow",
        ("bits", "magnitude", "with_sign", "log_parts", "pow_exponent", "exp_near", "exp_scaled"),
        Bound(1.2, 1.2),
        arity=2,
        core="real_pow_core",
    ),
    OwnFunction(
        "sinh",
        ("magnitude", "with_sign", "hyperbolic", "exp_wide"),
        Bound(1.6, 1.6),
        core="real_sinh_core",
        range="near_hyperbolic",
    ),
    OwnFunction(
        "cosh", ("magnitude", "hyperbolic", "exp_wide"), Bound(1.1, 1.1), core="real_cosh_core", range="near_hyperbolic"
    ),
    OwnFunction(
        "tanh",
        ("magnitude", "with_sign", "hyperbolic"),
        Bound(2.0, 2.0),
        core="real_tanh_core",
        range="near_hyperbolic",
    ),
    OwnFunction(
        "atan",
        ("magnitude", "with_sign", "sign_mask", "arc_tangent"),
        Bound(1.6, 1.6),
        core="real_atan_core",
        range="near_atan",
    ),
    OwnFunction(
        "atan2",
        ("bits", "magnitude", "with_sign", "sign_mask", "arc_tangent"),
        Bound(1.6, 1.6),
        arity=2,
        core="real_atan2_core",
    ),
    OwnFunction("asin", ("with_sign", "select", "arc_sine"), Bound(1.3, 1.3), core="real_asin", range=""),
    OwnFunction("acos", ("sign_mask", "select", "arc_sine"), Bound(1.3, 1.3), core="real_acos", range=""),
    OwnFunction("cbrt", ("bits", "magnitude", "with_sign"), Bound(0.51, 0.51), core="real_cbrt_core"),
    OwnFunction("hypot", ("from_bits", "magnitude"), Bound(1.25, 1.25), arity=2, core="real_hypot_core"),
    OwnFunction(
        "floor", ("bits", "magnitude", "with_sign", "sign_mask", "select"), _EXACT, core="real_floor", range=""
    ),
    OwnFunction("sqrt", ("bits",), Bound(0.5, 0.5), range=""),  # its core is a macro
    OwnFunction("fmin", (), _EXACT, arity=2, core="real_fmin"),
    OwnFunction("fmax", (), _EXACT, arity=2, core="real_fmax"),
)
