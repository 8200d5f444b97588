"""Small mechanisms with forces that other tools got wrong: time, friction, drag, contact, forces that turn."""

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

HOLONOMIC = ("kane", "gibbs-appell", "lagrange", "hamilton")
t = dynamicsymbols._t


def on_a_line(name: str, force: Any, mass: Any = 1, **more: Any) -> Any:
    """Return a particle on the x axis under a force, with coordinate x and speed v; `force` takes both."""
    x, v = dynamicsymbols("x v")
    frame, point = ReferenceFrame("N"), Point("P")
    origin = Point("O")
    origin.set_vel(frame, 0)
    point.set_pos(origin, x * frame.x)
    point.set_vel(frame, v * frame.x)
    return eomc.Model(
        name=name,
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", point, sympy.sympify(mass))],
        loads=[(point, force(x, v) * frame.x)],
        **more,
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_explicit_time_in_a_force(method: str, compiled: Function) -> None:
    """Time is an argument of the right-hand side: x'' = g - k x - b x' + o sin t."""
    k, b, g, o = sympy.symbols("k b g o")
    parameters = {k: 1, b: 0.2, g: 9.8, o: 2}
    model = on_a_line("driven", lambda x, v: g - k * x - b * v + o * sympy.sin(t), parameters=parameters)
    sim = compiled(model, method)
    x = np.array([0.1, -1.0])  # mass 1: momentum and velocity are the same number
    assert_allclose(sim.rhs(0.0, x), [-1.0, 9.9], rtol=1e-15)
    assert_allclose(sim.rhs(np.pi / 2, x), [-1.0, 11.9], rtol=1e-15)


def test_explicit_time_in_an_integration(compiled: Function) -> None:
    """Resonance, x'' = -x + sin t from rest: x = (sin t - t cos t)/2."""
    sim = compiled(
        on_a_line("resonance", lambda x, v: -x + sympy.sin(t), initial=dict.fromkeys(dynamicsymbols("x v"), 0))
    )
    motion = sim.simulate(20.0, 5e-3, every=100)
    assert_allclose(motion["x"], (np.sin(motion.t) - motion.t * np.cos(motion.t)) / 2, atol=1e-8)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_coulomb_friction(method: str, compiled: Function) -> None:
    """Sign of the velocity times mu g: sign(0) = 0, and each half swing loses 2 mu g/k of its amplitude."""
    k, friction = sympy.symbols("k mu_g")
    model = on_a_line("coulomb", lambda x, v: -k * x - friction * sympy.sign(v), parameters={k: 1, friction: 0.1})
    sim = compiled(model, method)
    assert_allclose(sim.rhs(0.0, np.array([0.5, -0.2]))[1], -0.4, rtol=1e-15)
    assert_allclose(sim.rhs(0.0, np.array([0.5, 0.0]))[1], -0.5, rtol=1e-15)
    positions = sim.simulate(5 * np.pi, np.pi / 2000, np.array([1.0, 0.0]))["x"]
    assert_allclose(positions[::2000], [1.0, -0.8, 0.6, -0.4, 0.2, 0.0], atol=1e-12)


FRICTIONS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[float, float], float], float]] = {
    # name: the function of v and a small speed, its slope there, its value at (0.02, 0.05)
    "sign": (lambda v, eps: sympy.sign(v), lambda v, eps: 0.0, 1.0),
    "tanh": (lambda v, eps: sympy.tanh(v / eps), lambda v, eps: np.cosh(v / eps) ** -2 / eps, 0.37994896225522485),
    "root": (
        lambda v, eps: v / sympy.sqrt(v**2 + eps**2),
        lambda v, eps: eps**2 / (v**2 + eps**2) ** 1.5,
        0.37139067635410367,
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
@pytest.mark.parametrize("name", FRICTIONS)
def test_slopes_of_friction(name: str, method: str, compiled: Function) -> None:
    """The Jacobian has no impulse at v = 0: a step has the slope 0, a regularized one its own, with the minus."""
    eps, friction = sympy.symbols("eps mu_g")
    function, slope, value = FRICTIONS[name]
    model = on_a_line(
        f"friction_{name}",
        lambda x, v: -x - friction * function(v, eps),
        parameters={friction: 0.1, eps: 0.05},
        outputs={"small": eps},  # used, whatever the function
    )
    sim = compiled(model, method)
    assert_allclose(sim.rhs(0.0, [0.3, 0.02]), [0.02, -0.3 - 0.1 * value], rtol=1e-14)
    assert_allclose(sim.rhs(0.0, [0.3, -0.02]), [-0.02, -0.3 + 0.1 * value], rtol=1e-14)
    assert_allclose(sim.rhs(0.0, [0.3, 0.0]), [0.0, -0.3], rtol=1e-14)
    for speed in (0.0, 0.02, -0.3):
        a, _ = sim.jacobian(0.0, [0.3, speed])
        assert_allclose(a, [[0, 1], [-1, -0.1 * slope(speed, 0.05)]], rtol=1e-13, atol=1e-15)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_quadratic_drag(method: str, compiled: Function) -> None:
    """F = -c v |v| as a load and as the dissipation function c |v|^3/3; coasting, 1/v grows by c t."""
    c, v = sympy.Symbol("c"), dynamicsymbols("v")
    as_load = on_a_line("drag", lambda x, v: -c * v * sympy.Abs(v), parameters={c: 0.3})
    as_function = on_a_line(
        "dissipation", lambda x, v: 0 * v, parameters={c: 0.3}, dissipation_function=c * sympy.Abs(v) ** 3 / 3
    )
    for model in (as_load, as_function):
        sim = compiled(model, method)
        assert_allclose(sim.rhs(0.0, np.array([0.0, -2.0])), [-2.0, 1.2], rtol=1e-14)
        assert_allclose(sim.rhs(0.0, np.array([0.0, 0.0])), [0.0, 0.0], atol=1e-15)
        for speed in (-2.0, 0.0, 2.0):
            slope = -2 * 0.3 * abs(speed)
            assert_allclose(sim.jacobian(0.0, [0.0, speed])[0], [[0, 1], [0, slope]], rtol=1e-14, atol=1e-15)
        motion = sim.simulate(5.0, 1e-3, np.array([0.0, -2.0]), every=100)
        velocity = sim.rhs(motion.t, motion.x)[:, 0]
        assert_allclose(1 / velocity, -0.5 - 0.3 * motion.t, rtol=1e-11)


@pytest.mark.parametrize("spelling", ["max", "piecewise", "heaviside", "potential"])
def test_one_sided_contact(spelling: str, compiled: Function) -> None:
    """A ball dropped on a spring ground F = k max(0, -y): deepest point, and energy with the spring's in it."""
    k, g = sympy.symbols("k g")
    forces: dict[str, Any] = {
        "max": lambda y, v: k * sympy.Max(0, -y) - g,
        "piecewise": lambda y, v: sympy.Piecewise((-k * y, y < 0), (0, True)) - g,
        "heaviside": lambda y, v: -k * y * sympy.Heaviside(-y) - g,
        "potential": lambda y, v: -g,
    }
    more = {"potential_energy": k * sympy.Min(dynamicsymbols("x"), 0) ** 2 / 2} if spelling == "potential" else {}
    model = on_a_line(f"ball_{spelling}", forces[spelling], parameters={k: 1e4, g: 9.81}, **more)
    sim = compiled(model)
    assert_allclose(sim.rhs(0.0, np.array([-0.01, 0.3]))[1], 100.0 - 9.81, rtol=1e-14)
    assert_allclose(sim.rhs(0.0, np.array([0.01, 0.3]))[1], -9.81, rtol=1e-14)
    for place, slope in ((-0.01, -1e4), (0.01, 0.0)):
        assert_allclose(sim.jacobian(0.0, [place, 0.3])[0], [[0, 1], [slope, 0]], rtol=1e-14)
    assert np.all(np.isfinite(sim.jacobian(0.0, [0.0, 0.3])[0]))
    motion = sim.simulate(0.5, 1e-5, np.array([1.0, 0.0]))
    y, v = motion.x.T
    low = int(y.argmin())
    deepest = y[low] - v[low] ** 2 / (2 * (-1e4 * y[low] - 9.81))  # half a step from the turning point
    assert_allclose(deepest, -0.045286331067, atol=1e-8)
    energy = v**2 / 2 + 9.81 * y + 1e4 / 2 * np.minimum(y, 0) ** 2
    assert_allclose(energy, 9.81, rtol=1e-7)
    if spelling == "potential":
        assert_allclose(sim.energy(motion.t, motion.x)["potential"], 5e3 * np.minimum(y, 0) ** 2, atol=1e-12)


def nested(x: float, v: float) -> float:
    """Return the force of :func:`test_branches_within_branches`, in Python."""
    if x > 1:
        return -(x - 1) * (3.0 if v > 0 else 1.0) if x < 2 else -np.sqrt(x - 1)
    if x < -1:
        return 2 / (x + 1) ** 2 if x < -2 else min(2.0, np.log(-x) + 1)
    return 0.5 * max(v, -0.2) if abs(v) > 0.1 else 0.0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_branches_within_branches(method: str, compiled: Function) -> None:
    """A spring with backlash, hysteresis and stops: roots, logarithms and quotients of other branches do no harm."""

    def force(x: Any, v: Any) -> Any:
        right = sympy.Piecewise((-(x - 1) * sympy.Piecewise((3, v > 0), (1, True)), x < 2), (-sympy.sqrt(x - 1), True))
        left = sympy.Piecewise((2 / (x + 1) ** 2, x < -2), (sympy.Min(2, sympy.log(-x) + 1), True))
        middle = sympy.Piecewise((sympy.Max(v, -0.2) / 2, sympy.Abs(v) > 0.1), (0, True))
        return sympy.Piecewise((right, x > 1), (left, x < -1), (middle, True))

    sim = compiled(on_a_line("backlash", force), method)
    states = [(x, v) for x in (-3.0, -1.7, -1.2, -1.0, -0.4, 0.0, 1.0, 1.5, 2.5) for v in (-0.7, -0.15, 0.0, 0.3)]
    expected = [[v, nested(x, v)] for x, v in states]
    assert_allclose(sim.rhs(0.0, states), expected, rtol=1e-14, atol=1e-15)
    h = 1e-6
    smooth = [(x, v) for x, v in states if x not in (-1.0, 1.0) and v != 0.0]
    for (x, v), (a, _) in zip(smooth, (sim.jacobian(0.0, state) for state in smooth), strict=True):
        by_x = (nested(x + h, v) - nested(x - h, v)) / (2 * h)
        by_v = (nested(x, v + h) - nested(x, v - h)) / (2 * h)
        assert_allclose(a, [[0, 1], [by_x, by_v]], rtol=1e-7, atol=1e-8)
    assert np.all(np.isfinite(sim.jacobian(0.0, states)[0]))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
def test_step_at_zero(method: str, compiled: Function) -> None:
    """Heaviside(0) is 1/2 unless its second argument says otherwise."""
    model = on_a_line("steps", lambda x, v: sympy.Heaviside(x) + 4 * sympy.Heaviside(v, 1) + 8 * sympy.Heaviside(x, 0))
    sim = compiled(model, method)
    forces = [sim.rhs(0.0, state)[1] for state in ([-1, -1], [0, -1], [0, 0], [1, 0])]
    assert_allclose(forces, [0.0, 0.5, 4.5, 13.0], rtol=1e-15)


def falling_plate(name: str, loads: Callable[[Any, Any, Any], list[Any]], **more: Any) -> Any:
    """Return a free plate in the plane, of mass m and moment J; `loads` takes the two frames and a point on it."""
    x, y, theta, vx, vy, omega = dynamicsymbols("x y theta vx vy omega")
    m, moment, arm = sympy.symbols("m J a")
    frame, plate, origin = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    plate.orient_axis(frame, frame.z, theta)
    plate.set_ang_vel(frame, omega * frame.z)
    origin.set_vel(frame, 0)
    centre = origin.locatenew("C", x * frame.x + y * frame.y)
    centre.set_vel(frame, vx * frame.x + vy * frame.y)
    corner = centre.locatenew("P", arm * plate.x)
    corner.v2pt_theory(centre, frame, plate)
    return eomc.Model(
        name=name,
        inertial_frame=frame,
        coordinates=[x, y, theta],
        speeds=[vx, vy, omega],
        bodies=[RigidBody("plate", centre, plate, m, (inertia(plate, 0, 0, moment), centre))],
        loads=loads(frame, plate, corner),
        parameters={m: 2.0, moment: 0.5, arm: 0.3},
        **more,
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
@pytest.mark.parametrize("turns", [True, False])
def test_force_that_turns_with_the_body(turns: bool, method: str, compiled: Function) -> None:
    """A thruster at P turns with the plate and has a constant moment; a force fixed in space has a varying one."""
    thrust = sympy.Symbol("F")
    vx, vy, omega = dynamicsymbols("vx vy omega")
    model = falling_plate(
        "thruster" if turns else "tether",
        lambda frame, plate, corner: [(corner, thrust * (plate.y if turns else frame.y) + 0 * vx * frame.x)],
        inputs={thrust: 1.5},
    )
    sim = compiled(model, method)
    angle = 0.7
    state = sim.state({"theta": angle}, {vx: 0.2, vy: -0.4, omega: 0.9})
    force = np.array([-1.5 * np.sin(angle), 1.5 * np.cos(angle)]) if turns else np.array([0.0, 1.5])
    torque = 0.3 * 1.5 * (1.0 if turns else np.cos(angle))
    scale = np.array([1.0, 1.0, 1.0]) if method == "hamilton" else np.array([2.0, 2.0, 0.5])
    assert_allclose(sim.rhs(0.0, state)[3:] * scale, [*force, torque], rtol=1e-13, atol=1e-15)
    motion = sim.simulate(2.0, 1e-3, sim.state({"theta": angle}, {omega: 0.9}), every=100)
    if turns:  # theta'' is constant, and x'' + i y'' = i F exp(i theta)/m
        assert_allclose(motion["theta"], angle + 0.9 * motion.t + 0.45 * motion.t**2, rtol=1e-11)
    else:  # y'' is constant, and J theta'^2/2 - F a sin theta is
        assert_allclose(motion["y"], 0.375 * motion.t**2, rtol=1e-11, atol=1e-15)
        rate = sim.rhs(motion.t, motion.x)[:, 2]
        energy = 0.25 * rate**2 - 0.45 * np.sin(motion["theta"])
        assert_allclose(energy, energy[0], rtol=1e-11)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", HOLONOMIC)
@pytest.mark.parametrize("turns", [True, False])
def test_torque_that_turns_with_the_body(turns: bool, method: str, compiled: Function) -> None:
    """Euler angles z, x, z: components on the body's axes and on those of space are different torques.

    A body with equal moments of inertia has J w' = T; its angular acceleration in space is compared.
    """
    angles, speeds = dynamicsymbols("a b c"), dynamicsymbols("u:3")
    moment, strength = sympy.symbols("J T")
    frame, body, centre = ReferenceFrame("N"), ReferenceFrame("B"), Point("C")
    body.orient_body_fixed(frame, angles, "ZXZ")
    spin = body.ang_vel_in(frame)
    rates = [q.diff(t) for q in angles]
    body.set_ang_vel(frame, sum((u * e for u, e in zip(speeds, body, strict=True)), 0 * body.x))
    centre.set_vel(frame, 0)
    model = eomc.Model(
        name="turned" if turns else "fixed",
        inertial_frame=frame,
        coordinates=angles,
        speeds=list(speeds),
        kinematical_equations=[u - spin.dot(e) for u, e in zip(speeds, body, strict=True)],
        bodies=[RigidBody("ball", centre, body, sympy.Integer(1), (inertia(body, moment, moment, moment), centre))],
        loads=[(body, strength * (body.x if turns else frame.x))],
        parameters={moment: 0.5, strength: 1.5},
    )
    assert all(spin.dot(body.x).has(rate) for rate in rates[:2])
    sim = compiled(model, method)
    place, w = dict(zip("abc", (0.4, 1.1, -0.7), strict=True)), np.array([0.3, -0.8, 1.2])
    state = sim.state(place, dict(zip(speeds, w, strict=True)))
    turning = np.array(body.dcm(frame).subs(dict(zip(angles, place.values(), strict=True)))).astype(float)
    expected = np.array([3.0, 0, 0]) if turns else turning @ [3.0, 0, 0]
    if method in ("kane", "gibbs-appell"):
        assert_allclose(sim.rhs(0.0, state)[3:], expected, rtol=1e-12, atol=1e-14)
    # the same motion by every method: body components of w along a short run, w(t) ~ w + t T/J with an error of t^2
    of_rates = sympy.lambdify([*angles, *(sympy.Symbol(f"r{i}") for i in range(3))], [
        spin.dot(e).subs(dict(zip(rates, sympy.symbols("r:3"), strict=True))) for e in body
    ])  # fmt: skip

    def body_rates(at: float, x: Any) -> Any:
        return np.array(of_rates(*x[:3], *sim.rhs(at, x)[:3]))

    motion = sim.simulate(2e-3, 1e-3, state)
    found = (
        -3 * body_rates(0.0, motion.x[0]) + 4 * body_rates(1e-3, motion.x[1]) - body_rates(2e-3, motion.x[2])
    ) / 2e-3
    assert_allclose(found, expected, atol=2e-5)


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_friction_that_depends_on_the_normal_force(method: str, compiled: Function, published: Function) -> None:
    """A bead in a rough hoop: theta'' and, through the closed form in theta, theta' further along."""
    entry = published("lecture_examples", "coulomb_friction_bead_001")
    e = entry["expected"]
    m, radius, mu, g = sympy.symbols("m R mu g")
    theta = dynamicsymbols("theta")
    rate = theta.diff(t)
    normal = m * (g * sympy.cos(theta) + radius * rate**2)
    model = eomc.from_lagrangian(
        m * radius**2 * rate**2 / 2 + m * g * radius * sympy.cos(theta),
        name="rough_hoop",
        coordinates=[theta],
        generalized_forces={theta: -mu * normal * radius},
        parameters={symbol: entry["parameters"][symbol.name] for symbol in (m, radius, mu, g)},
        outputs={"N": normal},
        initial={theta: entry["state"]["theta"], rate: entry["state"]["theta_d"]},
    )
    sim = compiled(model, method)
    inertia_ = 0.4 * 0.5**2 if method == "hamilton" else 1.0
    x = sim.initial_state
    assert_allclose(x, [0.3, 5.0 * inertia_], rtol=1e-15)
    assert_allclose(sim.rhs(0.0, x)[1] / inertia_, e["theta_dd"], rtol=entry["tolerance"])
    assert_allclose(sim.outputs(0.0, x), [e["N"]], rtol=entry["tolerance"])
    motion = sim.simulate(0.1, 1e-4)
    theta_, theta_d = motion.x[:, 0], motion.x[:, 1] / inertia_
    particular = -(2 * 9.81 / 0.5) * ((2 * 0.15 * np.sin(theta_) - np.cos(theta_)) + 0.15 * (
        np.sin(theta_) + 2 * 0.15 * np.cos(theta_)
    )) / (1 + 4 * 0.15**2)  # fmt: skip
    constant = (theta_d**2 - particular) * np.exp(2 * 0.15 * theta_)
    assert_allclose(constant, constant[0], rtol=1e-11)
    assert_allclose(theta_d[0] ** 2 - particular[0], e["first_integral_value_at_state"], rtol=entry["tolerance"])
    time, end = 0.06, x
    for _ in range(8):  # Newton's method for the time at which theta is 0.6
        end = sim.simulate(time, 1e-5, every=10**6).x[-1]
        time -= (end[0] - 0.6) * inertia_ / end[1]
    assert_allclose(end, [0.6, e["theta_d_at_0p6"] * inertia_], rtol=entry["tolerance"])
