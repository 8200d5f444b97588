"""Entries of links and joints as arrays: numbers once for all, expressions of parameters at each state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy

from eomc.reference.jets import Array, constant
from eomc.reference.plan import Plan


class Entries:
    """Collects entries; :meth:`at` evaluates them all."""

    def __init__(self) -> None:
        self._plan = Plan()
        self._arrays: list[tuple[Array, list[tuple[tuple[int, ...], int]]]] = []

    def add(self, entries: Any) -> int:
        """Add a number, a triple or a matrix of entries and return its place in what :meth:`at` returns."""
        given = np.array(entries, dtype=object)
        fixed = np.zeros(given.shape)
        moving = []
        for index in np.ndindex(*given.shape):
            if isinstance(given[index], sympy.Basic):
                moving.append((index, self._plan.add(given[index])))
            else:
                fixed[index] = given[index]
        self._arrays.append((fixed, moving))
        return len(self._arrays) - 1

    def at(self, values: Mapping[sympy.Basic, Array], states: int) -> list[Array]:
        """Return arrays (k, ...) of all that was added; `values` has the parameters (k,)."""
        results = self._plan.run({symbol: constant(values[symbol]) for symbol in self._plan.symbols})
        found = []
        for fixed, moving in self._arrays:
            array = np.broadcast_to(fixed, (states, *fixed.shape))
            if moving:
                array = array.copy()
                for index, place in moving:
                    np.moveaxis(array, 0, -1)[index] = results[place].value
            found.append(array)
        return found
