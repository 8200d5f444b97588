"""Derivatives of a tree under constraints: columns of the system that u' and the multipliers are solutions of.

M u' + J^T lambda = f and J u' = c, with u' and lambda held, change by what inverse dynamics and the constraint forces
change by: the recursion of `slopes` serves the former, sweeps over J with lambda and u' as weights the latter. All
columns are right sides of one system, [M J^T; J 0]. With nu' = G u' + gamma, where speeds are in other axes than rates,
nu' changes at held u', too, and G^T turns what is left of the forces of the rates, which constraints balance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derivation.trees.columns import by_variable, column_of
from eomc.derivation.trees.driving import driving_of_rates
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.jacobian import slopes_at
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.small_motions import small_motions
from eomc.ir.equations import Combination, DerivativeRule
from eomc.ir.graph import Graph, Node, Rows

_Terms = list[tuple[Node, Node]]


@dataclass(frozen=True, slots=True)
class ConstrainedSolution:
    """u' and lambda of [M J^T; J 0] [u'; lambda] = [f; c], results of one system of the graph."""

    accelerations: Sequence[Node]
    multipliers: Sequence[Node]
    jacobian: Rows  # J, by rows over the speeds
    wanted: Sequence[Node]  # c

    def system(self, graph: Graph) -> Node:
        """Return the node of the system."""
        return graph.args[self.accelerations[0]][0]


def rule_under_constraints(
    dynamics: TreeDynamics, forces: Sequence[Node], solution: ConstrainedSolution
) -> DerivativeRule:
    """Return how the derivatives of u' and lambda follow from those of the state and of what drives the tree.

    Parameters
    ----------
    dynamics
        The tree, with loads on its links; none of them follows accelerations.
    forces
        Generalized forces of the speeds beside these.
    solution
        What is differentiated.
    """
    return _Rule(dynamics, tuple(forces), solution).made()


@dataclass(frozen=True, slots=True)
class _Rule:
    dynamics: TreeDynamics
    forces: tuple[Node, ...]
    solution: ConstrainedSolution

    def made(self) -> DerivativeRule:
        dynamics, solution = self.dynamics, self.solution
        graph, moving, one = dynamics.graph, dynamics.moving, dynamics.graph.one
        driving = driving_of_rates(dynamics, self.forces)
        arguments: list[Combination] = [
            *small_motions(graph, moving).values(),
            *(((moving.value(rate), one),) for rate in moving.flat),
            *(((driving[rate], one),) for rate in moving.flat),
            *self._apparent(),
            *self._balanced(),
            *self._closing(),
        ]
        return DerivativeRule(
            (*solution.accelerations, *solution.multipliers), tuple(arguments), self._derived, lambda: ()
        )

    def _apparent(self) -> list[Combination]:
        """Return how nu' of each rate changes while u' is held."""
        moving, accelerations = self.dynamics.moving, self.solution.accelerations
        found: dict[Rate, _Terms] = {rate: [] for rate in moving.flat}
        for rate, drift in moving.drift.items():
            found[rate].append((drift, self.dynamics.graph.one))
        for start, rates, matrix in moving.turns():
            for k, rate in enumerate(rates):
                found[rate] += [(matrix[i][k], accelerations[start + i]) for i in range(3)]
        return [tuple(found[rate]) for rate in moving.flat]

    def _balanced(self) -> list[Combination]:
        """Return how the forces on each speed change while those on rates, nu' and lambda are held."""
        graph, moving, solution = self.dynamics.graph, self.dynamics.moving, self.solution
        columns = zip(*solution.jacobian, strict=True)
        found: list[_Terms] = [
            [(entry, graph.neg(x)) for entry, x in zip(column, solution.multipliers, strict=True)] for column in columns
        ]
        turns = moving.turns()
        left = self._left() if turns else {}
        for start, rates, matrix in turns:
            for i in range(3):
                found[start + i] += [(matrix[i][k], left[rate]) for k, rate in enumerate(rates)]
        return [tuple(terms) for terms in found]

    def _left(self) -> dict[Rate, Node]:
        """Return what is left of the forces on each rate, which the constraints balance."""
        dynamics, moving = self.dynamics, self.dynamics.moving
        given = moving.forces_on_rates(self.forces)
        taken = dynamics.forces_of(moving.to_rates(self.solution.accelerations))
        return {rate: dynamics.graph.sub(given[rate], taken[rate]) for rate in moving.flat}

    def _closing(self) -> list[Combination]:
        """Return how c - J u' changes while u' is held."""
        graph, solution = self.dynamics.graph, self.solution
        less = list(map(graph.neg, solution.accelerations))
        return [
            ((side, graph.one), *zip(row, less, strict=True))
            for row, side in zip(solution.jacobian, solution.wanted, strict=True)
        ]

    def _derived(self, graph: Graph, arguments: Sequence[Mapping[int, Node]]) -> list[dict[int, Node]]:
        """Return the rows of the derivatives, a right side for each variable."""
        dynamics = self.dynamics.on(graph)
        moving, flat, solution = dynamics.moving, dynamics.moving.flat, self.solution
        taken = slopes_at(dynamics, moving.to_rates(solution.accelerations))
        moved = list(small_motions(graph, moving))
        motions = [column_of(taken.coordinates, flat, rate) for rate in moved]
        motions += [column_of(taken.rates, flat, rate) for rate in flat]
        rotors = {r: row.armature for row, own in zip(moving.rows.rows, moving.rates, strict=True) for r in own}
        inertias = [column_of(taken.mass, flat, rate) for rate in flat]
        for rate, column in zip(flat, inertias, strict=True):
            column[rate] = graph.add(column.get(rate, graph.zero), rotors[rate])
        ends = len(motions), len(motions) + len(flat), len(motions) + 2 * len(flat)
        terms = by_variable([*arguments[: ends[0]], *arguments[ends[1] : ends[2]]])
        columns, driving = [*motions, *inertias], by_variable(arguments[ends[0] : ends[1]])
        beside = by_variable(arguments[ends[2] :])
        variables = sorted({*terms, *driving, *beside})
        sides = []
        for j in variables:
            on_rates = {rate: driving.get(j, {}).get(k, graph.zero) for k, rate in enumerate(flat)}
            for k, entry in terms.get(j, {}).items():
                for rate, slope in columns[k].items():
                    on_rates[rate] = graph.sub(on_rates[rate], graph.mul(slope, entry))
            whole = [*moving.forces_on_speeds(on_rates), *(graph.zero for _ in solution.multipliers)]
            own = beside.get(j, {})
            sides.append([graph.add(side, own.get(k, graph.zero)) for k, side in enumerate(whole)])
        count = len(solution.accelerations) + len(solution.multipliers)
        if not variables:
            return [{} for _ in range(count)]
        solved = graph.solve_again(solution.system(graph), [list(row) for row in zip(*sides, strict=True)])
        return [{j: x for j, x in zip(variables, row, strict=True) if x != graph.zero} for row in solved]
