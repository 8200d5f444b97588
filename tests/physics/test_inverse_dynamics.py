"""Inverse dynamics, gravity and Coriolis terms: closed forms, powers, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.errors import SingularSystemError, UnsupportedError, UsageError

pytestmark = pytest.mark.needs_cc

CART = {"M": 1.3, "m": 0.4, "l": 0.6, "g": 9.81}
STATES = np.array([[0.0, 0.0, 0.0, 0.0], [0.3, 2.0, -0.4, 1.5], [-1.0, -0.8, 2.0, -3.0]])
RATES = np.array([[1.0, -2.0], [0.0, 0.7], [-3.0, 0.2]])


def cart_pole(rates: Any, states: Any = STATES) -> tuple[Any, Any, Any]:
    """Return tau, g and c of the cart-pole by hand, the force on the cart 2.5."""
    M, m, length, g = CART.values()
    theta, omega = states[:, 1], states[:, 3]
    s, c = np.sin(theta), np.cos(theta)
    zero = np.zeros_like(s)
    gravity = np.stack([zero, m * g * length * s], axis=1)
    coriolis = np.stack([-m * length * omega**2 * s, zero], axis=1)
    along_x = (M + m) * rates[:, 0] + m * length * c * rates[:, 1]
    about = m * length * c * rates[:, 0] + m * length**2 * rates[:, 1]
    return np.stack([along_x - 2.5, about], axis=1) + gravity + coriolis, gravity, coriolis


@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-13), ("float", 3e-5)])
@pytest.mark.parametrize("method", ["kane", "lagrange", "gibbs-appell"])
def test_cart_pole(real: str, tolerance: float, method: str) -> None:
    """(M + m) x'' + m l (theta'' cos - theta'^2 sin) = F + tau_x and so on, one state and several."""
    functions = ["inverse_dynamics", "gravity_forces", "coriolis_forces"]
    sim = eomc.compile(eomc.load("cart_pole"), method, real=real, functions=functions).load()
    tau, gravity, coriolis = cart_pole(RATES)
    found = sim.inverse_dynamics(0.0, STATES, RATES, {"F": 2.5}, CART)
    assert list(found) == ["tau_x_d", "tau_theta_d"]
    np.testing.assert_allclose(np.stack(list(found.values()), axis=1), tau, atol=tolerance)
    np.testing.assert_allclose(sim.gravity_forces(0.0, STATES, None, CART), gravity, atol=tolerance)
    np.testing.assert_allclose(sim.coriolis_forces(0.0, STATES, None, CART), coriolis, atol=tolerance)
    one = sim.inverse_dynamics(0.0, STATES[1], {"theta_dd": 0.7}, {"F": 2.5}, CART)
    np.testing.assert_allclose(list(one.values()), tau[1], atol=tolerance)


def test_momenta_know_velocities() -> None:
    """Hamilton's state holds p; the accelerations are those of the coordinates all the same."""
    sim = eomc.compile(eomc.load("cart_pole"), "hamilton", functions=["inverse_dynamics"]).load()
    tau, _, _ = cart_pole(RATES)
    for state, rates, expected in zip(STATES, RATES, tau, strict=True):
        q, u = dict(zip(("x", "theta"), state[:2], strict=True)), dict(zip(("x_d", "theta_d"), state[2:], strict=True))
        x = sim.state(q, u, parameters=CART)
        found = sim.inverse_dynamics(0.0, x, rates, {"F": 2.5}, CART)
        np.testing.assert_allclose(list(found.values()), expected, atol=1e-13)


def test_a_hamiltonian_as_given() -> None:
    """Its accelerations are p': tau = p' + dH/dq, H = (px^2 + py^2)/2 + (x^2 + y^2)/2 + x^2 y - y^3/3."""
    sim = eomc.compile(eomc.load("henon_heiles"), functions=["inverse_dynamics"]).load()
    x, y = 0.3, -0.2
    found = sim.inverse_dynamics(0.0, [x, y, 0.1, 0.7], [1.0, 2.0])
    np.testing.assert_allclose(list(found.values()), [1.0 + x + 2 * x * y, 2.0 + y + x**2 - y**2], atol=1e-15)
    with pytest.raises(UnsupportedError, match="gravity_forces: a Hamiltonian as given does not tell gravity"):
        sim = eomc.compile(eomc.load("henon_heiles"), functions=["gravity_forces"])


def test_a_turning_frame() -> None:
    """A bead on a rod that turns with W: r'' - W^2 r + g sin W t = tau / m; L at r' = 0 holds m W^2 r^2 / 2, too."""
    r = dynamicsymbols("r")
    m, W, g, t = *sympy.symbols("m W g"), dynamicsymbols._t
    kinetic = m * (r.diff() ** 2 + W**2 * r**2) / 2
    model = eomc.from_lagrangian(
        kinetic - m * g * r * sympy.sin(W * t), coordinates=[r], parameters={m: 2.0, W: 3.0, g: 9.81}
    )
    sim = eomc.compile(model, functions=["inverse_dynamics", "gravity_forces", "coriolis_forces"]).load()
    weight = 2.0 * 9.81 * np.sin(3.0 * 0.4)
    assert sim.gravity_forces(0.4, [0.7, 1.0])[0] == pytest.approx(weight - 2.0 * 9.0 * 0.7, abs=1e-13)
    assert sim.coriolis_forces(0.4, [0.7, 1.0])[0] == 0.0
    assert sim.inverse_dynamics(0.4, [0.7, 1.0], [5.0])["tau_r_d"] == pytest.approx(10.0 - 12.6 + weight, abs=1e-13)


def test_the_power_of_a_motor() -> None:
    """The torque at a slider-crank times its rate is the rate of the energy, which is told by differences."""
    model = eomc.load("slider_crank")
    sim = eomc.compile(model, functions=["inverse_dynamics:tau", "energy"]).load()
    reference, generator = eomc.reference(model), np.random.default_rng(2)
    for x in reference.random_state(generator, 5):
        rates = reference.random_accelerations(generator, 0.0, x)
        torque = sim.inverse_dynamics(0.0, x, rates)["tau"]
        along, h = np.concatenate([x[3:], rates]), 1e-5
        energies = [sim.energy(0.0, x + step * along)["total"] for step in (h, -h)]
        assert torque * x[3] == pytest.approx((energies[0] - energies[1]) / (2 * h), abs=1e-6)


def test_accelerations_that_break_a_constraint() -> None:
    """One state raises and names the constraint; among several the row is NaN; those of the motion itself are fine."""
    sim = eomc.compile(eomc.load("slider_crank"), functions=["inverse_dynamics:tau"]).load()
    x = sim.state()
    own = sim.rhs(0.0, x, {"tau": 1.5})[3:]
    assert sim.inverse_dynamics(0.0, x, own)["tau"] == pytest.approx(1.5, abs=1e-12)
    with pytest.raises(SingularSystemError, match="accelerations that break configuration constraint 1: give acc"):
        sim.inverse_dynamics(0.0, x, own + np.array([0.0, 0.0, 1e-3]))
    with pytest.warns(RuntimeWarning, match="1 of 2 rows"):
        found = sim.inverse_dynamics(0.0, [x, x], [own, own + 1.0])["tau"]
    assert np.isnan(found[1])
    assert found[0] == pytest.approx(1.5, abs=1e-12)


def test_fewer_actuators_than_freedoms() -> None:
    """A force on the cart alone makes accelerations that are consistent with the pole's, and no others."""
    sim = eomc.compile(eomc.load("cart_pole"), functions=["inverse_dynamics:F"]).load()
    x = [0.1, 0.7, -0.2, 1.1]
    own = sim.rhs(0.0, x, {"F": -4.0})[2:]
    assert sim.inverse_dynamics(0.0, x, own)["F"] == pytest.approx(-4.0, abs=1e-12)
    with pytest.raises(SingularSystemError, match="no actuated direction makes the force along theta_d"):
        sim.inverse_dynamics(0.0, x, own + np.array([0.0, 1e-3]))


def pulled(outer: Any) -> eomc.Model:
    """Return a particle in a plane that three forces pull, `outer` times the last."""
    x, y, F, G, H = dynamicsymbols("x y F G H")
    m = sympy.Symbol("m")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    end = origin.locatenew("P", x * N.x + y * N.y)
    end.set_vel(N, x.diff() * N.x + y.diff() * N.y)
    return eomc.Model(
        name="pulled",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[x.diff(), y.diff()],
        bodies=[Particle("P", end, m)],
        loads=[(end, F * N.x + G * N.y + outer(H) * (N.x + N.y))],
        inputs=[F, G, H],
        parameters={m: 2.0},
    )


def test_more_actuators_than_freedoms() -> None:
    """F, G and H along x, y and both have the least norm: with w = m a that is the pseudo-inverse."""
    sim = eomc.compile(pulled(lambda H: H), functions=["inverse_dynamics:F:G:H"]).load()
    found = sim.inverse_dynamics(0.0, [0.1, 0.2, 0.3, 0.4], [3.0, -1.0])
    columns = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    np.testing.assert_allclose(list(found.values()), np.linalg.pinv(columns) @ [6.0, -2.0], atol=1e-14)
    mixed = eomc.compile(pulled(lambda H: H), functions=["inverse_dynamics:H:y_d"]).load()
    found = mixed.inverse_dynamics(0.0, [0.1, 0.2, 0.3, 0.4], [3.0, -1.0], [0.5, 0.25, 99.0])
    np.testing.assert_allclose([found["H"], found["tau_y_d"]], [5.5, -2.25 - 5.5], atol=1e-14)


def held() -> eomc.Model:
    """Return a particle whose two constraints leave it no motion."""
    x, y, m = *dynamicsymbols("x y"), sympy.Symbol("m")
    energy = m * (x.diff() ** 2 + y.diff() ** 2) / 2
    walls = [x.diff() + y.diff(), x.diff() - y.diff()]
    return eomc.from_lagrangian(energy, coordinates=[x, y], velocity_constraints=walls, parameters={m: 2.0})


REFUSED = [
    (held, "inverse_dynamics", r"leave no motion free: others are not needed.*'inverse_dynamics:x_d'"),
    (lambda: eomc.load("coulomb_bead"), "inverse_dynamics", "forces follow the reactions N"),
    (lambda: eomc.load("four_bar"), "inverse_dynamics", r"constraints bear forces.*'inverse_dynamics:tau'"),
    (lambda: pulled(lambda H: H**2), "inverse_dynamics:H", "H does not act as a force: .* not linear in it"),
]


@pytest.mark.parametrize(("model", "function", "message"), REFUSED, ids=["held", "reactions", "constraints", "square"])
def test_what_is_refused(model: Any, function: str, message: str) -> None:
    """By name where it is asked for; `all` leaves it out and tells why when it is called."""
    with pytest.raises(UnsupportedError, match=message):
        eomc.compile(model(), functions=[function])
    if ":" not in function:
        every = eomc.compile(model(), functions="all").load()
        with pytest.raises(UsageError, match=message):
            every.inverse_dynamics(0.0, every.initial_state, [0.0] * 3)


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        ("inverse_dynamics:G", "unknown input or speed 'G'"),
        ("energy:F", "nothing can be named after energy"),
        (["inverse_dynamics:F", "inverse_dynamics:x_d"], "asked for as 'F' and as 'x_d'"),
    ],
)
def test_wrong_names(functions: Any, message: str) -> None:
    """One line that says what is wrong."""
    with pytest.raises(UsageError, match=message):
        eomc.compile(eomc.load("cart_pole"), functions=functions)


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        (None, r"inverse_dynamics needs accelerations \[x_dd, theta_dd\]"),
        ([1.0], "accelerations must be an array of 2 values"),
        ([[1.0, 2.0]] * 3, r"accelerations of 2 states must be \(2, 2\)"),
        ([1.0, float("nan")], "acceleration theta_dd"),
        ({"x": 1.0}, "unknown acceleration 'x'"),
    ],
)
def test_wrong_accelerations(rates: Any, message: str) -> None:
    """Every shape and name is looked at, as of inputs."""
    sim = eomc.compile(eomc.load("cart_pole"), functions=["inverse_dynamics"]).load()
    with pytest.raises(UsageError, match=message):
        sim.inverse_dynamics(0.0, STATES[:2], rates)


def test_none_are_taken_by_others() -> None:
    """Accelerations are no argument of the energy; what does not move has no such function."""
    sim = eomc.compile(eomc.load("cart_pole"), functions=["energy"]).load()
    with pytest.raises(UsageError, match="energy takes no accelerations"):
        sim.evaluate("energy", 0.0, STATES[0], accelerations=[1.0, 2.0])
    z = dynamicsymbols("z")
    first = eomc.compile(eomc.Model(name="first", extra_states={z: -z}), functions="all").load()
    with pytest.raises(UsageError, match="has no function 'inverse_dynamics'"):
        first.inverse_dynamics(0.0, [1.0], [])
