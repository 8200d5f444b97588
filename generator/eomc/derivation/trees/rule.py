"""The derivatives of a tree's accelerations as a rule for sweeps: nothing between the state and u' is differentiated.

What drives the rates, loads and dampers among it, is an argument of the rule, whose derivatives a sweep finds; those of
inertia and gravity come from the recursion of `slopes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType

from eomc.derivation.trees.choice import Algorithm
from eomc.derivation.trees.columns import Columns, column_of
from eomc.derivation.trees.driving import driving_of_rates
from eomc.derivation.trees.forward import Forward, TreeDynamics
from eomc.derivation.trees.jacobian import slopes_at
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.small_motions import small_motions
from eomc.derivation.trees.solver import solver_of, tests_of_pivots
from eomc.ir.equations import DerivativeRule
from eomc.ir.graph import Graph, Node
from eomc.ir.program import Check
from eomc.lowering.vectors import Matrix
from eomc.solving.checks import Checks


def rule_of_accelerations(
    dynamics: TreeDynamics,
    forces: Sequence[Node],
    forward: Forward,
    turned: Mapping[int, Matrix] = MappingProxyType({}),
) -> DerivativeRule:
    """Return how the derivatives of a tree's accelerations follow from those of its state and of what drives it.

    Parameters
    ----------
    dynamics
        The tree, with loads on its links.
    forces
        Generalized forces of the speeds beside these.
    forward
        The accelerations of all rates.
    turned
        Rotations of balls whose coordinates are not those of a joint, by number of the row.
    """
    graph, moving = dynamics.graph, dynamics.moving
    places = small_motions(graph, moving, turned)
    values = [((moving.value(rate), graph.one),) for rate in moving.flat]
    driving = driving_of_rates(dynamics, forces)
    arguments = (*places.values(), *values, *(((driving[rate], graph.one),) for rate in moving.flat))
    found = [forward.accelerations[rate] for rate in moving.flat]
    negated = map(graph.neg, found)  # who reads one with the other sign reads another node
    given = dynamics, tuple(forces), forward.algorithm
    derived, tested = partial(_derived, *given, tuple(places)), cache(partial(_tested, *given))
    return DerivativeRule((*found, *negated), arguments, derived, tested)


def _tested(dynamics: TreeDynamics, forces: Sequence[Node], algorithm: Algorithm) -> tuple[Check, ...]:
    """Return the tests of pivots that the accelerations may do without."""
    checks = Checks(dynamics.graph)
    tests_of_pivots(dynamics, forces, algorithm, checks)
    return checks.all()


def _derived(
    given: TreeDynamics,
    forces: Sequence[Node],
    algorithm: Algorithm,
    moved: Sequence[Rate],
    graph: Graph,
    arguments: Sequence[Mapping[int, Node]],
) -> list[dict[int, Node]]:
    """Return the rows of the accelerations' derivatives, M^-1 (dtau - dID) column by column."""
    dynamics, variables = given.on(graph), {j for row in arguments for j in row}
    moving = dynamics.moving
    flat = moving.flat
    solver = solver_of(dynamics, forces, algorithm, len(variables))
    taken = slopes_at(dynamics, solver.accelerations)
    motions = [*(column_of(taken.coordinates, flat, rate) for rate in moved)]
    motions += [column_of(taken.rates, flat, rate) for rate in flat]
    found = Columns(graph, moving, solver, motions).solved(arguments)
    derived: list[dict[int, Node]] = [
        {j: column[rate] for j, column in found.items() if column[rate] != graph.zero} for rate in flat
    ]
    return [*derived, *({j: graph.neg(entry) for j, entry in row.items()} for row in derived)]
