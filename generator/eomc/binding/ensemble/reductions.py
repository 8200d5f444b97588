"""What is kept of each run instead of its points: extremes and means of states and outputs, times of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eomc.binding.vectors import name_of_key, unknown_name
from eomc.errors import UsageError
from eomc.wording import did_you_mean

KINDS = ("minimum", "maximum", "mean")
"""In the order of their numbers in C. A mean is the integral by the trapezoidal rule, divided by the time."""

_COUNT, _TIME = "count", "time"

Reduce: TypeAlias = str | Iterable[str] | Mapping[Any, str | Iterable[str]] | None
"""Kinds, of all states; or for each name of a state, an output or an event its kinds."""


@dataclass(frozen=True, slots=True)
class Reductions:
    """Some reductions, in order."""

    names: tuple[tuple[str, str], ...]  # name of a state or an output, kind
    columns: NDArray[np.int32]  # values that are reduced: states, then outputs
    kinds: NDArray[np.int32]
    places: NDArray[np.int32]  # index into `columns`
    outputs: bool  # whether outputs are among the columns
    happened: tuple[tuple[str, str], ...]  # name of an event, kind
    happenings: NDArray[np.int32]  # its number, and which of its times; 0: how many there are

    def __len__(self) -> int:
        return len(self.names)


def reductions_of(
    reduce: Reduce, owner: str, states: Sequence[str], outputs: Sequence[str], events: Sequence[str]
) -> Reductions:
    """Interpret what is asked for.

    Raises
    ------
    UsageError
        An unknown name or kind, or nothing of something.
    """
    if reduce is None:
        chosen: Mapping[Any, str | Iterable[str]] = {}
    elif isinstance(reduce, Mapping):
        chosen = reduce
    else:
        same = _kinds(reduce, owner)
        chosen = dict.fromkeys(states, same)
    known = (*states, *outputs)
    names: dict[tuple[str, str], None] = {}
    happened: dict[tuple[str, str], tuple[int, int]] = {}
    for key, given in chosen.items():
        name = name_of_key(key)
        if name in events:
            for kind in _listed(given, owner):
                happened[name, kind] = events.index(name), _which(kind, name, owner)
        elif name in known:
            names.update(dict.fromkeys((name, kind) for kind in _kinds(given, owner)))
        else:
            what = "state, output or event" if events else "state or output"
            raise unknown_name(owner, what, name, (*known, *events))
    columns = list(dict.fromkeys(known.index(name) for name, _ in names))
    return Reductions(
        tuple(names),
        np.array(columns, dtype=np.int32),
        np.array([KINDS.index(kind) for _, kind in names], dtype=np.int32),
        np.array([columns.index(known.index(name)) for name, _ in names], dtype=np.int32),
        any(column >= len(states) for column in columns),
        tuple(happened),
        np.reshape(np.array(list(happened.values()), dtype=np.int32), (len(happened), 2)),
    )


def _which(kind: str, event: str, owner: str) -> int:
    """Return which of an event's times is meant, 0 for their number."""
    number = kind.removeprefix(_TIME)
    if kind != _COUNT and not (kind.startswith(_TIME) and number.isdecimal() and 0 < int(number) < 2**31):
        raise UsageError(
            f"{owner}: unknown reduction {kind!r} of the event {event}; take {_COUNT}, or {_TIME}1, {_TIME}2, ... for "
            "its first, second, ... time"
        )
    return 0 if kind == _COUNT else int(number)


def _kinds(given: str | Iterable[str], owner: str) -> tuple[str, ...]:
    """Return kinds of reductions that there are."""
    kinds = _listed(given, owner)
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"{owner}: unknown reduction {kind!r}; {did_you_mean(kind, KINDS)}")
    return kinds


def _listed(given: str | Iterable[str], owner: str) -> tuple[str, ...]:
    """Return one text or several, but at least one."""
    if not isinstance(given, Iterable):
        raise UsageError(f"{owner}: reduce takes {', '.join(KINDS)}, not {given!r}")
    kinds = (given,) if isinstance(given, str) else tuple(map(str, given))
    if not kinds:
        raise UsageError(f"{owner}: nothing is reduced; choose among {', '.join(KINDS)}")
    return kinds
