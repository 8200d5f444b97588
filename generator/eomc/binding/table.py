"""Comma separated values, byte for byte as the emitted main prints them: as few digits as read back to the same number.

A number of 64 bits needs 15 to 17 digits, one of 32 bits 6 to 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from eomc.backends.c99.strings import csv_field

__all__ = ["table_lines"]

_DOUBLE = tuple(f"%.{digits}g" for digits in range(15, 18))
_FLOAT = tuple(f"%.{digits}g" for digits in range(6, 10))


def table_lines(names: Iterable[str], columns: Sequence[NDArray[np.float64]], real: str) -> Iterator[str]:
    """Yield the lines of a table, the header first.

    Parameters
    ----------
    names
        One per column.
    columns
        Each of shape (n,).
    real
        The scalar type of the program, ``double`` or ``float``: what a number has to be read back to.
    """
    write = _double if real == "double" else _float
    yield ",".join(map(csv_field, names)) + "\n"
    for row in zip(*(column.tolist() for column in columns), strict=True):
        yield ",".join(map(write, row)) + "\n"


def _double(value: float) -> str:
    for form in _DOUBLE:
        text = form % value
        if float(text) == value:
            return text
    return text  # nan


def _float(value: float) -> str:
    single = np.float32(value)
    for form in _FLOAT:
        text = form % single
        if np.float32(float(text)) == single:
            return text
    return text
