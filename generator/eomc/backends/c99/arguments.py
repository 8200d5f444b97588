"""Formal arguments of the emitted functions: how they are declared, and what is said of those that are not read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from eomc.backends.c99.code_views import ArrayView
from eomc.backends.c99.layout import Line, align, declaration
from eomc.backends.c99.scope import Scope


@dataclass(frozen=True, slots=True)
class Argument:
    """A formal argument: how it is declared, what it is called, why it may be unused."""

    declaration: str
    name: str
    unused: str


def prepare_arguments(scope: Scope) -> list[Argument]:
    """Return the arguments of ``_prepare``."""
    return [
        Argument(f"const {scope.prefix}_parameters *p", "p", "no parameter matters"),
        Argument(f"{scope.prefix}_constants *c", "c", ""),
    ]


def function_arguments(scope: Scope, results: Sequence[ArrayView], accelerations: bool = False) -> list[Argument]:
    """Return the arguments of a function of the program, which may take accelerations beside the state."""
    prefix, macro = scope.prefix, scope.macro
    beside = [Argument(f"const {prefix}_real dv[{macro}_NV]", "dv", "no acceleration enters")] if accelerations else []
    return [
        Argument(f"{prefix}_real t", "t", "time does not enter"),
        Argument(f"const {prefix}_real x[{macro}_NX]", "x", "no state enters"),
        *beside,
        Argument(f"const {prefix}_inputs *r", "r", "no input enters"),
        Argument(f"const {prefix}_constants *c", "c", "no parameter enters"),
        Argument(f"{prefix}_work *work", "work", "no scratch memory needed"),
        *(Argument(f"{prefix}_real {result.declarator}", result.name, "empty") for result in results),
    ]


def series_arguments(scope: Scope, results: Sequence[ArrayView], kept: bool) -> list[Argument]:
    """Return the arguments of the function of order k > 0 of power series; `kept`: some values of order 0 are read."""
    prefix, macro = scope.prefix, scope.macro
    names = [result.name for result in results]
    given = (
        ("product", "TAYLOR_PRODUCTS", "first" in names),
        ("square", "TAYLOR_SQUARES", "squared" in names),
        ("kept", "TAYLOR_KEPT", kept),
    )
    arguments = function_arguments(scope, results)
    first = len(arguments) - len(results)
    return [
        *arguments[:first],
        Argument(f"{prefix}_real order", "order", "no weighted product"),
        *(
            Argument(f"const {prefix}_real {name}[{macro}_{length}]", name, "")
            for name, length, there in given
            if there
        ),
        *arguments[first:],
    ]


def routine_signature(scope: Scope, name: str, arguments: Sequence[Argument]) -> tuple[str, ...]:
    """Return the lines that declare ``_prepare`` or a function of the program."""
    return signature(f"{scope.prefix}_status {scope.prefix}_{name}", arguments)


def signature(head: str, arguments: Sequence[Argument]) -> tuple[str, ...]:
    """Return a declaration in one line, or with one argument per line."""
    declarations = [argument.declaration for argument in arguments]
    one = f"{head}({', '.join(declarations)})"
    return (one,) if len(one) <= 100 else declaration(f"{head}(", declarations)


def discards(arguments: Sequence[Argument], touched: Collection[str]) -> list[str]:
    """Return lines that consume the arguments that are not touched, and a blank line after them."""
    lines = [
        Line(f"    (void){argument.name};", argument.unused) for argument in arguments if argument.name not in touched
    ]
    return [*align(lines), ""] if lines else []
