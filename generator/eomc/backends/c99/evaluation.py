"""What functions share is evaluated once for a state, and read by functions that end in `_from`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.backends.c99.arguments import Argument, function_arguments, routine_signature
from eomc.backends.c99.calls import Call, in_turn
from eomc.backends.c99.code_views import CFunction, EvaluationView, LaterView
from eomc.backends.c99.costs import most_of, told_stacks, told_usual
from eomc.backends.c99.results import result_arrays
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.step_views import CostView
from eomc.ir.operations import OperationCounts
from eomc.ir.program import EVALUATE
from eomc.passes.rates import RATES
from eomc.passes.steps import Routine, Schedule

_GIVEN = {"t": "work->t", "x": "work->x", "r": "&work->r"}


def print_evaluation(schedule: Schedule, scope: Scope, calls: Mapping[str, Sequence[Call]]) -> tuple[CFunction, ...]:
    """Return what evaluates, and the functions that read it; none where nobody wants them.

    Parameters
    ----------
    schedule
        The program.
    scope
        Names.
    calls
        How the chunks of each routine are called, by its name.
    """
    if schedule.evaluation is None:
        return ()
    once = schedule.evaluation.before
    arguments = function_arguments(scope, ())
    first = [
        "    work->t = t;",
        f"    for (int i = 0; i < {scope.macro}_NX; ++i) {{",
        "        work->x[i] = x[i];",
        "    }",
        "    work->r = *r;",
        "",
    ]
    body = in_turn(
        [call for part in once for call in calls[part.function.name]],
        arguments,
        scope,
        first=first,
        kept=[*_GIVEN, "work"],
    )
    functions = [CFunction("What functions that end in _from find", _signature(scope), body)]
    for routine in _readers(schedule):
        name = _name(routine)
        beside = [*(part for part in routine.before if not _is_among(part, once)), routine]
        made = [call for one in beside for call in calls[one.function.name]]
        later = _arguments(routine, scope)
        text = in_turn(made, later, scope, _GIVEN)
        title = f"{scope.prefix}_{name}() from what {scope.prefix}_{EVALUATE}() left"
        functions.append(CFunction(title, routine_signature(scope, f"{name}_from", later), text))
    return tuple(functions)


def evaluation_view(schedule: Schedule, scope: Scope, own_mathematics: bool) -> EvaluationView | None:
    """Return what is said of what is evaluated once for a state, and of the functions that read it."""
    if schedule.evaluation is None:
        return None
    stacks = told_stacks(schedule, own_mathematics)
    once = schedule.evaluation.before
    nothing = OperationCounts()
    counts, most = (once[-1].counts, most_of(schedule, once[-1])) if once else (nothing, nothing)
    readers = []
    for routine in _readers(schedule):
        name, found = _name(routine), [part for part in routine.before if _is_among(part, once)]
        own, own_most = routine.counts, most_of(schedule, routine)
        if found:
            own, own_most = own - found[-1].counts, own_most - most_of(schedule, found[-1])
        chunks = [chunk for part in routine.before if not _is_among(part, once) for chunk in part.chunks]
        readers.append(
            LaterView(
                name=name,
                signature=routine_signature(scope, f"{name}_from", _arguments(routine, scope)),
                cost=CostView(told_usual(own, own_most), stacks[f"{name}_from"]),
                fallible=any(chunk.fallible for chunk in (*chunks, *routine.chunks)),
            )
        )
    return EvaluationView(
        signature=_signature(scope),
        cost=CostView(told_usual(counts, most), stacks[EVALUATE]),
        fallible=any(part.fallible for part in once),
        readers=tuple(readers),
    )


def _readers(schedule: Schedule) -> list[Routine]:
    """Return what is left of each function; of the state derivative what hands that out."""
    assert schedule.evaluation
    return [schedule.evaluation, *(one for one in schedule.routines[1:] if one.function.name != RATES)]


def _name(routine: Routine) -> str:
    return "rhs" if routine.function.name == EVALUATE else routine.function.name


def _arguments(routine: Routine, scope: Scope) -> list[Argument]:
    arrays = result_arrays(routine.function, scope.macro)
    arguments = function_arguments(scope, arrays, bool(routine.function.accelerations))
    return [argument for argument in arguments if argument.name not in _GIVEN]


def _signature(scope: Scope) -> tuple[str, ...]:
    return routine_signature(scope, EVALUATE, function_arguments(scope, ()))


def _is_among(part: Routine, parts: Sequence[Routine]) -> bool:
    return any(part is one for one in parts)
