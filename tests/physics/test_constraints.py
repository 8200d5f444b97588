"""Mechanisms under constraints: every form and method, drift, reactions, singular choices, redundant rows."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.derivation.options import CONSTRAINTS
from eomc.errors import DerivationError, ModelError, RunError

pytestmark = pytest.mark.needs_cc


def pendulum(**changes) -> eomc.Model:
    """Return a point mass on a rod in Cartesian coordinates, y up: the simplest configuration constraint."""
    x, y, u, v = dynamicsymbols("x y u v")
    m, length, g = sm.symbols("m l g", positive=True)
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, u * N.x + v * N.y)
    described = {
        "name": "cartesian_pendulum",
        "inertial_frame": N,
        "coordinates": [x, y],
        "speeds": [u, v],
        "kinematical_equations": [x.diff() - u, y.diff() - v],
        "bodies": [Particle("bob", P, m)],
        "gravity": -g * N.y,
        "configuration_constraints": [x**2 + y**2 - length**2],
        "parameters": {m: 1.3, length: 0.8, g: 9.81},
        "initial": {x: 0.8},
    }
    return eomc.Model(**(described | changes))


@pytest.mark.parametrize("form", CONSTRAINTS)
def test_force_of_a_rod(form: str) -> None:
    """At rest below the pivot lambda = m g/(2 l) and the force -J^T lambda carries the weight; swinging, it is T."""
    simulator = eomc.compile(pendulum(), constraints=form).load()
    m, length, g = 1.3, 0.8, 9.81
    hanging = [0.0, -length, 0.0, 0.0]
    assert simulator.multipliers(0, hanging) == {"lambda_configuration_0": pytest.approx(m * g / (2 * length))}
    assert simulator.constraint_forces(0, hanging) == {
        "force_u": pytest.approx(0.0, abs=1e-12),
        "force_v": pytest.approx(m * g),
    }
    angle, rate = 0.6, 2.5
    state = simulator.state(
        {"x": length * np.sin(angle), "y": -length * np.cos(angle)}, {"u": length * rate * np.cos(angle)}
    )
    force = simulator.constraint_forces(0, state)
    tension = m * (length * rate**2 + g * np.cos(angle))
    np.testing.assert_allclose(
        [force["force_u"], force["force_v"]], [-tension * np.sin(angle), tension * np.cos(angle)]
    )


def test_drift() -> None:
    """Largest |x^2 + y^2 - 1| of m = l = 1 in 100 s by RK4 with h = 0.01, from the horizontal at rest.

    No stabilization drifts by 7.2e-3, Baumgarte's with alpha = beta (critically damped) at 1, 5, 20 by 1.4e-6, 2.0e-7
    and 2.4e-6, as computed independently; projection by rounding.
    """
    values = {"m": 1.0, "l": 1.0}
    largest = {}
    for kind, gains in (("none", [None]), ("baumgarte", [1.0, 5.0, 20.0]), ("projection", [None])):
        simulator = eomc.compile(pendulum(), stabilization=kind).load()
        for gain in gains:
            parameters = values | ({"baumgarte_alpha": gain, "baumgarte_beta": gain} if gain else {})
            start = simulator.state({"x": 1.0, "y": 0.0}, parameters=parameters)
            run = simulator.simulate(100.0, 0.01, start, parameters=parameters)
            largest[kind, gain] = np.max(np.abs(run.x[:, 0] ** 2 + run.x[:, 1] ** 2 - 1.0))
    assert largest["none", None] == pytest.approx(7.2e-3, rel=0.02)
    assert largest["baumgarte", 1.0] == pytest.approx(1.4e-6, rel=0.05)
    assert largest["baumgarte", 5.0] == pytest.approx(2.0e-7, rel=0.05)
    assert largest["baumgarte", 20.0] == pytest.approx(2.4e-6, rel=0.05)
    assert largest["projection", None] < 1e-12


@pytest.mark.parametrize("form", CONSTRAINTS)
def test_through_the_singular_choice_of_a_dependent_speed(form: str) -> None:
    """u named dependent is no function of v where the rod is horizontal; the motion passes as if nothing were there."""
    x, u = dynamicsymbols("x u")
    model = pendulum(dependent_coordinates=[x], dependent_speeds=[u])
    simulator = eomc.compile(model, constraints=form, stabilization="projection").load()
    start = simulator.state({"x": 0.8, "y": 0.0}, {"v": 9.0})
    run = simulator.simulate(2.0, 1e-3, start)
    length, g = 0.8, 9.81

    def swing(_, state):
        return [state[1], -g / length * np.sin(state[0])]

    from scipy.integrate import solve_ivp

    exact = solve_ivp(swing, (0, 2.0), [np.pi / 2, 9.0 / length], rtol=1e-12, atol=1e-12, t_eval=run.t)
    assert exact.y[0].max() > 2 * np.pi  # over the top, through both horizontals
    np.testing.assert_allclose(run.x[:, 0], length * np.sin(exact.y[0]), atol=2e-8)
    np.testing.assert_allclose(run.x[:, 1], -length * np.cos(exact.y[0]), atol=2e-8)
    horizontal = [length, 0.0, 0.0, 2.0]
    np.testing.assert_allclose(simulator.rhs(0, horizontal)[2:], [-4.0 / length, -g], atol=1e-12)


def test_all_forms_and_methods_agree_off_the_constraints_too() -> None:
    """Runge-Kutta stages lie off the constraints: there, too, all forms give one and the same u' and lambda."""
    random = np.random.default_rng(3)
    states = random.uniform(-1.0, 1.0, (50, 4))
    model = pendulum()
    first = eomc.compile(model).load()
    rates, forces = first.rhs(0, states), first.multipliers(0, states)["lambda_configuration_0"]
    for method in ("kane", "lagrange", "gibbs-appell"):
        for form in CONSTRAINTS:
            simulator = eomc.compile(model, method, constraints=form).load()
            np.testing.assert_allclose(simulator.rhs(0, states), rates, rtol=1e-11, atol=1e-11)
            found = simulator.multipliers(0, states)["lambda_configuration_0"]
            np.testing.assert_allclose(found, forces, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("form", CONSTRAINTS)
def test_redundant_constraints(form: str) -> None:
    """f and 2 f: the motion of f alone, reported by name, lambda shared in the ratio 1 : 2 as of least norm."""
    x, y = dynamicsymbols("x y")
    length = sm.Symbol("l", positive=True)
    circle = x**2 + y**2 - length**2
    single = eomc.compile(pendulum(), constraints=form).load()
    build = eomc.compile(pendulum(configuration_constraints=[circle, 2 * circle]), constraints=form)
    assert any("configuration constraint 2 follows from those before it" in note for note in build.program.notes)
    double = build.load()
    state = single.state({"x": 0.5}, {"u": 1.1})
    np.testing.assert_allclose(double.rhs(0, state), single.rhs(0, state), rtol=1e-12)
    (whole,) = single.multipliers(0, state).values()
    np.testing.assert_allclose(list(double.multipliers(0, state).values()), [whole / 5, 2 * whole / 5], rtol=1e-12)


def test_constraints_that_contradict_one_another() -> None:
    """Two radii at once, two speeds at once: the error names the constraint and its residual."""
    x, y, u = dynamicsymbols("x y u")
    length = sm.Symbol("l", positive=True)
    circle = x**2 + y**2 - length**2
    with pytest.raises(
        ModelError, match=r"no coordinates near the initial ones meet configuration constraint \d.*residual"
    ):
        eomc.compile(pendulum(configuration_constraints=[circle, circle + 1]))
    with pytest.raises(ModelError, match=r"no speeds meet velocity constraint \d.*residual"):
        eomc.compile(pendulum(configuration_constraints=[circle], velocity_constraints=[u - 1, u - 2]))


def test_constraints_that_leave_no_freedom() -> None:
    """A point that is held in both directions cannot move; held by time, it is moved."""
    x, y = dynamicsymbols("x y")
    length = sm.Symbol("l", positive=True)
    held = [x - length, y]
    with pytest.raises(ModelError, match="leave no freedom to move"):
        eomc.compile(pendulum(configuration_constraints=held))
    t = dynamicsymbols._t
    moved = eomc.compile(pendulum(configuration_constraints=[x - length, y - sm.sin(3 * t)])).load()
    state = moved.state(t=0.2)
    np.testing.assert_allclose(state, [0.8, np.sin(0.6), 0.0, 3 * np.cos(0.6)], atol=1e-12)
    np.testing.assert_allclose(moved.rhs(0.2, state)[2:], [0.0, -9 * np.sin(0.6)], atol=1e-12)
    force = moved.constraint_forces(0.2, state)
    np.testing.assert_allclose(force["force_v"], 1.3 * (9.81 - 9 * np.sin(0.6)), rtol=1e-12)


def test_position_constraint_in_the_place_of_a_velocity_constraint() -> None:
    """The sentence asks whether it is a configuration constraint."""
    x, y = dynamicsymbols("x y")
    with pytest.raises(ModelError, match="no generalized speed appears in velocity constraint 1"):
        pendulum(configuration_constraints=[], velocity_constraints=[x**2 + y**2 - 1])


def test_dependent_speeds_that_the_constraints_do_not_contain() -> None:
    """The speed is named."""
    u, v = dynamicsymbols("u v")
    model = pendulum(
        configuration_constraints=[],
        velocity_constraints=[u - 3],
        dependent_speeds=[v],
        parameters={sm.Symbol("m", positive=True): 1.3, sm.Symbol("g", positive=True): 9.81},
    )
    with pytest.raises(DerivationError, match="do not determine the dependent speed v"):
        eomc.compile(model)


def test_projection_is_least_in_the_mass_metric() -> None:
    """A light and a heavy point on one rod: the light one gives way in the inverse ratio of the masses."""
    x, y, u, v = dynamicsymbols("x y u v")
    N = ReferenceFrame("N")
    A, B = Point("A"), Point("B")
    A.set_vel(N, u * N.x)
    B.set_vel(N, v * N.x)
    model = eomc.Model(
        name="pair",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        kinematical_equations=[x.diff() - u, y.diff() - v],
        bodies=[Particle("a", A, 1), Particle("b", B, 9)],
        configuration_constraints=[y - x - 1],
        initial={x: 0.0, y: 1.0},
    )
    simulator = eomc.compile(model).load()
    np.testing.assert_allclose(simulator.project(0.0, [0.0, 1.1, 0.0, 0.2]), [0.09, 1.09, 0.18, 0.18], atol=1e-12)


def slider_crank() -> eomc.Model:
    """Return a slider-crank in two angles and a position, whose slider moves at a height h."""
    th, be, x, u, v, w = dynamicsymbols("th be x u v w")
    a, b, h, m = sm.symbols("a b h m", positive=True)
    N, origin, P = ReferenceFrame("N"), Point("O"), Point("P")
    A, B = ReferenceFrame("A"), ReferenceFrame("B")
    origin.set_vel(N, 0)
    P.set_vel(N, w * N.x)
    for frame, angle, rate in ((A, th, u), (B, be, v)):
        frame.orient_axis(N, N.z, angle)
        frame.set_ang_vel(N, rate * N.z)
    return eomc.Model(
        name="slider_crank",
        inertial_frame=N,
        coordinates=[th, be, x],
        speeds=[u, v, w],
        kinematical_equations=[q.diff() - rate for q, rate in ((th, u), (be, v), (x, w))],
        bodies=[
            RigidBody("crank", origin, A, m, (inertia(A, 0, 0, m * a**2), origin)),
            RigidBody("slider", P, B, m, (inertia(B, 0, 0, m * b**2), P)),
        ],
        configuration_constraints=[a * sm.cos(th) + b * sm.cos(be) - x, a * sm.sin(th) + b * sm.sin(be) - h],
        parameters={a: 1.0, b: 2.0, h: 0.3, m: 1.0},
        initial={th: 0.5, be: -0.1, x: 2.9},
    )


@pytest.mark.parametrize("real", ["double", "float"])
def test_loops_that_cannot_close_are_refused(real: str) -> None:
    """However far off they are: Newton's method throws the angles far away, and these excuse nothing."""
    bars = eomc.compile(eomc.load("four_bar"), real=real).load()
    start = bars.initial_state
    crank = eomc.compile(slider_crank(), real=real).load()
    rng = np.random.default_rng(3)
    for size in (1e1, 1e2, 1e4, 1e7, 1e10, 1e25, 1e50 if real == "double" else 1e30):
        for _ in range(5):  # a + b + c = 9, 1 + 2 < 3 h: they miss by a tenth and more
            beside = start + np.r_[rng.normal(size=3) * 10 ** rng.uniform(-14.0, 0.0), 0, 0, 0]
            with pytest.raises(RunError, match="no coordinates near"):
                bars.project(0.0, beside, parameters={"d": size})
            with pytest.raises(RunError, match="no coordinates near"):
                crank.project(0.0, rng.normal(size=6), parameters={"h": size})


@pytest.mark.parametrize(("real", "epsilon"), [("double", 2.0**-52), ("float", 2.0**-23)])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_loops_that_turned_many_times_close(real: str, epsilon: float, size: float) -> None:
    """Angles of 1e5 rad, loops of micrometres and of kilometres: to the digits that the angles have."""
    simulator = eomc.compile(slider_crank(), real=real).load()
    rng = np.random.default_rng(4)
    a, b, h = size, 2.0 * size, 0.3 * size
    for turns in (0.0, 16.0, 1.6e4):
        for _ in range(5):
            off = 0.05 * rng.normal(size=3)
            start = [0.5 + off[0] + 2 * np.pi * turns, off[1] - 0.1 - 2 * np.pi * turns, (2.9 + off[2]) * size, 0, 0, 0]
            th, be, x, *_ = simulator.project(0.0, start, parameters={"a": a, "b": b, "h": h})
            left = [a * np.cos(th) + b * np.cos(be) - x, a * np.sin(th) + b * np.sin(be) - h]
            assert np.abs(left).max() <= 4.0 * epsilon * size * max(2.0, abs(th))
            assert np.abs([th, be] - np.array(start[:2])).max() < 0.5


def test_chaplygin_sleigh_by_multiplier() -> None:
    """The blade as a velocity constraint: v' = a w^2, w' = -m a v w/(I + m a^2), force m (v w + a w') across it."""
    x, y, q, vx, vy, w = dynamicsymbols("x y q vx vy w")
    m, central, a = sm.symbols("m I a", positive=True)
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, q)
    A.set_ang_vel(N, w * N.z)
    P = Point("P")
    P.set_vel(N, vx * N.x + vy * N.y)
    C = P.locatenew("C", a * A.x)
    C.v2pt_theory(P, N, A)
    model = eomc.Model(
        name="sleigh",
        inertial_frame=N,
        coordinates=[x, y, q],
        speeds=[vx, vy, w],
        kinematical_equations=[x.diff() - vx, y.diff() - vy, q.diff() - w],
        bodies=[RigidBody("sleigh", C, A, m, (inertia(A, 0, 0, central), C))],
        velocity_constraints=[-vx * sm.sin(q) + vy * sm.cos(q)],
        parameters={m: 2.0, central: 0.3, a: 0.4},
    )
    assert "hamilton" not in model.methods
    for method in ("kane", "lagrange", "gibbs-appell"):
        for form in CONSTRAINTS:
            simulator = eomc.compile(model, method, constraints=form).load()
            state = np.array([0.1, 0.2, 0.5, 1.5 * np.cos(0.5), 1.5 * np.sin(0.5), 0.7])
            rates = simulator.rhs(0, state)
            along = rates[3] * np.cos(0.5) + rates[4] * np.sin(0.5)
            np.testing.assert_allclose([along, rates[5]], [0.196, -1.354838709677], rtol=1e-11)
            (multiplier,) = simulator.multipliers(0, state).values()
            np.testing.assert_allclose(-multiplier, 1.016129032258, rtol=1e-11)
            assert simulator.energy(0, state)["total"] == pytest.approx(2.4019)
    canonical = eomc.compile(model, "hamilton-multipliers").load()
    start = canonical.state({"q": 0.5}, {"vx": 1.5 * np.cos(0.5), "vy": 1.5 * np.sin(0.5), "w": 0.7})
    (multiplier,) = canonical.multipliers(0, start).values()
    np.testing.assert_allclose(-multiplier, 1.016129032258, rtol=1e-11)


@pytest.mark.parametrize("method", ["lagrange", "hamilton", "hamilton-multipliers"])
@pytest.mark.parametrize("stabilization", ["none", "baumgarte", "projection"])
def test_a_bead_on_a_wire_that_turns(method: str, stabilization: str) -> None:
    """r = cosh(w t), to a tolerance and between its steps, in as many of them whatever keeps the constraint."""
    x, y, t = *dynamicsymbols("x y"), dynamicsymbols._t
    m, w = sm.symbols("m w")
    model = eomc.from_lagrangian(
        m * (x.diff() ** 2 + y.diff() ** 2) / 2,
        coordinates=[x, y],
        configuration_constraints=[y * sm.cos(w * t) - x * sm.sin(w * t)],
        parameters={m: 1.5, w: 2.0},
        initial={x: 1.0, x.diff(): 0.0},
    )
    motion = (
        eomc.compile(model, method, stabilization=stabilization)
        .load()
        .simulate(t_end=1.0, rtol=1e-9, atol=1e-9, max_steps=200)
    )
    times = np.linspace(0.0, 1.0, 41)
    place = motion(times)[:, :2]
    np.testing.assert_allclose(np.hypot(*place.T), np.cosh(2.0 * times), rtol=1e-6)
    np.testing.assert_allclose(np.arctan2(*place.T[::-1]), 2.0 * times, atol=1e-6)
    squares = np.sinh(2.0 * motion.t) ** 2 + np.cosh(2.0 * motion.t) ** 2
    np.testing.assert_allclose(motion["energy_kinetic"], 0.5 * 1.5 * 4.0 * squares, rtol=1e-6)
