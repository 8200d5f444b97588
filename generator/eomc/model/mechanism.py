"""What a model holds, apart from how it is made: what validation looks at."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from eomc.ir.runs import Run
from eomc.model.appearance import Appearance
from eomc.model.events import Named
from eomc.model.parts import Dynamics, ExtraState, Hamiltonian, Input, Meaning, Output, Parameter, Value
from eomc.model.trees.tree import JointTree


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Mechanism:
    """A mechanism with the meanings of its symbols."""

    name: str
    description: str
    time: sympy.Symbol
    coordinates: tuple[sympy.Expr, ...]
    speeds: tuple[sympy.Expr, ...]  # generalized speeds; momenta for a Hamiltonian; q' for a Lagrangian
    dynamics: Dynamics
    parameters: tuple[Parameter, ...]
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    extra_states: tuple[ExtraState, ...]
    initial: tuple[tuple[sympy.Expr, float], ...]
    ranges: tuple[Value, ...]
    meanings: tuple[Meaning, ...]
    following_load: str  # the first load that holds accelerations, in words; empty where none does
    events: tuple[Named, ...]  # events, then impacts
    appearance: Appearance  # what drawings and poses rest on
    run: Run  # how its motion is followed where nothing else is said
    idle: tuple[sympy.Symbol, ...]  # inertias without a value, which the motion never needs: they count as zero

    @property
    def is_first_order(self) -> bool:
        """Whether the model has extra states alone: z' = g(z, r, t)."""
        return not self.coordinates and not self.speeds

    @property
    def is_constrained(self) -> bool:
        """Whether coordinates or speeds are constrained."""
        dynamics = self.dynamics
        if isinstance(dynamics, JointTree):
            return dynamics.is_constrained
        return not isinstance(dynamics, Hamiltonian) and bool(
            dynamics.configuration_constraints or dynamics.velocity_constraints
        )
