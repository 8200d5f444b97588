"""Events -> EventsView: what the templates place of what interrupts the motion."""

from __future__ import annotations

from eomc.backends.c99.code_views import EventsView
from eomc.backends.c99.layout import declaration
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.stack import RESET
from eomc.backends.c99.strings import c_string
from eomc.ir.program import Program


def events_view(program: Program, scope: Scope, stacks: dict[str, str], used: set[str]) -> EventsView | None:
    """Return what is placed of events, None where there are none; macros that they call are added to `used`."""
    kinds = program.events
    if not kinds:
        return None
    impacts = sum(kind.impact for kind in kinds)
    changing = any(kind.resets for kind in kinds)
    corrected = any(function.name.endswith("_correction") for function in program.functions)
    used.update({"EPSILON", "FABS"} if impacts else {"FABS"} if changing and corrected else ())
    return EventsView(
        names=tuple(c_string(kind.name) for kind in kinds),
        ends=tuple(kind.ends_at for kind in kinds),
        falls=tuple(int(kind.falling) for kind in kinds),
        rises=tuple(int(kind.rising) for kind in kinds),
        changes=tuple(int(kind.resets) for kind in kinds),
        times=tuple(sum(one.timed for one in kinds[:place]) if kind.timed else -1 for place, kind in enumerate(kinds)),
        timed=any(kind.timed for kind in kinds),
        resets=any(kind.resets and not kind.impact for kind in kinds),
        first_impact=len(kinds) - impacts,
        impacts=impacts,
        first_velocity=program.coordinates,
        stack=stacks[RESET],
        signature=reset_signature(scope),
    )


def reset_signature(scope: Scope) -> tuple[str, ...]:
    """Return the declaration of the function that makes the state after an event."""
    prefix, macro = scope.prefix, scope.macro
    arguments = (
        "int which",
        f"{prefix}_real t",
        f"const {prefix}_real x[{macro}_NX]",
        f"const {prefix}_inputs *r",
        f"const {prefix}_constants *c",
        f"{prefix}_work *work",
        f"{prefix}_real after[{macro}_NX]",
    )
    return declaration(f"{prefix}_status {prefix}_reset(", arguments)
