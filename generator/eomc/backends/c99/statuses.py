"""The values of a model's status: those that some function of it may return."""

from __future__ import annotations

from eomc.backends.c99.scope import Scope


def status_lines(scope: Scope, *, opens: bool, runs: bool, events: bool, iterates: bool) -> tuple[str, ...]:
    """Return the enumerators, aligned; a status has one number in all models.

    Parameters
    ----------
    scope
        Names.
    opens
        Projections may find no way back onto the constraints.
    runs, events
        Whether the model has any.
    iterates
        The slopes of a step follow from each other, and may not be found.
    """
    macro = scope.macro
    rows = [
        (True, "OK", 0, "success"),
        (True, "SINGULAR", 1, "a linear system has no unique solution; `failed` says which pivot"),
        (opens, "OPEN", 2, f"the constraints are not met after {macro}_PROJECTION_ROUNDS rounds"),
        (runs and events, "EVENT", 3, "an event happened"),
        (runs, "DIVERGED", 4, "the state or its derivative is not finite"),
        (runs, "STEP_TOO_SMALL", 5, "no step that is told apart in the time meets the tolerance"),
        (runs, "TOO_MANY_STEPS", 6, "as many steps as the options allow were tried"),
        (runs and bool(scope.inputs), "NO_INPUT", 7, "the source has no inputs"),
        (events, "TOO_MANY_EVENTS", 8, "events follow each other at one instant without an end"),
        (iterates, "NOT_CONVERGED", 9, "the slopes of a step are not found; a shorter one has them"),
    ]
    told = [row[1:] for row in rows if row[0]]
    ends = [","] * (len(told) - 1) + [""]
    codes = [f"    {macro}_{name} = {value}{end}" for (name, value, _), end in zip(told, ends, strict=True)]
    width = max(map(len, codes))
    return tuple(f"{code:<{width}} /**< {text} */" for code, (_, _, text) in zip(codes, told, strict=True))
