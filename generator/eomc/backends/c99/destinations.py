"""Where each result of a function goes: the array among its arguments, and the place in it."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable
from typing import TypeAlias

from eomc.backends.c99.results import is_derivative, result_arrays
from eomc.backends.c99.scope import Scope
from eomc.ir.program import Function
from eomc.passes.steps import Schedule

Destinations: TypeAlias = Callable[[int], tuple[str, str]]
"""Where a result goes: the array, or the struct, that is written, and the place in it, such as dx[PENDULUM_X_THETA]."""


def index_words(function: Function, scope: Scope) -> tuple[str, ...]:
    """Return the enumerators that are indices into a function's result; () where the results have no names."""
    if is_derivative(function) or len(function.shape) != 1 or len(function.output_names) != len(function.outputs):
        return ()
    return scope.enumerators_of(function.name, function.output_names)


def row_words(function: Function, scope: Scope) -> tuple[str, ...]:
    """Return the enumerators that are rows of a function's result; () where the rows have no names."""
    return scope.enumerators_of(function.name, function.row_names)


def function_destinations(function: Function, scope: Scope) -> Destinations:
    """Return where the results of a function go, by their numbers."""
    arrays = result_arrays(function, scope.macro)
    words = scope.enumerators if is_derivative(function) else index_words(function, scope)
    ends = list(itertools.accumulate(array.size for array in arrays))
    rows = row_words(function, scope)

    def place(index: int) -> tuple[str, str]:
        if rows:
            row, column = divmod(index, function.shape[1])
            return arrays[0].name, f"{arrays[0].name}[{_element(function.shape[1], rows[row], column)}]"
        number = bisect.bisect_right(ends, index)
        array = arrays[number]
        word = words[index] if words else index - ends[number] + array.size
        return array.name, f"{array.name}[{word}]"

    return place


def _element(width: int, row: str, column: int) -> str:
    """Return the index of an entry of a matrix; a product by one and a sum with zero would be dead (MISRA 2.2)."""
    start = row if width == 1 else f"{width} * {row}"
    if column == 0:
        return start
    return f"({start}) + {column}"  # of two columns or more: the start is a product


def prepare_destinations(schedule: Schedule, scope: Scope) -> Destinations:
    """Return where the constants go."""
    fields = [*scope.constants]
    for table, field in zip(schedule.tables, scope.tables, strict=True):
        fields += [f"{field}[{k}]" for k in range(len(table.nodes))]
    return lambda index: ("c", f"c->{fields[index]}")
