"""The mass matrix by clusters against the sum over bodies, and its cost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import eomc
from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.constraints import constraint_rows
from eomc.derivation.kane import derive_kane
from eomc.derivation.mass_matrix import MassMatrix, lower_triangle
from eomc.derivation.pose import pose
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import OPS, Kind, Op
from eomc.model import Model


def operations(graph: Graph, roots: list[Node]) -> int:
    """Count what varies with the state; a changed sign is free."""
    return sum(
        graph.level[node] == Level.VARYING and OPS[graph.ops[node]].kind is Kind.REAL and graph.ops[node] is not Op.NEG
        for node in graph.reachable(roots)
    )


def by_bodies(system: BodySystem) -> np.ndarray:
    """Return the sum of m v_r.v_s + w_r.I.w_s with partial velocities by differences: v is linear in u."""
    problem, motion = system.problem, system.motion
    sample = problem.sampling.state(7)
    n = len(problem.motion)
    twists = [
        [
            *system.frames.express(motion.velocity(body.center), system.frames.root),
            *([problem.graph.zero] * 3 if body.basis is None else system.spin(body)),
        ]
        for body in system.bodies
    ]
    graph = problem.graph
    place = {graph.data[node]: sample[node] for node in range(len(graph)) if graph.ops[node] is Op.SYMBOL}
    total = np.zeros((n, n))
    for body, twist in zip(system.bodies, twists, strict=True):
        columns = []
        for k in range(-1, n):
            moving = {problem.graph.symbol_of(u): float(k == i) for i, u in enumerate(problem.motion)}
            columns.append(np.array(Sample(graph, place | moving).vector(twist)))
        partial = np.array(columns[1:]) - columns[0]
        inertia = np.zeros((3, 3))
        if body.inertia is not None:
            inertia = np.array([[sample[x] for x in row] for row in body.inertia])
        total += sample[body.mass] * partial[:, :3] @ partial[:, :3].T + partial[:, 3:] @ inertia @ partial[:, 3:].T
    return total


@pytest.mark.parametrize("count", [1, 2, 5])
def test_forward_and_reverse_equal_the_sum_over_bodies(arm: Callable[[int], Model], count: int) -> None:
    """Composites of clusters, projected either way and in any frames, give M of the definition."""
    system = BodySystem(pose(arm(count)))
    for basis in (None, system.frames.root):  # make the angular velocities' nodes before they are looked at
        for body in system.bodies:
            system.motion.angular_velocity_in(body.frame, basis or body.basis)
    expected = by_bodies(system)
    sample = system.problem.sampling.state(7)
    clusters = find_clusters(system)
    for frames in system.frame_choices():
        maker = MassMatrix(system, clusters, frames)
        for matrix in (maker.forward(), maker.reverse()):
            got = np.array([[sample[entry] for entry in row] for row in matrix])
            np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-13)


def test_shipped_particles_equal_the_sum_over_bodies() -> None:
    """Particles in clusters that translate have the same M too."""
    system = BodySystem(pose(eomc.load("n_link_pendulum:4")))
    expected = by_bodies(system)
    sample = system.problem.sampling.state(7)
    maker = MassMatrix(system, find_clusters(system), system.frame_choices()[0])
    got = np.array([[sample[entry] for entry in row] for row in maker.forward()])
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("name", "most", "most_solved"),
    [
        ("rolling_disk", 33, 36),
        ("n_link_pendulum:5", 360, 314),
        ("n_link_pendulum:10", 362, 1089),
    ],
)
def test_operation_counts_stay_low(name: str, most: int, most_solved: int) -> None:
    """M, f and the solved accelerations take no more operations than the best known derivations."""
    problem = pose(eomc.load(name))
    kane = derive_kane(problem, BodySystem(problem), constraint_rows(problem))
    assert operations(problem.graph, [*lower_triangle(kane.mass_matrix), *kane.forcing]) <= most
    assert operations(problem.graph, kane.accelerations) <= most_solved


def test_sums_of_masses_do_not_vary(arm: Callable[[int], Model]) -> None:
    """The diagonal of a chain of particles with absolute angles depends on parameters alone."""
    problem = pose(eomc.load("n_link_pendulum:6"))
    kane = derive_kane(problem, BodySystem(problem), constraint_rows(problem))
    assert all(problem.graph.level[kane.mass_matrix[k][k]] == Level.PARAMETERS for k in range(7))


def test_the_count_grows_no_faster_than_the_square(arm: Callable[[int], Model]) -> None:
    """Twice as many joints take at most about four times the operations: nothing expands."""
    counts = []
    for n in (4, 8, 16):
        problem = pose(arm(n))
        kane = derive_kane(problem, BodySystem(problem), constraint_rows(problem))
        counts.append(operations(problem.graph, [*lower_triangle(kane.mass_matrix), *kane.forcing]))
    assert counts[1] < 4.5 * counts[0]
    assert counts[2] < 4.5 * counts[1]
