"""The snakeboard against the literature: d'Alembert's principle, the nonholonomic momentum equation, its circles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[..., Any]

M, L, J, JR, JW = 6.0, 0.2, 0.1654, 0.072, 0.0013
X, Y, THETA, PSI, BACK, FRONT = range(6)
METHODS = ("kane", "gibbs-appell", "lagrange", "hamilton-multipliers")

MASSES = np.zeros((6, 6))  # T = q'.MASSES q'/2 in q = (x, y, theta, psi, phi_b, phi_f)
MASSES[X, X] = MASSES[Y, Y] = M
for place, moment in (((THETA,), J), ((THETA, PSI), JR), ((THETA, BACK), JW), ((THETA, FRONT), JW)):
    MASSES[np.ix_(place, place)] += moment


def rows(q: Array) -> Array:
    """Return the constraint matrix of the literature: A q' = 0 for the back and for the front wheels."""
    theta, back, front = q[THETA], q[BACK], q[FRONT]
    return np.array(
        [
            [-np.sin(theta + back), np.cos(theta + back), -L * np.cos(back), 0, 0, 0],
            [-np.sin(theta + front), np.cos(theta + front), L * np.cos(front), 0, 0, 0],
        ]
    )


def turning(q: Array, v: Array) -> Array:
    """Return A', the rate of the constraint matrix, written down by hand."""
    theta, back, front = q[THETA], q[BACK], q[FRONT]
    rate_b, rate_f = v[THETA] + v[BACK], v[THETA] + v[FRONT]
    return np.array(
        [
            [-np.cos(theta + back) * rate_b, -np.sin(theta + back) * rate_b, L * np.sin(back) * v[BACK], 0, 0, 0],
            [-np.cos(theta + front) * rate_f, -np.sin(theta + front) * rate_f, -L * np.sin(front) * v[FRONT], 0, 0, 0],
        ]
    )


def lagrange_d_alembert(q: Array, v: Array, torques: Array) -> tuple[Array, Array]:
    """Return q'' and the multipliers of M q'' + A^T lambda = Q, A q'' = -A' q'; T does not depend on q."""
    matrix = np.block([[MASSES, rows(q).T], [rows(q), np.zeros((2, 2))]])
    both = np.linalg.solve(matrix, [0, 0, 0, *torques, *(-turning(q, v) @ v)])
    return both[:6], both[6:]


def given(torques: Array) -> dict[str, float]:
    """Return the torques by name; those on rotor and wheels act back on the board, and so do no work on theta."""
    return dict(zip(("tau_psi", "tau_b", "tau_f"), torques, strict=True))


def admissible(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return random coordinates, and velocities that no wheel's slip is in."""
    q = np.array([*rng.uniform(-1, 1, 2), *rng.uniform(-3, 3, 2), *rng.uniform(-1.2, 1.2, 2)])
    free = np.linalg.svd(rows(q))[2][2:]
    return q, rng.uniform(-2, 2, 4) @ free


def state(sim: Any, q: Array, v: Array) -> Any:
    """Return the simulator's state from q and q'."""
    along = v[X] * np.cos(q[THETA]) + v[Y] * np.sin(q[THETA])
    across = v[Y] * np.cos(q[THETA]) - v[X] * np.sin(q[THETA])
    places = dict(zip(("x", "y", "theta", "psi", "phi_b", "phi_f"), q, strict=True))
    return sim.state(places, dict(zip(("u1", "u2", "u3", "u4", "u5", "u6"), (along, across, *v[2:]), strict=True)))


@pytest.mark.parametrize("method", METHODS)
def test_lagrange_and_d_alembert(method: str, simulator: Function, derivative: Function) -> None:
    """q'' and the forces on the wheels from Lagrange's equations with multipliers in q, worked out here."""
    sim, rng = simulator("snakeboard", method), np.random.default_rng(5)
    for _ in range(10):
        (q, v), torques = admissible(rng), rng.uniform(-1, 1, 3)
        x = state(sim, q, v)
        rates = sim.rhs(0.0, x, given(torques))
        assert_allclose(rates[:6], v, atol=1e-12)
        accelerations, multipliers = lagrange_d_alembert(q, v, torques)
        found = derivative(lambda h, x=x, r=rates, f=torques: sim.rhs(0.0, x + h * r, given(f))[:6], step=1e-3)
        assert_allclose(found, accelerations, rtol=1e-9, atol=1e-9)
        assert_allclose(list(sim.multipliers(0.0, x, given(torques)).values()), multipliers, rtol=1e-10, atol=1e-10)
        assert_allclose(sim.energy(0.0, x)["kinetic"], v @ MASSES @ v / 2, rtol=1e-12)


def nonholonomic_momentum(q: Array, v: Array) -> tuple[float, float]:
    """Return p = dL/dq'.xi and the right side of p' = dL/dq'.(d xi/dt) after Bloch et al.

    xi_q = a d/dx + b d/dy + c d/dtheta is the one motion of the rigid board that the constraints admit at given wheel
    angles; as an element of se(2) it is c, a + y c, b - x c, and so its rate moves q by (a' + y' c, b' - x' c, c').
    """
    theta, back, front = q[THETA], q[BACK], q[FRONT]
    rate_b, rate_f = v[THETA] + v[BACK], v[THETA] + v[FRONT]
    cb, sb, cf, sf = np.cos(back), np.sin(back), np.cos(front), np.sin(front)
    tb, tf = theta + back, theta + front
    a, b, c = -L * (cb * np.cos(tf) + cf * np.cos(tb)), -L * (cb * np.sin(tf) + cf * np.sin(tb)), np.sin(back - front)
    a_d = L * (sb * v[BACK] * np.cos(tf) + cb * np.sin(tf) * rate_f)
    a_d += L * (sf * v[FRONT] * np.cos(tb) + cf * np.sin(tb) * rate_b)
    b_d = L * (sb * v[BACK] * np.sin(tf) - cb * np.cos(tf) * rate_f)
    b_d += L * (sf * v[FRONT] * np.sin(tb) - cf * np.cos(tb) * rate_b)
    c_d = np.cos(back - front) * (v[BACK] - v[FRONT])
    momentum = (MASSES @ v)[:3]
    return momentum @ [a, b, c], momentum @ [a_d + v[Y] * c, b_d - v[X] * c, c_d]


@pytest.mark.parametrize("method", METHODS)
def test_nonholonomic_momentum_equation(method: str, simulator: Function, derivative: Function) -> None:
    """p' = dL/dq'.(d xi/dt), whatever the torques between the parts are."""
    sim, rng = simulator("snakeboard", method), np.random.default_rng(7)
    for _ in range(10):
        (q, v), torques = admissible(rng), rng.uniform(-1, 1, 3)
        x = state(sim, q, v)
        rates = sim.rhs(0.0, x, given(torques))

        def momentum(h: float, x: Array = x, rates: Array = rates, torques: Array = torques) -> float:
            here = x + h * rates
            return nonholonomic_momentum(here[:6], sim.rhs(0.0, here, given(torques))[:6])[0]

        assert_allclose(sim.outputs(0.0, x)[sim.output_names.index("momentum")], momentum(0.0), rtol=1e-11, atol=1e-11)
        assert_allclose(derivative(momentum, step=1e-3), nonholonomic_momentum(q, v)[1], rtol=1e-9, atol=1e-9)


def test_momentum_equation_of_wheels_turned_against_each_other(simulator: Function, derivative: Function) -> None:
    """phi_f = -phi_b and J + Jr + 2 Jw = m l^2: p' = -tan(phi) phi' p - 2 Jr cos^2(phi) phi' psi'."""
    assert M * L**2 == pytest.approx(J + JR + 2 * JW)
    sim = simulator("snakeboard")
    for phi, rate, spin, speed, torque in ((0.3, 1.1, 2.0, 0.7, 0.4), (-0.6, 0.8, -1.5, 1.2, -0.2)):
        places = {"theta": 0.9, "psi": 0.4, "phi_b": -phi, "phi_f": phi}
        x = sim.state(places, {"u1": speed, "u4": spin, "u5": -rate, "u6": rate})

        def rates_under(steer: float, x: Array = x, torque: float = torque) -> Array:
            """Return x' with the same torque on both pairs of wheels."""
            return np.asarray(sim.rhs(0.0, x, {"tau_psi": torque, "tau_b": steer, "tau_f": steer}))

        # the torque on the wheels that lets them turn with the board, so that they stay against each other
        unheld, pushed = (rates_under(steer)[10:].sum() for steer in (0.0, 1.0))
        rates = rates_under(-unheld / (pushed - unheld))
        assert_allclose(rates[10] + rates[11], 0.0, atol=1e-12)

        def momentum(h: float, x: Array = x, rates: Array = rates) -> float:
            here = x + h * rates
            return float(-2 * M * L * here[6] - JR * here[9] * np.sin(2 * here[FRONT]))

        expected = -np.tan(phi) * rate * momentum(0.0) - 2 * JR * np.cos(phi) ** 2 * rate * spin
        assert_allclose(derivative(momentum), expected, rtol=1e-9)


def test_a_board_with_held_wheels_runs_on_a_circle(simulator: Function) -> None:
    """Radius l/tan(phi), constant speed, back after a turn; the energy of board and rotor stays."""
    phi, speed = 0.4, 0.9
    heavy = {"Jw": 1e9}  # wheels that nothing turns
    sim = simulator("snakeboard")
    places = {"x": 0.0, "y": 0.0, "theta": 0.0, "psi": 0.0, "phi_b": -phi, "phi_f": phi}
    yaw = speed * np.tan(phi) / L
    x0 = sim.state(places, {"u1": speed, "u4": 0.7, "u5": 0.0, "u6": 0.0}, parameters=heavy)
    assert_allclose(x0[6:9], [speed, 0.0, yaw], atol=1e-14)
    motion = sim.simulate(2 * np.pi / yaw, 1e-3, x0, parameters=heavy)
    centre = np.array([0.0, L / np.tan(phi)])
    distance = np.hypot(motion["x"] - centre[0], motion["y"] - centre[1])
    assert_allclose(distance, L / np.tan(phi), rtol=1e-9)
    assert_allclose(motion.x[-1][:2], 0.0, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_swinging_and_steering_in_one_rhythm_drives(method: str, simulator: Function) -> None:
    """Internal torques alone set the board at rest in motion; no wheel slips; the work is the change of energy."""
    sim = simulator("snakeboard", method)
    x0 = sim.state(
        dict.fromkeys(("x", "y", "theta", "psi", "phi_b", "phi_f"), 0.0),
        dict.fromkeys(("u1", "u4"), 0.0) | dict.fromkeys(("u5", "u6"), 0.0),
    )

    def rhythm(t: float) -> dict[str, float]:
        steer = 0.02 * np.cos(4 * t)
        return {"tau_psi": 3.0 * np.cos(4 * t), "tau_b": -steer, "tau_f": steer}

    motion = sim.simulate(5.0, 1e-3, x0, inputs=rhythm)
    assert np.hypot(motion["x"], motion["y"]).max() > 0.1
    assert np.abs(sim.constraint_residuals(motion.t, motion.x)).max() < 1e-12
    velocities = sim.rhs(motion.t, motion.x, motion.inputs)[:, :6]
    power = np.einsum("ij,ij->i", np.asarray(motion.inputs), velocities[:, 3:])
    work = (power[0] + power[-1] + 4 * power[1:-1:2].sum() + 2 * power[2:-1:2].sum()) * 1e-3 / 3  # Simpson
    energy = sim.energy(motion.t, motion.x, motion.inputs)["total"]
    assert_allclose(energy[-1] - energy[0], work, atol=1e-9)
