"""Small models: the state derivative as a static function, which the compiler may put into every stage of a step.

The external one may be replaced when a program is linked or loaded, so that compilers leave a call of it alone; and
a call keeps the slopes of a stage in memory. They stay in the work struct all the same: as locals of the step they save
a twentieth at -O2 and on a Cortex-M4, and cost a seventh at -O3 -march=native, where compilers gather them to vectors.
"""

from __future__ import annotations

from eomc.backends.c99.arguments import function_arguments, signature
from eomc.backends.c99.code_views import ArrayView, CFunction
from eomc.backends.c99.scope import Scope

SLOPES = "derivative"
"""The static function."""

SMALL = 8
"""States of a small model: as many doubles as a cache line holds. Their updates are statements, no loops."""


def is_small(scope: Scope) -> bool:
    """Whether a step has a statement for each state.

    In loops, which compilers turn into vectors, every stage would wait for the scalar stores of the one before.
    """
    return len(scope.states) <= SMALL


def with_slopes(rhs: CFunction, arrays: tuple[ArrayView, ...], scope: Scope) -> tuple[CFunction, CFunction]:
    """Return the static function with the body of `rhs`, and `rhs` that calls it."""
    arguments = function_arguments(scope, arrays)
    head = signature(f"static REAL_INLINE {scope.prefix}_status {SLOPES}", arguments)
    call = f"    return {SLOPES}({', '.join(argument.name for argument in arguments)});"
    return CFunction(f"{rhs.title}, for the stages of a step", head, rhs.body), CFunction(
        rhs.title, rhs.signature, (call,)
    )
