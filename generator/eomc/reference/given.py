"""Numbers as they are given to the reference: finite ones, or one line on what is none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from eomc.errors import UsageError
from eomc.model.arguments import number_of, regular_array
from eomc.reference.jets import Array


def finite_array(given: ArrayLike, what: str, names: Sequence[str] = ()) -> Array:
    """Return numbers of any shape.

    Parameters
    ----------
    given
        A number, a vector or a table.
    what
        What these are called.
    names
        Of the entries of a vector, or of the columns of a table.

    Raises
    ------
    UsageError
        One of them is no finite number, or they are no regular array.
    """
    array = regular_array(given, what)
    if array.dtype.kind != "O" and np.isfinite(array).all():
        return array.astype(np.float64, copy=False)
    numbers = np.empty(array.shape)
    for place, value in np.ndenumerate(array):
        named = bool(place) and array.shape[-1] == len(names)
        numbers[place] = number_of(f"{what}: {names[place[-1]]}" if named else what, value, UsageError)
    return numbers


def times_at(given: ArrayLike, states: int) -> Array:
    """Return the times of that many states, of one time or of one for each.

    Raises
    ------
    UsageError
        There are neither one nor as many; or one is no finite number.
    """
    times = finite_array(given, "t")
    if times.shape not in ((), (1,), (states,)):
        raise UsageError(f"t has the shape {times.shape}: give one time, or one for each of the {states} states")
    return np.broadcast_to(times, (states,))
