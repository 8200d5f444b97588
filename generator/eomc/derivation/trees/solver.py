"""M^-1 times many columns of forces: by factors of M, or by articulated bodies where rows are many and deep.

With factors a column takes four operations for each pair of a rate and one above it; the recursion takes as many at
each joint, however deep it is, and needs no M.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eomc.derivation.trees.articulated import ArticulatedBodies
from eomc.derivation.trees.choice import Algorithm
from eomc.derivation.trees.factor import sweep_cost
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.jacobian import factors_of
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.rows import GROUND
from eomc.ir.graph import Node
from eomc.passes.cost import Tally
from eomc.solving.checks import Checks

Column = Mapping[Rate, Node]

_COLUMN = 12
"""Operations that carry a column of M over a rate: counted on chains of hinges about x and z."""


@dataclass(frozen=True, slots=True)
class Solver:
    """The accelerations of a tree, and what forces on the rates that follow none add to those of all rates."""

    accelerations: Column
    solve: Callable[[Column], dict[Rate, Node]]
    above: Mapping[Rate, Sequence[Rate]]
    """The rates that the factors have above each, () where there are none of them."""


def solver_of(dynamics: TreeDynamics, forces: Sequence[Node], algorithm: Algorithm, columns: int) -> Solver:
    """Return what solves for columns at the least cost.

    Parameters
    ----------
    dynamics, forces
        The tree, and generalized forces of the speeds beside its loads.
    algorithm
        That finds its accelerations elsewhere.
    columns
        How many there are.
    """
    moving = dynamics.moving
    driving = moving.forces_on_rates(forces)
    if prefers_articulated(dynamics, algorithm, columns):
        bodies = _bodies(dynamics)
        return Solver(bodies.accelerations(dynamics.bias, dynamics.driving(driving)), bodies.response, {})
    factors = factors_of(dynamics)
    right = moving.joined(dynamics.right_sides(driving))
    return Solver(moving.led(factors.solve(right)), lambda column: moving.led(factors.solve(column)), factors.above)


def tests_of_pivots(dynamics: TreeDynamics, forces: Sequence[Node], algorithm: Algorithm, checks: Checks) -> None:
    """Remember the tests of all pivots that any number of columns may divide by, and the accelerations do not."""
    moving = dynamics.moving
    if moving.is_square and algorithm is not Algorithm.ARTICULATED:
        bodies = _bodies(dynamics)
        bodies.accelerations(dynamics.bias, dynamics.driving(moving.forces_on_rates(forces)))
        for pivot in bodies.pivots:
            name = moving.rows.rows[pivot.rate.row].name
            checks.positive(pivot.inverse, pivot.value, name, dynamics.bounds[pivot.rate])
    if not prefers_articulated(dynamics, algorithm, 3 * len(moving.flat)):
        factors_of(dynamics, checks)


def _bodies(dynamics: TreeDynamics) -> ArticulatedBodies:
    moving = dynamics.moving
    return ArticulatedBodies(dynamics.graph, moving.rows, moving.motions, moving.rates)


def prefers_articulated(dynamics: TreeDynamics, algorithm: Algorithm, columns: int) -> bool:
    """Whether articulated bodies take fewer operations: the fewer columns, the rather, as M is made for all of them."""
    moving = dynamics.moving
    if not moving.is_square:
        return False
    above = _above(dynamics)
    pairs = sum(map(len, above.values()))
    making = sum(len(own) * (len(own) + 1) for own in above.values()) + _COLUMN * pairs
    below: dict[Rate, set[Rate]] = {rate: {rate} for rate in above}
    for rate, own in above.items():
        for one in own:
            below[one].add(rate)
    each = [sweep_cost(above, {*own, *below[rate]}) for rate, own in above.items()]
    by_factors = making + columns * sum(each) / len(each)
    inertias, response = _counted(dynamics, algorithm)
    return inertias + response * columns < by_factors


def _counted(dynamics: TreeDynamics, algorithm: Algorithm) -> tuple[int, int]:
    """Return what articulated inertias cost that accelerations do without, and what a column by them does."""
    moving, bodies, tally = dynamics.moving, _bodies(dynamics), Tally(dynamics.graph)
    bodies.accelerations(dynamics.bias, dict.fromkeys(moving.flat, dynamics.graph.zero))
    inertias = tally.add(bodies.steps)
    column = {rate: moving.value(rate) for rate in moving.flat}
    response = tally.add(bodies.response(column).values()) - inertias
    return (0 if algorithm is Algorithm.ARTICULATED else inertias), response


def _above(dynamics: TreeDynamics) -> dict[Rate, tuple[Rate, ...]]:
    """Return the rates between each and the ground, the nearest first."""
    moving = dynamics.moving
    found: dict[Rate, tuple[Rate, ...]] = {}
    for row, own in zip(moving.rows.rows, moving.rates, strict=True):
        before: tuple[Rate, ...] = ()
        if row.parent != GROUND:
            last = moving.rates[row.parent][-1]
            before = (last, *found[last])
        for rate in own:
            found[rate] = before
            before = (rate, *before)
    return found
