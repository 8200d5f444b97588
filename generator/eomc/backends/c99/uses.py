"""Which macros and helpers the printed functions call, their kernels included."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from eomc.backends.c99.kernels import KERNELS, Kernel, kernel_templates
from eomc.backends.c99.layout import declaration
from eomc.backends.c99.mathematics import Mathematics, mathematics_view
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import MACROS
from eomc.backends.c99.use_views import MacroView, SharedKernelView, UsesView


def uses_view(used: Collection[str], scope: Scope, choice: Mathematics) -> UsesView:
    """Return what has to be defined for the functions that call `used`.

    Parameters
    ----------
    used
        Keys of macros, helper functions and kernels.
    scope
        Names; says whether the kernels serve files beside that which holds them.
    choice
        Whose mathematics.
    """
    kernels = [kernel for kernel in KERNELS.values() if kernel.function in used]
    keys = {key for kernel in kernels for key in kernel.macros}.union(used, ["FLOOR"] if "mod" in used else [])
    mathematics = mathematics_view(choice, keys, f"{scope.prefix}_real")
    called = [macro for key, macro in MACROS.items() if key in keys and (key == "EPSILON" or not choice.own)]
    headers = {*mathematics.headers, *itertools.chain(*(kernel.headers for kernel in kernels))}
    headers |= {"stddef.h"} if {"input_at", "parameter_at"} & set(used) else set()
    headers |= {"stdbool.h"} if {"bool", "equal"} & keys else set()
    return UsesView(
        macros=tuple(MacroView(macro.name + macro.arguments, macro.double, macro.single) for macro in called),
        sign="sign" in used,
        mod="mod" in used,
        equal="equal" in used,
        clear="clear_reals" in used,
        copy="copy_reals" in used or any("constrained" in kernel.after for kernel in kernels),
        inputs="input_at" in used,
        parameters="parameter_at" in used,
        rarely="RARELY" in used or "REAL_RARELY(" in mathematics.double + mathematics.single,
        headers=tuple(sorted(headers)),
        kernels=kernel_templates(kernels),
        shared=tuple(_shared(kernel, scope) for kernel in kernels) if scope.shared else (),
        mathematics=mathematics,
    )


def _shared(kernel: Kernel, scope: Scope) -> SharedKernelView:
    """Return a kernel under the name that the files of a large model share."""
    types = {name: "int " for name in ("n", "m", "columns")} | {"strict": "bool "}
    types |= {name: f"{scope.prefix}_real *" for name in ("a", "b", "s")} | {"order": "int *"}
    head = f"int {scope.shared}{kernel.function}("
    return SharedKernelView(
        function=kernel.function,
        signature=declaration(head, [types[name] + name for name in kernel.arguments]),
        arguments=", ".join(kernel.arguments),
    )
