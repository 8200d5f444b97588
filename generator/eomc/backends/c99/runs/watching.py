"""Events on the way of a run: what it knows of them, and the functions that all schemes call for them."""

from __future__ import annotations

from eomc.backends.c99.layout import Line, declaration
from eomc.backends.c99.runs.shared import COUNT
from eomc.backends.c99.runs.views import WatchView
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.variables import documented

REALS = 3
"""Reals that are kept for each event, beside a state."""

INTEGERS = 4
"""Integers that are kept for each event, beside three."""


def watch_view(scope: Scope, given: tuple[str, str, str]) -> WatchView:
    """Return what the templates place; `given` are the arguments that all functions of a run take."""
    prefix, macro = scope.prefix, scope.macro
    real, size, run = f"{prefix}_real", f"{macro}_EVENTS_SIZE", f"{prefix}_run *run"
    lines = [
        Line(f"    {real} before[{macro}_NX];", "state before the last event"),
        Line(f"    {real} g[{size}];", "functions at the time of the run"),
        Line(f"    {real} rate[{size}];", "dg/dt there"),
        Line(f"    {real} zero[{size}];", "functions no larger count as zero"),
        Line(f"    int side[{size}];", "of its zero: -1, 1; 0 where it is not known"),
        Line(f"    int waiting[{size}];", "whether it happens now and was not told"),
        Line(f"    int fresh[{size}];", "whether no step was taken since it happened"),
        Line(f"    {COUNT} hits[{size}];", "how often it happened"),
        Line(f"    {real} instant;", "time of the last event"),
        Line("    int more;", "whether further events wait at this instant"),
        Line("    int at_once;", "events apart by no more than rounding of time"),
        Line("    int known;", "0: nothing; 1: sides; 2: functions and rates"),
    ]
    head = f"{prefix}_status {prefix}_run"
    return WatchView(
        members=documented(lines),
        watch=declaration(f"{head}_watch(", (f"{real} t_end", *given, run, f"{real} *limit")),
        state_at=declaration(
            f"static {prefix}_status state_at(",
            (*given, f"const {prefix}_run *at", f"{real} t", f"{real} x[{macro}_NX]"),
        ),
        pending=declaration(f"{head}_pending(", (*given, run, "int *which")),
        look=declaration(
            f"{head}_look(", (*given, run, f"{prefix}_run_dense dense", f"{prefix}_run_at at", "int *which")
        ),
    )
