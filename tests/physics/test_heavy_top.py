"""The shipped heavy top, by angles and by a quaternion: nutation by elliptic functions, precession, constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.testing import assert_allclose

import eomc

Function: TypeAlias = Callable[..., Any]

A, C, WEIGHT = 0.02, 0.01, 1.5
WAYS = [
    *(("heavy_top", method) for method in ("kane", "gibbs-appell", "lagrange", "hamilton")),
    *(("heavy_top:quaternion", method) for method in ("kane", "gibbs-appell")),
]


@pytest.fixture
def top(published: Function) -> Any:
    """Return the published entry."""
    return published("closed_forms", "heavy_symmetric_top_nutation")


def start(sim: Any, theta: float, phi_d: float, psi_d: float) -> Any:
    """Return the state of a top that leans by theta and does not nutate yet."""
    if "e0" in sim.state_names:
        sine, cosine = np.sin(theta), np.cos(theta)
        turned = {"e0": np.cos(theta / 2), "e1": np.sin(theta / 2), "e2": 0.0, "e3": 0.0}
        return sim.state(turned, {"w1": 0.0, "w2": phi_d * sine, "w3": psi_d + phi_d * cosine})
    rates = {"theta_d": 0.0, "phi_d": phi_d, "psi_d": psi_d}
    return sim.state({"theta": theta, "phi": 0.0, "psi": 0.0}, rates)


def momenta(sim: Any, t: Any, x: Any) -> tuple[Any, Any]:
    """Return p_phi and p_psi."""
    if "e0" in sim.state_names:
        values = np.atleast_2d(sim.outputs(t, x))
        return values[:, sim.output_names.index("p_phi")], values[:, sim.output_names.index("p_psi")]
    found = sim.momenta(t, x)
    return found["p_phi"], found["p_psi"]


def lean(motion: Any) -> tuple[Any, Any]:
    """Return theta and phi along a motion from the direction of the axis, (sin th sin ph, -sin th cos ph, cos th)."""
    across = np.hypot(motion["axis_x"], motion["axis_y"])
    return np.arctan2(across, motion["axis_z"]), np.unwrap(np.arctan2(motion["axis_x"], -motion["axis_y"]))


@pytest.mark.parametrize(("name", "method"), WAYS)
def test_nutation(name: str, method: str, simulator: Function, top: Any) -> None:
    """The lean is back after the elliptic period, largest at half of it; the precession in between; E and momenta."""
    sim, s, e = simulator(name, method), top["state"], top["expected"]
    assert {one: top["parameters"][one] for one in sim.parameter_names} == {"A": A, "C": C, "mgl": WEIGHT}
    x0 = start(sim, s["theta"], s["phi_d"], s["psi_d"])
    assert_allclose(x0, sim.initial_state, atol=1e-15)
    motion = sim.simulate(e["nutation_period"] / 2, 2e-5, x0, every=100)
    theta, phi = lean(motion)
    tolerance = top["tolerance"]
    assert_allclose([theta[-1], phi[-1]], [e["theta_max"], e["precession_angle_per_nutation"] / 2], rtol=tolerance)
    motion = sim.simulate(e["nutation_period"], 2e-5, x0, every=100)
    theta, phi = lean(motion)
    assert_allclose([theta[-1], phi[-1]], [s["theta"], e["precession_angle_per_nutation"]], rtol=tolerance)
    # at rest again: the lean alone is stationary there, and would not tell a wrong period
    end, swing = motion.x[-1], WEIGHT * np.sin(s["theta"]) / A  # theta'' at the start
    rest = np.hypot(end[4], end[5]) if "e0" in sim.state_names else sim.rhs(motion.t[-1], end)[0]
    assert abs(rest) < swing * e["nutation_period"] * tolerance
    p_phi, p_psi = momenta(sim, motion.t, motion.x)
    assert_allclose(p_phi, e["p_phi"], rtol=tolerance)
    assert_allclose(p_psi, e["p_psi"], rtol=tolerance)
    total = sim.energy(motion.t, motion.x)["total"]
    assert_allclose(total, C * s["psi_d"] ** 2 / 2 + WEIGHT * np.cos(s["theta"]), rtol=tolerance)


@pytest.mark.parametrize(("name", "method"), WAYS)
def test_the_lean_stays_between_two_roots(name: str, method: str, simulator: Function, top: Any) -> None:
    """(alpha - beta u)(1 - u^2) - (b - a u)^2 by emitted energy and momenta: cos theta swings between roots."""
    sim, s, e = simulator(name, method), top["state"], top["expected"]
    x0 = start(sim, s["theta"], s["phi_d"], s["psi_d"])
    p_phi, p_psi = (float(np.ravel(p)[0]) for p in momenta(sim, 0.0, x0))
    alpha, beta = (2 * sim.energy(0.0, x0)["total"] - p_psi**2 / C) / A, 2 * WEIGHT / A
    a, b = p_psi / A, p_phi / A
    roots = np.sort(np.roots([beta, -alpha - a**2, 2 * a * b - beta, alpha - b**2]).real)
    assert_allclose(roots, e["roots"], rtol=1e-10)
    height = sim.simulate(2 * e["nutation_period"], 5e-5, x0)["axis_z"]
    assert_allclose([height.min(), height.max()], e["roots"][:2], atol=2e-6)


@pytest.mark.parametrize(("name", "method"), [*WAYS[:3], *WAYS[4:]])
def test_steady_precession(name: str, method: str, simulator: Function, top: Any) -> None:
    """A cos(theta) W^2 - C w3 W + m g l = 0 at rest in theta; its slow root tends to m g l/(C w3) for fast tops."""
    sim, s, e = simulator(name, method), top["state"], top["expected"]
    slow = []
    for factor in (1.0, 10.0, 100.0):
        spin, cosine = s["psi_d"] * factor, np.cos(s["theta"])
        weak = 2 * WEIGHT / (C * spin + np.sqrt((C * spin) ** 2 - 4 * A * WEIGHT * cosine))
        x = start(sim, s["theta"], weak, spin - weak * cosine)
        rates = sim.rhs(0.0, x)
        nutation = rates[sim.state_names.index("w1" if "w1" in sim.state_names else "theta_d")]
        # in the body's axes w1' is theta'' and the turning of the axes with the spin: w1' = theta'' + w2 psi'
        turning = weak * np.sin(s["theta"]) * (spin - weak * cosine) if "w1" in sim.state_names else 0.0
        assert_allclose(nutation, turning, atol=1e-12 * C * spin**2 / A)
        slow.append(weak * factor)
    excess = np.array(slow) / e["approx_precession_rate"] - 1
    # the deviation falls as 1/w3^2
    leading = A * WEIGHT * np.cos(s["theta"]) / (C * s["psi_d"] * np.array([1.0, 10.0, 100.0])) ** 2
    assert_allclose(excess / leading, 1.0, atol=3 * leading[0])
    assert_allclose(excess[1:] / leading[1:], 1.0, rtol=3e-3)
    assert excess[2] < 1e-4


def test_a_top_started_upright_and_a_sleeping_top(simulator: Function) -> None:
    """By the quaternion also at theta = 0: asleep for (C w3)^2 > 4 A m g l, where a slower top falls over."""
    sim = simulator("heavy_top:quaternion")
    critical = np.sqrt(4 * A * WEIGHT) / C
    lowest = []
    for factor in (1.1, 0.9):
        x0 = start(sim, 1e-3, 0.0, critical * factor)
        lowest.append(sim.simulate(10.0, 1e-3, x0)["axis_z"].min())
    assert lowest[0] > 1 - 1e-4
    assert lowest[1] < 0.9
    still = start(sim, 0.0, 0.0, 20.0)
    assert_allclose(sim.rhs(0.0, still)[4:], 0.0, atol=1e-15)


def test_the_quaternion_stays_on_the_unit_sphere(simulator: Function) -> None:
    """The constraint closes initial values; with projection the norm is 1 to rounding after 20 s, without it nearly."""
    sim = simulator("heavy_top:quaternion")
    rounded = np.array([0.949, 0.316, 0.0, 0.0])
    closed = sim.state({"e0": 0.949, "e1": 0.316})[:4]
    assert_allclose(closed, rounded, atol=1e-3)
    assert_allclose(np.linalg.norm(closed), 1.0, rtol=1e-14)
    assert_allclose(np.linalg.norm(sim.state({"e0": 3.0})[:4]), 1.0, rtol=1e-14)
    motion = sim.simulate(20.0, 1e-3, every=100)
    assert np.abs(np.linalg.norm(motion.x[:, :4], axis=1) - 1).max() < 1e-15 * 4
    free = eomc.compile(eomc.load("heavy_top:quaternion")).load().simulate(20.0, 1e-3, every=100)
    drift = np.abs(np.linalg.norm(free.x[:, :4], axis=1) - 1).max()
    assert 1e-12 < drift < 1e-4


def test_the_two_ways_are_one_motion(simulator: Function) -> None:
    """The axis points the same way at all times."""
    angles, quaternion = (simulator(name).simulate(2.0, 1e-4, every=1000) for name in ("heavy_top", WAYS[4][0]))
    for name in ("axis_x", "axis_y", "axis_z"):
        assert_allclose(quaternion[name], angles[name], atol=1e-7)


@pytest.mark.parametrize("attitude", ["angles", "1", ""])
def test_another_attitude_is_refused(attitude: str) -> None:
    """The message says which there are."""
    with pytest.raises(eomc.EomcError, match=f"heavy_top:{attitude} is not known: write heavy_top:euler or"):
        eomc.load(f"heavy_top:{attitude}")
