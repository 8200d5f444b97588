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
        unit, text = meanings.get(symbol.name, ("", ""))
        if index < count:
            text = text or "generalized coordinate"
        elif index >= len(symbols) - extra:
            text = text or "extra state"
        else:
            coordinate = symbols[index - count].name if form != "speed" else ""
            of_coordinate = meanings.get(coordinate, ("", ""))[0]
            unit = unit or _UNITS.get((form, of_coordinate), "")
            text = text or f"generalized {form}" + (f" of {coordinate}" if coordinate else "")
        made.append(Variable(symbol, symbol.name, unit, text))
    return tuple(made)


_UNITS = {
    ("velocity", "m"): "m/s",
    ("velocity", "rad"): "rad/s",
    ("momentum", "m"): "kg m/s",
    ("momentum", "rad"): "kg m^2/s",
}
