"""Models of bodies with the trees that are found in them, and the same M and f in the frames of the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import constraint_rows
from eomc.derivation.forces import active_seeds, generalized_forces, inertia_seeds, potential_seeds
from eomc.derivation.found.finder import Found, find_tree
from eomc.derivation.found.motion import cheaper_motion
from eomc.derivation.found.tree import FoundTree, place_tree
from eomc.derivation.given_frames import GivenFrames
from eomc.derivation.mass_matrix import MassMatrix
from eomc.derivation.options import Options
from eomc.derivation.pose import pose
from eomc.derivation.problem import Problem
from eomc.ir.graph import Node
from eomc.model import Model

STATES = range(0, 12, 4)  # of the sampling: near the defaults, parameters apart from these


@dataclass(frozen=True)
class Hung:
    """A model's bodies and the tree that they are."""

    problem: Problem
    bodies: BodySystem
    found: Found
    tree: FoundTree

    @property
    def kinds(self) -> str:
        """The first letters of the rows' kinds."""
        return "".join(draft.kind.value[0] for draft in self.found.drafts)

    def by_recursion(self) -> tuple[list[list[Node]], list[Node]]:
        """Return M and f of the tree."""
        loads = [*active_seeds(self.bodies), *potential_seeds(self.problem, self.bodies.system)]
        forces = generalized_forces(self.problem, loads, self.bodies.system)
        return [list(row) for row in self.tree.mass_matrix()], self.tree.forcing(forces)

    def by_partial_velocities(self) -> tuple[list[list[Node]], list[Node]]:
        """Return M and f of the velocities as the user gave them."""
        frames = self.bodies.frame_choices()[0]
        matrix = MassMatrix(self.bodies, find_clusters(self.bodies), frames).forward()
        loads = [*active_seeds(self.bodies), *potential_seeds(self.problem, self.bodies.system)]
        seeds = [*inertia_seeds(self.bodies, frames), *loads]
        return [list(row) for row in matrix], generalized_forces(self.problem, seeds, self.bodies.system)

    def differ(self, ours: Sequence[Node], theirs: Sequence[Node]) -> list[int]:
        """Return the places at which nodes have different values, rounding of their own terms apart."""
        found = set()
        for number in STATES:
            sample = self.problem.sampling.state(number)
            for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
                (x, s), (y, t) = sample.sized(a), sample.sized(b)
                if x == x and abs(x - y) > 1e-12 * (s + t):
                    found.add(place)
        return sorted(found)


@pytest.fixture
def hung() -> Callable[[Model], Hung]:
    """Return what finds the tree of a model."""

    def find(model: Model) -> Hung:
        problem = pose(model)
        bodies = BodySystem(problem)
        found = find_tree(problem, bodies)
        return Hung(problem, bodies, found, place_tree(problem, bodies, found))

    return find


@pytest.fixture
def motions() -> Callable[..., tuple[Problem, ConstrainedMotion, ConstrainedMotion]]:
    """Return what derives the motion of a model as it is chosen, and in the frames of the user, on one graph."""

    def derived(model: Model, algorithm: str = "auto") -> tuple[Problem, ConstrainedMotion, ConstrainedMotion]:
        problem = pose(model, options=Options(algorithm=algorithm))
        bodies = BodySystem(problem)
        rows = constraint_rows(problem)
        given = GivenFrames(problem, bodies, rows)
        chosen = cheaper_motion(problem, bodies, rows, given)
        return problem, chosen, given.motion

    return derived
