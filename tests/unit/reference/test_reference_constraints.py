"""Constraints by numbers: motion, multipliers, forces and residuals by every method, against closed forms."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
import yaml
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from sympy import Rational, cos, sin, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.errors import ModelError, UnsupportedError
from eomc.reference import Reference, reference
from eomc.reference.constraints import constrained

Array: TypeAlias = NDArray[np.float64]

NOTES = Path(__file__).resolve().parents[2] / "data" / "reference" / "lecture_examples.yaml"
m, g, length, omega = symbols("m g l Omega", positive=True)
t = dynamicsymbols._t
x, y, vx, vy = dynamicsymbols("x y vx vy")

OF_STATES = ("kane", "gibbs-appell", "lagrange")  # those whose state has the speeds, here q' themselves


@functools.cache
def entries() -> dict[str, dict[str, Any]]:
    """Return the worked examples of the lecture notes by name."""
    return {entry["name"]: entry for entry in yaml.safe_load(NOTES.read_text(encoding="utf-8"))["entries"]}


def particle(**changes: Any) -> eomc.Model:
    """Return a point mass in the plane, y up, with whatever constraints are given."""
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, vx * N.x + vy * N.y)
    described: dict[str, Any] = {
        "name": "particle",
        "inertial_frame": N,
        "coordinates": [x, y],
        "speeds": [vx, vy],
        "bodies": [Particle("P", P, m)],
        "gravity": -g * N.y,
        "parameters": {m: 1.3, g: 9.81},
    }
    return eomc.Model(**{**described, **changes})


def pendulum() -> eomc.Model:
    """Return a pendulum in Cartesian coordinates: x^2 + y^2 = l^2."""
    return particle(
        configuration_constraints=[x**2 + y**2 - length**2],
        parameters={m: 1.3, length: 0.8, g: 9.81},
        initial={y: -0.8},
    )


def pendulum_of_lagrangian() -> eomc.Model:
    """Return the same from L = T - V alone."""
    return eomc.from_lagrangian(
        m * (x.diff() ** 2 + y.diff() ** 2) / 2 - m * g * y,
        coordinates=[x, y],
        configuration_constraints=[x**2 + y**2 - length**2],
        parameters={m: 1.3, length: 0.8, g: 9.81},
        initial={y: -0.8},
        ranges={y: (-1.0, -0.5)},
    )


def rates_of(oracle: Reference, t: float, state: Array, step: float = 1e-5) -> Array:
    """Return the rate of the multipliers along the motion, by central differences."""
    rhs = oracle.rhs(t, state)
    ahead, behind = (
        np.array([*oracle.multipliers(t + h, state + h * rhs).values()], dtype=float) for h in (step, -step)
    )
    return (ahead - behind) / (2 * step)


@pytest.mark.parametrize("make", [pendulum, pendulum_of_lagrangian])
@pytest.mark.parametrize("method", ["kane", "gibbs-appell", "lagrange", "hamilton-multipliers"])
@pytest.mark.parametrize(("angle", "rate"), [(0.0, 0.0), (0.6, 2.5)])
def test_force_of_a_rod(make: Any, method: str, angle: float, rate: float) -> None:
    """lambda = T/(2 l) with the tension T = m (l w^2 + g cos a): the force -J^T lambda pulls along the rod."""
    model = make()
    if method == "gibbs-appell" and make is pendulum_of_lagrangian:
        return  # no bodies
    mass, arm, gravity = 1.3, 0.8, 9.81
    oracle = reference(model, method)
    momentum = mass if method.startswith("hamilton") else 1.0
    place = arm * np.array([np.sin(angle), -np.cos(angle)])
    velocity = arm * rate * np.array([np.cos(angle), np.sin(angle)])
    state = np.array([*place, *momentum * velocity])
    tension = mass * (arm * rate**2 + gravity * np.cos(angle))
    force = -tension / arm * place
    assert oracle.multipliers(0, state) == {"lambda_configuration_0": pytest.approx(tension / (2 * arm), rel=1e-13)}
    assert_allclose([*oracle.constraint_forces(0, state).values()], force, rtol=1e-13, atol=1e-13)
    acceleration = force / mass - [0.0, gravity]
    assert_allclose(oracle.rhs(0, state), [*velocity, *momentum * acceleration], rtol=1e-13, atol=1e-13)
    assert_allclose(oracle.accelerations(0, state), acceleration, rtol=1e-13, atol=1e-13)
    assert_allclose(oracle.constraint_residuals(0, state), [0.0], atol=1e-15)


@pytest.mark.parametrize("method", OF_STATES)
def test_off_the_constraint_the_rows_hold_still(method: str) -> None:
    """J q'' = -J' q' wherever the state is: M q'' + J^T lambda = f by hand, J = (2 x, 2 y), J' q' = 2 (x'^2 + y'^2)."""
    oracle = reference(pendulum(), method)
    state = np.array([0.7, -0.9, 1.2, 0.4])
    row, speeds = 2 * state[:2], state[2:]
    multiplier = (row @ [0.0, -9.81] + 2 * speeds @ speeds) * 1.3 / (row @ row)
    assert_allclose(oracle.rhs(0, state)[2:], [0.0, -9.81] - row * multiplier / 1.3, rtol=1e-13)
    assert oracle.multipliers(0, state)["lambda_configuration_0"] == pytest.approx(multiplier, rel=1e-13)
    assert_allclose(oracle.constraint_residuals(0, state), [0.49 + 0.81 - 0.64], rtol=1e-13)


@pytest.mark.parametrize("make", [pendulum, pendulum_of_lagrangian])
def test_hamilton_with_dependent_coordinates(make: Any) -> None:
    """p = m q' + 2 q sigma is solved with q . q' = 0; p' = -m g e_y + 2 sigma q', and sigma' is Lagrange's lambda."""
    oracle = reference(make(), "hamilton")
    angle, rate, sigma = 0.6, 2.5, 0.7
    place = 0.8 * np.array([np.sin(angle), -np.cos(angle)])
    velocity = 0.8 * rate * np.array([np.cos(angle), np.sin(angle)])
    state = np.array([*place, *(1.3 * velocity + 2 * sigma * place)])
    assert oracle.multipliers(0, state) == {"sigma_configuration_0": pytest.approx(sigma, rel=1e-13)}
    expected = [*velocity, *(np.array([0.0, -1.3 * 9.81]) + 2 * sigma * velocity)]
    assert_allclose(oracle.rhs(0, state), expected, rtol=1e-12)
    tension = 1.3 * (0.8 * rate**2 + 9.81 * np.cos(angle))
    assert_allclose(rates_of(oracle, 0.0, state), [tension / 1.6], rtol=1e-8)
    drawn = oracle.state({"x": place[0]}, {"x_d" if make is pendulum_of_lagrangian else "vx": velocity[0]})
    assert_allclose(drawn, [*place, *1.3 * velocity], rtol=1e-12)  # a start has sigma = 0


def rod_that_turns() -> eomc.Model:
    """Return a bead on a smooth rod that turns at the constant rate Omega about the origin, level: no weight."""
    constraint = y * cos(omega * t) - x * sin(omega * t)
    return eomc.from_lagrangian(
        m * (x.diff() ** 2 + y.diff() ** 2) / 2,
        coordinates=[x, y],
        configuration_constraints=[constraint],
        parameters={m: 1.3, omega: 0.9},
    )


@pytest.mark.parametrize("method", ["lagrange", "kane", "hamilton-multipliers", "hamilton"])
def test_rod_that_turns(method: str) -> None:
    """Explicit time, J q' = -Phi_t: r'' = Omega^2 r, and the rod pushes with 2 m Omega r' across."""
    oracle = reference(rod_that_turns(), method)
    time, r, rate = 0.7, 0.5, 0.8
    along = np.array([np.cos(0.9 * time), np.sin(0.9 * time)])
    across = np.array([-along[1], along[0]])
    velocity = rate * along + r * 0.9 * across
    acceleration = 2 * 0.9 * rate * across  # r'' - Omega^2 r = 0 along the rod
    multiplier = -2 * 1.3 * 0.9 * rate
    factor = 1.3 if method.startswith("hamilton") else 1.0
    state = np.array([*r * along, *factor * velocity])
    if method != "hamilton":
        assert oracle.multipliers(time, state)["lambda_configuration_0"] == pytest.approx(multiplier, rel=1e-13)
        assert_allclose(oracle.rhs(time, state), [*velocity, *factor * acceleration], rtol=1e-13)
        return
    sigma = -0.4
    state[2:] += sigma * across  # J = across
    slope = -0.9 * along  # d(J q' + Phi_t)/dq: both J' and Phi_t turn
    assert oracle.multipliers(time, state)["sigma_configuration_0"] == pytest.approx(sigma, rel=1e-13)
    assert_allclose(oracle.rhs(time, state), [*velocity, *sigma * slope], rtol=1e-13)
    assert_allclose(rates_of(oracle, time, state), [multiplier], rtol=1e-8)


@pytest.mark.parametrize("method", ["kane", "gibbs-appell", "lagrange", "hamilton-multipliers"])
def test_velocity_that_is_prescribed(method: str) -> None:
    """x' = a sin(t): the force m a cos(t) makes it so, whatever x' is; lambda is its opposite."""
    oracle = reference(particle(velocity_constraints=[vx - 0.6 * sin(t)]), method)
    factor = 1.3 if method == "hamilton-multipliers" else 1.0
    state = np.array([0.3, 0.4, factor * 0.5, factor * -0.2])
    assert_allclose(oracle.rhs(0.7, state)[2:], [factor * 0.6 * np.cos(0.7), factor * -9.81], rtol=1e-13)
    assert oracle.multipliers(0.7, state)["lambda_velocity_0"] == pytest.approx(-1.3 * 0.6 * np.cos(0.7), rel=1e-13)
    assert_allclose(oracle.constraint_residuals(0.7, state), [0.5 - 0.6 * np.sin(0.7)], rtol=1e-13)


@pytest.mark.parametrize("method", OF_STATES)
def test_redundant_rows_share_by_least_norm(method: str) -> None:
    """f and 2 f: the motion of f alone, and lambda in the ratio 1 : 2 with lambda_1 + 2 lambda_2 that of f alone."""
    f = x**2 + y**2 - Rational(16, 25)
    oracle = reference(particle(configuration_constraints=[f, 2 * f]), method)
    alone = reference(particle(configuration_constraints=[f]), method)
    state = [0.8 * np.sin(0.6), -0.8 * np.cos(0.6), 2 * np.cos(0.6), 2 * np.sin(0.6)]
    one, two = oracle.multipliers(0, state).values()
    (whole,) = alone.multipliers(0, state).values()
    assert_allclose([one, two], [whole / 5, 2 * whole / 5], rtol=1e-12)
    assert_allclose(oracle.rhs(0, state), alone.rhs(0, state), rtol=1e-12)


def test_units_make_no_row_redundant() -> None:
    """Two rows that differ in one column of metres, and their half sum: v and the forces of lambda in other units."""
    matrix = np.array([[2.0, 0.3, 0.0], [0.3, 1.0, -0.2], [0.0, -0.2, 3.0]])
    rows = np.array([[1.0, 1.0, 0.5], [1.0, 1.0, 0.7], [1.0, 1.0, 0.6]])
    v, force = np.array([0.4, -1.0, 0.7]), rows.T @ np.array([0.3, -0.5, 0.7])
    for metre in (1.0, 2.0**33, 2.0**-33):
        unit = np.array([1.0, 1.0, metre])
        scaled, slopes = matrix / np.outer(unit, unit), rows / unit
        found, shares = constrained(scaled[None], ((matrix @ v + force) / unit)[None], slopes[None], (rows @ v)[None])
        assert_allclose(found[0], unit * v, rtol=1e-13)
        assert_allclose(slopes.T @ shares[0], force / unit, rtol=1e-13)
        assert_allclose(shares[0] @ [1.0, 1.0, -2.0], 0.0, atol=1e-13)  # of least norm


@pytest.mark.parametrize("method", OF_STATES)
def test_a_rate_that_the_user_lists_is_not_counted_twice(method: str) -> None:
    """x x' + y y' is half the rate of the configuration constraint: one row, whose multiplier is twice as large."""
    model = particle(configuration_constraints=[x**2 + y**2 - Rational(16, 25)], velocity_constraints=[x * vx + y * vy])
    oracle = reference(model, method)
    assert oracle.multipliers(0, [0.0, -0.8, 0.0, 0.0]) == {"lambda_velocity_0": pytest.approx(1.3 * 9.81 / 0.8)}
    found = oracle.constraint_residuals(0, [0.1, -0.9, 0.5, 0.7])  # configuration, then velocity
    assert_allclose(found, [0.01 + 0.81 - 0.64, 0.05 - 0.63], rtol=1e-13)


def test_the_norm_of_a_quaternion_is_no_row() -> None:
    """e . e = 1 follows from the kinematical equations: no multiplier, Euler's equations as they are."""
    e0, e1, e2, e3, u1, u2, u3 = dynamicsymbols("e0 e1 e2 e3 u1 u2 u3")
    N, B, P = ReferenceFrame("N"), ReferenceFrame("B"), Point("P")
    B.orient_quaternion(N, (e0, e1, e2, e3))
    B.set_ang_vel(N, u1 * B.x + u2 * B.y + u3 * B.z)
    P.set_vel(N, 0)
    model = eomc.Model(
        name="body",
        inertial_frame=N,
        coordinates=[e0, e1, e2, e3],
        speeds=[u1, u2, u3],
        kinematical_equations=[
            2 * e0.diff() + e1 * u1 + e2 * u2 + e3 * u3,
            2 * e1.diff() - e0 * u1 + e3 * u2 - e2 * u3,
            2 * e2.diff() - e3 * u1 - e0 * u2 + e1 * u3,
            2 * e3.diff() + e2 * u1 - e1 * u2 - e0 * u3,
        ],
        bodies=[RigidBody("body", P, B, m, (inertia(B, 1, 2, 4), P))],
        configuration_constraints=[e0**2 + e1**2 + e2**2 + e3**2 - 1],
        parameters={m: 1.0},
        initial={e0: 1.0},
    )
    for method in ("kane", "gibbs-appell"):
        oracle = reference(model, method)
        state = oracle.state({}, {"u1": 0.3, "u2": 0.5, "u3": -0.7})
        assert oracle.multipliers(0, state) == {}
        assert_allclose(oracle.rhs(0, state)[4:], [-2 * 0.5 * -0.7, 3 * -0.7 * 0.3 / 2, -1 * 0.3 * 0.5 / 4], rtol=1e-13)


def sleigh(**changes: Any) -> eomc.Model:
    """Return Chaplygin's sleigh, the blade at (x, y) a velocity constraint, speeds in fixed axes."""
    q, w = dynamicsymbols("q w")
    central, a = symbols("I a", positive=True)
    N, A, P = ReferenceFrame("N"), ReferenceFrame("A"), Point("P")
    A.orient_axis(N, N.z, q)
    A.set_ang_vel(N, w * N.z)
    P.set_vel(N, vx * N.x + vy * N.y)
    C = P.locatenew("C", a * A.x)
    C.v2pt_theory(P, N, A)
    described: dict[str, Any] = {
        "name": "sleigh",
        "inertial_frame": N,
        "coordinates": [x, y, q],
        "speeds": [vx, vy, w],
        "bodies": [RigidBody("sleigh", C, A, m, (inertia(A, 0, 0, central), C))],
        "velocity_constraints": [-vx * sin(q) + vy * cos(q)],
        "parameters": {m: 2.0, central: 0.3, a: 0.4},
    }
    return eomc.Model(**{**described, **changes})


@pytest.mark.parametrize("method", [*OF_STATES, "hamilton-multipliers"])
def test_chaplygin_sleigh(method: str) -> None:
    """v' = a w^2, w' = -m a v w/(I + m a^2); the edge's force m (v w + a w') acts across: minus the multiplier."""
    oracle = reference(sleigh(), method)
    heading, v, w = 0.5, 1.5, 0.7
    state = oracle.state({"q": heading}, {"vx": v * np.cos(heading), "w": w})
    assert_allclose(oracle.constraint_residuals(0, state), [0.0], atol=1e-14)
    assert_allclose(oracle.velocities(0, state), [v * np.cos(heading), v * np.sin(heading), w], rtol=1e-13)
    ax, ay, alpha = oracle.accelerations(0, state)
    along = ax * np.cos(heading) + ay * np.sin(heading)
    assert_allclose([along, alpha], [0.196, -1.354838709677], rtol=1e-12)
    assert oracle.multipliers(0, state)["lambda_velocity_0"] == pytest.approx(-1.016129032258, rel=1e-12)


@pytest.mark.parametrize("method", ["lagrange", "kane", "hamilton-multipliers"])
def test_robot_on_two_wheels(method: str) -> None:
    """Three velocity constraints on five coordinates, from a Lagrangian: both wheels' accelerations at any state."""
    q, right, left = dynamicsymbols("q right left")
    rates = [c.diff() for c in (x, y, q, right, left)]
    xd, yd, qd, rd, ld = rates
    radius, half = Rational(1, 10), Rational(1, 5)
    model = eomc.from_lagrangian(
        Rational(5, 2) * (xd**2 + yd**2) + Rational(1, 5) * qd**2 + Rational(1, 200) * (rd**2 + ld**2),
        coordinates=[x, y, q, right, left],
        generalized_forces={right: Rational(3, 10), left: Rational(1, 10)},
        velocity_constraints=[
            -xd * sin(q) + yd * cos(q),
            xd * cos(q) + yd * sin(q) - radius * (rd + ld) / 2,
            qd - radius * (rd - ld) / (2 * half),
        ],
    )
    oracle = reference(model, method)
    drawn = oracle.random_state(np.random.default_rng(1), 5)
    expected = np.tile([7.380952380952, 4.047619047619], (5, 1))
    assert_allclose(oracle.constraint_residuals(0, drawn), 0.0, atol=1e-14)
    assert_allclose(oracle.accelerations(0, drawn)[:, 3:], expected, rtol=1e-12)


def test_hamilton_refuses_rolling_and_blades() -> None:
    """A velocity constraint that is no rate of a configuration constraint: the message says what serves instead."""
    held = sleigh(configuration_constraints=[x - y])
    oracle = reference(held, "hamilton")
    with pytest.raises(UnsupportedError, match=r"velocity constraint 1 .* use hamilton-multipliers"):
        oracle.rhs(0, [0.1] * 6)


def values(names: str, numbers: Sequence[float]) -> dict[str, float]:
    """Return numbers by the names in a string."""
    return dict(zip(names.split(), numbers, strict=True))


def masses_on_rod() -> tuple[dict[str, float], dict[str, float], Sequence[float], Sequence[float]]:
    """Return coordinates, speeds, q'' and lambda of the published point: two masses on a rod, Cartesian."""
    entry = entries()["two_masses_on_rod_004"]
    s, e = entry["state"], entry["expected"]
    return values("x1 y1 x2 y2", s["cart"]), values("x1d y1d x2d y2d", s["cartd"]), e["cart_dd"], e["lam"]


def guided_end() -> tuple[dict[str, float], dict[str, float], Sequence[float], Sequence[float]]:
    """Return the same of two bars with a guided end."""
    entry = entries()["slider_crank_multiplier_example5_004"]
    s, e = entry["state"], entry["expected"]
    return values("q1 q2", s["q"]), values("u1 u2", s["qd"]), e["qdd"], e["lam"]


def guided_slider() -> tuple[dict[str, float], dict[str, float], Sequence[float], Sequence[float]]:
    """Return the same of two bars with a slider."""
    entry = entries()["slider_crank_multiplier_example6_004"]
    s, e = entry["state"], entry["expected"]
    return values("q1 q2 q3", s["q"]), values("u1 u2 u3", s["qd"]), e["qdd"], e["lam"]


def crank_with_slider() -> tuple[dict[str, float], dict[str, float], Sequence[float], None]:
    """Return the same of the slider-crank of unequal bars, but for its multipliers."""
    entry = entries()["slider_crank_000"]
    s, e = entry["state"], entry["expected"]
    coordinates = values("theta beta x", [s["theta"], s["beta"], s["x"]])
    speeds = values("u1 u2 u3", [s["u1"], e["beta_d"], e["x_d"]])
    return coordinates, speeds, [e["u1d"], e["beta_dd"], e["x_dd"]], None


def small_slider_crank() -> tuple[dict[str, float], dict[str, float], Sequence[float], None]:
    """Return the same of a slider-crank without weight at 45 degrees and 10 rad/s; beta'' from the loop by hand."""
    r, rod, rate, acceleration = 0.1, 0.4, 10.0, 105.08735
    height = r * np.sqrt(0.5)
    beta = np.arccos(height / rod)
    beta_d = -height * rate / (rod * np.sin(beta))
    beta_dd = -(height * (acceleration - rate**2) + rod * np.cos(beta) * beta_d**2) / (rod * np.sin(beta))
    place = height + rod * np.sin(beta)
    assert place == pytest.approx(0.464411071819, rel=1e-11)
    slider = -height * rate + rod * np.cos(beta) * beta_d
    found = [acceleration, beta_dd, -15.877444]
    return (
        values("theta beta x", [np.pi / 4, beta, place]),
        values("u1 u2 u3", [rate, beta_d, slider]),
        found,
        None,
    )


SMALL = {"m1": 1.0, "m2": 0.5, "m3": 0.8, "l1": 0.1, "l2": 0.4, "g": 0.0}
PUBLISHED = {
    "two_masses_on_rod_cartesian": (masses_on_rod, "two_masses_on_rod_004", 1e-12),
    "slider_crank:1": (guided_end, "slider_crank_multiplier_example5_004", 1e-12),
    "slider_crank:2": (guided_slider, "slider_crank_multiplier_example6_004", 1e-12),
    "slider_crank_unequal": (crank_with_slider, "slider_crank_000", 1e-11),
    "small": (small_slider_crank, "", 1e-7),
}


@pytest.mark.parametrize("method", [*OF_STATES, "hamilton-multipliers", "hamilton"])
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_mechanisms(name: str, method: str) -> None:
    """q'' and lambda at published states; sigma of a start without any grows at the rate lambda."""
    point, source, tolerance = PUBLISHED[name]
    coordinates, speeds, accelerations, multipliers = point()
    oracle = reference(eomc.load("slider_crank_unequal" if name == "small" else name), method)
    numbers = dict(SMALL if name == "small" else entries()[source]["parameters"])
    given = {key: value for key, value in numbers.items() if key in oracle.parameter_names}
    torque: Mapping[str, float] = {"tau": 2.0 if name == "small" else numbers.get("tau", 0.0)}
    inputs = torque if oracle.input_names else None
    second = np.array([*speeds.values()])
    if method.startswith("hamilton"):  # p = M q'
        lagrange = reference(oracle.model, "lagrange")
        second = lagrange.mass_matrix(0, [*coordinates.values(), *speeds.values()], inputs, given) @ second
    state = np.array([*coordinates.values(), *second])
    assert_allclose(oracle.constraint_residuals(0, state, inputs, given), 0.0, atol=1e-11)
    close = {"rtol": tolerance, "atol": tolerance}
    assert_allclose(oracle.velocities(0, state, inputs, given), [*speeds.values()], **close)
    if method == "hamilton":
        rhs = oracle.rhs(0, state, inputs, given)

        def ahead(step: float) -> Array:
            at = state + step * rhs
            sigma = oracle.multipliers(step, at, inputs, given).values()
            return np.array([*oracle.velocities(step, at, inputs, given), *sigma])

        slopes = (ahead(1e-5) - ahead(-1e-5)) / 2e-5
        assert_allclose(slopes[: len(accelerations)], accelerations, rtol=1e-6, atol=1e-6)
        if multipliers is not None:
            assert_allclose(slopes[len(accelerations) :], multipliers, rtol=1e-6, atol=1e-6)
        return
    assert_allclose(oracle.accelerations(0, state, inputs, given), accelerations, **close)
    if multipliers is not None:
        assert_allclose([*oracle.multipliers(0, state, inputs, given).values()], multipliers, **close)


def test_published_momenta_with_sigma() -> None:
    """Given p with some sigma in it, q' and sigma come back, and p' is as published."""
    entry = entries()["constrained_hamilton_004"]
    s, e = entry["state"], entry["expected"]
    oracle = reference(eomc.load("two_masses_on_rod_cartesian"), "hamilton")
    given = {key: float(value) for key, value in entry["parameters"].items()}
    state = [*s["q"], *e["p"]]
    assert_allclose(oracle.rhs(0, state, parameters=given), [*s["qd"], *e["pdot"]], rtol=1e-12, atol=1e-12)
    sigma = [*oracle.multipliers(0, state, parameters=given).values()]
    assert_allclose(sigma, s["sigma"], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("method", [*OF_STATES, "hamilton-multipliers"])
@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_four_bar_linkage(method: str, rate: float) -> None:
    """The loop closes on the open branch from a guess; the crank's acceleration at rest and turning."""
    oracle = reference(eomc.load("four_bar"), method)
    state = oracle.state({"q1": np.pi / 3}, {"u1": rate})
    assert_allclose(state[:3], [np.pi / 3, 0.2917652398481, 1.2901429945502], rtol=1e-12)
    assert_allclose(oracle.velocities(0, state), rate * np.array([1, -0.143090951758, 0.543745616681]), atol=1e-11)
    expected = -2.79951648 if rate else -2.43846072
    assert oracle.accelerations(0, state)[0] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("method", [*OF_STATES, "hamilton-multipliers"])
def test_rolling_disk_with_two_multipliers(method: str) -> None:
    """Five speeds, two of them dependent: published accelerations, and the ground's force is minus the multipliers."""
    point = entries()["rolling_disk_no_slip_000"]["points"][0]
    s, e = point["state"], point["expected"]
    oracle = reference(eomc.load("rolling_disk_dependent"), method)
    given = {key: float(value) for key, value in point["parameters"].items()}
    coordinates = values("theta phi psi x y", s["q"])
    second = [*s["u"], *e["qd"][3:]] if method in ("kane", "gibbs-appell") else e["qd"]
    state = np.array([*coordinates.values(), *second])
    if method == "hamilton-multipliers":
        lagrange = reference(oracle.model, "lagrange")
        state[5:] = lagrange.mass_matrix(0, state, parameters=given) @ second
    assert_allclose(oracle.accelerations(0, state, parameters=given), e["qdd"], rtol=1e-12, atol=1e-12)
    theta, phi = s["q"][:2]
    axes = [
        [np.cos(phi), np.sin(phi)],
        [-np.cos(theta) * np.sin(phi), np.cos(theta) * np.cos(phi)],
        [np.sin(theta) * np.sin(phi), -np.sin(theta) * np.cos(phi)],
    ]
    found = [*oracle.multipliers(0, state, parameters=given).values()]
    assert_allclose(found, -np.array(e["contact_force_in_B0"]) @ axes, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("method", ["lagrange", "hamilton", "hamilton-multipliers"])
def test_states_of_a_lagrangian_meet_its_constraints(method: str) -> None:
    """Drawn at random and given by hand, in q and in q'."""
    oracle = reference(pendulum_of_lagrangian(), method)
    drawn = oracle.random_state(np.random.default_rng(0), 20)
    velocities = oracle.velocities(0, drawn)
    assert_allclose(np.sum(drawn[:, :2] ** 2, axis=1), 0.64, rtol=1e-12)
    assert_allclose(np.sum(drawn[:, :2] * velocities, axis=1), 0.0, atol=1e-12)
    assert np.ptp(drawn[:, 0]) > 0.1
    factor = 1.0 if method == "lagrange" else 1.3
    found = oracle.state({"x": 0.48}, {"x_d": 1.0})
    assert_allclose(found, [0.48, -0.64, factor, 0.75 * factor], rtol=1e-12)


def test_what_is_given_gives_way_last() -> None:
    """Coordinates and speeds without a value move first, then those with the model's, then all together."""
    bodies = reference(pendulum())
    assert_allclose(bodies.state({"x": 0.48}, {"vx": 1.0}), [0.48, -0.64, 1.0, 0.75], rtol=1e-12)
    nearest = bodies.state({"x": 0.9, "y": -1.2})  # both are given: along the radius
    assert_allclose(nearest, [0.48, -0.64, 0.0, 0.0], rtol=1e-12)
    with pytest.raises(ModelError, match="cannot be met"):
        reference(particle(configuration_constraints=[x**2 + y**2 + 1])).state({"x": 0.3, "y": 0.2})


@pytest.mark.parametrize("method", OF_STATES)
@pytest.mark.parametrize("unit", [1e-12, 1e12])
def test_the_unit_of_a_constraint_changes_no_motion(method: str, unit: float) -> None:
    """x^2 + y^2 = l^2 times any factor is the same pendulum: a small row is no zero row."""
    scaled = particle(
        configuration_constraints=[unit * (x**2 + y**2 - length**2)],
        parameters={m: 1.3, length: 0.8, g: 9.81},
        initial={y: -0.8},
    )
    state = [0.48, -0.64, 0.8, 0.6]
    expected = reference(pendulum(), method).rhs(0.0, state)
    assert_allclose(reference(scaled, method).rhs(0.0, state), expected, rtol=1e-12)


def test_a_constraint_that_never_moves_adds_no_row() -> None:
    """The rate of 10^12 (sin^2 + cos^2 - 1) is rounding beside its terms, however large."""
    still = particle(configuration_constraints=[1e12 * (sin(x + y) ** 2 + cos(x + y) ** 2 - 1)])
    oracle = reference(still, "lagrange")
    assert_allclose(oracle.rhs(0.0, [0.3, 0.2, 0.8, 0.6]), [0.8, 0.6, 0.0, -9.81], atol=1e-12)
