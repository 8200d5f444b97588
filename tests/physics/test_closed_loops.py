"""Slider-cranks: closed loops whose dependent speeds Kane's method eliminates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy import cos, sin
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc

Function: TypeAlias = Callable[..., Any]

t = dynamicsymbols._t


def crank(entry: Any) -> Any:
    """Return the published slider-crank: crank angle theta, rod angle beta, slider x."""
    theta, beta, x, u1, u2, u3 = dynamicsymbols("theta beta x u1 u2 u3")
    m1, m2, m3, l1, l2, tau, g = symbols = sympy.symbols("m1 m2 m3 l1 l2 tau g")
    frame, a, b = ReferenceFrame("N"), ReferenceFrame("A"), ReferenceFrame("B")
    a.orient_axis(frame, frame.z, theta)
    a.set_ang_vel(frame, u1 * frame.z)
    b.orient_axis(frame, frame.z, beta)  # the rod goes from the pin along sin(beta) x - cos(beta) y = -b.y
    b.set_ang_vel(frame, u2 * frame.z)
    pivot = Point("O")
    pivot.set_vel(frame, 0)
    centre1, pin = pivot.locatenew("C1", l1 / 2 * a.x), pivot.locatenew("pin", l1 * a.x)
    centre2 = pin.locatenew("C2", -l2 / 2 * b.y)
    for point, root, arm in ((centre1, pivot, a), (pin, pivot, a), (centre2, pin, b)):
        point.v2pt_theory(root, frame, arm)
    slider = pivot.locatenew("S", x * frame.x)
    slider.set_vel(frame, u3 * frame.x)
    loop = [l1 * cos(theta) + l2 * sin(beta) - x, l1 * sin(theta) - l2 * cos(beta)]
    speeds = {theta.diff(t): u1, beta.diff(t): u2, x.diff(t): u3}
    return eomc.Model(
        name="slider_crank",
        inertial_frame=frame,
        coordinates=[theta, beta, x],
        speeds=[u1, u2, u3],
        bodies=[
            RigidBody("crank", centre1, a, m1, (inertia(a, 0, 0, m1 * l1**2 / 12), centre1)),
            RigidBody("rod", centre2, b, m2, (inertia(b, 0, 0, m2 * l2**2 / 12), centre2)),
            Particle("slider", slider, m3),
        ],
        loads=[(a, tau * frame.z)],
        gravity=-g * frame.y,
        configuration_constraints=loop,
        velocity_constraints=[equation.diff(t).subs(speeds) for equation in loop],
        dependent_coordinates=[beta, x],
        dependent_speeds=[u2, u3],
        parameters={symbol: float(entry["parameters"][symbol.name]) for symbol in symbols},
        initial={
            theta: entry["state"]["theta"],
            beta: entry["state"]["beta"],
            x: entry["state"]["x"],
            u1: entry["state"]["u1"],
        },
    )


def test_slider_crank(compiled: Function, published: Function) -> None:
    """Dependent speeds from the loop, and the accelerations of crank, rod and slider."""
    entry = published("lecture_examples", "slider_crank_000")
    s, e = entry["state"], entry["expected"]
    sim = compiled(crank(entry))
    x = sim.state({k: s[k] for k in ("theta", "beta", "x")}, {"u1": s["u1"]})
    assert_allclose(x[3:], [s["u1"], e["beta_d"], e["x_d"]], rtol=entry["tolerance"])
    rates = sim.rhs(0.0, x)
    assert_allclose(rates[:3], [s["u1"], e["beta_d"], e["x_d"]], rtol=entry["tolerance"])
    assert_allclose(rates[3:], [e["u1d"], e["beta_dd"], e["x_dd"]], rtol=entry["tolerance"])
    assert_allclose(sim.constraint_residuals(0.0, x), 0.0, atol=1e-14)


def test_slider_crank_keeps_the_energy_and_the_loop(compiled: Function, published: Function) -> None:
    """Without torque, T + V is constant and the loop stays closed to the integrator's error, through dead centres."""
    entry = published("lecture_examples", "slider_crank_000")
    sim = compiled(crank(entry))
    motion = sim.simulate(10.0, 5e-4, parameters={"tau": 0.0}, every=20)
    assert np.ptp(motion["theta"]) > 0.5
    energy = sim.energy(motion.t, motion.x, parameters={"tau": 0.0})
    largest = max(np.abs(energy["kinetic"]).max(), np.abs(energy["potential"]).max())
    assert np.abs(energy["total"] - energy["total"][0]).max() < 1e-9 * largest
    assert np.abs(sim.constraint_residuals(motion.t, motion.x)).max() < 1e-8


@pytest.mark.parametrize("slider", [False, True])
def test_two_bars_with_a_guided_end(slider: bool, compiled: Function, published: Function) -> None:
    """The double pendulum of bars with its free end on the x axis, without and with a mass there."""
    name = f"slider_crank_multiplier_example{6 if slider else 5}_004"
    entry = published("lecture_examples", name)
    plain: Any = eomc.load("double_pendulum_bars")
    (q1, q2), (u1, u2) = plain.coordinates, plain.speeds
    (q3, u3), m3 = dynamicsymbols("q3 q3d"), sympy.Symbol("m3")
    frame = plain.dynamics.inertial_frame
    loop = [-2 * cos(q1) - 2 * cos(q1 + q2)]
    coordinates, speeds, bodies = [q1, q2], [u1, u2], list(plain.dynamics.bodies)
    parameters = {p.symbol: entry["parameters"].get(p.name, p.value) for p in plain.parameters}
    if slider:
        loop.insert(0, 2 * sin(q1) + 2 * sin(q1 + q2) - q3)
        coordinates, speeds = [q1, q2, q3], [u1, u2, u3]
        mass = Point("S")
        mass.set_vel(frame, u3 * frame.x)
        bodies.append(Particle("slider", mass, m3))
        parameters[m3] = entry["parameters"]["m3"]
    rates = dict(zip((q.diff(t) for q in coordinates), speeds, strict=True))
    model = eomc.Model(
        name="guided",
        inertial_frame=frame,
        coordinates=coordinates,
        speeds=speeds,
        bodies=bodies,
        gravity=plain.dynamics.gravity,
        configuration_constraints=loop,
        velocity_constraints=[equation.diff(t).subs(rates) for equation in loop],
        dependent_coordinates=coordinates[1:],
        dependent_speeds=speeds[1:],
        parameters=parameters,
        initial=dict(zip(coordinates, entry["state"]["q"], strict=True)) | {u1: entry["state"]["qd"][0]},
    )
    sim = compiled(model)
    x = np.array([*entry["state"]["q"], *entry["state"]["qd"]], float)
    assert_allclose(sim.initial_state, x, rtol=1e-11)
    assert_allclose(sim.constraint_residuals(0.0, x), 0.0, atol=1e-12)
    found = sim.rhs(0.0, x)[len(coordinates) :]
    assert_allclose(found, entry["expected"]["qdd"], rtol=1e-11)
