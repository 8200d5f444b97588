"""Which macros and helpers the printed functions call, their kernels included."""

from __future__ import annotations

from collections.abc import Collection

from eomc.backends.c99.spelling import MACROS
from eomc.backends.c99.views import MacroView, UsesView

__all__ = ["uses_view"]

CONSTRAINED_KERNELS = ("eliminated", "augmented", "range-space", "null-space")
_KERNELS = ("ldlt_solve", "lu_solve", *(f"{form.replace('-', '_')}_solve" for form in CONSTRAINED_KERNELS))


def uses_view(used: Collection[str], several_files: bool) -> UsesView:
    """Return what has to be defined for the functions that call `used`.

    Parameters
    ----------
    used
        Keys of macros, helper functions and kernels.
    several_files
        Whether the kernels serve files beside that which holds them.
    """
    kernels = tuple(key.removesuffix("_solve") for key in _KERNELS if key in used)
    constrained = tuple(form for form in CONSTRAINED_KERNELS if f"{form.replace('-', '_')}_solve" in used)
    keys = [key for key in MACROS if key in used or (key == "FLOOR" and "mod" in used)]
    lu, ldlt = "lu_solve" in used, "ldlt_solve" in used or bool(constrained)
    keys += ["FABS", "SQRT"] if constrained else []
    keys += ["EPSILON"] if ldlt or lu else []
    keys += ["FABS"] if lu else []
    called = [MACROS[key] for key in dict.fromkeys(keys)]
    return UsesView(
        macros=tuple(MacroView(macro.name + macro.arguments, macro.double, macro.single) for macro in called),
        libm=any(macro.name != "REAL_EPSILON" for macro in called),
        sign="sign" in used,
        mod="mod" in used,
        equal="equal" in used,
        clear="clear_reals" in used,
        rarely="RARELY" in used,
        ldlt=ldlt,
        lu=lu,
        constrained=constrained,
        shared=kernels if several_files else (),
    )
