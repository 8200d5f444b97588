"""A System of bodies, joints, loads and actuators becomes a model without forming its equations."""

from __future__ import annotations

import pytest
import sympy
from sympy.physics.mechanics import (
    ForceActuator,
    LinearPathway,
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

from eomc.errors import ModelError
from eomc.frontends.system import from_system

t = dynamicsymbols._t
q1, q2, u1, u2, F = dynamicsymbols("q1 q2 u1 u2 F")
m, k, g, a = sympy.symbols("m k g a")


def double_pendulum() -> System:
    """Return two bars joined by pins, under gravity, on a wall with a symbolic mass and inertia."""
    wall = RigidBody("wall")
    system = System.from_newtonian(wall)
    bars = [RigidBody(f"bar{i}", mass=m) for i in range(2)]
    for bar in bars:
        bar.inertia = (inertia(bar.frame, 0, 0, m * a**2 / 3), bar.masscenter)
    system.add_joints(
        PinJoint("J1", wall, bars[0], q1, u1, child_point=a * bars[0].y, joint_axis=wall.z),
        PinJoint("J2", bars[0], bars[1], q2, u2, parent_point=-a * bars[0].y, child_point=a * bars[1].y,
                 joint_axis=bars[0].z),
    )  # fmt: skip
    system.apply_uniform_gravity(-g * system.y)
    return system


def test_joints_give_coordinates_speeds_and_kinematics() -> None:
    """The wall and its weight are left out, so that they need no values; the rest is as in the System."""
    system = double_pendulum()
    model = from_system(system, parameters={m: 1.0, a: 0.5, g: 9.81}, name="bars")
    assert model.coordinates == (q1, q2)
    assert model.speeds == (u1, u2)
    assert [body.name for body in model.dynamics.bodies] == ["bar0", "bar1"]
    assert len(model.dynamics.loads) == 2
    assert set(model.dynamics.kinematical_equations) == set(system.kdes)


def test_actuators_are_loads() -> None:
    """The forces of actuators are added to the loads, those on the ground with them."""
    wall, block = RigidBody("wall"), Particle("block", mass=m)
    system = System.from_newtonian(wall)
    system.add_joints(PrismaticJoint("J", wall, block, q1, u1))
    system.add_actuators(ForceActuator(F, LinearPathway(wall.masscenter, block.masscenter)))
    model = from_system(system, parameters={m: 1.0}, inputs=[F])
    assert [place for place, _ in model.dynamics.loads] == [wall.masscenter, block.masscenter]
    (actuator,) = model.dynamics.actuators
    assert (actuator.first, actuator.count, actuator.force) == (0, 2, F)


def test_speeds_that_are_rates() -> None:
    """SymPy's own example gives a joint the speed q'; it becomes the speed q1_d with its kinematical equation."""
    wall, block = RigidBody("wall"), Particle("block", mass=m)
    system = System.from_newtonian(wall)
    system.add_joints(PrismaticJoint("J", wall, block, q1, q1.diff(t)))
    system.add_loads((block.masscenter, -k * q1.diff(t) * system.x))
    model = from_system(system, parameters={m: 1.0, k: 2.0})
    speed = sympy.Function("q1_d")(t)
    assert model.speeds == (speed,)
    assert model.dynamics.kinematical_equations == (speed - q1.diff(t),)


def test_constraints() -> None:
    """Velocity constraints are the derivatives of the holonomic constraints, then the nonholonomic ones."""
    system = System()
    P = Point("P")
    P.set_vel(system.frame, u1 * system.x + u2 * system.y)
    system.fixed_point.set_vel(system.frame, 0)
    system.add_bodies(Particle("A", P, m))
    system.add_coordinates(q1, independent=True)
    system.add_coordinates(q2, independent=False)
    system.add_speeds(u1, independent=True)
    system.add_speeds(u2, independent=False)
    system.add_kdes(q1.diff(t) - u1, q2.diff(t) - u2)
    system.add_holonomic_constraints(q1 - a * q2)
    model = from_system(system, parameters={m: 1.0, a: 2.0})
    assert model.dynamics.configuration_constraints == (q1 - a * q2,)
    assert model.dynamics.velocity_constraints == (q1.diff(t) - a * q2.diff(t),)
    assert model.dynamics.dependent_coordinates == (q2,)
    assert model.dynamics.dependent_speeds == (u2,)


def test_something_else_is_refused() -> None:
    """A message instead of an AttributeError."""
    with pytest.raises(ModelError, match="int is no System"):
        from_system(3)
