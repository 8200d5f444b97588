"""What a mechanism is: the model, its parts, their names and their validation."""

from eomc.model.events import Event, Impact
from eomc.model.model import Model, bounds_of
from eomc.model.names import name_of
from eomc.model.parts import (
    Dynamics,
    ExtraState,
    Hamiltonian,
    Input,
    Lagrangian,
    Meaning,
    MechanicalSystem,
    Output,
    Parameter,
    Value,
)
from eomc.model.shapes import Shape
from eomc.model.trees.tree import JointTree

__all__ = [
    "Dynamics",
    "Event",
    "ExtraState",
    "Hamiltonian",
    "Impact",
    "Input",
    "JointTree",
    "Lagrangian",
    "Meaning",
    "MechanicalSystem",
    "Model",
    "Output",
    "Parameter",
    "Shape",
    "Value",
    "bounds_of",
    "name_of",
]
