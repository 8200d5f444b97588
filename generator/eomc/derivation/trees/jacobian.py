"""What derivatives of accelerations are made of: M factored by rates, and the derivatives of inverse dynamics.

With tau = M nu' + c the derivatives of nu' are M^-1 (dtau/dx - dID/dx) and M^-1: one pass of Newton and Euler with the
accelerations that were found, the recursion of `slopes`, one factorization, and a column for each coordinate and rate.
A column starts on the branches that it has entries on. Nothing of this depends on the place of a floating base.
"""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derivation.trees.composite import mass_matrix
from eomc.derivation.trees.factor import TreeFactors, elimination_paths
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.newton_euler import accelerations_outwards, body_wrenches, carried_inwards
from eomc.derivation.trees.slopes import Slopes, slopes_of_forces
from eomc.ir.graph import Node
from eomc.solving.checks import Checks


def factors_of(dynamics: TreeDynamics, checks: Checks | None = None) -> TreeFactors:
    """Return the factors of M by rates; their pivots have tests where these are to be remembered."""
    graph, rows, moving = dynamics.graph, dynamics.moving.rows, dynamics.moving
    whole = mass_matrix(graph, rows, moving.motions, moving.rates)
    matrix, leaders = moving.matrix_of_leaders(whole)
    entries = {(a, b): matrix[i][j] for i, a in enumerate(leaders) for j, b in enumerate(leaders)}
    factors = TreeFactors(graph, elimination_paths(graph, leaders, entries), entries)
    if checks is not None:
        bounds = moving.joined_squares(dynamics.bounds)
        for rate, pivot in factors.pivots.items():
            checks.positive(factors.inverse[rate], pivot, rows.rows[rate.row].name, bounds[rate])
    return factors


def slopes_at(dynamics: TreeDynamics, accelerations: Mapping[Rate, Node]) -> Slopes:
    """Return the derivatives of the forces that accelerations take, of inertia and gravity alone."""
    graph, rows, moving = dynamics.graph, dynamics.moving.rows, dynamics.moving
    motions, rates = moving.motions, moving.rates
    spreads = accelerations_outwards(graph, rows, motions, rates, accelerations, dynamics.gravity)
    transmitted = carried_inwards(graph, rows, motions, body_wrenches(graph, rows, spreads))
    return slopes_of_forces(graph, rows, motions, rates, spreads, transmitted)
