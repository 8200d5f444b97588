"""What the runs of all schemes share: the source of inputs, what a run may take, where it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eomc.backends.c99.layout import Line, declaration
from eomc.backends.c99.runs.views import SchemeSignatures, SharedView
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.variables import documented

COUNT = "int_least32_t"


def source_lines(scope: Scope) -> tuple[str, ...]:
    """Return the members of the source of inputs."""
    prefix = scope.prefix
    lines = [
        Line(f"    {prefix}_source_kind kind;"),
        Line(f"    const {prefix}_inputs *values;", "one, or samples"),
        Line(f"    const {prefix}_real *times;", "of the samples, ascending"),
        Line(f"    {COUNT} count;", "of the samples, 1 or more"),
        Line(f"    {prefix}_source_function function;", "null for the other kinds"),
        Line("    void *context;", "what it is given"),
    ]
    return documented(
        [
            *(lines if scope.inputs else []),
            Line(f"    const {prefix}_real *jumps;", "times of jumps, ascending"),
            Line(f"    {COUNT} jump_count;", "may be 0"),
        ]
    )


def option_lines(scope: Scope) -> tuple[str, ...]:
    """Return the members of what a run may take."""
    real = f"{scope.prefix}_real"
    return documented(
        [
            Line(f"    {real} rtol;", "error of a step in proportion to each state; at least 10 epsilon"),
            Line(f"    {real} atol;", "and what is added to it, in the state's own unit"),
            Line(f"    const {real} *atols;", "the same for each state, or null: atol for all"),
            Line(f"    {real} first_step;", "its length; 0: chosen"),
            Line(f"    {real} largest_step;", "no step is longer; 0: no bound"),
            Line(f"    {COUNT} most_steps;", "that a run may try; 0: no bound"),
            Line("    int dense;", "whether each step is made ready for _at(), as _dense() does"),
        ]
    )


def run_lines(scope: Scope, events: bool) -> tuple[str, ...]:
    """Return the members of where a run is; what is known of `events` is one of them."""
    real, size = f"{scope.prefix}_real", f"{scope.macro}_NX"
    return documented(
        [
            Line(f"    {real} t;", "time"),
            Line(f"    {real} x[{size}];", f"state; who changes it calls {scope.prefix}_run_jumped()"),
            Line(f"    {real} from;", "time at which the last step began"),
            Line(f"    {real} before[{size}];", "state there"),
            Line(f"    {real} length;", "of the last step"),
            Line(f"    {real} next;", "length of the next step; 0: it is chosen first"),
            Line(f"    {scope.prefix}_options options;"),
            Line(f"    {COUNT} steps;", "that were taken"),
            Line(f"    {COUNT} rejected;", "that were tried and too long"),
            Line("    int kept;", "whether the slope at (t, x) is known from the last step"),
            Line("    int dense;", "whether the last step is ready for _at()"),
            *([Line(f"    {scope.prefix}_watch watch;", "events")] if events else []),
        ]
    )


class Member(NamedTuple):
    """A member of the struct of a scheme's run; what is no real counts as so many."""

    name: str  # with its dimensions
    reals: int
    told: str
    kind: str = ""  # of its elements: reals, unless something else is named


SEEN = Member("seen", 1, "latest time at which the step is looked at")


def member_lines(members: Sequence[Member], scope: Scope) -> tuple[str, ...]:
    """Return the members of the struct of a scheme's run, the first of which is where it is."""
    real = f"{scope.prefix}_real"
    own = [Line(f"    {one.kind or real} {one.name};", one.told) for one in members]
    return documented([Line(f"    {scope.prefix}_run at;", "where it is"), *own])


def run_reals(scope: Scope) -> int:
    """Return how many reals hold where a run is, options included."""
    return 2 * len(scope.states) + 4 + 4


def shared_view(scope: Scope, lines: bool, slopes: tuple[str, ...]) -> SharedView:
    """Return the signatures of what all schemes call.

    Parameters
    ----------
    scope
        Names.
    lines
        Whether one of them asks how inputs go on.
    slopes
        Signature of what evaluates derivatives; () where none takes them.
    """
    prefix, macro = scope.prefix, scope.macro
    real = f"{prefix}_real"
    taken = given(scope)
    return SharedView(
        start=declaration(
            f"void {prefix}_run_start(",
            (f"{real} t0", f"const {real} x0[{macro}_NX]", f"const {prefix}_options *options", f"{prefix}_run *run"),
        ),
        edge=declaration(
            f"{real} {prefix}_run_edge(",
            (f"const {prefix}_source *source", f"{real} t", f"{real} limit", f"{real} *seen"),
        ),
        line=declaration(
            f"{prefix}_status {prefix}_run_line(",
            (f"const {prefix}_source *source", f"{real} t", f"{real} *edge", f"{prefix}_inputs r[2]"),
        )
        if lines
        else (),
        slope=declaration(
            f"{prefix}_status {prefix}_run_slope(",
            (f"{real} t", f"const {real} x[{macro}_NX]", *taken, f"{real} dx[{macro}_NX]"),
        ),
        put_back=declaration(f"{prefix}_status {prefix}_run_put_back(", (f"{real} t", f"{real} x[{macro}_NX]", *taken)),
        inputs=declaration(
            f"{prefix}_status {prefix}_run_inputs(",
            (f"{real} t", f"const {prefix}_source *source", f"{prefix}_inputs *r"),
        ),
        allowed=declaration(
            f"{real} {prefix}_run_allowed(", (f"const {prefix}_options *options", "int i", f"{real} x", f"{real} y")
        ),
        slopes=slopes,
    )


def scheme_signatures(name: str, scope: Scope) -> SchemeSignatures:
    """Return the signatures of the functions that every scheme has."""
    prefix, macro = scope.prefix, scope.macro
    real, run = f"{prefix}_real", f"{prefix}_{name}"
    head = f"{prefix}_status {prefix}_{name}"
    source, constants, work = given(scope)
    return SchemeSignatures(
        start=declaration(
            f"{head}_start(",
            (
                f"{real} t0",
                f"const {real} x0[{macro}_NX]",
                source,
                f"const {prefix}_options *options",
                constants,
                work,
                f"{run} *run",
            ),
        ),
        advance=declaration(f"{head}_advance(", (f"{real} t_limit", source, constants, work, f"{run} *run")),
        dense=declaration(f"{head}_dense(", (source, constants, work, f"{run} *run")),
        at=declaration(f"void {prefix}_{name}_at(", (f"const {run} *run", f"{real} t", f"{real} x[{macro}_NX]")),
        proceed=declaration(
            f"{head}_proceed(", (f"{real} t_end", source, constants, work, f"{run} *run", "int *which")
        ),
        run=declaration(f"{head}_run(", (f"{real} t_end", source, constants, work, f"{run} *run", "int *which")),
    )


def static_signature(head: str, arguments: Sequence[str], name: str, scope: Scope) -> tuple[str, ...]:
    """Return the signature of a part of a scheme, which takes what these take after its own arguments."""
    own = [f"{scope.prefix}_real {argument}" for argument in arguments]
    return declaration(f"static {scope.prefix}_status {head}(", (*own, *given(scope), f"{scope.prefix}_{name} *run"))


def given(scope: Scope) -> tuple[str, str, str]:
    """Return the arguments that all functions of a run take."""
    prefix = scope.prefix
    return f"const {prefix}_source *source", f"const {prefix}_constants *c", f"{prefix}_work *work"
