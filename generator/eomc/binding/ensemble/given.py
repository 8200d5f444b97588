"""Parameters or held inputs as they are given: numbers for all trajectories, columns with one for each of them.

A million trajectories of which one parameter changes have a million numbers, not a million rows: rows are made for a
block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.vectors import Array, NamedVector, name_of_key, real_array
from eomc.errors import UsageError
from eomc.model.amounts import in_si
from eomc.model.arguments import number_of
from eomc.units import with_unit

CHUNK = 4096
"""Trajectories of which rows are made at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Values of all names for each trajectory."""

    count: int  # trajectories, or 1 for what is common to all
    common: Array  # (n,)
    columns: Mapping[int, Array]  # place of a name -> its values, (count,)
    table: Array | None  # (count, n): all of them were given so

    def part(self, first: int, end: int) -> Given:
        """Return those of some trajectories."""
        if self.count == 1:
            return self
        columns = {place: column[first:end] for place, column in self.columns.items()}
        return Given(end - first, self.common, columns, None if self.table is None else self.table[first:end])

    @property
    def rows(self) -> Array:
        """A row of all values for each trajectory, (count, n), made anew."""
        if self.table is not None:
            return self.table
        rows = np.repeat(self.common[None], self.count, axis=0)
        for place, column in self.columns.items():
            rows[:, place] = column
        return rows

    @property
    def chunks(self) -> Iterator[Array]:
        """The same, some thousand rows at a time."""
        for first in range(0, self.count, CHUNK):
            yield self.part(first, min(first + CHUNK, self.count)).rows


def given_of(values: Any, vector: NamedVector) -> Given:
    """Interpret values by name, with a number for all or an array (k,), or all in order, (n,) or (k, n).

    Raises
    ------
    UsageError
        An unknown name, what is no finite number, numbers of different lengths, or an array of another shape.
    """
    if values is None:
        return _of_all(vector.defaults)
    if not isinstance(values, Mapping):
        array = vector.numbers(values)
        if array.ndim != 2 or array.shape[1] != len(vector):
            return _of_all(vector.checked(array))
        return Given(len(array), vector.defaults, {}, vector.finite(array))
    single: dict[Any, Any] = {}
    several: dict[str, Array] = {}
    for key, value in values.items():
        numbers, unit = with_unit(value)
        if np.ndim(numbers) == 1 and name_of_key(key) in vector.names:
            name = name_of_key(key)
            several[name] = _column(numbers, unit, name, vector)
        else:
            single[key] = value
    common = vector.array(single)
    lengths = {f"{vector.kind} {name}": len(column) for name, column in several.items()}
    columns = {vector.names.index(name): column for name, column in several.items()}
    count = common_count(lengths, vector.owner)
    return Given(count, common, {place: np.broadcast_to(column, count) for place, column in columns.items()}, None)


def common_count(lengths: Mapping[str, int], owner: str) -> int:
    """Return the number of trajectories, which all that have not one for all must agree in.

    Raises
    ------
    UsageError
        They do not.
    """
    several = {what: length for what, length in lengths.items() if length != 1}
    if len(set(several.values())) > 1:
        told = ", ".join(f"{what} {length}" for what, length in several.items())
        raise UsageError(f"{owner}: all must be of as many trajectories, or of one for all: there are {told}")
    return next(iter(several.values()), 1)


def _of_all(values: Array) -> Given:
    return Given(1, values, {}, None)


def _column(value: Any, unit: str, name: str, vector: NamedVector) -> NDArray[np.float64]:
    """Return the values of one name for each trajectory, in SI."""
    what = f"{vector.owner}: {vector.kind} {name}"
    column = real_array(value, what)
    if unit:
        column = in_si(what, column, unit, vector.units[vector.names.index(name)])
    wrong = np.flatnonzero(~np.isfinite(column))
    if len(wrong):
        where = f" in row {wrong[0]}" if len(column) > 1 else ""
        number_of(f"{what}{where}", column[wrong[0]], UsageError)
    return vector.held(column, name)
