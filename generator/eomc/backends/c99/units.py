"""Cut a large model's functions into several C files, so that `make -j` helps and no file is beyond a compiler.

A model of up to `LARGEST` statements is one file with static parts. Beyond, `<model>.c` keeps the data, the kernels and
the integrator; the functions and their parts go to `<model>_part1.c`, ..., and see each other through
`<model>_internal.h`, under names that begin with the model's.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.backends.c99.code_views import CFunction, UnitView
from eomc.backends.c99.identifiers import link_name
from eomc.backends.c99.scope import Scope
from eomc.passes.steps import Schedule

LARGEST = 10_000
"""Statements of a model in one file: about ten seconds of gcc -O2."""


def count_units(schedule: Schedule, largest: int) -> int:
    """Return how many files hold the functions beside `<model>.c`, each about half of the largest; 0: it has them."""
    statements = sum(
        len(chunk.steps) + len(chunk.loads) + len(chunk.stores)
        for routine in schedule.all_routines
        for chunk in routine.chunks
    )
    return 0 if statements <= largest else -(-2 * statements // largest)


def divide(functions: Sequence[CFunction], units: int, scope: Scope, interface: str) -> tuple[UnitView, ...]:
    """Return the files, in the order of the functions and with like numbers of lines; none without any function."""
    total = sum(len(function.body) for function in functions)
    shares: list[list[CFunction]] = [[]]
    lines = 0
    for function in functions:
        if shares[-1] and lines * units >= len(shares) * total:
            shares.append([])
        shares[-1].append(function)
        lines += len(function.body)
    return tuple(
        UnitView(
            name=f"{scope.prefix}_part{number}",
            link_double=link_name(scope.prefix, f"_p{number}", 64, interface),
            link_float=link_name(scope.prefix, f"_p{number}", 32, interface),
            definitions=tuple(share),
        )
        for number, share in enumerate(shares, start=1)
    )
