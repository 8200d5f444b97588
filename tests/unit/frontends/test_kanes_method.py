"""A KanesMethod becomes a model without being derived; nothing of it is lost."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)
from sympy.physics.mechanics.models import multi_mass_spring_damper, n_link_pendulum_on_cart

from eomc.errors import ModelError
from eomc.frontends.kanes_method import from_kanes_method

t = dynamicsymbols._t
q1, q2, q3, q4, q5 = dynamicsymbols("q1:6")
u1, u2, u3, u4, u5 = dynamicsymbols("u1:6")
m, g, r = sympy.symbols("m g r")


def values(*symbols: sympy.Symbol) -> dict[sympy.Symbol, float]:
    """Return a value for each symbol."""
    return {symbol: 1.0 + index for index, symbol in enumerate(symbols)}


def disk(dependent: bool, **arguments: Any) -> tuple[KanesMethod, list[Any], list[Any]]:
    """Return SymPy's rolling disk with three body rates, or with five speeds of which two depend on the others."""
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    omega = R.ang_vel_in(N)
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    kinematics = [omega.dot(axis) - u for axis, u in zip(L, (u1, u2, u3), strict=True)]
    C = Point("C")
    centre = C.locatenew("Dmc", r * L.z)
    body = RigidBody("BodyD", centre, R, m, (inertia(L, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2), centre))
    loads = [(centre, -m * g * Y.z)]
    if not dependent:
        C.set_vel(N, 0)
        centre.v2pt_theory(C, N, R)
        return KanesMethod(N, [q1, q2, q3], [u1, u2, u3], kd_eqs=kinematics, **arguments), [body], loads
    C.set_vel(N, u4 * L.x + u5 * (Y.z ^ L.x))
    centre.v2pt_theory(C, N, R)
    slip = [C.vel(N).dot(Y.x), C.vel(N).dot(Y.y)]
    kinematics += [q4.diff(t) - u4, q5.diff(t) - u5]
    method = KanesMethod(
        N,
        [q1, q2, q3, q4, q5],
        [u1, u2, u3],
        kd_eqs=kinematics,
        u_dependent=[u4, u5],
        velocity_constraints=slip,
        **arguments,
    )
    return method, [body], loads


class Raising:
    """Stands for a derivation that must not run."""

    def __get__(self, *_: object) -> Any:
        raise AssertionError("the derivation was asked for")


def test_the_disk_with_three_speeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coordinates, speeds, bodies, loads and kinematical equations are those given; nothing is derived."""
    kane, bodies, loads = disk(dependent=False)
    for attribute in ("kanes_equations", "mass_matrix", "forcing", "kindiffdict", "_form_fr", "_form_frstar"):
        monkeypatch.setattr(KanesMethod, attribute, Raising())
    model = from_kanes_method(kane, bodies=bodies, loads=loads, parameters=values(m, g, r), name="disk")
    assert model.name == "disk"
    assert model.coordinates == (q1, q2, q3)
    assert model.speeds == (u1, u2, u3)
    assert model.dynamics.bodies == tuple(bodies)
    assert model.dynamics.loads == tuple(loads)
    assert len(model.dynamics.kinematical_equations) == 3


def test_kinematical_equations_stay_implicit() -> None:
    """The equations are those given up to the order of terms: no inverse has been multiplied in."""
    kane, bodies, loads = disk(dependent=False)
    model = from_kanes_method(kane, bodies=bodies, loads=loads, parameters=values(m, g, r))
    rates = {q.diff(t): value for q, value in zip((q1, q2, q3), (0.3, 0.2, 0.7), strict=True)}
    expected = [0.2 - u1, 0.7 + 0.3 * sympy.sin(q2) - u2, 0.3 * sympy.cos(q2) - u3]
    for equation, known in zip(model.dynamics.kinematical_equations, expected, strict=True):
        assert sympy.expand(equation.subs(rates) - known).subs({q2: 0.4, u1: 1, u2: 2, u3: 3}).evalf() == pytest.approx(
            0, abs=1e-14
        )


def test_dependent_speeds_and_rebuilt_constraints() -> None:
    """Velocity constraints are rebuilt from SymPy's matrices and equal the raw ones."""
    kane, bodies, loads = disk(dependent=True)
    model = from_kanes_method(kane, bodies=bodies, loads=loads, parameters=values(m, g, r))
    assert model.speeds == (u1, u2, u3, u4, u5)
    assert model.dynamics.dependent_speeds == (u4, u5)
    point, N = bodies[0].masscenter, model.dynamics.inertial_frame
    contact = next(iter(point._pos_dict)).vel(N)
    Y = loads[0][1].args[0][1]
    for rebuilt, raw in zip(model.dynamics.velocity_constraints, (contact.dot(Y.x), contact.dot(Y.y)), strict=True):
        assert sympy.simplify(rebuilt - raw) == 0


def test_keywords_win_over_what_sympy_has() -> None:
    """Raw constraints and kinematical equations given by keyword are taken as they are."""
    kane, bodies, loads = disk(dependent=True)
    raw = [u4 - u5 + u1, u5 - 2 * u1]
    equations = [q.diff(t) - u for q, u in zip((q1, q2, q3, q4, q5), (u1, u2, u3, u4, u5), strict=True)]
    model = from_kanes_method(
        kane,
        bodies=bodies,
        loads=loads,
        velocity_constraints=raw,
        kinematical_equations=equations,
        parameters=values(m, g, r),
    )
    assert model.dynamics.velocity_constraints == tuple(raw)
    assert model.dynamics.kinematical_equations == tuple(equations)


def test_bodies_unknown_before_the_derivation() -> None:
    """SymPy keeps bodies and loads only from kanes_equations on; the message says to give them."""
    kane, bodies, loads = disk(dependent=False)
    with pytest.raises(ModelError, match=r"give bodies=\[...\] and loads=\[...\]"):
        from_kanes_method(kane, parameters=values(m, g, r))
    with pytest.raises(ModelError, match=r"give loads=\[...\], empty if there are none"):
        from_kanes_method(kane, bodies=bodies, parameters=values(m, g, r))
    kane.kanes_equations(bodies, loads)
    assert from_kanes_method(kane, parameters=values(m, g, r)).dynamics.loads == tuple(loads)


def test_bodies_of_the_constructor() -> None:
    """Bodies and loads given to the constructor are found there."""
    kane, bodies, loads = disk(dependent=False)
    equations = [q.diff(t) - u for q, u in zip((q1, q2, q3), (u1, u2, u3), strict=True)]
    frame = kane._inertial
    known = KanesMethod(frame, [q1, q2, q3], [u1, u2, u3], kd_eqs=equations, bodies=bodies, forcelist=loads)
    assert from_kanes_method(known, parameters=values(m, g, r)).dynamics.bodies == tuple(bodies)


def test_auxiliary_speeds_are_listed_last() -> None:
    """Auxiliary speeds are speeds of the model, after the others, and marked."""
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u1 * N.x + u5 * N.y)
    reaction = sympy.Function("R")(t)
    kane = KanesMethod(N, [q1], [u1], kd_eqs=[q1.diff(t) - u1], u_auxiliary=[u5])
    model = from_kanes_method(
        kane, bodies=[Particle("A", P, m)], loads=[(P, reaction * N.y)], inputs=[reaction], parameters={m: 1}
    )
    assert model.speeds == (u1, u5)
    assert model.dynamics.auxiliary_speeds == (u5,)


def test_configuration_constraints_and_dependent_coordinates() -> None:
    """Dependent coordinates keep their place after the independent ones."""
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u1 * N.x + u2 * N.y)
    kane = KanesMethod(
        N,
        [q1],
        [u1],
        kd_eqs=[q1.diff(t) - u1, q2.diff(t) - u2],
        q_dependent=[q2],
        u_dependent=[u2],
        configuration_constraints=[q1**2 + q2**2 - r**2],
        velocity_constraints=[2 * q1 * u1 + 2 * q2 * u2],
    )
    model = from_kanes_method(kane, bodies=[Particle("A", P, m)], loads=[], parameters=values(m, r))
    assert model.dynamics.dependent_coordinates == (q2,)
    assert model.dynamics.configuration_constraints == (q1**2 + q2**2 - r**2,)


@pytest.mark.parametrize("make", [n_link_pendulum_on_cart, multi_mass_spring_damper])
def test_sympys_own_models(make: Any) -> None:
    """Models that ship with SymPy, derived already, ask for values and then pass."""
    kane = make(3)
    with pytest.raises(ModelError, match="no value for") as caught:
        from_kanes_method(kane)
    assert "\n" not in str(caught.value)
    symbols = sorted(kane.mass_matrix.free_symbols | kane.forcing.free_symbols, key=str)
    constants = [symbol for symbol in symbols if symbol != t]
    signals = [] if make is multi_mass_spring_damper else [dynamicsymbols("F")]
    model = from_kanes_method(kane, parameters=values(*constants), inputs=signals)
    assert model.coordinates == tuple(kane.q)
    assert model.speeds == tuple(kane.u)


def test_a_fixed_ground_asks_for_no_values() -> None:
    """Bodies and loads at rest have no effect, so that their mass and inertia need no values."""
    kane, bodies, loads = disk(dependent=False)
    N = kane._inertial
    origin = Point("O")
    origin.set_vel(N, 0)
    ground = RigidBody("ground", origin, N)
    weight = (origin, -ground.mass * g * N.z)
    model = from_kanes_method(
        kane, bodies=[ground, *bodies], loads=[weight, *loads, (N, u1 * N.x)], parameters=values(m, g, r)
    )
    assert model.dynamics.bodies == tuple(bodies)
    assert model.dynamics.loads == tuple(loads)


def test_something_else_is_refused() -> None:
    """A message instead of an AttributeError."""
    with pytest.raises(ModelError, match="int is no KanesMethod"):
        from_kanes_method(3)


def test_a_kanes_method_without_kinematics() -> None:
    """Nothing is guessed where SymPy has no kinematical equations."""
    kane = KanesMethod(ReferenceFrame("N"), [q1], [u1])
    with pytest.raises(ModelError, match="has no kinematical equations"):
        from_kanes_method(kane, bodies=[], loads=[])
