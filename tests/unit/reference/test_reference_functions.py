"""Lagrange's equations of a given L, Hamilton's of a given H, and the agreement of both."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from sympy import cos, sin, symbols
from sympy.physics.mechanics import dynamicsymbols

from eomc.errors import ModelError
from eomc.model import Hamiltonian, Lagrangian, Model
from eomc.reference import reference

m, g, length, k = symbols("m g l k", positive=True)
t = dynamicsymbols._t


def of_lagrangian(
    L: sympy.Expr, q: list[sympy.Expr], forces: list[sympy.Expr] | None = None, **options: object
) -> Model:
    dynamics = Lagrangian(L, tuple(forces or [sympy.Integer(0)] * len(q)), (), ())
    rates = [sympy.Derivative(c, t) for c in q]
    return Model.of_dynamics(dynamics, name="given", coordinates=q, speeds=rates, **options)


def of_hamiltonian(
    H: sympy.Expr, q: list[sympy.Expr], p: list[sympy.Expr], forces: list[sympy.Expr] | None = None, **options: object
) -> Model:
    dynamics = Hamiltonian(H, tuple(forces or [sympy.Integer(0)] * len(q)))
    return Model.of_dynamics(dynamics, name="given", coordinates=q, speeds=p, **options)


def test_given_hamiltonian() -> None:
    """H = p^2/(2 m (1 + q^2)) + k q^2/2: q' and p' of the closed form, H itself, q'' by differentiation."""
    q, p = dynamicsymbols("q p")
    model = of_hamiltonian(p**2 / (2 * m * (1 + q**2)) + k * q**2 / 2, [q], [p], parameters={m: 2, k: 3})
    oracle = reference(model)
    np.testing.assert_allclose(oracle.rhs(0, [0.4, 0.7]), [0.301724137931, -1.127170035672], atol=1e-11)
    assert oracle.energy(0, [0.4, 0.7])["hamiltonian"] == pytest.approx(0.49 / (4 * 1.16) + 0.24)
    rate, drive = 0.7 / (2 * 1.16), -1.127170035672
    second = drive / (2 * 1.16) - 0.7 * 0.8 * rate / (2 * 1.16**2)
    assert oracle.accelerations(0, [0.4, 0.7])[0] == pytest.approx(second, rel=1e-10)
    assert oracle.state_names == ("q", "p")
    assert oracle.momenta(0, [0.4, 0.7]) == {"p": 0.7}
    assert oracle.condition(0, [0.4, 0.7]) == 1.0


def test_spherical_pendulum_by_hamilton() -> None:
    """The notes' spherical pendulum: from its H, from its L by either form, one motion."""
    theta, phi, p1, p2 = dynamicsymbols("theta phi p_theta p_phi")
    V = m * g * length * (1 - cos(theta))
    H = (p1**2 + p2**2 / sin(theta) ** 2) / (2 * m * length**2) + V
    L = m * length**2 * (theta.diff() ** 2 + (phi.diff() * sin(theta)) ** 2) / 2 - V
    parameters = {m: 1.3, length: 0.8, g: 9.81}
    given = reference(of_hamiltonian(H, [theta, phi], [p1, p2], parameters=parameters))
    made = reference(of_lagrangian(L, [theta, phi], parameters=parameters), "hamilton")
    state = [0.9, 0.4, 0.5, 0.35]
    expected = [0.6009615384615384, 0.6855807674094359, -7.801399271062706, 0.0]
    for oracle in (given, made):
        np.testing.assert_allclose(oracle.rhs(0, state), expected, rtol=1e-12, atol=1e-14)
        second = oracle.accelerations(0, state)
        np.testing.assert_allclose(second, [-9.376681816181136, -0.6538983232167963], rtol=1e-12)
    assert given.energy(0, state)["hamiltonian"] == pytest.approx(4.130703478627409, rel=1e-12)
    assert made.energy(0, state)["jacobi"] == pytest.approx(4.130703478627409, rel=1e-12)
    lagrange = reference(of_lagrangian(L, [theta, phi], parameters=parameters))
    assert lagrange.state_names == ("theta", "phi", "theta_d", "phi_d")
    second = lagrange.rhs(0, [0.9, 0.4, 0.6009615384615384, 0.6855807674094359])[2:]
    np.testing.assert_allclose(second, [-9.376681816181136, -0.6538983232167963], rtol=1e-12)


def test_elastic_pendulum() -> None:
    """r'' = r theta'^2 + g cos(theta) - k (r - l0)/m and theta'' of the closed form, and a momentum for each."""
    r, theta = dynamicsymbols("r theta")
    l0 = symbols("l0")
    L = m * (r.diff() ** 2 + (r * theta.diff()) ** 2) / 2 + m * g * r * cos(theta) - k * (r - l0) ** 2 / 2
    oracle = reference(of_lagrangian(L, [r, theta], parameters={m: 1, k: 40, l0: 0.5, g: 9.81}))
    state = [0.6, 0.3, 0.1, 0.8]
    np.testing.assert_allclose(oracle.rhs(0, state)[2:], [5.755850958322, -5.098422045580], atol=1e-11)
    energy = oracle.energy(0, state)
    assert energy["kinetic"] == pytest.approx((0.01 + 0.36 * 0.64) / 2)
    assert energy["potential"] == pytest.approx(-9.81 * 0.6 * np.cos(0.3) + 20 * 0.01)
    assert energy["jacobi"] == pytest.approx(energy["total"], rel=1e-14)
    momenta = oracle.momenta(0, state)
    assert momenta["p_r"] == pytest.approx(0.1)
    assert momenta["p_theta"] == pytest.approx(0.36 * 0.8)


def test_bar_with_a_pivot_that_is_moved() -> None:
    """T = T2 + T1 + T0 and explicit time: acceleration, momentum, p' and H of the notes' bar."""
    theta = dynamicsymbols("theta")
    J, M = symbols("J M")
    z = sympy.Rational(1, 5) * sin(3 * t)
    x, y = z + length / 2 * cos(theta), length / 2 * sin(theta)
    L = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 + J * theta.diff() ** 2 / 2 - m * g * y
    model = of_lagrangian(L, [theta], [M], parameters={m: 1.1, length: 0.8, J: 0.09, M: 0.6, g: 9.81})
    lagrange, hamilton = reference(model), reference(model, "hamilton")
    state = lagrange.state({"theta": 0.5}, {"theta_d": 1.3}, 0.7)
    assert lagrange.rhs(0.7, state)[1] == pytest.approx(-13.217151524986457, rel=1e-12)
    state = hamilton.state({"theta": 0.5}, {"theta_d": 1.3}, 0.7)
    assert state[1] == pytest.approx(0.4096975345210454, rel=1e-12)
    np.testing.assert_allclose(hamilton.rhs(0.7, state), [1.3, -3.0359446220385924], rtol=1e-12)
    assert hamilton.energy(0.7, state)["jacobi"] == pytest.approx(2.243698216143911, rel=1e-12)


def test_forces_in_rates_and_inputs() -> None:
    """A cart pendulum with its force as an input and friction in q', by both forms, and p_x' = F without friction."""
    x, theta, F = dynamicsymbols("x theta F")
    M, c = symbols("M c")
    rate = theta.diff()
    L = (
        (M + m) * x.diff() ** 2 / 2
        + m * length * x.diff() * rate * cos(theta)
        + m * (length * rate) ** 2 / 2
        + m * g * length * cos(theta)
    )
    parameters = {M: 1, m: 0.2, length: 0.5, g: 9.81, c: 0.0}
    model = of_lagrangian(
        L, [x, theta], [F, -c * rate], inputs={F: 1.5}, parameters=parameters, outputs={"speed": x.diff()}
    )
    for method in ("lagrange", "hamilton"):
        oracle = reference(model, method)
        state = oracle.state({"theta": 0.3}, {"theta_d": 1.2})
        np.testing.assert_allclose(oracle.accelerations(0, state), [2.06047993, -9.73500978], atol=5e-9)
        assert oracle.outputs(0, state)[0] == pytest.approx(0.0, abs=1e-14)
        damped = oracle.accelerations(0, state, parameters={"c": 0.1})
        assert damped[1] < oracle.accelerations(0, state)[1]
    assert reference(model, "hamilton").rhs(0, [0, 0.3, 0.1, 0.2])[2] == 1.5


def test_momenta_of_a_function_that_is_no_quadratic() -> None:
    """L = -sqrt(1 - q'^2): p = q'/sqrt(1 - q'^2) is inverted by Newton's method, q' = p/sqrt(1 + p^2)."""
    q = dynamicsymbols("q")
    model = of_lagrangian(-sympy.sqrt(1 - q.diff() ** 2) - q**2 / 2, [q])
    oracle = reference(model, "hamilton")
    assert oracle.rhs(0, [0.3, 0.5])[0] == pytest.approx(0.5 / np.sqrt(1.25), rel=1e-13)
    assert oracle.rhs(0, [0.3, 0.5])[1] == pytest.approx(-0.3)


def test_the_derivative_of_an_input_is_asked_for_where_it_is_needed() -> None:
    """A mass on a driven spring needs no rate of the input; on a driven frame it does, and the message says so."""
    q, r = dynamicsymbols("q r")
    spring = of_lagrangian(m * q.diff() ** 2 / 2 - k * (q - r) ** 2 / 2, [q], inputs=[r], parameters={m: 2, k: 3})
    assert reference(spring).rhs(0, [0.5, 0.0], inputs=[0.1])[1] == pytest.approx(-0.6)
    model = of_lagrangian(m * (q.diff() + r) ** 2 / 2, [q], inputs=[r], parameters={m: 2})
    assert reference(model, "hamilton").rhs(0, [0.5, 1.0], inputs=[0.1])[0] == pytest.approx(0.4)
    with pytest.raises(ModelError, match=r"Derivative\(r\(t\), t\)"):
        reference(model).rhs(0, [0.5, 0.0], inputs=[0.1])


def test_the_energies_are_the_same_ones_wherever_they_have_a_value() -> None:
    """exp(e t) (T - V) overflows late: its energies keep their names; what has no value at rest has no parts."""
    q, e = dynamicsymbols("q"), symbols("e")
    gauge = sympy.exp(e * t) * (q.diff() ** 2 / 2 - k * q**2 / 2)
    growing = reference(of_lagrangian(gauge, [q], parameters={k: 2.0, e: 1.0}))
    early, late = (growing.energy(time, [1.0, 2.0]) for time in (0.0, 1e4))
    assert list(early) == list(late) == ["kinetic", "potential", "total", "jacobi"]
    assert early["kinetic"] == pytest.approx(2.0)
    assert not np.isfinite(late["potential"])
    restless = reference(of_lagrangian(q.diff() * sympy.log(q.diff()) - k * q, [q], parameters={k: 2.0}))
    assert list(restless.energy(0.0, [1.0, 2.0])) == ["total", "jacobi"]
