"""Comma separated values, byte for byte as the emitted main prints them: as few digits as read back to the same number.

A number of 64 bits needs 15 to 17 digits, one of 32 bits 6 to 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from eomc.backends.c99.strings import csv_field

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
    forms, number = (_DOUBLE, float) if real == "double" else (_FLOAT, np.float32)

    def write(value: float) -> str:
        exact = number(value)
        for form in forms:
            text = form % exact
            if number(float(text)) == exact:
                break
        return text  # with all digits for nan

    yield ",".join(map(csv_field, names)) + "\n"
    for row in zip(*(column.tolist() for column in columns), strict=True):
        yield ",".join(map(write, row)) + "\n"
