"""In what the entries of a tree of joints are measured: by the kinds of its joints, loads and measures."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.model.trees.records import Joint, JointKind, LinkForce, LinkTorque, MeasureKind, TreeLoad

_COORDINATES = {JointKind.REVOLUTE: "rad", JointKind.PRISMATIC: "m"}  # of joints with one

MEASURES: dict[MeasureKind, str] = {
    MeasureKind.POSITION: "m",
    MeasureKind.VELOCITY: "m/s",
    MeasureKind.ACCELERATION: "m/s^2",
    MeasureKind.ANGULAR_VELOCITY: "rad/s",
    MeasureKind.ANGULAR_ACCELERATION: "rad/s^2",
    MeasureKind.ROTATION: "1",
}
"""Of all but a Jacobian, whose columns are by speeds."""

_ROTARY = {"armature": "kg m^2", "damping": "N m s/rad", "friction": "N m"}
_STRAIGHT = {"armature": "kg", "damping": "N s/m", "friction": "N"}


def of_coordinates(joint: Joint) -> list[str]:
    """Return the units of a joint's coordinates."""
    if joint.kind is JointKind.FREE:
        return ["m"] * 3 + (["1"] * 4 if joint.quaternion else ["rad"] * 3)
    if joint.kind is JointKind.BALL:
        return ["1"] * 4 if joint.quaternion else ["rad"] * 3
    return [_COORDINATES[joint.kind] for _ in joint.coordinates]


def of_speeds(joint: Joint) -> list[str]:
    """Return the units of a joint's speeds."""
    return _each(joint, "m/s", "rad/s")[: len(joint.speeds)]


def of_constant(joint: Joint, name: str) -> str:
    """Return the unit of a joint's armature, damping or friction; empty where one number stands for two kinds."""
    if joint.kind in (JointKind.FREE, JointKind.FIXED):
        return ""
    return (_STRAIGHT if joint.kind is JointKind.PRISMATIC else _ROTARY)[name]


def of_load(joints: Mapping[str, Joint], load: TreeLoad) -> list[str]:
    """Return the units of the components of a load; `joints` are those of the tree by name."""
    if isinstance(load, LinkForce):
        return ["N"] * 3
    if isinstance(load, LinkTorque):
        return ["N m"] * 3
    return _each(joints[load.joint], "N", "N m")[: len(load.loads)]


def of_mimic(joint: Joint, lead: Joint) -> tuple[str, str]:
    """Return the units of factor and offset of a joint that follows another."""
    own, other = _COORDINATES.get(joint.kind, "rad"), _COORDINATES.get(lead.kind, "rad")
    return ("1" if own == other else f"{own}/{other}"), own


def _each(joint: Joint, straight: str, rotary: str) -> list[str]:
    """Return a unit for each speed of a joint."""
    if joint.kind is JointKind.FREE:
        return [straight] * 3 + [rotary] * 3
    return [straight if joint.kind is JointKind.PRISMATIC else rotary] * joint.kind.speeds
