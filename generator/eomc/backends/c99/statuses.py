"""The values of a model's status: those that some function of it may return."""

from __future__ import annotations

from eomc.backends.c99.views import EventsView


def status_lines(macro: str, opens: bool, events: EventsView | None) -> tuple[str, ...]:
    """Return the enumerators, aligned; a status has one number in all models."""
    rows = [
        ("OK", 0, "success"),
        ("SINGULAR", 1, "a linear system has no unique solution; `failed` says which pivot"),
    ]
    if opens:
        rows.append(("OPEN", 2, f"the constraints are not met after {macro}_PROJECTION_ROUNDS rounds"))
    if events:
        rows.append(("TOO_MANY_EVENTS", 7, "events follow each other at one instant without an end"))
    ends = [","] * (len(rows) - 1) + [""]
    codes = [f"    {macro}_{name} = {value}{end}" for (name, value, _), end in zip(rows, ends, strict=True)]
    width = max(map(len, codes))
    return tuple(f"{code:<{width}} /**< {text} */" for code, (_, _, text) in zip(codes, rows, strict=True))
