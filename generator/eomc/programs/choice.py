"""Which functions a simulator may have, and which of them it gets."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.errors import UsageError
from eomc.programs.functions import FUNCTIONS, Presence
from eomc.tableaus import DEFAULT
from eomc.wording import did_you_mean

OPTIONAL = tuple(row.name for row in FUNCTIONS if row.presence is not Presence.ALWAYS)
"""Functions beside the right-hand side, in the order of their emission; not every model has them all."""

LANES = {"rhs_lanes": "rhs"}
"""Functions of several states side by side, and the function that each repeats: emitted where they are named."""


def chosen_functions(asked: str | Iterable[str] | None, integrator: str = DEFAULT.name) -> tuple[str, ...] | None:
    """Return the optional functions that were asked for, in their own order; None for the usual ones.

    Parameters
    ----------
    asked
        Names, or one text with commas; ``"all"`` stands for every function of one state, None for all of these but
        the derivatives of the right-hand side.
    integrator
        Scheme of the steps, which are always there.

    Raises
    ------
    UsageError
        A name that is not known.
    """
    if asked is None:
        return None
    if not isinstance(asked, Iterable):
        raise UsageError(f"functions is {asked!r}: give names, or one text with commas")
    names = [name.strip() for name in asked.split(",")] if isinstance(asked, str) else list(asked)
    always = ("prepare", "rhs", f"{integrator}_step", f"{integrator}_step_held")
    known = (*OPTIONAL, *LANES)
    for name in names:
        if name not in (*known, *always, "all"):
            near = did_you_mean(str(name), known)
            hint = f"{near} " if near.endswith("?") else ""
            rest = f"{', '.join(always)} are always there"
            raise UsageError(f"unknown function {name!r}: {hint}choose among {', '.join(known)}, or all; {rest}")
    return tuple(name for name in known if name in names or (name in OPTIONAL and "all" in names))


def usual_functions() -> tuple[str, ...]:
    """Return what a simulator has when nothing else is said."""
    return tuple(row.name for row in FUNCTIONS if row.presence is Presence.USUAL)


def words_of(functions: Iterable[str]) -> str:
    """Return a choice in one word, as `chosen_functions` takes it."""
    names = tuple(functions)
    every = ("all", *names[len(OPTIONAL) :]) if names[: len(OPTIONAL)] == OPTIONAL else names
    return ",".join(every) or "rhs"
