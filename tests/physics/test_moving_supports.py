"""Supports that move in a prescribed way: given as functions of time or as inputs with their derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from scipy.special import mathieu_a
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.errors import UsageError

Function: TypeAlias = Callable[..., Any]

HOLONOMIC = ("kane", "gibbs-appell", "lagrange", "hamilton")
t = dynamicsymbols._t


def pendulum_on(pivot: Any, name: str, **more: Any) -> Any:
    """Return a pendulum of length l whose pivot has the x coordinate `pivot`, a function of time."""
    theta, omega = dynamicsymbols("theta omega")
    length, g = sympy.symbols("l g")
    frame, rod = ReferenceFrame("N"), ReferenceFrame("A")
    rod.orient_axis(frame, frame.z, theta)
    rod.set_ang_vel(frame, omega * frame.z)
    origin = Point("O")
    origin.set_vel(frame, 0)
    hinge = origin.locatenew("hinge", pivot * frame.x)
    hinge.set_vel(frame, sympy.diff(pivot, t) * frame.x)
    bob = hinge.locatenew("bob", -length * rod.y)
    bob.v2pt_theory(hinge, frame, rod)
    parameters = {length: 0.7, g: 9.81} | more.pop("parameters", {})
    return eomc.Model(
        name=name,
        inertial_frame=frame,
        coordinates=[theta],
        speeds=[omega],
        bodies=[Particle("bob", bob, sympy.Integer(1))],
        gravity=-g * frame.y,
        parameters=parameters,
        **more,
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_pivot_that_moves_as_a_function_of_time(method: str, compiled: Function, accelerations: Function) -> None:
    """An analytic motion A sin(W t) is differentiated for the user: theta'' = -(g sin theta + x_p'' cos theta)/l."""
    amplitude, rate = sympy.symbols("A W")
    model = pendulum_on(amplitude * sympy.sin(rate * t), "shaken", parameters={amplitude: 0.1, rate: 5.0})
    sim = compiled(model, method)
    for velocity in (0.0, 1.3):
        x = sim.state({"theta": 0.4}, {"omega": velocity}, t=0.3)
        assert_allclose(accelerations(sim, 0.3, x), [-2.176156611945], rtol=1e-9)
        if method != "hamilton":
            assert_allclose(sim.rhs(0.3, x)[1], -2.176156611945, rtol=1e-12)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_pivot_that_moves_as_inputs(method: str, compiled: Function) -> None:
    """The same pivot as three inputs of one signal, named x_p, x_p_d, x_p_dd."""
    pivot = dynamicsymbols("x_p")
    signals = [pivot, pivot.diff(t), pivot.diff(t, 2)]
    sim = compiled(pendulum_on(pivot, "carried", inputs=signals), method)
    assert sim.input_names == ("x_p", "x_p_d", "x_p_dd")
    angle = 5 * 0.3
    inputs = {"x_p": 0.1 * np.sin(angle), "x_p_d": 0.5 * np.cos(angle), "x_p_dd": -2.5 * np.sin(angle)}
    if method != "hamilton":
        assert_allclose(sim.rhs(0.3, np.array([0.4, 0.0]), inputs=inputs)[1], -2.176156611945, rtol=1e-12)
        _, slopes = sim.jacobian(0.3, [0.4, 0.0], inputs)
        assert_allclose(slopes, [[0, 0, 0], [0, 0, -np.cos(0.4) / 0.7]], rtol=1e-13)

    def driven(time: float) -> dict[str, float]:
        return {"x_p": 0.1 * np.sin(5 * time), "x_p_d": 0.5 * np.cos(5 * time), "x_p_dd": -2.5 * np.sin(5 * time)}

    amplitude, rate = sympy.symbols("A W")
    analytic = compiled(
        pendulum_on(amplitude * sympy.sin(rate * t), "shaken", parameters={amplitude: 0.1, rate: 5.0}), "kane"
    )
    expected = analytic.simulate(2.0, 1e-3, np.array([0.4, 0.2]), every=100)
    momentum = 0.49 * 0.2 + 0.7 * 0.5 * np.cos(0.4)  # l^2 theta' + l x_p' cos theta
    x0 = np.array([0.4, momentum if method == "hamilton" else 0.2])
    found = sim.simulate(2.0, 1e-3, x0, inputs=driven, every=100)
    assert_allclose(found["theta"], expected["theta"], atol=1e-11)


@pytest.mark.parametrize("method", ["lagrange", "kane", "hamilton"])
def test_pivot_in_a_lagrangian(method: str, compiled: Function) -> None:
    """Inputs and their derivatives stand in L as they are; x_p'' enters where Lagrange's equations bring it in."""
    theta, pivot = dynamicsymbols("theta x_p")
    rate, speed, length, g = theta.diff(t), pivot.diff(t), *sympy.symbols("l g")
    square = speed**2 + 2 * length * speed * rate * sympy.cos(theta) + length**2 * rate**2
    model = eomc.from_lagrangian(
        square / 2 + g * length * sympy.cos(theta),
        name="carried_lagrangian",
        coordinates=[theta],
        inputs=[pivot, speed, pivot.diff(t, 2)],
        parameters={length: 0.7, g: 9.81},
    )
    sim = compiled(model, method)
    inputs = {"x_p": 0.1 * np.sin(1.5), "x_p_d": 0.5 * np.cos(1.5), "x_p_dd": -2.5 * np.sin(1.5)}
    if method == "hamilton":  # p' = -l theta' x_p' sin theta - g l sin theta, with theta' from p
        p = 0.49 * 1.3 + 0.7 * inputs["x_p_d"] * np.cos(0.4)
        expected = -0.7 * 1.3 * inputs["x_p_d"] * np.sin(0.4) - 9.81 * 0.7 * np.sin(0.4)
        assert_allclose(sim.rhs(0.3, [0.4, p], inputs), [1.3, expected], rtol=1e-13)
    else:
        assert_allclose(sim.rhs(0.3, [0.4, 1.3], inputs), [1.3, -2.176156611945], rtol=1e-12)


@pytest.mark.parametrize("given", ["function", "inputs"])
def test_floor_that_moves(given: str, compiled: Function) -> None:
    """A particle held at the height z(t) by a constraint: m x'' = F; multiplier -m (z'' + g), by every method."""
    x, y, vx, vy, z = dynamicsymbols("x y vx vy z")
    m, g, force = sympy.symbols("m g F")
    analytic = given == "function"
    height = sympy.sin(3 * t) / 5 if analytic else z
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    point = origin.locatenew("P", x * frame.x + y * frame.y)
    point.set_vel(frame, vx * frame.x + vy * frame.y)
    model = eomc.Model(
        name=f"lift_{given}",
        inertial_frame=frame,
        coordinates=[x, y],
        speeds=[vx, vy],
        bodies=[Particle("P", point, m)],
        loads=[(point, force * frame.x)],
        gravity=-g * frame.y,
        configuration_constraints=[y - height],
        inputs=[] if analytic else [z, z.diff(t), z.diff(t, 2)],
        parameters={m: 2.0, g: 9.81, force: 3.0},
    )
    assert {*HOLONOMIC, "hamilton-multipliers"} == set(model.methods)
    at = 0.4
    z0, z1, z2 = np.sin(3 * at) / 5, 3 * np.cos(3 * at) / 5, -9 * np.sin(3 * at) / 5
    inputs = None if analytic else {"z": z0, "z_d": z1, "z_dd": z2}
    for method in model.methods:
        sim = compiled(model, method)
        scale = 2.0 if method.startswith("hamilton") else 1.0
        rates = sim.rhs(at, np.array([0.1, z0, 0.7 * scale, z1 * scale]), inputs)
        assert_allclose(rates[:3], [0.7, z1, 1.5 * scale], rtol=1e-12, err_msg=method)
        if method != "hamilton":  # there p_y is not m y', and sigma is not the multiplier but what it is the rate of
            assert_allclose(rates[3], z2 * scale, rtol=1e-12, err_msg=method)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_prescribed_angle_between_bodies(method: str, compiled: Function) -> None:
    """A body B turns in body A by beta(t) about a slanted axis: A, free to turn about the vertical, reacts.

    The angular momentum about the vertical is constant for any beta(t), which enters with both its derivatives.
    """
    q, u, beta = dynamicsymbols("q u beta")
    slant, j_a, j1, j2, j3 = sympy.symbols("slant Ja J1 J2 J3")
    frame, a, b = ReferenceFrame("N"), ReferenceFrame("A"), ReferenceFrame("B")
    a.orient_axis(frame, frame.z, q)
    a.set_ang_vel(frame, u * frame.z)
    axis = sympy.sin(slant) * a.x + sympy.cos(slant) * a.z
    b.orient_axis(a, axis, beta)
    b.set_ang_vel(a, beta.diff(t) * axis)
    centre = Point("C")
    centre.set_vel(frame, 0)
    numbers = {slant: 0.7, j_a: 0.5, j1: 0.2, j2: 0.35, j3: 0.5}
    sim = compiled(
        eomc.Model(
            name="reaction_wheel",
            inertial_frame=frame,
            coordinates=[q],
            speeds=[u],
            bodies=[
                RigidBody("A", centre, a, sympy.Integer(1), (inertia(a, 0, 0, j_a), centre)),
                RigidBody("B", centre, b, sympy.Integer(1), (inertia(b, j1, j2, j3), centre)),
            ],
            inputs=[beta, beta.diff(t), beta.diff(t, 2)],
            parameters=numbers,
        ),
        method,
    )
    assert sim.input_names == ("beta", "beta_d", "beta_dd")

    def signal(time: float) -> dict[str, float]:
        return {"beta": np.sin(2 * time), "beta_d": 2 * np.cos(2 * time), "beta_dd": -4 * np.sin(2 * time)}

    n = np.array([np.sin(0.7), 0.0, np.cos(0.7)])
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])

    def momentum(time: float, rate: float) -> float:
        """Return the angular momentum about the vertical: Rodrigues' rotation, written down in A."""
        s = signal(time)
        turn = np.eye(3) + np.sin(s["beta"]) * cross + (1 - np.cos(s["beta"])) * cross @ cross
        tensor = turn @ np.diag([0.2, 0.35, 0.5]) @ turn.T
        vertical = np.array([0.0, 0.0, 1.0])
        return float(0.5 * rate + vertical @ tensor @ (rate * vertical + s["beta_d"] * n))

    start = momentum(0.0, 0.4)  # the generalized momentum is this one
    motion = sim.simulate(5.0, 1e-3, np.array([0.0, start if method == "hamilton" else 0.4]), inputs=signal, every=50)
    rates = [sim.rhs(time, x, signal(time))[0] for time, x in zip(motion.t, motion.x, strict=True)]
    assert np.ptp(rates) > 0.1
    assert_allclose([momentum(time, rate) for time, rate in zip(motion.t, rates, strict=True)], start, rtol=1e-10)


def hoop(radius: float, rate: float, mass: float) -> Any:
    """Return a bead on a hoop that is turned about the vertical by the angle W t; theta from the bottom."""
    theta, omega = dynamicsymbols("theta omega")
    R, W, m, g = sympy.symbols("R W m g")
    frame, turning, radial = ReferenceFrame("N"), ReferenceFrame("A"), ReferenceFrame("B")
    turning.orient_axis(frame, frame.z, W * t)
    radial.orient_axis(turning, -turning.y, theta)
    origin = Point("O")
    origin.set_vel(frame, 0)
    bead = origin.locatenew("P", -R * radial.z)
    bead.set_vel(frame, R * omega * radial.x + R * sympy.sin(theta) * W * turning.y)
    return eomc.Model(
        name="hoop",
        inertial_frame=frame,
        coordinates=[theta],
        speeds=[omega],
        bodies=[Particle("bead", bead, m)],
        gravity=-g * frame.z,
        parameters={R: radius, W: rate, m: mass, g: 9.81},
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_bead_on_a_turning_hoop(method: str, compiled: Function, published: Function) -> None:
    """The Jacobi integral T2 - T0 + V is constant, the energy T + V is not; equilibrium at cos theta = g/(R W^2)."""
    sim = compiled(hoop(0.5, 6.0, 1.0), method)
    inertia_ = 0.25 if method == "hamilton" else 1.0
    assert_allclose(sim.rhs(0.0, sim.state({"theta": 0.4}, {"omega": 0.0}))[1] / inertia_, 5.272021760096, rtol=1e-12)
    still = sim.state({"theta": 0.994407212059}, {"omega": 0.0})
    assert_allclose(sim.rhs(0.0, still), [0.0, 0.0], atol=1e-10)
    motion = sim.simulate(10.0, 1e-3, sim.state({"theta": 0.9}, {"omega": 1.1}), every=50)
    energy = sim.energy(motion.t, motion.x)
    jacobi = energy["hamiltonian" if "hamiltonian" in energy else "jacobi"]
    assert_allclose(jacobi, jacobi[0], rtol=1e-9)
    assert np.ptp(energy["total"]) > 0.1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_bead_on_a_turning_hoop_as_published(
    method: str, compiled: Function, published: Function, derivative: Function
) -> None:
    """Acceleration, the value of the Jacobi integral, and d(K2 - K0)/dt = -F* u."""
    entry = published("lecture_examples", "kane_K2_K0_identity_001")
    p, s, e = entry["parameters"], entry["state"], entry["expected"]
    sim = compiled(hoop(p["R"], p["omega"], p["m"]), method)
    x = sim.state({"theta": s["theta"]}, {"omega": s["theta_d"]})
    inertia_ = p["m"] * p["R"] ** 2 if method == "hamilton" else 1.0
    assert_allclose(sim.rhs(0.0, x)[1] / inertia_, e["theta_dd"], rtol=entry["tolerance"])
    energy = sim.energy(0.0, x)
    key = "hamiltonian" if "hamiltonian" in energy else "jacobi"
    assert_allclose(energy[key], e["jacobi"], rtol=entry["tolerance"])
    assert_allclose(energy["kinetic"], e["K2"] + e["K0"], rtol=entry["tolerance"])

    def difference(h: float) -> float:
        """Return K2 - K0, the Jacobi integral less V, a time h later."""
        later = sim.energy(h, x + h * rates)
        return float(later[key] - later["potential"])

    rates = sim.rhs(0.0, x)
    rate = derivative(difference)
    assert_allclose(rate, e["d_K2_minus_K0_dt"], rtol=entry["tolerance"])
    assert_allclose(-rate / s["theta_d"], e["F_star"], rtol=entry["tolerance"])


def test_kapitza_s_pendulum(compiled: Function, published: Function) -> None:
    """A shaken pendulum stands upright above the Mathieu threshold, where the trace of the monodromy matrix is 2."""
    entry = published("closed_forms", "kapitza_pendulum")
    length, amplitude, rate, g = sympy.symbols("l a W g")
    theta = dynamicsymbols("theta")
    height = amplitude * sympy.cos(rate * t)
    speed_x = length * sympy.cos(theta) * theta.diff(t)
    speed_y = sympy.diff(height, t) - length * sympy.sin(theta) * theta.diff(t)
    model = eomc.from_lagrangian(
        (speed_x**2 + speed_y**2) / 2 - g * (height + length * sympy.cos(theta)),
        name="kapitza",
        coordinates=[theta],
        parameters={length: 1.0, amplitude: 0.1, rate: entry["expected"]["W_exact"], g: 9.81},
    )
    sim, e = compiled(model), entry["expected"]
    # the equation is Mathieu's, x'' + (A - 2 q cos 2 tau) x = 0, with A = -4 g/(l W^2), q = 2 a/l
    linear = [sim.jacobian(time, np.zeros(2))[0][1, 0] for time in (0.0, np.pi / 2 / e["W_exact"])]
    assert_allclose(linear[1] * -4 / e["W_exact"] ** 2, e["mathieu_a0"], rtol=entry["tolerance"])
    assert_allclose((linear[0] - linear[1]) * 4 / e["W_exact"] ** 2, -2 * 0.2, rtol=1e-12)
    assert_allclose(mathieu_a(0, 0.2), e["mathieu_a0"], rtol=entry["tolerance"])
    # a^2 W^2 = 2 g l is the limit of fast and small shaking: here it promises a little too much
    assert_allclose((0.1 * e["W_averaged"]) ** 2, 2 * 9.81, rtol=entry["tolerance"])
    averaged = e["W_averaged"] / e["W_exact"]
    for factor, sign in ((1.0, 0), (0.999, 1), (1.001, -1), (averaged, 1)):  # below the threshold the trace is above 2
        frequency = entry["expected"]["W_exact"] * factor
        period, tiny = 2 * np.pi / frequency, 1e-6
        ends = [
            sim.simulate(period, period / 2000, x0, parameters={"W": frequency}, every=10**6).x[-1]
            for x0 in (np.array([tiny, 0.0]), np.array([0.0, tiny]))
        ]
        excess = (ends[0][0] + ends[1][1]) / tiny - 2
        assert abs(excess) < 1e-9 if sign == 0 else excess * sign > 1e-5


@pytest.mark.parametrize("inputs", [{"z_d": 1.0}, lambda t: {"z": np.sin(t), "z_d": np.cos(t), "z_dd": -np.sin(t)}])
def test_momenta_at_the_start_hold_the_motion_that_is_prescribed(inputs: Any) -> None:
    """p = dL/dtheta' with the inputs of the run: the same motion by Hamilton's equations as by Kane's."""
    model = eomc.load("bar_on_moving_pivot:1")
    runs = [eomc.compile(model, method).load().simulate(1.0, 1e-3, inputs=inputs) for method in ("kane", "hamilton")]
    assert_allclose(runs[1]["theta"], runs[0]["theta"], rtol=1e-9, atol=1e-11)
    sim = eomc.compile(model, "hamilton").load()
    length, mass = (
        p.value for p in sorted((p for p in model.parameters if p.name in ("l2", "m2")), key=lambda p: p.name)
    )
    theta = float(sim.initial_state[0])
    resting = sim.state(speeds={"theta_d": 0.0}, inputs={"z_d": 1.0})
    assert_allclose(resting[1], -mass * length / 2 * np.sin(theta), rtol=1e-12)
    slopes = [
        eomc.linearize(model, at={"theta_d": 0.0}, inputs={"z_d": 1.0}, method=method).A
        for method in ("kane", "hamilton")
    ]
    assert_allclose(np.linalg.eigvals(slopes[1]), np.linalg.eigvals(slopes[0]), rtol=1e-9)
    with pytest.raises(UsageError, match="returned None at t = 0"):
        sim.simulate(inputs=lambda t: None)
