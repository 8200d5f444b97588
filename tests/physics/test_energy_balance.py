"""Runs proved by their energy: what E changes by is the work; and what a balance finds when something is wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy as sm
from numpy.testing import assert_allclose
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.analysis.balance import balance, consistent_inputs
from eomc.analysis.following import Followed
from eomc.errors import UnsupportedError
from eomc.programs.program import make_program

Function: TypeAlias = Callable[..., Any]

t = dynamicsymbols._t
m, g, L, k, c, mu, A, w = sm.symbols("m g L k c mu A w")


def on_a_line(**parts: Any) -> eomc.Model:
    """Return a mass on a line, x' = v, with further parts of a Model."""
    x, v = dynamicsymbols("x v")
    N, origin, place = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(N, 0)
    place.set_pos(origin, x * N.x)
    place.set_vel(N, v * N.x)
    loads = [(place, force * N.x) for force in parts.pop("forces", [])]
    return eomc.Model(
        name="line",
        inertial_frame=N,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", place, m)],
        loads=loads,
        **parts,
    )


x, v, force = dynamicsymbols("x v F")


def damped() -> eomc.Model:
    """Return a damped oscillator that starts at x = 1 at rest: m = 2, k = 8, c = 0.8."""
    return on_a_line(
        potential_energy=k * x**2 / 2,
        dissipation_function=c * v**2 / 2,
        parameters={m: 2.0, k: 8.0, c: 0.8},
        initial={x: 1.0},
    )


def sliding(stiffness: float = 0.0) -> eomc.Model:
    """Return a block with Coulomb friction, on a spring if there is one."""
    return on_a_line(
        forces=[-mu * m * g * sm.sign(v)],
        potential_energy=k * x**2 / 2,
        parameters={m: 2.0, g: 9.81, mu: 0.3, k: stiffness},
        initial={x: 1.0, v: 3.0},
    )


def contradictory() -> eomc.Model:
    """Return two links, the second with an angular velocity that is not that of its orientation."""
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    N, first, second = (ReferenceFrame(name) for name in "NAB")
    first.orient_axis(N, N.z, q1)
    second.orient_axis(N, N.z, q2)
    first.set_ang_vel(N, u1 * N.z)
    second.set_ang_vel(N, sm.Rational(11, 10) * u2 * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    joint = origin.locatenew("P", L * first.x)
    joint.set_vel(N, L * u1 * first.y)
    tip = joint.locatenew("R", L * second.x)
    tip.set_vel(N, L * u1 * first.y + L * u2 * second.y)
    return eomc.Model(
        name="contradictory",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2],
        bodies=[Particle("p", joint, m), Particle("r", tip, m)],
        parameters={m: 1.0, L: 0.5},
        initial={q1: 0.2, u1: 1.0, u2: -2.0},
    )


# duration and step [s] where they are not 10 s and 1 ms
# (the snakeboard's light wheels are spun through 90 degrees by a constant torque: there the constraints are dependent)
TIMES = {"andrews_squeezer": (0.03, 1e-5), "snakeboard": (0.15, 1e-3), "hanging_chain": (3.0, 1e-3)}


@pytest.mark.sampled(6)
def test_every_shipped_model_balances(served: tuple[str, str], built: Function) -> None:
    """10 s from the initial values, inputs at work: E(t) - E(0) is the work to 1e-8 of the largest |T| or |V|.

    Under constraints coordinates and speeds are projected. In steps of 1 ms, or of a fraction where that is too long:
    a difference that comes from the step falls with its fourth power.
    """
    name, method = served
    build = built(name, method)
    pushed = {signal.name: 0.1 for signal in build.model.inputs}
    for inputs in (None, consistent_inputs(build.model, pushed)) if pushed else (None,):
        t_end, first = TIMES.get(name, (10.0, 1e-3))
        results = [balance(build, t_end, first, inputs=inputs)]
        for dt in (first / 4, first / 16):
            if not results[-1].defect <= results[-1].tolerance:
                results.append(balance(build, t_end, dt, inputs=inputs))
        assert results[-1].defect <= results[-1].tolerance, results
        for coarse, fine in itertools.pairwise(results):
            assert fine.defect < coarse.defect / 100


def test_a_damped_oscillator(compiled: Function) -> None:
    """E(t) = exp(-2 d t) of the known form; what is lost is the work of the damper."""
    result = balance(eomc.compile(damped()), t_end=3.0)
    decay, rate = 0.8 / 4, np.sqrt(8 / 2 - (0.8 / 4) ** 2)
    cos, sin, fade = np.cos(3 * rate), np.sin(3 * rate), np.exp(-3 * decay)
    position = fade * (cos + decay / rate * sin)
    velocity = -fade * (4.0 / rate) * sin  # k/m = 4
    assert_allclose(result.last, 2 * velocity**2 / 2 + 8 * position**2 / 2, rtol=1e-11)
    assert result.works == (("dissipation", pytest.approx(result.last - 4.0, abs=1e-11)),)
    assert result.holds
    assert result.drift == pytest.approx(4.0 - result.last, rel=1e-10)
    assert result.defect < 1e-11


def test_a_forced_oscillator() -> None:
    """In resonance from rest, m x'' + k x = F sin(w t): x = F (sin(w t) - w t cos(w t)) / (2 m w^2), at w^2 = k/m."""
    model = on_a_line(
        forces=[force], potential_energy=k * x**2 / 2, inputs=[force], parameters={m: 2.0, k: 8.0}, initial={x: 0}
    )
    result = balance(eomc.compile(model), t_end=5.0, inputs=lambda time: {"F": 3.0 * np.sin(2 * time)})
    position = 3.0 * (np.sin(10.0) - 10.0 * np.cos(10.0)) / (2 * 2 * 4)
    velocity = 3.0 * (10.0 * 2 * np.sin(10.0)) / (2 * 2 * 4)
    assert_allclose(result.last, 2 * velocity**2 / 2 + 8 * position**2 / 2, rtol=1e-10)
    assert_allclose(result.work, result.last, rtol=1e-10)
    assert result.holds


def test_a_pendulum_whose_pivot_is_moved() -> None:
    """With z, z' and z'' as inputs the pivot moves as they say, and h changes by the work of -dL/dt."""
    theta, u, z = dynamicsymbols("theta u z")
    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    B.orient_axis(N, N.z, theta)
    B.set_ang_vel(N, u * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    pivot = origin.locatenew("P", z * N.y)
    pivot.set_vel(N, z.diff() * N.y)
    bob = pivot.locatenew("C", -L * B.y)
    bob.v2pt_theory(pivot, N, B)
    model = eomc.Model(
        name="lifted",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[u],
        bodies=[Particle("bob", bob, m)],
        gravity=-g * N.y,
        inputs=[z, z.diff(), z.diff(t, 2)],
        parameters={m: 1.3, g: 9.81, L: 0.7},
        initial={theta: 0.5},
    )
    inputs = consistent_inputs(model, {"z_d": 0.5, "z_dd": -0.2})
    assert callable(inputs)
    assert inputs(2.0) == pytest.approx({"z": 0.5 * 2 - 0.1 * 4, "z_d": 0.1, "z_dd": -0.2})
    for method in model.methods:
        result = balance(eomc.compile(model, method), inputs=inputs)
        assert result.energy == "jacobi"
        assert abs(result.work) > 1.0
        assert result.holds
        if method == model.methods[0]:
            along = followed(eomc.compile(model), 10.0, inputs=inputs, every=1000)
            assert along.defect == pytest.approx(result.defect, rel=1e-6)
            assert not along.is_off
        # Inputs that contradict each other are found out.
        held = balance(eomc.compile(model, method), inputs={"z": 0.0, "z_d": 0.5, "z_dd": 0.0})
        assert not held.holds


@pytest.mark.parametrize("dt", [1e-2, 1e-3, 1e-4])
def test_coulomb_friction(dt: float) -> None:
    """A block slides to rest: friction takes all of m v^2 / 2. On a spring it turns back again and again.

    Steps across the turning points are less accurate, and rest is a flutter of the sign; both are allowed for. Where
    that is more than 1e-3 of the energy turned over, nothing is told.
    """
    result = balance(eomc.compile(sliding()), t_end=1.0, dt=dt)  # it stops after v / (mu g) = 1.02 s
    assert result.holds
    assert_allclose(result.work, 2 * (3 - 0.3 * 9.81) ** 2 / 2 - 9.0, rtol=1e-9)
    for model in (sliding(), sliding(50.0)):
        result = balance(eomc.compile(model), t_end=3.0, dt=dt)
        assert result.defect <= result.tolerance, result
        assert result.holds is (result.allowance <= 1e-3 * result.turnover)
        assert result.told or dt > 1e-4
        assert result.work < -8.9
        assert result.tolerance < 100 * dt  # J, of 9 J and 34 J


@pytest.mark.parametrize("method", ["kane", "gibbs-appell"])
def test_an_angular_velocity_that_contradicts_its_orientation_is_found(method: str) -> None:
    """The point that moves so is named, and the balance fails, whatever the step: accelerations are made of it."""
    for dt in (1e-2, 1e-3):
        with pytest.warns(RuntimeWarning, match="in the velocity of R, the mass centre of r, the angular velocity of"):
            build = eomc.compile(contradictory(), method)
        result = balance(build, t_end=2.0, dt=dt)
        assert not result.holds
        assert result.defect > 1e-3


def test_a_friction_that_is_missing_from_the_energy_account_is_found() -> None:
    """What the equations have and the powers have not is found beside kinks, too: the tolerance hides no error."""
    build = eomc.compile(sliding())
    from dataclasses import replace

    equations = replace(build.equations, graph=build.equations.graph.copy())
    *causes, total = equations.energetics.powers
    half = equations.graph.div(total.node, equations.graph.constant(2))
    wrong = replace(equations, energetics=replace(equations.energetics, powers=(replace(total, node=half),)))
    assert causes

    from eomc.backends.c99 import generate

    program = make_program(wrong, "line", "", [1.0, 3.0])
    result = generate(program, real="double", options_text="halved")
    broken = replace(build, equations=wrong, program=program, schedule=result.schedule, artifacts=result.artifacts)
    assert not balance(broken, t_end=1.0).holds
    assert balance(build, t_end=1.0).holds


def test_steps_that_are_too_long_fail() -> None:
    """A double pendulum in steps of 20 ms: the run is not what it should be, and the balance says so."""
    build = eomc.compile(eomc.load("double_pendulum"))
    assert balance(build, dt=1e-3).holds
    assert not balance(build, dt=0.02).holds


def test_drift_from_the_constraints_fails() -> None:
    """A slider-crank passes its dead points: without stabilization the loop opens and does work."""
    model = eomc.load("slider_crank")
    assert not balance(eomc.compile(model, stabilization="none")).holds
    assert balance(eomc.compile(model)).holds
    assert balance(eomc.compile(model, stabilization="baumgarte")).holds


def test_a_run_of_no_length() -> None:
    """Nothing happens in no time."""
    result = balance(eomc.compile(damped()), t_end=0.0)
    assert (result.work, result.drift, result.holds) == (0.0, 0.0, True)


def test_no_balance_without_power() -> None:
    """What cannot be balanced says why: an acceleration that was set and is no derivative."""
    model = on_a_line(forces=[-v], parameters={m: 1.0})
    model.dynamics.bodies[0].point.set_acc(model.dynamics.inertial_frame, x * model.dynamics.inertial_frame.x)
    with pytest.warns(RuntimeWarning, match="is not the time derivative"):
        build = eomc.compile(model)
    with pytest.raises(UnsupportedError, match=r"line by kane has no energy balance: an acceleration was set"):
        balance(build)


def bouncing(by_potential: bool = False) -> eomc.Model:
    """Return a ball above a stiff, damped ground: the contact can only lose energy."""
    d = sm.Symbol("d")
    depth = sm.Max(0, -x)
    return on_a_line(
        forces=[k * depth - d * depth * v - (0 if by_potential else m * g)],
        potential_energy=m * g * x if by_potential else 0,
        parameters={m: 1.0, k: 1e7, d: 1e5, g: 9.81},
        initial={x: 1.0},
    )


@pytest.mark.parametrize("by_potential", [False, True])
def test_steps_that_cannot_tell(by_potential: bool) -> None:
    """A ball on a stiff ground gains 20 times its energy in long steps: nothing is told; in short ones it holds.

    The weight is a load, whose work is counted, or has a potential.
    """
    build = eomc.compile(bouncing(by_potential))
    coarse = balance(build, t_end=3.0, dt=1e-3)
    assert coarse.defect > 100.0
    assert not coarse.told
    assert not coarse.holds
    fine = balance(build, t_end=1.0, dt=1e-5)
    assert fine.told
    assert fine.holds
    assert fine.tolerance < 1e-3 * fine.turnover


def followed(build: eomc.Build, t_end: float, dt: float = 1e-3, **options: Any) -> Followed:
    """Return what becomes of the energy of a run."""
    found = Followed(build)
    build.load().simulate(t_end, dt, follow=found, **options)
    return found


def test_a_run_without_a_warning() -> None:
    """Balances of usual runs, in float too, are far from what is worth a word; those of a gain of energy are not."""
    for real in ("double", "float"):
        assert not followed(eomc.compile(sliding(50.0), real=real), 3.0).is_off
    for every in (1, 100, 10_000_000):
        assert followed(eomc.compile(bouncing()), 3.0, every=every).is_off


def test_a_run_is_followed_whatever_is_kept_of_it() -> None:
    """The same rows as without; the balance of all steps, the shorter last one too, over several blocks."""
    build = eomc.compile(damped())
    sim = build.load()
    whole = balance(build, t_end=5.00025, dt=5e-4)  # 10,001 steps
    for every in (1, 7):
        found = Followed(build)
        run = sim.simulate(5.00025, 5e-4, every=every, follow=found)
        alone = sim.simulate(5.00025, 5e-4, every=every)
        assert run.x.tobytes() == alone.x.tobytes()
        assert run.t.tobytes() == alone.t.tobytes()
        assert found.defect == pytest.approx(whole.defect, abs=1e-14)
        assert found.turnover == pytest.approx(whole.turnover, rel=1e-12)


@pytest.mark.parametrize("real", ["double", "float"])
def test_no_shipped_model_is_off(real: str) -> None:
    """Ten seconds in steps of 1 ms, stabilized where the constraints would drift, are not worth a word."""
    for name in ("cart_pole", "rolling_disk", "kepler", "heavy_top"):
        assert not followed(eomc.compile(eomc.load(name), real=real), 10.0).is_off, name
