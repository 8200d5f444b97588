"""Where the equations hold: the pivot tests as a person would say them."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.report.names import Name, Names
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.passes.checking import checked_nodes

__all__ = ["Requirement", "requirements"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """A pivot that must be positive (of the mass matrix) or must not vanish (of other linear equations)."""

    label: Name
    pivot: Node
    positive: bool


def requirements(equations: EquationsOfMotion, names: Names) -> tuple[Requirement, ...]:
    """Return the requirements of what is computed, each once."""
    graph = equations.graph
    energetics = equations.energetics
    quantities = (*equations.outputs, *energetics.energies, *energetics.momenta)
    roots = [*equations.motion.derivative, *(quantity.node for quantity in quantities)]
    found: dict[tuple[Node, bool], Requirement] = {}
    for check in checked_nodes(graph, equations.checks, roots):
        requirement = _requirement(graph, check, names)
        found.setdefault((requirement.pivot, requirement.positive), requirement)
    return tuple(found.values())


def _requirement(graph: Graph, check: Check, names: Names) -> Requirement:
    """Return limit < pivot as pivot > 0, limit < |pivot| as pivot != 0; the limit is rounding only."""
    label = names.by_word.get(check.label) or Name.of(check.label)
    pivot = graph.args[check.condition][1] if graph.ops[check.condition] is Op.LT else check.condition
    if graph.ops[pivot] is Op.ABS:
        return Requirement(label, graph.args[pivot][0], False)
    return Requirement(label, pivot, True)
