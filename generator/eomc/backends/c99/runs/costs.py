"""The most that a step of a run takes, in operations of each kind and on the stack."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eomc.backends.c99.costs import most_of_name, projection_cost, told_rounds
from eomc.backends.c99.stack import PROJECT, stack_bounds
from eomc.ir.operations import OperationCounts
from eomc.pairs import Pair
from eomc.passes.steps import Schedule

_FRAME = 160  # of one of the functions on the way
_LENGTH = OperationCounts(additions=90, multiplications=170, divisions=8, others=80)  # what a new length takes


def pair_costs(pair: Pair, schedule: Schedule, own_mathematics: bool) -> tuple[str, str, str]:
    """Return what is said of operations and stack of a step, and of its dense output."""
    states, rhs = len(schedule.program.states), most_of_name(schedule, "rhs")
    total = rhs * len(pair.a) + _LENGTH + OperationCounts(additions=len(pair.a), multiplications=len(pair.a))
    for row in (*pair.a[1:], pair.b):
        total += _moved(row) * states
    for row in pair.errors:
        total += (_sum(row) + OperationCounts(additions=2, multiplications=3)) * states
    total += OperationCounts(additions=1, multiplications=1, divisions=1, others=6) * states
    each_round = OperationCounts()
    if schedule.program.projected:
        once, each_round = projection_cost(schedule)
        total += once + OperationCounts(additions=2, divisions=1) * states
    dense = rhs * len(pair.dense_a) + OperationCounts(additions=4, multiplications=2) * states
    for row in pair.dense_a:
        total_of_row = _moved(row) * states
        dense += total_of_row
    for row in pair.dense:
        dense += (_sum(row) + OperationCounts(multiplications=1)) * states
    return told_rounds(total, each_round), told_stack(schedule, own_mathematics), f"at most {dense}"


def told_stack(schedule: Schedule, own_mathematics: bool, beside: Sequence[str] = ()) -> str:
    """Return what is said of the stack: functions on the way to the right-hand side or `beside`, and inputs."""
    told = []
    for size in (8, 4):
        bounds = stack_bounds(schedule, size, own_mathematics)
        called = ("rhs", *beside, *((PROJECT,) if schedule.program.projected else ()))
        deepest = max(bounds[name] for name in called)
        told.append(4 * _FRAME + size * len(schedule.program.inputs) + deepest)
    return f"at most {told[0]} bytes, {told[1]} in float, and what the source's function takes"


def _moved(row: Sequence[Fraction]) -> OperationCounts:
    """Return what one state takes that goes along a weighted sum of slopes."""
    return _sum(row) + OperationCounts(additions=1, multiplications=1)


def _sum(row: Sequence[Fraction]) -> OperationCounts:
    terms = sum(1 for weight in row if weight)
    return OperationCounts(additions=terms, multiplications=terms)
