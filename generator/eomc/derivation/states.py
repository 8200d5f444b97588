"""The state vector as people see it: names, units, what each entry is."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.ir.program import Variable
from eomc.ir.symbols import Symbol
from eomc.model.model import Model
from eomc.model.names import name_of

__all__ = ["state_variables"]


def state_variables(model: Model, symbols: Sequence[Symbol], form: str) -> tuple[Variable, ...]:
    """Return the states of a method.

    Parameters
    ----------
    model
        The model, whose initial values may bring units and descriptions.
    symbols
        Symbols of the state, in order: coordinates, second half, extra states.
    form
        What the second half is: ``speed`` (momenta for a given Hamiltonian), ``velocity`` or ``momentum``.
    """
    meanings = {name_of(meaning.symbol): (meaning.unit, meaning.description) for meaning in model.meanings}
    count, extra = len(model.coordinates), len(model.extra_states)
    made = []
    for index, symbol in enumerate(symbols):
        if index < count:
            unit, text = meanings.get(symbol.name, ("", "generalized coordinate"))
        elif index >= len(symbols) - extra:
            unit, text = meanings.get(symbol.name, ("", "extra state"))
        else:
            unit, text = meanings.get(symbol.name, ("", f"generalized {form}"))
            if form == "velocity" and not unit:
                of_coordinate = meanings.get(symbols[index - count].name, ("", ""))[0]
                unit = f"{of_coordinate}/s" if of_coordinate else ""
        made.append(Variable(symbol, symbol.name, unit, text or "state"))
    return tuple(made)
