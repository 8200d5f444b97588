"""Arguments of integrators: which one, how its steps are chosen, which rows it gives."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from eomc.cli.arguments import count, finite, positive
from eomc.errors import EomcError, UsageError
from eomc.integrators import ADAPTIVE, DEFAULT, INTEGRATORS, Integrator, integrator, integrators

_FIXED = ("dt",)
_ADAPTIVE = ("rtol", "atol", "first_step", "max_step", "max_steps")
OPTIONS = (*_FIXED, *_ADAPTIVE, "jumps")
"""How steps are chosen."""

_LIST = ", ".join(row.name for row in INTEGRATORS if not row.adaptive)
_ADAPTIVE_LIST = ", ".join(row.name for row in INTEGRATORS if row.adaptive)
_SCHEMES = f"of fixed steps: {_LIST}; to a tolerance: {_ADAPTIVE_LIST}, taylor:15 of another order, taylor:kane by form"


def add_integrators(parser: argparse.ArgumentParser) -> None:
    """Add --integrator, which may name several."""
    parser.add_argument(
        "--integrator",
        metavar="I,...",
        type=_several,
        help=f"integrators, {_SCHEMES}; the first is that of main.c; {DEFAULT.name} by default, {ADAPTIVE.name} of "
        "models with events",
    )


def add_steps(parser: argparse.ArgumentParser, note: str = "", rows: bool = False) -> None:
    """Add --integrator and what says how its steps are chosen, and --rows-every for `rows`; help ends with `note`."""
    parser.add_argument(
        "--integrator",
        metavar="I",
        type=_one,
        help=f"{_SCHEMES}; {DEFAULT.name} by default, {ADAPTIVE.name} with --rtol or --atol and of models with "
        f"events{note}",
    )
    parser.add_argument(
        "--dt",
        metavar="S",
        type=positive,
        help=f"fixed step in s; of the model's usual run by default, 0.001. A shorter last one ends the run exactly at "
        f"--t-end{note}",
    )
    parser.add_argument(
        "--rtol", metavar="V", type=positive, help=f"error of a step in proportion to each state; 1e-8 by default{note}"
    )
    parser.add_argument(
        "--atol",
        metavar="[NAME=]V",
        type=_tolerance,
        nargs="+",
        action="extend",
        help=f"what is added to it, for all states or for one; 1e-8 by default{note}",
    )
    parser.add_argument("--first-step", metavar="S", type=positive, help=f"length of the first step; chosen{note}")
    parser.add_argument("--max-step", metavar="S", type=positive, help=f"longest step; no bound by default{note}")
    parser.add_argument(
        "--max-steps", metavar="N", type=count, help=f"steps that are tried at most; 10000000 by default{note}"
    )
    parser.add_argument(
        "--jumps",
        metavar="S",
        type=finite,
        nargs="+",
        action="extend",
        help=f"times at which what depends on the time jumps, in order; a step ends at each{note}",
    )
    if rows:
        parser.add_argument(
            "--rows-every",
            metavar="S",
            type=positive,
            help="rows, or points that are reduced, at equal distances of time, by the dense output",
        )


def chosen(options: argparse.Namespace, events: bool = False) -> Integrator:
    """Return the integrator of a run; with `events` it goes to a tolerance where nothing is said of its steps.

    Raises
    ------
    UsageError
        An option is not for it.
    """
    if options.integrator is not None:
        found = integrator(options.integrator)
    else:
        tolerates = options.rtol is not None or options.atol is not None
        found = ADAPTIVE if tolerates or (events and options.dt is None) else DEFAULT
    for name in _FIXED if found.adaptive else _ADAPTIVE:
        if getattr(options, name, None) is not None:
            option = f"--{name.replace('_', '-')}"
            if found.adaptive:
                raise UsageError(f"{option} is not for {found.name}, whose steps follow from --rtol and --atol")
            raise UsageError(
                f"{option} is not for {found.name}, whose steps are fixed: give --rtol, or --integrator {ADAPTIVE.name}"
            )
    return found


def step_keywords(options: argparse.Namespace, row: Integrator, states: Sequence[str], owner: str) -> dict[str, Any]:
    """Return how `Simulator.simulate` chooses steps, of the integrator that is `chosen`."""
    jumps = {"jumps": options.jumps}
    if not row.adaptive:
        return {"dt": options.dt, **jumps}
    return {
        **jumps,
        **({} if options.rtol is None else {"rtol": options.rtol}),
        "atol": _tolerances(options.atol or [], states, owner),
        "first_step": options.first_step,
        "max_step": options.max_step,
        "max_steps": options.max_steps,
    }


def _tolerances(given: Sequence[tuple[str, float]], states: Sequence[str], owner: str) -> list[float]:
    """Return the absolute tolerance of each state; a number without a name is for those that are not named."""
    from eomc.cli.assignments import assignments

    named = assignments("--atol", "state", owner, [pair for pair in given if pair[0]], states)
    others = [value for name, value in given if not name]
    if len(others) > 1:
        raise UsageError("--atol: two numbers without a name; give one, and NAME=V for single states")
    return [named.get(name, others[0] if others else 1e-8) for name in states]


def _tolerance(text: str) -> tuple[str, float]:
    """Read V or NAME=V."""
    name, _, value = text.rpartition("=")
    number = finite(value)
    if number <= 0.0:
        raise argparse.ArgumentTypeError(f"{text} is not above zero")
    return name.strip(), number


def _one(text: str) -> str:
    """Read one name."""
    try:
        return integrator(text).asked
    except EomcError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _several(text: str) -> str:
    """Read names with commas."""
    try:
        integrators(text)
    except EomcError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text
