"""Functions that call others one after the other, until one fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from eomc.backends.c99.arguments import Argument, discards
from eomc.backends.c99.layout import Text
from eomc.backends.c99.scope import Scope


class Call(NamedTuple):
    """A call of an emitted function."""

    name: str
    arguments: tuple[str, ...]
    fallible: bool  # whether it returns a status


def in_turn(
    calls: Sequence[Call],
    arguments: Sequence[Argument],
    scope: Scope,
    given: Mapping[str, str] = MappingProxyType({}),
    first: Sequence[str] = (),
    kept: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return the body of a function that calls others.

    Parameters
    ----------
    calls
        What it calls.
    arguments
        Its own.
    scope
        Names.
    given
        What stands for arguments of those that it calls, where it has none of that name.
    first
        Lines before the calls.
    kept
        Arguments that these touch.
    """
    ok, kind = f"{scope.macro}_OK", f"{scope.prefix}_status"
    made = [f"{call.name}({', '.join(given.get(name, name) for name in call.arguments)})" for call in calls]
    taken = {*kept}.union(*(call.arguments for call in calls))
    touched = taken | {"work"} if taken.intersection(given) else taken  # in which what is given stands
    text = Text(discards(arguments, touched))
    if not any(call.fallible for call in calls):
        text.add(*first, *(f"    {one};" for one in made), f"    return {ok};")
        return text.finished()
    if len(calls) == 1 and not first:
        text.add(f"    return {made[0]};")
        return text.finished()
    at_once = calls[0].fallible and not first  # declare and assign in one line
    text.add(f"    {kind} status = {made[0] if at_once else ok};", "", *first)
    guarded = at_once
    for call, one in list(zip(calls, made, strict=True))[at_once:]:
        statement = f"status = {one};" if call.fallible else f"{one};"
        lines = [f"    if (status == {ok}) {{", f"        {statement}", "    }"] if guarded else [f"    {statement}"]
        text.add(*lines)
        guarded = guarded or call.fallible
    text.add("    return status;")
    return text.finished()
