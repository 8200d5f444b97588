"""What is kept of each run instead of its points: minimum, maximum and mean over time of states and outputs."""

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

Reduce: TypeAlias = str | Iterable[str] | Mapping[Any, str | Iterable[str]] | None
"""Kinds, of all states; or for each name of a state or an output its kinds."""


@dataclass(frozen=True, slots=True)
class Reductions:
    """Some reductions, in order."""

    names: tuple[tuple[str, str], ...]  # name of a state or an output, kind
    columns: NDArray[np.int32]  # values that are reduced: states, then outputs
    kinds: NDArray[np.int32]
    places: NDArray[np.int32]  # index into `columns`
    outputs: bool  # whether outputs are among the columns

    def __len__(self) -> int:
        return len(self.names)


def reductions_of(reduce: Reduce, owner: str, states: Sequence[str], outputs: Sequence[str]) -> Reductions:
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
    for key, kinds in chosen.items():
        name = name_of_key(key)
        if name not in known:
            raise unknown_name(owner, "state or output", name, known)
        names.update(dict.fromkeys((name, kind) for kind in _kinds(kinds, owner)))
    columns = list(dict.fromkeys(known.index(name) for name, _ in names))
    return Reductions(
        tuple(names),
        np.array(columns, dtype=np.int32),
        np.array([KINDS.index(kind) for _, kind in names], dtype=np.int32),
        np.array([columns.index(known.index(name)) for name, _ in names], dtype=np.int32),
        any(column >= len(states) for column in columns),
    )


def _kinds(given: str | Iterable[str], owner: str) -> tuple[str, ...]:
    """Return kinds of reductions that there are."""
    if not isinstance(given, Iterable):
        raise UsageError(f"{owner}: reduce takes {', '.join(KINDS)}, not {given!r}")
    kinds = (given,) if isinstance(given, str) else tuple(given)
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"{owner}: unknown reduction {kind!r}; {did_you_mean(str(kind), KINDS)}")
    if not kinds:
        raise UsageError(f"{owner}: nothing is reduced; choose among {', '.join(KINDS)}")
    return kinds
