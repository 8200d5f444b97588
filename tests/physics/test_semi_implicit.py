"""The semi-implicit Euler step: its definition on the reference's rates, what it conserves, what it is refused for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sm
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.analysis.balance import balance
from eomc.errors import UnsupportedError

pytestmark = pytest.mark.needs_cc

theta, omega, z, r = dynamicsymbols("theta omega z r")
t = dynamicsymbols._t


def pulled() -> eomc.Model:
    """Return a pendulum on a moved pivot with q' = 2 u + sin t, pulled by a filter z' of an input and the speed."""
    m, length = sm.symbols("m l")
    N, A, pivot, bob = ReferenceFrame("N"), ReferenceFrame("A"), Point("O"), Point("P")
    A.orient_axis(N, theta, N.z)
    pivot.set_vel(N, 0)
    bob.set_pos(pivot, (length + r / 10) * A.x)
    return eomc.Model(
        name="pulled",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[omega],
        kinematical_equations=[theta.diff() - 2 * omega - sm.sin(t)],
        bodies=[Particle("P", bob, m)],
        gravity=9.81 * N.x,
        loads=[(bob, z * N.y)],
        extra_states={z: r - z - omega},
        inputs=[r, r.diff(), r.diff(t, 2)],
        parameters={m: 1.5, length: 0.7},
        initial={theta: 0.4},
    )


CASES = {
    "double_pendulum": ("double_pendulum", ("kane", "lagrange", "gibbs-appell", "hamilton")),
    "rolling_disk": ("rolling_disk", ("kane", "gibbs-appell")),
    "chaplygin_sleigh": ("chaplygin_sleigh", ("kane",)),
    "henon_heiles": ("henon_heiles", ("hamilton",)),
    "pulled": (pulled, ("kane",)),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "method"), [(name, method) for name in CASES for method in CASES[name][1]])
def test_a_step_is_its_definition_on_the_reference(name: str, method: str) -> None:
    """Five steps equal NumPy's on rates of the reference: the rest of the state first, then coordinates at it."""
    source = CASES[name][0]
    model = eomc.load(source) if isinstance(source, str) else source()
    sim = eomc.compile(model, method, functions=[], integrator="semi_implicit_euler").load()
    reference = eomc.reference(model, method)
    given: Any = (lambda s: {"r": np.sin(s), "r_d": np.cos(s), "r_dd": -np.sin(s)}) if name == "pulled" else None
    h, n = 0.02, len(model.coordinates)
    run = sim.simulate(5 * h, h, inputs=given)
    for k in range(5):
        at, before, inputs = k * h, run.x[k], given(k * h) if given else None
        new = before + h * reference.rhs(at, before, inputs)
        there = np.concatenate([before[:n], new[n:]])
        new[:n] = before[:n] + h * reference.rhs(at, there, inputs)[:n]
        assert_allclose(run.x[k + 1], new, rtol=1e-11, atol=1e-12)
        euler = before + h * reference.rhs(at, before, inputs)
        assert np.abs(new - euler)[:n].max() > 1e-6


def energies(name: str, scheme: str, t_end: float, h: float) -> NDArray[np.float64]:
    """Return the relative error of the energy along a run."""
    sim = eomc.compile(eomc.load(name), functions=["energy"], integrator=scheme).load()
    run = sim.simulate(t_end, h)
    found = sim.energy(run.t, run.x)
    energy: NDArray[np.float64] = next(found[word] for word in ("total", "hamiltonian") if word in found)
    return np.abs(energy - energy[0]) / (np.ptp(found["kinetic"]) if "kinetic" in found else abs(energy[0]))


@pytest.mark.parametrize(("name", "h", "bound"), [("simple_pendulum", 0.01, 0.05), ("henon_heiles", 0.05, 0.05)])
def test_the_energy_of_a_symplectic_step_stays(name: str, h: float, bound: float) -> None:
    """Over thousands of periods the error is no larger than over the first few; Euler's steps drift away."""
    long, half = (energies(name, "semi_implicit_euler", 2000.0, step) for step in (h, h / 2))
    early = len(long) // 20
    assert long.max() < bound
    assert long[early:].max() < 1.1 * long[:early].max()
    assert_allclose(long.max() / half.max(), 2.0, atol=0.2)  # the bound falls with h
    assert energies(name, "euler", 20.0, h).max() > 2.0 * long.max()


def test_a_step_is_a_symplectic_map() -> None:
    """J^T W J = W for the derivative J of a step of the Henon-Heiles Hamiltonian, W = [0 1; -1 0]; not of Euler's."""
    omega_form = np.kron(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.eye(2))
    x0, h, eps = np.array([0.1, -0.2, 0.3, 0.15]), 0.1, 1e-5
    off = {}
    for scheme in ("semi_implicit_euler", "euler"):
        sim = eomc.compile(eomc.load("henon_heiles"), functions=[], integrator=scheme).load()
        ends = [sim.simulate(h, h, x0 + sign * eps * unit).x[-1] for unit in np.eye(4) for sign in (1.0, -1.0)]
        slope = np.array([(ends[2 * i] - ends[2 * i + 1]) / (2.0 * eps) for i in range(4)]).T
        off[scheme] = np.abs(slope.T @ omega_form @ slope - omega_form).max()
    assert off["semi_implicit_euler"] < 1e-9
    assert off["euler"] > 1e-3


@pytest.mark.parametrize("h", [1e-3, 5e-4])
def test_the_error_of_steps_is_no_contradiction(h: float) -> None:
    """The energy that a symplectic step is off by stays in what half the step tells of it, however long the step."""
    found = balance(eomc.compile(eomc.load("henon_heiles"), integrator="semi_implicit_euler"), 5.0, h)
    assert found.defect <= found.tolerance
    assert found.holds is (h < 1e-3)


def test_a_model_without_speeds_is_refused() -> None:
    """Where no q' depends on a speed the step would be Euler's: refused by name, from every door."""
    a, b = dynamicsymbols("a b")
    model = eomc.Model(name="first_order", extra_states={a: b, b: -a}, initial={a: 1.0})
    message = r"^first_order has no semi-implicit step: no rate .* use integrator euler$"
    build = eomc.compile(model)
    for call in (
        lambda: eomc.compile(model, integrator="semi_implicit_euler"),
        lambda: build.with_integrator("semi_implicit_euler"),
        lambda: build.load().simulate(1.0, integrator="semi_implicit_euler"),
    ):
        with pytest.raises(UnsupportedError, match=message):
            call()
