"""An ensemble as a notebook shows it: how runs ended, and between which values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from eomc.binding.vectors import Array
from eomc.cells import Markup, page, sentence, table
from eomc.wording import counted

_Row = tuple[str, str, str, float | str, float | str, float | str]


def ensemble_cell(
    name: str,
    about: str,
    ends: Mapping[str, int],
    names: Sequence[str],
    last: Array | None,
    reduced: Mapping[tuple[str, str], NDArray[np.float64]],
    units: Mapping[str, str],
) -> Markup:
    """Return least, mean and greatest of the last states and of what was reduced, over trajectories.

    Parameters
    ----------
    name, about
        The model's, and how many trajectories of how many points.
    ends
        How trajectories ended -> how many.
    names, last
        Of the states; the last kept point of each trajectory, (k, nx), NaN where it failed, or None where none is.
    reduced
        (name, kind) -> (k,).
    units
        By name, of what has one; times of events are in s.
    """

    def rows() -> Iterator[_Row]:
        if last is not None:
            for state, column in zip(names, last.T, strict=True):
                yield _row(state, "last", units.get(state, ""), column)
        for (of, kind), values in reduced.items():
            yield _row(of, kind, units.get(of, "s" if kind.startswith("time") else ""), values)

    told = ", ".join(f"{times} {how}" for how, times in ends.items())
    count = len(reduced) + (0 if last is None else len(names))
    return page(
        "eomc.Ensemble",
        name,
        about,
        table("over trajectories", ("", "of each", "unit", "least", "mean", "greatest"), rows(), count),
        sentence(f"{counted(sum(ends.values()), 'trajectory', 'trajectories')}: {told}" if told else ""),
    )


def _row(name: str, kind: str, unit: str, values: Array) -> _Row:
    """Return a row of what is finite."""
    finite = values[np.isfinite(values)].astype(np.float64)
    if not len(finite):
        return name, kind, unit, "", "", ""
    mean = float(np.mean(finite / len(finite)) * len(finite))  # a sum may be more than a double holds
    return name, kind, unit, float(finite.min()), mean, float(finite.max())
