"""What drives and brakes the joints: torques as inputs, dry friction on request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy
from sympy.physics.vector import dynamicsymbols

from eomc.frontends.robots.coordinates import effort_unit
from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.robots.names import Names
from eomc.model.names import name_of
from eomc.model.trees.following import leads_of
from eomc.model.trees.records import Joint, JointKind, JointLoad, TreeLoad

_SINGLE = (JointKind.REVOLUTE, JointKind.PRISMATIC)


@dataclass(frozen=True, slots=True)
class Driven:
    """Loads, with the inputs that they are made of: value, unit and description of each."""

    loads: tuple[TreeLoad, ...]
    inputs: dict[sympy.Expr, tuple[float, str, str]]


def driven(joints: Sequence[Joint], names: Names) -> Driven:
    """Return an input for each joint of one coordinate; those that follow others are moved by these."""
    loads, inputs = [], {}
    for joint in joints:
        if joint.kind not in _SINGLE or joint.mimic is not None:
            continue
        tau = sympy.Function(names.take(f"tau_{name_of(joint.coordinates[0])}"))(dynamicsymbols._t)
        turning = joint.kind is JointKind.REVOLUTE
        unit = effort_unit("rad" if turning else "m")
        effort = joint.limits.effort
        most = "" if effort is None else f", at most {effort:g} {unit}"
        inputs[tau] = (0.0, unit, f"{'torque' if turning else 'force'} of joint {joint.name}{most}")
        loads.append(JointLoad(joint=joint.name, loads=(tau,)))
    return Driven(tuple(loads), inputs)


def rubbed(joints: Sequence[Joint], speed: float) -> Iterator[JointLoad]:
    """Return dry friction, -f tanh(u/v), smooth about the speed v = `speed` of every joint [rad/s, m/s]."""
    for joint, lead in zip(joints, leads_of(joints), strict=True):
        if joint.friction:
            speeds = joint.speeds
            if lead is not None:
                speeds = tuple(lead.factor * u for u in joints[lead.joint].speeds)
            yield JointLoad(joint=joint.name, loads=tuple(-joint.friction * sympy.tanh(u / speed) for u in speeds))


def friction_left_out(joints: Sequence[Joint]) -> Iterator[Finding]:
    """Tell the joints whose dry friction is no load."""
    for joint in joints:
        if joint.friction:
            yield Finding(Kind.DRY_FRICTION, joint.name, 0, f"{joint.friction:g}")
