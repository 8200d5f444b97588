"""The state vector as people see it: names, units, what each entry is."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.ir.program import Variable
from eomc.ir.symbols import Symbol
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian

__all__ = ["momentum_units", "state_variables"]


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
    momenta = momentum_units(model) if form == "momentum" else ()
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
            unit = unit or (momenta[index - count] if momenta else _RATES.get(of_coordinate, "") if coordinate else "")
            text = text or f"generalized {form}" + (f" of {coordinate}" if coordinate else "")
        made.append(Variable(symbol, symbol.name, unit, text))
    return tuple(made)


def momentum_units(model: Model) -> tuple[str, ...]:
    """Return the units of the momenta dL/dq', L in J: of lengths and angles, where q or q' came with a unit.

    The momenta of a given Hamiltonian have the units that they came with.
    """
    units = {name_of(meaning.symbol): meaning.unit for meaning in model.meanings}
    if isinstance(model.dynamics, Hamiltonian):
        return tuple(units.get(name_of(p), "") for p in model.speeds)
    names = [name_of(q) for q in model.coordinates]
    rates = [_RATES.get(units.get(name, "")) or units.get(f"{name}_d", "") for name in names]
    return tuple(_MOMENTA.get(rate, "") for rate in rates)


_RATES = {"m": "m/s", "rad": "rad/s"}  # of coordinates
_MOMENTA = {"m/s": "kg m/s", "rad/s": "kg m^2/s"}  # that go with rates
