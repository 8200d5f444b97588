"""Seeds of the differentiation and the total time derivative along the motion.

With seeds s that move as s' the total derivative of f(s) is f' = sum of (df/ds_k) s'_k. Applied to jets it costs
one order: the velocity from a position of order 2 is a jet of order 1, the acceleration from that a plain number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import sympy

from eomc.errors import ModelError
from eomc.reference.arrays import lifted, stack
from eomc.reference.jets import Array, Jet, seed


class MissingRateError(ModelError):
    """Something moves with a signal whose time derivative nobody gave."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """The quantities with respect to which derivatives are taken: coordinates, then speeds (or q'), then the others."""

    coordinates: tuple[sympy.Expr, ...]
    speeds: tuple[sympy.Expr, ...]
    others: tuple[sympy.Expr, ...]  # time, extra states and inputs on which the motion depends

    @property
    def symbols(self) -> tuple[sympy.Expr, ...]:
        """Return all seeds in order."""
        return (*self.coordinates, *self.speeds, *self.others)

    @property
    def coordinate_block(self) -> slice:
        """Return where the coordinates stand among the seeds."""
        return slice(0, len(self.coordinates))

    @property
    def speed_block(self) -> slice:
        """Return where the speeds stand among the seeds."""
        return slice(len(self.coordinates), len(self.coordinates) + len(self.speeds))

    def planted(self, values: Mapping[sympy.Basic, Array], order: int) -> dict[sympy.Basic, Jet]:
        """Return the seeds as jets at their `values`."""
        count = len(self.symbols)
        return {symbol: seed(values[symbol], index, count, order) for index, symbol in enumerate(self.symbols)}


@dataclass(frozen=True, slots=True)
class Clock:
    """The rates of the seeds, and thereby of everything that depends on them."""

    seeds: Seeds
    rates: Jet  # (k, number of seeds)
    missing: Mapping[int, sympy.Expr] = field(default_factory=dict)  # seeds whose rate nobody gave

    @classmethod
    def of(cls, seeds: Seeds, rates: Sequence[Jet | None], states: int) -> Clock:
        """Return the clock for one rate (or None: not known) per seed."""
        missing = {index: seeds.symbols[index] for index, rate in enumerate(rates) if rate is None}
        known = [Jet(np.zeros(())) if rate is None else rate for rate in rates]
        return cls(seeds, stack(known, (states,)), missing)

    def rate(self, jet: Jet) -> Jet:
        """Return the total time derivative of `jet`, whose value has the states along its first axis.

        Raises
        ------
        MissingRateError
            The jet depends on a signal whose time derivative was not given.
        """
        if jet.gradient is None:
            return Jet(np.zeros(np.shape(jet.value)))
        partial = jet.derivative(slice(None), len(self.seeds.symbols))
        for index, symbol in self.missing.items():
            if np.any(partial.value[..., index]):
                raise MissingRateError(f"{_derivative(symbol)} is needed and has no value: list it among the inputs")
        terms = partial * lifted(self.rates, partial.value.shape[0], partial.value.ndim - 2)
        return terms.mapped(lambda array, axes: array.sum(axis=-1 - axes))


def _derivative(signal: sympy.Expr) -> sympy.Expr:
    """Return the time derivative of f(t) or of a derivative of it."""
    function = signal.expr if isinstance(signal, sympy.Derivative) else signal
    return signal.diff(function.args[0])
