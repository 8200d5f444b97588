"""Accelerations, energies and momenta of the shipped models at the published states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.testing import assert_allclose

Function: TypeAlias = Callable[..., Any]

NOTES = "lecture_examples"
HOLONOMIC = ("kane", "gibbs-appell", "lagrange", "hamilton")
STENCIL = 1e-9  # accuracy of an acceleration that is found by differentiating q' along the motion


def close(found: Any, expected: Any, tolerance: float) -> None:
    """Require agreement to `tolerance`, relative above one and absolute below."""
    assert_allclose(np.asarray(found, float), np.asarray(expected, float), rtol=tolerance, atol=tolerance)


def given(sim: Any, entry: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Split the parameters of an entry into those that the simulator calls parameters and inputs."""
    values = {name: float(value) for name, value in entry["parameters"].items()}
    return {
        "parameters": {name: value for name, value in values.items() if name in sim.parameter_names},
        "inputs": {name: value for name, value in values.items() if name in sim.input_names},
    }


def second(sim: Any, x: Any, values: Mapping[str, Any], count: int) -> Any:
    """Return the first `count` q'' = d(q')/dx x' of a model without explicit time, by the emitted Jacobian."""
    slopes, _ = sim.jacobian(0.0, x, **values)
    return (slopes @ sim.rhs(0.0, x, **values))[:count]


def state(sim: Any, q: Mapping[str, float], u: Mapping[str, float], values: Mapping[str, Any]) -> Any:
    """Return the simulator's state from coordinates and speeds."""
    return sim.state(coordinates=q, speeds=u, parameters=values["parameters"])


class Point:
    """One published state of a model with q' = u, and what is known there."""

    def __init__(self, q: Mapping[str, float], u: Mapping[str, float], qdd: Sequence[float]) -> None:
        self.q, self.u, self.qdd = dict(q), dict(u), list(qdd)


def points(name: str, published: Function) -> list[tuple[dict[str, Any], Point]]:
    """Return the published states of a model as (entry or point of it, Point)."""
    if name == "simple_pendulum":
        entry = published(NOTES, "simple_pendulum_kane_004")
        s, e = entry["state"], entry["expected"]
        return [(entry, Point({"theta": s["theta"]}, {"theta_d": s["theta_d"]}, [e["theta_dd"]]))]
    if name == "double_pendulum":
        rows = []
        for point in published(NOTES, "double_pendulum_point_masses_004")["points"]:
            (a, b), (c, d) = point["state"]["th"], point["state"]["thd"]
            rows.append((point, Point({"th1": a, "th2": b}, {"th1d": c, "th2d": d}, point["expected"]["thdd"])))
        return rows
    if name == "double_pendulum_bars":
        entry = published(NOTES, "double_pendulum_bars_example4_004")
        (a, b), (c, d) = entry["state"]["q"], entry["state"]["qd"]
        return [(entry, Point({"q1": a, "q2": b}, {"q1d": c, "q2d": d}, entry["expected"]["qdd"]))]
    if name == "spherical_pendulum":
        entry = published(NOTES, "spherical_pendulum_hamilton_000")
        s, e = entry["state"], entry["expected"]
        q, u = {k: s[k] for k in ("theta", "phi")}, {k: e[k] for k in ("theta_d", "phi_d")}
        return [(entry, Point(q, u, [e["theta_dd"], e["phi_dd"]]))]
    if name == "two_masses_on_rod":
        entry = published(NOTES, "two_masses_on_rod_004")
        s, e = entry["state"], entry["expected"]
        q, u = {k: s[k] for k in ("q1", "q2")}, {k: s[k] for k in ("q1d", "q2d")}
        return [(entry, Point(q, u, [e["q1dd"], e["q2dd"]]))]
    if name == "two_link_arm":
        entry = published(NOTES, "two_arm_manipulator_004")
        s, e = entry["state"], entry["expected"]
        q, u = {k: s[k] for k in ("theta2", "theta3")}, {k: s[k] for k in ("theta2_d", "theta3_d")}
        return [(entry, Point(q, u, [e["theta2_dd"], e["theta3_dd"]]))]
    if name == "dissipative_chain":
        entry = published(NOTES, "dissipation_function_001")
        (a, b), (c, d) = entry["state"]["th"], entry["state"]["thd"]
        return [(entry, Point({"th1": a, "th2": b}, {"th1d": c, "th2d": d}, entry["expected"]["thdd"]))]
    entry = published(NOTES, "cylinder_in_cylinder_004")
    s, e = entry["state"], entry["expected"]
    return [(entry, Point({"theta": s["theta"]}, {"theta_d": s["theta_d"]}, [e["theta_dd"]]))]


PENDULUMS = [
    "simple_pendulum",
    "double_pendulum",
    "double_pendulum_bars",
    "spherical_pendulum",
    "two_masses_on_rod",
    "rolling_cylinder",
    "two_link_arm",
    "dissipative_chain",
]


@pytest.mark.parametrize("method", HOLONOMIC)
@pytest.mark.parametrize("name", PENDULUMS)
def test_published_accelerations(
    name: str, method: str, simulator: Function, published: Function, accelerations: Function
) -> None:
    """At the published states q'' is as published, under every method, and q' the given velocity."""
    sim = simulator(name, method)
    for entry, point in points(name, published):
        values = given(sim, entry)
        x = state(sim, point.q, point.u, values)
        rates = sim.rhs(0.0, x, **values)
        n = len(point.q)
        close(rates[:n], list(point.u.values()), 1e-12)
        if method == "hamilton":
            close(accelerations(sim, 0.0, x, **values), point.qdd, STENCIL)
            close(second(sim, x, values, n), point.qdd, 1e-12)
        else:
            close(rates[n:], point.qdd, 1e-12)


@pytest.mark.parametrize("method", HOLONOMIC)
def test_energy_of_the_double_pendulum(method: str, simulator: Function, published: Function) -> None:
    """E = T + V, with V counted from the pivot."""
    sim = simulator("double_pendulum", method)
    for entry, point in points("double_pendulum", published):
        values = given(sim, entry)
        energy = sim.energy(0.0, state(sim, point.q, point.u, values), **values)
        close(energy["total"], entry["expected"]["energy"], 1e-12)
        close(energy["kinetic"] + energy["potential"], energy["total"], 1e-14)


def test_spherical_pendulum_in_hamilton_s_form(simulator: Function, published: Function) -> None:
    """Hamilton's equations at the published state, which is given in momenta; p_phi' is exactly zero."""
    sim, entry = simulator("spherical_pendulum", "hamilton"), published(NOTES, "spherical_pendulum_hamilton_000")
    s, e, values = entry["state"], entry["expected"], given(sim, entry)
    assert sim.state_names == ("theta", "phi", "p_theta", "p_phi")
    x = np.array([s[name] for name in sim.state_names])
    rates = sim.rhs(0.0, x, **values)
    close(rates, [e["theta_d"], e["phi_d"], e["p_theta_d"], e["p_phi_d"]], entry["tolerance"])
    assert rates[3] == 0.0
    close(state(sim, *velocities(s, e), values), x, entry["tolerance"])


@pytest.mark.parametrize("method", HOLONOMIC)
def test_hamiltonian_of_the_spherical_pendulum(method: str, simulator: Function, published: Function) -> None:
    """H = T + V with V = m g l (1 - cos theta); p_phi is its momentum, whatever the method."""
    sim, entry = simulator("spherical_pendulum", method), published(NOTES, "spherical_pendulum_hamilton_000")
    s, e, values = entry["state"], entry["expected"], given(sim, entry)
    x = state(sim, *velocities(s, e), values)
    close(sim.energy(0.0, x, **values)["total"], e["H"], entry["tolerance"])
    close(sim.momenta(0.0, x, **values)["p_phi"], s["p_phi"], entry["tolerance"])


def velocities(s: Mapping[str, float], e: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Return coordinates and speeds of the published state of the spherical pendulum."""
    return {k: s[k] for k in ("theta", "phi")}, {k: e[k] for k in ("theta_d", "phi_d")}


def test_two_masses_on_a_rod_in_hamilton_s_form(simulator: Function, published: Function) -> None:
    """Momenta and their rates at the published state."""
    sim, entry = simulator("two_masses_on_rod", "hamilton"), published(NOTES, "two_masses_on_rod_004")
    values = given(sim, entry)
    _, point = points("two_masses_on_rod", published)[0]
    x = state(sim, point.q, point.u, values)
    assert sim.state_names == ("q1", "q2", "p_q1", "p_q2")
    close(x[2:], entry["expected"]["p"], entry["tolerance"])
    close(sim.rhs(0.0, x, **values)[2:], entry["expected"]["pd"], entry["tolerance"])


@pytest.mark.parametrize("method", HOLONOMIC)
def test_hamiltonian_of_the_rolling_cylinder(method: str, simulator: Function, published: Function) -> None:
    """H counts V from the lowest position and has rotation and translation in it."""
    sim, entry = simulator("rolling_cylinder", method), published(NOTES, "cylinder_in_cylinder_004")
    values = given(sim, entry)
    _, point = points("rolling_cylinder", published)[0]
    x = state(sim, point.q, point.u, values)
    close(sim.energy(0.0, x, **values)["total"], entry["expected"]["H"], entry["tolerance"])


def test_generalized_forces_of_the_two_link_arm(simulator: Function, published: Function) -> None:
    """At rest M q'' is Q, of motor, weights and the force at the tip."""
    sim, entry = simulator("two_link_arm", "lagrange"), published(NOTES, "two_arm_manipulator_004")
    e, values = entry["expected"], given(sim, entry)
    x = np.array([entry["state"]["theta2"], entry["state"]["theta3"], 0.0, 0.0])
    found = sim.mass_matrix(0.0, x, **values) @ sim.rhs(0.0, x, **values)[2:]
    close(found, [e["Q_theta2"], e["Q_theta3"]], entry["tolerance"])


@pytest.mark.parametrize("method", HOLONOMIC)
def test_dissipation_of_the_chain(method: str, simulator: Function, published: Function, derivative: Function) -> None:
    """F as published, and the energy falls with 2 F."""
    sim, entry = simulator("dissipative_chain", method), published(NOTES, "dissipation_function_001")
    e, values = entry["expected"], given(sim, entry)
    _, point = points("dissipative_chain", published)[0]
    x = state(sim, point.q, point.u, values)
    rates = sim.rhs(0.0, x, **values)
    close(sim.outputs(0.0, x, **values)[sim.output_names.index("dissipation")], e["F"], entry["tolerance"])
    falling = derivative(lambda h: sim.energy(0.0, x + h * rates, **values)["total"])
    close(falling, e["dEdt"], STENCIL)
    close(sim.power(0.0, x, **values)["total"], e["dEdt"], entry["tolerance"])


@pytest.mark.parametrize("signal", [False, True])
@pytest.mark.parametrize("method", HOLONOMIC)
def test_bar_on_a_moving_pivot(
    method: str, signal: bool, simulator: Function, published: Function, accelerations: Function
) -> None:
    """theta'', the momentum and its rate, and H, which is not T + V; z(t) as an expression and as inputs."""
    entry = published(NOTES, "bar_prescribed_z_004")
    s, e = entry["state"], entry["expected"]
    sim = simulator("bar_on_moving_pivot:1" if signal else "bar_on_moving_pivot", method)
    values = given(sim, entry)
    if signal:
        a, w = entry["parameters"]["z_amp"], entry["parameters"]["z_omega"]
        sine, cosine = np.sin(w * s["t"]), np.cos(w * s["t"])
        values["inputs"] |= {"z": a * sine, "z_d": a * w * cosine, "z_dd": -a * w**2 * sine}
    second = e["P"] if method == "hamilton" else s["theta_d"]
    x = np.array([s["theta"], second])
    if not signal:
        close(sim.state({"theta": s["theta"]}, {"theta_d": s["theta_d"]}, t=s["t"]), x, entry["tolerance"])
    expected = e["P_d"] if method == "hamilton" else e["theta_dd"]
    close(sim.rhs(s["t"], x, **values), [s["theta_d"], expected], entry["tolerance"])
    if not signal:
        close(accelerations(sim, s["t"], x, **values), [e["theta_dd"]], STENCIL)
    energy = sim.energy(s["t"], x, **values)
    close([energy["jacobi"], energy["total"]], [e["H"], e["T_plus_V"]], entry["tolerance"])


def test_thin_coin(simulator: Function, published: Function, derivative: Function) -> None:
    """A thin disk in its angular velocity: the rolling disk's rates, the acceleration of the centre, the energy."""
    sim, entry = simulator("thin_coin"), published(NOTES, "rolling_disk_no_slip_000")
    point = entry["points"][0]
    p, e, values = point["parameters"], point["expected"], given(sim, point)
    close([p["It"], p["Ia"]], [p["m"] * p["R"] ** 2 / 4, p["m"] * p["R"] ** 2 / 2], 1e-15)
    x = np.array([*point["state"]["q"], *point["state"]["u"]], float)
    rates = sim.rhs(0.0, x, **values)
    close(rates, [*e["qd"], *e["ud"]], entry["tolerance"])
    close(derivative(lambda h: sim.rhs(0.0, x + h * rates, **values)[:5]), e["qdd"], STENCIL)
    close(second(sim, x, values, 5), e["qdd"], entry["tolerance"])
    close(sim.energy(0.0, x, **values)["total"], e["energy"], entry["tolerance"])

    def centre(h: float) -> Any:
        """Return the velocity of the centre a time h later, by differentiating its position."""
        here = x + h * rates
        direction = sim.rhs(0.0, here, **values)
        return derivative(lambda k: sim.outputs(0.0, here + k * direction, **values))

    close(derivative(centre), e["a_C_inertial"], 10 * STENCIL)


def test_chaplygin_sleigh(simulator: Function, published: Function, derivative: Function) -> None:
    """Accelerations of the sleigh and of its knife edge, and the force on the blade, are the published ones."""
    sim, entry = simulator("chaplygin_sleigh"), published(NOTES, "chaplygin_sleigh_003")
    s, e, values = entry["state"], entry["expected"], given(sim, entry)
    x = np.array([*s["q"], s["u1"], s["u3"]], float)
    rates = sim.rhs(0.0, x, **values)
    close(rates[3:], [e["u1d"], e["u3d"]], entry["tolerance"])
    close(rates[:3], [1.1 * np.cos(0.6), 1.1 * np.sin(0.6), 0.9], entry["tolerance"])
    close(derivative(lambda h: sim.rhs(0.0, x + h * rates, **values)[:3]), e["qdd_cartesian"], STENCIL)
    close(second(sim, x, values, 3), e["qdd_cartesian"], entry["tolerance"])
    force = sim.outputs(0.0, x, **values)[sim.output_names.index("blade_force")]
    close(force, e["lateral_force_on_blade"], entry["tolerance"])


def test_vertical_rolling_disk(simulator: Function, published: Function, derivative: Function) -> None:
    """Steering and driving torque turn and speed up the disk as published."""
    sim, entry = simulator("vertical_rolling_disk"), published(NOTES, "vertical_rolling_disk_002")
    s, e, values = entry["state"], entry["expected"], given(sim, entry)
    x = np.array([*s["q"], s["theta_d"], s["v"]], float)
    rates = sim.rhs(0.0, x, **values)
    close(rates[4:], [e["theta_dd"], e["v_d"]], entry["tolerance"])
    close(derivative(lambda h: sim.rhs(0.0, x + h * rates, **values)[:4]), e["qdd"], STENCIL)
    close(second(sim, x, values, 4), e["qdd"], entry["tolerance"])


@pytest.mark.parametrize("index", [0, 1])
def test_rolling_disk(index: int, simulator: Function, published: Function, derivative: Function) -> None:
    """Rates u', q', q'' and the energy at the published states, for a thin disk and for a body with other inertia."""
    sim, entry = simulator("rolling_disk"), published(NOTES, "rolling_disk_no_slip_000")
    point = entry["points"][index]
    e, values = point["expected"], given(sim, point)
    x = np.array([*point["state"]["q"], *point["state"]["u"]], float)
    rates = sim.rhs(0.0, x, **values)
    close(rates[:5], e["qd"], entry["tolerance"])
    close(rates[5:], e["ud"], entry["tolerance"])
    close(derivative(lambda h: sim.rhs(0.0, x + h * rates, **values)[:5]), e["qdd"], STENCIL)
    close(second(sim, x, values, 5), e["qdd"], entry["tolerance"])
    close(sim.energy(0.0, x, **values)["total"], e["energy"], entry["tolerance"])


def test_motion_of_the_rolling_disk_in_space(simulator: Function, published: Function, derivative: Function) -> None:
    """Acceleration of the centre and angular acceleration, along the axes of the disk that leans but does not spin."""
    sim, entry = simulator("rolling_disk"), published(NOTES, "rolling_disk_no_slip_000")
    point = entry["points"][0]
    e, values = point["expected"], given(sim, point)
    x = np.array([*point["state"]["q"], *point["state"]["u"]], float)
    rates = sim.rhs(0.0, x, **values)

    def axes(here: Any) -> Any:
        """Return i0, j0, k0 in the inertial frame, as rows."""
        (ct, st), (cp, sp) = ((np.cos(angle), np.sin(angle)) for angle in here[:2])
        return np.array([[cp, sp, 0.0], [-ct * sp, ct * cp, st], [st * sp, -st * cp, ct]])

    def centre(h: float) -> Any:
        """Return the velocity of the centre a time h later, by differentiating its position."""
        here = x + h * rates
        direction = sim.rhs(0.0, here, **values)
        return derivative(lambda k: sim.outputs(0.0, here + k * direction, **values))

    turning = derivative(lambda h: (x + h * rates)[5:] @ axes(x + h * rates))
    close(axes(x) @ turning, e["alpha_in_B0"], STENCIL)
    close(derivative(centre), e["a_C_inertial"], 10 * STENCIL)
    close(axes(x) @ derivative(centre), e["a_C_in_B0"], 10 * STENCIL)

    # to all digits in the turning axes, whose angular velocity is (u1, u2, phi' cos theta)
    omega, omega_d, radius = x[5:], rates[5:], point["parameters"]["R"]
    axes_turn = np.array([omega[0], omega[1], rates[1] * np.cos(x[0])])
    velocity, velocity_d = (radius * np.array([-w[2], 0.0, w[0]]) for w in (omega, omega_d))
    acceleration = velocity_d + np.cross(axes_turn, velocity)
    close(omega_d + np.cross(axes_turn, omega), e["alpha_in_B0"], entry["tolerance"])
    close(acceleration, e["a_C_in_B0"], entry["tolerance"])
    close(acceleration @ axes(x), e["a_C_inertial"], entry["tolerance"])
    mass, up = point["parameters"]["m"], axes(x) @ [0.0, 0.0, point["parameters"]["g"]]
    close(mass * (acceleration + up), e["contact_force_in_B0"], entry["tolerance"])


def test_equations_as_printed_are_other_equations(simulator: Function, published: Function) -> None:
    """The notes' slips give the numbers that are said to come from them, and these are not ours.

    A pendulum with gravity reversed; two bars with m1 for m2 in M11; a crank with moments for weights.
    """
    sim, entry = simulator("simple_pendulum"), published(NOTES, "simple_pendulum_kane_004")
    s, values = entry["state"], given(sim, entry)
    values["parameters"]["g"] *= -1
    rates = sim.rhs(0.0, np.array([s["theta"], s["theta_d"]]), **values)
    close(rates[1], entry["expected"]["printed_equation_gives"], entry["tolerance"])

    sim, entry = simulator("double_pendulum_bars"), published(NOTES, "double_pendulum_bars_example4_004")
    values, (_, q2) = given(sim, entry), entry["state"]["q"]
    x = np.array([*entry["state"]["q"], *entry["state"]["qd"]])
    mass, force = sim.mass_matrix(0.0, x, **values) + 0.0, sim.forcing(0.0, x, **values)
    mass[0, 0] += (entry["parameters"]["m1"] - entry["parameters"]["m2"]) * (16 / 3 + 4 * np.cos(q2))
    close(np.linalg.solve(mass, force), entry["expected"]["qdd_with_printed_m1_in_M11"], entry["tolerance"])

    sim, entry = simulator("slider_crank_unequal:0"), published(NOTES, "slider_crank_000")
    p, s, values = entry["parameters"], entry["state"], given(sim, entry)
    x = sim.state(
        {"theta": s["theta"], "beta": s["beta"], "x": s["x"]}, {"u1": s["u1"]}, parameters=values["parameters"]
    )
    right = (p["m1"] + p["m2"]) / 2
    printed = (p["m1"] * p["l1"] + p["m2"] * p["l2"]) / 4
    close(sim.rhs(0.0, x, **values)[-1], entry["expected"]["u1d"], entry["tolerance"])
    values["inputs"]["tau"] += (right - printed) * p["g"] * p["l1"] * np.cos(s["theta"])
    wrong = entry["expected"]["u1d_if_printed_gravity_term_were_used"]
    close(sim.rhs(0.0, x, **values)[-1], wrong, entry["tolerance"])


@pytest.mark.parametrize("method", HOLONOMIC)
@pytest.mark.parametrize(("friction", "key"), [(0.0, "ud_frictionless"), (None, "ud_viscous")])
def test_rolling_disk_with_slip(
    method: str, friction: float | None, key: str, simulator: Function, published: Function, derivative: Function
) -> None:
    """Rates u' without and with viscous friction; for Lagrange and Hamilton through the kinematical equations."""
    sim, entry = simulator("rolling_disk_with_slip", method), published(NOTES, "rolling_disk_with_slip_000")
    values = given(sim, entry)
    if friction is not None:
        values["parameters"]["c"] = friction
    q = dict(zip(("theta", "phi", "psi", "X", "Y"), entry["state"]["q"], strict=True))
    u = dict(zip(("u1", "u2", "u3", "u4", "u5"), entry["state"]["u"], strict=True))
    x = state(sim, q, u, values)
    rates = sim.rhs(0.0, x, **values)

    def speeds(h: float) -> list[float]:
        """Return u1 ... u5 a time h later, from the definition of the speeds and q'."""
        here = x + h * rates
        theta, (theta_d, phi_d, psi_d, x_d, y_d) = here[0], sim.rhs(0.0, here, **values)[:5]
        return [theta_d, phi_d * np.sin(theta), phi_d * np.cos(theta) + psi_d, x_d, y_d]

    close(speeds(0.0), entry["state"]["u"], entry["tolerance"])
    close(derivative(speeds), entry["expected"][key], STENCIL)
    if method == "kane":
        close(rates[5:], entry["expected"][key], entry["tolerance"])
