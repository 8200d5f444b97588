"""Rates along the motion by differences: of what is known as a number only."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import sympy

from eomc.model import Model
from eomc.reference.jets import Array

__all__ = ["along_the_motion", "input_rates"]

_WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)  # of central differences of eighth order
_STEP = 3e-3  # s: far above rounding, and small where speeds are some units


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
    function: Callable[[Array, Array, Array], Mapping[str, Array]],
    time: Array,
    states: Array,
    inputs: Array,
    state_rates: Array,
    input_rates: Array,
) -> dict[str, Array]:
    """Return d/dt of named functions of (t, x, r), each (k,), on the line on which t, x and r move at these rates."""
    total: dict[str, Array] = {}
    for index, weight in enumerate(_WEIGHTS, start=1):
        for sign in (1.0, -1.0):
            s = sign * index * _STEP
            for name, values in function(time + s, states + s * state_rates, inputs + s * input_rates).items():
                total[name] = total.get(name, 0.0) + sign * weight / _STEP * values
    return total
