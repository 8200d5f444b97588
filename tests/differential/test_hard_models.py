"""Models that are legal and awkward: the emitted C of every method agrees with the reference in NumPy."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from sympy import Abs, Heaviside, Max, Min, Piecewise, Rational, cos, sign, sin, sqrt
from sympy.physics.mechanics import (
    CoulombKineticFriction,
    DuffingSpring,
    ForceActuator,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    ObstacleSetPathway,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    TorqueActuator,
    dynamicsymbols,
    inertia,
    kinematic_equations,
    outer,
)
from sympy.utilities.lambdify import implemented_function

import eomc
from eomc.analysis.agreement import compare
from eomc.errors import UnsupportedError

pytestmark = pytest.mark.needs_cc

t = dynamicsymbols._t
m, g, k, c, length = sympy.symbols("m g k c length")
MODELS: list[Callable[[], Any]] = []


def hard(make: Callable[[], Any]) -> Callable[[], Any]:
    """Add a model to those of this file."""
    MODELS.append(make)
    return make


def names(text: str) -> list[Any]:
    return list(dynamicsymbols(text))


def ground() -> tuple[ReferenceFrame, Point]:
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    return N, origin


def slider(force: Any, mass: Any = m, **keywords: Any) -> eomc.Model:
    """Return a particle on a line, q' = u."""
    q, u = names("q u")
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, u * N.x)
    return eomc.Model(
        name="slider",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u],
        bodies=[Particle("P", P, mass)],
        loads=[(P, force * N.x)],
        **keywords,
    )


q, u, z, r = names("q u z r")


@hard
def mass_that_varies_in_time() -> eomc.Model:
    return slider(-k * q, m * (1 + sin(t) / 5), parameters={m: 2, k: 3})


@hard
def mass_that_is_an_input() -> eomc.Model:
    return slider(-k * q, 1 + r**2, parameters={k: 3}, inputs={r: 2, r.diff(t): 0})


@hard
def branches_and_kinks() -> eomc.Model:
    spring = Piecewise((-k * q, q > 0), (k * q**3, q < -0.5), (sqrt(Max(q + 0.5, 0)), True))
    friction = -c * u * Abs(u) - sign(u) * m + Heaviside(q) * c + Heaviside(u - 0.2, 1)
    force = spring + friction - Min(0, q, u) * k
    return slider(force, parameters={m: 2, k: 3, c: 0.5}, outputs={"force": force})


@hard
def extra_state() -> eomc.Model:
    return slider(-k * z, parameters={m: 2, k: 3}, extra_states={z: (u - z) * cos(t) + q})


@hard
def names_of_c_and_python() -> eomc.Model:
    words = "lambda I theta' θ ϕ̇ int x z0 dx X y0 gamma errno main double work p r status NULL M_PI".split()
    words += ["a" * 80, "a" * 79 + "b", "m_{pt}", r"\theta_0", "two words", "1x", "E", "S", "N", "out", "rhs", "x_d"]
    symbols = [sympy.Symbol(word) for word in words]
    half = len(symbols) // 2
    force = -sum(one * q ** (power + 1) for power, one in enumerate(symbols[half:]))
    return slider(force, sum(symbols[:half]), parameters={one: 1 + 0.01 * i for i, one in enumerate(symbols)})


@hard
def names_that_differ_in_case() -> eomc.Model:
    a, A, b, B, M = *names("q Q u U"), sympy.Symbol("M")
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, b * N.x + B * N.y)
    return eomc.Model(
        name="class",
        inertial_frame=N,
        coordinates=[a, A],
        speeds=[b, B],
        bodies=[Particle("P", P, m)],
        loads=[(P, -M * a * N.x - m * A * N.y)],
        parameters={m: 2, M: 3},
        outputs={"in": a, "for": B},
    )


@hard
def dyadic_in_two_moving_frames() -> eomc.Model:
    q1, q2, u1, u2 = names("q1 q2 u1 u2")
    N, origin = ground()
    A = N.orientnew("A", "Axis", (q1, N.x))
    B = A.orientnew("B", "Axis", (q2, A.y))
    C = origin.locatenew("C", 0.3 * B.x)
    C.v2pt_theory(origin, N, B)
    dyadic = 2 * outer(A.x, A.x) + 1.5 * outer(B.x, B.x) + 3 * outer(B.y, B.y) + 2 * outer(B.z, B.z)
    dyadic += 0.1 * outer(A.y, B.z) + 0.1 * outer(B.z, A.y)
    return eomc.Model(
        name="dyadic",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2],
        bodies=[RigidBody("B", C, B, 1.5, (dyadic, C))],
        gravity=9.81 * N.x - 2 * N.z,
    )


@hard
def massless_bodies_and_particles_on_one_frame() -> eomc.Model:
    q1, q2, u1, u2 = names("q1 q2 u1 u2")
    N, origin = ground()
    A = N.orientnew("A", "Axis", (q1, N.z))
    C = origin.locatenew("C", length * A.x)
    C.v2pt_theory(origin, N, A)
    D = origin.locatenew("D", (length + q2) * A.x)
    D.set_vel(A, u2 * A.x)
    D.v1pt_theory(origin, N, A)
    bodies = [
        RigidBody("empty", C, A, 0, (0 * inertia(A, 1, 1, 1), C)),
        RigidBody("rod", C, A, m, (inertia(A, 0, 0, m * length**2 / 12), C)),
        Particle("bead", D, m),
        Particle("pivot", origin, m),
    ]
    return eomc.Model(
        name="massless",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2],
        bodies=bodies,
        loads=[(D, -k * q2 * A.x)],
        gravity=-g * N.y,
        parameters={m: 2, length: 1, k: 20, g: 9.81},
        ranges={q2: (0, 1)},
    )


@hard
def quaternion_with_explicit_kinematics() -> eomc.Model:
    e, w, x, v = list(dynamicsymbols("e0:4")), list(dynamicsymbols("w1:4")), names("x y z"), names("vx vy vz")
    N, origin = ground()
    B = ReferenceFrame("B")
    B.orient_quaternion(N, e)
    B.set_ang_vel(N, w[0] * B.x + w[1] * B.y + w[2] * B.z)
    C = origin.locatenew("C", x[0] * N.x + x[1] * N.y + x[2] * N.z)
    C.set_vel(N, v[0] * B.x + v[1] * B.y + v[2] * B.z)
    kinematics = [*kinematic_equations(w, e, "Quaternion")]
    kinematics += [one.diff(t) - C.vel(N).dot(axis) for one, axis in zip(x, N, strict=True)]
    return eomc.Model(
        name="quaternion",
        inertial_frame=N,
        coordinates=[*e, *x],
        speeds=[*w, *v],
        kinematical_equations=kinematics,
        bodies=[RigidBody("B", C, B, 2, (inertia(B, 2, 3, 4, 0.1, 0.3, -0.2), C))],
        gravity=-9.81 * N.z,
        configuration_constraints=[sum(one**2 for one in e) - 1],
        dependent_coordinates=[e[0]],
        initial={e[0]: 1},
        ranges={e[0]: (0.5, 1), **{one: (-0.5, 0.5) for one in e[1:]}},
    )


@hard
def quaternion_with_implicit_kinematics() -> eomc.Model:
    e, w = list(dynamicsymbols("e0:4")), list(dynamicsymbols("w1:4"))
    N, C = ground()
    B = ReferenceFrame("B")
    B.orient_quaternion(N, e)
    spin = B.ang_vel_in(N)
    kinematics = [spin.dot(axis) - one for axis, one in zip(B, w, strict=True)]
    kinematics.append(sum(one * one.diff(t) for one in e))
    B.set_ang_vel(N, w[0] * B.x + w[1] * B.y + w[2] * B.z)
    return eomc.Model(
        name="implicit",
        inertial_frame=N,
        coordinates=e,
        speeds=w,
        kinematical_equations=kinematics,
        bodies=[RigidBody("B", C, B, 2, (inertia(B, 2, 3, 4, 0.1, 0.3, -0.2), C))],
        initial={e[0]: 1},
    )


@hard
def euler_angles_singular_at_the_start() -> eomc.Model:
    """At q = 0 the kinematical matrix of z-x-z angles has no inverse; the mechanism at rest is still a state."""
    e, w = list(dynamicsymbols("q1:4")), list(dynamicsymbols("w1:4"))
    N, origin = ground()
    B = ReferenceFrame("B")
    B.orient_body_fixed(N, e, "zxz")
    spin = B.ang_vel_in(N)
    C = origin.locatenew("C", 0.3 * B.z + 0.1 * B.x)
    C.v2pt_theory(origin, N, B)
    return eomc.Model(
        name="euler",
        inertial_frame=N,
        coordinates=e,
        speeds=w,
        kinematical_equations=[spin.dot(axis) - one for axis, one in zip(N, w, strict=True)],
        bodies=[RigidBody("B", C, B, 2, (inertia(B, 2, 3, 4, 0.1, 0.3, -0.2), C))],
        gravity=-9.81 * N.z,
        ranges={e[1]: (0.4, 2)},
    )


@hard
def time_in_positions_velocities_kinematics_and_loads() -> eomc.Model:
    N, origin = ReferenceFrame("N"), Point("O")
    A = N.orientnew("A", "Axis", (3 * t, N.y))
    B = A.orientnew("B", "Axis", (q, A.z))
    origin.set_vel(N, cos(t) * N.x)
    P = origin.locatenew("P", (length + sin(2 * t) / 10) * B.x)
    P.set_vel(N, P.pos_from(origin).dt(N) + origin.vel(N))
    return eomc.Model(
        name="time",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u],
        kinematical_equations=[q.diff(t) + t / 10 - 2 * u],
        bodies=[Particle("P", P, m)],
        gravity=-g * N.y,
        loads=[(P, sin(t) * B.y)],
        parameters={m: 2, length: 1, g: 9.81},
    )


@hard
def kinematics_coupled_three_by_three_with_offsets() -> eomc.Model:
    e, w = list(dynamicsymbols("q1:4")), list(dynamicsymbols("u1:4"))
    d = [one.diff(t) for one in e]
    N, origin = ground()
    A = N.orientnew("A", "Axis", (e[0], N.z))
    B = A.orientnew("B", "Axis", (e[1], A.x))
    C = B.orientnew("C", "Axis", (e[2], B.z))
    P, Q, R = Point("P"), Point("Q"), Point("R")
    for point, before, frame, arm in ((P, origin, A, A.x), (Q, P, B, B.y), (R, Q, C, C.x)):
        point.set_pos(before, length * arm)
        point.v2pt_theory(before, N, frame)
    return eomc.Model(
        name="coupled",
        inertial_frame=N,
        coordinates=e,
        speeds=w,
        kinematical_equations=[
            w[0] - (2 * d[0] + cos(e[1]) * d[1] + 0.1 * d[2] + sin(t)),
            w[1] - (0.3 * d[0] + 3 * d[1] + cos(e[0]) * d[2] + e[2]),
            w[2] - (sin(e[1]) * d[0] + 0.2 * d[1] + 2 * d[2] - t * e[0]),
        ],
        bodies=[
            Particle("P", P, m),
            RigidBody("Q", Q, B, m, (inertia(B, 1, 2, 3), Q)),
            RigidBody("R", R, C, m, (inertia(C, 1, 2, 3), Q)),  # about another point
        ],
        gravity=g * (N.x + 2 * N.y - N.z),
        potential_energy=k * (e[0] - e[1]) ** 2 / 2,
        dissipation_function=c * (w[0] ** 2 + d[1] ** 2) / 2,
        loads=[(P, w[0] * N.x + d[1] * A.y), (B, sin(e[0]) * B.x - d[2] * A.z)],
        parameters={m: 2, length: 1, g: 9.81, k: 3, c: 0.5},
        outputs={"mixed": d[0] * w[1] + e[2]},
    )


@hard
def constraint_in_time_with_a_dependent_speed() -> eomc.Model:
    x, y, a, v1, v2, v3 = names("x y a v1 v2 v3")
    N, P = ReferenceFrame("N"), Point("P")
    A = N.orientnew("A", "Axis", (a, N.z))
    A.set_ang_vel(N, v3 * N.z)
    P.set_vel(N, v1 * N.x + v2 * N.y)
    C = P.locatenew("C", length * A.x)
    C.v2pt_theory(P, N, A)
    return eomc.Model(
        name="skate",
        inertial_frame=N,
        coordinates=[x, y, a],
        speeds=[v1, v2, v3],
        bodies=[RigidBody("A", C, A, m, (inertia(A, 1, 1, 1), C))],
        velocity_constraints=[P.vel(N).dot(A.y) - sin(t) * (1 + x)],
        dependent_speeds=[v2],
        parameters={m: 2, length: 1},
        loads=[(C, t * N.x)],
    )


@hard
def velocities_found_from_positions() -> eomc.Model:
    q1, q2, u1, u2 = names("q1 q2 u1 u2")
    N, origin = ground()
    A = N.orientnew("A", "Axis", (q1, N.z))
    P = origin.locatenew("P", q2 * A.x)
    return eomc.Model(
        name="polar",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2],
        kinematical_equations=[q1.diff(t) - 2 * u1 - q2, q2.diff(t) - u2 + u1],
        bodies=[Particle("P", P, 1)],
        loads=[(P, -q2 * A.x)],
        gravity=-9.81 * N.x,
        ranges={q2: (0.5, 2)},
    )


@hard
def lagrangian_with_magnetic_field_and_time() -> eomc.Model:
    x, y, h = names("x y h")
    dx, dy, dh = (one.diff(t) for one in (x, y, h))
    kinetic = m * (dx**2 + dy**2 + dh**2) / 2
    L = kinetic + g * (x * dy - y * dx) / 2 - k * h**2 * (1 + sin(t) / 3) / 2 + t * dx
    return eomc.from_lagrangian(
        L, coordinates=[x, y, h], generalized_forces={x: -c * dx}, parameters={m: 1, g: 2, k: 3, c: 0.1}
    )


@hard
def lagrangian_with_gyroscopic_terms() -> eomc.Model:
    a, b = names("a b")
    da, db = a.diff(t), b.diff(t)
    L = (1 + cos(b) ** 2) * da**2 / 2 + db**2 * (2 + sin(a)) / 2 + sin(b) * da * db
    L += da * cos(a * b) + sin(t) * db * a - a**2 * b**2
    return eomc.from_lagrangian(L, coordinates=[a, b], outputs={"product": da * db})


@hard
def actuators_between_moving_points() -> eomc.Model:
    q1, q2, u1, u2 = names("q1 q2 u1 u2")
    N, origin = ground()
    A = N.orientnew("A", "Axis", (q1, N.z))
    B = A.orientnew("B", "Axis", (q2, A.x))
    P, Q = origin.locatenew("P", length * A.x), origin.locatenew("Q", 2 * length * N.x + length * N.y)
    R = P.locatenew("R", length * B.y)
    P.v2pt_theory(origin, N, A)
    R.v2pt_theory(P, N, B)
    Q.set_vel(N, 0)
    path, round_p = LinearPathway(Q, R), ObstacleSetPathway(Q, P, R)
    return eomc.Model(
        name="actuators",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2],
        bodies=[RigidBody("A", P, A, m, (inertia(A, 1, 2, 3), P)), RigidBody("B", R, B, m, (inertia(B, 2, 1, 2), P))],
        gravity=-g * N.z,
        loads=[
            LinearSpring(k, path, length / 2),
            LinearDamper(c, round_p),
            DuffingSpring(c, k, path, length),
            CoulombKineticFriction(0.1, m * g, round_p, v_s=0.3, mu_s=0.2),
            TorqueActuator(-c * q2, B.x, B, A),
            ForceActuator(r * u1, path),
            (B, r * B.z - c * u2 * N.x),
            (R, u1 * B.y + k * N.y),
        ],
        inputs={r: 0.3},
        parameters={m: 2, length: 1, g: 9.81, k: 3, c: 0.5},
    )


@hard
def functions_of_the_user() -> eomc.Model:
    ramp = implemented_function("ramp", lambda s: Piecewise((s**2, s > 0), (0, True)))
    step = sympy.SingularityFunction(q, Rational(1, 4), 1)
    force = -k * ramp(q + ramp(u)) + sympy.UnevaluatedExpr(m - k) * ramp(q * u).diff(q) - step
    return slider(force, parameters={m: 2, k: 3}, outputs={"ramp": ramp(2 * q), "slope": ramp(2 * q).diff(q)})


@hard
def forces_smooth_and_sharp_with_a_current() -> eomc.Model:
    friction = sympy.tanh(u / c) + u / sqrt(u**2 + c**2) + sign(u) * Heaviside(q, 0)
    contact = Max(0, -q) * Max(0, 1 - u) + Piecewise((sqrt(q) / (1 + q), q > 0), (0, True))
    rate = (r - k * z - u) / m
    return slider(contact - friction + k * z, parameters={m: 2, k: 3, c: 0.1}, extra_states={z: rate}, inputs={r: 1})


@hard
def lagrangian_with_a_dissipation_function() -> eomc.Model:
    a, b = names("a b")
    da, db = a.diff(t), b.diff(t)
    L = (1 + cos(b) ** 2) * da**2 / 2 + m * db**2 / 2 + sin(b) * da * db - k * a**2 / 2
    lost = c * (da - db) ** 2 / 2 + Abs(db) ** 3 * (1 + a**2) / 3 + r * sqrt(da**2 + 1) * sin(t)
    return eomc.from_lagrangian(
        L,
        coordinates=[a, b],
        generalized_forces={b: -k * b},
        dissipation_function=lost,
        inputs={r: 0.5},
        parameters={m: 2, k: 3, c: 0.1},
    )


@hard
def hamiltonian_that_does_not_separate() -> eomc.Model:
    p = dynamicsymbols("p")
    H = p**2 / (2 * m * (1 + q**2)) + k * q**2 / 2 + sin(t) * q * p + cos(p) + Abs(q) ** 3
    return eomc.from_hamiltonian(
        H, coordinates=[q], momenta=[p], generalized_forces={q: -c * p}, parameters={m: 2, k: 3, c: 0.1}
    )


@pytest.mark.parametrize("make", MODELS, ids=lambda make: make.__name__)
def test_agreement_by_every_method(make: Callable[[], Any]) -> None:
    """All functions agree with the reference to 1e-10 at random admissible states."""
    model = make()
    for method in model.methods:
        if method == "gibbs-appell" and "EOMC_THOROUGH" not in os.environ:
            continue  # its equations are Kane's but for the Gibbs function, a test of its own on all shipped models
        for agreement in compare(eomc.compile(model, method), 6):
            assert agreement.holds, (method, agreement)


def pendulum(zero: Any, one: Any) -> eomc.Model:
    q1, q2, u1, u2 = names("q1 q2 u1 u2")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, zero * N.x)
    A = N.orientnew("A", "Axis", (q1, N.z + zero * N.x))
    P = origin.locatenew("P", one * A.x + zero * A.y)
    P.v2pt_theory(origin, N, A)
    B = A.orientnew("B", "Axis", (q2, A.x))
    bodies = [
        RigidBody("B", P, B, Rational(3, 2), (inertia(B, one, one, 2 * one, zero, zero, zero), P)),
        RigidBody("A", P, A, zero, (inertia(A, one, one, one), P)),
    ]
    return eomc.Model(
        name="pendulum",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2],
        kinematical_equations=[q1.diff(t) - u1 + zero * q2.diff(t), q2.diff(t) - one * u2],
        bodies=bodies,
        loads=[(P, zero * N.x + N.y)],
    )


def test_float_zero_is_zero() -> None:
    """0.0 and 1.0 in place of 0 and 1 change nothing, not even the number of operations."""
    exact, floating = eomc.compile(pendulum(0, 1)), eomc.compile(pendulum(0.0, 1.0))
    x = np.random.default_rng(1).uniform(-1, 1, (20, 4))
    np.testing.assert_allclose(floating.load().rhs(0.0, x), exact.load().rhs(0.0, x), rtol=1e-13)
    counts = [build.statistics.code.functions[0].counts.total for build in (exact, floating)]
    assert counts[0] == counts[1]


def odd_acceleration() -> eomc.Model:
    N, origin = ground()
    A = N.orientnew("A", "Axis", (q, N.z))
    A.set_ang_vel(N, u * N.z)
    P = origin.locatenew("P", length * A.x)
    P.v2pt_theory(origin, N, A)
    P.set_acc(N, 2 * length * q.diff(t, 2) * A.y + u.diff(t) * A.x - 3 * length * u**2 * A.x + q.diff(t) * N.x)
    A.set_ang_acc(N, u**2 * N.z)
    return eomc.Model(
        name="odd",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u],
        kinematical_equations=[q.diff(t) - u * sin(q) - 2 * u],
        bodies=[RigidBody("A", P, A, m, (inertia(A, 1, 2, 3), P))],
        gravity=-g * N.y,
        parameters={m: 2, length: 1, g: 9.81},
    )


def test_accelerations_as_the_user_set_them() -> None:
    """What set_acc and set_ang_acc say is used, with a warning where it is not the derivative of the velocity."""
    with pytest.warns(RuntimeWarning, match="acceleration set for") as record:
        build = eomc.compile(odd_acceleration())
    assert [str(one.message).split("set for ")[1].split(" is")[0] for one in record] == ["point P", "frame A"]
    assert all(agreement.holds for agreement in compare(build, 10))
    assert not any("constant" in note for note in build.program.notes)


def test_an_acceleration_that_was_set_to_zero_is_used() -> None:
    """No acceleration is one, too: with v = q u and dv/dt = q u' + q' u set to zero, m q^2 u' is all that is left."""
    N, origin = ground()
    P = origin.locatenew("P", q**2 / 2 * N.x)
    P.set_vel(N, q * u * N.x)
    P.set_acc(N, 0)
    model = eomc.Model(
        name="zero",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u],
        kinematical_equations=[u - q.diff(t)],
        bodies=[Particle("P", P, m)],
        parameters={m: 2},
    )
    with pytest.warns(RuntimeWarning, match="acceleration set for point P"):
        equations = eomc.compile(model).equations
    assert equations.graph.is_zero(equations.matrices.forcing[0])


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_energies_cannot_honour_an_acceleration(method: str) -> None:
    """The other methods refuse what Kane's uses as it was set: they would derive other equations."""
    with pytest.raises(UnsupportedError, match=r"odd: the acceleration set for point P .* use kane"):
        eomc.compile(odd_acceleration(), method)


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_an_acceleration_in_terms_of_either_derivative_is_recognized(method: str) -> None:
    """With u = q q' as speed of a particle, u' = q q'' + q'^2: both ways of writing dv/dt are the derivative."""
    for acceleration in (u.diff(t), q * q.diff(t, 2) + q.diff(t) ** 2):
        N, origin = ground()
        P = origin.locatenew("P", q**2 / 2 * N.x)
        P.set_vel(N, u * N.x)
        P.set_acc(N, acceleration * N.x)
        model = eomc.Model(
            name="squared",
            inertial_frame=N,
            coordinates=[q],
            speeds=[u],
            kinematical_equations=[u - q * q.diff(t)],
            bodies=[Particle("P", P, 2)],
            ranges={q: (0.5, 1.5)},
            initial={q: 1},
        )
        assert all(agreement.holds for agreement in compare(eomc.compile(model, method), 6))


def test_accelerations_that_are_derivatives_change_nothing() -> None:
    """a2pt_theory on a rigid body gives the same program, without a warning."""
    counts = []
    for given in (False, True):
        N, origin = ground()
        A = N.orientnew("A", "Axis", (q, N.z))
        A.set_ang_vel(N, u * N.z)
        P = origin.locatenew("P", length * A.x)
        P.v2pt_theory(origin, N, A)
        if given:
            P.a2pt_theory(origin, N, A)
        body = RigidBody("A", P, A, m, (inertia(A, 1, 2, 3), P))
        build = eomc.compile(
            eomc.Model(
                name="usual",
                inertial_frame=N,
                coordinates=[q],
                speeds=[u],
                bodies=[body],
                gravity=-9.81 * N.y,
                parameters={m: 2, length: 1},
            )
        )
        counts.append(build.statistics.code.functions[0].counts.total)
    assert counts[0] == counts[1]


def nonlinear_velocity() -> eomc.Model:
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, u**2 * N.x)
    return eomc.Model(name="odd", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[Particle("P", P, 1)])


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_velocity_that_is_not_linear_is_refused(method: str) -> None:
    """No method derives a model of bodies whose velocities are not linear in the speeds."""
    with pytest.raises(eomc.errors.DerivationError, match="velocity of point P is not linear"):
        eomc.compile(nonlinear_velocity(), method)


def test_auxiliary_speeds_are_for_kane_only() -> None:
    """Lagrange's and Hamilton's equations have no auxiliary speeds."""
    N, origin = ground()
    A = N.orientnew("A", "Axis", (q, N.z))
    A.set_ang_vel(N, u * N.z)
    P = origin.locatenew("P", length * A.x)
    P.set_vel(N, length * u * A.y + z * A.x)
    model = eomc.Model(
        name="tension",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u, z],
        auxiliary_speeds=[z],
        kinematical_equations=[q.diff(t) - u],
        bodies=[Particle("P", P, m)],
        loads=[(P, r * A.x)],
        gravity=-g * N.y,
        parameters={m: 2, length: 1, g: 9.81},
        inputs=[r],
    )
    assert model.methods == ("kane", "gibbs-appell")
    sim = eomc.compile(model).load()
    np.testing.assert_allclose(sim.rhs(0.0, [0.3, 0.7], {"r": 5.0}), [0.7, -9.81 * np.cos(0.3)], rtol=1e-14)


def test_a_missing_derivative_of_an_input_is_named() -> None:
    """A mass that is an input needs its rate."""
    model = slider(-k * q, 1 + r**2, parameters={k: 3}, inputs={r: 2})
    with pytest.raises(eomc.errors.UnsupportedError, match=r"list r\.diff\(t\) among the inputs"):
        eomc.compile(model)


def test_nan_in_a_load_is_refused() -> None:
    """SymPy keeps nan * N.x as a vector without components; it is a mistake all the same."""
    with pytest.raises(eomc.errors.ModelError, match="load 1 on P: nan"):
        slider(sympy.nan, parameters={m: 1})
