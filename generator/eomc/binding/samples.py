"""Inputs as samples over time: a table that every integrator can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.grids import TimeGrid
from eomc.binding.vectors import Array, NamedVector, name_of_key, real_array, unknown_name
from eomc.errors import UsageError
from eomc.model.amounts import in_si
from eomc.model.arguments import quoted
from eomc.units import with_unit
from eomc.wording import counted

INTERPOLATIONS = ("held", "linear")


class Samples:
    """Inputs that are known at some times.

    Before the first and after the last time they are as there. A step ends where held ones jump, also a fixed one;
    those of an ensemble have to end there as it is.

    Parameters
    ----------
    t
        Times [s], shape (k,), ascending; or (times, unit).
    values
        By name or SymPy symbol, of shape (k,) each (an input that is not named keeps its default), in SI or
        (numbers, unit); or an array (k, nr) of all in order, in SI.
    interpolation
        ``"linear"``: on straight lines from sample to sample; ``"held"``: each until the next.

    Raises
    ------
    UsageError
        Something above is not as described.

    Examples
    --------
    >>> ramp = Samples([0.0, 1.0], {"F": [0.0, 2.0]})
    >>> ramp.at(np.array([[0.0], [2.0]]), np.array([0.25, 3.0]))
    array([[0.5],
           [2. ]])
    >>> Samples(([0.0, 250.0], "ms"), {"F": ([0.0, 2.0], "kN")}).t
    array([0.  , 0.25])
    """

    def __init__(self, t: Any, values: Mapping[Any, Any] | ArrayLike, interpolation: str = "linear") -> None:
        times, unit = with_unit(t)
        self.t = real_array(times, "samples: t")
        if unit:
            self.t = in_si("samples: t", self.t, unit, "s")
        if self.t.ndim != 1 or not len(self.t) or not np.isfinite(self.t).all() or not (np.diff(self.t) > 0.0).all():
            raise UsageError(f"samples: t must be finite times in ascending order, shape (k,), not {quoted(t)}")
        if interpolation not in INTERPOLATIONS:
            raise UsageError(f"samples: interpolation {interpolation!r} is none; use 'linear' or 'held'")
        self.interpolation = interpolation
        self._by_name: dict[str, tuple[Array, str]] | None = None  # with the unit beside it
        if isinstance(values, Mapping):
            self._by_name = {name_of_key(key): self._column(name_of_key(key), value) for key, value in values.items()}
        else:
            self._all = real_array(values, "samples: values")
            if self._all.ndim != 2 or len(self._all) != len(self.t):
                raise UsageError(
                    f"samples: values must have one row at each of the {counted(len(self.t), 'time')}, not the shape "
                    f"{self._all.shape}"
                )

    @property
    def jump(self) -> bool:
        """Whether they are held, each until the next."""
        return self.interpolation == "held"

    def rows(self, names: NamedVector) -> Array:
        """Return the values of all inputs at the times, shape (k, nr).

        Raises
        ------
        UsageError
            An input is unknown, their number is wrong, or a value is not finite.

        `names` are those of the model's inputs, in their order.
        """
        if self._by_name is None:
            if self._all.shape[1] != len(names):
                raise UsageError(
                    f"{names.owner}: samples must have rows of {counted(len(names), 'value')} "
                    f"[{', '.join(names.names)}], not the shape {self._all.shape}"
                )
            return names.finite(self._all)
        table = np.tile(names.defaults, (len(self.t), 1))
        for name, (column, unit) in self._by_name.items():
            if name not in names.names:
                raise unknown_name(names.owner, names.kind, name, names.names)
            place = names.names.index(name)
            what = f"{names.owner}: samples of {name}"
            table[:, place] = in_si(what, column, unit, names.units[place]) if unit else column
        return names.finite(table)

    def jumping_on(self, grid: TimeGrid, names: NamedVector) -> Samples:
        """Return held ones as fixed steps take them.

        What jumps at a time of their grid, but for rounding, jumps there; a row that is that before it is no jump.

        `grid` are the times of fixed steps, `names` those of the model's inputs.
        """
        rows = self.rows(names)
        jumps = np.append(True, (rows[1:] != rows[:-1]).any(axis=1))
        t, rows = grid.settled(self.t[jumps]), rows[jumps]
        last = np.append(t[1:] > t[:-1], True)  # of those at one time of the grid
        return Samples(t[last], rows[last], "held")

    def at(self, rows: Array, t: Array) -> Array:
        """Return what holds at some times of what holds at the samples, shape (len(t), nr).

        `rows` are the samples as `rows()` gives them.
        """
        passed = np.searchsorted(self.t, t, side="right")
        before = np.clip(passed - 1, 0, len(self.t) - 1)
        found: Array = rows[before]
        if self.interpolation == "linear":
            after = np.clip(passed, 0, len(self.t) - 1)
            length = np.where(after > before, self.t[after] - self.t[before], 1.0)
            share = np.where(after > before, (t - self.t[before]) / length, 0.0)
            found = found + share[:, None] * (rows[after] - found)
        return found

    def _column(self, name: str, value: Any) -> tuple[Array, str]:
        numbers, unit = with_unit(value)
        column = real_array(numbers, f"samples: {name}")
        if column.shape != self.t.shape:
            raise UsageError(
                f"samples: {name} must have {counted(len(self.t), 'value')}, one at each time, not the shape "
                f"{column.shape}"
            )
        return column, unit
