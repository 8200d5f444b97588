"""Kane's equations by numbers against closed forms and published values; models written out here."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from sympy import cos, cot, sin, symbols, tan
from sympy.physics.mechanics import (
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

import eomc
from eomc.errors import ModelError
from eomc.model import Model
from eomc.reference import reference
from eomc.reference.instant import Instant
from eomc.reference.momenta import BodyMomenta, Wanted

m, g, r, length = symbols("m g r l", positive=True)
t = dynamicsymbols._t


def rates(model: Model, values: dict[str, float], time: float = 0.0, **options: object) -> dict[str, float]:
    """Return dx by name at a state given by name; other states are 0."""
    oracle = reference(model)
    x = [values.get(name, 0.0) for name in oracle.state_names]
    return dict(zip(oracle.state_names, oracle.rhs(time, x, **options), strict=True))


def rolling_disk(axial: sympy.Expr, transverse: sympy.Expr, parameters: dict[sympy.Expr, float]) -> Model:
    """Return the disk of the lecture notes: 3-1-3 angles phi, theta, psi, speeds w in (i0, j0, k0)."""
    theta, phi, psi, x, y, u1, u2, u3 = dynamicsymbols("theta phi psi x y u1 u2 u3")
    N, A, B, C = (ReferenceFrame(name) for name in "NABC")
    A.orient_axis(N, N.z, phi)
    B.orient_axis(A, A.x, theta)
    C.orient_axis(B, B.z, psi)
    B.set_ang_vel(N, u1 * B.x + u2 * B.y + u2 * cot(theta) * B.z)
    C.set_ang_vel(N, u1 * B.x + u2 * B.y + u3 * B.z)
    origin, contact, G = Point("O"), Point("contact"), Point("G")
    origin.set_vel(N, 0)
    contact.set_pos(origin, x * N.x + y * N.y)
    G.set_pos(contact, r * B.y)
    G.set_vel(N, r * u1 * B.z - r * u3 * B.x)
    spin = u3 - u2 * cot(theta)
    return Model(
        name="disk",
        inertial_frame=N,
        coordinates=[theta, phi, psi, x, y],
        speeds=[u1, u2, u3],
        kinematical_equations=[
            theta.diff() - u1,
            phi.diff() * sin(theta) - u2,
            phi.diff() * cos(theta) + psi.diff() - u3,
            x.diff() + r * spin * cos(phi),
            y.diff() + r * spin * sin(phi),
        ],
        bodies=[RigidBody("disk", G, C, m, (inertia(B, transverse, transverse, axial), G))],
        gravity=-g * N.z,
        parameters=parameters,
    )


@pytest.mark.parametrize(
    ("parameters", "expected", "energy"),
    [
        (
            (2, 0.5, 0.125, 0.25),
            [-4.5531918888471345, 3.5406499063006107, -0.42],
            10.930244202202681,
        ),
        (
            (1.7, 0.35, 0.08, 0.13),
            [-6.641662611398205, 2.9368999063006105, -0.38787139689578715],
            6.199625300310595,
        ),
    ],
)
def test_rolling_disk_without_slip(parameters: tuple[float, ...], expected: list[float], energy: float) -> None:
    """Fewer speeds than coordinates: the notes' corrected equations, point by point, and their energy."""
    axial, transverse = symbols("I_a I_t")
    values = dict(zip((m, r, transverse, axial), parameters, strict=True))
    model = rolling_disk(axial, transverse, {**values, g: 9.81})
    oracle = reference(model)
    state = [1.1, 0.3, -0.4, 0.2, 0.1, 0.7, -0.9, 2.3]
    np.testing.assert_allclose(oracle.rhs(0, state)[5:], expected, rtol=1e-12)
    found = oracle.energy(0, state)
    assert found["total"] == pytest.approx(energy, rel=1e-12)
    assert found["jacobi"] == pytest.approx(energy, rel=1e-12)


def test_rolling_disk_rates_and_accelerations() -> None:
    """q' from the kinematical equations, q'' from their time derivative, at the notes' first point."""
    model = rolling_disk(m * r**2 / 2, m * r**2 / 4, {m: 2, r: 0.5, g: 9.81})
    oracle = reference(model)
    state = [1.1, 0.3, -0.4, 0.2, 0.1, 0.7, -0.9, 2.3]
    rate = [0.7, -1.0098659866744801, 2.7580712947151578, -1.3174430737256468, -0.40753289950046595]
    second = [-4.5531918888471345, 4.332661494553908, -3.015278449379598, 1.0287491501268535, 1.7759788047864813]
    np.testing.assert_allclose(oracle.velocities(0, state), rate, rtol=1e-12)
    np.testing.assert_allclose(oracle.accelerations(0, state), second, rtol=1e-12)


def test_disk_that_rolls_by_dependent_speeds() -> None:
    """Yaw, lean and spin with two dependent speeds of the centre: Newton and Euler by hand (m drops out)."""
    q1, q2, q3, x, y = dynamicsymbols("q1 q2 q3 x y")
    u1, u2, u3, u4, u5 = dynamicsymbols("u1 u2 u3 u4 u5")
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q1, N.z])
    B = A.orientnew("B", "Axis", [q2, A.x])
    C = B.orientnew("C", "Axis", [q3, B.y])
    origin = Point("O")
    origin.set_vel(N, 0)
    G = origin.locatenew("G", x * N.x + y * N.y + r * cos(q2) * N.z)
    G.set_vel(N, G.pos_from(origin).dt(N))
    contact = G.locatenew("contact", -r * B.z)
    slip = G.vel(N) + C.ang_vel_in(N).cross(contact.pos_from(G))
    model = Model(
        name="disk",
        inertial_frame=N,
        coordinates=[q1, q2, q3, x, y],
        speeds=[u1, u2, u3, u4, u5],
        velocity_constraints=[slip.dot(A.x), slip.dot(A.y)],
        dependent_speeds=[u4, u5],
        bodies=[RigidBody("disk", G, C, m, (inertia(B, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), G))],
        gravity=-g * N.z,
        parameters={m: 3.0, r: 0.5, g: 9.81},
    )
    oracle = reference(model)
    state = oracle.state({"q1": 0.2, "q2": 0.3, "q3": 0.4}, {"u1": 0.5, "u2": 0.6, "u3": 0.7})
    np.testing.assert_allclose(oracle.constraint_residuals(0, state), 0.0, atol=1e-14)
    found = oracle.rhs(0, state)[5:8]
    np.testing.assert_allclose(found, [-0.879271345292, 5.110306798364, -0.217825794891], atol=1e-11)
    assert oracle.mass_matrix(0, state).shape == (3, 3)
    assert oracle.energy(0, state, parameters={"m": 2.0})["total"] == pytest.approx(9.768122840113, abs=1e-11)


def sleigh(dependent: bool) -> Model:
    """Return Chaplygin's sleigh with two speeds, or with three of which the lateral one is dependent."""
    q1, q2, q3, u1, u2, u3, F, tau = dynamicsymbols("q1 q2 q3 u1 u2 u3 F tau")
    mass, moment, a = symbols("m I a")
    lateral = u2 if dependent else sympy.Integer(0)
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q3, N.z])
    A.set_ang_vel(N, u3 * N.z)
    origin, P = Point("O"), Point("P")
    origin.set_vel(N, 0)
    P.set_pos(origin, q1 * N.x + q2 * N.y)
    P.set_vel(N, u1 * A.x + lateral * A.y)
    G = P.locatenew("G", a * A.x)
    G.v2pt_theory(P, N, A)
    constraints = {"velocity_constraints": [u2], "dependent_speeds": [u2]} if dependent else {}
    return Model(
        name="sleigh",
        inertial_frame=N,
        coordinates=[q1, q2, q3],
        speeds=[u1, u2, u3] if dependent else [u1, u3],
        kinematical_equations=[
            q1.diff() - u1 * cos(q3) + lateral * sin(q3),
            q2.diff() - u1 * sin(q3) - lateral * cos(q3),
            q3.diff() - u3,
        ],
        bodies=[RigidBody("body", G, A, mass, (inertia(A, 0, 0, moment), G))],
        loads=[(P, F * A.x), (A, tau * A.z)],
        inputs=[F, tau],
        parameters={mass: 3, moment: 0.7, a: 0.4},
        **constraints,
    )


@pytest.mark.parametrize("dependent", [False, True])
def test_chaplygin_sleigh(dependent: bool) -> None:
    """m (v' - a w^2) = F, (I + m a^2) w' + m a v w = tau, with fewer speeds and with a dependent one alike."""
    state = {"q1": 0.5, "q2": -0.2, "q3": 0.6, "u1": 1.1, "u3": 0.9}
    found = rates(sleigh(dependent), state, inputs={"F": 1.3, "tau": 0.2})
    assert found["u1"] == pytest.approx(0.7573333333333333, rel=1e-12)
    assert found["u3"] == pytest.approx(-0.8372881355932204, rel=1e-12)
    found = rates(sleigh(dependent), {"u1": 1.5, "u3": 0.7}, parameters={"m": 2, "I": 0.3, "a": 0.4})
    assert found["u1"] == pytest.approx(0.196, rel=1e-12)
    assert found["u3"] == pytest.approx(-1.354838709677, rel=1e-12)
    oracle = reference(sleigh(dependent))
    start = oracle.state({}, {"u1": 1.5, "u3": 0.7})
    energy = oracle.energy(0, start, parameters=[2, 0.3, 0.4])
    assert energy["total"] == pytest.approx(2.4019, rel=1e-12)


def test_double_pendulum_of_point_masses() -> None:
    """Absolute angles, velocities left to be found from positions: accelerations and energy."""
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    m1, m2, l1, l2 = symbols("m1 m2 l1 l2")
    N = ReferenceFrame("N")
    A, B = N.orientnew("A", "Axis", [q1, N.z]), N.orientnew("B", "Axis", [q2, N.z])
    origin = Point("O")
    origin.set_vel(N, 0)
    P = origin.locatenew("P", -l1 * A.y)
    Q = P.locatenew("Q", -l2 * B.y)
    model = Model(
        name="double",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2],
        bodies=[Particle("P", P, m1), Particle("Q", Q, m2)],
        gravity=-g * N.y,
        parameters={m1: 1, m2: 2, l1: 1, l2: 0.5, g: 9.81},
    )
    state = [0.3, -0.7, 1.2, 0.4]
    for method in ("kane", "lagrange"):
        oracle = reference(model, method)
        np.testing.assert_allclose(oracle.rhs(0, state)[2:], [-7.023729535281, 22.652861987263], atol=1e-11)
        assert oracle.energy(0, state)["total"] == pytest.approx(-33.159309625411, abs=1e-11)
    assert not P._vel_dict  # the user's points are only read


def bead(as_input: bool, derivatives: int = 2) -> Model:
    """Return a bead on a hoop that turns at the angle W t, given analytically or as an input with its derivatives."""
    theta, theta_d, angle = dynamicsymbols("theta theta_d angle")
    W = symbols("W")
    azimuth = angle if as_input else W * t
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [azimuth, N.z])
    B = A.orientnew("B", "Axis", [theta, -A.y])
    origin = Point("O")
    origin.set_vel(N, 0)
    P = origin.locatenew("P", -r * B.z)
    return Model(
        name="bead",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[theta_d],
        bodies=[Particle("bead", P, m)],
        gravity=-g * N.z,
        inputs=[angle.diff(t, order) for order in range(derivatives + 1)] if as_input else [],
        parameters={m: 0.4, r: 0.5, g: 9.81, **({} if as_input else {W: 6.0})},
    )


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_bead_on_a_turning_hoop(method: str) -> None:
    """Explicit time: acceleration, and the Jacobi integral T2 - T0 + V in place of T + V."""
    oracle = reference(bead(False), method)
    state = oracle.state({"theta": 0.4}, {"theta_d": 0.0})
    assert oracle.accelerations(1.7, state)[0] == pytest.approx(5.272021760096, abs=1e-11)
    state = oracle.state({"theta": 0.9}, {"theta_d": 1.1})
    assert oracle.accelerations(0.3, state)[0] == pytest.approx(2.1603833889162893, rel=1e-12)
    energy = oracle.energy(0.3, state)
    assert energy["jacobi"] == pytest.approx(-2.263580642970822, rel=1e-12)
    assert energy["total"] - energy["jacobi"] == pytest.approx(0.4 * 0.5**2 * 36 * np.sin(0.9) ** 2, rel=1e-12)


@pytest.mark.parametrize("method", ["kane", "lagrange"])
def test_prescribed_angle_as_three_inputs(method: str) -> None:
    """A signal with its two derivatives as inputs moves the hoop as the analytic angle does."""
    oracle = reference(bead(True), method)
    state = oracle.state({"theta": 0.4}, {"theta_d": 0.3})
    assert oracle.input_names == ("angle", "angle_d", "angle_dd")
    found = oracle.accelerations(0.0, state, inputs={"angle": 2.0, "angle_d": 6.0, "angle_dd": 1.0})[0]
    assert found == pytest.approx(5.272021760096, abs=1e-11)


@pytest.mark.parametrize("method", ["kane", "lagrange"])
def test_a_missing_derivative_that_does_not_matter_is_not_asked_for(method: str) -> None:
    """The hoop's angular acceleration pushes the bead across the hoop, and never along it."""
    oracle = reference(bead(True, derivatives=1), method)
    assert oracle.input_names == ("angle", "angle_d")
    state = oracle.state({"theta": 0.4}, {"theta_d": 0.3})
    found = oracle.rhs(0.0, [state, state], inputs={"angle": 2.0, "angle_d": 6.0})
    assert found[:, 1] == pytest.approx([5.272021760096] * 2, abs=1e-11)


def test_a_missing_derivative_that_matters_is_named_with_its_order() -> None:
    """A cart that is carried along with the velocity f' is pushed by -m f''."""
    q, u, f = dynamicsymbols("q u f")
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, (u + f.diff()) * N.x)
    model = Model(
        name="carried", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[Particle("p", point, m)],
        inputs=[f.diff()], parameters={m: 1.0},
    )  # fmt: skip
    oracle = reference(model)
    for _ in range(2):
        with pytest.raises(ModelError, match=r"Derivative\(f\(t\), \(t, 2\)\) is needed and has no value"):
            oracle.rhs(0.0, [0.0, 1.0])
    np.testing.assert_allclose(oracle.velocities(0.0, [0.0, 1.5]), [1.5])


@pytest.mark.parametrize("as_input", [False, True])
def test_pendulum_with_a_driven_pivot(as_input: bool) -> None:
    """theta'' = -(g sin(theta) + x_p'' cos(theta))/l, with the pivot's motion analytic or three inputs."""
    theta, theta_d, x_p = dynamicsymbols("theta theta_d x_p")
    A, W = symbols("A W")
    place = x_p if as_input else A * sin(W * t)
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [theta, N.z])
    origin = Point("O")
    origin.set_vel(N, 0)
    pivot = origin.locatenew("pivot", place * N.x)
    model = Model(
        name="driven",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[theta_d],
        bodies=[Particle("bob", pivot.locatenew("bob", -length * B.y), m)],
        gravity=-g * N.y,
        inputs=[x_p, x_p.diff(), x_p.diff(t, 2)] if as_input else [],
        parameters={m: 2, length: 0.7, g: 9.81, **({} if as_input else {A: 0.1, W: 5})},
    )
    inputs = {"x_p": 0.1 * np.sin(1.5), "x_p_d": 0.5 * np.cos(1.5), "x_p_dd": -2.5 * np.sin(1.5)} if as_input else None
    for method in ("kane", "lagrange", "hamilton"):
        oracle = reference(model, method)
        speed = 0.0
        if method == "hamilton":  # p = m l (l theta' + x_p' cos(theta)) at theta' = 0
            speed = 2 * 0.7 * 0.5 * np.cos(1.5) * np.cos(0.4)
        found = oracle.accelerations(0.3, [0.4, speed], inputs=inputs)[0]
        assert found == pytest.approx(-2.176156611945, abs=1e-11)


def euler_body(oriented: bool) -> Model:
    """Return a free body with products of inertia, with Euler parameters or without any orientation."""
    w = dynamicsymbols("w1:4")
    e = dynamicsymbols("e0:4")
    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    if oriented:
        B.orient_quaternion(N, e)
    B.set_ang_vel(N, w[0] * B.x + w[1] * B.y + w[2] * B.z)
    G = Point("G")
    G.set_vel(N, 0)
    matrix = sympy.Matrix([[-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]]])
    rate = matrix * sympy.Matrix(w) / 2
    return Model(
        name="free",
        inertial_frame=N,
        coordinates=e if oriented else [],
        speeds=w,
        kinematical_equations=[a.diff() - b for a, b in zip(e, rate, strict=True)] if oriented else [],
        bodies=[RigidBody("body", G, B, m, (inertia(B, 2, 3, 4, 0.1, 0.3, -0.2), G))],
        parameters={m: 1.3},
        initial={e[0]: 1.0} if oriented else {},
    )


@pytest.mark.parametrize("oriented", [True, False])
def test_free_body_with_products_of_inertia(oriented: bool) -> None:
    """Euler's equations, by an orientation or by an angular velocity alone."""
    oracle = reference(euler_body(oriented))
    state = oracle.state({}, {"w1": 1, "w2": -2, "w3": 0.5})
    expected = [-0.183429888363, 0.065438937754, 0.573420585250]
    np.testing.assert_allclose(oracle.rhs(0, state)[-3:], expected, atol=1e-11)
    assert oracle.energy(0, state)["kinetic"] == pytest.approx(6.9, rel=1e-12)
    if oriented:
        random = oracle.random_state(np.random.default_rng(1), 20)
        np.testing.assert_allclose(np.sum(random[:, :4] ** 2, axis=1), 1.0, rtol=1e-13)


@pytest.mark.parametrize("zero", [0, 0.0])
def test_rod_with_inertia_about_its_end(zero: float) -> None:
    """A uniform rod with I = m l^2/3 about its end swings with -3 g sin(theta)/(2 l); 0.0 is as good as 0."""
    theta, theta_d = dynamicsymbols("theta theta_d")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [theta, N.z])
    B.set_ang_vel(N, zero * N.x + theta_d * N.z)
    origin = Point("O")
    origin.set_vel(N, zero * N.x)
    G = origin.locatenew("G", -length / 2 * B.y)
    G.v2pt_theory(origin, N, B)
    model = Model(
        name="rod",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[theta_d],
        bodies=[RigidBody("rod", G, B, m, (inertia(B, m * length**2 / 3, zero, m * length**2 / 3), origin))],
        gravity=-g * N.y,
        parameters={m: 1.7, length: 0.9, g: 9.81},
    )
    for method in ("kane", "lagrange"):
        found = reference(model, method).rhs(0, [0.6, 0.8])
        assert found[1] == pytest.approx(-1.5 * 9.81 * np.sin(0.6) / 0.9, rel=1e-13)


def test_wheel_without_orientation() -> None:
    """A wheel whose frame has only an angular velocity: its inertia is turned by the frame of the dyadic."""
    yaw, u1, u2 = dynamicsymbols("yaw u1 u2")
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [yaw, N.z])
    A.set_ang_vel(N, u1 * A.z)
    wheel = ReferenceFrame("wheel")
    wheel.set_ang_vel(A, u2 * A.y)
    origin = Point("O")
    origin.set_vel(N, 0)
    G = origin.locatenew("G", r * A.x)
    G.v2pt_theory(origin, N, A)
    moment, J = symbols("I J")
    torque = dynamicsymbols("torque")
    model = Model(
        name="wheel",
        inertial_frame=N,
        coordinates=[yaw],
        speeds=[u1, u2],
        kinematical_equations=[yaw.diff() - u1],
        bodies=[RigidBody("wheel", G, wheel, m, (inertia(A, moment, J, moment), G))],
        loads=[(A, torque * A.z), (wheel, torque * A.y)],
        inputs=[torque],
        parameters={m: 2, r: 0.5, moment: 0.1, J: 0.3},
    )
    found = rates(model, {"yaw": 0.4, "u1": 0.7, "u2": 3.0}, inputs=[1.2])
    assert found["u1"] == pytest.approx(1.2 / (0.1 + 2 * 0.25), rel=1e-13)
    assert found["u2"] == pytest.approx(1.2 / 0.3, rel=1e-13)


def test_spherical_pendulum_and_its_cyclic_coordinate() -> None:
    """Accelerations, and the momentum of the azimuth, which moves as p' = 0."""
    theta, phi, u1, u2 = dynamicsymbols("theta phi u1 u2")
    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)
    P = origin.locatenew("P", length * (sin(theta) * cos(phi) * N.x + sin(theta) * sin(phi) * N.y - cos(theta) * N.z))
    model = Model(
        name="spherical",
        inertial_frame=N,
        coordinates=[theta, phi],
        speeds=[u1, u2],
        kinematical_equations=[theta.diff() - u1, sin(theta) * phi.diff() - u2],  # u2 = phi' sin(theta)
        bodies=[Particle("P", P, m)],
        gravity=-g * N.z,
        parameters={m: 1.5, length: 0.8, g: 9.81},
        ranges={theta: (0.3, 2.8)},
    )
    for method in ("kane", "lagrange", "hamilton"):
        oracle = reference(model, method)
        state = oracle.state({theta: 0.5}, {"theta_d": 0.2, "phi_d": 1.1})
        np.testing.assert_allclose(oracle.velocities(0, state), [0.2, 1.1], rtol=1e-13)
        np.testing.assert_allclose(oracle.accelerations(0, state), [-5.369865721325, -0.805414597553], atol=1e-11)
        assert oracle.momenta(0, state)["p_phi"] == pytest.approx(0.242720382502, abs=1e-11)
    hamilton = reference(model, "hamilton")
    assert hamilton.state_names == ("theta", "phi", "p_theta", "p_phi")
    states = hamilton.random_state(np.random.default_rng(2), 10)
    np.testing.assert_allclose(hamilton.rhs(0, states)[:, 3], 0.0, atol=1e-14)


def test_auxiliary_speeds_are_zero_and_no_states() -> None:
    """The equations of motion are free of a reaction that acts along an auxiliary speed."""
    q, u, aux, tension = dynamicsymbols("q u aux tension")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [q, N.z])
    B.set_ang_vel(N, u * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    P = origin.locatenew("P", -length * B.y)
    P.set_vel(N, length * u * B.x - aux * B.y)
    model = Model(
        name="pendulum",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u, aux],
        kinematical_equations=[q.diff() - u],
        auxiliary_speeds=[aux],
        bodies=[Particle("P", P, m)],
        loads=[(P, tension * B.y)],
        gravity=-g * N.y,
        inputs=[tension],
        parameters={m: 2, length: 0.5, g: 9.81},
    )
    oracle = reference(model)
    assert oracle.state_names == ("q", "u")
    for force in (0.0, 50.0):
        assert oracle.rhs(0, [0.4, 1.0], inputs=[force])[1] == pytest.approx(-9.81 / 0.5 * np.sin(0.4), rel=1e-13)


def test_an_acceleration_that_was_set_is_honoured() -> None:
    """Kane takes the user's own acceleration in place of dv/dt, as sympy's KanesMethod does."""
    q, u = dynamicsymbols("q u")
    N = ReferenceFrame("N")
    origin, P = Point("O"), Point("P")
    origin.set_vel(N, 0)
    P.set_pos(origin, q * N.x)
    P.set_vel(N, u * N.x)
    P.set_acc(N, (u.diff() + 3 * q.diff() ** 2) * N.x)
    model = Model(
        name="own", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[Particle("P", P, m)], parameters={m: 2.0}
    )
    assert reference(model).rhs(0, [0.4, 0.5])[1] == pytest.approx(-0.75, rel=1e-14)


def test_loads_potential_and_dissipation_do_the_same_work() -> None:
    """A spring and a damper give the same motion as loads in u, as loads in q' and as functions V and F."""
    q, u = dynamicsymbols("q u")
    k, c = symbols("k c")
    N = ReferenceFrame("N")
    origin, P = Point("O"), Point("P")
    origin.set_vel(N, 0)
    P.set_pos(origin, tan(q) * N.x)

    def model(**forces: object) -> Model:
        return Model(
            name="mass",
            inertial_frame=N,
            coordinates=[q],
            speeds=[u],
            kinematical_equations=[u - 2 * q.diff() * (1 + q**2)],
            bodies=[Particle("P", P, m)],
            parameters={m: 2.0, k: 3.0, c: 0.7},
            outputs={"rate": q.diff(), "speed": u},
            **forces,
        )

    rate = u / (2 * (1 + q**2))
    in_speeds = model(loads=[(P, -(k * tan(q) + c * rate / cos(q) ** 2) * N.x)])
    in_rates = model(loads=[(P, -(k * tan(q) + c * q.diff() / cos(q) ** 2) * N.x)])
    functions = model(potential_energy=k * tan(q) ** 2 / 2, dissipation_function=c * (rate / cos(q) ** 2) ** 2 / 2)
    for method in ("kane", "lagrange", "hamilton"):
        found = []
        for variant in (in_speeds, in_rates, functions):
            oracle = reference(variant, method)
            state = oracle.state({q: 0.4}, {u: 0.9})
            found.append(oracle.accelerations(0, state)[0])
            outputs = oracle.outputs(0, state)
            np.testing.assert_allclose(outputs, [0.9 / 2 / 1.16, 0.9], rtol=1e-12)
        # x = tan q obeys m x'' = -k x - c x'
        rate_value = 0.9 / 2 / 1.16
        slope = 1 / np.cos(0.4) ** 2
        second = (-3.0 * np.tan(0.4) - 0.7 * slope * rate_value) / 2.0
        expected = (second - 2 * slope * np.tan(0.4) * rate_value**2) / slope
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_extra_states_and_inputs() -> None:
    """A motor's current beside the mechanism: i' = 950, w' = 9.75 for the published numbers."""
    q, w, i, V = dynamicsymbols("q w i V")
    L, R, k, J, b = symbols("L R k J b")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [q, N.z])
    G = Point("G")
    G.set_vel(N, 0)
    model = Model(
        name="motor",
        inertial_frame=N,
        coordinates=[q],
        speeds=[w],
        bodies=[RigidBody("rotor", G, B, m, (inertia(B, 0, 0, J), G))],
        loads=[(B, (k * i - b * w) * N.z)],
        extra_states={i: (V - R * i - k * w) / L},
        inputs={V: 12.0},
        outputs={"power": V * i},
        parameters={L: 0.01, R: 1, k: 0.1, J: 0.02, b: 0.001, m: 1},
    )
    found = rates(model, {"w": 5.0, "i": 2.0})
    assert found["i"] == pytest.approx(950.0, rel=1e-12)
    assert found["w"] == pytest.approx(9.75, rel=1e-12)
    assert reference(model).outputs(0, [0.0, 5.0, 2.0])[0] == pytest.approx(24.0, rel=1e-15)


def test_weights_are_measured_from_a_point_that_does_not_move_along() -> None:
    """On an incline the contact point, set at rest, is no origin: V falls by m g s sin(slope)."""
    q, u = dynamicsymbols("q u")
    slope = symbols("slope")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [-q / r, N.z])
    B.set_ang_vel(N, -u / r * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    contact = origin.locatenew("contact", q * N.x)
    contact.set_vel(N, 0)
    G = contact.locatenew("G", r * N.y)
    G.v2pt_theory(contact, N, B)
    model = Model(
        name="incline",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u],
        bodies=[RigidBody("cylinder", G, B, m, (inertia(B, 0, 0, m * r**2 / 2), G))],
        gravity=g * (sin(slope) * N.x - cos(slope) * N.y),
        parameters={m: 2, r: 0.3, slope: 0.2, g: 9.81},
    )
    oracle = reference(model)
    assert oracle.rhs(0, [0.5, 1.0])[1] == pytest.approx(2 / 3 * 9.81 * np.sin(0.2), rel=1e-13)
    difference = oracle.energy(0, [1.5, 1.0])["potential"] - oracle.energy(0, [0.5, 1.0])["potential"]
    assert difference == pytest.approx(-2 * 9.81 * np.sin(0.2), rel=1e-12)


@pytest.mark.parametrize(
    "name", ["rolling_disk_with_slip", "n_four_bar", "bar_on_moving_pivot", "double_pendulum_bars"]
)
def test_momenta_from_first_derivatives_alone(name: str) -> None:
    """p, dp/dq' and T are the same as those from jets of second order, of which p itself is differentiated."""
    model = eomc.load(name)
    source = BodyMomenta(model)
    generator = np.random.default_rng(1)
    count, n = 5, len(model.coordinates)
    parameters = np.array([[one.value for one in model.parameters]]) * generator.uniform(0.8, 1.2, (count, 1))
    inputs = generator.uniform(-1.0, 1.0, (count, len(model.inputs)))
    instant = Instant(
        generator.uniform(0.0, 2.0, count), *generator.uniform(0.2, 1.0, (2, count, n)), np.zeros((count, 0)), inputs,
        parameters,
    )  # fmt: skip
    rates = instant.speeds
    short, full = (source.at(instant, rates, wanted) for wanted in (Wanted.VALUE, Wanted.DRIVE))
    np.testing.assert_allclose(short.value, full.value, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(short.matrix, full.matrix, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(short.function, full.function, rtol=1e-12)
    assert all(jet.order <= 1 or jet.gradient is None for jet in short.moving.environment.values())


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_the_parts_of_the_energies(method: str) -> None:
    """Both parts add up to the energies; V is told from the places alone, whatever speeds or momenta there are."""
    oracle = reference(eomc.load("double_pendulum_bars"), method)
    states = np.random.default_rng(2).uniform(0.2, 1.0, (3, 4))
    moving, resting = oracle.moving_energy(0.0, states), oracle.resting_energy(0.0, states)
    assert set(moving) == {"kinetic", "potential", "total", "jacobi"}
    assert set(resting) == {"potential", "total", "jacobi"}
    assert not np.any(moving["potential"])
    for name, energy in oracle.energy(0.0, states).items():
        np.testing.assert_allclose(moving[name] + resting.get(name, 0.0), energy, rtol=1e-14)
    still = states * [1.0, 1.0, 0.0, 0.0]
    for name, part in oracle.resting_energy(0.0, still).items():
        np.testing.assert_array_equal(part, resting[name])
