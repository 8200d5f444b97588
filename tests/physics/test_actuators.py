"""Springs, dampers, friction, torques and muscles of sympy.physics.mechanics as loads, against their formulas.

An arm of length b with a mass m at its end P turns about O by q; a force F that lengthens a path of length L(q) makes
m b^2 q'' = F dL/dq.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.biomechanics import (
    FirstOrderActivationDeGroote2016,
    MusculotendonDeGroote2016,
    MusculotendonFormulation,
)
from sympy.physics.mechanics import (
    CoulombKineticFriction,
    DuffingSpring,
    Force,
    ForceActuator,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    ObstacleSetPathway,
    Particle,
    PinJoint,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    Torque,
    TorqueActuator,
    WrappingCylinder,
    WrappingPathway,
    WrappingSphere,
    dynamicsymbols,
    inertia,
)

import eomc

Function: TypeAlias = Callable[..., Any]

METHODS = ("kane", "gibbs-appell", "lagrange", "hamilton")
t = dynamicsymbols._t
q, u = dynamicsymbols("q u")
m, b, r, k, c = sympy.symbols("m b r k c")
N, A = ReferenceFrame("N"), ReferenceFrame("A")
A.orient_axis(N, N.z, q)
A.set_ang_vel(N, u * N.z)
origin = Point("O")
origin.set_vel(N, 0)
END = origin.locatenew("P", b * A.x)
END.set_vel(N, b * u * A.y)
WALL = origin.locatenew("Q", -b * N.y)
HOOK = origin.locatenew("hook", r * N.x + 2 * r * N.y)
RIM, TURNING = origin.locatenew("rim", r * N.x), origin.locatenew("turning", r * A.x)
VALUES = {m: 1.3, b: 0.7, r: 0.3, k: 3.0, c: 0.4}
M, L, R, K, C = VALUES.values()
DIRECT = LinearPathway(WALL, END)
ROUND_A_CYLINDER = WrappingPathway(RIM, TURNING, WrappingCylinder(r, origin, N.z))
ANGLE, RATE = 0.6, -1.7

LENGTH = L * math.sqrt(2 * (1 + math.sin(ANGLE)))
LEVER = L * math.cos(ANGLE) / math.sqrt(2 * (1 + math.sin(ANGLE)))
LENGTHENING = LEVER * RATE


def arm(name: str, loads: list[Any], **more: Any) -> Any:
    """Return the arm under loads."""
    parameters = VALUES | more.pop("parameters", {})
    return eomc.Model(
        name=name,
        inertial_frame=N,
        coordinates=[q],
        speeds=[u],
        bodies=[Particle("P", END, m)],
        loads=loads,
        parameters=parameters,
        outputs={"used": k + c + r},  # whether or not the loads use them
        **more,
    )


def beyond_hook() -> tuple[float, float]:
    """Return the distance from the hook to P, and its slope in q."""
    x, y = L * math.cos(ANGLE) - R, L * math.sin(ANGLE) - 2 * R
    distance = math.hypot(x, y)
    return distance, (-x * L * math.sin(ANGLE) + y * L * math.cos(ANGLE)) / distance


LONG = math.hypot(R, 2 * R + L) + beyond_hook()[0]
NORMAL = M * 9.81
STRIBECK = 0.2 * NORMAL + 0.15 * NORMAL * math.exp(-((LENGTHENING / 0.8) ** 2))

ACTUATORS: dict[str, tuple[Any, float]] = {
    # name: actuator, generalized force
    "force": (ForceActuator(k * q - c * u, DIRECT), (K * ANGLE - C * RATE) * LEVER),
    "spring": (LinearSpring(k, DIRECT, r), -K * (LENGTH - R) * LEVER),
    "spring_without_length": (LinearSpring(k, DIRECT), -K * LENGTH * LEVER),
    "damper": (LinearDamper(c, DIRECT), -C * LENGTHENING * LEVER),
    "duffing": (DuffingSpring(c, k, DIRECT, r), -(C * (LENGTH - R) + K * (LENGTH - R) ** 3) * LEVER),
    "friction": (
        CoulombKineticFriction(0.2, m * 9.81, DIRECT, v_s=0.8, sigma=c, mu_s=0.35),
        (STRIBECK - C * LENGTHENING) * LEVER,  # against a negative rate
    ),
    "torque": (TorqueActuator(-k * q, N.z, A, N), -K * ANGLE),
    "torque_alone": (TorqueActuator(-k * q, N.z, A), -K * ANGLE),
    "over_a_hook": (LinearSpring(k, ObstacleSetPathway(WALL, HOOK, END)), -K * LONG * beyond_hook()[1]),
    "round_a_cylinder": (LinearSpring(k, ROUND_A_CYLINDER), -K * R**2 * ANGLE),
    "round_a_sphere": (LinearSpring(k, WrappingPathway(RIM, TURNING, WrappingSphere(r, origin))), -K * R**2 * ANGLE),
}


@pytest.mark.parametrize("method", ["kane", "hamilton"])  # in speeds and in momenta; below by all
@pytest.mark.parametrize("name", ACTUATORS)
def test_actuator(name: str, method: str, compiled: Function) -> None:
    """u', or p', is the formula's; SymPy's wrapping pathways are turned, and it is said."""
    actuator, expected = ACTUATORS[name]
    wraps = name.startswith("round_a")
    with pytest.warns(RuntimeWarning, match="WrappingPathway .* are turned") if wraps else contextlib.nullcontext():
        model = arm(name, [actuator])
    sim = compiled(model, method)
    x = sim.state({"q": ANGLE}, {"u": RATE})
    inertia_ = M * L**2
    assert_allclose(sim.rhs(0.0, x)[1], expected if method == "hamilton" else expected / inertia_, rtol=1e-13)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_forces_and_torques_of_sympy(method: str, compiled: Function) -> None:
    """Force and Torque, plain pairs and the loads of a pathway stand side by side; those on the frame N do no work."""
    loads = [
        Force(END, k * A.y),
        Torque(A, c * N.z),
        (END, k * N.x),
        (A, -c * u * N.z),
        *DIRECT.to_loads(k),
        (N, k * N.z),
    ]
    sim = compiled(arm("mixed", loads), method)
    expected = K * L + C - K * L * math.sin(ANGLE) - C * RATE + K * LEVER
    scale = 1.0 if method == "hamilton" else M * L**2
    assert_allclose(sim.rhs(0.0, sim.state({"q": ANGLE}, {"u": RATE}))[1] * scale, expected, rtol=1e-13)


def test_a_pathway_on_a_line_passes_through_zero(compiled: Function) -> None:
    """The length of a path along a line is |x|: no natural length means a spring of stiffness k."""
    x, v = dynamicsymbols("x v", real=True)
    frame, wall = ReferenceFrame("N"), Point("O")
    wall.set_vel(frame, 0)
    point = wall.locatenew("P", x * frame.x)
    point.set_vel(frame, v * frame.x)
    path = LinearPathway(wall, point)
    sim = compiled(
        eomc.Model(
            name="line",
            inertial_frame=frame,
            coordinates=[x],
            speeds=[v],
            bodies=[Particle("P", point, m)],
            loads=[LinearSpring(k, path), LinearDamper(c, path)],
            parameters={m: 2.0, k: 3.0, c: 0.4},
        )
    )
    for place in (-0.5, 0.5):
        assert_allclose(sim.rhs(0.0, [place, 1.1]), [1.1, (-3.0 * place - 0.44) / 2.0], rtol=1e-14)
    assert np.isnan(sim.rhs(0.0, [[0.0, 1.0]])[0, 1])  # there the path has no direction


# -- muscles: F. De Groote et al., Annals of Biomedical Engineering 44 (2016) 2922-2936, their curves and constants ----


def active(length: float) -> float:
    """Return the force of the active fibre over its length."""
    rows = ((0.814, 1.06, 0.162, 0.0633), (0.433, 0.717, -0.0299, 0.2), (0.1, 1.0, 0.354, 0.0))
    return sum(b1 * math.exp(-0.5 * ((length - b2) / (b3 + b4 * length)) ** 2) for b1, b2, b3, b4 in rows)


def passive(length: float) -> float:
    """Return the force of the passive fibre over its length."""
    return (math.exp(4.0 * (length - 1) / 0.6) - 1) / (math.exp(4.0) - 1)


def of_velocity(velocity: float) -> float:
    """Return the factor of the fibre's velocity."""
    return -0.318 * math.asinh(-8.149 * velocity - 0.374) + 0.886


def tendon(length: float) -> float:
    """Return the force of the tendon over its length."""
    return 0.2 * math.exp(33.93669377311689 * (length - 0.995)) - 0.25


def activation_rate(excitation: float, activation: float) -> float:
    """Return the rate of the activation, with time constants 15 ms and 60 ms, smoothed by tanh."""
    f = 0.5 * math.tanh(10.0 * (excitation - activation))
    rise, fall = 1 / (0.015 * (0.5 + 1.5 * activation)), (0.5 + 1.5 * activation) / 0.060
    return (rise * (f + 0.5) + fall * (-f + 0.5)) * (excitation - activation)


SLACK, STRENGTH, OPTIMAL = 0.53, 500.0, 0.55


def muscle(kind: MusculotendonFormulation) -> tuple[Any, Any]:
    """Return a muscle along the direct path, and the arm that it moves."""
    one = MusculotendonDeGroote2016.with_defaults(
        "b", DIRECT, FirstOrderActivationDeGroote2016.with_defaults("b"), musculotendon_dynamics=kind
    )
    normal = {"l_M_tilde_b": (0.95, 1.0), "F_T_tilde_b": (0.2, 0.8), "a_b": (0.3, 0.9)}
    model = arm(
        f"muscle_{kind.name.lower()}",
        [one],
        extra_states=dict(zip(one.x, one.rhs(), strict=True)),
        inputs=list(one.r),
        parameters=dict(zip(one.p, (SLACK, STRENGTH, OPTIMAL), strict=True)),
        ranges={q: (0.1, 0.2)} | {state: normal[state.func.__name__] for state in one.x},
    )
    return one, model


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_muscle_on_a_rigid_tendon(method: str, compiled: Function) -> None:
    """The fibre's length and velocity follow from the path's."""
    _, model = muscle(MusculotendonFormulation.RIGID_TENDON)
    sim = compiled(model, method)
    x = sim.state({"q": ANGLE}, {"u": RATE})
    x[2] = 0.6
    rates = sim.rhs(0.0, x, inputs={"e_b": 0.9})
    length = (LENGTH - SLACK) / OPTIMAL
    velocity = LENGTHENING / 10.0
    force = STRENGTH * (0.6 * active(length) * of_velocity(velocity) + passive(length) + 0.1 * velocity)
    scale = 1.0 if method == "hamilton" else M * L**2
    assert_allclose(rates[1] * scale, -force * LEVER, rtol=1e-12)
    assert_allclose(rates[2], activation_rate(0.9, 0.6), rtol=1e-12)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_muscle_on_an_elastic_tendon(method: str, compiled: Function) -> None:
    """The fibre's length is a state: the tendon pulls, and the fibre's velocity is what its force demands."""
    _, model = muscle(MusculotendonFormulation.FIBER_LENGTH_EXPLICIT)
    sim = compiled(model, method)
    angle = 0.15
    x = sim.state({"q": angle}, {"u": RATE})
    x[2:] = 0.97, 0.6
    rates = sim.rhs(0.0, x, inputs={"e_b": 0.4})
    length = L * math.sqrt(2 * (1 + math.sin(angle)))
    pull = tendon((length - 0.97 * OPTIMAL) / SLACK)
    scale = 1.0 if method == "hamilton" else M * L**2
    assert_allclose(rates[1] * scale, -STRENGTH * pull * L**2 * math.cos(angle) / length, rtol=1e-12)
    needed = (pull - passive(0.97)) / (0.6 * active(0.97))
    assert_allclose(of_velocity(rates[2] * OPTIMAL / 10.0), needed, rtol=1e-12)
    assert_allclose(rates[3], activation_rate(0.4, 0.6), rtol=1e-12)


@pytest.mark.parametrize("kind", list(MusculotendonFormulation)[:3], ids=lambda kind: kind.name.lower())
def test_muscles_agree_with_the_reference(kind: MusculotendonFormulation, compiled: Function) -> None:
    """The emitted C of every formulation that SymPy can write out, where a tendon neither tears nor is slack."""
    _, model = muscle(kind)
    for method in ("kane", "lagrange", "hamilton"):
        reference = eomc.reference(model, method)
        states = reference.random_state(np.random.default_rng(3), 30)
        expected = reference.rhs(0.0, states, {"e_b": 0.7})
        assert np.all(np.abs(expected) < 1e6)
        assert_allclose(compiled(model, method).rhs(0.0, states, {"e_b": 0.7}), expected, rtol=1e-10)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_system_with_actuators(method: str, compiled: Function) -> None:
    """A joint with a torsion spring and a damper across a pathway, from a System."""
    wall, bar = RigidBody("wall"), RigidBody("bar", mass=m)
    bar.inertia = (inertia(bar.frame, 0, 0, m * b**2 / 12), bar.masscenter)
    system = System.from_newtonian(wall)
    joint = PinJoint("pin", wall, bar, q, u, child_point=-b / 2 * bar.x, joint_axis=wall.z)
    system.add_joints(joint)
    anchor = joint.parent_point.locatenew("anchor", -b * wall.y)
    tip = joint.parent_point.locatenew("tip", b * bar.x)
    system.add_actuators(TorqueActuator.at_pin_joint(-k * q, joint), LinearDamper(c, LinearPathway(anchor, tip)))
    sim = compiled(eomc.from_system(system, parameters={m: M, b: L, k: K, c: C}, name="bar"), method)
    inertia_ = M * L**2 / 3
    x = sim.state({"q": ANGLE}, {"u": RATE})
    scale = 1.0 if method == "hamilton" else inertia_
    assert_allclose(sim.rhs(0.0, x)[1] * scale, -K * ANGLE - C * LENGTHENING * LEVER, rtol=1e-13)
