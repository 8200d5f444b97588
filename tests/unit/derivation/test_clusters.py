"""Which bodies move as one for a speed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.pose import pose
from eomc.ir.interpreter import Sample
from eomc.model import Model


def clusters_of(model: Model) -> tuple[tuple[frozenset[int], ...], ...]:
    """Return the clusters of each speed."""
    return find_clusters(BodySystem(pose(model))).of_speed


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


def test_equal_velocities_are_one_motion_wherever_the_points_are() -> None:
    """The root of x - 2 has no value for |x| < 1; the particles' velocities are given, and they are the same."""
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
    assert clusters_of(model) == ((frozenset({0, 1}),),)
    equations = eomc.compile(model, "kane").equations
    assert equations.graph.number(equations.matrices.mass_matrix[0][0]) == 2


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
    assert Sample(equations.graph, values)[equations.matrices.mass_matrix[0][0]] == 2.0**2 + 1.5**2


def mass(model: Model, method: str, **values: float) -> float:
    """Return the entry of the last motion variable of M, zero for states that are not given."""
    equations = derive(model, choose_method(model, method))
    numbers = {p.symbol: values.get(p.name, p.value) for p in equations.parameters}
    numbers |= {state.symbol: values.get(state.name, 0.0) for state in equations.states}
    return Sample(equations.graph, numbers)[equations.matrices.mass_matrix[-1][-1]]


METHODS = ("kane", "lagrange", "gibbs-appell")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("default", [1e-12, 1e-6, 0.0, 0.5, -1.0, 1e9])
def test_a_gear_ratio_is_kept_whatever_its_default(method: str, default: float) -> None:
    """The second particle moves (1 + e) times as far as the first: M = m + m (1 + e)^2."""
    q, u = dynamicsymbols("q u")
    m, e = sm.symbols("m e")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    bodies = []
    for name, ratio in (("A", 1), ("B", 1 + e)):
        point = origin.locatenew(name, ratio * q * N.x)
        point.set_vel(N, ratio * u * N.x)
        bodies.append(Particle(name, point, m))
    model = Model(
        name="geared", inertial_frame=N, coordinates=[q], speeds=[u], bodies=bodies, parameters={m: 1.0, e: default}
    )
    assert mass(model, method, e=1.0) == 5.0


def rotors(place: float, distance: float, fixed: bool) -> Model:
    """Return two equal wheels on parallel axes that one speed turns alike, on a carriage or on fixed ground."""
    x, a, v, w = dynamicsymbols("x a v w")
    m, J, d = sm.symbols("m J d")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    first = origin if fixed else origin.locatenew("C", x * N.x)
    first.set_vel(N, 0 if fixed else v * N.x)
    second = first.locatenew("P", d * N.x)
    second.set_vel(N, first.vel(N))
    bodies = []
    for name, point in (("A", first), ("B", second)):
        wheel = N.orientnew(name, "Axis", [a, N.z])
        wheel.set_ang_vel(N, w * N.z)
        bodies.append(RigidBody(name, point, wheel, m, (inertia(wheel, 0, 0, J), point)))
    return Model(
        name="wheels",
        inertial_frame=N,
        coordinates=[a] if fixed else [x, a],
        speeds=[w] if fixed else [v, w],
        bodies=bodies,
        parameters={m: 1.0, J: 1e-5, d: distance},
        initial={} if fixed else {x: place},
        ranges={} if fixed else {x: (0.98 * place, place)},
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "model",
    [
        *(rotors(0.0, distance, fixed=True) for distance in (1e6, 1.0, 1e-6, 3e-10, 0.0)),
        *(rotors(place, 5e-3, fixed=False) for place in (1.0, 1e5, 7e6)),
    ],
    ids=str,
)
def test_wheels_that_turn_alike_about_their_own_axes_are_two_bodies(model: Model, method: str) -> None:
    """M = 2 J for any distance of the axes and any place of the carriage; on one plate it is 2 J + m d^2."""
    assert mass(model, method) == 2e-5
    assert clusters_of(model)[-1] == (frozenset({0}), frozenset({1}))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [1e6, 1.0, 1e-6, 3e-9, 3e-10])
def test_geared_rotors_swing_alike_at_every_size(size: float, method: str) -> None:
    """Two rotors that one spring turns: u' = -k q/(2 J) = -q, where J, k and the distance all shrink with the size."""
    q, u = dynamicsymbols("q u")
    m, J, d, k = sm.symbols("m J d k")
    N, first = ReferenceFrame("N"), Point("O")
    first.set_vel(N, 0)
    second = first.locatenew("P", d * N.x)
    second.set_vel(N, 0)
    bodies = []
    for point in (first, second):
        rotor = N.orientnew(f"R{point.name}", "Axis", [q, N.z])
        rotor.set_ang_vel(N, u * N.z)
        bodies.append(RigidBody(point.name, point, rotor, m, (inertia(rotor, 0, 0, J), point)))
    model = Model(
        name="gears", inertial_frame=N, coordinates=[q], speeds=[u], bodies=bodies, potential_energy=k * q**2 / 2,
        parameters={m: 1.0, J: size**2 / 2, d: size, k: size**2},
    )  # fmt: skip
    program = eomc.compile(model, method).program
    values = {v.symbol: v.value for v in program.parameters} | dict(
        zip((state.symbol for state in program.states), (0.3, 0.2), strict=True)
    )
    (rates,) = [function.outputs for function in program.functions if function.name == "rhs"]
    assert Sample(program.graph, values).vector(rates) == pytest.approx([0.2, -0.3], rel=1e-12)


def test_parts_of_one_plate_are_one_body() -> None:
    """Two discs riveted to one turning plate make one cluster: M = 2 J + m d^2."""
    a, w = dynamicsymbols("a w")
    m, J, d = sm.symbols("m J d")
    N, hub = ReferenceFrame("N"), Point("O")
    hub.set_vel(N, 0)
    plate = N.orientnew("plate", "Axis", [a, N.z])
    plate.set_ang_vel(N, w * N.z)
    outer = hub.locatenew("P", d * plate.x)
    outer.v2pt_theory(hub, N, plate)
    bodies = [RigidBody(p.name, p, plate, m, (inertia(plate, 0, 0, J), p)) for p in (hub, outer)]
    model = Model(
        name="plate", inertial_frame=N, coordinates=[a], speeds=[w], bodies=bodies, parameters={m: 2.0, J: 3.0, d: 0.5}
    )
    assert clusters_of(model) == ((frozenset({0, 1}),),)
    assert mass(model, "kane") == 6.5
