"""What every method shares: the symbols of a model, their values and rates, and the seeds that its motion needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import sympy

from eomc.model import Model
from eomc.reference.clock import Clock, Seeds
from eomc.reference.instant import Instant, constants, derivative
from eomc.reference.jets import Array, Jet, constant
from eomc.reference.plan import Environment, Plan


class Setting:
    """The symbols of `model`, those of its `plans` that change with time, and the rates of these.

    Attributes
    ----------
    supposed
        What to take for the time derivatives of signals that nobody gave; None: refuse what moves with these.
    """

    def __init__(self, model: Model, speeds: Sequence[sympy.Expr], plans: Iterable[Plan]) -> None:
        self.model = model
        self.supposed: float | None = None
        used = {symbol for plan in plans for symbol in plan.symbols}
        signals = [model.time, *(z.symbol for z in model.extra_states), *(r.symbol for r in model.inputs)]
        for symbol in signals[1:]:  # the rate of a signal that moves something is differentiated in its turn
            derivative = symbol
            while derivative in used and not isinstance(derivative, sympy.Symbol):
                derivative = derivative.diff(model.time)
                if derivative in signals:
                    used.add(derivative)
        others = tuple(symbol for symbol in signals if symbol in used)
        self.seeds = Seeds(model.coordinates, tuple(speeds), others)
        self.rates = tuple(sympy.Derivative(q, model.time) for q in model.coordinates)
        self._extra = {z.symbol: Plan([z.rate]) for z in model.extra_states}

    def environment(
        self, instant: Instant, speeds: Array, order: int
    ) -> tuple[dict[sympy.Basic, Jet], dict[sympy.Basic, Array]]:
        """Return all symbols but dependent ones as jets, and as numbers."""
        values = {**instant.values(self.model), **dict(zip(self.seeds.speeds, speeds.T, strict=True))}
        return {**constants(values), **self.seeds.planted(values, order)}, values

    def clock(self, environment: Environment, rates: Mapping[sympy.Expr, Jet], states: int) -> Clock:
        """Return the clock: coordinates move as `rates` say, speeds stand still, signals move as their derivatives."""
        still = constant(np.zeros(()))
        found = [
            *(rates[symbol] for symbol in self.rates),
            *[still] * len(self.seeds.speeds),
            *(self._rate(symbol, environment) for symbol in self.seeds.others),
        ]
        return Clock.of(self.seeds, found, states)

    def extra_rates(self, environment: Environment, states: int) -> Array:
        """Return z' (k, nz)."""
        columns = [plan.run(environment)[0].expanded((states,)).value for plan in self._extra.values()]
        return np.stack(columns, axis=-1) if columns else np.zeros((states, 0))

    def _rate(self, symbol: sympy.Expr, environment: Environment) -> Jet | None:
        if symbol == self.model.time:
            return constant(1.0)
        if symbol in self._extra:
            return self._extra[symbol].run(environment)[0]
        if isinstance(symbol, sympy.Symbol):
            return constant(0.0)  # a plain symbol is a constant to SymPy's own diff, too
        supposed = None if self.supposed is None else constant(self.supposed)
        return environment.get(derivative(symbol, self.model.time), supposed)
