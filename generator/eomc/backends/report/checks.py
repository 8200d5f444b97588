"""Where the equations hold: the pivot tests as a person would say them."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.report.notation import Name, Names
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Node
from eomc.passes.checking import checked_nodes


@dataclass(frozen=True, slots=True)
class CheckedPivot:
    """A pivot that must be positive (of the mass matrix) or must not vanish; None: how reactions are found."""

    label: Name
    pivot: Node | None
    positive: bool


def checked_pivots(equations: EquationsOfMotion, names: Names) -> tuple[CheckedPivot, ...]:
    """Return the checked pivots of what is computed, each once."""
    quantities = (*equations.outputs, *equations.energetics.energies, *equations.energetics.momenta)
    roots = [*equations.motion.derivative, *(quantity.node for quantity in quantities)]
    found: dict[tuple[Node | str, bool], CheckedPivot] = {}
    for check in checked_nodes(equations.graph, equations.checks, roots):
        label = names.by_word.get(check.label) or Name.of(check.label)
        key = check.label if check.pivot is None else check.pivot
        found.setdefault((key, check.positive), CheckedPivot(label, check.pivot, check.positive))
    return tuple(found.values())
