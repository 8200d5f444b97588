"""First-order states beside the mechanical ones: currents, actuators, filters, by every method.

Linear chains have closed forms: x(t) = x_e + exp(A t) (x_0 - x_e), with A written down by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc

Array: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[..., Any]

METHODS = ("kane", "gibbs-appell", "lagrange", "hamilton")
t = dynamicsymbols._t
theta, omega, current = dynamicsymbols("theta omega i")
SYMBOLS = inductance, resistance, k, moment, damping, voltage = sympy.symbols("L R k J b V")
VALUES = (0.01, 1.0, 0.1, 0.02, 0.001, 12.0)
L, R, K, J, B, V = VALUES


def motor(**more: Any) -> Any:
    """Return a DC motor: L i' = V - R i - k w, J w' = k i - b w."""
    frame, rotor, centre = ReferenceFrame("N"), ReferenceFrame("A"), Point("C")
    rotor.orient_axis(frame, frame.z, theta)
    rotor.set_ang_vel(frame, omega * frame.z)
    centre.set_vel(frame, 0)
    return eomc.Model(
        name="motor",
        inertial_frame=frame,
        coordinates=[theta],
        speeds=[omega],
        bodies=[RigidBody("rotor", centre, rotor, sympy.Integer(1), (inertia(rotor, 0, 0, moment), centre))],
        loads=[(rotor, k * current * frame.z)],
        dissipation_function=damping * omega**2 / 2,
        extra_states={current: (voltage - resistance * current - k * omega) / inductance},
        **({"parameters": dict(zip(SYMBOLS, VALUES, strict=True))} | more),
    )


def linear(matrix: Array, rest: Array, start: Array, times: Array) -> Array:
    """Return x(t) = x_e + exp(A t) (x_0 - x_e), shape (times, n), by the eigenvectors of A."""
    values, vectors = np.linalg.eig(matrix)
    weights = np.linalg.solve(vectors, start - rest)
    return np.real(rest + np.einsum("ij,tj,j->ti", vectors, np.exp(np.outer(times, values)), weights))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_rates_of_a_motor(method: str, compiled: Function) -> None:
    """i' = 950 A/s and w' = 9.75 1/s^2, the back electromotive force written in the method's own variables."""
    sim = compiled(motor(), method)
    assert sim.state_names[2] == "i"
    scale = J if method == "hamilton" else 1.0
    assert_allclose(sim.rhs(0.0, [0.0, 5.0 * scale, 2.0]), [5.0, 9.75 * scale, 950.0], rtol=1e-13)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_run_up_of_a_motor(method: str, compiled: Function) -> None:
    """Speed and current from rest follow the closed form to the no-load speed V k/(R b + k^2)."""
    sim = compiled(motor(), method)
    scale = J if method == "hamilton" else 1.0
    motion = sim.simulate(1.0, 1e-4, np.zeros(3), every=500)
    matrix = np.array([[-B / J, K / J], [-K / L, -R / L]])
    rest = np.array([V * K, V * B]) / (R * B + K**2)
    expected = linear(matrix, rest, np.zeros(2), motion.t)
    assert_allclose(motion.x[:, 1] / scale, expected[:, 0], rtol=1e-9, atol=1e-14)
    assert_allclose(motion["i"], expected[:, 1], rtol=1e-9, atol=1e-14)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_slopes_of_a_motor(method: str, compiled: Function) -> None:
    """Extra states have their rows and columns in the Jacobian, and inputs act on them."""
    model = motor(inputs={voltage: V}, parameters=dict(zip(SYMBOLS[:-1], VALUES[:-1], strict=True)))
    a, b = compiled(model, method).jacobian(0.0, [0.1, 0.2, 0.3])
    s = J if method == "hamilton" else 1.0
    assert_allclose(a, [[0, 1 / s, 0], [0, -B / J, s * K / J], [0, -K / (s * L), -R / L]], rtol=1e-13)
    assert_allclose(b, [[0], [0], [1 / L]], rtol=1e-13)


def test_motor_beside_a_lagrangian(compiled: Function) -> None:
    """The same motor as a Lagrangian with a generalized force and a dissipation function."""
    rate = theta.diff(t)
    model = eomc.from_lagrangian(
        moment * rate**2 / 2,
        name="lagrangian_motor",
        coordinates=[theta],
        generalized_forces={theta: k * current},
        dissipation_function=damping * rate**2 / 2,
        extra_states={current: (voltage - resistance * current - k * rate) / inductance},
        parameters=dict(zip(SYMBOLS, VALUES, strict=True)),
    )
    for method in model.methods:
        scale = J if method == "hamilton" else 1.0
        rates = compiled(model, method).rhs(0.0, [0.0, 5.0 * scale, 2.0])
        assert_allclose(rates, [5.0, 9.75 * scale, 950.0], rtol=1e-13, err_msg=method)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_servo_with_a_filtered_measurement(method: str, compiled: Function) -> None:
    """A lagging actuator driven by a low-pass filtered position: four linear equations."""
    x, v, force, seen = dynamicsymbols("x v F seen")
    target = dynamicsymbols("target")
    m, gain, lag, cutoff, c = sympy.symbols("m gain lag cutoff c")
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, v * frame.x)
    model = eomc.Model(
        name="servo",
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", point, m)],
        loads=[(point, (force - c * v) * frame.x)],
        extra_states={force: (gain * (target - seen) - force) / lag, seen: cutoff * (x - seen)},
        inputs=[target],
        parameters={m: 2.0, gain: 3.0, lag: 0.05, cutoff: 20.0, c: 4.0},
        outputs={"error": target - x},
    )
    sim = compiled(model, method)
    motion = sim.simulate(3.0, 1e-3, np.zeros(4), inputs={"target": 0.7}, every=100)
    matrix = np.array([[0, 1, 0, 0], [0, -2, 0.5, 0], [0, 0, -20, -60], [20, 0, 0, -20.0]])
    expected = linear(matrix, np.array([0.7, 0, 0, 0.7]), np.zeros(4), motion.t)
    scale = np.array([1.0, 2.0 if method == "hamilton" else 1.0, 1.0, 1.0])
    assert_allclose(motion.x / scale, expected, rtol=1e-8, atol=1e-9)
    assert_allclose(motion["error"], 0.7 - expected[:, 0], rtol=1e-8, atol=1e-9)


def test_path_length_of_a_constrained_body(compiled: Function) -> None:
    """A state may integrate a speed that the constraints determine: the distance run on a circle, by every method."""
    x, y, vx, vy, run = dynamicsymbols("x y vx vy run")
    m, radius = sympy.symbols("m r")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    point = origin.locatenew("P", x * frame.x + y * frame.y)
    point.set_vel(frame, vx * frame.x + vy * frame.y)
    model = eomc.Model(
        name="odometer",
        inertial_frame=frame,
        coordinates=[x, y],
        speeds=[vx, vy],
        bodies=[Particle("P", point, m)],
        configuration_constraints=[x**2 + y**2 - radius**2],
        extra_states={run: sympy.sqrt(vx**2 + vy**2)},
        parameters={m: 2.0, radius: 0.5},
    )
    assert {*METHODS, "hamilton-multipliers"} == set(model.methods)
    for method in model.methods:
        sim = compiled(model, method)
        motion = sim.simulate(2.0, 1e-3, sim.state({"x": 0.5, "y": 0.0}, {"vx": 0.0, "vy": 1.2}), every=500)
        assert_allclose(motion["run"], 1.2 * motion.t, rtol=1e-9, atol=1e-12, err_msg=method)
        assert_allclose(motion["x"], 0.5 * np.cos(2.4 * motion.t), atol=1e-9, err_msg=method)
