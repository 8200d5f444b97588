"""Where the equations hold: the pivot tests as a person would say them."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.report.notation import Name, Names
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.passes.checking import checked_nodes

__all__ = ["CheckedPivot", "checked_pivots"]


@dataclass(frozen=True, slots=True)
class CheckedPivot:
    """A pivot that must be positive (of the mass matrix) or must not vanish (of other linear equations)."""

    label: Name
    pivot: Node
    positive: bool


def checked_pivots(equations: EquationsOfMotion, names: Names) -> tuple[CheckedPivot, ...]:
    """Return the checked pivots of what is computed, each once."""
    graph = equations.graph
    energetics = equations.energetics
    quantities = (*equations.outputs, *energetics.energies, *energetics.momenta)
    roots = [*equations.motion.derivative, *(quantity.node for quantity in quantities)]
    found: dict[tuple[Node, bool], CheckedPivot] = {}
    for check in checked_nodes(graph, equations.checks, roots):
        pivot = _checked_pivot(graph, check, names)
        found.setdefault((pivot.pivot, pivot.positive), pivot)
    return tuple(found.values())


def _checked_pivot(graph: Graph, check: Check, names: Names) -> CheckedPivot:
    """Return limit < pivot as pivot > 0, limit < |pivot| as pivot != 0; the limit is rounding only."""
    label = names.by_word.get(check.label) or Name.of(check.label)
    pivot = graph.args[check.condition][1] if graph.ops[check.condition] is Op.LT else check.condition
    if graph.ops[pivot] is Op.ABS:
        return CheckedPivot(label, graph.args[pivot][0], False)
    return CheckedPivot(label, pivot, True)
