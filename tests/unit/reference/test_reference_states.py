"""States: names, conversion, admissible random states; batches; bad arguments."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sympy import sin, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc.reference
from eomc.errors import ModelError, SingularSystemError, UnsupportedError, UsageError
from eomc.model import Model
from eomc.reference import reference

m, g, length = symbols("m g l", positive=True)
t = dynamicsymbols._t


def pendulum(**options: object) -> Model:
    q, u = dynamicsymbols("q u")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [q, N.z])
    origin = Point("O")
    origin.set_vel(N, 0)
    settings: dict[str, object] = {"initial": {q: 0.3}, "ranges": {q: (0.5, 0.6)}}
    return Model(
        name="pendulum",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u],
        kinematical_equations=[u - 2 * q.diff()],
        bodies=[Particle("bob", origin.locatenew("bob", -length * B.y), m)],
        gravity=-g * N.y,
        parameters={m: 2, length: 0.5, g: 9.81},
        **{**settings, **options},
    )


def on_a_circle() -> Model:
    """Return a particle in Cartesian coordinates on a circle: y and its speed depend on x and its speed."""
    x, y, u, v = dynamicsymbols("x y u v")
    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)
    P = origin.locatenew("P", x * N.x + y * N.y)
    return Model(
        name="circle",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=[Particle("P", P, m)],
        gravity=-g * N.y,
        configuration_constraints=[x**2 + y**2 - length**2],
        velocity_constraints=[x * u + y * v],
        dependent_coordinates=[y],
        dependent_speeds=[v],
        parameters={m: 2, length: 0.5, g: 9.81},
        initial={y: -1.0},
        ranges={x: (-0.4, 0.4), y: (-1.0, -0.5)},
    )


def test_states_are_converted_for_the_method() -> None:
    """Coordinates and speeds become (q, u), (q, q') or (q, p); what is not given has its initial value."""
    model = pendulum()
    assert reference(model, "kane").state({}, {"u": 0.8}) == pytest.approx([0.3, 0.8])
    assert reference(model, "lagrange").state({}, {"u": 0.8}) == pytest.approx([0.3, 0.4])
    assert reference(model, "hamilton").state({}, {"u": 0.8}) == pytest.approx([0.3, 2 * 0.25 * 0.4])
    assert reference(model, "kane").state({"q": 0.1}, {"q_d": 0.4}) == pytest.approx([0.1, 0.8])
    assert reference(model, "kane").method == "kane"


def test_initial_rates_serve_as_speeds() -> None:
    """An initial value of q' is turned into the speed that makes it."""
    q = dynamicsymbols("q")
    model = pendulum(initial={q: 0.2, q.diff(): 0.7})
    assert reference(model).state() == pytest.approx([0.2, 1.4])


def test_random_states_lie_in_their_ranges_and_are_one_motion() -> None:
    """The same generator draws the same coordinates and speeds under every method."""
    model = pendulum()
    kane = reference(model).random_state(np.random.default_rng(7), 50)
    hamilton = reference(model, "hamilton").random_state(np.random.default_rng(7), 50)
    assert np.all((kane[:, 0] >= 0.5) & (kane[:, 0] <= 0.6))
    assert np.all(np.abs(kane[:, 1]) <= 1.0)
    assert np.ptp(kane[:, 1]) > 1.0
    np.testing.assert_allclose(hamilton[:, 1], 0.25 * kane[:, 1], rtol=1e-13)
    assert reference(model).random_state(np.random.default_rng(7)).shape == (2,)


def test_dependent_quantities_are_solved_for() -> None:
    """Random and given states meet configuration and velocity constraints, and the motion keeps them."""
    oracle = reference(on_a_circle())
    states = np.vstack([oracle.random_state(np.random.default_rng(3), 30), oracle.state({"x": 0.3}, {"u": 0.4})])
    residuals = oracle.constraint_residuals(0, states)
    assert residuals.shape == (31, 2)
    np.testing.assert_allclose(residuals, 0.0, atol=1e-14)
    assert states[-1] == pytest.approx([0.3, -0.4, 0.4, 0.3])
    x, y, u, v = states.T
    dx = oracle.rhs(0, states)
    np.testing.assert_allclose(u**2 + v**2 + x * dx[:, 2] + y * dx[:, 3], 0.0, atol=1e-12)
    # along the tangent (-y, x): gravity only
    np.testing.assert_allclose(-y * dx[:, 2] + x * dx[:, 3], -9.81 * x, rtol=1e-11, atol=1e-12)


def test_a_configuration_out_of_reach_is_an_error() -> None:
    """No state is returned that breaks the constraints; the message gives the residual."""
    with pytest.raises(ModelError, match="cannot be met"):
        reference(on_a_circle()).state({"x": 2.0})


def test_batches_equal_single_states() -> None:
    """Many states at once, with times and inputs of their own, give what each gives alone."""
    oracle = reference(pendulum(), "lagrange")
    states = oracle.random_state(np.random.default_rng(0), 1100)
    times = np.linspace(0, 1, 1100)
    together = oracle.rhs(times, states, parameters={"m": 3.0})
    assert together.shape == (1100, 2)
    for index in (0, 7, 1099):
        np.testing.assert_array_equal(together[index], oracle.rhs(times[index], states[index], None, [3.0, 0.5, 9.81]))
    assert oracle.mass_matrix(0, states).shape == (1100, 1, 1)
    assert oracle.mass_matrix(0, states[0]).shape == (1, 1)
    assert oracle.forcing(0, states[0]).shape == (1,)
    assert oracle.condition(0, states).shape == (1100,)
    assert oracle.energy(0, states)["kinetic"].shape == (1100,)
    assert isinstance(oracle.energy(0, states[0])["kinetic"], float)


def test_a_singular_state_is_reported_alone_and_nan_among_others() -> None:
    """Gimbal lock: one state raises, in a batch its row is NaN and the others are right."""
    a, b, u1, u2 = dynamicsymbols("a b u1 u2")
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [a, N.z])
    B = A.orientnew("B", "Axis", [b, A.x])
    origin = Point("O")
    origin.set_vel(N, 0)
    model = Model(
        name="gimbal",
        inertial_frame=N,
        coordinates=[a, b],
        speeds=[u1, u2],
        kinematical_equations=[a.diff() * sin(b) - u1, b.diff() - u2],
        bodies=[RigidBody("body", origin, B, m, (inertia(B, 1, 2, 3), origin))],
        parameters={m: 1.0},
    )
    oracle = reference(model)
    with pytest.raises(SingularSystemError, match="kinematic matrix"):
        oracle.rhs(0, [0.1, 0.0, 0.2, 0.3])
    rows = oracle.rhs(0, [[0.1, 0.0, 0.2, 0.3], [0.1, 0.5, 0.2, 0.3]])
    assert np.all(np.isnan(rows[0, :1]))
    np.testing.assert_array_equal(rows[1], oracle.rhs(0, [0.1, 0.5, 0.2, 0.3]))
    np.testing.assert_array_equal(oracle.rhs(0, [[0.1, 0.0, 0.2, 0.3]]), rows[:1])  # a table of one row is a table
    assert oracle.condition(0, [[0.1, 0.0, 0.2, 0.3]]).tolist() == [math.inf]
    assert oracle.condition(0, [[0.1, 0.5, 0.2, 0.3]]) == pytest.approx([1.0])  # M is diagonal


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    """A wrong method, name or length is one sentence that lists what there is."""
    oracle = reference(pendulum())
    with pytest.raises(UsageError, match="choose one of kane, gibbs-appell, lagrange, hamilton"):
        reference(pendulum(), "newton")
    with pytest.raises(UsageError, match="no parameter mass: the parameters are m, l, g"):
        oracle.rhs(0, [0, 0], parameters={"mass": 1})
    with pytest.raises(UsageError, match="no input F: the inputs are none"):
        oracle.rhs(0, [0, 0], inputs={"F": 1})
    with pytest.raises(UsageError, match="no coordinate p"):
        oracle.state({"p": 1})
    with pytest.raises(UsageError, match="no speed w: the speeds are u, q_d"):
        oracle.state({}, {"w": 1})
    with pytest.raises(UsageError, match="2 numbers"):
        oracle.rhs(0, [0, 0, 0])
    with pytest.raises(UsageError, match="parameters: give 3 numbers"):
        oracle.rhs(0, [0, 0], parameters=[1.0])


def test_methods_that_cannot_serve_are_refused() -> None:
    """Lagrange and Hamilton need one speed for each coordinate; constraints are no obstacle."""
    for method in ("lagrange", "hamilton", "hamilton-multipliers"):
        assert reference(on_a_circle(), method).method == method
        with pytest.raises(UnsupportedError, match="needs one speed for each coordinate"):
            reference(eomc.load("free_rigid_body"), method)


def test_parameters_may_be_keyed_by_symbol() -> None:
    """Values by symbol and by name are the same."""
    oracle = reference(pendulum())
    state = [0.4, 0.2]
    by_symbol, by_name = oracle.rhs(0, state, parameters={length: 0.9}), oracle.rhs(0, state, parameters={"l": 0.9})
    np.testing.assert_array_equal(by_symbol, by_name)
    assert by_name[1] == pytest.approx(2 * -9.81 / 0.9 * np.sin(0.4))


def test_public_names() -> None:
    """The package offers its entry function and the class of what it returns."""
    assert eomc.reference.__all__ == ["Reference", "reference"]
    oracle = reference(pendulum())
    assert oracle.parameter_names == ("m", "l", "g")
    assert oracle.output_names == ()
    assert "pendulum" in repr(oracle)
