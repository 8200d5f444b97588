"""The most that a call takes, in operations of each kind and on the stack: what the comments of the header say.

What is evaluated in straight lines takes the same in every call, for choices evaluate both of their branches or fewer.
Linear systems take the most where rows of the constraints follow from others.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

from eomc.backends.c99.implicit import ROUNDS, implicit_cost
from eomc.backends.c99.kernels import count_system, most_of_system
from eomc.backends.c99.split import split_cost
from eomc.backends.c99.stack import PROJECT, STEP, stack_bounds
from eomc.backends.c99.step_views import CostView
from eomc.backends.c99.stepping import factored
from eomc.ir.operations import OperationCounts
from eomc.passes.rates import RATES
from eomc.passes.splitting import FORCES
from eomc.passes.steps import Routine, Schedule
from eomc.tableaus import Tableau


def cost_views(schedule: Schedule, stacks: Mapping[str, str]) -> dict[str, CostView]:
    """Return what is said of the cost of each function, by its name, and of `PROJECT`; `stacks` is told."""
    told = {
        routine.function.name: told_usual(routine.counts, most_of(schedule, routine))
        for routine in (schedule.prepare, *schedule.routines, *schedule.series)
    }
    told[PROJECT] = told_rounds(*projection_cost(schedule))
    return {name: CostView(operations, stacks[name]) for name, operations in told.items()}


def step_cost_view(schedule: Schedule, tableau: Tableau, stacks: Mapping[str, str]) -> CostView:
    """Return what is said of the cost of a step; `stacks` is told."""
    return CostView(_told_step(schedule, tableau), stacks[STEP])


def told_stacks(schedule: Schedule, own_mathematics: bool) -> dict[str, str]:
    """Return what is said of the stack of each function, by its name."""
    double, single = (stack_bounds(schedule, size, own_mathematics) for size in (8, 4))
    return {name: f"at most {double[name]} bytes, {single[name]} in float" for name in double}


def told_usual(usual: OperationCounts, most: OperationCounts) -> str:
    """Return what a call takes that succeeds, and the most that any does."""
    return str(most) if most == usual else f"{usual}, at most {most}"


def _told_step(schedule: Schedule, tableau: Tableau) -> str:
    """Return the most that a step takes."""
    if tableau.drifts:
        costs = _by_name(schedule)
        return f"at most {split_cost(tableau, schedule.program.coordinates, costs[RATES], costs[FORCES])}"
    if not tableau.implicit:
        return told_rounds(*step_cost(schedule, tableau))
    once, each_round = implicit_cost(tableau, len(schedule.program.states), _by_name(schedule)["rhs"])
    return f"at most {once}, and {each_round} in each of {ROUNDS} rounds or fewer"


def told_rounds(once: OperationCounts, each_round: OperationCounts) -> str:
    """Return the most that a function takes which may call Newton's method."""
    rounds = f"{each_round} in each round of the projection" if each_round.total else ""
    parts = [f"{once}" if once.total or not rounds else "", rounds]
    return "at most " + ", and ".join(filter(None, parts))


def most_of(schedule: Schedule, routine: Routine) -> OperationCounts:
    """Return the most operations of each kind in a call of a function: a fixed order is tried, then the kernel."""
    most = routine.counts
    for place in routine.systems:
        spec = schedule.program.graph.system_of(place.node)
        most += most_of_system(spec)
        if place.fixed is None:
            most -= count_system(spec)
    return most


def most_of_name(schedule: Schedule, name: str) -> OperationCounts:
    """Return the most operations of each kind in a call of the function of this name."""
    return _by_name(schedule)[name]


def step_cost(schedule: Schedule, tableau: Tableau) -> tuple[OperationCounts, OperationCounts]:
    """Return the most that a step takes beside the rounds of its projection, and in each of them."""
    program, costs = schedule.program, _by_name(schedule)
    states = len(program.states)
    rows = [factored(row) for row in tableau.a]
    part, end = factored(tableau.b)
    total = costs["rhs"] * len(rows) + _advanced(end) * states
    for _, weights in rows:
        if weights:
            total += _advanced(weights) * states
    if tableau.semi_implicit:
        total += costs[RATES] + _advanced(end) * (states - program.coordinates)
    for length in {*tableau.c, *(share for share, _ in rows), part} - {0, 1}:
        total += _part_of_h(length)
    total += OperationCounts(additions=sum(1 for share in tableau.c if share))
    if not program.projected:
        return total, OperationCounts()
    once, each_round = projection_cost(schedule)
    return total + once + OperationCounts(additions=1), each_round


def projection_cost(schedule: Schedule) -> tuple[OperationCounts, OperationCounts]:
    """Return the most that a projection takes beside its rounds, and in each of them."""
    sizes = {function.name: len(function.outputs) for function in schedule.program.functions}
    costs = _by_name(schedule)
    once = each_round = OperationCounts()
    if "velocity_correction" in costs:
        once = costs["velocity_correction"] + OperationCounts(additions=sizes["velocity_correction"] - 1)
    if "coordinate_correction" in costs:
        moved = OperationCounts(additions=sizes["coordinate_correction"] - 1, others=1)
        each_round = costs["coordinate_correction"] + moved
    return once, each_round


def _by_name(schedule: Schedule) -> dict[str, OperationCounts]:
    return {routine.function.name: most_of(schedule, routine) for routine in schedule.routines}


def _advanced(weights: Sequence[tuple[int, int]]) -> OperationCounts:
    """Return what one state takes that goes along a weighted sum of slopes; the part of h is known."""
    products = sum(abs(weight) != 1 for weight, _ in itertools.groupby(weight for _, weight in weights))
    negated = weights[0][1] < 0
    return OperationCounts(additions=len(weights) + negated, multiplications=1 + products)


def _part_of_h(share: Fraction) -> OperationCounts:
    """Return what a part of h takes."""
    if share.denominator & (share.denominator - 1) == 0:
        return OperationCounts(multiplications=1)
    return OperationCounts(multiplications=int(share.numerator != 1), divisions=1)
