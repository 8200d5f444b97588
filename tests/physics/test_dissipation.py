"""A dissipation function F(q, u, t) makes the generalized forces -dF/du_r, whichever way the motion is written.

With u = Y q' + Z the forces on q' are -Y^T dF/du; under constraints they work on what the constraints leave free.
"""

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

METHODS = ("kane", "gibbs-appell", "lagrange", "hamilton")
t = dynamicsymbols._t
m, c, d, k = sympy.symbols("m c d k")
x, y, theta = dynamicsymbols("x y theta")


def in_the_plane(name: str, speeds: list[Any], velocity: tuple[Any, Any], **more: Any) -> Any:
    """Return a particle of mass m at (x, y), with its velocity written in the speeds."""
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    point = origin.locatenew("P", x * frame.x + y * frame.y)
    point.set_vel(frame, velocity[0] * frame.x + velocity[1] * frame.y)
    return eomc.Model(
        name=name,
        inertial_frame=frame,
        coordinates=[x, y],
        speeds=speeds,
        bodies=[Particle("P", point, m)],
        **more,
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_function_of_speeds_that_are_not_rates(method: str, compiled: Function, accelerations: Function) -> None:
    """u1 = x' + k x y', u2 = y' - t, F = c u1^2/2 + d |u2|^3/3: Q_x = -c u1, Q_y = -c u1 k x - d u2 |u2|."""
    u1, u2 = dynamicsymbols("u1 u2")
    model = in_the_plane(
        "quasi",
        [u1, u2],
        (u1 - k * x * (u2 + t), u2 + t),
        kinematical_equations=[u1 - x.diff(t) - k * x * y.diff(t), u2 - y.diff(t) + t],
        dissipation_function=c * u1**2 / 2 + d * sympy.Abs(u2) ** 3 / 3,
        parameters={m: 2.0, k: 0.7, c: 0.3, d: 0.4},
    )
    sim = compiled(model, method)
    at, place, first, second = 0.4, 0.6, 1.3, -0.9
    state = sim.state({"x": place, "y": 0.2}, {"u1": first, "u2": second}, t=at)
    force = np.array([-0.3 * first, -0.3 * first * 0.7 * place - 0.4 * second * abs(second)])
    if method == "hamilton":
        assert_allclose(sim.rhs(at, state)[2:], force, rtol=1e-13)
    if method == "lagrange":
        assert_allclose(sim.rhs(at, state)[2:], force / 2.0, rtol=1e-13)
    assert_allclose(accelerations(sim, at, state), force / 2.0, rtol=1e-9)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_function_of_rates_beside_other_speeds(method: str, compiled: Function, accelerations: Function) -> None:
    """F may hold q' itself, whatever the speeds are."""
    u1, u2 = dynamicsymbols("u1 u2")
    model = in_the_plane(
        "mixed",
        [u1, u2],
        (u1 / 2, u2 - u1),
        kinematical_equations=[2 * x.diff(t) - u1, y.diff(t) + u1 - u2],
        dissipation_function=c * x.diff(t) ** 2 / 2 + d * y.diff(t) * u2 / 2,
        parameters={m: 2.0, c: 0.3, d: 0.4},
    )
    sim = compiled(model, method)
    state = sim.state({"x": 0.1, "y": 0.2}, {"u1": 1.3, "u2": -0.9})
    vx, vy = 0.65, -2.2  # u2 = y' + 2 x', so that F = c x'^2/2 + d (y'^2 + 2 x' y')/2
    assert_allclose(accelerations(sim, 0.0, state), [-(0.3 * vx + 0.4 * vy) / 2, -0.4 * (vy + vx) / 2], rtol=1e-9)


def test_along_an_incline(compiled: Function) -> None:
    """Under a configuration constraint the speed along the incline falls as exp(-c t/m), by every method."""
    vx, vy = dynamicsymbols("vx vy")
    model = in_the_plane(
        "incline",
        [vx, vy],
        (vx, vy),
        configuration_constraints=[y - k * x],
        dissipation_function=c * (vx**2 + vy**2) / 2,
        parameters={m: 2.0, c: 0.3, k: 0.75},
    )
    assert {*METHODS, "hamilton-multipliers"} == set(model.methods)
    expected = np.exp(-0.15 * np.linspace(0.0, 2.0, 5))
    for method in model.methods:
        sim = compiled(model, method)
        motion = sim.simulate(2.0, 1e-3, sim.state({"x": 0.4}, {"vx": 1.0}), every=500)
        assert_allclose(sim.rhs(motion.t, motion.x)[:, 0], expected, rtol=1e-9, err_msg=method)
        assert_allclose(sim.rhs(motion.t, motion.x)[:, 1], 0.75 * expected, rtol=1e-9, err_msg=method)


@pytest.mark.parametrize("named", [True, False])
def test_on_a_knife_edge(named: bool, compiled: Function) -> None:
    """Nonholonomic: forward speed and turning rate fall on their own, whether or not a dependent speed is named."""
    vx, vy, omega = dynamicsymbols("vx vy omega")
    moment = sympy.Symbol("J")
    frame, body, centre = ReferenceFrame("N"), ReferenceFrame("B"), Point("C")
    body.orient_axis(frame, frame.z, theta)
    body.set_ang_vel(frame, omega * frame.z)
    centre.set_vel(frame, vx * frame.x + vy * frame.y)
    model = eomc.Model(
        name=f"edge_{named}",
        inertial_frame=frame,
        coordinates=[x, y, theta],
        speeds=[vx, vy, omega],
        bodies=[RigidBody("edge", centre, body, m, (inertia(body, 0, 0, moment), centre))],
        velocity_constraints=[vx * sympy.sin(theta) - vy * sympy.cos(theta)],
        dependent_speeds=[vy] if named else [],
        dissipation_function=c * (vx**2 + vy**2) / 2 + d * omega**2 / 2,
        parameters={m: 2.0, c: 0.3, d: 0.4, moment: 0.5},
    )
    assert {"kane", "gibbs-appell", "lagrange", "hamilton-multipliers"} == set(model.methods)
    times = np.linspace(0.0, 2.0, 5)
    speed, turning = 1.2 * np.exp(-0.15 * times), 0.9 * np.exp(-0.8 * times)
    for method in model.methods:
        sim = compiled(model, method)
        start = sim.state({"theta": 0.3}, {"vx": 1.2 * np.cos(0.3), "vy": 1.2 * np.sin(0.3), "omega": 0.9})
        motion = sim.simulate(2.0, 1e-3, start, every=500)
        rates = sim.rhs(motion.t, motion.x)[:, :3]
        assert_allclose(np.hypot(rates[:, 0], rates[:, 1]), speed, rtol=1e-9, err_msg=method)
        assert_allclose(rates[:, 2], turning, rtol=1e-9, err_msg=method)


@pytest.mark.parametrize("method", ["lagrange", "kane", "hamilton"])
def test_beside_a_lagrangian(method: str, compiled: Function, accelerations: Function) -> None:
    """Q_r - dF/dq_r' stand together; the energy falls with 2 F where F is quadratic."""
    vx, vy = x.diff(t), y.diff(t)
    model = eomc.from_lagrangian(
        m * (vx**2 + (1 + x**2) * vy**2) / 2 - k * x**2 / 2,
        name="damped_lagrangian",
        coordinates=[x, y],
        generalized_forces={y: d * x},
        dissipation_function=c * (vx**2 + x**2 * vy**2) / 2,
        parameters={m: 2.0, k: 3.0, c: 0.3, d: 0.4},
    )
    sim = compiled(model, method)
    place, first, second = 0.6, 1.3, -0.9
    state = sim.state({"x": place}, {"x_d": first, "y_d": second})
    weight = 1 + place**2
    of_x = place * second**2 - 1.5 * place - 0.15 * first
    of_y = (0.4 * place - 0.3 * place**2 * second - 4.0 * place * first * second) / (2 * weight)
    assert_allclose(accelerations(sim, 0.0, state), [of_x, of_y], rtol=1e-9)
    power = sim.power(0.0, state)
    assert_allclose(power["dissipation"], -0.3 * (first**2 + place**2 * second**2), rtol=1e-13)
    assert_allclose(power["loads"], 0.4 * place * second, rtol=1e-13)


@pytest.mark.parametrize("method", ["lagrange", "kane", "hamilton"])
def test_what_is_lost_is_no_constant(method: str) -> None:
    """Energy and momenta of cyclic coordinates are constants of the motion only where F leaves them alone."""

    def invariants(dissipation: Any) -> set[str]:
        model = eomc.from_lagrangian(
            m * (x.diff(t) ** 2 + x**2 * y.diff(t) ** 2) / 2 - k * x**2 / 2,
            name="cyclic",
            coordinates=[x, y],
            dissipation_function=dissipation,
            parameters={m: 2.0, k: 3.0},
        )
        return {one.name for one in eomc.compile(model, method=method).equations.energetics.invariants}

    free = invariants(0)
    assert "p_y" in free
    assert len(free) > 1
    assert invariants(x.diff(t) ** 2 / 2) == {"p_y"}
    assert invariants(y.diff(t) ** 2 / 2) == set()


def test_lagranges_method_with_a_dissipation_function(compiled: Function) -> None:
    """SymPy's object has none of its own."""
    from sympy.physics.mechanics import LagrangesMethod

    lagrange = LagrangesMethod(m * x.diff(t) ** 2 / 2 - k * x**2 / 2, [x])
    model = eomc.from_lagranges_method(
        lagrange, dissipation_function=c * sympy.Abs(x.diff(t)) ** 3 / 3, parameters={m: 2.0, k: 3.0, c: 0.3}
    )
    assert_allclose(compiled(model).rhs(0.0, [0.5, -2.0]), [-2.0, (-1.5 + 1.2) / 2], rtol=1e-14)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_friction_as_a_function(method: str, compiled: Function) -> None:
    """F = mu |v| is Coulomb friction: -mu sign(v), zero at rest; a signal in F needs no derivative of it."""
    vx, vy, grip = dynamicsymbols("vx vy grip")
    model = in_the_plane(
        "grip",
        [vx, vy],
        (vx, vy),
        dissipation_function=grip * (sympy.Abs(vx) + sympy.sqrt(vy**2 + d**2)),
        inputs={grip: 0.7},
        parameters={m: 1.0, d: 0.01},
    )
    sim = compiled(model, method)
    assert_allclose(sim.rhs(0.0, [0, 0, -2.0, 0.03])[2:], [0.7, -0.7 * 0.03 / np.hypot(0.03, 0.01)], rtol=1e-13)
    assert_allclose(sim.rhs(0.0, [0, 0, 0.0, 0.0])[2:], [0.0, 0.0], atol=0)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
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
