"""The reference against SymPy's own KanesMethod: two ways that share the user's frames and points, nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy import symbols
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

from eomc.model import Model
from eomc.reference import reference

m, g, r, k = symbols("m g r k", positive=True)


def of_sympy(model: Model, kane: KanesMethod) -> Any:
    """Return u' of all speeds as a function of a state and of the parameters, from SymPy's equations."""
    system: Any = model.dynamics
    kane.kanes_equations(list(system.bodies), list(system.loads))
    plain = [sympy.Dummy() for _ in (*model.coordinates, *model.speeds)]
    rename = dict(zip((*model.coordinates, *model.speeds), plain, strict=True))
    matrices = [part.xreplace(kane.kindiffdict()).xreplace(rename) for part in (kane.mass_matrix, kane.forcing)]
    evaluate = sympy.lambdify([plain, [p.symbol for p in model.parameters]], matrices, "numpy")

    def accelerations(state: Any, parameters: Any) -> Any:
        matrix, forcing = evaluate(state, parameters)
        return np.linalg.solve(matrix, forcing).ravel()

    return accelerations


def assert_equal_motion(model: Model, kane: KanesMethod) -> None:
    """Compare at random admissible states; the models list dependent speeds last, as SymPy does."""
    oracle = reference(model)
    parameters = [p.value for p in model.parameters]
    expected = of_sympy(model, kane)
    states = oracle.random_state(np.random.default_rng(5), 20)
    found = oracle.rhs(0.0, states)[:, len(model.coordinates) :]
    for state, row in zip(states, found, strict=True):
        theirs = expected(state, parameters)
        assert np.max(np.abs(row - theirs)) <= 1e-10 * (1 + np.max(np.abs(theirs)))


def test_rolling_disk_with_dependent_speeds() -> None:
    """A disk with two dependent speeds, speeds that are no rates, a drag, a spring and a torque in q'."""
    q1, q2, q3, q4, q5 = q = dynamicsymbols("q1:6")
    u1, u2, u3, u4, u5 = u = dynamicsymbols("u1:6")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    origin, contact = Point("origin"), Point("contact")
    origin.set_vel(N, 0)
    contact.set_pos(origin, q4 * N.x + q5 * N.y)
    contact.set_vel(N, u4 * L.x + u5 * Y.y)  # of the point of the disk
    centre = contact.locatenew("centre", r * L.z)
    centre.v2pt_theory(contact, N, R)
    turning = R.ang_vel_in(N) - (q1.diff() * N.z + q2.diff() * Y.x + q3.diff() * L.y)
    kinematics = [turning.dot(axis) for axis in (L.x, L.y, L.z)]
    travel = contact.pos_from(origin).dt(N) - (u4 * Y.x + u5 * Y.y) + r * q3.diff() * Y.x
    kinematics += [travel.dot(Y.x), travel.dot(Y.y)]
    constraints = [u4 - k * u1 * sympy.sin(q2), u5 + k * u2 * u1.subs(u1, 1) * sympy.cos(q1)]
    moment = m * r**2 / 4
    body = RigidBody("disk", centre, R, m, (inertia(L, moment, 2 * moment, moment), centre))
    loads = [
        (centre, -m * g * N.z - 0.3 * u4 * L.x - k * q4 * N.x),
        (R, -0.2 * q3.diff() * L.y),
    ]
    model = Model(
        name="disk",
        inertial_frame=N,
        coordinates=q,
        speeds=u,
        kinematical_equations=kinematics,
        bodies=[body],
        loads=loads,
        velocity_constraints=constraints,
        dependent_speeds=[u4, u5],
        parameters={m: 2.0, g: 9.81, r: 0.4, k: 0.3},
    )
    kane = KanesMethod(N, q, [u1, u2, u3], kd_eqs=kinematics, u_dependent=[u4, u5], velocity_constraints=constraints)
    assert_equal_motion(model, kane)


@pytest.mark.slow
def test_chain_in_space_with_given_velocities_and_accelerations() -> None:
    """Three joints about different axes, full inertias about points of the bodies, a particle, set accelerations."""
    q1, q2, q3 = q = dynamicsymbols("q1:4")
    u1, u2, u3 = u = dynamicsymbols("u1:4")
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q1, N.z])
    A.set_ang_vel(N, u1 * N.z)
    B = A.orientnew("B", "Body", [q2, 0.3, q3], "XYZ")
    origin = Point("origin")
    origin.set_vel(N, 0)
    elbow = origin.locatenew("elbow", r * A.x + 0.2 * A.y)
    elbow.v2pt_theory(origin, N, A)
    tip = elbow.locatenew("tip", 0.5 * B.y - r * B.z)
    tip.v2pt_theory(elbow, N, B)
    tip.a2pt_theory(elbow, N, B)
    bob = tip.locatenew("bob", 0.1 * sympy.sin(q1) * N.x)
    bodies = [
        RigidBody("one", elbow, A, m, (inertia(A, 1, 2, 3, 0.1, 0.2, 0.3), origin)),
        RigidBody("two", tip, B, 2 * m, (inertia(A, 2, 2, 2) + inertia(B, 0.3, 0.2, 0.4, 0.05, 0, 0.01), tip)),
        Particle("bob", bob, m / 3),
    ]
    model = Model(
        name="chain",
        inertial_frame=N,
        coordinates=q,
        speeds=u,
        kinematical_equations=[u1 - q1.diff(), u2 - q2.diff() - q3.diff() * sympy.sin(q1), u3 - 2 * q3.diff()],
        bodies=bodies,
        loads=[(tip, -k * u2 * N.x + q3.diff() * B.z), (B, -0.4 * B.ang_vel_in(N)), (bob, -m * g / 3 * N.z)],
        parameters={m: 1.5, g: 9.81, r: 0.7, k: 0.2},
    )
    bob.vel(N)  # SymPy's way needs it to be asked for
    assert_equal_motion(model, KanesMethod(N, q, u, kd_eqs=list(model.dynamics.kinematical_equations)))
