"""The Gibbs function, the energy of the accelerations, and the equations that its derivatives are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy as sm
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.ir.interpreter import Sample

Array: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[..., Any]

BODIES = [
    "simple_pendulum",
    "double_pendulum",
    "double_pendulum_bars",
    "spherical_pendulum",
    "two_masses_on_rod",
    "rolling_cylinder",
    "chaplygin_sleigh",
    "vertical_rolling_disk",
    "rolling_disk",
    "rolling_disk_with_slip",
    "n_link_pendulum",
    "cart_pole",
    "free_rigid_body",
]


def gibbs(model: eomc.Model, parameters: Mapping[str, float] | None = None) -> Callable[[Any, Any], float]:
    """Return S as a function of the state [q; u] and of u', at t = 0 with the inputs' defaults."""
    equations = eomc.compile(model, "gibbs-appell").equations
    function = equations.motion.gibbs
    assert function is not None
    given = {v.symbol: (parameters or {}).get(v.name, v.value) for v in (*equations.parameters, *equations.inputs)}
    symbols = [v.symbol for v in equations.states]
    symbols += [equations.graph.data[node] for node in function.accelerations]
    return lambda state, rates: Sample(
        equations.graph, {**given, equations.time: 0.0, **dict(zip(symbols, [*state, *rates], strict=True))}
    )[function.node]


def slopes(function: Callable[[Array], float], at: Sequence[float]) -> Array:
    """Return the gradient of a quadratic function, of which central differences are exact."""
    return np.array([(function(np.add(at, step)) - function(np.subtract(at, step))) / 2 for step in np.eye(len(at))])


def test_a_particle_in_polar_coordinates() -> None:
    """S = m ((r'' - r phi'^2)^2 + (r phi'' + 2 r' phi')^2) / 2."""
    r, phi, v, w = dynamicsymbols("r phi v w")
    m = sm.Symbol("m")
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, phi)
    A.set_ang_vel(N, w * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    place = origin.locatenew("P", r * A.x)
    place.set_vel(N, v * A.x + r * w * A.y)
    model = eomc.Model(
        name="polar",
        inertial_frame=N,
        coordinates=[r, phi],
        speeds=[v, w],
        bodies=[Particle("P", place, m)],
        parameters={m: 2.0},
        initial={r: 1.0},
    )
    distance, speed, turning, dv, dw = 1.3, 0.4, -0.8, 0.25, 1.7
    expected = (dv - distance * turning**2) ** 2 + (distance * dw + 2 * speed * turning) ** 2
    assert gibbs(model)([distance, 0.3, speed, turning], [dv, dw]) == pytest.approx(expected, rel=1e-14)


def test_a_body_turning_freely() -> None:
    """S = (A w1'^2 + B w2'^2 + C w3'^2) / 2 + (C - B) w1' w2 w3 + (A - C) w1 w2' w3 + (B - A) w1 w2 w3'."""
    model = eomc.load("free_rigid_body")
    a, b, c = (parameter.value for parameter in model.parameters)
    w, rates = np.array([0.4, -1.1, 0.7]), np.array([0.3, 0.9, -0.5])
    gyroscopic = np.array([(c - b) * w[1] * w[2], (a - c) * w[2] * w[0], (b - a) * w[0] * w[1]])
    expected = np.array([a, b, c]) @ rates**2 / 2 + gyroscopic @ rates
    assert gibbs(model)([0.5, 0.5, -0.5, 0.5, *w], rates) == pytest.approx(expected, rel=1e-13)


def test_the_rolling_disk(published: Function) -> None:
    """S from the published accelerations; at the published u' its slopes are Q1 = -m g R cos(theta), Q2 = Q3 = 0."""
    point = published("lecture_examples", "rolling_disk_no_slip_000")["points"][0]
    m, radius, across, along, g = (point["parameters"][name] for name in ("m", "R", "It", "Ia", "g"))
    theta, (u1, u2, u3) = point["state"]["q"][0], point["state"]["u"]
    cot, spin, tensor = 1 / np.tan(theta), np.array(point["state"]["u"]), np.diag([across, across, along])

    def expected(rates: Array) -> Any:
        d1, d2, d3 = rates
        a = radius * np.array([-d3 + u1 * u2, -(u2 * u3 * cot + u1**2), d1 + u2 * u3])
        alpha = np.array([d1 + u2 * u3 - u2**2 * cot, d2 + u1 * u2 * cot - u1 * u3, d3])
        return m * a @ a / 2 + alpha @ tensor @ alpha / 2 + alpha @ np.cross(spin, tensor @ spin)

    state = [*point["state"]["q"], *point["state"]["u"]]
    rates = np.array(point["expected"]["ud"])
    function = gibbs(eomc.load("rolling_disk"), point["parameters"])
    for accelerations in (rates, np.array([0.3, -1.2, 2.1])):
        assert function(state, accelerations) == pytest.approx(expected(accelerations), rel=1e-13)
    forces = slopes(lambda x: function(state, x), rates)
    assert_allclose(forces, [-m * g * radius * np.cos(theta), 0, 0], atol=1e-11)


def test_a_mass_and_an_inertia_that_grow(compiled: Function) -> None:
    """dS/du' is the rate of momentum: m' v and I' w belong to it, as in Kane's equations."""
    x, phi, v, w = dynamicsymbols("x phi v w")
    m, inertia_0, growth, force = sm.symbols("m J c F")
    t = dynamicsymbols._t
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, phi)
    A.set_ang_vel(N, w * N.z)
    place = Point("P")
    place.set_vel(N, v * N.x)
    swelling = 1 + growth * t
    body = RigidBody("B", place, A, m * swelling, (inertia(A, 0, 0, inertia_0 * swelling), place))
    model = eomc.Model(
        name="swelling",
        inertial_frame=N,
        coordinates=[x, phi],
        speeds=[v, w],
        bodies=[body],
        loads=[(place, force * N.x)],
        parameters={m: 2.0, inertia_0: 0.5, growth: 0.3, force: 4.0},
    )
    rates = compiled(model, "gibbs-appell").rhs(1.0, [0, 0, 1.5, -2.0])
    assert_allclose(rates[2:], [(4.0 - 0.6 * 1.5) / 2.6, 0.15 * 2.0 / 0.65], rtol=1e-14)
    forces = slopes(
        lambda a: gibbs(model)([0, 0, 1.5, -2.0], a), compiled(model, "kane").rhs(0.0, [0, 0, 1.5, -2.0])[2:]
    )
    assert_allclose(forces, [4.0, 0.0], atol=1e-14)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", BODIES)
def test_one_motion_with_kane(name: str, simulator: Function) -> None:
    """At 100 random states the state derivatives agree to 1e-10, with inputs; so do mass matrices and energies."""
    ours, kane = simulator(name, "gibbs-appell"), simulator(name, "kane")
    model, rng = eomc.load(name), np.random.default_rng(21)
    assert ours.state_names == kane.state_names
    ranges = {b.symbol: (b.low, b.high) for b in model.ranges}
    low, high = np.transpose([ranges.get(symbol, (-1.0, 1.0)) for symbol in (*model.coordinates, *model.speeds)])
    x = rng.uniform(low, high, (100, len(low)))
    inputs = rng.uniform(-1.0, 1.0, len(model.inputs))
    for function in ("rhs", "mass_matrix"):
        found, expected = (getattr(sim, function)(0.3, x, inputs).reshape(100, -1) for sim in (ours, kane))
        assert (np.abs(found - expected).max(axis=1) <= 1e-10 * (1 + np.abs(expected).max(axis=1))).all()
    for quantity, values in kane.energy(0.3, x, inputs).items():
        assert_allclose(ours.energy(0.3, x, inputs)[quantity], values, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", BODIES)
def test_the_emitted_gibbs_function(name: str, simulator: Function) -> None:
    """The C's value at the motion is the reference's, and no function of another method."""
    model, sim = eomc.load(name), simulator(name, "gibbs-appell")
    reference = eomc.reference(model)
    x = reference.random_state(np.random.default_rng(8), 20, 0.3)
    inputs = np.random.default_rng(9).uniform(-1.0, 1.0, len(model.inputs))
    found, expected = (one.gibbs(0.3, x, inputs)["gibbs_function"] for one in (sim, reference))
    assert_allclose(found, expected, rtol=1e-11, atol=1e-11)
    assert "gibbs" not in simulator(name, "kane").functions


def sleigh(dependent: bool) -> eomc.Model:
    """Return a Chaplygin sleigh with all three speeds, u2 sideways at the knife edge held at zero."""
    x, y, psi, u1, u2, u3, thrust = dynamicsymbols("x y psi u1 u2 u3 F")
    m, moment, a = sm.symbols("m I a")
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, psi)
    A.set_ang_vel(N, u3 * N.z)
    edge = Point("edge")
    edge.set_vel(N, u1 * A.x + u2 * A.y)
    center = edge.locatenew("center", a * A.x)
    center.v2pt_theory(edge, N, A)
    return eomc.Model(
        name="sleigh",
        inertial_frame=N,
        coordinates=[x, y, psi],
        speeds=[u1, u2, u3],
        kinematical_equations=[
            x.diff() - u1 * sm.cos(psi) + u2 * sm.sin(psi),
            y.diff() - u1 * sm.sin(psi) - u2 * sm.cos(psi),
            psi.diff() - u3,
        ],
        velocity_constraints=[u2],
        dependent_speeds=[u2] if dependent else [],
        bodies=[RigidBody("body", center, A, m, (inertia(A, 0, 0, moment), center))],
        loads=[(center, thrust * A.x)],
        inputs={thrust: 0.4},
        parameters={m: 3.0, moment: 0.7, a: 0.4},
    )


@pytest.mark.parametrize("dependent", [True, False])
def test_dependent_speeds(dependent: bool, compiled: Function) -> None:
    """With a constraint the motion is the known one: u1' = a u3^2 + F/m, u3' = -m a u1 u3 / (I + m a^2), u2' = 0."""
    sim = compiled(sleigh(dependent), "gibbs-appell")
    u1, u3 = 1.2, -0.9
    rates = sim.rhs(0.0, [0.1, 0.2, 0.3, u1, 0.0, u3])
    assert_allclose(rates[3:], [0.4 * u3**2 + 0.4 / 3, 0, -1.2 * u1 * u3 / (0.7 + 3 * 0.16)], atol=1e-14)


def test_the_report_shows_the_gibbs_function() -> None:
    """`eomc equations` writes S with u' by name."""
    text = eomc.compile(eomc.load("chaplygin_sleigh"), "gibbs-appell")
    from eomc.backends.report import render_equations

    assert "S = 1/2*m*(u1' - a*u3^2)^2 + 1/2*m*(u1*u3 + a*u3')^2 + 1/2*I*u3'^2" in render_equations(text)
