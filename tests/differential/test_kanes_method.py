"""Someone else's KanesMethod: the emitted C agrees with sympy.lambdify of SymPy's own equations to 1e-10."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia
from sympy.physics.mechanics.models import multi_mass_spring_damper, n_link_pendulum_on_cart

import eomc

t = dynamicsymbols._t
m, g, r = sympy.symbols("m g r")
SAMPLES = 20


def chain() -> tuple[KanesMethod, list[Any], list[Any]]:
    """Return SymPy's cart with three links, derived already by SymPy."""
    return n_link_pendulum_on_cart(3, cart_force=True, joint_torques=True), [], []


def springs() -> tuple[KanesMethod, list[Any], list[Any]]:
    """Return SymPy's three masses on springs and dampers under gravity with external forces."""
    return multi_mass_spring_damper(3, apply_gravity=True, apply_external_forces=True), [], []


def disk_with_three_speeds() -> tuple[KanesMethod, list[Any], list[Any]]:
    """Return the rolling disk of SymPy's documentation: body rates, the contact point at rest."""
    q = q1, q2, q3 = dynamicsymbols("q1 q2 q3")
    u = u1, u2, u3 = dynamicsymbols("u1 u2 u3")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    omega = R.ang_vel_in(N)
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    kinematics = [omega.dot(axis) - speed for axis, speed in zip(L, u, strict=True)]
    C = Point("C")
    C.set_vel(N, 0)
    centre = C.locatenew("Dmc", r * L.z)
    centre.v2pt_theory(C, N, R)
    body = RigidBody("BodyD", centre, R, m, (inertia(L, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2), centre))
    return KanesMethod(N, q, u, kd_eqs=kinematics), [body], [(centre, -m * g * Y.z)]


def disk_with_dependent_speeds() -> tuple[KanesMethod, list[Any], list[Any]]:
    """Return the rolling disk of SymPy's tests with five speeds, two of which keep the contact point from slipping."""
    q = q1, q2, q3, q4, q5 = dynamicsymbols("q1:6")
    u1, u2, u3, u4, u5 = dynamicsymbols("u1:6")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    C = Point("C")
    C.set_vel(N, u4 * L.x + u5 * Y.z.cross(L.x))
    centre = C.locatenew("Dmc", r * L.z)
    centre.v2pt_theory(C, N, R)
    slip = [C.vel(N).dot(Y.x), C.vel(N).dot(Y.y)]
    kinematics = [
        q1.diff(t) - u3 / sympy.cos(q2),
        q2.diff(t) - u1,
        q3.diff(t) - u2 + u3 * sympy.tan(q2),
        q4.diff(t) - u4,
        q5.diff(t) - u5,
    ]
    body = RigidBody("BodyD", centre, R, m, (inertia(L, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2), centre))
    kane = KanesMethod(N, q, [u1, u2, u3], kd_eqs=kinematics, u_dependent=[u4, u5], velocity_constraints=slip)
    return kane, [body], [(centre, -m * g * Y.z)]


@pytest.mark.needs_cc
@pytest.mark.parametrize("make", [chain, springs, disk_with_three_speeds, disk_with_dependent_speeds])
def test_agreement_with_sympys_own_equations(make: Any) -> None:
    """|a - b| <= 1e-10 (1 + |b|) at random states, on the velocity constraints where there are any."""
    kane, bodies, loads = make()
    before = eomc.from_kanes_method(kane, bodies=bodies, loads=loads, **_values(make)) if bodies else None
    if bodies:
        kane.kanes_equations(bodies, loads)
    values = _values(make)
    model = eomc.from_kanes_method(kane, **values)
    assert before is None or before.speeds == model.speeds
    states = [*kane.q, *kane.u]
    inputs = values["inputs"]
    parameters = values["parameters"]
    arguments = (states, inputs, list(parameters))
    plain = {one: sympy.Dummy() for one in (*states, *inputs)}
    system = sympy.lambdify(
        [[plain.get(one, one) for one in group] for group in arguments],
        [kane.mass_matrix_full.xreplace(plain), kane.forcing_full.xreplace(plain)],
        cse=True,
    )
    sim = eomc.compile(model).load()
    generator = np.random.default_rng(1)
    constants = np.array(list(parameters.values()))
    for _ in range(SAMPLES):
        x = generator.uniform(-1, 1, len(states))
        signals = generator.uniform(-1, 1, len(inputs))
        if kane._udep:
            x = _on_constraints(kane, x, parameters)
        M, f = system(x, signals, constants)
        expected = np.linalg.solve(np.asarray(M, float), np.asarray(f, float).ravel())
        found = sim.rhs(0.3, x, inputs=signals) if len(inputs) else sim.rhs(0.3, x)
        assert np.abs(found - expected).max() <= 1e-10 * (1 + np.abs(expected).max())


def _values(make: Any) -> dict[str, Any]:
    """Return parameters with unlike values, and inputs, for a model of this file."""
    if make in (chain, springs):
        kane = make()[0]
        free = kane.mass_matrix.free_symbols | kane.forcing.free_symbols
        symbols = sorted(free - {t}, key=str)
        signals = sympy.physics.mechanics.find_dynamicsymbols(kane.forcing) - {*kane.q, *kane.u}
        inputs = sorted(signals, key=str)
    else:
        symbols, inputs = [m, g, r], []
    return {"parameters": {one: 1.0 + 0.13 * index for index, one in enumerate(symbols)}, "inputs": inputs}


def _on_constraints(kane: KanesMethod, x: np.ndarray, parameters: dict[sympy.Symbol, float]) -> np.ndarray:
    """Return the state with its dependent speeds solved from SymPy's own k_nh u + f_nh = 0."""
    at = dict(zip((*kane.q, *kane.u), x, strict=True)) | parameters
    A = np.array(kane._k_nh.subs(at), dtype=float)
    b = np.array(kane._f_nh.subs(at), dtype=float).ravel()
    count = len(kane._udep)
    u = np.array(x[len(kane.q) :], dtype=float)
    u[-count:] = -np.linalg.solve(A[:, -count:], b + A[:, :-count] @ u[:-count])
    return np.concatenate([x[: len(kane.q)], u])
