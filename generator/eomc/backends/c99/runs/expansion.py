"""A Taylor series: the struct of its run, and what its steps take."""

from __future__ import annotations

from eomc.backends.c99.costs import most_of
from eomc.backends.c99.runs.shared import Member
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.stack import stack_bounds
from eomc.ir.operations import OperationCounts
from eomc.passes.steps import Schedule

_FRAME = 160  # of one of the functions on the way
_LENGTH = OperationCounts(additions=150, multiplications=250, divisions=20, others=150)  # what a new length takes


def expansion_members(scope: Scope, order: int, events: bool) -> list[Member]:
    """Return the members of the struct of a run, beside where it is."""
    macro, count = scope.macro, len(scope.states) * (order + 1)
    own = [
        Member(f"series[{macro}_TAYLOR_ORDER + 1][{macro}_NX]", count, "coefficients from the step's beginning"),
        Member("unit", 1, "of time in the coefficients: of order k they are multiples of unit^-k"),
        Member("length", 1, "that they allow"),
        Member("part", 1, "of the radius of convergence that a step is"),
        Member(f"low[{macro}_NX]", len(scope.states), "what x lacks by rounding"),
    ]
    late = [
        Member("late", 1, "by how much the time is past that of the state, after an event"),
        Member("ahead", 1, "the same at the beginning of the step"),
    ]
    return own + late if events else own


def expansion_costs(schedule: Schedule, own_mathematics: bool, order: int) -> tuple[str, str, str]:
    """Return what is said of operations and stack of a step, and of its dense output."""
    value, term = schedule.series
    states = len(schedule.program.states)
    sizes = {array.name: array.size for array in term.function.arrays}
    terms = sizes.get("first", 0) * (order - 1) * (order - 2) // 2 + sizes.get("squared", 0) * order * order // 4
    summed = OperationCounts(additions=order, multiplications=order) * states
    total = most_of(schedule, value) + most_of(schedule, term) * (order - 1) + _LENGTH + summed
    total += OperationCounts(additions=5) * states  # what is kept of the sum
    total += OperationCounts(additions=terms, multiplications=terms)
    total += OperationCounts(multiplications=states * order, divisions=order + 2 * states, others=4 * states)
    total += OperationCounts(multiplications=states + len(schedule.program.inputs), others=states * order)  # the unit
    told = []
    for size in (8, 4):
        bounds = stack_bounds(schedule, size, own_mathematics)
        deepest = max(bounds[value.function.name], bounds[term.function.name])
        told.append(4 * _FRAME + 4 * size * max(len(schedule.program.inputs), 1) + deepest)
    return (
        f"at most {total} at order {order}, but at the first step, and where its length leaps",
        f"at most {told[0]} bytes, {told[1]} in float",
        f"nothing; at a time {summed}",
    )
