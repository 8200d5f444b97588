"""What a model says of its symbols besides the units of parameters: by derivatives, joints, momenta and ranges."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from eomc.model.mechanism import Mechanism
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian
from eomc.model.place import Measured
from eomc.model.trees.measured import MEASURES, of_coordinates, of_speeds
from eomc.model.trees.measures import Component
from eomc.model.trees.tree import JointTree
from eomc.units import NONE, read_unit


def is_pure(model: Mechanism) -> bool:
    """Whether every unit that a model states is that of a number, so that time and energy are numbers, too."""
    rows = (
        *model.parameters,
        *model.inputs,
        *model.outputs,
        *model.meanings,
        *getattr(model.dynamics, "reactions", ()),
    )
    units = {one.unit for one in rows if one.unit}
    return bool(units) and all(read_unit("a model", unit).dimension == NONE for unit in units)


def declared(model: Mechanism) -> Iterator[tuple[sympy.Basic, Measured, str]]:
    """Yield symbols with what they are measured in and where that is said, beyond their own units."""
    rates = [(one.symbol, one.unit) for one in model.inputs] + [(one.symbol, one.unit) for one in model.meanings]
    for symbol, unit in rates:
        if unit and isinstance(symbol, sympy.Derivative):
            yield symbol, Measured(unit), f"the unit of {name_of(symbol)}"
    for bounds in model.ranges:
        if bounds.unit:
            yield bounds.symbol, Measured(bounds.unit), f"the range of {name_of(bounds.symbol)}"
    if isinstance(model.dynamics, Hamiltonian):
        for q, p in zip(model.coordinates, model.speeds, strict=True):
            yield p, Measured("J s", per=(q,)), f"the momentum {name_of(p)}"
    if isinstance(model.dynamics, JointTree):
        for joint in model.dynamics.joints:
            words = f"of joint {joint.name!r}, which is {joint.kind.value}"
            for kind, symbols, units in (
                ("coordinate", joint.coordinates, of_coordinates(joint)),
                ("speed", joint.speeds, of_speeds(joint)),
            ):
                for symbol, unit in zip(symbols, units, strict=True):
                    yield symbol, Measured(unit), f"the {kind} {name_of(symbol)} {words}"


def measure_of(model: Mechanism, one: Component) -> Measured:
    """Return in what a component of a measure is measured."""
    unit = MEASURES.get(one.measure.kind)
    if unit is not None:
        return Measured(unit)
    row, column = one.index
    tree = model.dynamics
    assert isinstance(tree, JointTree)
    return Measured("m/s" if row < 3 else "rad/s", per=(tree.speeds[column],))
