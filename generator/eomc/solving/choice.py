"""Which functions a simulator may have, and which of them it gets."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.errors import UsageError
from eomc.solving.functions import FUNCTIONS, Presence
from eomc.tableaus import DEFAULT
from eomc.wording import did_you_mean

__all__ = ["OPTIONAL", "chosen_functions", "usual_functions", "words_of"]

OPTIONAL = tuple(row.name for row in FUNCTIONS if row.presence is not Presence.ALWAYS)
"""Functions beside the right-hand side, in the order of their emission; not every model has them all."""


def chosen_functions(asked: str | Iterable[str] | None, integrator: str = DEFAULT.name) -> tuple[str, ...] | None:
    """Return the optional functions that were asked for, in their own order; None for the usual ones.

    Parameters
    ----------
    asked
        Names, or one text with commas; ``"all"`` stands for every function, None for all but the derivatives
        of the right-hand side.
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
    for name in names:
        if name not in (*OPTIONAL, *always, "all"):
            near = did_you_mean(str(name), OPTIONAL)
            hint = f"{near} " if near.endswith("?") else ""
            rest = f"{', '.join(always)} are always there"
            raise UsageError(f"unknown function {name!r}: {hint}choose among {', '.join(OPTIONAL)}, or all; {rest}")
    return OPTIONAL if "all" in names else tuple(name for name in OPTIONAL if name in names)


def usual_functions() -> tuple[str, ...]:
    """Return what a simulator has when nothing else is said."""
    return tuple(row.name for row in FUNCTIONS if row.presence is Presence.USUAL)


def words_of(functions: Iterable[str]) -> str:
    """Return a choice in one word, as `chosen_functions` takes it."""
    names = tuple(functions)
    return "all" if names == OPTIONAL else ",".join(names) or "rhs"
