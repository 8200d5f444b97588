"""The motion by partial velocities in the frames of the user, a part at a time.

Frames matter for the cost, and a local guess chooses wrongly: M and f are derived with a few choices of frames and
counted. Their elimination is derived where the motion itself is asked for: a tree may be known to take less before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

from eomc.derivation.added_inertia import EquationMatrix
from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.forces import active_seeds, generalized_forces, inertia_seeds, potential_seeds
from eomc.derivation.mass_matrix import MassMatrix, lower_triangle, symmetric
from eomc.derivation.problem import Problem
from eomc.derivation.speeds import equations_for_speeds, solve_for_speeds
from eomc.ir.graph import Graph, Level, Node, Rows
from eomc.passes.cost import Tally, cost
from eomc.solving.ldlt import operations


class GivenFrames:
    """M u' = f in the frames of the user, whether they are those of a tree or not.

    Parameters
    ----------
    problem, bodies, rows
        The model.
    """

    def __init__(self, problem: Problem, bodies: BodySystem, rows: ConstraintRows) -> None:
        self._problem = problem
        self._bodies = bodies
        self._rows = rows

    @cached_property
    def equations(self) -> EquationMatrix:
        """M and f, as short as they get; without constraints M has an inverse.

        Raises
        ------
        DerivationError
            The mass matrix is singular (naming the speed without inertia).
        """
        return equations_for_speeds(self._problem, self._rows, *_cheapest(self._problem, self._bodies))

    @cached_property
    def motion(self) -> ConstrainedMotion:
        """The accelerations.

        Raises
        ------
        DerivationError
            As for the equations, or the constraints do not determine a dependent speed.
        """
        return solve_for_speeds(self._problem, self._bodies, self._rows, self.equations)

    def derive(self, *, solved: bool) -> None:
        """Derive M and f, and the motion where it is to be solved or constraints act.

        Raises
        ------
        DerivationError
            As for these.
        """
        _ = self.motion if solved or self._rows else self.equations

    @property
    def is_solved(self) -> bool:
        """Whether the motion has been derived."""
        return "motion" in vars(self)

    @cached_property
    def count(self) -> int:
        """What accelerations and multipliers take, in additions."""
        return cost(self._problem.graph, [*self.motion.accelerations, *self.motion.multipliers])

    @cached_property
    def least(self) -> int:
        """What they take at least, as far as that is known before M is eliminated."""
        if self._rows or not self.equations.is_definite:
            return 0
        return eliminated_at_least(self._problem, self.equations.entries, self.equations.forcing)


def system_cost(graph: Graph, matrix: Rows, forcing: Sequence[Node]) -> int:
    """Return what M and f take."""
    return cost(graph, [*lower_triangle(matrix), *forcing])


def eliminated_at_least(problem: Problem, matrix: Rows, forcing: Sequence[Node]) -> int:
    """Return what M, f and the elimination take at least: of the entries beside the pivots those that vary count."""
    graph = problem.graph
    varying = [
        [entry if i == j or graph.level[entry] == Level.VARYING else graph.zero for j, entry in enumerate(row)]
        for i, row in enumerate(matrix)
    ]
    return system_cost(graph, matrix, forcing) + operations(graph, varying)


def _cheapest(problem: Problem, bodies: BodySystem) -> tuple[Rows, list[Node]]:
    """Derive M and f with a few choices of frames and return the cheapest."""
    clusters = find_clusters(bodies)
    common = [*active_seeds(bodies), *potential_seeds(problem, bodies.system)]
    best: tuple[Rows, list[Node]] | None = None
    fewest = math.inf
    choices = bodies.frame_choices()
    for frames in choices:
        forcing = generalized_forces(problem, [*inertia_seeds(bodies, frames), *common], bodies.system)
        maker = MassMatrix(bodies, clusters, frames)
        if len(choices) == 1 and not maker.has_rotation:
            return maker.forward(), forcing  # nothing to choose from
        if maker.has_rotation:
            matrix = maker.reverse()
            count = system_cost(problem.graph, matrix, forcing)
            if count < fewest:
                best, fewest = (matrix, forcing), count
            if maker.is_long_chain:
                break
        cheaper = _cheaper(problem.graph, maker, forcing, fewest)
        if cheaper is not None:
            best, fewest = (cheaper[0], forcing), cheaper[1]
    assert best is not None
    return best


def _cheaper(graph: Graph, maker: MassMatrix, forcing: list[Node], fewest: float) -> tuple[Rows, int] | None:
    """Return M multiplied out forwards and the cost of M and f if that is below `fewest`; give up once it is not."""
    tally = Tally(graph)
    rows = []
    count = tally.add(forcing)
    for row in maker.upper_rows():
        count = tally.add(row)
        if count >= fewest:
            return None
        rows.append(row)
    return symmetric(rows), count
