"""What drives the rates of a tree: forces of joints, loads on links carried inwards, and what rotors lose to drift."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.newton_euler import carried_inwards, component, no_wrench
from eomc.ir.graph import Node


def driving_of_rates(dynamics: TreeDynamics, forces: Sequence[Node]) -> dict[Rate, Node]:
    """Return what drives the rates, loads on links among it."""
    graph, rows, moving = dynamics.graph, dynamics.moving.rows, dynamics.moving
    loads = [dynamics.loads.get(i, no_wrench(graph)) for i in range(len(rows.rows))]
    carried = carried_inwards(graph, rows, moving.motions, loads)
    return {
        rate: graph.add(force, component(carried[rate.row], rate))
        for rate, force in dynamics.driving(moving.forces_on_rates(forces)).items()
    }
