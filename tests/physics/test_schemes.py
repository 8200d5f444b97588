"""Runs by every Runge-Kutta scheme: order of convergence with inputs that move, inputs at its times, energy balance."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import sympy as sm
from numpy.testing import assert_allclose
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.analysis.balance import balance
from eomc.analysis.following import Followed
from eomc.errors import DivergenceError, UnsupportedError, UsageError
from eomc.integrators import integrator
from eomc.tableaus import TABLEAUS, Tableau

pytestmark = pytest.mark.needs_cc

EVERY = pytest.mark.parametrize("scheme", TABLEAUS, ids=lambda row: row.name)
x, v, force = dynamicsymbols("x v F")
m, k, c, mu = sm.symbols("m k c mu")


def on_a_line(friction: sm.Expr, **parts: Any) -> eomc.Model:
    """Return a mass m = 2 on a spring k = 8, driven by a force and held back by another."""
    N, origin, place = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(N, 0)
    place.set_pos(origin, x * N.x)
    place.set_vel(N, v * N.x)
    return eomc.Model(
        name="line",
        inertial_frame=N,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", place, m)],
        loads=[(place, (force - friction) * N.x)],
        potential_energy=k * x**2 / 2,
        inputs=[force],
        **parts,
    )


def driven() -> eomc.Model:
    """Return the mass without friction, at rest."""
    return on_a_line(sm.S.Zero, parameters={m: 2.0, k: 8.0}, initial={x: 0.0})


def damped() -> eomc.Model:
    """Return the mass with a damper, let go from x = 1."""
    return on_a_line(c * v, parameters={m: 2.0, k: 8.0, c: 0.8}, initial={x: 1.0})


def rubbed() -> eomc.Model:
    """Return the mass with Coulomb friction, let go from x = 1."""
    return on_a_line(mu * sm.sign(v), parameters={m: 2.0, k: 8.0, mu: 0.3}, initial={x: 1.0})


def sine(t: float) -> dict[str, float]:
    """Return the force that drives in resonance."""
    return {"F": 3.0 * np.sin(2.0 * t)}


@EVERY
def test_order_of_convergence(scheme: Tableau) -> None:
    """In resonance from rest x = F (sin(w t) - w t cos(w t)) / (2 m w^2), w^2 = k/m: errors fall as the row says.

    The motion depends on time by the input alone, so that inputs at other times than the stages' would cost the order.
    """
    sim = eomc.compile(driven(), integrator=scheme.name).load()
    exact = np.array([3.0 * (np.sin(4.0) - 4.0 * np.cos(4.0)) / (2 * 2 * 4), 3.0 * 2.0 * np.sin(4.0) / (2 * 2)])
    steps = np.array([256, 512]) * 8 if scheme.order == 1 else np.array([16, 32] if scheme.order > 4 else [256, 512])
    errors = [np.linalg.norm(sim.simulate(2.0, 2.0 / n, inputs=sine).x[-1] - exact) for n in steps]
    assert_allclose(np.log2(errors[0] / errors[1]), scheme.order, atol=0.12)


@pytest.mark.parametrize(("name", "steps"), [("dopri5", 64), ("dop853", 8), ("rodas5p", 64), ("taylor", 32)])
def test_order_of_adaptive_steps(name: str, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In steps of one length that a loose tolerance allows, with the input as a function; by a series, as a ramp.

    Under the ramp F = a t from rest x = (a/k) (t - sin(w t)/w). The series has order 6 here.
    """
    monkeypatch.setenv("CFLAGS", "-std=c99 -O0 -DLINE_TAYLOR_ORDER=6")
    sim = eomc.compile(driven(), integrator=name).load()
    expands = name == "taylor"
    if expands:
        exact = np.array([1.5 / 8 * (2.0 - np.sin(4.0) / 2.0), 1.5 / 8 * (1.0 - np.cos(4.0))])
    else:
        exact = np.array([3.0 * (np.sin(4.0) - 4.0 * np.cos(4.0)) / (2 * 2 * 4), 3.0 * 2.0 * np.sin(4.0) / (2 * 2)])
    errors = []
    for h in (2.0 / steps, 1.0 / steps):
        run = sim.simulate(
            2.0, inputs=eomc.Samples([0.0, 2.0], {"F": [0.0, 3.0]}) if expands else sine,
            rtol=0.5, atol=1e3, first_step=h, max_step=h,
        )  # fmt: skip
        errors.append(np.linalg.norm(run.x[-1] - exact))
    assert_allclose(np.log2(errors[0] / errors[1]), 6 if expands else integrator(name).order, atol=0.2)


@EVERY
def test_inputs_are_asked_for_at_the_times_of_the_scheme(scheme: Tableau) -> None:
    """Each once, in order; the shorter last step included."""
    asked: list[float] = []

    def record(t: float) -> list[float]:
        asked.append(t)
        return [0.0]

    sim = eomc.compile(driven(), integrator=scheme.name).load()
    sim.simulate(0.5, 0.2, x0=[0.0, 0.0], inputs=record, every=10)
    shares = np.array([float(share) for share in scheme.times(projected=False)])
    taken = np.concatenate([start + h * shares for start, h in ((0.0, 0.2), (0.2, 0.2), (0.4, 0.1))])
    ends = [0.0, 0.5]  # rows of the trajectory
    assert_allclose(np.unique(np.round(asked, 12)), np.unique(np.round([*taken, *ends], 12)), atol=1e-12)


@EVERY
def test_ways_to_choose_a_scheme(scheme: Tableau) -> None:
    """Of the build, or of the run: the same rows; the usual one is rk4."""
    usual = eomc.compile(driven())
    build = eomc.compile(driven(), integrator=scheme.name)
    sim = usual.load()
    of_build = build.load().simulate(1.0, 0.1, inputs=sine)
    of_run = sim.simulate(1.0, 0.1, inputs=sine, integrator=scheme.name)
    assert of_build.x.tobytes() == of_run.x.tobytes()
    assert (usual.integrator.name, sim.integrator, build.load().integrator) == ("rk4", "rk4", scheme.name)
    assert build.with_functions("jacobian").tableau is scheme
    again = usual.with_integrator(scheme.name)
    assert [file.text for file in again.artifacts] == [file.text for file in build.artifacts]
    with_step = next(file.text for file in build.artifacts if file.path == "line.h")
    assert f"line_{scheme.name}_step(" in with_step
    assert f"line_{scheme.name}_step_held(" in with_step
    assert set(re.findall(r"line_(\w+)_step\(", with_step)) == {scheme.name}


def test_held_inputs_by_every_way() -> None:
    """A constant input is the same motion however it is given, by a scheme that takes no input at the end of a step."""
    sim = eomc.compile(driven(), integrator="ralston").load()
    held = sim.simulate(1.0, 0.1, inputs={"F": 2.0})
    for inputs in ([2.0], np.full((11, 1), 2.0), lambda t: {"F": 2.0}):
        assert sim.simulate(1.0, 0.1, inputs=inputs).x.tobytes() == held.x.tobytes()


def test_unknown_schemes() -> None:
    """One sentence, with the nearest name, before anything is derived."""
    for call in (
        lambda: eomc.compile(driven(), integrator="huen"),
        lambda: eomc.compile(driven()).load().simulate(integrator="huen"),
        lambda: eomc.compile(driven()).with_integrator("huen"),
    ):
        with pytest.raises(UsageError, match=r"^unknown integrator 'huen'; did you mean heun\?$"):
            call()
    with pytest.raises(
        UsageError, match=r"unknown function 'rk4_step': .* prepare, rhs, heun_step, heun_step_held are"
    ):
        eomc.compile(driven(), integrator="heun", functions="rk4_step")


@EVERY
def test_the_work_is_integrated_by_the_same_scheme(scheme: Tableau) -> None:
    """The work of the damper is what is lost of k x^2 / 2, to the order of the scheme; the balance holds."""
    build = eomc.compile(damped(), integrator=scheme.name)
    steps = (1e-4, 5e-5) if scheme.order == 1 else (0.1, 0.05) if scheme.order > 4 else (0.01, 0.005)
    results = [balance(build, t_end=2.0, dt=dt) for dt in steps]
    decay, rate = 0.8 / 4, np.sqrt(8 / 2 - (0.8 / 4) ** 2)
    position = np.exp(-2 * decay) * (np.cos(2 * rate) + decay / rate * np.sin(2 * rate))
    velocity = -np.exp(-2 * decay) * (4.0 / rate) * np.sin(2 * rate)
    exact = 2 * velocity**2 / 2 + 8 * position**2 / 2 - 4.0
    errors = [abs(result.work - exact) for result in results]
    assert_allclose(np.log2(errors[0] / errors[1]), scheme.order, atol=0.3)
    assert all(result.holds for result in results), results


@EVERY
def test_an_energy_that_is_off_is_found(scheme: Tableau) -> None:
    """A force that moves while its derivative is said to be another is found by every scheme, whatever the step."""
    N, origin, place = ReferenceFrame("N"), Point("O"), Point("P")
    z = dynamicsymbols("z")
    origin.set_vel(N, 0)
    place.set_pos(origin, (x + z) * N.x)
    place.set_vel(N, (v + z.diff()) * N.x)
    model = eomc.Model(
        name="moved", inertial_frame=N, coordinates=[x], speeds=[v], bodies=[Particle("P", place, m)],
        potential_energy=k * (x + z) ** 2 / 2, inputs=[z, z.diff(), z.diff(dynamicsymbols._t, 2)],
        parameters={m: 2.0, k: 8.0}, initial={x: 1.0},
    )  # fmt: skip
    build = eomc.compile(model, integrator=scheme.name)
    assert not balance(build, 2.0, 1e-3, inputs={"z": 0.0, "z_d": 0.5, "z_dd": 0.0}).holds
    good = balance(
        build, 2.0, 1e-3 if scheme.order > 1 else 2e-5, inputs=lambda t: {"z": 0.5 * t, "z_d": 0.5, "z_dd": 0.0}
    )
    assert good.holds, good


@EVERY
def test_friction_balances(scheme: Tableau) -> None:
    """Steps across the turning points of a rubbed spring are of low order by every scheme, and are allowed for."""
    result = balance(eomc.compile(rubbed(), integrator=scheme.name), t_end=1.5, dt=2e-5)
    assert result.holds, result
    assert result.tolerance < 1e-3 * result.turnover


@EVERY
def test_a_run_is_followed(scheme: Tableau) -> None:
    """What is followed on the way is what the balance of the whole run finds; inputs are functions, one step is short.

    Euler's steps multiply the energy by 1 + h^2 k/m each: more than a thousandth in all; at new speeds they do not.
    """
    build = eomc.compile(damped(), integrator=scheme.name)
    found = Followed(build)
    build.load().simulate(2.00025, 5e-4, inputs=sine, follow=found, every=100)
    whole = balance(build, 2.00025, 5e-4, inputs=sine)
    assert found.defect == pytest.approx(whole.defect, rel=1e-6, abs=1e-13)
    assert found.is_off is (scheme.name == "euler")


def test_long_steps_of_a_low_order_are_off() -> None:
    """Euler's steps of 20 ms make energy from nothing: the run is called off, Heun's is not."""
    for name, off in (("euler", True), ("heun", False)):
        build = eomc.compile(damped(), integrator=name)
        found = Followed(build)
        build.load().simulate(5.0, 0.02 if off else 0.005, follow=found)
        assert found.is_off is off
        assert balance(build, 5.0, 0.02 if off else 0.005).told is not off


def test_an_implicit_step_that_does_not_converge() -> None:
    """The run ends with the time and what to do; the points before are there."""
    sim = eomc.compile(damped(), integrator="gauss3").load()
    with pytest.raises(DivergenceError, match=r"^line: no convergence at t = 0: take smaller steps$"):
        sim.simulate(36.0, 9.0)


def test_a_force_that_is_a_function_of_time_alone() -> None:
    """q'' = cos(9 t): speeds are found in one round, and coordinates move once more after that."""
    q, t = dynamicsymbols("q"), dynamicsymbols._t
    model = eomc.from_lagrangian(
        q.diff(t) ** 2 / 2, coordinates=[q], generalized_forces={q: sm.cos(9 * t)}, name="swept"
    )
    sim = eomc.compile(model, integrator="gauss3").load()
    exact = [(1.0 - np.cos(9.0)) / 81.0, np.sin(9.0) / 9.0]
    errors = [abs(sim.simulate(1.0, dt).x[-1] - exact).max() for dt in (0.1, 0.05)]
    assert np.log2(errors[0] / errors[1]) > 5.7


def test_what_an_implicit_step_is_refused_for() -> None:
    """A projection after the step, and derivatives through the iteration: by name, with what to use instead."""
    linkage = eomc.load("four_bar")
    with pytest.raises(UnsupportedError, match=r"^four_bar has no step of gauss3 with .*'projection': .* use stabil"):
        eomc.compile(linkage, stabilization="projection", integrator="gauss3")
    with pytest.raises(UnsupportedError, match=r"^step_jacobian: a step of gauss3 .* use integrator rk4$"):
        eomc.compile(driven(), functions="step_jacobian", integrator="gauss3")


@pytest.mark.parametrize(
    ("name", "method", "h", "swing"), [("kepler", None, 0.02, 1e-13), ("double_pendulum", "hamilton", 0.01, 1e-11)]
)
def test_the_energy_of_a_symplectic_scheme_has_no_drift(name: str, method: str | None, h: float, swing: float) -> None:
    """Mean energies of the first and the last tenth of 5000 steps are one, but for how it swings; rk4's are apart."""
    drifts = {}
    for scheme in ("gauss3", "rk4"):
        build = eomc.compile(eomc.load(name), method, integrator=scheme, functions=["energy"])
        sim = build.load()
        run = sim.simulate(5000 * h, h)
        energy = sim.energy(run.t, run.x)[build.equations.energetics.powers[-1].name]
        drifts[scheme] = abs(energy[-500:].mean() - energy[:500].mean()) / np.abs(energy[0])
    assert drifts["gauss3"] < swing
    assert drifts["rk4"] > 100.0 * swing
