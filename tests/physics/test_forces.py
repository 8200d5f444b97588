"""Small mechanisms with forces that other tools got wrong: time, friction, drag, contact, motors, dissipation."""

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


def on_a_line(name: str, force: Any, mass: Any = 1, **more: Any) -> Any:
    """Return a particle on the x axis under a force, with coordinate x and speed v; `force` takes both."""
    x, v = dynamicsymbols("x v")
    frame, point = ReferenceFrame("N"), Point("P")
    origin = Point("O")
    origin.set_vel(frame, 0)
    point.set_pos(origin, x * frame.x)
    point.set_vel(frame, v * frame.x)
    return eomc.Model(
        name=name,
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", point, sympy.sympify(mass))],
        loads=[(point, force(x, v) * frame.x)],
        **more,
    )


@pytest.mark.parametrize("method", HOLONOMIC)
def test_explicit_time_in_a_force(method: str, compiled: Function) -> None:
    """Time is an argument of the right-hand side: x'' = g - k x - b x' + o sin t."""
    k, b, g, o = sympy.symbols("k b g o")
    parameters = {k: 1, b: 0.2, g: 9.8, o: 2}
    model = on_a_line("driven", lambda x, v: g - k * x - b * v + o * sympy.sin(t), parameters=parameters)
    sim = compiled(model, method)
    x = np.array([0.1, -1.0])  # mass 1: momentum and velocity are the same number
    assert_allclose(sim.rhs(0.0, x), [-1.0, 9.9], rtol=1e-15)
    assert_allclose(sim.rhs(np.pi / 2, x), [-1.0, 11.9], rtol=1e-15)


def test_explicit_time_in_an_integration(compiled: Function) -> None:
    """Resonance, x'' = -x + sin t from rest: x = (sin t - t cos t)/2."""
    sim = compiled(
        on_a_line("resonance", lambda x, v: -x + sympy.sin(t), initial=dict.fromkeys(dynamicsymbols("x v"), 0))
    )
    motion = sim.simulate(20.0, 5e-3, every=100)
    assert_allclose(motion["x"], (np.sin(motion.t) - motion.t * np.cos(motion.t)) / 2, atol=1e-8)


@pytest.mark.parametrize("method", HOLONOMIC)
def test_coulomb_friction(method: str, compiled: Function) -> None:
    """Sign of the velocity times mu g: sign(0) = 0, and each half swing loses 2 mu g/k of its amplitude."""
    k, friction = sympy.symbols("k mu_g")
    model = on_a_line("coulomb", lambda x, v: -k * x - friction * sympy.sign(v), parameters={k: 1, friction: 0.1})
    sim = compiled(model, method)
    assert_allclose(sim.rhs(0.0, np.array([0.5, -0.2]))[1], -0.4, rtol=1e-15)
    assert_allclose(sim.rhs(0.0, np.array([0.5, 0.0]))[1], -0.5, rtol=1e-15)
    positions = sim.simulate(4 * np.pi, np.pi / 20000, np.array([1.0, 0.0]))["x"]
    turning = positions[::20000]
    assert_allclose(turning, [1.0, -0.8, 0.6, -0.4, 0.2], atol=2e-4)


@pytest.mark.parametrize("method", HOLONOMIC)
def test_quadratic_drag(method: str, compiled: Function) -> None:
    """F = -c v |v| as a load and as the dissipation function c |v|^3/3; coasting, 1/v grows by c t."""
    c, v = sympy.Symbol("c"), dynamicsymbols("v")
    as_load = on_a_line("drag", lambda x, v: -c * v * sympy.Abs(v), parameters={c: 0.3})
    as_function = on_a_line(
        "dissipation", lambda x, v: 0 * v, parameters={c: 0.3}, dissipation_function=c * sympy.Abs(v) ** 3 / 3
    )
    for model in (as_load, as_function):
        sim = compiled(model, method)
        assert_allclose(sim.rhs(0.0, np.array([0.0, -2.0])), [-2.0, 1.2], rtol=1e-14)
        assert_allclose(sim.rhs(0.0, np.array([0.0, 0.0])), [0.0, 0.0], atol=1e-15)
        motion = sim.simulate(5.0, 1e-3, np.array([0.0, -2.0]), every=100)
        velocity = sim.rhs(motion.t, motion.x)[:, 0]
        assert_allclose(1 / velocity, -0.5 - 0.3 * motion.t, rtol=1e-11)


@pytest.mark.parametrize("spelling", ["max", "piecewise", "potential"])
def test_one_sided_contact(spelling: str, compiled: Function) -> None:
    """A ball dropped on a spring ground F = k max(0, -y): deepest point, and energy with the spring's in it."""
    k, g = sympy.symbols("k g")
    forces: dict[str, Any] = {
        "max": lambda y, v: k * sympy.Max(0, -y) - g,
        "piecewise": lambda y, v: sympy.Piecewise((-k * y, y < 0), (0, True)) - g,
        "potential": lambda y, v: -g,
    }
    more = {"potential_energy": k * sympy.Min(dynamicsymbols("x"), 0) ** 2 / 2} if spelling == "potential" else {}
    model = on_a_line(f"ball_{spelling}", forces[spelling], parameters={k: 1e4, g: 9.81}, **more)
    sim = compiled(model)
    assert_allclose(sim.rhs(0.0, np.array([-0.01, 0.3]))[1], 100.0 - 9.81, rtol=1e-14)
    assert_allclose(sim.rhs(0.0, np.array([0.01, 0.3]))[1], -9.81, rtol=1e-14)
    motion = sim.simulate(0.5, 1e-5, np.array([1.0, 0.0]))
    y, v = motion.x.T
    low = int(y.argmin())
    deepest = y[low] - v[low] ** 2 / (2 * (-1e4 * y[low] - 9.81))  # half a step from the turning point
    assert_allclose(deepest, -0.045286331067, atol=1e-8)
    energy = v**2 / 2 + 9.81 * y + 1e4 / 2 * np.minimum(y, 0) ** 2
    assert_allclose(energy, 9.81, rtol=1e-7)
    if spelling == "potential":
        assert_allclose(sim.energy(motion.t, motion.x)["potential"], 5e3 * np.minimum(y, 0) ** 2, atol=1e-12)


def test_extra_state(compiled: Function) -> None:
    """A DC motor: the current is a state beside the mechanical ones."""
    theta, omega, current = dynamicsymbols("theta omega i")
    names = "L R k J b V"
    inductance, resistance, k, moment, damping, voltage = symbols = sympy.symbols(names)
    frame, rotor, centre = ReferenceFrame("N"), ReferenceFrame("A"), Point("C")
    rotor.orient_axis(frame, frame.z, theta)
    rotor.set_ang_vel(frame, omega * frame.z)
    centre.set_vel(frame, 0)
    model = eomc.Model(
        name="motor",
        inertial_frame=frame,
        coordinates=[theta],
        speeds=[omega],
        bodies=[RigidBody("rotor", centre, rotor, sympy.Integer(1), (inertia(rotor, 0, 0, moment), centre))],
        loads=[(rotor, (k * current - damping * omega) * frame.z)],
        extra_states={current: (voltage - resistance * current - k * omega) / inductance},
        parameters=dict(zip(symbols, (0.01, 1.0, 0.1, 0.02, 0.001, 12.0), strict=True)),
    )
    for method in HOLONOMIC:
        sim = compiled(model, method)
        assert sim.state_names[2] == "i"
        second = 5.0 * 0.02 if method == "hamilton" else 5.0
        rates = sim.rhs(0.0, np.array([0.0, second, 2.0]))
        assert_allclose(rates[2], 950.0, rtol=1e-13)
        assert_allclose(rates[1], 9.75 * (0.02 if method == "hamilton" else 1.0), rtol=1e-13)


@pytest.mark.parametrize("method", HOLONOMIC)
def test_dissipation_function(method: str, compiled: Function, published: Function, accelerations: Function) -> None:
    """Viscous hinges on the double pendulum: F_r = -dF/du_r, and the energy falls with 2 F."""
    entry = published("lecture_examples", "dissipation_function_001")
    c1, c2 = sympy.symbols("c1 c2")
    plain: Any = eomc.load("double_pendulum")
    th1d, th2d = plain.speeds
    parameters = {p.symbol: entry["parameters"][p.name] for p in plain.parameters}
    model = eomc.Model(
        name="damped_double_pendulum",
        inertial_frame=plain.dynamics.inertial_frame,
        coordinates=plain.coordinates,
        speeds=plain.speeds,
        bodies=plain.dynamics.bodies,
        gravity=plain.dynamics.gravity,
        dissipation_function=c1 * th1d**2 / 2 + c2 * (th2d - th1d) ** 2 / 2,
        parameters=parameters | {c1: entry["parameters"]["c1"], c2: entry["parameters"]["c2"]},
    )
    sim = compiled(model, method)
    (a, b), (c, d) = entry["state"]["th"], entry["state"]["thd"]
    x = sim.state({"th1": a, "th2": b}, {"th1d": c, "th2d": d})
    assert_allclose(accelerations(sim, 0.0, x), entry["expected"]["thdd"], rtol=1e-9)
    if method != "hamilton":
        assert_allclose(sim.rhs(0.0, x)[2:], entry["expected"]["thdd"], rtol=entry["tolerance"])
    step = 1e-3
    motion = sim.simulate(2 * step, step, x)
    energy = sim.energy(motion.t, motion.x)["total"]
    slope = (-3 * energy[0] + 4 * energy[1] - energy[2]) / (2 * step)
    assert_allclose(slope, entry["expected"]["dEdt"], rtol=1e-4)


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_friction_that_depends_on_the_normal_force(method: str, compiled: Function, published: Function) -> None:
    """A bead in a rough hoop: theta'' and, through the closed form in theta, theta' further along."""
    entry = published("lecture_examples", "coulomb_friction_bead_001")
    e = entry["expected"]
    m, radius, mu, g = sympy.symbols("m R mu g")
    theta = dynamicsymbols("theta")
    rate = theta.diff(t)
    normal = m * (g * sympy.cos(theta) + radius * rate**2)
    model = eomc.from_lagrangian(
        m * radius**2 * rate**2 / 2 + m * g * radius * sympy.cos(theta),
        name="rough_hoop",
        coordinates=[theta],
        generalized_forces={theta: -mu * normal * radius},
        parameters={symbol: entry["parameters"][symbol.name] for symbol in (m, radius, mu, g)},
        outputs={"N": normal},
        initial={theta: entry["state"]["theta"], rate: entry["state"]["theta_d"]},
    )
    sim = compiled(model, method)
    inertia_ = 0.4 * 0.5**2 if method == "hamilton" else 1.0
    x = sim.initial_state
    assert_allclose(x, [0.3, 5.0 * inertia_], rtol=1e-15)
    assert_allclose(sim.rhs(0.0, x)[1] / inertia_, e["theta_dd"], rtol=entry["tolerance"])
    assert_allclose(sim.outputs(0.0, x), [e["N"]], rtol=entry["tolerance"])
    motion = sim.simulate(0.1, 1e-4)
    theta_, theta_d = motion.x[:, 0], motion.x[:, 1] / inertia_
    particular = -(2 * 9.81 / 0.5) * ((2 * 0.15 * np.sin(theta_) - np.cos(theta_)) + 0.15 * (
        np.sin(theta_) + 2 * 0.15 * np.cos(theta_)
    )) / (1 + 4 * 0.15**2)  # fmt: skip
    constant = (theta_d**2 - particular) * np.exp(2 * 0.15 * theta_)
    assert_allclose(constant, constant[0], rtol=1e-11)
    at = int(np.searchsorted(theta_, 0.6))
    weight = (0.6 - theta_[at - 1]) / (theta_[at] - theta_[at - 1])
    assert_allclose(theta_d[at - 1] + weight * (theta_d[at] - theta_d[at - 1]), e["theta_d_at_0p6"], rtol=1e-6)
