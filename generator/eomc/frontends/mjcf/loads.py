"""Springs, tendons, weights that are taken away, and actuators as loads of a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import sympy
from sympy.physics.vector import dynamicsymbols

from eomc.frontends.mjcf.assembly import Assembly
from eomc.frontends.mjcf.quaternions import matrix
from eomc.frontends.mjcf.records import Actuator, Compiled, MovingJoint, Range, Tendon, Transmission
from eomc.frontends.robots.loads import Driven
from eomc.frontends.robots.matrices import Triple, times
from eomc.frontends.robots.names import identifier
from eomc.model.trees.records import JointLoad, LinkForce, LinkTorque, TreeLoad


class JointScalars:
    """Coordinate and speed of each joint that has one, those of followers by what they follow."""

    def __init__(self, assembly: Assembly) -> None:
        self._joints = {joint.name: joint for joint in assembly.joints}

    def coordinate(self, name: str) -> sympy.Expr:
        """Return the coordinate of a joint."""
        joint = self._joints[name]
        if joint.mimic is None:
            return joint.coordinates[0]
        return joint.mimic.factor * self.coordinate(joint.mimic.joint) + joint.mimic.offset

    def speed(self, name: str) -> sympy.Expr:
        """Return the speed of a joint."""
        joint = self._joints[name]
        return joint.speeds[0] if joint.mimic is None else joint.mimic.factor * self.speed(joint.mimic.joint)


def passive(compiled: Compiled, assembly: Assembly, gravity: Sequence[Any], *, damping: bool) -> Iterator[TreeLoad]:
    """Return the loads of springs and tendons, and of weights that are taken away."""
    scalars = JointScalars(assembly)
    for body in compiled.bodies:
        for joint in body.joints:
            if joint.stiffness:
                yield JointLoad(
                    joint=joint.name, loads=(-joint.stiffness * (scalars.coordinate(joint.name) - joint.rest),)
                )
        if body.floats:
            x, y, z = (-body.floats * body.mass * sympy.sympify(g) for g in gravity)
            yield LinkForce(link=body.name, force=(x, y, z), at=body.centre)
    for tendon in compiled.tendons:
        pull = _pull(tendon, scalars, damping=damping)
        if pull != 0:
            for joint_name, factor in tendon.joints:
                yield JointLoad(joint=joint_name, loads=(factor * pull,))


def _length(tendon: Tendon, scalars: JointScalars) -> tuple[sympy.Expr, sympy.Expr]:
    """Return length and rate of a tendon."""
    length = sum((c * scalars.coordinate(name) for name, c in tendon.joints), sympy.S.Zero)
    return length, sum((c * scalars.speed(name) for name, c in tendon.joints), sympy.S.Zero)


def _pull(tendon: Tendon, scalars: JointScalars, *, damping: bool) -> sympy.Expr:
    """Return the force along a tendon: nothing between the two lengths at which its spring is slack."""
    length, rate = _length(tendon, scalars)
    force = -tendon.damping * rate if damping else sympy.S.Zero
    lower, upper = tendon.slack
    if tendon.stiffness and lower == upper:
        force -= tendon.stiffness * (length - lower)
    elif tendon.stiffness:
        force -= tendon.stiffness * (sympy.Max(length - upper, 0) + sympy.Min(length - lower, 0))
    return force


def actuated(compiled: Compiled, assembly: Assembly) -> Driven:
    """Return the loads of all actuators, each with its control as an input.

    Forces stay within their ranges, those on a joint also within the range of all of them together; controls are not
    held within theirs, which their descriptions tell.
    """
    scalars = JointScalars(assembly)
    tendons = {tendon.name: tendon for tendon in compiled.tendons}
    joints = {joint.name: joint for body in compiled.bodies for joint in body.joints}
    on_joints: dict[str, sympy.Expr] = {}
    loads: list[TreeLoad] = []
    inputs: dict[sympy.Expr, tuple[float, str, str]] = {}
    for actuator in compiled.actuators:
        control = sympy.Function(assembly.names.take(identifier(actuator.name, "actuator")))(dynamicsymbols._t)
        inputs[control] = (0.0, "", f"control of actuator {actuator.name}{_told(actuator.control)}")
        arms: tuple[tuple[str, float], ...] = ()
        length, rate, gear = sympy.S.Zero, sympy.S.Zero, actuator.gear[0]
        if actuator.transmission in (Transmission.JOINT, Transmission.JOINT_IN_PARENT):
            arms = ((actuator.target, gear),)
            length, rate = gear * scalars.coordinate(actuator.target), gear * scalars.speed(actuator.target)
        elif actuator.transmission is Transmission.TENDON:
            length, rate = (gear * one for one in _length(tendons[actuator.target], scalars))
            arms = tuple((name, gear * factor) for name, factor in tendons[actuator.target].joints)
        force = _within(
            _affine(actuator.gain, length, rate) * control + _affine(actuator.bias, length, rate), actuator.force
        )
        for name, arm in arms:
            on_joints[name] = on_joints.get(name, sympy.S.Zero) + arm * force
        if actuator.transmission is Transmission.SITE:
            loads += _at_site(actuator, force)
    loads += _of_joints(on_joints, joints)
    return Driven(tuple(loads), inputs)


def _of_joints(forces: Mapping[str, sympy.Expr], joints: Mapping[str, MovingJoint]) -> Iterable[JointLoad]:
    for name, force in forces.items():
        yield JointLoad(joint=name, loads=(_within(force, joints[name].effort),))


def _affine(parts: Triple, length: sympy.Expr, rate: sympy.Expr) -> sympy.Expr:
    constant, by_length, by_rate = parts
    return (
        sympy.Float(constant) + by_length * length + by_rate * rate if by_length or by_rate else sympy.Float(constant)
    )


def _within(force: sympy.Expr, bounds: Range | None) -> sympy.Expr:
    return force if bounds is None else sympy.Max(bounds[0], sympy.Min(bounds[1], force))


def _at_site(actuator: Actuator, force: sympy.Expr) -> Iterator[TreeLoad]:
    """Return force and torque of a site, in axes of its link."""
    rotation = matrix(actuator.turn)
    push, twist = (times(rotation, (g[0], g[1], g[2])) for g in (actuator.gear[:3], actuator.gear[3:6]))
    if any(push):
        yield LinkForce(
            link=actuator.target,
            force=(push[0] * force, push[1] * force, push[2] * force),
            at=actuator.at,
            axes=actuator.target,
        )
    if any(twist):
        yield LinkTorque(
            link=actuator.target,
            torque=(twist[0] * force, twist[1] * force, twist[2] * force),
            axes=actuator.target,
        )


def _told(bounds: Range | None) -> str:
    return "" if bounds is None else f", meant from {bounds[0]:g} to {bounds[1]:g}"
