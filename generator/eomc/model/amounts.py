"""Numbers that come with a unit beside a model that is made: (200, "mm") for a parameter, a start or an input."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from eomc.errors import EomcError, UsageError
from eomc.model.arguments import number_of
from eomc.model.mechanism import Mechanism
from eomc.model.names import name_of
from eomc.model.parts import MechanicalSystem
from eomc.model.signals import rate_unit
from eomc.model.trees.measured import of_coordinates, of_speeds
from eomc.model.trees.tree import JointTree
from eomc.units import read_unit, with_unit


def amount_of(what: str, value: Any, unit: str, kind: type[EomcError] = UsageError) -> float:
    """Return a number in SI, given by itself or with a unit.

    Parameters
    ----------
    what
        What it is, for messages.
    value
        A number, which is in SI, or (number, unit).
    unit
        The unit of what is given, of SI; empty where it has none, and then any will do.
    kind
        The error of what is no such number.

    Raises
    ------
    EomcError
        It is no finite number, or its unit is that of something else.
    """
    number, text = with_unit(value)
    found = number_of(what, number, kind)
    return found if not text else number_of(what, in_si(what, found, text, unit, kind), kind)


def in_si(what: str, number: Any, text: str, unit: str, kind: type[EomcError] = UsageError) -> Any:
    """Return a number of the unit `text`, or an array of them, in SI; `unit` is that of what is given."""
    check_same(what, text, unit, kind)
    with np.errstate(over="ignore"):  # whoever asks looks at the numbers that come out
        return read_unit(what, text, kind).to_si(number)


def check_same(what: str, text: str, unit: str, kind: type[EomcError] = UsageError) -> None:
    """Raise an error unless a unit is one of what is measured in `unit`; any is where that is empty."""
    if unit and read_unit(what, text, kind).dimension != read_unit(what, unit, kind).dimension:
        raise kind(f"{what} is given in {text}, and is measured in {unit}: give a unit of that, or a bare number in SI")


def state_units(model: Mechanism) -> dict[str, str]:
    """Return the units of coordinates, speeds, extra states and q' by name, of those that have one."""
    units = {**coordinate_units(model), **_stated(model)}
    rates = {f"{name_of(q)}_d": rate_unit(units.get(name_of(q), "")) for q in model.coordinates}
    return {**{name: unit for name, unit in rates.items() if unit}, **units, **speed_units(model)}


def coordinate_units(model: Mechanism) -> dict[str, str]:
    """Return the units of coordinates by name: as they are stated, else as the joints of a tree have them."""
    joints = model.dynamics.joints if isinstance(model.dynamics, JointTree) else ()
    told = {name_of(q): unit for one in joints for q, unit in zip(one.coordinates, of_coordinates(one), strict=True)}
    stated = _stated(model)
    return {name: unit for q in model.coordinates if (unit := stated.get(name := name_of(q)) or told.get(name, ""))}


def speed_units(model: Mechanism) -> dict[str, str]:
    """Return the units of speeds by name: as they are stated, else as a joint or the equation q' = u tells them."""
    stated = _stated(model)
    names = {u: name_of(u) for u in model.speeds}  # found by their hashes: comparing each with each takes long
    if stated.keys() >= set(names.values()):
        return {name: stated[name] for name in names.values()}
    coordinates = coordinate_units(model)
    found: dict[str, str] = {}
    if isinstance(model.dynamics, JointTree):
        for one in model.dynamics.joints:
            found |= {name_of(u): unit for u, unit in zip(one.speeds, of_speeds(one), strict=True)}
    elif isinstance(model.dynamics, MechanicalSystem):
        rates = {sympy.Derivative(q, model.time): name_of(q) for q in model.coordinates}
        for equation in model.dynamics.kinematical_equations:
            terms = [term.as_coeff_Mul() for term in sympy.Add.make_args(equation)]
            of = [rates[term] for _, term in terms if term in rates]
            speeds = [names[term] for _, term in terms if term in names]
            if len(terms) == 2 and len(of) == len(speeds) == 1 and all(factor.is_Rational for factor, _ in terms):
                found[speeds[0]] = rate_unit(coordinates.get(of[0], ""))
    return {name: unit for name in names.values() if (unit := stated.get(name) or found.get(name, ""))}


def _stated(model: Mechanism) -> dict[str, str]:
    return {name_of(meaning.symbol): meaning.unit for meaning in model.meanings if meaning.unit}
