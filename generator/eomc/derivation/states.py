"""The state vector as people see it: names, units, what each entry is."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from eomc.ir.method import SecondHalf
from eomc.ir.program import Variable
from eomc.ir.symbols import Symbol
from eomc.model.amounts import coordinate_units, speed_units
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, MechanicalSystem
from eomc.model.signals import rate_unit
from eomc.wording import counted


def coordinate_names(model: Model) -> list[str]:
    """Return the names of q."""
    return [name_of(q) for q in model.coordinates]


def rate_names(model: Model) -> list[str]:
    """Return the names of q'."""
    return [f"{name}_d" for name in coordinate_names(model)]


def momentum_names(model: Model) -> list[str]:
    """Return the names of p = dL/dq'."""
    return [f"p_{name}" for name in coordinate_names(model)]


def auxiliary_speeds(model: Model) -> tuple[sympy.Expr, ...]:
    """Return the speeds that are zero, and only bring reactions into evidence."""
    return model.dynamics.auxiliary_speeds if isinstance(model.dynamics, MechanicalSystem) else ()


def speeds_in_state(model: Model) -> list[sympy.Expr]:
    """Return the speeds that are not auxiliary."""
    return [u for u in model.speeds if u not in auxiliary_speeds(model)]


def second_names(model: Model, second: SecondHalf) -> list[str]:
    """Return the names of the second half of the state."""
    if second is SecondHalf.MOMENTA:
        return momentum_names(model)
    if second is SecondHalf.VELOCITIES:
        return rate_names(model)
    return [name_of(u) for u in speeds_in_state(model)]


def why_velocities_are_no_state(model: Model) -> str:
    """Return why q' cannot be the second half of a model's state, an empty string when it can: by counts alone."""
    if not isinstance(model.dynamics, MechanicalSystem):
        return ""
    if model.dynamics.auxiliary_speeds:
        return "it has auxiliary speeds, which only kane and gibbs-appell can use"
    independent = len(model.speeds)
    coordinates = counted(len(model.coordinates), "coordinate")
    if independent < len(model.coordinates):
        missing = len(model.coordinates) - independent
        return (
            f"it has {missing} {'speed' if missing == 1 else 'speeds'} fewer than coordinates, so q' cannot be its "
            f"state; give {counted(len(model.coordinates), 'speed')} and {counted(missing, 'velocity constraint')} "
            f"instead"
        )
    if independent > len(model.coordinates):
        return f"it has {counted(independent, 'speed')} for {coordinates}, which only kane and gibbs-appell can use"
    return ""


def state_variables(model: Model, symbols: Sequence[Symbol], second: SecondHalf) -> tuple[Variable, ...]:
    """Return the states of a method.

    Parameters
    ----------
    model
        The model, whose initial values may bring units and descriptions.
    symbols
        Symbols of the state, in order: coordinates, second half, extra states.
    second
        What the second half is; the momenta of a given Hamiltonian count as its speeds.
    """
    meanings = {name_of(meaning.symbol): (meaning.unit, meaning.description) for meaning in model.meanings}
    coordinates, speeds = coordinate_units(model), speed_units(model)
    momenta = momentum_units(model) if second is SecondHalf.MOMENTA else ()
    count, extra = len(model.coordinates), len(model.extra_states)
    made = []
    for index, symbol in enumerate(symbols):
        unit, text = meanings.get(symbol.name, ("", ""))
        if index < count:
            unit, text = coordinates.get(symbol.name, ""), text or "generalized coordinate"
        elif index >= len(symbols) - extra:
            text = text or "extra state"
        else:
            coordinate = symbols[index - count].name if second is not SecondHalf.SPEEDS else ""
            of_coordinate = rate_unit(coordinates.get(coordinate, "")) if coordinate else speeds.get(symbol.name, "")
            unit = unit or (momenta[index - count] if momenta else of_coordinate)
            text = text or f"generalized {second.word}" + (f" of {coordinate}" if coordinate else "")
        made.append(Variable(symbol, symbol.name, unit, text))
    return tuple(made)


def momentum_units(model: Model) -> tuple[str, ...]:
    """Return the units of the momenta dL/dq', L in J: of lengths and angles, where q or q' came with a unit.

    The momenta of a given Hamiltonian have the units that they came with.
    """
    units = {**{name_of(meaning.symbol): meaning.unit for meaning in model.meanings}, **coordinate_units(model)}
    if isinstance(model.dynamics, Hamiltonian):
        return tuple(units.get(name_of(p), "") for p in model.speeds)
    rates = [rate_unit(units.get(name, "")) or units.get(f"{name}_d", "") for name in coordinate_names(model)]
    return tuple(_MOMENTA.get(rate, "") for rate in rates)


_MOMENTA = {"m/s": "kg m/s", "rad/s": "kg m^2/s"}  # that go with rates
