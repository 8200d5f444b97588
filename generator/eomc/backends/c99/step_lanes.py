"""Tableau -> StepLanesView: the step of a Runge-Kutta scheme for several states side by side.

The arithmetic is that of `stepping`, in the same order, so that a lane has the bits of a state alone.
"""

from __future__ import annotations

from dataclasses import replace

from eomc.backends.c99.lane_views import StepLanesView
from eomc.backends.c99.lanes import print_slopes
from eomc.backends.c99.layout import Line, wrap
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.step_views import StageView
from eomc.backends.c99.stepping import change_along, factored, parts_of_step, time_of_stage
from eomc.backends.c99.variables import documented
from eomc.ir.program import STEP_LANES
from eomc.passes.rates import RATES
from eomc.passes.steps import Schedule
from eomc.tableaus import Tableau

_STATEMENTS = 16
"""So many states have a statement each: clang makes no vector of a loop over lanes in one over states."""


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
    timed = any(one.timed for one in slopes)
    return StepLanesView(
        name=f"{tableau.name}_{STEP_LANES}",
        slopes=slopes,
        fields=tuple(dict.fromkeys(field for one in slopes for field in one.fields)),
        members=_members(tableau, scope, timed) if slopes else (),
        lengths=parts_of_step(tableau, scope) if slopes else (),
        stages=_stages(tableau, program.projected, program.coordinates, scope, timed) if slopes else (),
        update=_of_states(f"x[i] += {change_along(*factored(tableau.b))};", scope) if slopes else (),
        loops=len(scope.states) > _STATEMENTS,
        shared=in_runs and bool(slopes),
        before=f"{scope.prefix}_" if in_runs and slopes else "",
        stack=stack,
    )


def _members(tableau: Tableau, scope: Scope, timed: bool) -> tuple[str, ...]:
    """Return the members of the scratch memory that lanes share."""
    lanes, states = f"{scope.prefix}_lanes", f"{scope.macro}_NX"
    members = [Line(f"    {lanes} k[{len(tableau.b) + tableau.semi_implicit}][{states}];", "stage slopes")]
    if tableau.looks_beside:
        members.append(Line(f"    {lanes} y[{states}];", "stage states"))
        if timed:
            members.append(Line(f"    {lanes} t;", "stage times"))
    members.append(Line(f"    {scope.prefix}_work alone;", "of one lane"))
    return tuple(documented(members))


def _stages(tableau: Tableau, projected: bool, coordinates: int, scope: Scope, timed: bool) -> tuple[StageView, ...]:
    """Return the stages: the lines that make the state of each."""
    times = tableau.times(projected)
    stages = [
        StageView(
            state=_of_states(f"work->y[i] = x[i] + ({change_along(*factored(row))});", scope) if any(row) else (),
            slopes="rhs",
            to=f"work->k[{stage}]",
            at="work->y" if any(row) else "x",
            time=time_of_stage(share).replace("t", "t->of[lane]", 1) if share and timed else "",
            place=times.index(share),
        )
        for stage, (row, share) in enumerate(zip(tableau.a, tableau.c, strict=True))
    ]
    if tableau.semi_implicit:
        change = change_along(*factored(tableau.b))
        moved = _of_states(f"work->y[i] = x[i] + ({change});", scope, coordinates)
        stages.append(replace(stages[0], state=moved, slopes=RATES, at="work->y"))
    return tuple(stages)


def _of_states(statement: str, scope: Scope, kept: int = 0) -> tuple[str, ...]:
    """Return what does for all states in all lanes what a statement does for state i; the first ones are `kept`."""
    loop = f"    for (lane = 0; lane < {scope.macro}_LANES; ++lane) {{"
    if len(scope.states) > _STATEMENTS:
        if kept:
            left, _, right = statement.partition(" = ")
            statement = f"{left} = (i < {kept}) ? x[i] : ({right.removesuffix(';')});"
        states = f"    for (i = 0; i < {scope.macro}_NX; ++i) {{"
        return (states, f"    {loop}", *_in_lanes(statement, "i", 12), "        }", "    }")
    statements = [
        _in_lanes(f"work->y[{i}] = x[{i}];" if i < kept else statement, str(i), 8) for i in range(len(scope.states))
    ]
    return (loop, *(line for lines in statements for line in lines), "    }")


def _in_lanes(statement: str, component: str, indent: int) -> list[str]:
    """Return what a statement for component i is for one component of one lane, in lines."""
    return wrap(" " * indent + statement.replace("[i]", f"[{component}].of[lane]"))
