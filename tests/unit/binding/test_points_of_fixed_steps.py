"""Points between fixed steps, and steps that end at jumps: to the order of the scheme, and none is moved."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.binding import Simulator
from eomc.integrators import integrator

pytestmark = pytest.mark.needs_cc

q, p, force = dynamicsymbols("q p F")
t = dynamicsymbols._t
JUMP = 0.35


@pytest.fixture(scope="module")
def oscillator() -> Simulator:
    """Return H = (p^2 + q^2) / 2 with a force F, from q = 1."""
    model = eomc.from_hamiltonian(
        (p**2 + q**2) / 2, coordinates=[q], momenta=[p], generalized_forces={q: force}, inputs=[force],
        initial={q: 1.0}, name="oscillator",
    )  # fmt: skip
    return eomc.compile(model, integrator="rk4,gauss3,euler,verlet").load()


@pytest.mark.parametrize("scheme", ["rk4", "gauss3", "verlet", "euler"])
def test_points_have_the_order_of_the_steps(oscillator: Simulator, scheme: str) -> None:
    """q = cos t, p = -sin t, at 301 times within 3 s; what is stored moves no step."""
    times = np.linspace(0.0, 3.0, 301)
    exact = np.stack([np.cos(times), -np.sin(times)], axis=1)
    errors = []
    for dt in (0.2, 0.1):
        found = oscillator.simulate(3.0, dt, integrator=scheme, t_eval=times)
        steps = oscillator.simulate(3.0, dt, integrator=scheme)
        assert np.array_equal(found.t, times)
        assert np.array_equal(found.x[-1], steps.x[-1])
        at_ends = np.abs(steps.x - np.stack([np.cos(steps.t), -np.sin(steps.t)], axis=1)).max()
        errors.append(np.abs(found.x - exact).max())
        assert errors[-1] < 3.0 * at_ends
        assert np.abs(found(steps.t) - steps.x).max() < 1e-14
    assert np.log2(errors[0] / errors[1]) > integrator(scheme).order - 0.4


@pytest.mark.parametrize("inputs", [None, lambda t: {"F": np.sin(t)}, np.linspace(0.0, 1.0, 12)[:, None]])
def test_asking_for_points_moves_no_step(oscillator: Simulator, inputs) -> None:
    """Whatever the inputs are: the states at the ends of steps are the same, to the last bit."""
    alone = oscillator.simulate(1.05, 0.1, inputs=inputs)
    asked = oscillator.simulate(1.05, 0.1, inputs=inputs, t_eval=alone.t)
    assert np.array_equal(asked.x, alone.x)
    assert np.array_equal(asked.inputs, alone.inputs)


def test_gauss3_keeps_what_sums_lose(oscillator: Simulator) -> None:
    """The energy of 100,000 steps errs by some units in the last place: single steps in a row do not."""
    run = oscillator.simulate(1000.0, 0.01, integrator="gauss3", every=1000)
    energy = (run.x**2).sum(axis=1) / 2.0
    assert np.abs(energy - 0.5).max() < 2e-15


@pytest.mark.parametrize("scheme", ["rk4", "gauss3", "heun"])
def test_a_step_ends_at_each_jump(scheme: str) -> None:
    """q'' = 0 until 0.35 s, then 1: exact where a step ends there, and seen by none before."""
    model = eomc.from_lagrangian(
        q.diff(t) ** 2 / 2, coordinates=[q], generalized_forces={q: sm.Piecewise((0, t < JUMP), (1, True))}, name="hit"
    )
    sim = eomc.compile(model, integrator=scheme).load()
    exact = [(1.0 - JUMP) ** 2 / 2.0, 1.0 - JUMP]
    run = sim.simulate(1.0, 0.1, jumps=[JUMP])
    assert JUMP in run.t
    assert run.t[:6] == pytest.approx([0.0, 0.1, 0.2, 0.3, JUMP, JUMP + 0.1], abs=1e-15)
    assert run.x[-1] == pytest.approx(exact, abs=1e-14)
    assert abs(sim.simulate(1.0, 0.1).x[-1] - exact).max() > 1e-3


@pytest.mark.parametrize("scheme", ["rk4", "gauss3", "euler"])
def test_a_step_ends_where_held_samples_jump(oscillator: Simulator, scheme: str) -> None:
    """As at a declared jump, to the last bit; without one q = cos t + F (1 - cos(t - 0.35)) after it."""
    held = eomc.Samples([0.0, JUMP], {"F": [0.0, 2.0]}, "held")
    found = oscillator.simulate(1.0, 0.1, integrator=scheme, inputs=held)
    declared = oscillator.simulate(1.0, 0.1, integrator=scheme, inputs=held, jumps=[JUMP])
    assert JUMP in found.t
    assert found.inputs[:, 0].tolist() == (2.0 * (found.t >= JUMP)).tolist()
    np.testing.assert_allclose(found.x, declared.x, rtol=1e-15, atol=1e-15)
    exact = np.cos(1.0) + 2.0 * (1.0 - np.cos(1.0 - JUMP))
    assert abs(found.x[-1, 0] - exact) < {"rk4": 1e-5, "gauss3": 1e-9, "euler": 0.2}[scheme]
