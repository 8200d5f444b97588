"""Motions that are known in closed form: periods, positions after a given time, constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipj, ellipk

Function: TypeAlias = Callable[..., Any]

FORMS = "closed_forms"
HOLONOMIC = ("kane", "lagrange", "hamilton")
FINE = 2.5e-4  # a step at which Runge-Kutta's error on these motions is far below the tolerances [s]


@pytest.mark.parametrize("method", HOLONOMIC)
def test_period_of_the_simple_pendulum(method: str, simulator: Function, published: Function) -> None:
    """T = 4 sqrt(L/g) K(sin(delta0/2)) and delta(t) = 2 asin(k sn(K - w0 t)), delta from the hanging position."""
    sim, entry = simulator("simple_pendulum", method), published(FORMS, "pendulum_exact_period")
    e, parameters = entry["expected"], {"L": 1.0, "g": 9.81}
    hanging = np.pi / 2
    x0 = sim.state({"theta": hanging + entry["state"]["theta0"]}, {"theta_d": 0.0}, parameters=parameters)
    at_1s = sim.simulate(1.0, FINE, x0, parameters=parameters, every=10**6)["theta"][-1]
    assert_allclose(at_1s - hanging, e["theta_at_1s"], rtol=entry["tolerance"])
    after = sim.simulate(e["period"], FINE, x0, parameters=parameters, every=10**6).x[-1]
    assert_allclose(after, x0, atol=1e-10)


def test_simple_pendulum_of_the_benchmark_library(simulator: Function, published: Function) -> None:
    """IFToMM A01: let go from the horizontal, followed for 10 s."""
    sim, entry = simulator("simple_pendulum"), published("iftomm_benchmarks", "A01_simple_pendulum")
    parameters = {"m": 1.0, "L": 1.0, "g": 9.81}
    x0 = sim.state({"theta": 0.0}, {"theta_d": 0.0}, parameters=parameters)
    for point in entry["expected"]["points"]:
        motion = sim.simulate(point["t"], FINE, x0, parameters=parameters, every=10**6)
        found = [motion["x"][-1], motion["y"][-1]]
        assert_allclose(found, [point["x"], point["y"]], atol=entry["tolerance"])
        energy = sim.energy(point["t"], motion.x[-1], parameters=parameters)
        assert_allclose(energy["total"], entry["expected"]["energy"], atol=1e-9)
    period = entry["expected"]["period"]
    half = sim.simulate(period / 2, FINE, x0, parameters=parameters, every=10**6)
    assert_allclose(half.x[-1], [np.pi, 0.0], atol=entry["tolerance"])
    quarter = sim.simulate(period / 4, FINE, x0, parameters=parameters, every=10**6)
    assert_allclose(quarter["theta"][-1], np.pi / 2, atol=entry["tolerance"])


@pytest.mark.parametrize("method", HOLONOMIC)
def test_period_of_the_rolling_cylinder(method: str, simulator: Function, published: Function) -> None:
    """T = 4 sqrt(3 (R - r)/(2 g)) K(sin(theta0/2)); a quarter of it leads to the lowest point."""
    sim, entry = simulator("rolling_cylinder", method), published(FORMS, "rolling_cylinder_period")
    period, x0 = entry["expected"]["period"], sim.state({"theta": 1.0}, {"theta_d": 0.0})
    assert_allclose(sim.simulate(period, FINE, x0, every=10**6).x[-1], x0, atol=1e-10)
    assert_allclose(sim.simulate(period / 4, FINE, x0, every=10**6)["theta"][-1], 0.0, atol=1e-10)


def test_small_swings_of_the_rolling_cylinder(simulator: Function, published: Function) -> None:
    """For small angles the period is 2 pi sqrt(3 (R - r)/(2 g)), with an error of theta0^2/16."""
    sim, entry = simulator("rolling_cylinder"), published("lecture_examples", "cylinder_in_cylinder_004")
    x0 = sim.state({"theta": 1e-4}, {"theta_d": 0.0})
    quarter = entry["expected"]["small_angle_period"] / 4
    assert_allclose(sim.simulate(quarter, FINE, x0, every=10**6)["theta"][-1] / 1e-4, 0.0, atol=1e-8)


@pytest.mark.parametrize("method", HOLONOMIC)
def test_period_of_the_spherical_pendulum(method: str, simulator: Function, published: Function) -> None:
    """After the period of theta the angle is back, and the azimuth has advanced by the elliptic integral."""
    sim, entry = simulator("spherical_pendulum", method), published(FORMS, "spherical_pendulum_period")
    s, e, parameters = entry["state"], entry["expected"], {"l": 1.0, "m": 1.0, "g": 9.81}
    q, u = {"theta": s["theta"], "phi": s["phi"]}, {"theta_d": s["theta_d"], "phi_d": s["phi_d"]}
    x0 = sim.state(q, u, parameters=parameters)
    after = sim.simulate(e["period"], 1e-4, x0, parameters=parameters, every=10**6).x[-1]
    assert_allclose(after[[0, 2]], x0[[0, 2]], atol=5e-10)
    assert_allclose(after[1], e["azimuth_per_period"], rtol=entry["tolerance"])
    assert_allclose(sim.momenta(0.0, x0, parameters=parameters)["p_phi"], e["J"], rtol=1e-13)
    # the published h counts the potential energy from the pivot
    assert_allclose(sim.energy(0.0, x0, parameters=parameters)["total"] - 9.81, e["h"], rtol=1e-13)
    # z'^2 = 2 (h - g z)(1 - z^2) - J^2 has the heights between which the mass swings for roots
    momentum, h = sim.momenta(0.0, x0, parameters=parameters)["p_phi"], e["h"]
    roots = np.sort(np.roots([2 * 9.81, -2 * h, -2 * 9.81, 2 * h - momentum**2]))
    assert_allclose(roots, e["roots"], rtol=entry["tolerance"])
    half = sim.simulate(e["period"] / 2, 1e-4, x0, parameters=parameters, every=10**6)["theta"][-1]
    assert_allclose(sorted([-np.cos(half), -np.cos(s["theta"])]), e["roots"][:2], rtol=entry["tolerance"])


def test_torque_free_top(simulator: Function, published: Function) -> None:
    """Euler's top: w1 = a1 cn, w2 = a2 sn, w3 = a3 dn; the period of w is 4 K(m)/nu."""
    sim, entry = simulator("free_rigid_body"), published(FORMS, "torque_free_asymmetric_top")
    e = entry["expected"]
    x0 = sim.state({}, dict(zip(("w1", "w2", "w3"), entry["state"]["w"], strict=True)))
    at_2 = sim.simulate(2.0, FINE, x0, every=10**6).x[-1]
    assert_allclose(at_2[4:], e["w_at_2"], rtol=entry["tolerance"])
    after = sim.simulate(e["period"], 1e-3, x0, every=10**6).x[-1]
    assert_allclose(after[4:], x0[4:], atol=1e-10)
    assert_allclose(2 * sim.energy(0.0, x0)["kinetic"], e["twoE"], rtol=1e-14)
    momentum = sim.outputs(0.0, x0)[sim.output_names.index("angular_momentum")]
    assert_allclose(momentum**2, e["M2"], rtol=1e-14)
    # modulus and rate of the elliptic functions from the emitted constants, and the whole course with them
    i1, i2, i3 = 1.0, 2.0, 3.0
    energy, square = 2 * sim.energy(0.0, x0)["kinetic"], momentum**2
    assert e["case_M2_gt_2E_I2"] is bool(square > energy * i2)
    nu = np.sqrt((i3 - i2) * (square - energy * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (energy * i3 - square) / ((i3 - i2) * (square - energy * i1))
    assert_allclose([nu, m, 4 * ellipk(m) / nu], [e["nu"], e["m"], e["period"]], rtol=entry["tolerance"])
    motion = sim.simulate(10.0, 1e-3, x0, every=100)
    sn, cn, dn, _ = ellipj(nu * motion.t, m)
    heights = np.sqrt([
        (energy * i3 - square) / (i1 * (i3 - i1)), (energy * i3 - square) / (i2 * (i3 - i2)),
        (square - energy * i1) / (i3 * (i3 - i1)),
    ])  # fmt: skip
    assert_allclose(motion.x[:, 4:], heights * np.column_stack([cn, sn, dn]), atol=1e-10)


def test_top_keeps_its_angular_momentum_in_space(simulator: Function) -> None:
    """The angular momentum, turned into the inertial axes by the quaternion, does not change: the attitude is right."""
    sim = simulator("free_rigid_body")
    motion = sim.simulate(10.0, 1e-3, every=100)
    e0, e1, e2, e3 = (motion[f"e{k}"] for k in range(4))
    h1, h2, h3 = motion["w1"] * 1.0, motion["w2"] * 2.0, motion["w3"] * 3.0
    in_space = np.array([
        (1 - 2 * (e2**2 + e3**2)) * h1 + 2 * (e1 * e2 - e0 * e3) * h2 + 2 * (e1 * e3 + e0 * e2) * h3,
        2 * (e1 * e2 + e0 * e3) * h1 + (1 - 2 * (e1**2 + e3**2)) * h2 + 2 * (e2 * e3 - e0 * e1) * h3,
        2 * (e1 * e3 - e0 * e2) * h1 + 2 * (e2 * e3 + e0 * e1) * h2 + (1 - 2 * (e1**2 + e2**2)) * h3,
    ])  # fmt: skip
    assert_allclose(in_space, np.broadcast_to(in_space[:, :1], in_space.shape), atol=1e-9)
    assert_allclose(motion["quaternion_norm"], 1.0, atol=1e-11)


def test_kepler(simulator: Function, published: Function) -> None:
    """Position after 2 s, return after 2 pi sqrt(a^3/GM); energy, angular momentum and perihelion vector stay."""
    sim, entry = simulator("kepler"), published(FORMS, "kepler_two_body")
    s, e = entry["state"], entry["expected"]
    x0 = np.array([s["x"], s["y"], s["px"], s["py"]], float)
    assert_allclose(sim.initial_state, x0)
    assert_allclose(sim.simulate(2.0, FINE, x0, every=10**6).x[-1][:2], e["xy_at_t2"], rtol=entry["tolerance"])
    motion = sim.simulate(e["period"], 5e-4, x0, every=100)
    assert_allclose(motion.x[-1], x0, atol=1e-10)
    energy = sim.energy(motion.t, motion.x)["hamiltonian"]
    assert_allclose(energy, e["E"], rtol=1e-11)
    assert_allclose(-1 / (2 * energy), e["a"], rtol=entry["tolerance"])  # half axis, by the energy
    apses = 1 / (e["a"] * (1 + np.array([-1, 1]) * e["e"]))  # and by both ends of the ellipse
    distance = np.hypot(motion["x"], motion["y"])
    assert_allclose(1 / np.array([distance.min(), distance.max()]), apses, rtol=1e-6)
    assert_allclose(motion["angular_momentum"], e["L"], rtol=1e-11)
    assert_allclose(motion["eccentricity_x"], e["e"], rtol=1e-10)
    assert_allclose(motion["eccentricity_y"], 0.0, atol=1e-10)


def test_kepler_period_depends_on_the_half_axis_only(simulator: Function) -> None:
    """T = 2 pi a^(3/2) = 11.542948471457 for a = 1.5, also on an ellipse."""
    sim = simulator("kepler")
    x0 = np.array([1.0, 0.0, 0.0, np.sqrt(4 / 3)])  # E = -1/3 = -1/(2 a)
    assert_allclose(sim.simulate(11.542948471457, 5e-4, x0, every=10**6).x[-1], x0, atol=1e-10)


def test_henon_heiles(simulator: Function, published: Function) -> None:
    """State after 10 units of time, and H, from a Taylor series of 25 digits."""
    sim, entry = simulator("henon_heiles"), published(FORMS, "henon_heiles")
    s, e = entry["state"], entry["expected"]
    x0 = np.array([s["x"], s["y"], s["px"], s["py"]])
    assert_allclose(sim.energy(0.0, x0)["hamiltonian"], e["H"], rtol=1e-14)
    assert_allclose(sim.simulate(10.0, 1e-3, x0, every=10**6).x[-1], e["state_at_10"], atol=entry["tolerance"])


def test_chaplygin_sleigh(simulator: Function, published: Function) -> None:
    """Without forces u = C tanh(k t + c0), w = C sqrt(m/J) sech(k t + c0), and the heading is a gudermannian."""
    sim, entry = simulator("chaplygin_sleigh"), published(FORMS, "chaplygin_sleigh_closed_form")
    s, e = entry["state"], entry["expected"]
    x0 = sim.state({"q3": s["heading"]}, {"u1": s["u"], "u3": s["w"]})
    motion = sim.simulate(10.0, 1e-3, x0, every=500)
    m, a, inertia = 3.0, 0.4, 0.7 + 3.0 * 0.4**2
    speed = np.sqrt(s["u"] ** 2 + inertia / m * s["w"] ** 2)
    assert_allclose(speed, e["C"], rtol=1e-14)
    rate, start = a * speed * m / inertia, np.arctanh(s["u"] / speed)
    phase = rate * motion.t + start
    assert_allclose(motion["u1"], speed * np.tanh(phase), atol=1e-11)
    assert_allclose(motion["u3"], speed * np.sqrt(m / inertia) / np.cosh(phase), atol=1e-11)
    turned = np.sqrt(inertia / m) / a * 2 * (np.arctan(np.tanh(phase / 2)) - np.arctan(np.tanh(start / 2)))
    assert_allclose(motion["q3"], turned, atol=1e-11)
    # from sliding backwards without turning to sliding forwards: the phase from -20 to 20
    early = sim.state({"q3": 0.0}, {"u1": speed * np.tanh(-20.0), "u3": speed * np.sqrt(m / inertia) / np.cosh(20.0)})
    turned_in_all = sim.simulate(40 / rate, 1e-3, early, every=10**6)["q3"][-1]
    assert_allclose(turned_in_all, e["total_heading_minus_inf_to_inf"], rtol=1e-7)
    assert_allclose(np.pi * np.sqrt(inertia / (m * a**2)), e["total_heading_minus_inf_to_inf"], rtol=entry["tolerance"])
    at_2 = sim.simulate(2.0, FINE, x0, every=10**6).x[-1]
    assert_allclose(at_2[[3, 4, 2]], [e["u_at_2"], e["w_at_2"], e["heading_at_2"]], rtol=entry["tolerance"])


def test_vertical_rolling_disk_runs_on_a_circle(simulator: Function) -> None:
    """Without torques: radius v/theta', back at the start after 2 pi/theta', spun by v t/R."""
    sim = simulator("vertical_rolling_disk")
    x0 = sim.initial_state
    turn = 2 * np.pi / 1.2
    after = sim.simulate(turn, 1e-3, every=10**6).x[-1]
    assert_allclose(after - x0, [0, 0, 2 * np.pi, 1.5 * turn / 0.5, 0, 0], atol=1e-11)
    half = sim.simulate(turn / 2, 1e-3, every=10**6).x[-1]
    assert_allclose(half[:2] - x0[:2], [0, 2 * 1.5 / 1.2], atol=1e-11)


def test_cart_pole_swings_at_its_natural_frequency(simulator: Function) -> None:
    """Small swings of a pendulum on a free cart: w^2 = (g/l)(1 + m/M)."""
    sim = simulator("cart_pole")
    w = np.sqrt(9.81 / 0.5 * (1 + 0.2 / 1.0))
    x0 = sim.state({"x": 0.0, "theta": 1e-5}, {"x_d": 0.0, "theta_d": 0.0})
    after = sim.simulate(np.pi / (2 * w), FINE, x0, every=10**6)
    assert_allclose(after["theta"][-1] / 1e-5, 0.0, atol=1e-9)


def test_scipy_integrates_the_right_hand_side_as_it_is(simulator: Function) -> None:
    """`solve_ivp(sim.rhs, ...)` gives the exact motion of the pendulum."""
    from scipy.integrate import solve_ivp

    sim = simulator("simple_pendulum")
    w, k = np.sqrt(9.81 / 0.7), np.sin(np.pi / 4)  # let go from the horizontal
    run = solve_ivp(sim.rhs, (0.0, 3.0), sim.initial_state, method="DOP853", rtol=1e-12, atol=1e-12)
    sn, _, _, _ = ellipj(ellipk(k**2) - w * run.t, k**2)
    assert_allclose(run.y[0], np.pi / 2 - 2 * np.arcsin(k * sn), atol=1e-9)
