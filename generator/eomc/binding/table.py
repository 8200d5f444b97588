"""Comma separated values, byte for byte as the emitted main prints them: as few digits as read back to the same number.

A number of 64 bits needs 15 to 17 digits, one of 32 bits 6 to 9. `decimals` writes long tables in C, to the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from eomc.backends.c99.strings import csv_field
from eomc.binding.decimals import decimals

_DOUBLE = tuple(f"%.{digits}g" for digits in range(15, 18))
_FLOAT = tuple(f"%.{digits}g" for digits in range(6, 10))

_FEW = 10_000
"""Numbers that are written sooner than a library is found or compiled."""

_ROWS = 4096  # that are held as text


def table_text(names: Iterable[str], columns: Sequence[NDArray[np.float64]], real: str) -> Iterator[str]:
    """Yield a table in pieces of some lines, the header first.

    Parameters
    ----------
    names
        One per column.
    columns
        Each of shape (n,).
    real
        The scalar type of the program, ``double`` or ``float``: what a number has to be read back to.
    """
    yield ",".join(map(csv_field, names)) + "\n"
    count, written = len(columns[0]) if columns else 0, decimal if real == "double" else single_decimal
    library = decimals() if count * len(columns) > _FEW else None
    for first in range(0, count, _ROWS):
        rows = np.stack([column[first : first + _ROWS] for column in columns], axis=1)
        if real == "float":
            with np.errstate(over="ignore"):
                rows = rows.astype(np.float32).astype(np.float64)
        if library is not None:
            yield library.text(rows, real == "float", written)
        else:
            yield "".join(",".join(map(written, row)) + "\n" for row in rows.tolist())


def decimal(value: float) -> str:
    """Return a number with 15 to 17 digits, as few as read back to it."""
    for form in _DOUBLE:
        text = form % value
        if float(text) == value:
            break
    return text  # with all digits for nan


def single_decimal(value: float) -> str:
    """Return a number of 32 bits with 6 to 9 digits, as few as read back to it."""
    for form in _FLOAT:
        text = form % value
        with np.errstate(over="ignore"):
            if np.float32(float(text)) == value:
                break
    return text
