"""sim.jacobian: closed forms in both precisions, and the pivot tests of what is divided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.derivation.options import CONSTRAINTS
from eomc.errors import SingularSystemError, UsageError
from eomc.ir.interpreter import Sample

pytestmark = pytest.mark.needs_cc


def closed_form(states: str, rates: list[sympy.Expr], inputs: str = "") -> Callable[[Any, Any], Any]:
    """Return (x, r) -> (A, B) of equations written by hand."""
    x, r = sympy.symbols(f"{states},"), sympy.symbols(f"{inputs},") if inputs else ()
    f = sympy.Matrix(rates)
    A, B = f.jacobian(x), f.jacobian(r) if r else sympy.zeros(len(x), 0)
    function = sympy.lambdify([x, r], [A, B])
    return lambda at, given: tuple(np.asarray(m, dtype=float).reshape(len(x), -1) for m in function(at, given))


@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-13), ("float", 3e-6)])
def test_pendulum(real: str, tolerance: float) -> None:
    """theta'' = (g/L) cos(theta), theta from the horizontal."""
    theta, rate = sympy.symbols("theta theta_d")
    expected = closed_form("theta theta_d", [rate, 9.81 / 0.8 * sympy.cos(theta)])
    sim = eomc.compile(eomc.load("simple_pendulum"), real=real, functions=["jacobian"]).load()
    for x in ([0.0, 0.0], [0.7, -0.3], [-2.0, 4.0]):
        A, B = sim.jacobian(0.0, x, parameters={"L": 0.8, "g": 9.81})
        np.testing.assert_allclose(A, expected(x, ())[0], atol=tolerance * 12)
        assert B.shape == (2, 0)


@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-13), ("float", 3e-6)])
@pytest.mark.parametrize("method", ["kane", "lagrange"])
def test_cart_pole(real: str, tolerance: float, method: str) -> None:
    """(M + m sin^2) x'' = F + m sin (l theta'^2 + g cos), l theta'' = -x'' cos - g sin, theta from hanging."""
    _, theta, x_d, rate, F = sympy.symbols("x theta x_d theta_d F")
    M, m, length, g = 1.3, 0.4, 0.6, 9.81
    s, c = sympy.sin(theta), sympy.cos(theta)
    acceleration = (F + m * s * (length * rate**2 + g * c)) / (M + m * s**2)
    rates = [x_d, rate, acceleration, -(acceleration * c + g * s) / length]
    expected = closed_form("x theta x_d theta_d", rates, "F")
    sim = eomc.compile(eomc.load("cart_pole"), method, real=real, functions=["jacobian"]).load()
    for x in ([0.0, 0.0, 0.0, 0.0], [0.3, 2.0, -0.4, 1.5], [-1.0, -0.8, 2.0, -3.0]):
        found = sim.jacobian(0.0, x, inputs={"F": 2.5}, parameters={"M": M, "m": m, "l": length, "g": g})
        for ours, theirs in zip(found, expected(x, [2.5]), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=tolerance * (1.0 + np.abs(theirs).max()))


def accelerometer(*, outputs: bool = True) -> eomc.Model:
    """Return a mass on a spring with a force, that tells its acceleration and its place."""
    x = dynamicsymbols("x")
    m, k, F = sympy.symbols("m k F")
    return eomc.from_lagrangian(
        m * x.diff() ** 2 / 2 - k * x**4 / 4,
        coordinates=[x],
        generalized_forces={x: F},
        inputs=[F],
        outputs={"a": x.diff(dynamicsymbols._t, 2), "y": sympy.sin(x) + F**2} if outputs else {},
        parameters={m: 2.0, k: 3.0},
    )


@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-14), ("float", 1e-5)])
@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_outputs_through_the_motion(real: str, tolerance: float, method: str) -> None:
    """C and D of a = (F - k x^3)/m and y = sin x + F^2: accelerations in outputs are differentiated with them."""
    sim = eomc.compile(accelerometer(), method, real=real, functions=["outputs_jacobian"]).load()
    states, forces = np.array([[0.0, 0.0], [0.7, -0.3], [-2.0, 4.0]]), np.array([[1.0], [0.0], [-3.0]])
    C, D = sim.outputs_jacobian(0.0, states, forces)
    for x, F, c, d in zip(states[:, 0], forces[:, 0], C, D, strict=True):
        np.testing.assert_allclose(c, [[-4.5 * x**2, 0.0], [np.cos(x), 0.0]], atol=tolerance)
        np.testing.assert_allclose(d, [[0.5], [2.0 * F]], atol=tolerance)


def test_no_outputs_no_jacobian_of_them() -> None:
    """A model without outputs says so, whether it is asked through the usual build or another."""
    for functions in (None, "all"):
        with pytest.raises(UsageError, match="has no function 'outputs_jacobian'"):
            eomc.compile(accelerometer(outputs=False), functions=functions).load().outputs_jacobian(0.0, [0.1, 0.2])


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_singular_states(method: str) -> None:
    """Where the right-hand side has no value the Jacobian has none, and says so with the same coordinate."""
    sim = eomc.compile(eomc.load("spherical_pendulum"), method, functions=["jacobian"]).load()
    pole = np.array([0.0, 0.3, 0.2, 0.1])
    with pytest.raises(SingularSystemError, match="singular for phi") as rhs:
        sim.rhs(0.0, pole)
    with pytest.raises(SingularSystemError) as jacobian:
        sim.jacobian(0.0, pole)
    assert str(jacobian.value) == str(rhs.value)
    aside = np.array([0.5, 0.3, 0.2, 0.1])
    with pytest.warns(RuntimeWarning, match="1 of 2 rows is NaN"):
        A, _ = sim.jacobian(0.0, [pole, aside])
    assert np.isnan(A[0]).all()
    np.testing.assert_array_equal(A[1], sim.jacobian(0.0, aside)[0])


def test_pivots_that_only_derivatives_divide_by() -> None:
    """Every division of the Jacobian by a tested pivot is tested: no infinity comes with the status of success."""
    sim = eomc.compile(eomc.load("rolling_disk"), functions=["jacobian"]).load()
    generator = np.random.default_rng(0)
    for place in range(5):
        for value in (0.0, np.pi / 2, np.pi):
            x = generator.uniform(0.2, 1.0, 8)
            x[place] = value
            try:
                A, _ = sim.jacobian(0.0, x)
            except SingularSystemError:
                continue
            assert np.isfinite(A).all()


def shaken(constrained: bool) -> eomc.Model:
    """Return m x'' = F - k (1 + e sin w t) x; or with a second mass m at y = x + a cos w t."""
    x, y, force = dynamicsymbols("x y F")
    m, k, e, w, a = sympy.symbols("m k e w a")
    t = dynamicsymbols._t
    potential = k * (1 + e * sympy.sin(w * t)) * x**2 / 2
    coordinates = [x, y] if constrained else [x]
    return eomc.from_lagrangian(
        sum(m * q.diff() ** 2 / 2 for q in coordinates) - potential,
        coordinates=coordinates,
        generalized_forces={x: force},
        inputs=[force],
        configuration_constraints=[y - x - a * sympy.cos(w * t)] if constrained else [],
        parameters={m: 2.0, k: 3.0, e: 0.4, w: 1.7, **({a: 0.2} if constrained else {})},
        initial={x: 0.5},
    )


@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-14), ("float", 3e-6)])
def test_time_derivative_of_a_parametric_oscillator(real: str, tolerance: float) -> None:
    """df/dt = (0, -(k/m) e w cos(w t) x): states and forces are held; each of k states has its time."""
    sim = eomc.compile(shaken(False), real=real, functions=["time_derivative"]).load()
    times, states = np.array([0.0, 0.3, 2.5]), np.array([[0.5, 1.0], [-0.2, 0.1], [1.1, -2.0]])
    expected = np.stack([np.zeros(3), -1.5 * 0.4 * 1.7 * np.cos(1.7 * times) * states[:, 0]], axis=1)
    np.testing.assert_allclose(sim.time_derivative(times, states, {"F": 5.0}), expected, atol=tolerance)
    np.testing.assert_allclose(sim.time_derivative(0.3, states[1], {"F": 5.0}), expected[1], atol=tolerance)


@pytest.mark.parametrize("form", CONSTRAINTS)
def test_time_derivative_through_a_constraint_that_moves(form: str) -> None:
    """x'' = (F - k(t) x + m a w^2 cos w t)/2m and y'' = x'' - a w^2 cos w t: the solve is differentiated as one."""
    sim = eomc.compile(shaken(True), constraints=form, functions=["time_derivative"]).load()
    for t in (0.0, 0.3, 2.5):
        x, y, u, v = sim.state({"x": 0.4}, {"x_d": 0.7}, t)
        second = (-3.0 * 0.4 * 1.7 * np.cos(1.7 * t) * x - 2.0 * 0.2 * 1.7**3 * np.sin(1.7 * t)) / 4.0
        expected = [0.0, 0.0, second, second + 0.2 * 1.7**3 * np.sin(1.7 * t)]
        np.testing.assert_allclose(sim.time_derivative(t, [x, y, u, v], {"F": 1.0}), expected, atol=1e-13)


FORCES: dict[str, tuple[Any, Any]] = {
    # the load with f(0) = k sin t and f(1) = k cos t; by hand, along and across the rod, of k sin t and of k cos t
    "upright": (lambda N, A, f: f(0) * N.z, lambda q: (np.cos(q), -np.sin(q), 0.0, 0.0)),
    "along the rod": (lambda N, A, f: f(0) * A.z, lambda q: (1.0, 0.0, 0.0, 0.0)),
    "both": (lambda N, A, f: -f(0) * A.z - f(1) * N.z, lambda q: (-1.0, 0.0, -np.cos(q), np.sin(q))),
}


@pytest.mark.parametrize("method", ["kane", "lagrange", "gibbs-appell"])
@pytest.mark.parametrize("name", FORCES)
def test_time_derivative_of_a_bead_on_a_rod(name: str, method: str) -> None:
    """s'' = s q'^2 + F_s/m, q'' = (F_q/m - 2 s' q')/s: df/dt is that of the force, where the mass is the pivot."""
    q, s = dynamicsymbols("q s")
    m, k, t = *sympy.symbols("m k"), dynamicsymbols._t
    N, A, origin = ReferenceFrame("N"), ReferenceFrame("A"), Point("O")
    origin.set_vel(N, 0)
    A.orient_axis(N, N.x, q)
    bead = origin.locatenew("P", s * A.z)
    given, by_hand = FORCES[name]
    load = given(N, A, lambda late: k * (sympy.cos(t) if late else sympy.sin(t)))
    model = eomc.Model(
        name="bead", inertial_frame=N, coordinates=[q, s], speeds=[q.diff(), s.diff()], bodies=[Particle("P", bead, m)],
        loads=[(bead, load)], parameters={m: 1.3, k: 2.0},
    )  # fmt: skip
    program = eomc.compile(model, method, functions=["time_derivative"]).program
    (slopes,) = [one.outputs for one in program.functions if one.name == "time_derivative"]
    values = {parameter.symbol: parameter.value for parameter in program.parameters} | {program.time: 0.7}
    values |= dict(zip((state.symbol for state in program.states), (0.3, 0.4, 0.5, 0.6), strict=True))
    along, across, along_late, across_late = (2.0 / 1.3 * part for part in by_hand(0.3))
    rate = [along * np.cos(0.7) - along_late * np.sin(0.7), across * np.cos(0.7) - across_late * np.sin(0.7)]
    expected = [0.0, 0.0, rate[1] / 0.4, rate[0]]
    np.testing.assert_allclose(Sample(program.graph, values).vector(slopes), expected, rtol=1e-13, atol=1e-14)


def test_time_derivative_without_time_and_on_request() -> None:
    """Zero where the time does not enter; a build with the usual functions gets it when it is asked for."""
    sim = eomc.compile(eomc.load("cart_pole")).load()
    assert "time_derivative" not in sim.functions
    np.testing.assert_array_equal(sim.time_derivative(1.0, [[0.1, 0.2, 0.3, 0.4]] * 3), np.zeros((3, 4)))
    chosen = eomc.compile(eomc.load("cart_pole"), functions=["jacobian"]).load()
    with pytest.raises(UsageError, match="without 'time_derivative'"):
        chosen.time_derivative(0.0, [0.1, 0.2, 0.3, 0.4])
