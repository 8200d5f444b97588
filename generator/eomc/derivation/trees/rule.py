"""The derivatives of a tree's accelerations as a rule for sweeps: nothing between the state and u' is differentiated.

What drives the rates, loads and dampers among it, is an argument of the rule, whose derivatives a sweep finds; those of
inertia and gravity come from the recursion of `slopes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from eomc.derivation.trees.factor import TreeFactors
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.jacobian import factors_of, slopes_at
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.newton_euler import carried_inwards, component, no_wrench
from eomc.derivation.trees.slopes import Entries
from eomc.derivation.trees.small_motions import small_motions
from eomc.derivation.trees.speeds import MovingTree
from eomc.ir.equations import DerivativeRule
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.program import Check
from eomc.solving.checks import Checks


def rule_of_accelerations(
    dynamics: TreeDynamics, forces: Sequence[Node], accelerations: Mapping[Rate, Node]
) -> DerivativeRule:
    """Return how the derivatives of a tree's accelerations follow from those of its state and of what drives it.

    Parameters
    ----------
    dynamics
        The tree, with loads on its links.
    forces
        Generalized forces of the speeds beside these.
    accelerations
        Of all rates, by whatever algorithm.
    """
    graph, moving = dynamics.graph, dynamics.moving
    places = small_motions(graph, moving)
    values = [((moving.value(rate), graph.one),) for rate in moving.flat]
    driving = driving_of_rates(dynamics, forces)
    arguments = (*places.values(), *values, *(((driving[rate], graph.one),) for rate in moving.flat))
    found = [accelerations[rate] for rate in moving.flat]
    negated = map(graph.neg, found)  # who reads one with the other sign reads another node
    derived, tested = partial(_derived, dynamics, tuple(forces), tuple(places)), cache(partial(_tested, dynamics))
    return DerivativeRule((*found, *negated), arguments, derived, tested)


def _tested(dynamics: TreeDynamics) -> tuple[Check, ...]:
    """Return the tests of the pivots of M, which accelerations by articulated bodies do without."""
    checks = Checks(dynamics.graph)
    factors_of(dynamics, checks)
    return checks.all()


def driving_of_rates(dynamics: TreeDynamics, forces: Sequence[Node]) -> dict[Rate, Node]:
    """Return what drives the rates, loads on links among it."""
    graph, rows, moving = dynamics.graph, dynamics.moving.rows, dynamics.moving
    loads = [dynamics.loads.get(i, no_wrench(graph)) for i in range(len(rows.rows))]
    carried = carried_inwards(graph, rows, moving.motions, loads)
    return {
        rate: graph.add(force, component(carried[rate.row], rate))
        for rate, force in dynamics.driving(moving.forces_on_rates(forces)).items()
    }


def _derived(
    given: TreeDynamics,
    forces: Sequence[Node],
    moved: Sequence[Rate],
    graph: Graph,
    arguments: Sequence[Mapping[int, Node]],
) -> list[dict[int, Node]]:
    """Return the rows of the accelerations' derivatives, M^-1 (dtau - dID) column by column."""
    dynamics = given.on(graph)
    moving, factors = dynamics.moving, factors_of(dynamics)
    flat = moving.flat
    right = moving.joined(dynamics.right_sides(moving.forces_on_rates(forces)))
    taken = slopes_at(dynamics, moving.led(factors.solve(right)))
    motions = [*(_column(taken.coordinates, flat, rate) for rate in moved)]
    motions += [_column(taken.rates, flat, rate) for rate in flat]
    found = _Columns(graph, moving, factors, motions).solved(arguments)
    derived: list[dict[int, Node]] = [
        {j: column[rate] for j, column in found.items() if column[rate] != graph.zero} for rate in flat
    ]
    return [*derived, *({j: graph.neg(entry) for j, entry in row.items()} for row in derived)]


def _column(slopes: Entries, rows: Sequence[Rate], rate: Rate) -> dict[Rate, Node]:
    return {row: slopes[row, rate] for row in rows if (row, rate) in slopes}


@dataclass(frozen=True, slots=True)
class _Columns:
    """M^-1 (dtau - dID): `motions` are the columns of ID by small motions and rates, in the order of the arguments."""

    graph: Graph
    moving: MovingTree
    factors: TreeFactors
    motions: Sequence[Mapping[Rate, Node]]

    def solved(self, arguments: Sequence[Mapping[int, Node]]) -> dict[int, dict[Rate, Node]]:
        """Return the derivatives of all rates' accelerations by index of a variable."""
        count = len(self.motions)
        terms, driving = _by_variable(arguments[:count]), _by_variable(arguments[count:])
        found = self._combined({j: mixed for j, mixed in terms.items() if j not in driving})
        for j in sorted({*terms, *driving} - {*found}):
            column = {rate: driving.get(j, {}).get(k, self.graph.zero) for k, rate in enumerate(self.moving.flat)}
            for k, entry in terms.get(j, {}).items():
                for rate, slope in self.motions[k].items():
                    column[rate] = self.graph.sub(column[rate], self.graph.mul(slope, entry))
            found[j] = self._solve(column)
        return {j: found[j] for j in sorted(found)}

    def _combined(self, terms: Mapping[int, Mapping[int, Node]]) -> dict[int, dict[Rate, Node]]:
        """Return columns that more variables make of the same motions than these are, such as those of quaternions."""
        alike: dict[tuple[int, ...], list[int]] = {}
        for j, mixed in terms.items():
            alike.setdefault(tuple(mixed), []).append(j)
        graph, found = self.graph, {}  # type: Graph, dict[int, dict[Rate, Node]]
        for motions, variables in alike.items():
            if len(variables) <= len(motions):
                continue
            solved = [self._solve({r: graph.neg(e) for r, e in self.motions[k].items()}) for k in motions]
            for j in variables:
                parts = list(zip(terms[j].values(), solved, strict=True))
                found[j] = {
                    rate: graph.sum(graph.mul(entry, column[rate]) for entry, column in parts)
                    for rate in self.moving.flat
                }
        return found

    def _solve(self, column: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return M^-1 column; of one steady entry by the inverse, which is symmetric."""
        graph, moving, factors = self.graph, self.moving, self.factors
        whole = moving.joined({rate: column.get(rate, graph.zero) for rate in moving.flat})
        entries = [(rate, entry) for rate, entry in whole.items() if entry != graph.zero]
        if len(entries) == 1 and graph.level[entries[0][1]] < Level.VARYING:
            rate, entry = entries[0]
            return moving.led({row: graph.mul(one, entry) for row, one in factors.inverse_column(rate).items()})
        return moving.led(factors.solve(whole))


def _by_variable(rows: Sequence[Mapping[int, Node]]) -> dict[int, dict[int, Node]]:
    """Return for each variable what depends on it, by its place."""
    found: dict[int, dict[int, Node]] = {}
    for k, row in enumerate(rows):
        for j, entry in row.items():
            found.setdefault(j, {})[k] = entry
    return found
