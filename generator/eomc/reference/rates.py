"""Rates along the motion by differences: of what is known as a number only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.model import Model
from eomc.reference.differences import estimates
from eomc.reference.jets import Array

Rows: TypeAlias = NDArray[np.intp]
_SMALL = 1e-4  # a step that is good enough for the size of a slope


@dataclass(frozen=True, slots=True)
class Slope:
    """A derivative, how far it may be from the truth, and how large the terms are whose sum it is, as far as known."""

    value: Array
    error: Array
    size: Array

    def plus(self, other: Slope) -> Slope:
        """Return the sum of two slopes."""
        return Slope(self.value + other.value, self.error + other.error, self.size + other.size)


def input_rates(model: Model, inputs: Array) -> Array:
    """Return r' (k, nr): the value of the input that is the derivative of another, else zero, as of an input held."""
    places = {signal.symbol: index for index, signal in enumerate(model.inputs)}
    rates = np.zeros_like(inputs)
    for symbol, index in places.items():
        derivative = places.get(sympy.Derivative(symbol, model.time).doit())
        if derivative is not None:
            rates[:, index] = inputs[:, derivative]
    return rates


def along_the_motion(
    function: Callable[[Array, Array, Array, Rows], Mapping[str, Array]],
    point: tuple[Array, Array, Array],
    rates: tuple[Array, Array],
    sizes: tuple[Array, Array],
) -> dict[str, Slope]:
    """Return d/dt of named functions along the motion, each (k,).

    The terms of such a rate are those of each state: their sizes come from rates with other signs.

    Parameters
    ----------
    function
        (t, x, r, rows) -> values by name, where `rows` are the numbers of the points that the rows come from.
    point
        t (k,), x (k, nx) and r (k, nr).
    rates
        x' and r': t, x and r move on a line.
    sizes
        By how much x and r have to change until the functions are others.
    """
    time = point[0]
    line = _Line(function, point, rates)
    span = np.minimum(1.0 + np.abs(time), line.span(*sizes))
    slopes, errors, _ = estimates(line.values, np.zeros((len(time), 1)), span[:, None])
    terms = line.terms(_SMALL * span[:, None])
    return {name: Slope(slopes[:, i, 0], errors[:, i, 0], terms[:, i]) for i, name in enumerate(line.names)}


def terms_along(
    function: Callable[[Array, Array, Array, Rows], Mapping[str, Array]],
    point: tuple[Array, Array, Array],
    rates: Array,
    reach: Array,
) -> dict[str, Array]:
    """Return how large the terms of the rates of named functions are, each (k,), where x moves at `rates` (k, nx)."""
    line = _Line(function, point, (rates, np.zeros_like(point[2])))
    span = line.span(reach, np.ones_like(point[2]))
    terms = line.terms(_SMALL * np.where(np.isfinite(span), span, 1.0)[:, None])
    return {name: terms[:, i] for i, name in enumerate(line.names)}


class _Line:
    """Functions of (t, x, r) on lines on which x and r move at some rates, and t with them."""

    def __init__(
        self,
        function: Callable[[Array, Array, Array, Rows], Mapping[str, Array]],
        point: tuple[Array, Array, Array],
        rates: tuple[Array, Array],
    ) -> None:
        self.names: list[str] = []
        self._function = function
        self._point = point
        self._rates = rates

    def span(self, reach: Array, signals: Array) -> Array:
        """Return how long it takes until a state or an input is another one (k,)."""
        moving, wide = np.concatenate(self._rates, axis=1), np.concatenate([reach, signals], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            seconds = np.where(moving != 0.0, wide / np.abs(moving), np.inf)
        return np.asarray(np.min(seconds, axis=1, initial=np.inf), dtype=np.float64)

    def values(self, s: Array, signs: Array | float = 1.0) -> Array:
        """Return all functions after s seconds (rows, 1), some states moving backwards."""
        (time, states, inputs), (velocities, changes) = self._point, self._rates
        rows = np.tile(np.arange(len(time)), len(s) // len(time))
        x = states[rows] + s * velocities[rows] * signs
        found = self._function(time[rows] + s[:, 0], x, inputs[rows] + s * changes[rows], rows)
        self.names = list(found)
        return np.stack(list(found.values()), axis=-1) if found else np.zeros((len(s), 0))

    def terms(self, step: Array) -> Array:
        """Return how large the terms of the rates are (k, functions), each state having its own."""
        found = np.zeros(())
        for run in (1, 2, 4):
            signs = np.where(np.arange(self._point[1].shape[1]) // run % 2, -1.0, 1.0)
            found = np.fmax(found, np.abs(self.values(step, signs) - self.values(-step, signs)) / (2.0 * step))
        return found
