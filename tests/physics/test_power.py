"""The power of loads, dissipation, moving constraints and time: together the rate of the energy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy as sm
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc

Array: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[..., Any]

t = dynamicsymbols._t
m, g, L, k, c, A, w = sm.symbols("m g L k c A w")


def moving_pivot(quasi: bool = False) -> eomc.Model:
    """Return a damped bar under a pivot that moves on an ellipse; with `quasi` the speed is no q' but a mixture."""
    theta, u = dynamicsymbols("theta u")
    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    B.orient_axis(N, N.z, theta)
    rate = (u - sm.sin(t) * theta) / (2 + sm.cos(t)) if quasi else u
    B.set_ang_vel(N, rate * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    pivot = origin.locatenew("P", A * sm.sin(w * t) * N.x + A * sm.cos(w * t) / 2 * N.y)
    pivot.set_vel(N, pivot.pos_from(origin).dt(N))
    center = pivot.locatenew("C", -L * B.y)
    center.v2pt_theory(pivot, N, B)
    return eomc.Model(
        name="pivot",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[u],
        kinematical_equations=[theta.diff() - rate],
        bodies=[RigidBody("bar", center, B, m, (inertia(B, 0, 0, m * L**2 / 5), center))],
        gravity=-g * N.y,
        dissipation_function=c * u**2 / 2,
        potential_energy=k * theta**2 / 2 * (1 + t / 10),
        loads=[(center, -k * u * N.x)],
        parameters={m: 1.3, g: 9.81, L: 0.7, k: 0.4, c: 0.1, A: 0.3, w: 3.0},
        initial={theta: 0.5},
    )


def pivot_by_input() -> eomc.Model:
    """Return a pendulum under a pivot whose height is an input signal, with both derivatives."""
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
    return eomc.Model(
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


def swelling() -> eomc.Model:
    """Return a body whose mass and inertia grow in time, under a constant force."""
    x, phi, v, u = dynamicsymbols("x phi v u")
    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    B.orient_axis(N, N.z, phi)
    B.set_ang_vel(N, u * N.z)
    place = Point("P")
    place.set_vel(N, v * N.x)
    size = 1 + c * t
    return eomc.Model(
        name="swelling",
        inertial_frame=N,
        coordinates=[x, phi],
        speeds=[v, u],
        bodies=[RigidBody("B", place, B, m * size, (inertia(B, 0, 0, k * size), place))],
        loads=[(place, L * N.x)],
        parameters={m: 2.0, k: 0.5, c: 0.3, L: 4.0},
    )


def tumbling() -> eomc.Model:
    """Return a body in a quaternion's three speeds, damped, with a motor and a spring that know an extra state."""
    z = sm.Function("z")(t)
    e, u = dynamicsymbols("e0:4"), dynamicsymbols("w1:4")
    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    B.orient_quaternion(N, e)
    B.set_ang_vel(N, u[0] * B.x + u[1] * B.y + u[2] * B.z)
    center = Point("O")
    center.set_vel(N, 0)
    rates = sm.Matrix([[-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]]]) / 2
    return eomc.Model(
        name="tumbling",
        inertial_frame=N,
        coordinates=e,
        speeds=u,
        kinematical_equations=[q.diff() - rate for q, rate in zip(e, rates * sm.Matrix(u), strict=True)],
        bodies=[RigidBody("b", center, B, m, (inertia(B, 1, 2, 3), center))],
        loads=[(B, z * B.x - c * u[1] * B.y)],
        potential_energy=k * e[1] ** 2 * z,
        extra_states={z: -z + u[0]},
        parameters={m: 1.0, c: 0.2, k: 0.7},
        initial={e[0]: 1},
    )


def field() -> eomc.Model:
    """Return a Lagrangian with parts of all degrees in q', each explicit in time, and forces beside it."""
    x, y = dynamicsymbols("x y")
    kinetic = m * (x.diff() ** 2 + y.diff() ** 2) / 2 * (1 + t / 9)
    return eomc.from_lagrangian(
        kinetic + c * sm.sin(t) * (x * y.diff() - y * x.diff()) - g * x**2 / 2 * sm.cos(t),
        coordinates=[x, y],
        generalized_forces={x: -k * x.diff() + L * y},
        parameters={m: 0.4, g: 2.0, c: 1.5, k: 0.2, L: 0.3},
        name="field",
    )


def oscillating_hamiltonian() -> eomc.Model:
    """Return a Hamiltonian whose spring changes in time, with friction."""
    x, p = dynamicsymbols("x p")
    return eomc.from_hamiltonian(
        p**2 / 2 / m + k * x**2 / 2 * (1 + sm.sin(t) / 2),
        coordinates=[x],
        momenta=[p],
        generalized_forces={x: -c * p / m},
        parameters={m: 1.2, k: 3.0, c: 0.1},
        name="oscillating",
    )


MODELS = [moving_pivot(), moving_pivot(quasi=True), pivot_by_input(), swelling(), tumbling(), field(),
          oscillating_hamiltonian()]  # fmt: skip
PAIRS = [(model, method) for model in MODELS for method in model.methods]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("model", "method"), PAIRS, ids=[f"{model.name}-{method}" for model, method in PAIRS])
def test_the_powers_are_the_rate_of_the_energy(
    model: eomc.Model, method: str, compiled: Function, derivative: Function
) -> None:
    """At random states the powers add up to dE/dt, by differences of the emitted energy along the emitted motion."""
    sim, rng = compiled(model, method), np.random.default_rng(4)
    for _ in range(10):
        x, r = sim.initial_state + rng.uniform(-0.5, 0.5, len(sim.state_names)), rng.uniform(-1, 1, len(model.inputs))
        slope, moving = sim.rhs(0.3, x, r), np.append(r[1:], 0.0) if len(r) else r
        powers = sim.power(0.3, x, r)
        *causes, energy = powers
        found = derivative(lambda s: sim.energy(0.3 + s, x + s * slope, r + s * moving)[energy])  # noqa: B023 (called at once)
        assert_allclose(powers[energy], found, rtol=1e-9, atol=1e-9)
        assert_allclose(powers[energy], sum(powers[cause] for cause in causes), rtol=1e-13, atol=1e-13)


def test_what_moves_in_time_is_minus_the_partial_derivative_of_the_lagrangian(compiled: Function) -> None:
    """Pendulum under a lifted pivot: dh/dt = -dL/dt at constant q, q', with L = m v.v/2 - m g y written by hand."""
    theta, rate, z, dz, ddz = sm.symbols("theta rate z dz ddz")
    height = z - L * sm.cos(theta)
    speed = (L * rate * sm.cos(theta)) ** 2 + (dz + L * rate * sm.sin(theta)) ** 2
    lagrangian = m * speed / 2 - m * g * height
    expected = sm.lambdify([theta, rate, z, dz, ddz], (-lagrangian.diff(z) * dz - lagrangian.diff(dz) * ddz).subs(
        {m: 1.3, g: 9.81, L: 0.7}))  # fmt: skip
    model = pivot_by_input()
    for method in ("kane", "gibbs-appell", "lagrange"):
        powers = compiled(model, method).power(0.0, [0.4, -1.2], [0.3, 0.8, -2.0])
        assert_allclose(powers["time"], expected(0.4, -1.2, 0.3, 0.8, -2.0), rtol=1e-13)
        assert list(powers) == ["time", "jacobi"]


def test_each_cause_by_its_formula(compiled: Function) -> None:
    """Spring, damper and force on a mass: F v, -c v^2, and nothing of the spring; a growing spring gives k' x^2 / 2."""
    x, v, force = dynamicsymbols("x v F")
    N, origin, P = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(N, 0)
    P.set_pos(origin, x * N.x)
    P.set_vel(N, v * N.x)
    model = eomc.Model(
        name="oscillator",
        inertial_frame=N,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", P, m)],
        potential_energy=k * (1 + 3 * t) * x**2 / 2,
        dissipation_function=c * v**2 / 2,
        loads=[(P, force * N.x)],
        inputs=[force],
        parameters={m: 2.0, k: 5.0, c: 0.3},
    )
    powers = compiled(model).power(1.0, [0.4, -1.5], {"F": 0.7})
    assert list(powers) == ["loads", "dissipation", "time", "total"]
    assert_allclose(list(powers.values())[:3], [-0.7 * 1.5, -0.3 * 2.25, 15 * 0.16 / 2], rtol=1e-14)


def rod_that_is_turned() -> eomc.Model:
    """Return a bead held on a line that turns at a given rate by a velocity constraint, in Cartesian coordinates."""
    x, y, u, v = dynamicsymbols("x y u v")
    N, origin, P = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(N, 0)
    P.set_pos(origin, x * N.x + y * N.y)
    P.set_vel(N, u * N.x + v * N.y)
    return eomc.Model(
        name="turned",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=[Particle("bead", P, m)],
        configuration_constraints=[x * sm.sin(w * t) - y * sm.cos(w * t)],
        parameters={m: 0.4, w: 1.5},
        initial={x: 0.5, u: 0.2},
    )


@pytest.mark.parametrize("method", ["kane", "gibbs-appell", "lagrange", "hamilton-multipliers"])
def test_constraints_that_move_do_work(method: str, compiled: Function) -> None:
    """A bead on a turned rod: the rod pushes with 2 m w r' across, at the speed w r; nothing else changes T."""
    sim = compiled(rod_that_is_turned(), method)
    powers = sim.power(0.0, sim.initial_state)
    assert list(powers) == ["constraints", "total"]
    assert_allclose(powers["constraints"], 2 * 0.4 * 1.5**2 * 0.5 * 0.2, rtol=1e-13)


@pytest.mark.parametrize(
    ("model", "method", "why"),
    [
        (
            rod_that_is_turned(),
            "hamilton",
            "constraints move, and Hamilton's form with sigma does not have their forces",
        ),
    ],
)
def test_what_has_no_power_says_why(model: eomc.Model, method: str, why: str) -> None:
    """Where the power cannot be derived there is no such function, and the equations say why."""
    equations = eomc.compile(model, method).equations
    assert why in equations.energetics.no_power
    assert not equations.energetics.powers


def test_an_input_without_its_derivative() -> None:
    """A spring whose stiffness is an input: the power is k' x^2 / 2, and k' is not among the inputs."""
    x, v, stiffness = dynamicsymbols("x v k")
    N, origin, P = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(N, 0)
    P.set_pos(origin, x * N.x)
    P.set_vel(N, v * N.x)
    build = eomc.compile(
        eomc.Model(
            name="tuned",
            inertial_frame=N,
            coordinates=[x],
            speeds=[v],
            bodies=[Particle("P", P, 1)],
            potential_energy=stiffness * x**2 / 2,
            inputs=[stiffness],
        )
    )
    assert (
        "time derivatives of inputs are not known: list k.diff(t) among the inputs too"
        in build.equations.energetics.no_power
    )
    assert "power" not in build.load().functions
