"""The result of a derivation: equations of motion over the graph, before it is decided how they are solved."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.ir.graph import Graph, Node
from eomc.ir.program import Block, Check, Variable
from eomc.ir.symbols import Symbol

__all__ = ["EquationsOfMotion", "Invariant", "Quantity"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A named scalar on the graph."""

    name: str
    node: Node
    unit: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A quantity that the motion keeps, and under which condition."""

    name: str
    condition: str


@dataclass(frozen=True, slots=True)
class EquationsOfMotion:
    """q' = rates, M u' = f, z' = extra rates, with what else the user asked for.

    For Hamilton's method the second half is p' = forcing directly, and the mass matrix, if any, that of p = M q' + b.
    """

    graph: Graph
    method: str
    time: Symbol
    states: tuple[Variable, ...]
    inputs: tuple[Variable, ...]
    parameters: tuple[Variable, ...]
    rates: tuple[Node, ...]  # of the coordinates
    mass_matrix: tuple[tuple[Node, ...], ...]
    forcing: tuple[Node, ...]
    labels: tuple[str, ...]  # of the rows of the mass matrix
    accelerations: tuple[Node, ...]  # of the second half of the state, in its order
    extra_rates: tuple[Node, ...]
    outputs: tuple[Quantity, ...]
    energies: tuple[Quantity, ...]
    momenta: tuple[Quantity, ...]
    residuals: tuple[Quantity, ...]
    blocks: tuple[Block, ...]
    checks: tuple[Check, ...]
    invariants: tuple[Invariant, ...]
    summary: str  # one line: the form of the equations
