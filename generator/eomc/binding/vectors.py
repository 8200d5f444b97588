"""Parameters and inputs by name: a mapping or an array in, a flat array in the program's order out."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.errors import UsageError
from eomc.wording import counted

__all__ = ["NamedVector", "Real", "Values", "name_of_key", "real_array", "unknown_name"]

Real: TypeAlias = NDArray[np.floating[Any]]
Values: TypeAlias = Mapping[Any, float] | ArrayLike
"""By name (or SymPy symbol), or all of them in order."""


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
    """

    __slots__ = ("_index", "defaults", "kind", "names", "owner")

    def __init__(self, kind: str, owner: str, names: Iterable[str], defaults: Sequence[float]) -> None:
        self.kind = kind
        self.owner = owner
        self.names = tuple(names)
        self.defaults: NDArray[np.float64] = np.array(defaults, dtype=np.float64)
        self.defaults.flags.writeable = False
        self._index = {name: index for index, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def as_dict(self) -> dict[str, float]:
        """Return the default values by name."""
        return dict(zip(self.names, self.defaults.tolist(), strict=True))

    def array(self, values: Values | None) -> NDArray[np.float64]:
        """Return all values in order; what a mapping does not name keeps its default.

        Raises
        ------
        UsageError
            An unknown name (the message lists the nearest known ones), a value that is not a number, or an array of
            another length.
        """
        if values is None:
            return self.defaults
        if not isinstance(values, Mapping):
            return self.checked(real_array(values, f"{self.owner}: {self.kind}s"))
        filled = self.defaults.copy()
        for key, value in values.items():
            name = name_of_key(key)
            index = self._index.get(name)
            if index is None:
                raise unknown_name(self.owner, self.kind, name, self.names)
            try:
                filled[index] = value
            except (TypeError, ValueError) as error:
                raise UsageError(f"{self.owner}: {self.kind} {name} must be one number, not {value!r}") from error
        return filled

    def checked(self, array: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return `array` if it is one value per name."""
        if array.shape != (len(self.names),):
            raise UsageError(
                f"{self.owner}: {self.kind}s must be an array of {counted(len(self.names), 'value')} "
                f"[{', '.join(self.names)}], not of shape {array.shape}"
            )
        return array


def real_array(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """Return `values` as an array of float64, or say that `what` is not made of real numbers."""
    try:
        array = np.asarray(values)
        if array.dtype.kind == "c":
            raise TypeError("complex numbers")
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{what} must be real numbers in a regular array: {error}") from error


def name_of_key(key: Any) -> str:
    """Return the name that a key stands for: itself, or that of a SymPy symbol or time function."""
    if isinstance(key, str):
        return key
    from eomc.model.names import name_of

    return name_of(key)


def unknown_name(owner: str, kind: str, name: str, known: Sequence[str]) -> UsageError:
    """Return the error that names the nearest known names, or all when none is near."""
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif known:
        hint = f"known are {', '.join(known[:12])}{', ...' if len(known) > 12 else ''}"
    else:
        hint = "there are none"
    return UsageError(f"{owner}: unknown {kind} {name!r}; {hint}")
