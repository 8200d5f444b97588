"""What the derivation finds equal or zero is so for all parameters, not for the defaults alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.errors import UnsupportedError
from eomc.model import Model

q, u, z = dynamicsymbols("q u z")
m, c, k, w, n = sm.symbols("m c k w n")
t = dynamicsymbols._t


def on_a_line(*, velocity: Any = u, **described: Any) -> Model:
    """Return a particle on a line."""
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, velocity * N.x)
    loads = [(point, load * N.x) for load in described.pop("loads", [])]
    line = {"name": "line", "inertial_frame": N, "coordinates": [q], "speeds": [u], "bodies": [Particle("p", point, m)]}
    return Model(**(line | {"loads": loads, "parameters": {m: 1.0}} | described))


def constants(model: Model, method: str | None = None) -> dict[str, str]:
    """Return name -> condition of what is said to be constant."""
    return {found.name: found.condition for found in eomc.compile(model, method).equations.energetics.invariants}


def test_gears_with_ratio_one_are_not_one_body() -> None:
    """Wheels turning with u and n u: M = J (1 + n^2), also when n is 1 by default."""
    J = sm.Symbol("J")
    N, A, B = (ReferenceFrame(name) for name in "NAB")
    A.orient_axis(N, N.z, q)
    A.set_ang_vel(N, u * N.z)
    B.orient_axis(N, N.z, n * q)
    B.set_ang_vel(N, n * u * N.z)
    hub = Point("O")
    hub.set_vel(N, 0)
    wheels = [RigidBody(frame.name, hub, frame, m, (inertia(frame, 0, 0, J), hub)) for frame in (A, B)]
    model = Model(
        name="gears", inertial_frame=N, coordinates=[q], speeds=[u], bodies=wheels, parameters={m: 1.0, J: 1.0, n: 1.0}
    )
    for method in model.methods:
        sim = eomc.compile(model, method).load()
        assert sim.mass_matrix(0.0, sim.initial_state, parameters={"n": 3.0}) == pytest.approx(10.0)


def test_a_velocity_term_that_defaults_to_zero_is_kept() -> None:
    """v = u + w cos q is no rate of q for w != 0; with w = 0 by default it still counts at w = 2."""
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)

    def model(default: float) -> Model:
        point = origin.locatenew("P", q * N.x)
        point.set_vel(N, (u + w * sm.cos(q)) * N.x)
        return Model(
            name="belt", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[Particle("p", point, m)],
            parameters={m: 1.0, w: default},
        )  # fmt: skip

    state = [0.3, 0.5]
    results = [eomc.compile(model(d)).load().rhs(0.0, state, parameters={"w": 2.0}) for d in (0.0, 2.0)]
    np.testing.assert_allclose(results[0], results[1], rtol=1e-13)
    assert results[0][1] == pytest.approx(2.0 * np.sin(0.3) * 0.5)  # d/dt (u + w cos q) = 0 without force


def test_a_hoop_at_rest_by_default_still_throws_its_bead_outward() -> None:
    """A hoop turning at a rate that is zero by default: all methods have the centrifugal term, none claims T + V."""
    N, A, B = (ReferenceFrame(name) for name in "NAB")
    A.orient_axis(N, N.y, w * t)
    B.orient_axis(A, A.z, q)
    hub = Point("O")
    hub.set_vel(N, 0)
    bead = hub.locatenew("P", -B.y)
    bead.set_vel(N, u * B.x - w * sm.sin(q) * A.z)
    model = Model(
        name="hoop", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[Particle("p", bead, m)],
        gravity=-9.81 * N.y, parameters={m: 1.0, w: 0.0},
    )  # fmt: skip
    for method in model.methods:
        build = eomc.compile(model, method)
        assert {found.name for found in build.equations.energetics.invariants} == {"jacobi"}
        rate = build.load().rhs(0.0, [0.4, 0.0], parameters={"w": 5.0})[1]
        assert rate == pytest.approx(25.0 * np.sin(0.4) * np.cos(0.4) - 9.81 * np.sin(0.4), rel=1e-12)


@pytest.mark.parametrize(
    "model",
    [
        on_a_line(loads=[-c * u - k * q], parameters={m: 1.0, c: 0.0, k: 0.0}),
        on_a_line(loads=[-c * u], parameters={m: 1e-11, c: 1e-11}),
        on_a_line(loads=[sm.Piecewise((-k * (q - 2) - c * u, q > 2), (0, True))], parameters={m: 1.0, c: 1.0, k: 9.0}),
        on_a_line(potential_energy=k * (q - z) ** 2 / 2, extra_states={z: q - z}, parameters={m: 1.0, k: 2.0}),
    ],
    ids=["zero by default", "small numbers", "a stop out of range", "an extra state in V"],
)
def test_nothing_is_claimed_that_other_parameters_or_states_deny(model: Model) -> None:
    """Damping that is off by default, small, out of range, or hidden in an extra state takes the constants away."""
    for method in model.methods:
        assert constants(model, method) == {}


def test_a_constraint_that_moves_by_itself_does_work() -> None:
    """q1' = u1 - W with u1 = u2 drives the second body: no energy is constant."""
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    N, P, Q = ReferenceFrame("N"), Point("P"), Point("Q")
    P.set_vel(N, (u1 - w) * N.x)
    Q.set_vel(N, u2 * N.x)
    model = Model(
        name="driven", inertial_frame=N, coordinates=[q1, q2], speeds=[u1, u2],
        kinematical_equations=[q1.diff() - u1 + w, q2.diff() - u2],
        bodies=[Particle("p", P, m), Particle("q", Q, m)], potential_energy=k * q1**2 / 2,
        velocity_constraints=[u1 - u2], dependent_speeds=[u2], parameters={m: 1.0, k: 3.0, w: 1.0},
    )  # fmt: skip
    assert constants(model) == {}


def test_a_mass_that_depends_on_the_place_is_for_kane_and_has_no_constants() -> None:
    """d(m v)/dt = F and Lagrange's equations differ for m(q): only Kane derives it, and claims nothing."""
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x)
    model = Model(
        name="snowball", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[Particle("p", point, m * (1 + q**2))],
        parameters={m: 1.0},
    )  # fmt: skip
    assert constants(model) == {}
    with pytest.raises(UnsupportedError, match="mass depends on the coordinates"):
        eomc.compile(model, "lagrange")


def test_states_outside_the_domain_are_no_lack_of_inertia() -> None:
    """A bead on a circle y = -sqrt(r^2 - x^2) of radius one half, without ranges: other states are looked at."""
    r = sm.Symbol("r")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    height = -sm.sqrt(r**2 - q**2)
    point = origin.locatenew("P", q * N.x + height * N.y)
    point.set_vel(N, u * N.x + height.diff(q) * u * N.y)
    model = Model(
        name="bowl", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[Particle("p", point, m)],
        parameters={m: 1.0, r: 0.5},
    )  # fmt: skip
    x = [0.3, 0.0]
    assert eomc.compile(model).load().mass_matrix(0.0, x) == pytest.approx(1.0 + 0.3**2 / (0.25 - 0.3**2))


def test_what_hamilton_rewrites_keeps_its_tests() -> None:
    """Kinematics q u = q' divide by q; the output u of Hamilton's form is refused at q = 0, not infinite."""
    model = on_a_line(velocity=q * u, kinematical_equations=[q * u - q.diff()], outputs={"speed": u}, initial={q: 1.0})
    sim = eomc.compile(model, "hamilton").load()
    with pytest.raises(eomc.EomcError, match="singular"):
        sim.outputs(0.0, [0.0, 1.0])
