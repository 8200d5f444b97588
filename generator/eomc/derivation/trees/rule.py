"""The derivatives of a tree's accelerations as a rule for sweeps: nothing between the state and u' is differentiated.

What drives the rates, loads and dampers among it, is an argument of the rule, whose derivatives a sweep finds; those of
inertia and gravity come from the recursion of `slopes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

from eomc.derivation.trees.factor import TreeFactors
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.jacobian import factors_of, slopes_at
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.newton_euler import carried_inwards, component, is_afloat, no_wrench
from eomc.derivation.trees.rows import Row
from eomc.derivation.trees.slopes import Entries
from eomc.ir.equations import DerivativeRule
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.program import Check
from eomc.model.trees.records import JointKind
from eomc.solving.checks import Checks

_HINGED = (JointKind.REVOLUTE, JointKind.PRISMATIC)

_MOST = 60
"""Rates up to which M is factored for derivatives: they are a dense matrix."""


def rule_of_accelerations(
    dynamics: TreeDynamics, forces: Sequence[Node], accelerations: Mapping[Rate, Node]
) -> DerivativeRule | None:
    """Return how the derivatives of a tree's accelerations follow from those of its state and of what drives it.

    Parameters
    ----------
    dynamics
        The tree, with loads on its links.
    forces
        Generalized forces of the speeds beside these.
    accelerations
        Of all rates, by whatever algorithm.

    Returns
    -------
    DerivativeRule, or None
        None where the recursion has no columns: with ball and inner free joints, and beyond what a dense matrix is of
        use for.
    """
    moving = dynamics.moving
    rows = dynamics.rows.rows
    if len(moving.flat) > _MOST or not all(map(_is_served, rows)):
        return None
    places = [moving.coordinates[rate.row][0] for rate in _hinges(dynamics)]
    values = list(map(moving.value, moving.flat))
    driving = _driving(dynamics, forces)
    arguments = (*places, *values, *(driving[rate] for rate in moving.flat))
    found = [accelerations[rate] for rate in moving.flat]
    negated = map(dynamics.graph.neg, found)  # who reads one with the other sign reads another node
    derived, tested = partial(_derived, dynamics, tuple(forces)), cache(partial(_tested, dynamics))
    return DerivativeRule((*found, *negated), arguments, derived, tested)


def _tested(dynamics: TreeDynamics) -> tuple[Check, ...]:
    """Return the tests of the pivots of M, which accelerations by articulated bodies do without."""
    checks = Checks(dynamics.graph)
    factors_of(dynamics, checks)
    return checks.all()


def _is_served(row: Row) -> bool:
    return row.kind in _HINGED or (is_afloat(row) and row.armature == 0)


def _hinges(dynamics: TreeDynamics) -> list[Rate]:
    """Return the rates that have a coordinate on which forces depend."""
    return [rate for rate in dynamics.moving.flat if dynamics.rows.rows[rate.row].kind in _HINGED]


def _driving(dynamics: TreeDynamics, forces: Sequence[Node]) -> dict[Rate, Node]:
    """Return what drives the rates, loads on links among it."""
    graph, rows, moving = dynamics.graph, dynamics.moving.rows, dynamics.moving
    loads = [dynamics.loads.get(i, no_wrench(graph)) for i in range(len(rows.rows))]
    carried = carried_inwards(graph, rows, moving.motions, loads)
    return {
        rate: graph.add(force, component(carried[rate.row], rate))
        for rate, force in moving.forces_on_rates(forces).items()
    }


def _derived(
    given: TreeDynamics, forces: Sequence[Node], graph: Graph, arguments: Sequence[Mapping[int, Node]]
) -> list[dict[int, Node]]:
    """Return the rows of the accelerations' derivatives, M^-1 (dtau - dID) column by column."""
    dynamics = given.on(graph)
    moving, factors = dynamics.moving, factors_of(dynamics)
    flat, hinges = moving.flat, _hinges(dynamics)
    right = moving.joined(dynamics.right_sides(moving.forces_on_rates(forces)))
    taken = slopes_at(dynamics, moving.led(factors.solve(right)))
    places, rest = arguments[: len(hinges)], arguments[len(hinges) :]
    values, driving = rest[: len(flat)], rest[len(flat) :]
    columns: dict[int, dict[Rate, Node]] = {}
    for rate, row in zip(flat, driving, strict=True):
        for j, entry in row.items():
            columns.setdefault(j, {})[rate] = entry
    for moved, slopes, rows in ((hinges, taken.coordinates, places), (flat, taken.rates, values)):
        for rate, row in zip(moved, rows, strict=True):
            for j, entry in row.items():
                _take(graph, columns.setdefault(j, {}), flat, slopes, rate, entry)
    derived: list[dict[int, Node]] = [{} for _ in flat]
    for j in sorted(columns):
        whole = {rate: columns[j].get(rate, graph.zero) for rate in flat}
        found = moving.led(_solved(factors, moving.joined(whole)))
        for row, entry in zip(derived, (found[rate] for rate in flat), strict=True):
            if entry != graph.zero:
                row[j] = entry
    return [*derived, *({j: graph.neg(entry) for j, entry in row.items()} for row in derived)]


def _take(
    graph: Graph, column: dict[Rate, Node], flat: Sequence[Rate], slopes: Entries, rate: Rate, entry: Node
) -> None:
    """Take from a column what a change of a coordinate or a rate takes."""
    for row in flat:
        slope = slopes.get((row, rate))
        if slope is not None:
            column[row] = graph.sub(column.get(row, graph.zero), graph.mul(slope, entry))


def _solved(factors: TreeFactors, column: Mapping[Rate, Node]) -> dict[Rate, Node]:
    """Return M^-1 column; of one steady entry by the inverse, which is symmetric."""
    graph = factors.graph
    entries = [(rate, entry) for rate, entry in column.items() if entry != graph.zero]
    if len(entries) == 1 and graph.level[entries[0][1]] < Level.VARYING:
        rate, entry = entries[0]
        return {row: graph.mul(one, entry) for row, one in factors.inverse_column(rate).items()}
    return factors.solve(column)
