"""Further mechanisms with published numbers: tops, rods, springs, a pulley."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc

Function: TypeAlias = Callable[..., Any]

HOLONOMIC = ("kane", "lagrange", "hamilton")
t = dynamicsymbols._t


def values_of(entry: Any, symbols: Any) -> dict[Any, float]:
    """Return the published values of the symbols."""
    return {symbol: float(entry["parameters"][symbol.name]) for symbol in symbols}


def test_chaplygin_sleigh_without_forces(simulator: Function) -> None:
    """Rates v' = a w^2, w' = -m a v w/(I + m a^2); the energy, the force on the edge, and the end of the motion."""
    sim = simulator("chaplygin_sleigh")
    parameters = {"m": 2.0, "I": 0.3, "a": 0.4}
    x = np.array([0, 0, 0.3, 1.5, 0.7])
    assert_allclose(sim.rhs(0.0, x, parameters=parameters)[3:], [0.196, -1.354838709677], rtol=1e-12)
    assert_allclose(sim.energy(0.0, x, parameters=parameters)["kinetic"], 2.4019, rtol=1e-14)
    assert_allclose(sim.outputs(0.0, x, parameters=parameters), [1.016129032258], rtol=1e-12)
    end = sim.simulate(30.0, 1e-3, x, parameters=parameters, every=10**6).x[-1]
    assert_allclose(end[3:], [np.sqrt(2 * 2.4019 / 2.0), 0.0], atol=1e-9)


def test_double_pendulum(simulator: Function) -> None:
    """Accelerations at a state where a symbolic solve once lost a term."""
    sim = simulator("double_pendulum")
    parameters = {"m1": 1.0, "m2": 2.0, "l1": 1.0, "l2": 0.5}
    x = np.array([0.3, -0.7, 1.2, 0.4])
    found = sim.rhs(0.0, x, parameters=parameters)
    assert_allclose(found, [1.2, 0.4, -7.023729535281, 22.652861987263], rtol=1e-12)
    assert_allclose(sim.energy(0.0, x, parameters=parameters)["total"], -33.159309625411, rtol=1e-13)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_spherical_pendulum(method: str, simulator: Function, accelerations: Function) -> None:
    """Accelerations and the constant momentum p_phi."""
    sim, parameters = simulator("spherical_pendulum", method), {"l": 0.8, "m": 1.5}
    x = sim.state({"theta": 0.5, "phi": 0.0}, {"theta_d": 0.2, "phi_d": 1.1}, parameters=parameters)
    found = accelerations(sim, 0.0, x, parameters=parameters)
    assert_allclose(found, [-5.369865721325, -0.805414597553], rtol=1e-9)
    assert_allclose(sim.momenta(0.0, x, parameters=parameters)["p_phi"], 0.242720382502, rtol=1e-11)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_cart_pole(method: str, simulator: Function, accelerations: Function) -> None:
    """Accelerations of cart and pole under a force."""
    sim = simulator("cart_pole", method)
    x = sim.state({"x": 0.0, "theta": 0.3}, {"x_d": 0.0, "theta_d": 1.2})
    assert_allclose(accelerations(sim, 0.0, x, inputs={"F": 1.5}), [2.06047993, -9.73500978], rtol=3e-9)


def test_hamilton_s_equations_of_a_position_dependent_mass(compiled: Function) -> None:
    """H = p^2/(2 m (1 + q^2)) + k q^2/2: the gradient at one point; along the motion H stays."""
    q, p = dynamicsymbols("q p")
    m, k = sympy.symbols("m k")
    model = eomc.from_hamiltonian(
        p**2 / (2 * m * (1 + q**2)) + k * q**2 / 2,
        name="heavy_away_from_home",
        coordinates=[q],
        momenta=[p],
        parameters={m: 2, k: 3},
        initial={q: 0.4, p: 0.7},
    )
    sim = compiled(model)
    assert sim.state_names == ("q", "p")
    assert_allclose(sim.rhs(0.0, sim.initial_state), [0.301724137931, -1.127170035672], rtol=1e-11)
    motion = sim.simulate(10.0, 1e-3, every=100)
    assert_allclose(sim.energy(motion.t, motion.x)["hamiltonian"], 0.7**2 / (4 * 1.16) + 0.24, rtol=1e-11)


def test_kepler_in_polar_coordinates(compiled: Function) -> None:
    """The same orbit from H in r and theta: p_theta is constant to rounding, the period that of the half axis."""
    r, theta, p_r, p_theta = dynamicsymbols("r theta p_r p_theta")
    model = eomc.from_hamiltonian(
        (p_r**2 + p_theta**2 / r**2) / 2 - 1 / r,
        name="polar_kepler",
        coordinates=[r, theta],
        momenta=[p_r, p_theta],
        initial={r: 1.0, theta: 0.0, p_r: 0.0, p_theta: np.sqrt(4 / 3)},
    )
    sim = compiled(model)
    motion = sim.simulate(11.542948471457, 1e-3, every=10)
    assert_allclose(motion.x[-1] - motion.x[0], [0, 2 * np.pi, 0, 0], atol=1e-9)
    assert np.ptp(motion["p_theta"]) == 0.0


def elastic_pendulum(kind: str, parameters: dict[str, float]) -> Any:
    """Return a bob on a spring, from bodies or from a Lagrangian."""
    r, theta = dynamicsymbols("r theta")
    m, k, l0, g = symbols = sympy.symbols("m k l0 g")
    numbers = {symbol: parameters[symbol.name] for symbol in symbols}
    spring = k * (r - l0) ** 2 / 2
    if kind == "lagrangian":
        lagrangian = m * (r.diff(t) ** 2 + r**2 * theta.diff(t) ** 2) / 2 + m * g * r * sympy.cos(theta) - spring
        return eomc.from_lagrangian(lagrangian, name="elastic", coordinates=[r, theta], parameters=numbers)
    v, w = dynamicsymbols("v w")
    frame, rod = ReferenceFrame("N"), ReferenceFrame("A")
    rod.orient_axis(frame, frame.z, theta)
    rod.set_ang_vel(frame, w * frame.z)
    pivot = Point("O")
    pivot.set_vel(frame, 0)
    bob = pivot.locatenew("P", -r * rod.y)
    bob.set_vel(frame, -v * rod.y + r * w * rod.x)
    return eomc.Model(
        name="elastic",
        inertial_frame=frame,
        coordinates=[r, theta],
        speeds=[v, w],
        bodies=[Particle("bob", bob, m)],
        gravity=-g * frame.y,
        potential_energy=spring,
        parameters=numbers,
    )


@pytest.mark.parametrize(("kind", "method"), [
    ("bodies", "kane"), ("bodies", "lagrange"), ("bodies", "hamilton"),
    ("lagrangian", "lagrange"), ("lagrangian", "hamilton"),
])  # fmt: skip
def test_elastic_pendulum(
    kind: str, method: str, compiled: Function, published: Function, accelerations: Function
) -> None:
    """Accelerations at one state; and the published state after 3 s, the energy and the two eigenfrequencies."""
    entry = published("closed_forms", "elastic_pendulum")
    e, numbers = entry["expected"], entry["parameters"]
    sim = compiled(elastic_pendulum(kind, numbers), method)
    names = ("v", "w") if kind == "bodies" else ("r_d", "theta_d")

    def state(r: float, theta: float, v: float, w: float, **p: float) -> Any:
        return sim.state({"r": r, "theta": theta}, dict(zip(names, (v, w), strict=True)), parameters=p or None)

    other = {"m": 1.0, "k": 40.0, "l0": 0.5}
    found = accelerations(sim, 0.0, state(0.6, 0.3, 0.1, 0.8, **other), parameters=other)
    assert_allclose(found, [5.755850958322, -5.098422045580], rtol=1e-9)

    x0 = state(0.7, 0.5, 0.0, 0.0)
    end = sim.simulate(3.0, 2e-4, x0, every=10**6).x[-1]
    assert_allclose([*end[:2], *sim.rhs(3.0, end)[:2]], e["state_at_3"], atol=entry["tolerance"])
    assert_allclose(sim.energy(0.0, x0)["total"], e["energy"], rtol=1e-12)


def test_elastic_pendulum_modes(compiled: Function, published: Function, jacobian: Function) -> None:
    """About the hanging rest the spring and the pendulum swing independently."""
    entry = published("closed_forms", "elastic_pendulum")
    e = entry["expected"]
    sim = compiled(elastic_pendulum("bodies", entry["parameters"]))
    found = np.linalg.eigvals(jacobian(sim, np.array([e["r_e"], 0, 0, 0]), step=1e-3)).imag
    assert_allclose(np.sort(found[found > 0]), sorted([e["w_spring"], e["w_pend"]]), rtol=1e-10)


def test_inertia_with_products(compiled: Function) -> None:
    """A free body with a full inertia matrix, in any attitude: w', and constant |I w| and energy."""
    e = dynamicsymbols("e0:4")
    w = dynamicsymbols("w1:4")
    frame, body, centre = ReferenceFrame("N"), ReferenceFrame("B"), Point("C")
    body.orient_quaternion(frame, e)
    body.set_ang_vel(frame, w[0] * body.x + w[1] * body.y + w[2] * body.z)
    centre.set_vel(frame, 0)
    names = "Ixx Iyy Izz Ixy Iyz Izx"
    symbols = sympy.symbols(names)
    numbers = dict(zip(symbols, (2.0, 3.0, 4.0, 0.1, 0.3, -0.2), strict=True))
    rates = body.ang_vel_in(frame).to_matrix(body)
    product = sympy.Matrix([
        [-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]],
    ]) * rates / 2  # fmt: skip
    model = eomc.Model(
        name="skew",
        inertial_frame=frame,
        coordinates=e,
        speeds=w,
        kinematical_equations=[q.diff(t) - rate for q, rate in zip(e, product, strict=True)],
        bodies=[RigidBody("B", centre, body, sympy.Integer(1), (inertia(body, *symbols), centre))],
        parameters=numbers,
    )
    sim = compiled(model)
    x = np.array([1, 0, 0, 0, 1, -2, 0.5])
    assert_allclose(sim.rhs(0.0, x)[4:], [-0.183429888363, 0.065438937754, 0.573420585250], rtol=1e-11)
    assert_allclose(2 * sim.energy(0.0, x)["kinetic"], 13.8, rtol=1e-14)
    motion = sim.simulate(20.0, 1e-3, x, every=100)
    matrix = np.array([[2, 0.1, -0.2], [0.1, 3, 0.3], [-0.2, 0.3, 4]])
    assert_allclose(np.linalg.norm(motion.x[:, 4:] @ matrix, axis=1), 6.114940719255, rtol=1e-11)
    assert_allclose(sim.energy(motion.t, motion.x)["kinetic"], 6.9, rtol=1e-11)
    assert_allclose(np.linalg.norm(motion.x[:, :4], axis=1), 1.0, rtol=1e-10)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", HOLONOMIC)
@pytest.mark.parametrize("zero", [0, 0.0])
def test_inertia_about_another_point(zero: float, method: str, compiled: Function) -> None:
    """A rod whose inertia m l^2/3 is given about its end swings with theta'' = -3 g sin theta/(2 l), 0 or 0.0."""
    theta, omega = dynamicsymbols("theta omega")
    m, length, g = sympy.symbols("m l g")
    frame, rod = ReferenceFrame("N"), ReferenceFrame("A")
    rod.orient_axis(frame, frame.z, theta)
    rod.set_ang_vel(frame, zero * rod.x + omega * frame.z)
    pivot = Point("O")
    pivot.set_vel(frame, zero * frame.x)
    centre = pivot.locatenew("C", zero * rod.x - length / 2 * rod.y)
    centre.v2pt_theory(pivot, frame, rod)
    third = m * length**2 / 3
    model = eomc.Model(
        name="rod",
        inertial_frame=frame,
        coordinates=[theta],
        speeds=[omega],
        bodies=[RigidBody("rod", centre, rod, m, (inertia(rod, third, zero, third, zero, zero, zero), pivot))],
        gravity=zero * frame.x - g * frame.y,
        parameters={m: 1.3, length: 0.8, g: 9.81},
    )
    sim = compiled(model, method)
    moment = 1.3 * 0.8**2 / 3 if method == "hamilton" else 1.0
    found = sim.rhs(0.0, sim.state({"theta": 0.6}, {"omega": 1.7}))
    assert_allclose(found, [1.7, -3 * 9.81 * np.sin(0.6) / (2 * 0.8) * moment], rtol=1e-14)


def heavy_top(kind: str, entry: Any) -> Any:
    """Return the heavy symmetric top, 3-1-3 angles phi theta psi, as a body or from its Lagrangian."""
    theta, phi, psi = dynamicsymbols("theta phi psi")
    a, c, weight = sympy.symbols("A C mgl")
    numbers = values_of(entry, (a, c, weight))
    rates = [angle.diff(t) for angle in (theta, phi, psi)]
    spin = rates[2] + rates[1] * sympy.cos(theta)
    if kind == "lagrangian":
        across = rates[0] ** 2 + rates[1] ** 2 * sympy.sin(theta) ** 2
        lagrangian = a * across / 2 + c * spin**2 / 2 - weight * sympy.cos(theta)
        return eomc.from_lagrangian(lagrangian, name="top", coordinates=[theta, phi, psi], parameters=numbers)
    u = dynamicsymbols("theta_d phi_d psi_d")
    frame, lean, top = ReferenceFrame("N"), ReferenceFrame("L"), ReferenceFrame("B")
    heading = ReferenceFrame("H")
    heading.orient_axis(frame, frame.z, phi)
    lean.orient_axis(heading, heading.x, theta)
    top.orient_axis(lean, lean.z, psi)
    top.set_ang_vel(frame, u[0] * lean.x + u[1] * sympy.sin(theta) * lean.y + (u[2] + u[1] * sympy.cos(theta)) * lean.z)
    pivot = Point("O")
    pivot.set_vel(frame, 0)
    return eomc.Model(
        name="top",
        inertial_frame=frame,
        coordinates=[theta, phi, psi],
        speeds=u,
        bodies=[RigidBody("top", pivot, top, sympy.Integer(1), (inertia(top, a, a, c), pivot))],
        potential_energy=weight * sympy.cos(theta),
        parameters=numbers,
    )


@pytest.mark.parametrize(("kind", "method"), [
    ("bodies", "kane"), ("bodies", "lagrange"), ("bodies", "hamilton"),
    ("lagrangian", "lagrange"), ("lagrangian", "hamilton"),
])  # fmt: skip
def test_nutation_of_the_heavy_top(kind: str, method: str, compiled: Function, published: Function) -> None:
    """The lean comes back after the elliptic period; the precession meanwhile; both cyclic momenta."""
    entry = published("closed_forms", "heavy_symmetric_top_nutation")
    e, s = entry["expected"], entry["state"]
    sim = compiled(heavy_top(kind, entry), method)
    x0 = sim.state(
        {name: s.get(name, 0.0) for name in ("theta", "phi", "psi")},
        {name: s[name] for name in ("theta_d", "phi_d", "psi_d")},
    )
    momenta = sim.momenta(0.0, x0)
    assert_allclose([momenta["p_phi"], momenta["p_psi"]], [e["p_phi"], e["p_psi"]], rtol=1e-12)
    end = sim.simulate(e["nutation_period"], 2e-5, x0, every=10**6).x[-1]
    assert_allclose(end[0], s["theta"], atol=1e-10)
    assert_allclose(end[1], e["precession_angle_per_nutation"], rtol=entry["tolerance"])
    half = sim.simulate(e["nutation_period"] / 2, 2e-5, x0, every=10**6).x[-1]
    assert_allclose(half[0], e["theta_max"], rtol=entry["tolerance"])


def test_atwood_s_machine(compiled: Function, published: Function) -> None:
    """Two masses over a pulley with inertia: a = (m1 - m2) g/(m1 + m2 + I/R^2), everywhere and at any speed."""
    entry = published("closed_forms", "atwood_with_pulley")
    x, v = dynamicsymbols("x v")
    m1, m2, moment, radius, g = symbols = sympy.symbols("m1 m2 I R g")
    frame, pulley = ReferenceFrame("N"), ReferenceFrame("A")
    pulley.orient_axis(frame, frame.z, x / radius)
    pulley.set_ang_vel(frame, v / radius * frame.z)
    axle = Point("O")
    axle.set_vel(frame, 0)
    left, right = (
        axle.locatenew("L", -radius * frame.x - x * frame.y),
        axle.locatenew("R", radius * frame.x + x * frame.y),
    )
    left.set_vel(frame, -v * frame.y)
    right.set_vel(frame, v * frame.y)
    model = eomc.Model(
        name="atwood",
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v],
        bodies=[
            Particle("left", left, m1),
            Particle("right", right, m2),
            RigidBody("pulley", axle, pulley, sympy.Integer(1), (inertia(pulley, 0, 0, moment), axle)),
        ],
        gravity=-g * frame.y,
        parameters=values_of(entry, symbols),
    )
    for method in ("kane", "lagrange"):
        found = compiled(model, method).rhs(0.0, np.array([0.2, -0.7]))
        assert_allclose(found, [-0.7, entry["expected"]["a"]], rtol=entry["tolerance"])


def test_forces_in_the_ropes_of_atwood_s_machine(compiled: Function, published: Function) -> None:
    """The same with free masses and pulley, held by two ropes: their multipliers are the forces T1 and T2."""
    entry = published("closed_forms", "atwood_with_pulley")
    e, (x1, x2, phi), speeds = entry["expected"], dynamicsymbols("x1 x2 phi"), dynamicsymbols("v1 v2 w")
    m1, m2, moment, radius, g = symbols = sympy.symbols("m1 m2 I R g")
    frame, pulley = ReferenceFrame("N"), ReferenceFrame("A")
    pulley.orient_axis(frame, frame.z, phi)
    pulley.set_ang_vel(frame, speeds[2] * frame.z)
    axle = Point("O")
    axle.set_vel(frame, 0)
    hung = []
    for name, mass, side, depth, speed in (("left", m1, -1, x1, speeds[0]), ("right", m2, 1, x2, speeds[1])):
        point = axle.locatenew(name, side * radius * frame.x - depth * frame.y)
        point.set_vel(frame, -speed * frame.y)
        hung.append(Particle(name, point, mass))
    model = eomc.Model(
        name="atwood_with_ropes",
        inertial_frame=frame,
        coordinates=[x1, x2, phi],
        speeds=speeds,
        bodies=[*hung, RigidBody("pulley", axle, pulley, sympy.Integer(1), (inertia(pulley, 0, 0, moment), axle))],
        gravity=-g * frame.y,
        configuration_constraints=[x1 - radius * phi, x2 + radius * phi],
        parameters=values_of(entry, symbols),
    )
    for method in ("kane", "lagrange"):
        sim = compiled(model, method)
        x = np.array([0.1, -0.1, 0.5, 0.6, -0.6, 3.0])
        a = e["a"]
        tolerance = {"rtol": entry["tolerance"], "atol": entry["tolerance"]}
        assert_allclose(sim.rhs(0.0, x), [0.6, -0.6, 3.0, a, -a, a / 0.2], **tolerance)
        assert_allclose(list(sim.multipliers(0.0, x).values()), [e["T1"], e["T2"]], **tolerance)
