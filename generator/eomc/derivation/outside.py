"""Rates of what may move beside coordinates and motion variables: time, extra states, inputs.

A derivative of an input that is no input itself has a leaf, and that leaf a rate too: all that is missing is found at
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from eomc.derivation.symbols import Symbols
from eomc.ir.graph import Graph, Node
from eomc.lowering.scalars import ScalarLowering
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.signals import signal_of

_FURTHER = 3  # derivatives of an input that may be found missing: accelerations need two, their check one more


@dataclass(frozen=True, slots=True)
class OutsideRates:
    """Node -> its rate, and the leaves among the rates that stand for derivatives which the model does not have."""

    of: dict[Node, Node]
    missing: dict[Node, str]  # as one writes them

    def needed(self, graph: Graph, roots: Sequence[Node]) -> list[str]:
        """Return the missing derivatives that nodes hold."""
        held = graph.bits(roots)
        return [name for leaf, name in self.missing.items() if graph.holds[leaf] & held]


def outside_rates(model: Model, symbols: Symbols, scalars: ScalarLowering) -> OutsideRates:
    """Return the rates."""
    rates, missing = {symbols.t: scalars.graph.one}, {}
    rates.update(zip(symbols.extra, [scalars(z.rate) for z in model.extra_states], strict=True))
    for signal, variable, node in zip(model.inputs, symbols.inputs, symbols.signals, strict=True):
        derivative = sympy.Derivative(signal.symbol, model.time)
        if scalars.knows(derivative):
            rates[node] = scalars(derivative)
            continue
        for further in range(1, _FURTHER + 1):
            leaf = scalars.graph.fresh(f"{variable.name}_{'d' * further}")
            missing[leaf] = _as_written(model, signal.symbol, variable.order + further)
            rates[node] = node = leaf
    return OutsideRates(rates, missing)


def _as_written(model: Model, symbol: sympy.Basic, order: int) -> str:
    """Return how the derivative of an input's signal is written; a plain symbol has none."""
    name = name_of(signal_of(symbol)[0])
    which = f", with {name} made by dynamicsymbols," if isinstance(symbol, sympy.Symbol) else ""
    return f"{name}.diff({model.time}{f', {order}' if order > 1 else ''}){which}"
