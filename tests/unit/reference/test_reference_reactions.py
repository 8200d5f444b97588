"""Reactions along auxiliary speeds: tensions, contact forces, forces and torques in joints, against closed forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from numpy.testing import assert_allclose
from sympy import cos, cot, sin, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.analysis.agreement import compare
from eomc.reference import reference

NOTES = Path(__file__).resolve().parents[2] / "data" / "reference" / "lecture_examples.yaml"
BY = ("kane", "gibbs-appell")
m, g, r = symbols("m g r", positive=True)


def agrees_with_the_emitted_c(model: eomc.Model, method: str, constraints: str = "eliminated") -> None:
    """All functions of the C, reactions among them, at random states."""
    found = compare(eomc.compile(model, method, constraints=constraints), count=8)
    assert "reactions" in {one.function for one in found}
    for one in found:
        assert one.holds, one


def double_pendulum(held: bool = True) -> eomc.Model:
    """Return two point masses on rods at absolute angles, the length of each rod held by an auxiliary speed."""
    q1, q2, u1, u2, u3, u4 = dynamicsymbols("q1 q2 u1 u2 u3 u4")
    m1, m2, l1, l2 = symbols("m1 m2 l1 l2", positive=True)
    N, A, B = (ReferenceFrame(name) for name in "NAB")
    A.orient_axis(N, N.z, q1)
    B.orient_axis(N, N.z, q2)
    P1, P2 = Point("P1"), Point("P2")
    longer = (u3, u4) if held else (0, 0)
    P1.set_vel(N, l1 * u1 * A.x - longer[0] * A.y)
    P2.set_vel(N, P1.vel(N) + l2 * u2 * B.x - longer[1] * B.y)
    auxiliary = [u3, u4] if held else []
    return eomc.Model(
        name="double_pendulum",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2, *auxiliary],
        auxiliary_speeds=auxiliary,
        kinematical_equations=[q1.diff() - u1, q2.diff() - u2],
        bodies=[Particle("P1", P1, m1), Particle("P2", P2, m2)],
        gravity=-g * N.y,
        parameters={m1: 1.0, m2: 2.0, l1: 1.0, l2: 0.5, g: 9.81},
    )


@pytest.mark.parametrize("method", BY)
def test_tensions_of_a_double_pendulum(method: str) -> None:
    """The rods' tensions pull inwards, against u3 and u4; the motion is that without auxiliary speeds."""
    oracle = reference(double_pendulum(), method)
    state = [0.3, -0.7, 1.2, 0.4]
    assert_allclose(oracle.rhs(0, state)[2:], [-7.023729535281, 22.652861987263], rtol=1e-12)
    found = oracle.reactions(0, state)
    assert found == {
        "reaction_u3": pytest.approx(-13.460275158766, rel=1e-12),
        "reaction_u4": pytest.approx(-4.901745137267, rel=1e-12),
    }
    many = oracle.reactions(0, [state, [0.0, 0.0, 0.0, 0.0]])
    assert_allclose(many["reaction_u3"], [found["reaction_u3"], -3 * 9.81], rtol=1e-13)
    assert reference(double_pendulum(held=False), method).reactions(0, state) == {}


@pytest.mark.parametrize("method", BY)
def test_ground_under_a_rolling_disk(method: str) -> None:
    """The contact force of the published point, in (i0, j0, k0): all three components by auxiliary speeds."""
    entries = {entry["name"]: entry for entry in yaml.safe_load(NOTES.read_text(encoding="utf-8"))["entries"]}
    point = entries["rolling_disk_no_slip_000"]["points"][0]
    theta, phi, psi, x, y, u1, u2, u3, u4, u5, u6 = dynamicsymbols("theta phi psi x y u1 u2 u3 u4 u5 u6")
    transverse, axial = symbols("It Ia", positive=True)
    N, H, B, D = (ReferenceFrame(name) for name in "NHBD")
    H.orient_axis(N, N.z, phi)
    B.orient_axis(H, H.x, theta)
    B.set_ang_vel(N, u1 * B.x + u2 * B.y + u2 * cot(theta) * B.z)
    D.orient_axis(B, B.z, psi)
    D.set_ang_vel(N, u1 * B.x + u2 * B.y + u3 * B.z)
    C = Point("C")
    C.set_vel(N, (u4 - r * u3) * B.x + u5 * B.y + (u6 + r * u1) * B.z)  # that of the contact added
    spin = u3 - u2 * cot(theta)
    model = eomc.Model(
        name="disk",
        inertial_frame=N,
        coordinates=[theta, phi, psi, x, y],
        speeds=[u1, u2, u3, u4, u5, u6],
        auxiliary_speeds=[u4, u5, u6],
        kinematical_equations=[
            theta.diff() - u1,
            phi.diff() * sin(theta) - u2,
            phi.diff() * cos(theta) + psi.diff() - u3,
            x.diff() + r * spin * cos(phi),
            y.diff() + r * spin * sin(phi),
        ],
        bodies=[RigidBody("disk", C, D, m, (inertia(B, transverse, transverse, axial), C))],
        gravity=-g * N.z,
        parameters={m: 2, r: 0.5, transverse: 0.125, axial: 0.25, g: 9.81},
    )
    oracle = reference(model, method)
    state = [*point["state"]["q"], *point["state"]["u"]]
    assert_allclose(oracle.rhs(0, state)[5:], point["expected"]["ud"], rtol=1e-12)
    expected = point["expected"]["contact_force_in_B0"]
    assert_allclose([*oracle.reactions(0, state).values()], expected, rtol=1e-12)
    agrees_with_the_emitted_c(model, method)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", BY)
def test_pin_of_a_closed_four_bar_linkage(method: str) -> None:
    """The ground's force on the crank, and on the rocker by the balance of all; the loop's force passes between them.

    The pivots' auxiliary speeds belong in the velocity constraints of the loop, for they would tear it apart.
    """
    q1, q2, q3, u1, u2, u3, u4, u5, u6, u7 = dynamicsymbols("q1 q2 q3 u1 u2 u3 u4 u5 u6 u7")
    a, b, c, d = 2, 4, 3, 4
    N = ReferenceFrame("N")
    left, right = Point("O"), Point("P")
    left.set_vel(N, u4 * N.x + u5 * N.y)
    right.set_vel(N, u6 * N.x + u7 * N.y)
    frames = [ReferenceFrame(name) for name in "ABC"]
    for frame, angle, rate in zip(frames, (q1, q2, q3), (u1, u2, u3), strict=True):
        frame.orient_axis(N, N.z, angle)
        frame.set_ang_vel(N, rate * N.z)
    pin = left.locatenew("pin", a * frames[0].x)
    pin.v2pt_theory(left, N, frames[0])
    bodies = []
    for root, frame, size in zip((left, pin, right), frames, (a, b, c), strict=True):
        centre = root.locatenew(f"centre_{frame.name}", size * frame.x / 2)
        centre.v2pt_theory(root, N, frame)
        moment = inertia(frame, 0, 0, size**3 / 12)  # density 1
        bodies.append(RigidBody(f"bar_{frame.name}", centre, frame, size, (moment, centre)))
    model = eomc.Model(
        name="four_bar",
        inertial_frame=N,
        coordinates=[q1, q2, q3],
        speeds=[u1, u2, u3, u4, u5, u6, u7],
        auxiliary_speeds=[u4, u5, u6, u7],
        kinematical_equations=[q1.diff() - u1, q2.diff() - u2, q3.diff() - u3],
        bodies=bodies,
        gravity=-g * N.y,
        configuration_constraints=[
            a * cos(q1) + b * cos(q2) - c * cos(q3) - d,
            a * sin(q1) + b * sin(q2) - c * sin(q3),
        ],
        velocity_constraints=[
            -a * sin(q1) * u1 - b * sin(q2) * u2 + c * sin(q3) * u3 + u4 - u6,
            a * cos(q1) * u1 + b * cos(q2) * u2 - c * cos(q3) * u3 + u5 - u7,
        ],
        parameters={g: 9.81},
        initial={q2: 0.3, q3: 1.3},
    )
    oracle = reference(model, method)
    state = oracle.state({"q1": np.pi / 3})
    rates = oracle.rhs(0, state)[3:]
    assert rates[0] == pytest.approx(-2.43846072, abs=5e-9)
    pins = np.array([*oracle.reactions(0, state).values()])
    assert_allclose(pins[:2], [15.737753, 33.817307], rtol=1e-7)
    turned = [np.array([-np.sin(q), np.cos(q)]) for q in state[:3]]  # all at rest: no centripetal terms
    ends = [a / 2 * rates[0] * turned[0], a * rates[0] * turned[0] + b / 2 * rates[1] * turned[1]]
    total = a * ends[0] + b * ends[1] + c * (c / 2 * rates[2] * turned[2]) + [0.0, 9 * 9.81]
    assert_allclose(pins[:2] + pins[2:], total, rtol=1e-12)
    for form in ("eliminated", "augmented", "range-space", "null-space"):
        agrees_with_the_emitted_c(model, method, form)


@pytest.mark.parametrize("method", BY)
def test_edge_of_a_sleigh(method: str) -> None:
    """The blade's force by the auxiliary speed across it is the force that the multiplier of the constraint gives."""
    x, y, q, v, w, aside = dynamicsymbols("x y q v w aside")
    central, a = symbols("I a", positive=True)
    N, A, P = ReferenceFrame("N"), ReferenceFrame("A"), Point("P")
    A.orient_axis(N, N.z, q)
    A.set_ang_vel(N, w * N.z)
    P.set_vel(N, v * A.x + aside * A.y)
    C = P.locatenew("C", a * A.x)
    C.v2pt_theory(P, N, A)
    described: dict[str, Any] = {
        "name": "sleigh",
        "inertial_frame": N,
        "coordinates": [x, y, q],
        "speeds": [v, w, aside],
        "kinematical_equations": [
            x.diff() - v * cos(q) + aside * sin(q),
            y.diff() - v * sin(q) - aside * cos(q),
            q.diff() - w,
        ],
        "bodies": [RigidBody("sleigh", C, A, m, (inertia(A, 0, 0, central), C))],
        "parameters": {m: 2.0, central: 0.3, a: 0.4},
    }
    oracle = reference(eomc.Model(**described, auxiliary_speeds=[aside]), method)
    state = [0.1, 0.2, 0.5, 1.5, 0.7]
    assert_allclose(oracle.rhs(0, state)[3:], [0.196, -1.354838709677], rtol=1e-12)
    assert oracle.reactions(0, state) == {"reaction_aside": pytest.approx(1.016129032258, rel=1e-12)}
    agrees_with_the_emitted_c(oracle.model, method)
    bound = reference(eomc.Model(**described, velocity_constraints=[aside]), method)
    assert bound.multipliers(0, [*state, 0.0])["lambda_velocity_0"] == pytest.approx(-1.016129032258, rel=1e-12)


@pytest.mark.parametrize("method", BY)
def test_torque_in_a_bearing(method: str) -> None:
    """A disk mounted askew on an axle that turns at w: the bearing's torque is w x (I w), across the axle."""
    q, w, tilt, load = dynamicsymbols("q w tilt load")
    N, A, B, C = ReferenceFrame("N"), ReferenceFrame("A"), ReferenceFrame("B"), Point("C")
    A.orient_axis(N, N.z, q)
    A.set_ang_vel(N, w * N.z + tilt * A.x)
    B.orient_axis(A, A.x, 0.3)
    C.set_vel(N, 0)
    model = eomc.Model(
        name="askew",
        inertial_frame=N,
        coordinates=[q],
        speeds=[w, tilt],
        auxiliary_speeds=[tilt],
        kinematical_equations=[q.diff() - w],
        bodies=[RigidBody("disk", C, B, m, (inertia(B, 0.2, 0.2, 0.5), C))],
        loads=[(A, load * A.x)],
        inputs={load: 0.0},
        parameters={m: 1.0},
    )
    oracle = reference(model, method)
    momentum = 1.7 * np.array([0.0, -0.3 * np.sin(0.3) * np.cos(0.3), 0.2 * np.sin(0.3) ** 2 + 0.5 * np.cos(0.3) ** 2])
    expected = np.cross([0.0, 0.0, 1.7], momentum)[0]
    found = oracle.reactions(0, [0.4, 1.7])["reaction_tilt"]
    assert found == pytest.approx(expected, rel=1e-12)
    agrees_with_the_emitted_c(model, method)
    assert oracle.reactions(0, [0.4, 1.7], {"load": 0.25})["reaction_tilt"] == pytest.approx(found - 0.25, rel=1e-12)
