"""Random mechanisms are trees of joints: M and f by recursion over these against the velocities as they were given."""

from __future__ import annotations

import warnings

import pytest
from mechanisms import Mechanism

from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.forces import active_seeds, generalized_forces, inertia_seeds, potential_seeds
from eomc.derivation.found.finder import find_tree
from eomc.derivation.found.tree import place_tree
from eomc.derivation.mass_matrix import MassMatrix, lower_triangle
from eomc.derivation.pose import pose

SEEDS = range(40)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("first", SEEDS[::10])
def test_trees_of_random_mechanisms(first: int) -> None:
    """Axes askew, gears, prescribed joints, balls by any angles, welds, mixed speeds: each is found, and the same."""
    for seed in range(first, first + 10):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            problem = pose(Mechanism(seed).model())
            bodies = BodySystem(problem)
            tree = place_tree(problem, bodies, find_tree(problem, bodies))
        loads = [*active_seeds(bodies), *potential_seeds(problem, bodies.system)]
        forces = generalized_forces(problem, loads, bodies.system)
        frames = bodies.frame_choices()[0]
        given = MassMatrix(bodies, find_clusters(bodies), frames).forward()
        right = generalized_forces(problem, [*inertia_seeds(bodies, frames), *loads], bodies.system)
        ours = [*lower_triangle(tree.mass_matrix()), *tree.forcing(forces)]
        for number in (0, 4, 8):
            sample = problem.sampling.state(number)
            for own, other in zip(ours, [*lower_triangle(given), *right], strict=True):
                (x, s), (y, t) = sample.sized(own), sample.sized(other)
                assert x != x or abs(x - y) <= 1e-12 * (s + t), f"seed {seed}"
