"""Tableau -> StepLanesView: the step of a Runge-Kutta scheme for several states side by side.

The arithmetic is that of `stepping`, in the same order, so that a lane has the bits of a state alone.
"""

from __future__ import annotations

from dataclasses import replace

from eomc.backends.c99.lanes import print_slopes
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.step_views import StageView
from eomc.backends.c99.stepping import change_along, factored, parts_of_step, time_of_stage
from eomc.backends.c99.views import StepLanesView
from eomc.ir.program import STEP_LANES
from eomc.passes.rates import RATES
from eomc.passes.steps import Schedule
from eomc.tableaus import Tableau


def step_lanes_view(
    schedule: Schedule, tableau: Tableau, scope: Scope, used: set[str], stack: str, in_runs: bool
) -> StepLanesView | None:
    """Return what the templates place of such a step, None where it is not wanted; `stack` is what the header says.

    The slopes have a name of the interface where they serve runs, too.
    Each lane goes by itself where the slopes have no loops over lanes, where the scheme is not explicit, and where a
    step ends with a projection.
    """
    program = schedule.program
    if STEP_LANES not in program.further:
        return None
    called = ("rhs", RATES) if tableau.semi_implicit else ("rhs",)
    routines = tuple(routine for routine in schedule.stages if routine.function.name in called)
    if not tableau.explicit or program.projected or not all(routine.loops for routine in routines):
        routines = ()
    slopes = tuple(print_slopes(schedule, routine, scope, used) for routine in routines)
    return StepLanesView(
        name=f"{tableau.name}_{STEP_LANES}",
        slopes=slopes,
        fields=tuple(dict.fromkeys(field for one in slopes for field in one.fields)),
        lengths=parts_of_step(tableau, scope) if slopes else (),
        stages=_stages(tableau, program.projected, program.coordinates) if slopes else (),
        update=_in_lanes(f"x[i] += {change_along(*factored(tableau.b))};") if slopes else "",
        beside=tableau.looks_beside,
        shared=in_runs and bool(slopes),
        before=f"{scope.prefix}_" if in_runs and slopes else "",
        stack=stack,
    )


def _stages(tableau: Tableau, projected: bool, coordinates: int) -> tuple[StageView, ...]:
    """Return the stages: the state of each by a statement for component i of one lane."""
    times = tableau.times(projected)
    stages = [
        StageView(
            state=(_in_lanes(f"work->y[i] = x[i] + ({change_along(*factored(row))});"),) if any(row) else (),
            slopes="rhs",
            to=f"work->k[{stage}]",
            at="work->y" if any(row) else "x",
            time=time_of_stage(share).replace("t", "t->of[lane]", 1) if share else "",
            place=times.index(share),
        )
        for stage, (row, share) in enumerate(zip(tableau.a, tableau.c, strict=True))
    ]
    if tableau.semi_implicit:
        change = change_along(*factored(tableau.b))
        moved = f"work->y[i] = (i < {coordinates}) ? x[i] : (x[i] + ({change}));"
        stages.append(replace(stages[0], state=(_in_lanes(moved),), slopes=RATES, at="work->y"))
    return tuple(stages)


def _in_lanes(statement: str) -> str:
    """Return what a statement for component i is for one lane."""
    return statement.replace("[i]", "[i].of[lane]")
