"""Parameters and inputs by name: a mapping or an array in, a flat array in the program's order out.

None becomes NaN and text becomes its number where NumPy is left to itself: every value is looked at before that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.errors import UsageError
from eomc.ir.program import Variable
from eomc.ir.single import LARGEST, LEAST, refuse_beyond_float
from eomc.model.amounts import amount_of
from eomc.model.arguments import number_of, quoted, real_of, regular_array
from eomc.model.arrays import Arrays
from eomc.wording import counted, did_you_mean

Real: TypeAlias = NDArray[np.floating[Any]]
Array: TypeAlias = NDArray[np.float64]
Values: TypeAlias = Mapping[Any, Any] | ArrayLike
"""By name (or SymPy symbol), each a number in SI or (number, unit), or all of them in order."""


class NamedVector:
    """An ordered set of names with default values.

    Parameters
    ----------
    kind
        What one of them is called: ``parameter`` or ``input``.
    owner
        Name of the model, for messages.
    names, defaults
        In the program's order.
    arrays
        Those whose elements are among the names.
    units
        In which they are measured, of SI; empty where none is known.
    real
        ``float`` refuses numbers that are too large for single precision, and tells those that are too small.
    """

    __slots__ = ("_arrays", "_index", "_single", "defaults", "kind", "names", "owner", "units")

    def __init__(
        self,
        kind: str,
        owner: str,
        names: Iterable[str],
        defaults: Sequence[float],
        arrays: Arrays | None = None,
        units: Sequence[str] = (),
        real: str = "double",
    ) -> None:
        self.kind = kind
        self.owner = owner
        self.names = tuple(names)
        self.units = tuple(units) or ("",) * len(self.names)
        self.defaults: NDArray[np.float64] = np.array(defaults, dtype=np.float64)
        self.defaults.flags.writeable = False
        self._single = real == "float"
        self._arrays = arrays if arrays is not None else Arrays(())
        self._index = {name: index for index, name in enumerate(self.names)}

    @classmethod
    def of(cls, kind: str, owner: str, variables: Sequence[Variable], real: str = "double") -> NamedVector:
        """Return the vector of some variables of a program."""
        names, defaults = [v.name for v in variables], [v.value for v in variables]
        return cls(kind, owner, names, defaults, Arrays(variables), [v.unit for v in variables], real)

    def __len__(self) -> int:
        return len(self.names)

    def as_dict(self) -> dict[str, float]:
        """Return the default values by name."""
        return dict(zip(self.names, self.defaults.tolist(), strict=True))

    def array(self, values: Values | None, others: Array | None = None) -> NDArray[np.float64]:
        """Return all values in order; what a mapping does not name is as in `others`, the defaults by default.

        Raises
        ------
        UsageError
            An unknown name (the message lists the nearest known ones), a value that is neither a finite number nor
            (number, unit), one that a float does not hold, or an array of another length.
        """
        if values is None:
            return self.defaults
        if not isinstance(values, Mapping):
            return self.checked(self.numbers(values))
        filled = (self.defaults if others is None else others).copy()
        for key, value in self._arrays.spread(values).items():
            name = name_of_key(key)
            index = self._index.get(name)
            if index is None:
                raise unknown_name(self.owner, self.kind, name, self.names)
            if type(value) is not float or not math.isfinite(value):  # no words are made for the common case
                value = amount_of(f"{self.owner}: {self.kind} {name}", value, self.units[index])
            filled[index] = value
        return self.held(filled)

    def by_name(self, values: Values | None) -> dict[str, float] | None:
        """Return all values by name; None where none are given."""
        return None if values is None else dict(zip(self.names, self.array(values).tolist(), strict=True))

    def numbers(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return values that are not given by name as an array."""
        return real_array(values, f"{self.owner}: {self.kind}s", self.names)

    def checked(self, array: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return `array` if it is one finite value per name."""
        if array.shape != (len(self.names),):
            raise UsageError(
                f"{self.owner}: {self.kind}s must be an array of {counted(len(self.names), 'value')} "
                f"[{', '.join(self.names)}], not of shape {array.shape}"
            )
        if not all(map(math.isfinite, array.tolist())):
            self.finite(array[None])
        return self.held(array)

    def finite(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return rows of one value per name if all of them are finite."""
        if not np.isfinite(rows).all():
            row, column = np.argwhere(~np.isfinite(rows))[0].tolist()
            where = f" in row {row}" if len(rows) > 1 else ""
            number_of(f"{self.owner}: {self.kind} {self.names[column]}{where}", rows[row, column], UsageError)
        return self.held(rows)

    def held(self, values: NDArray[np.float64], name: str = "") -> NDArray[np.float64]:
        """Return values if a program of this precision holds them: one per name, rows of them, or all of one `name`."""
        if self._single:
            sizes = np.abs(values)
            told = dict[str, float]()  # the first of each name
            for place in np.argwhere((sizes > LARGEST) | ((sizes > 0.0) & (sizes < LEAST))).tolist():
                told.setdefault(name or self.names[place[-1]], float(values[tuple(place)]))
            for called, value in sorted(told.items(), key=lambda one: -abs(one[1])):
                refuse_beyond_float(f"{self.owner}: {self.kind} {called}", value)
        return values


def real_array(values: ArrayLike, what: str, names: Sequence[str] = ()) -> NDArray[np.float64]:
    """Return `values` as an array of float64, NaN among them.

    Parameters
    ----------
    values
        A scalar, a vector or a table.
    what
        What these are called.
    names
        Of the entries of a vector, or of the columns of a table.

    Raises
    ------
    UsageError
        They are not real numbers in a regular array.
    """
    array = regular_array(values, what)
    if array.dtype.kind != "O":
        return array.astype(np.float64, copy=False)
    numbers = np.empty(array.shape)
    for place, value in np.ndenumerate(array):
        try:
            numbers[place] = real_of(value)
        except (TypeError, ValueError, OverflowError) as error:
            where = f" at [{', '.join(map(str, place))}]" if place else ""
            if place and array.shape[-1] == len(names):
                where = f" for {names[place[-1]]}" + "".join(f" in row {row}" for row in place[:-1])
            raise UsageError(f"{what} must be real numbers, not {quoted(value)}{where}") from error
    return numbers


def start_array(x0: Any, owner: str, names: Sequence[str] = ()) -> NDArray[np.float64]:
    """Return states at which runs begin, in SI, as an array.

    Raises
    ------
    UsageError
        They are no real numbers, or go by name: constraints tell what else changes then.
    """
    if isinstance(x0, Mapping):
        raise UsageError(
            f"{owner}: x0 is an array in the order of sim.state_names, not a mapping: sim.state({{'name': value}}) "
            "makes one of values by name, which may have units"
        )
    return real_array(x0, f"{owner}: x0", names)


def name_of_key(key: Any) -> str:
    """Return the name that a key stands for: itself, or that of a SymPy symbol or time function."""
    if isinstance(key, str):
        return key
    from eomc.model.names import name_of

    return name_of(key)


def unknown_name(owner: str, kind: str, name: str, known: Sequence[str]) -> UsageError:
    """Return the error that names the nearest known names, or all when none is near."""
    return UsageError(f"{owner}: unknown {kind} {name!r}; {did_you_mean(name, known)}")
