"""The rolling disk against two centuries of results: steady motion, stability, integrals by Legendre functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import eomc

Function: TypeAlias = Callable[..., Any]
Array: TypeAlias = NDArray[np.float64]

THETA, PHI, PSI, X, Y, U1, U2, U3 = range(8)
RADIUS, GRAVITY = 0.5, 9.81
THIN = {"m": 1.0, "R": RADIUS, "It": 0.0625, "Ia": 0.125, "g": GRAVITY}  # uniform disk: m R^2/4, m R^2/2
HOOP = {"m": 1.0, "R": RADIUS, "It": 0.125, "Ia": 0.25, "g": GRAVITY}  # all mass at the rim: m R^2/2, m R^2
UPRIGHT = np.array([np.pi / 2, 0, 0, 0, 0, 0, 0, 0], float)


def test_steady_motion(simulator: Function, published: Function) -> None:
    """Constant lean, heading rate and spin: Routh's relation makes all accelerations vanish."""
    sim, entry = simulator("rolling_disk"), published("rolling_disk", "steady_motion")
    theta, heading_rate, e = entry["state"]["theta"], entry["state"]["Omega"], entry["expected"]
    x0 = np.array([theta, 0, 0, 0, 0, 0, e["u2"], e["n"]], float)
    rates = sim.rhs(0.0, x0, parameters=THIN)
    assert_allclose(rates[U1:], e["ud"], atol=entry["tolerance"])
    assert_allclose(rates[[PHI, PSI]], [heading_rate, e["psi_d"]], rtol=entry["tolerance"])
    radius = np.hypot(rates[X], rates[Y]) / abs(rates[PHI])
    assert_allclose(radius, e["contact_circle_radius"], rtol=entry["tolerance"])


def test_the_contact_point_of_a_steady_motion_runs_on_a_circle(simulator: Function, published: Function) -> None:
    """Radius |R psi'/phi'|; half a turn leads to the other end of the diameter, a whole one back."""
    sim, entry = simulator("rolling_disk"), published("rolling_disk", "steady_motion")
    e, turn = entry["expected"], 2 * np.pi / abs(entry["state"]["Omega"])
    x0 = np.array([entry["state"]["theta"], 0, 0, 0, 0, 0, e["u2"], e["n"]], float)
    half = sim.simulate(turn / 2, 1e-3, x0, parameters=THIN, every=10**6).x[-1]
    whole = sim.simulate(turn, 1e-3, x0, parameters=THIN, every=10**6).x[-1]
    assert_allclose(np.hypot(half[X], half[Y]), 2 * e["contact_circle_radius"], rtol=1e-10)
    assert_allclose(whole[[X, Y]], 0.0, atol=1e-10)
    assert_allclose(whole[[THETA, U1, U2, U3]], x0[[THETA, U1, U2, U3]], atol=1e-10)


def growth(sim: Any, jacobian: Function, x: Array, parameters: dict[str, float]) -> float:
    """Return the largest real part of the eigenvalues of the motion linearized in theta, u1, u2."""
    kept = [THETA, U1, U2]
    matrix = jacobian(sim, x, step=2e-2, parameters=parameters)[np.ix_(kept, kept)]
    return float(np.linalg.eigvals(matrix).real.max())


@pytest.mark.parametrize(("body", "key", "index"), [
    (THIN, "v_crit_thin_disk", "thin_disk_below_above"),
    (HOOP, "v_crit_hoop", "hoop"),
])  # fmt: skip
def test_straight_rolling_is_stable_above_the_critical_speed(
    body: dict[str, float], key: str, index: str, simulator: Function, published: Function, jacobian: Function
) -> None:
    """v^2 > g R/3 for a thin disk, g R/4 for a hoop: one part in 10,000 decides between growth and none."""
    sim, e = simulator("rolling_disk"), published("rolling_disk", "upright_rolling_stability")["expected"]
    below, above = (UPRIGHT + 0.0 for _ in range(2))
    below[U3], above[U3] = (e[key] * factor / RADIUS for factor in (1 - 1e-4, 1 + 1e-4))
    assert_allclose(growth(sim, jacobian, below, body), e["growth_rate_check"][index][0], rtol=1e-6)
    assert abs(growth(sim, jacobian, above, body)) < 1e-7


def squared_exponent(x: Array, body: dict[str, float], kept: list[int]) -> float:
    """Return s^2 of the motion exp(+-s t) about x, from A of `eomc.linearize`: the third eigenvalue is zero."""
    model = eomc.load("rolling_disk")
    linear = eomc.linearize(model, at=dict(zip(model.coordinates + model.speeds, x, strict=True)), parameters=body)
    matrix = linear.A[np.ix_(kept, kept)]
    assert abs(np.linalg.det(matrix)) < 1e-12
    return float(np.trace(matrix @ matrix) / 2)


@pytest.mark.parametrize(("body", "key", "index"), [
    (THIN, "v_crit_thin_disk", "thin_disk_below_above"),
    (HOOP, "v_crit_hoop", "hoop"),
])  # fmt: skip
def test_critical_speed_to_all_digits(body: dict[str, float], key: str, index: str, published: Function) -> None:
    """s^2 is linear in the square of the speed: its zero by two points, and s itself on both sides of it."""
    entry = published("rolling_disk", "upright_rolling_stability")
    e, tolerance = entry["expected"], entry["tolerance"]

    def at(speed: float) -> float:
        x = UPRIGHT + 0.0
        x[U3] = speed / RADIUS
        return squared_exponent(x, body, [THETA, U1, U2])

    still, rolling = at(0.0), at(2.0)
    assert_allclose(2.0 * np.sqrt(still / (still - rolling)), e[key], rtol=tolerance)
    found = [np.sqrt(max(at(e[key] * factor), 0.0)) for factor in (1 - 1e-4, 1 + 1e-4)]
    assert_allclose(found, e["growth_rate_check"][index], atol=tolerance)
    if body is THIN:
        assert_allclose(np.sqrt(-rolling), e["lean_frequency_v2"], rtol=tolerance)


def test_critical_rate_of_spinning_to_all_digits(published: Function) -> None:
    """The same for a coin that spins on the spot."""
    entry = published("rolling_disk", "upright_rolling_stability")

    def at(rate: float) -> float:
        x = UPRIGHT + 0.0
        x[U2] = rate
        return squared_exponent(x, THIN, [THETA, U1, U3])

    still, spinning = at(0.0), at(5.0)
    critical = 5.0 * np.sqrt(still / (still - spinning))
    assert_allclose(critical, entry["expected"]["spin_crit_thin_disk"], rtol=entry["tolerance"])


def test_frequency_of_the_lean_in_straight_rolling(
    simulator: Function, published: Function, jacobian: Function
) -> None:
    """At v = 2 m/s the thin disk wobbles with w^2 = [(Ia + m R^2)(Ia/It) n^2 - m g R]/(It + m R^2)."""
    sim, e = simulator("rolling_disk"), published("rolling_disk", "upright_rolling_stability")["expected"]
    x = UPRIGHT + 0.0
    x[U3] = 2.0 / RADIUS
    kept = [THETA, U1, U2]
    eigenvalues = np.linalg.eigvals(jacobian(sim, x, step=2e-2, parameters=THIN)[np.ix_(kept, kept)])
    assert_allclose(eigenvalues.imag.max(), e["lean_frequency_v2"], rtol=1e-10)


def test_spinning_on_the_spot_is_stable_above_the_critical_rate(
    simulator: Function, published: Function, jacobian: Function
) -> None:
    """A coin spinning about the vertical stays up for Omega^2 > 4 g/(5 R)."""
    sim, e = simulator("rolling_disk"), published("rolling_disk", "upright_rolling_stability")["expected"]
    kept = [THETA, U1, U3]
    for factor, stable in ((1 - 1e-3, False), (1 + 1e-3, True)):
        x = UPRIGHT + 0.0
        x[U2] = e["spin_crit_thin_disk"] * factor
        matrix = jacobian(sim, x, step=2e-2, parameters=THIN)[np.ix_(kept, kept)]
        assert bool(np.linalg.eigvals(matrix).real.max() < 1e-5) is stable


def test_trajectory(simulator: Function, published: Function) -> None:
    """All eight states after 0.5, 1, 2 and 5 s, and the energy."""
    sim, entry = simulator("rolling_disk"), published("rolling_disk", "trajectory_and_invariants")
    x0, e = np.array(entry["state"]["y0"], float), entry["expected"]
    for t, expected in zip(e["times"], e["states"], strict=True):
        found = sim.simulate(t, 2e-4, x0, parameters=THIN, every=10**6).x[-1]
        assert_allclose(found, expected, rtol=entry["tolerance"], atol=entry["tolerance"])
    assert_allclose(sim.energy(0.0, x0, parameters=THIN)["total"], e["energy"], rtol=1e-13)


def legendre(theta: float, nu: Any) -> tuple[float, float]:
    """Return P_nu(cos theta) and its derivative with respect to theta, for a conical nu."""
    x = mpmath.cos(theta)
    value = mpmath.hyp2f1(-nu, nu + 1, 1, (1 - x) / 2)
    slope = -nu * (nu + 1) * mpmath.hyp2f1(1 - nu, nu + 2, 2, (1 - x) / 2)  # with respect to (1 - x)/2
    return float(value.real), float((slope * mpmath.sin(theta) / 2).real)


def test_the_integrals_of_appell_and_korteweg(simulator: Function, published: Function) -> None:
    """u3 = c1 P(cos theta) + c2 P(-cos theta) with constant c1, c2; u2 follows from du3/dtheta."""
    sim, entry = simulator("rolling_disk"), published("rolling_disk", "trajectory_and_invariants")
    x0, e = np.array(entry["state"]["y0"], float), entry["expected"]
    kappa, scale = 4 / 3, (THIN["Ia"] + 0.25) / 0.25  # (Ia + m R^2)/(m R^2)
    nu = mpmath.mpc(-0.5, mpmath.sqrt(kappa - 0.25))
    motion = sim.simulate(5.0, 2e-4, x0, parameters=THIN, every=1000)
    found = []
    for x in motion.x:
        p, dp = legendre(x[THETA], nu)
        q, dq = legendre(np.pi - x[THETA], nu)
        found.append(np.linalg.solve([[p, q], [dp, -dq]], [x[U3], x[U2] / scale]))
    assert_allclose(found, np.broadcast_to([e["c1"], e["c2"]], (len(found), 2)), rtol=entry["tolerance"])
    assert np.ptp(found, axis=0).max() <= e["integral_spread_along_orbit"] + entry["tolerance"]


def test_rolling_and_leaning_as_yaw_lean_and_spin(simulator: Function, derivative: Function) -> None:
    """The thin disk in yaw q1, lean q2 (0 upright) and spin q3, from hand-made Newton-Euler equations.

    A published derivation that put the rolling constraint into the Lagrangian got other numbers.
    """
    sim = simulator("rolling_disk")
    for mass in (1.0, 2.0):
        parameters = {"m": mass, "R": 0.5, "It": mass / 16, "Ia": mass / 8, "g": 9.81}
        (q1, q2, q3), (v1, v2, v3) = (0.2, 0.3, 0.4), (0.5, 0.6, 0.7)
        theta = np.pi / 2 - q2
        x = np.array([theta, q1, q3, 0, 0, -v2, v1 * np.sin(theta), v1 * np.cos(theta) + v3])
        rates = sim.rhs(0.0, x, parameters=parameters)
        second = derivative(lambda h, x=x, r=rates, p=parameters: sim.rhs(0.0, x + h * r, parameters=p)[:3])
        assert_allclose(second[[1, 0, 2]] * [1, -1, 1], [-0.879271345292, 5.110306798364, -0.217825794891], atol=1e-9)
    assert_allclose(sim.energy(0.0, x, parameters=parameters)["total"], 9.768122840113, atol=1e-11)


def test_the_contact_point_of_the_disk_is_at_rest(simulator: Function) -> None:
    """The centre moves as if it turned about the point of contact: v_C = omega x R j0, without slip."""
    sim = simulator("rolling_disk")
    motion = sim.simulate(2.0, 1e-3)
    centre = np.array([motion["centre_x"], motion["centre_y"], motion["centre_z"]])
    velocity = np.gradient(centre, 1e-3, axis=1, edge_order=2)
    theta, phi, u1, u3 = motion["theta"], motion["phi"], motion["u1"], motion["u3"]
    i0 = np.array([np.cos(phi), np.sin(phi), 0 * phi])
    k0 = np.array([np.sin(theta) * np.sin(phi), -np.sin(theta) * np.cos(phi), np.cos(theta)])
    assert_allclose(velocity, 0.5 * (u1 * k0 - u3 * i0), atol=2e-4)


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_friction_takes_the_energy_that_it_should(method: str, simulator: Function) -> None:
    """With slip and viscous friction dE/dt = -c v_A^2, v_A being the slip velocity; the energy never grows."""
    sim = simulator("rolling_disk_with_slip", method)
    motion = sim.simulate(5.0, 1e-3)
    energy = sim.energy(motion.t, motion.x)["total"]
    power = -0.9 * (motion["slip_x"] ** 2 + motion["slip_y"] ** 2)
    assert (np.diff(energy) <= 1e-12).all()
    work = np.concatenate([[0.0], np.cumsum((power[1:] + power[:-1]) / 2) * 1e-3])
    assert_allclose(energy - energy[0], work, atol=2e-5)


def test_strong_friction_leads_to_rolling_without_slip(simulator: Function) -> None:
    """With c large and a start without slip, the sliding disk moves as the rolling one."""
    rolling, sliding = simulator("rolling_disk"), simulator("rolling_disk_with_slip")
    start = {"theta": 1.2, "phi": 0.0, "psi": 0.0, "u1": 0.1, "u2": 0.3, "u3": 4.0}
    q = {name: start[name] for name in ("theta", "phi", "psi")}
    u = {name: start[name] for name in ("u1", "u2", "u3")}
    roll = rolling.simulate(1.0, 1e-3, rolling.state(q, u), parameters=THIN)
    no_slip = {"u4": -RADIUS * np.cos(0.0) * 4.0, "u5": -RADIUS * np.sin(1.2) * 0.1}
    errors = []
    for friction in (1e3, 4e3):
        parameters = THIN | {"c": friction}
        slide = sliding.simulate(1.0, 1e-4, sliding.state(q, u | no_slip), parameters=parameters, every=10)
        errors.append(np.abs(slide.x[:, [0, 1, 2]] - roll.x[:, [0, 1, 2]]).max())
    assert errors[0] < 5e-2
    assert_allclose(errors[0] / errors[1], 4.0, rtol=0.05)  # the deviation falls as 1/c
