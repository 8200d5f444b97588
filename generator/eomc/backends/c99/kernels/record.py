"""What there is to know about a solve kernel beside its template."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization, SystemSpec


@dataclass(frozen=True, slots=True)
class Kernel:
    """A loop in C that solves linear systems of one kind in their place: ``templates/c99/kernels/<name>.c.jinja``."""

    factorization: Factorization
    name: str  # of its template; its function is <name>_solve
    title: str  # what is said where it is called
    arguments: tuple[str, ...]  # of its function: n, m, columns, strict; a, b, s of reals; order of integers
    statics: tuple[str, ...]  # functions of its template beside
    macros: tuple[str, ...]  # keys of what it calls by macros
    after: tuple[str, ...]  # names of the templates that come before its own
    scratch: Callable[[SystemSpec], int]  # reals that it works with beside its arguments
    order: Callable[[SystemSpec], int]  # integers likewise: how rows and columns are pivoted
    count: Callable[[SystemSpec], OperationCounts]  # what one call does; a tolerance counts as nothing
    most: Callable[[SystemSpec], OperationCounts]  # the most that one does of each kind, rows that depend included

    @property
    def headers(self) -> tuple[str, ...]:
        """What its templates include."""
        return ("stdbool.h", "stddef.h") if "strict" in self.arguments else ()

    @property
    def function(self) -> str:
        """Name of its function."""
        return f"{self.name}_solve"


def products(times: int) -> OperationCounts:
    """Return a product that is added or subtracted, so many times."""
    return OperationCounts(additions=times, multiplications=times)


def below(n: int) -> int:
    """Return the number of elements below the diagonal."""
    return n * (n - 1) // 2
