"""From coordinates and speeds to the state of a method."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.analysis.initial import NOT_ADMISSIBLE, InitialState
from eomc.derivation.methods import choose_method
from eomc.errors import ModelError, UsageError
from eomc.frontends.loading import shipped_models
from eomc.model import Model


@pytest.fixture
def mixed() -> Model:
    """Return a particle in polar coordinates with the radial and the transverse velocity as speeds."""
    r, theta, v, w = dynamicsymbols("r theta v w")
    m = sm.Symbol("m")
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, theta)
    origin = Point("O")
    origin.set_vel(N, 0)
    point = origin.locatenew("P", r * A.x)
    point.set_vel(N, v * A.x + w * A.y)
    return Model(
        name="polar",
        inertial_frame=N,
        coordinates=[r, theta],
        speeds=[v, w],
        kinematical_equations=[v - r.diff(), w - r * theta.diff()],
        bodies=[Particle("p", point, m)],
        parameters={m: 2.0},
        initial={r: 2.0, theta: 0.3, v: 0.5, w: 3.0},
        ranges={r: (1.0, 2.0)},
    )


def test_speeds_become_velocities_and_momenta(mixed: Model) -> None:
    """U = (r', r theta') gives q' = (v, w / r) for Lagrange and p = (m v, m r w) for Hamilton."""
    states = {method: eomc.compile(mixed, method).initial_state() for method in mixed.methods}
    assert set(states) == {"kane", "gibbs-appell", "lagrange", "hamilton"}
    np.testing.assert_allclose(states["kane"], [2.0, 0.3, 0.5, 3.0])
    np.testing.assert_allclose(states["gibbs-appell"], states["kane"])
    np.testing.assert_allclose(states["lagrange"], [2.0, 0.3, 0.5, 1.5])
    np.testing.assert_allclose(states["hamilton"], [2.0, 0.3, 1.0, 12.0])


def test_velocities_may_be_given_instead_of_speeds(mixed: Model) -> None:
    """theta' = 4 at r = 3 is w = 12; a speed given beside it wins over the default."""
    build = eomc.compile(mixed)
    np.testing.assert_allclose(build.initial_state({"r": 3.0}, {"theta_d": 4.0}), [3.0, 0.3, 0.5, 12.0])
    np.testing.assert_allclose(build.initial_state({"r": 3.0}, {"theta_d": 4.0, "v": -1.0}), [3.0, 0.3, -1.0, 12.0])


def test_parameters_count_in_momenta(mixed: Model) -> None:
    """P = m q' for another mass."""
    state = eomc.compile(mixed, "hamilton").initial_state(parameters={"m": 10.0})
    np.testing.assert_allclose(state, [2.0, 0.3, 5.0, 60.0])


def test_an_unknown_name_is_answered_with_the_known_ones(mixed: Model) -> None:
    """A misspelt coordinate is an error that offers the nearest."""
    with pytest.raises(UsageError, match=r"no coordinate or speed 'thetta'; did you mean theta"):
        eomc.compile(mixed).initial_state({"thetta": 1.0})


def polar(kinematics: bool, offset: int = 0, **changes: Any) -> Model:
    """Return a free particle in polar coordinates, w - offset = r theta', which determines no theta' at r = 0."""
    r, theta, v, w = dynamicsymbols("r theta v w")
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, theta)
    point = Point("P")
    point.set_vel(N, v * A.x + (w - offset) * A.y if kinematics else v * A.x + r * w * A.y)
    described: dict[str, Any] = {
        "name": "polar",
        "inertial_frame": N,
        "coordinates": [r, theta],
        "speeds": [v, w],
        "kinematical_equations": [v - r.diff(), w - r * theta.diff() - offset],
        "bodies": [Particle("p", point, 2)],
    }
    return Model(**(described | changes))


def test_without_initial_values_a_singular_zero_state_does_not_stop_the_build() -> None:
    """w = r theta' + 1 gives no theta' for w = 0 at r = 0: the program starts from zeros and says so."""
    theta = dynamicsymbols("theta")
    build = eomc.compile(polar(True, offset=1), "lagrange")
    assert [state.value for state in build.program.states] == [0.0] * 4
    assert NOT_ADMISSIBLE in build.program.notes
    assert any("the initial state, all zeros, is not admissible" in artifact.text for artifact in build.artifacts)
    with pytest.raises(ModelError, match="do not determine q' at the initial coordinates; give other initial values"):
        build.load().state()
    given = polar(True, offset=1, initial={theta: 0.3})
    with pytest.raises(ModelError, match="do not determine q' at the initial coordinates"):
        eomc.compile(given, "lagrange")


def test_without_initial_values_constraints_that_fail_at_zero_do_not_stop_the_build() -> None:
    """r w = 1 is met by no w at r = 0; x^2 + y^2 = 1 does not hold there."""
    r, w = dynamicsymbols("r w")
    constrained = polar(True, velocity_constraints=[r * w - 1], dependent_speeds=[w])
    build = eomc.compile(constrained)
    assert [state.value for state in build.program.states] == [0.0] * 4
    assert build.program.notes[-1] == NOT_ADMISSIBLE
    with pytest.raises(ModelError, match=r"no speeds meet velocity constraint 1 at these coordinates.*residual"):
        build.initial_state()
    np.testing.assert_allclose(build.initial_state({"r": 2.0}, {"v": 3.0})[2:], [3.0, 0.5])
    x, y = dynamicsymbols("x y")
    circle = eomc.compile(circular(x, y, {}))
    assert circle.program.notes[-1] == NOT_ADMISSIBLE
    assert NOT_ADMISSIBLE not in eomc.compile(circular(x, y, {x: 1.0})).program.notes


def circular(x: sm.Expr, y: sm.Expr, initial: dict[sm.Expr, float]) -> Model:
    """Return a particle on the unit circle in Cartesian coordinates."""
    u, v = dynamicsymbols("u v")
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x + v * N.y)
    return Model(
        name="circle",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=[Particle("p", point, 1)],
        configuration_constraints=[x**2 + y**2 - 1],
        velocity_constraints=[x * u + y * v],
        dependent_speeds=[u],
        initial=initial,
    )


@pytest.mark.needs_cc
def test_a_run_does_not_begin_off_the_constraints() -> None:
    """Without initial values a particle on the unit circle begins on it, as `state` does; on none it does not begin."""
    x, y = dynamicsymbols("x y")
    circle = eomc.compile(circular(x, y, {})).load()
    assert not circle.initial_state.any()
    for run in (circle.simulate(t_end=0.1, dt=0.05).x, circle.ensemble(t_end=0.1, dt=0.05).x[0]):
        np.testing.assert_array_equal(run[0], circle.state())
        np.testing.assert_allclose(np.hypot(*run[:, :2].T), 1.0, atol=1e-6)
    L = (x.diff() ** 2 + y.diff() ** 2) / 2
    nowhere = eomc.compile(eomc.from_lagrangian(L, coordinates=[x, y], configuration_constraints=[x**2 + y**2 + 1]))
    for run in (nowhere.load().simulate, nowhere.load().ensemble):
        with pytest.raises(ModelError, match="no coordinates near the initial ones meet configuration constraint 1"):
            run(t_end=0.1)


def test_zeros_that_are_admissible_need_no_remark() -> None:
    """A particle rests at the pole, whatever its speeds are called."""
    assert NOT_ADMISSIBLE not in eomc.compile(polar(False)).program.notes


def led_circle() -> Model:
    """Return a particle on a circle of radius r: y and its speed v follow x and u."""
    x, y, u, v = dynamicsymbols("x y u v")
    r = sm.Symbol("r")
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x + v * N.y)
    return Model(
        name="circle",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=[Particle("p", point, 1)],
        configuration_constraints=[x**2 + y**2 - r**2],
        velocity_constraints=[x * u + y * v],
        dependent_coordinates=[y],
        dependent_speeds=[v],
        parameters={r: 1.0},
        initial={x: 0.6, y: -0.8},
    )


@pytest.mark.parametrize("by", [eomc.reference, lambda model: eomc.compile(model).load()], ids=["reference", "C"])
def test_what_the_user_gave_does_not_move_where_others_are_named_dependent(by: Any) -> None:
    """y follows x while it can; past the circle the error names x, and at y = 0 the speed u that v cannot balance."""
    motion = by(led_circle())
    np.testing.assert_allclose(motion.state({"x": 0.8, "y": -5.0}, {"u": 0.3}), [0.8, -0.6, 0.3, 0.4], atol=1e-12)
    with pytest.raises(ModelError, match=r"with x = 2 as given .*residual"):
        motion.state({"x": 2.0})
    with pytest.raises(ModelError, match=r"with x = 2 as given .*residual"):
        motion.state({"x": 2.0, "y": 0.1})
    with pytest.raises(ModelError, match=r"with u = 1 as given .*residual"):
        motion.state({"x": 1.0, "y": 0.0}, {"u": 1.0, "v": 0.2})


def test_the_models_own_values_give_way_before_there_is_no_assembly() -> None:
    """On a circle of radius 0.5 x = 0.6 cannot stay: it is the model's, not the user's."""
    build = eomc.compile(led_circle())
    x, y, _, _ = build.initial_state({}, {}, 0.0, {"r": 0.5})
    assert x**2 + y**2 == pytest.approx(0.25, rel=1e-12)
    with pytest.raises(ModelError, match=r"with x = 0.6 as given .*residual"):
        build.initial_state({"x": 0.6}, {}, 0.0, {"r": 0.5})


def planar(**changes: Any) -> Model:
    """Return a particle in a plane with u = x' and v = y'/2."""
    x, y, u, v = dynamicsymbols("x y u v")
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x + 2 * v * N.y)
    described: dict[str, Any] = {
        "name": "planar",
        "inertial_frame": N,
        "coordinates": [x, y],
        "speeds": [u, v],
        "kinematical_equations": [x.diff() - u, y.diff() - 2 * v],
        "bodies": [Particle("p", point, 1)],
    }
    return Model(**(described | changes))


def test_speeds_and_rates_that_contradict_each_other_are_refused() -> None:
    """u = x' with u = 1 and x' = 2 is one error, of the model and of the user; what agrees or overrides is taken."""
    x, u = dynamicsymbols("x u")
    with pytest.raises(ModelError, match=r"u = 1, x_d = 2 contradict each other"):
        eomc.compile(planar(initial={u: 1, x.diff(): 2}))
    build = eomc.compile(planar(initial={u: 1}))
    with pytest.raises(ModelError, match=r"v = 0.6, y_d = 1 contradict each other"):
        build.initial_state({}, {"x_d": 3, "y_d": 1, "v": 0.6})
    assert build.initial_state({}, {"x_d": 3, "y_d": 1, "v": 0.5}) == [0.0, 0.0, 3.0, 0.5]
    assert build.initial_state({}, {"x_d": 3}) == [0.0, 0.0, 3.0, 0.0]


def test_a_row_that_vanishes_to_rounding_is_told() -> None:
    """cos(x) u = 0 at x = pi/2, as floats have it, holds no u; cos(x) u = 1 has no solution there."""
    x, u = dynamicsymbols("x u")
    build = eomc.compile(planar(velocity_constraints=[sm.cos(x) * u], initial={x: sm.pi / 2, u: 0.3}))
    assert any("velocity constraint 1 vanishes to rounding at the start" in note for note in build.program.notes)
    assert [state.value for state in build.program.states][2] == 0.3
    with pytest.warns(UserWarning, match=r"velocity constraint 1 vanishes to rounding"):
        build.initial_state({"x": np.pi / 2}, {"u": 1.0})
    assert build.initial_state({"x": 0.0}, {"u": 1.0}) == [0.0] * 4
    with pytest.raises(ModelError, match=r"velocity constraint 1 at these coordinates: its coefficients are zero or"):
        eomc.compile(planar(velocity_constraints=[sm.cos(x) * u - 1], initial={x: sm.pi / 2}))


def test_newtons_method_starts_again_where_one_start_finds_nothing() -> None:
    """y of a unit circle is found from y = 0, where the slope vanishes; where none is, the error counts the starts."""
    x, y = dynamicsymbols("x y")
    model = planar(configuration_constraints=[x**2 + y**2 - 1], dependent_coordinates=[y], initial={x: 0.5})
    build = eomc.compile(model)
    found = build.initial_state({"x": 0.6})
    assert found[0] == 0.6
    assert abs(found[1]) == pytest.approx(0.8, rel=1e-14)
    with pytest.raises(ModelError, match=r"with x = 2 as given .*residual stays 3; found none from 41 starts"):
        build.initial_state({"x": 2.0})


def test_no_linear_algebra_of_numpy_decides_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The starts of all shipped models are found, and rounding of zero is zero, without NumPy's linear algebra."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("what is printed depends on a BLAS")

    for name in ("lstsq", "solve", "inv", "pinv", "qr", "svd", "eig", "eigh", "norm", "cond", "matrix_rank", "det"):
        monkeypatch.setattr(np.linalg, name, refuse)
    for name in shipped_models():
        model = eomc.load(name)
        state, _ = InitialState(model, choose_method(model, None)).for_the_program()
        assert not any(0.0 < abs(value) < 1e-15 for value in state), name
