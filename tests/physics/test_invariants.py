"""What does not change on a motion: energy, momenta of cyclic coordinates; and how fast the integrator converges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.testing import assert_allclose

Function: TypeAlias = Callable[..., Any]

# what takes or brings energy by default, put to zero
CONSERVATIVE = {
    "bouncing_ball": {"c": 0.0},
    "rolling_disk_with_slip": {"c": 0.0},
    "bar_on_moving_pivot": {"z_amp": 0.0},
    "coulomb_bead": {"mu": 0.0},
    "dissipative_chain": {"c1": 0.0, "c2": 0.0},
    "andrews_squeezer": {"mom": 0.0, "l0": 0.1},
}

# step of the integrator where it is not 1 ms: what is short turns fast, and the error grows as the fourth power
STEPS = dict.fromkeys(
    ["two_link_arm", "thin_coin", "slider_crank", "slider_crank_unequal", "n_four_bar", "hanging_chain", "heavy_top"],
    2.5e-4,
) | {"andrews_squeezer": 2e-6}

# Through the horizontal, where the constraints are dependent, the multipliers of a velocity M^-1 p slightly off the
# constraints are large: no step of constant size does better there.
DRIFTS = {("n_four_bar", "hamilton-multipliers"): 1e-8}

# how long, where it is not 10 s: less where steps are short; the mechanism of the benchmark is a matter of 0.03 s, and
# bounces take energy
TIMES = dict.fromkeys(STEPS, 3.0) | {"andrews_squeezer": 0.03, "bouncing_ball": 0.4}

# momenta of cyclic coordinates, gravity and inputs being as they are by default
CYCLIC = {
    "spherical_pendulum": {"p_phi"},
    "cart_pole": {"p_x"},
    "n_link_pendulum": {"p_q0"},
    "heavy_top": {"p_phi", "p_psi"},
    "rolling_disk_with_slip": {"p_phi", "p_psi", "p_X", "p_Y"},
}


def kinetic_and_total(sim: Any, motion: Any, parameters: Any) -> tuple[Any, Any]:
    """Return T and T + V along a motion; from a Hamiltonian, T is p^2/2 (both shipped ones have unit mass)."""
    energy = sim.energy(motion.t, motion.x, parameters=parameters)
    if "hamiltonian" in energy:
        return (motion["px"] ** 2 + motion["py"] ** 2) / 2, energy["hamiltonian"]
    return energy["kinetic"], energy["total"]


@pytest.mark.sampled(3)
def test_energy_is_conserved(served: tuple[str, str], simulator: Function) -> None:
    """Seconds from the initial values by Runge-Kutta: T + V drifts by less than 1e-9 of the largest |T| or |V|."""
    name, method = served
    sim, parameters = simulator(name, method), CONSERVATIVE.get(name)
    step = STEPS.get(name, 1e-3) / (5 if served == ("hanging_chain", "hamilton") else 1)
    steps = {"rtol": 1e-12, "atol": 1e-12} if sim.event_names else {"dt": step, "every": 10}
    motion = sim.simulate(TIMES.get(name, 10.0), parameters=parameters, **steps)
    kinetic, total = kinetic_and_total(sim, motion, parameters)
    largest = max(np.abs(kinetic).max(), np.abs(total - kinetic).max())
    assert largest > 0
    assert np.abs(total - total[0]).max() < DRIFTS.get(served, 1e-9) * largest


def test_ten_links_keep_their_energy(simulator: Function) -> None:
    """The same law for a long chain."""
    sim = simulator("n_link_pendulum:10")
    motion = sim.simulate(10.0, 1e-3, every=10)
    kinetic, total = kinetic_and_total(sim, motion, None)
    largest = max(np.abs(kinetic).max(), np.abs(total - kinetic).max())
    assert np.abs(total - total[0]).max() < 1e-9 * largest


@pytest.mark.parametrize("method", ["kane", "lagrange"])
@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "slider_crank_unequal"])
def test_closed_loops_stay_closed(name: str, method: str, simulator: Function) -> None:
    """30 s at 1 ms with projection: residuals below 1e-12, energy to 1e-8 of the largest kinetic energy."""
    sim = simulator(name, method)
    motion = sim.simulate(30.0, 1e-3, every=10)
    kinetic, total = kinetic_and_total(sim, motion, None)
    assert np.abs(total - total[0]).max() < 1e-8 * np.abs(kinetic).max()
    assert np.abs(sim.constraint_residuals(motion.t, motion.x)).max() < 1e-12


@pytest.mark.parametrize("name", CYCLIC)
def test_momenta_of_cyclic_coordinates_are_states_that_stand_still(name: str, simulator: Function) -> None:
    """In Hamilton's form the momentum of a cyclic coordinate keeps its value to rounding."""
    sim = simulator(name, "hamilton")
    motion = sim.simulate(10.0, 1e-3, parameters=CONSERVATIVE.get(name), every=10)
    for momentum in CYCLIC[name]:
        values = motion[momentum]
        assert np.abs(values - values[0]).max() <= 1e-14 * max(1.0, abs(values[0]))


@pytest.mark.parametrize("method", ["kane", "lagrange"])
@pytest.mark.parametrize("name", CYCLIC)
def test_momenta_of_cyclic_coordinates_under_the_other_methods(name: str, method: str, simulator: Function) -> None:
    """Kane's and Lagrange's forms keep them to the integrator's error; they are found and emitted as a function."""
    sim, parameters = simulator(name, method), CONSERVATIVE.get(name)
    motion = sim.simulate(10.0, 1e-3, parameters=parameters, every=10)
    momenta = sim.momenta(motion.t, motion.x, parameters=parameters)
    assert set(momenta) >= CYCLIC[name]
    for values in momenta.values():
        assert_allclose(values, values[0], atol=1e-8)


def test_runge_kutta_has_order_four(simulator: Function, published: Function) -> None:
    """Halving the step divides the error against the exact motion of a pendulum by 16."""
    sim, entry = simulator("simple_pendulum"), published("iftomm_benchmarks", "A01_simple_pendulum")
    parameters, point = {"L": 1.0, "m": 1.0}, entry["expected"]["points"][1]
    errors = []
    for step in (1 / 50, 1 / 100, 1 / 200, 1 / 400):
        motion = sim.simulate(point["t"], step, parameters=parameters, every=10**6)
        errors.append(np.hypot(motion["x"][-1] - point["x"], motion["y"][-1] - point["y"]))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert_allclose(orders, 4.0, atol=0.15)


def test_runge_kutta_has_order_four_for_a_nonholonomic_system(simulator: Function, published: Function) -> None:
    """The same on the rolling disk, against its published state after 1 s."""
    sim, entry = simulator("rolling_disk"), published("rolling_disk", "trajectory_and_invariants")
    parameters = {"m": 1.0, "R": 0.5, "It": 0.0625, "Ia": 0.125, "g": 9.81}
    x0, expected = np.array(entry["state"]["y0"], float), np.array(entry["expected"]["states"][1])
    errors = []
    for step in (1 / 50, 1 / 100, 1 / 200):
        errors.append(np.abs(sim.simulate(1.0, step, x0, parameters=parameters, every=10**6).x[-1] - expected).max())
    assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 4.0, atol=0.3)


def test_runge_kutta_has_order_four_with_inputs(simulator: Function) -> None:
    """Inputs are taken at the beginning, middle and end of each step: a driven sleigh converges with order 4.

    On a straight path m u1' = F: with F = cos 3t the speed is sin(3t)/(3 m) exactly.
    """
    sim = simulator("chaplygin_sleigh")
    x0 = sim.state({"q1": 0.0, "q2": 0.0, "q3": 0.0}, {"u1": 0.0, "u3": 0.0})
    errors = []
    for step in (1 / 8, 1 / 16, 1 / 32):
        motion = sim.simulate(2.0, step, x0, inputs=lambda t: {"F": np.cos(3 * t), "tau": 0.0}, every=10**6)
        errors.append(abs(motion["u1"][-1] - np.sin(6.0) / 9))
    assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 4.0, atol=0.15)


def test_the_work_of_an_input_is_the_change_of_energy(simulator: Function) -> None:
    """A force on the cart: T + V changes by the integral of F x'."""
    for method in ("kane", "lagrange", "hamilton"):
        sim = simulator("cart_pole", method)
        motion = sim.simulate(3.0, 1e-3, inputs=lambda t: {"F": np.sin(2 * t)})
        energy = sim.energy(motion.t, motion.x, motion.inputs)["total"]
        velocity = sim.rhs(motion.t, motion.x, motion.inputs)[:, 0]
        power = np.sin(2 * motion.t) * velocity
        work = (power[0] + power[-1] + 4 * power[1:-1:2].sum() + 2 * power[2:-1:2].sum()) * 1e-3 / 3  # Simpson
        assert_allclose(energy[-1] - energy[0], work, atol=1e-10)
