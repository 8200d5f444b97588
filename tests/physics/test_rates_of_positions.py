"""Lagrange, Hamilton, cyclic momenta and the Jacobi integral hold where velocities are rates of positions.

Kane's and Gibbs-Appell's equations take any velocity. What the others do not serve they refuse by name; what they serve
gives Kane's motion; what is called constant is constant along a run.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sm
from numpy.testing import assert_allclose
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.errors import UnsupportedError

BY_ENERGY = ("lagrange", "hamilton")
m, a, w, A, B, C, g = sm.symbols("m a w A B C g")
x, y, th, ph, ps = dynamicsymbols("x y th ph ps")
u1, u2, u3 = dynamicsymbols("u1:4")
t = dynamicsymbols._t
N = ReferenceFrame("N")

pytestmark = [
    pytest.mark.needs_cc,
    pytest.mark.filterwarnings("ignore:turning. the inertia of b does not turn with it"),  # of one model, tested below
]

Maker = Callable[[], eomc.Model]


def resting(name: str = "O") -> Point:
    """Return a point at rest."""
    point = Point(name)
    point.set_vel(N, 0)
    return point


def particle(velocity: Any, coordinates: list[Any], speeds: list[Any] | None = None, **more: Any) -> eomc.Model:
    """Return a particle of which only the velocity is known."""
    point = Point("P")
    point.set_vel(N, velocity)
    parameters = {m: 1.3} | more.pop("parameters", {})
    speeds = [q.diff(t) for q in coordinates] if speeds is None else speeds
    return eomc.Model(
        name="particle", inertial_frame=N, coordinates=coordinates, speeds=speeds, bodies=[Particle("p", point, m)],
        parameters=parameters, **more,
    )  # fmt: skip


def turning(frame: ReferenceFrame, dyadic: Any, **more: Any) -> eomc.Model:
    """Return a body that turns about a fixed point at its mass centre."""
    centre = resting()
    used = set().union(*(size.free_symbols for size, _, _ in dyadic.args))
    parameters = {m: 1.0} | {size: value for size, value in {A: 1.0, B: 2.0, C: 2.5}.items() if size in used}
    return eomc.Model(
        name="turning", inertial_frame=N, bodies=[RigidBody("b", centre, frame, m, (dyadic, centre))],
        parameters=parameters, initial={th: 0.7}, **more,
    )  # fmt: skip


# -- they stay ---------------------------------------------------------------------------------------------------------


def no_place() -> eomc.Model:
    """Return a particle in the plane without a place."""
    return particle(x.diff() * N.x + y.diff() * N.y, [x, y])


def polar() -> eomc.Model:
    """Return the same in a frame that turns."""
    turned = ReferenceFrame("A")
    turned.orient_axis(N, N.z, th)
    return particle(x.diff() * turned.x + x * th.diff() * turned.y, [x, th], initial={x: 1.0})


def driven() -> eomc.Model:
    """Return the same, turned at a given rate beside a coordinate."""
    turned = ReferenceFrame("A")
    turned.orient_axis(N, N.z, w * t)
    velocity = (x.diff() - w * y) * turned.x + (y.diff() + w * x) * turned.y
    return particle(velocity, [x, y], parameters={w: 2.0}, initial={x: 0.3})


def driven_by_signal() -> eomc.Model:
    """Return a particle beside a point that an input moves."""
    z = dynamicsymbols("z")
    return particle((x.diff() + z.diff() * y + z * y.diff()) * N.x + y.diff() * N.y, [x, y],
                    inputs={z: 0.4, z.diff(): 0.3, z.diff(t, 2): 0.1})  # fmt: skip


def unspun_top() -> eomc.Model:
    """Return a round body whose frame does not spin with it."""
    axes, frame = ReferenceFrame("A"), ReferenceFrame("B")
    for each in (axes, frame):
        each.orient_body_fixed(N, (ph, th, 0), "ZXZ")
    frame.set_ang_vel(N, ph.diff() * N.z + th.diff() * axes.x + ps.diff() * axes.z)
    return turning(frame, inertia(frame, A, A, C), coordinates=[ph, th, ps], speeds=[ph.diff(), th.diff(), ps.diff()])


def by_body_components() -> eomc.Model:
    """Return a body whose angular velocity is given by its components."""
    frame = ReferenceFrame("B")
    frame.orient_body_fixed(N, (ph, th, ps), "ZXZ")
    equations = [frame.ang_vel_in(N).dot(axis) - u for axis, u in zip(frame, (u1, u2, u3), strict=True)]
    frame.set_ang_vel(N, u1 * frame.x + u2 * frame.y + u3 * frame.z)
    return turning(frame, inertia(frame, A, B, C), coordinates=[ph, th, ps], speeds=[u1, u2, u3],
                   kinematical_equations=equations)  # fmt: skip


def thin_rod() -> eomc.Model:
    """Return a rod without inertia about itself, whose angular velocity leaves out the spin."""
    axes, frame = ReferenceFrame("A"), ReferenceFrame("B")
    for each in (axes, frame):
        each.orient_body_fixed(N, (ph, th, 0), "ZXZ")
    frame.set_ang_vel(N, th.diff() * axes.x + ph.diff() * sm.sin(th) * axes.y)
    return turning(frame, inertia(frame, A, A, 0), coordinates=[ph, th], speeds=[ph.diff(), th.diff()])


def wheel_with_pendulum() -> eomc.Model:
    """Return a wheel that rolls on a line with a pendulum at its axle: no point of it rests, its contact does."""
    wheel, rod = ReferenceFrame("W"), ReferenceFrame("R")
    wheel.orient_axis(N, N.z, th)
    rod.orient_axis(N, N.z, ph)
    contact = resting("K")
    axle = contact.locatenew("Z", a * N.y)
    axle.set_vel(N, -a * th.diff() * N.x)
    bob = axle.locatenew("Q", -2 * a * rod.y)
    bob.v2pt_theory(axle, N, rod)
    return eomc.Model(
        name="wheel", inertial_frame=N, coordinates=[th, ph], speeds=[th.diff(), ph.diff()], gravity=-g * N.y,
        bodies=[RigidBody("wheel", axle, wheel, m, (inertia(wheel, 0, 0, C), axle)), Particle("bob", bob, m)],
        parameters={m: 1.0, a: 0.3, C: 0.1, g: 9.81}, initial={ph: 1.0},
    )  # fmt: skip


def folded_guide() -> eomc.Model:
    """Return a particle on a slope that has a kink, beside another coordinate."""
    slope = sm.Piecewise((sm.Rational(1, 2), x > 0), (-1, True))
    return particle(x.diff() * N.x + slope * x.diff() * N.y + y.diff() * N.z, [x, y])


STAY = [no_place, polar, driven, driven_by_signal, unspun_top, by_body_components, thin_rod, wheel_with_pendulum,
        folded_guide]  # fmt: skip


def rates(model: eomc.Model) -> dict[str, float]:
    """Return some q'."""
    return {f"{q.func.__name__}_d": value for q, value in zip(model.coordinates, (0.7, -0.4, 0.9), strict=False)}


def second_rates(model: eomc.Model, method: str) -> Any:
    """Return q'' at some q and q', by differences of the method's own q'."""
    sim = eomc.compile(model, method).load()
    places = {q.func.__name__: value for q, value in zip(model.coordinates, (0.5, 0.8, -0.3), strict=False)}
    state, h, n = sim.state(places, rates(model)), 1e-5, len(model.coordinates)
    assert_allclose(sim.rhs(0.0, state)[:n], list(rates(model).values()), rtol=1e-12)
    slope = sim.rhs(0.0, state)
    return (sim.rhs(h, state + h * slope)[:n] - sim.rhs(-h, state - h * slope)[:n]) / (2 * h)


@pytest.mark.parametrize("maker", STAY)
def test_rates_of_positions_keep_all_methods(maker: Maker) -> None:
    """Whatever the frames and components: every method serves, and gives Kane's q''."""
    model = maker()
    assert set(model.methods) == {"kane", "gibbs-appell", *BY_ENERGY}
    kanes = second_rates(model, "kane") if maker is not driven_by_signal else None
    for method in () if kanes is None else model.methods[1:]:
        assert_allclose(second_rates(model, method), kanes, rtol=1e-6, atol=1e-7, err_msg=method)


# -- they go -----------------------------------------------------------------------------------------------------------


def sleigh(length: float = 1.0, mass: float = 1.0) -> eomc.Model:
    """Return Chaplygin's sleigh with the length of its path as a coordinate."""
    frame, edge = ReferenceFrame("A"), Point("C")
    frame.orient_axis(N, N.z, th)
    frame.set_ang_vel(N, u1 * N.z)
    edge.set_vel(N, u2 * frame.x)
    centre = edge.locatenew("G", a * frame.x)
    centre.v2pt_theory(edge, N, frame)
    return eomc.Model(
        name="sleigh", inertial_frame=N, coordinates=[th, x], speeds=[u1, u2],
        bodies=[RigidBody("body", centre, frame, m, (inertia(frame, 0, 0, C), centre))],
        parameters={m: 2.0 * mass, C: 0.3 * mass * length**2, a: 0.4 * length}, initial={u1: 0.7, u2: 1.5},
    )  # fmt: skip


def knife() -> eomc.Model:
    """Return a sleigh in x, y with the edge's constraint written into its velocity."""
    frame = ReferenceFrame("A")
    frame.orient_axis(N, N.z, th)
    edge = resting().locatenew("C", x * N.x + y * N.y)
    edge.set_vel(N, (x.diff() * sm.cos(th) + y.diff() * sm.sin(th)) * frame.x)
    centre = edge.locatenew("G", a * frame.x)
    centre.v2pt_theory(edge, N, frame)
    return eomc.Model(
        name="knife", inertial_frame=N, coordinates=[x, y, th], speeds=[x.diff(), y.diff(), th.diff()],
        velocity_constraints=[-x.diff() * sm.sin(th) + y.diff() * sm.cos(th)],
        bodies=[RigidBody("b", centre, frame, m, (inertia(frame, 0, 0, C), centre))],
        parameters={m: 2.0, C: 0.3, a: 0.4},
    )  # fmt: skip


def shear() -> eomc.Model:
    """Return a particle with a velocity that a flow adds to its rates."""
    return particle(u1 * N.x + (u2 + w * x) * N.y, [x, y], [u1, u2], parameters={w: 2.0}, initial={u1: 0.4, x: 0.3})


def rolling_ball() -> eomc.Model:
    """Return a ball whose velocity is that of rolling."""
    frame = ReferenceFrame("B")
    frame.orient_body_fixed(N, (ph, th, ps), "ZXZ")
    contact = resting("K")
    centre = contact.locatenew("O", a * N.z)
    centre.set_vel(N, frame.ang_vel_in(N).cross(a * N.z))
    return eomc.Model(
        name="ball", inertial_frame=N, coordinates=[ph, th, ps], speeds=[ph.diff(), th.diff(), ps.diff()],
        bodies=[RigidBody("b", centre, frame, m, (inertia(frame, C, C, C), centre))],
        parameters={m: 1.0, C: 0.1, a: 0.3}, initial={th: 1.0, ph.diff(): 0.5, th.diff(): 0.7},
    )  # fmt: skip


def rattleback() -> eomc.Model:
    """Return a stone that rolls, in three angles: the velocity of its mass centre is that of rolling."""
    n1, n2, n3, h, D = sm.symbols("n1:4 h D")
    yaw, roll, stone = (ReferenceFrame(name) for name in "YLR")
    yaw.orient_axis(N, N.z, ph)
    roll.orient_axis(yaw, yaw.x, th)
    stone.orient_axis(roll, roll.y, ps)
    equations = [stone.ang_vel_in(N).dot(axis) - u for axis, u in zip(stone, (u1, u2, u3), strict=True)]
    stone.set_ang_vel(N, u1 * stone.x + u2 * stone.y + u3 * stone.z)
    up = [N.z.dot(axis) for axis in stone]
    height = sm.sqrt(sum((n * c) ** 2 for n, c in zip((n1, n2, n3), up, strict=True)))
    arm = sum((n**2 * c * axis / height for n, c, axis in zip((n1, n2, n3), up, stone, strict=True)), 0 * N.x)
    contact = resting("K")
    centre = contact.locatenew("G", arm - h * stone.z)
    centre.set_vel(N, stone.ang_vel_in(N).cross(arm - h * stone.z))
    sizes = {n1: 0.2, n2: 0.03, n3: 0.02, h: 0.01, m: 1.0, A: 2e-4, B: 1.6e-3, C: 1.7e-3, D: -2e-5, g: 9.81}
    return eomc.Model(
        name="rattleback", inertial_frame=N, coordinates=[ph, th, ps], speeds=[u1, u2, u3],
        kinematical_equations=equations, potential_energy=m * g * (height - h * up[2]), parameters=sizes,
        bodies=[RigidBody("stone", centre, stone, m, (inertia(stone, A, B, C, D), centre))],
        initial={th: 0.01, ps: 0.01, u3: -5.0},
    )  # fmt: skip


def spin_without_angle() -> eomc.Model:
    """Return a body whose third angle is the integral of a component of its angular velocity."""
    frame = ReferenceFrame("B")
    frame.orient_body_fixed(N, (ph, th, ps), "ZXZ")
    frame.set_ang_vel(N, ph.diff() * frame.x + th.diff() * frame.y + ps.diff() * frame.z)
    return turning(frame, inertia(frame, A, B, C), coordinates=[ph, th, ps],
                   speeds=[ph.diff(), th.diff(), ps.diff()])  # fmt: skip


def inertia_in_another_frame() -> eomc.Model:
    """Return a body whose inertia is given, and no round one, in a frame in which the body spins."""
    outer, frame = ReferenceFrame("A"), ReferenceFrame("B")
    outer.orient_body_fixed(N, (ph, th, 0), "ZXZ")
    frame.orient_axis(outer, outer.z, ps)
    return turning(frame, inertia(outer, A, B, C), coordinates=[ph, th, ps],
                   speeds=[ph.diff(), th.diff(), ps.diff()])  # fmt: skip


GO = [
    (sleigh, "the velocity of G, the mass centre of body, is no rate of a position"),
    (knife, "the velocity of G, the mass centre of b, is no rate of a position"),
    (shear, "the velocity of P, the mass centre of p, is no rate of a position"),
    (rolling_ball, "the velocity of O, the mass centre of b, is no rate of a position"),
    (rattleback, "the velocity of G, the mass centre of stone, is no rate of a position"),
    (spin_without_angle, "the angular velocity of B, the frame of b, is no rate of an orientation"),
    (inertia_in_another_frame, "or its inertia does not turn with it"),
]


@pytest.mark.parametrize(("maker", "words"), GO)
def test_other_velocities_are_refused_by_name(maker: Maker, words: str) -> None:
    """What serves is told; the other methods say which body's velocity it is, and name those that serve."""
    model = maker()
    assert model.methods == ("kane", "gibbs-appell")
    for method in BY_ENERGY:
        if maker is knife and method == "hamilton":
            words = "it is nonholonomic"
        with pytest.raises(UnsupportedError, match=words) as caught:
            eomc.compile(model, method)
        assert "kane" in str(caught.value)
        assert "gibbs-appell" in str(caught.value)
        with pytest.raises(UnsupportedError, match="kane"):
            eomc.reference(model, method)


def test_a_body_that_does_not_turn_with_its_inertia_is_named() -> None:
    """It is, by Kane's and Gibbs and Appell's; a symmetric body whose frame does not spin with it gives no warning."""
    for method in ("kane", "gibbs-appell"):
        with pytest.warns(RuntimeWarning, match="turning: the inertia of b does not turn with it, or the angular"):
            eomc.compile(inertia_in_another_frame(), method)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for maker in (round_spheroid_in_another_frame, spin_without_angle, thin_rod, unspun_top):
                eomc.compile(maker(), method)


@pytest.mark.parametrize(("maker", "words"), GO)
def test_nothing_is_called_a_momentum_there(maker: Maker, words: str) -> None:
    """No coordinate is cyclic, no Jacobi integral is constant but as the total energy of bodies that rest with q'."""
    del words
    equations = eomc.compile(maker()).equations
    assert not equations.energetics.momenta
    kept = {invariant.name for invariant in equations.energetics.invariants}
    assert kept in (set(), {"total", "jacobi"})


def test_chaplygins_sleigh_by_newton() -> None:
    """v' = a w^2 and w' = -m a v w/(C + m a^2), with the length of the path as a coordinate."""
    for method in sleigh().methods:
        sim = eomc.compile(sleigh(), method).load()
        second = sim.rhs(0.0, sim.state())[2:]
        assert_allclose(second, [-2 * 0.4 * 1.5 * 0.7 / (0.3 + 2 * 0.16), 0.4 * 0.49], rtol=1e-14)


def test_a_knife_in_the_plane_by_newton() -> None:
    """theta'' = -m a v w/(C + m a^2) in x and y, too, and m a w^2/m along the edge."""
    angle, v, w_ = 0.6, 1.5, 0.7
    for method in knife().methods:
        sim = eomc.compile(knife(), method).load()
        state = [0.1, -0.2, angle, v * np.cos(angle), v * np.sin(angle), w_]
        second = sim.rhs(0.0, state)[3:]
        along = second[0] * np.cos(angle) + second[1] * np.sin(angle)
        assert_allclose([second[2], along], [-2 * 0.4 * v * w_ / (0.3 + 2 * 0.16), 0.4 * w_**2], rtol=1e-13)


@pytest.mark.parametrize(("length", "mass"), [(2.0**-33, 1.0), (2.0**33, 2.0**-33), (2.0**-33, 2.0**-66)])
def test_units_do_not_decide(length: float, mass: float) -> None:
    """The sleigh loses what it loses, a heavy top in body components keeps all, in any units; so says the reference."""
    frame, h = ReferenceFrame("B"), sm.Symbol("h")
    frame.orient_body_fixed(N, (ph, th, ps), "ZXZ")
    equations = [frame.ang_vel_in(N).dot(axis) - u for axis, u in zip(frame, (u1, u2, u3), strict=True)]
    frame.set_ang_vel(N, u1 * frame.x + u2 * frame.y + u3 * frame.z)
    pivot = resting()
    centre = pivot.locatenew("G", h * frame.z)
    centre.set_vel(N, frame.ang_vel_in(N).cross(h * frame.z))
    inertias = {size: value * mass * length**2 for size, value in {A: 1.0, B: 2.0, C: 2.5}.items()}
    top = eomc.Model(
        name="top", inertial_frame=N, coordinates=[ph, th, ps], speeds=[u1, u2, u3], kinematical_equations=equations,
        bodies=[RigidBody("b", centre, frame, m, (inertia(frame, A, B, C), centre))], gravity=-g * N.z,
        parameters={m: mass, h: length / 2, g: 9.81} | inertias,
    )  # fmt: skip
    assert set(top.methods) == {"kane", "gibbs-appell", *BY_ENERGY}
    eomc.reference(top, "lagrange")
    small = sleigh(length, mass)
    assert small.methods == ("kane", "gibbs-appell")
    with pytest.raises(UnsupportedError):
        eomc.reference(small, "lagrange")


# -- what is called constant -------------------------------------------------------------------------------------------


def rheonomic_kinematics() -> eomc.Model:
    """Return a particle whose speed holds time where its velocity does not: T(u) has none, T(q', t) has."""
    return particle(u1 * N.x + u2 * N.y, [x, y], [u1, u2], kinematical_equations=[u1 - x.diff() - w * t, u2 - y.diff()],
                    parameters={w: 1.0}, initial={u1: 0.4})  # fmt: skip


def speeds_beside_a_flow() -> eomc.Model:
    """Return a free particle whose speeds are counted from a flow: at rest they are not zero."""
    return particle(u1 * N.x + (u2 - w * x) * N.y, [x, y], [u1, u2], parameters={w: 1.0}, initial={u1: 0.4},
                    kinematical_equations=[u1 - x.diff(), u2 - w * x - y.diff()])  # fmt: skip


def round_spheroid_in_another_frame() -> eomc.Model:
    """Return a round body whose inertia is given in the frame that does not spin with it."""
    outer, frame = ReferenceFrame("A"), ReferenceFrame("B")
    outer.orient_body_fixed(N, (ph, th, 0), "ZXZ")
    frame.orient_axis(outer, outer.z, ps)
    return turning(frame, inertia(outer, A, A, C), coordinates=[ph, th, ps],
                   speeds=[ph.diff(), th.diff(), ps.diff()])  # fmt: skip


CLAIMS = [
    (sleigh, {"total", "jacobi"}),
    (shear, set()),
    (rattleback, {"total", "jacobi"}),
    (rolling_ball, {"total", "jacobi"}),
    (inertia_in_another_frame, set()),
    (rheonomic_kinematics, {"p_x", "p_y"}),
    (speeds_beside_a_flow, {"total", "jacobi", "p_x", "p_y"}),
    (driven, {"jacobi"}),
    (unspun_top, {"total", "jacobi", "p_ph", "p_ps"}),
    (round_spheroid_in_another_frame, {"total", "jacobi", "p_ph", "p_ps"}),
    (thin_rod, {"total", "jacobi", "p_ph"}),
    (wheel_with_pendulum, {"total", "jacobi", "p_th"}),
]


@pytest.mark.parametrize(("maker", "expected"), CLAIMS)
def test_what_is_called_constant_is_constant(maker: Maker, expected: set[str]) -> None:
    """Along one second of a run by every method that serves: energies and momenta, and those that are rightly kept."""
    model = maker()
    start = {u.func.__name__ if not u.is_Derivative else f"{u.expr.func.__name__}_d": 0.3 + 0.2 * k
             for k, u in enumerate(model.speeds)}  # fmt: skip
    for method in model.methods:
        build = eomc.compile(model, method)
        sim = build.load()
        claimed = {invariant.name for invariant in build.equations.energetics.invariants}
        assert claimed == expected, method
        motion = sim.simulate(1.0, 5e-4, sim.state({}, start), every=50)
        found = sim.energy(motion.t, motion.x)
        if any(name.startswith("p_") for name in claimed):
            found = found | sim.momenta(motion.t, motion.x)
        for name in claimed:
            assert np.ptp(found[name]) < 1e-7 * (1 + np.abs(found[name]).max()), (method, name)


@pytest.mark.parametrize("maker", [maker for maker, _ in CLAIMS])
def test_powers_are_the_rates_of_energies(maker: Maker) -> None:
    """Where powers are told at all, their sum is the rate of the energy that they name."""
    sim = eomc.compile(maker()).load()
    state = sim.state({"th": 0.7} if "th" in sim.state_names else {})
    state = state + np.linspace(0.1, 0.3, len(state))
    powers = sim.power(0.2, state) if eomc.compile(maker()).equations.energetics.powers else {}
    slope, h = sim.rhs(0.2, state), 1e-5
    for name in set(powers) & {"total", "jacobi"}:
        near = [sim.energy(0.2 + k * h, state + k * h * slope)[name] for k in (1, -1)]
        assert powers[name] == pytest.approx((near[0] - near[1]) / (2 * h), rel=1e-6, abs=1e-6)
