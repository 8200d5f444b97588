"""Derivatives of accelerations: nu' by coordinates, rates and forces, from those of inverse dynamics.

With tau = M nu' + c the derivatives of nu' are M^-1 (dtau/dx - dID/dx) and M^-1: one pass of Newton and Euler with the
accelerations that were found, the recursion of `slopes`, one factorization, and a column for each coordinate and rate.
A column starts on the branches that it has entries on. Nothing of this depends on the place of a floating base.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derivation.trees.composite import mass_matrix
from eomc.derivation.trees.factor import TreeFactors, elimination_paths
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.newton_euler import (
    accelerations_outwards,
    body_wrenches,
    carried_inwards,
    is_afloat,
)
from eomc.derivation.trees.slopes import Entries, Slopes, slopes_of_forces
from eomc.ir.graph import Node
from eomc.solving.checks import Checks


@dataclass(frozen=True, slots=True)
class AccelerationSlopes:
    """Accelerations of all rates and their derivatives.

    Attributes
    ----------
    accelerations
        By the factors that the derivatives take.
    coordinates
        By coordinates; those of balls along small turns about the axes of the row. Coordinates of a floating base have
        no columns: nothing depends on them.
    rates
        By rates; the velocity of a floating base has no columns either.
    forces
        By the forces of the rates, the inverse of M.
    factors
        Of M.
    """

    accelerations: Mapping[Rate, Node]
    coordinates: Entries
    rates: Entries
    forces: Entries
    factors: TreeFactors


def slopes_of_accelerations(
    dynamics: TreeDynamics, forces: Sequence[Node], checks: Checks, by_loads: Slopes | None = None
) -> AccelerationSlopes:
    """Return the accelerations of a tree and their derivatives.

    Parameters
    ----------
    dynamics
        A tree at a state, each rate with a speed of its own; a free joint only on the ground.
    forces
        Generalized forces of the speeds.
    checks
        Remember the pivot tests.
    by_loads
        Derivatives of what drives the rates: of those forces, and of loads on links; None: they are constants.
    """
    rows, moving = dynamics.moving.rows, dynamics.moving
    factors = factors_of(dynamics, checks)
    found = factors.solve(dynamics.right_sides(moving.forces_on_rates(forces)))
    taken = slopes_at(dynamics, found)
    still = {rate for rate in moving.flat if is_afloat(rows.rows[rate.row])}
    by_coordinates = [rate for rate in moving.flat if rate not in still]
    by_rates = [rate for rate in moving.flat if rate not in still or not rate.linear]
    return AccelerationSlopes(
        found,
        _solved(factors, by_coordinates, taken.coordinates, {} if by_loads is None else by_loads.coordinates),
        _solved(factors, by_rates, taken.rates, {} if by_loads is None else by_loads.rates),
        factors.inverse_entries(),
        factors,
    )


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


def _solved(factors: TreeFactors, columns: list[Rate], taken: Entries, given: Entries) -> Entries:
    """Return M^-1 (given - taken), column by column."""
    g = factors.graph
    found: dict[tuple[Rate, Rate], Node] = {}
    for column in columns:
        right = {}
        for row in factors.above:
            place = row, column
            right[row] = g.sub(given.get(place, g.zero), taken.get(place, g.zero))
        found.update({(row, column): value for row, value in factors.solve(right).items()})
    return found
