"""Accelerations of a tree by composite or by articulated bodies, which share the bias of Newton and Euler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from eomc.derivation.trees.articulated import ArticulatedBodies
from eomc.derivation.trees.bounds import inertia_bounds
from eomc.derivation.trees.choice import Algorithm, cheaper, has_limbs, worth_trying
from eomc.derivation.trees.composite import mass_matrix
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.moving import MovingTree
from eomc.derivation.trees.newton_euler import (
    Wrench,
    accelerations_outwards,
    body_wrenches,
    carried_inwards,
    joint_forces,
)
from eomc.derivation.trees.rows import TreeRows
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components
from eomc.passes.cost import cost
from eomc.solving.checks import Checks
from eomc.solving.ldlt import solve_positive_definite


@dataclass(frozen=True)  # no slots: what several ask for is kept
class Forward:
    """The accelerations of all rates by each algorithm that was tried, and which of these serves."""

    graph: Graph
    found: Mapping[Algorithm, Mapping[Rate, Node]]
    limbs: bool

    @cached_property
    def costs(self) -> dict[Algorithm, int]:
        """What each algorithm that was tried costs."""
        return {one: cost(self.graph, accelerations.values()) for one, accelerations in self.found.items()}

    @cached_property
    def algorithm(self) -> Algorithm:
        """The cheapest: where one alone was tried nothing is counted."""
        return next(iter(self.found)) if len(self.found) == 1 else cheaper(self.costs, self.limbs)

    @property
    def accelerations(self) -> Mapping[Rate, Node]:
        """Those by this algorithm."""
        return self.found[self.algorithm]


@dataclass(frozen=True)  # no slots: what several ask for is kept
class TreeDynamics:
    """A tree at a state under loads; what is asked of it shares its bias.

    Attributes
    ----------
    gravity
        In axes of the root.
    loads
        Wrenches on rows, in their frames, beside gravity.
    """

    graph: Graph
    rows: TreeRows
    moving: MovingTree
    gravity: Components
    loads: Mapping[int, Wrench]

    def on(self, graph: Graph) -> TreeDynamics:
        """Return the same on a copy of the graph."""
        return replace(self, graph=graph, moving=self.moving.on(graph))

    @cached_property
    def bias(self) -> list[Wrench]:
        """Return what each body takes while no rate changes, less its loads."""
        return self._wrenches({})

    @cached_property
    def bounds(self) -> dict[Rate, Node]:
        """Bounds of the terms of each rate's inertia, by which its pivot is told from rounding."""
        return inertia_bounds(self.graph, self.rows, self.moving.prepared, self.moving.rates)

    def sizes_of_speeds(self) -> list[Node]:
        """Return bounds of the terms of the diagonal of M of M u' = f."""
        return self.moving.sizes_of_speeds(self.bounds)

    def _wrenches(self, given: Mapping[Rate, Node]) -> list[Wrench]:
        graph, rows, moving = self.graph, self.moving.rows, self.moving
        spreads = accelerations_outwards(graph, rows, moving.motions, moving.rates, given, self.gravity)
        return body_wrenches(graph, rows, spreads, self.loads)

    def forces_of(self, given: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return the forces that accelerations of the rates take, those that are not given being zero: Newton-Euler."""
        graph, rows, moving = self.graph, self.moving.rows, self.moving
        transmitted = carried_inwards(graph, rows, moving.motions, self._wrenches(given))
        held = {
            rate: graph.sub(given.get(rate, graph.zero), moving.drift.get(rate, graph.zero)) for rate in moving.flat
        }
        return joint_forces(graph, rows, moving.rates, transmitted, held)

    def inverse(self, u_dots: Sequence[Node]) -> list[Node]:
        """Return the generalized forces that u' takes beside the loads."""
        return self.moving.forces_on_speeds(self.forces_of(self.moving.to_rates(u_dots)))

    def mass_matrix(self) -> list[list[Node]]:
        """Return M of M u' = f."""
        moving = self.moving
        return moving.matrix_of_speeds(mass_matrix(self.graph, moving.rows, moving.motions, moving.rates))

    def forcing(self, forces: Sequence[Node]) -> list[Node]:
        """Return f of M u' = f, with generalized forces of the speeds."""
        taken = self.inverse([self.graph.zero] * len(forces))
        return [self.graph.sub(force, one) for force, one in zip(forces, taken, strict=True)]

    def forward(self, forces: Sequence[Node], checks: Checks, algorithm: Algorithm | None = None) -> Forward:
        """Return the accelerations under generalized forces of the speeds.

        Parameters
        ----------
        forces
            Those of the joints, one for each speed.
        checks
            Remember the pivot tests.
        algorithm
            None: the cheaper one. Where rates follow others it is composite bodies.
        """
        driving = self.moving.forces_on_rates(forces)
        found = {one: self._by(one, driving, checks) for one in self._tried(algorithm)}
        return Forward(self.graph, found, has_limbs(self.rows))

    def _tried(self, wanted: Algorithm | None) -> list[Algorithm]:
        if not self.moving.is_square:
            return [Algorithm.COMPOSITE]
        if wanted is not None:
            return [wanted]
        return worth_trying([row.parent for row in self.rows.rows], list(map(len, self.moving.rates)))

    def driving(self, forces: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return what drives the rates: a rotor follows the speed, and not the rate."""
        graph, rows, moving = self.graph, self.moving.rows, self.moving
        rotors = {r: row.armature for row, own in zip(rows.rows, moving.rates, strict=True) for r in own}
        lost = {rate: graph.mul(rotors[rate], drift) for rate, drift in moving.drift.items()}
        return {rate: graph.add(force, lost.get(rate, graph.zero)) for rate, force in forces.items()}

    def right_sides(self, forces: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return tau - c of M nu' = tau - c by rates."""
        graph, rows, moving = self.graph, self.moving.rows, self.moving
        transmitted = carried_inwards(graph, rows, moving.motions, self.bias)
        bias = joint_forces(graph, rows, moving.rates, transmitted, {})
        driving = self.driving(forces)
        return {rate: graph.sub(driving[rate], bias[rate]) for rate in moving.flat}

    def _by(self, algorithm: Algorithm, forces: Mapping[Rate, Node], checks: Checks) -> dict[Rate, Node]:
        graph, rows, moving = self.graph, self.moving.rows, self.moving
        bounds = self.bounds
        names = dict(zip(moving.flat, self._labels(), strict=True))
        if algorithm is Algorithm.ARTICULATED:
            bodies = ArticulatedBodies(graph, rows, moving.motions, moving.rates)
            found = bodies.accelerations(self.bias, self.driving(forces))
            for pivot in bodies.pivots:
                checks.positive(pivot.inverse, pivot.value, names[pivot.rate], bounds[pivot.rate])
            return found
        right = moving.joined(self.right_sides(forces))
        matrix, leaders = moving.matrix_of_leaders(mass_matrix(graph, rows, moving.motions, moving.rates))
        sizes = moving.joined_squares(bounds)
        leaders.reverse()  # of equal fill the leaves come first
        turned = [row[::-1] for row in reversed(matrix)]
        solution = solve_positive_definite(
            graph, turned, [right[r] for r in leaders], [names[r] for r in leaders], checks, [sizes[r] for r in leaders]
        )
        return moving.led(dict(zip(leaders, solution.column, strict=True)))

    def _labels(self) -> list[str]:
        return [self.rows.rows[rate.row].name for rate in self.moving.flat]
