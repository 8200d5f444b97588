"""Decimals in C: the text that `table` defines, a dozen times as fast, by a library that all models share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.backends.render import render
from eomc.binding.cache import cached_library, key_of
from eomc.binding.compiler import find_compiler
from eomc.errors import BuildError

_DECLARATION = """
int64_t eomc_decimals(const double *values, int64_t first, int64_t count, int64_t columns, int single,
                      const uint64_t *powers, char *text, int64_t *length);
"""
_POWERS = range(-310, 345)  # of ten, with which the smallest and the largest doubles have 6 to 17 digits
_LONGEST = 26  # bytes of a number with its comma


class Decimals:
    """The opened library."""

    def __init__(self, ffi: Any, lib: Any) -> None:
        self._ffi = ffi
        self._lib = lib
        self._table = np.array([_power(p) for p in _POWERS], dtype=np.uint64)
        zero = -_POWERS.start * self._table.shape[1]
        self._powers = ffi.cast("uint64_t *", ffi.from_buffer(self._table)) + zero

    def text(self, rows: NDArray[np.float64], single: bool, exact: Callable[[float], str]) -> str:
        """Return rows of numbers, shape (n, columns), as lines of text.

        Parameters
        ----------
        rows
            Numbers, which are those of 32 bits where they are `single`.
        single
            Whether digits have to be read back to 32 bits, not 64.
        exact
            Writes a number whose digits the C leaves open: one in a million, and those next to zero.
        """
        values = np.ascontiguousarray(rows, dtype=np.float64)
        columns, count, first = rows.shape[1], values.size, 0
        memory = np.empty(count * _LONGEST, dtype=np.uint8)
        length = self._ffi.new("int64_t *")
        arguments = (count, columns, int(single), self._powers, self._pointer(memory, "char *"), length)
        pieces = []
        while first < count:
            first = self._lib.eomc_decimals(self._pointer(values, "double *"), first, *arguments)
            pieces.append(memory[: length[0]].tobytes().decode("ascii"))
            if first < count:
                pieces.append(exact(float(values.flat[first])) + ("," if (first + 1) % columns else "\n"))
                first += 1
        return "".join(pieces)

    def _pointer(self, array: NDArray[Any], kind: str) -> Any:
        return self._ffi.cast(kind, self._ffi.from_buffer(array))


@functools.cache
def decimals() -> Decimals | None:
    """Return the library, compiled or found compiled; None where it cannot be had."""
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(_DECLARATION)
    text = render("binding/decimals.c.jinja", None)
    try:
        compiler = find_compiler()
        key = key_of([text, compiler.identity()])
        path = cached_library(key, lambda: compiler.shared_library({"eomc_decimals.c": text}))
        return Decimals(ffi, ffi.dlopen(str(path)))
    except (BuildError, OSError):
        return None


def _power(p: int) -> tuple[int, int, int]:
    """Return the first 128 bits of 10^p in two halves, and the exponent of their last to base two, modulo 2^64."""
    size = (10 ** abs(p)).bit_length()
    exponent = size - 128 if p >= 0 else -127 - size
    shifted = 10**p * 2**128 >> size if p >= 0 else 2 ** (127 + size) // 10**-p
    return shifted >> 64, shifted % 2**64, exponent % 2**64
