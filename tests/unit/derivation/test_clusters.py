"""Which bodies move as one for a speed."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.problem import Problem
from eomc.ir.interpreter import Sample
from eomc.model import Model


def clusters_of(model: Model) -> tuple[tuple[frozenset[int], ...], ...]:
    """Return the clusters of each speed."""
    return find_clusters(BodySystem(Problem(model))).of_speed


def test_a_joint_moves_all_that_is_further_out(arm: Callable[[int], Model]) -> None:
    """In a serial arm the cluster of joint k is body k and everything outboard, as one rigid body."""
    assert clusters_of(arm(4)) == tuple((frozenset(range(k, 4)),) for k in range(4))


def test_absolute_angles_translate_the_outer_particles() -> None:
    """With absolute angles each link's speed moves its own particle and the outer ones alike, the cart's moves all."""
    assert clusters_of(eomc.load("n_link_pendulum:3")) == (
        (frozenset({0, 1, 2, 3}),),
        (frozenset({1, 2, 3}),),
        (frozenset({2, 3}),),
        (frozenset({3}),),
    )


def test_particles_that_move_differently_stay_apart() -> None:
    """The sliding mass and the fixed one on a turning rod have different velocities for the angle's speed."""
    of_speed = clusters_of(eomc.load("two_masses_on_rod"))
    assert sorted(map(len, of_speed)) == [1, 2]
    assert all(len(members) == 1 for groups in of_speed for members in groups)


def test_bodies_without_a_place_at_the_random_state_stay_apart() -> None:
    """The root of x - 2 has no value for |x| < 1: where two particles are is not known, and they are not made one."""
    x, v = dynamicsymbols("x v")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    points = [origin.locatenew(name, (sm.sqrt(x - 2) + k) * N.x) for k, name in enumerate("AB")]
    for point in points:
        point.set_vel(N, v * N.x)
    model = Model(
        name="out_of_reach",
        inertial_frame=N,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle(point.name, point, 1) for point in points],
    )
    assert clusters_of(model) == ((frozenset({0}), frozenset({1})),)
    equations = eomc.compile(model, "kane").equations
    assert equations.graph.number(equations.mass_matrix[0][0]) == 2


def test_a_point_further_in_on_the_same_rod_stays_apart() -> None:
    """Two particles at l and l - r on a turning rod: the rates of both arms count, though their sum is one node."""
    theta, omega = dynamicsymbols("theta omega")
    length, r = sm.symbols("l r")
    N, rod, origin = ReferenceFrame("N"), ReferenceFrame("rod"), Point("O")
    rod.orient_axis(N, N.z, theta)
    rod.set_ang_vel(N, omega * N.z)
    origin.set_vel(N, 0)
    outer = origin.locatenew("A", length * rod.x)
    inner = outer.locatenew("B", -r * rod.x)
    model = Model(
        name="beads",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[omega],
        bodies=[Particle(point.name, point, 1) for point in (outer, inner)],
        parameters={length: 2.0, r: 0.5},
    )
    assert clusters_of(model) == ((frozenset({0}), frozenset({1})),)
    equations = eomc.compile(model, "kane").equations
    values = {variable.symbol: variable.value for variable in equations.parameters}
    assert Sample(equations.graph, values)[equations.mass_matrix[0][0]] == 2.0**2 + 1.5**2
