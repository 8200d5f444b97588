"""Which functions a simulator may have, and which of them it gets."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.errors import UsageError
from eomc.ir.program import EVALUATE, RUN, STEP_JACOBIAN, STEP_LANES, TAYLOR_COEFFICIENTS, UNPHYSICAL_LINK
from eomc.programs.functions import FUNCTIONS, ROWS, Presence
from eomc.tableaus import DEFAULT
from eomc.wording import did_you_mean

OPTIONAL = tuple(row.name for row in FUNCTIONS if row.presence not in (Presence.ALWAYS, Presence.NAMED))
"""Functions beside the right-hand side, in the order of their emission; not every model has them all."""

SERVING = tuple(row.name for row in FUNCTIONS if row.presence is Presence.NAMED)
"""Functions that are there where they are named alone: what sensitivities along a run take."""

FURTHER = {
    "rhs_lanes": "rhs",
    STEP_JACOBIAN: "jacobian",
    STEP_LANES: "rhs",
    RUN: "rhs",
    TAYLOR_COEFFICIENTS: "rhs",
    EVALUATE: "rhs",
    UNPHYSICAL_LINK: "rhs",
}
"""Functions that are made of others, and of which: several states side by side, runs, a derivative, a power series.
One of parameters alone stands beside the right-hand side.

They are emitted where they are named.
"""


def chosen_functions(asked: str | Iterable[str] | None, integrator: str = DEFAULT.name) -> tuple[str, ...] | None:
    """Return the optional functions that were asked for, in their own order; None for the usual ones.

    Parameters
    ----------
    asked
        Names, or one text with commas; ``"all"`` stands for every function of one state, ``"usual"`` and None for all
        of these but the derivatives of the right-hand side.
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
    offered = (*OPTIONAL, *FURTHER)
    known = (*OPTIONAL, *SERVING, *FURTHER)
    together = OPTIONAL if "all" in names else usual_functions() if "usual" in names else ()
    entries: dict[str, str] = dict.fromkeys(together, "")
    own = {f"{integrator}_{name}": name for name in (STEP_JACOBIAN, STEP_LANES)}
    for name in (own.get(str(name), name) for name in names):
        base, _, of = str(name).partition(":")
        if base not in (*known, *always, "all", "usual"):
            near = did_you_mean(base, offered)
            hint = f"{near} " if near.endswith("?") else ""
            rest = f"{', '.join(always)} are always there"
            raise UsageError(
                f"unknown function {name!r}: {hint}choose among {', '.join(offered)}, usual, or all; {rest}"
            )
        if of and not (base in ROWS and ROWS[base].of):
            raise UsageError(f"function {name!r}: nothing can be named after {base}")
        if entries.get(base, "") not in ("", of):
            raise UsageError(f"function {base} is asked for as {entries[base]!r} and as {of!r}: name all in one")
        entries[base] = of
    return tuple(f"{name}:{entries[name]}" if entries[name] else name for name in known if name in entries)


def base_of(function: str) -> str:
    """Return the name of a chosen function without what is named after it."""
    return function.partition(":")[0]


def is_everything(functions: Iterable[str]) -> bool:
    """Whether a choice holds all the usual functions of one state, which asks for what there is."""
    return set(usual_functions()) <= set(map(base_of, functions))


def belongs_to_a_run(function: str) -> bool:
    """Whether a run with steps calls a function, or hands out its results."""
    row = ROWS[function]
    return row.presence is Presence.ALWAYS or row.ends_steps or function == "outputs"


def belongs_to_a_trajectory(function: str) -> bool:
    """Whether a trajectory has what a function gives, or a run calls it."""
    return belongs_to_a_run(function) or function == "energy"


def always_there(function: str) -> bool:
    """Whether a function is there without being chosen."""
    return ROWS[function].presence is Presence.ALWAYS


def named_after(function: str, chosen: Iterable[str]) -> tuple[str, ...]:
    """Return what is named after a function in a choice."""
    entry = next((one for one in chosen if base_of(one) == function), "")
    return tuple(filter(None, entry.split(":")[1:]))


def usual_functions() -> tuple[str, ...]:
    """Return what a simulator has when nothing else is said."""
    return tuple(row.name for row in FUNCTIONS if row.presence is Presence.USUAL)


def words_of(functions: Iterable[str]) -> str:
    """Return a choice in one word, as `chosen_functions` takes it."""
    names = tuple(functions)
    every = ("all", *names[len(OPTIONAL) :]) if names[: len(OPTIONAL)] == OPTIONAL else names
    return ",".join(every) or "rhs"
