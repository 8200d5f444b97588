"""Mimic joints: which joint each follows in the end, q = factor q_joint + offset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.errors import ModelError
from eomc.model.trees.records import Entry, Joint
from eomc.wording import did_you_mean


@dataclass(frozen=True, slots=True)
class Lead:
    """What a mimic joint follows: q = factor q_joint + offset, u = factor u_joint."""

    joint: int  # which has a coordinate of its own
    factor: Entry
    offset: Entry


def leads_of(joints: Sequence[Joint]) -> tuple[Lead | None, ...]:
    """Return for each joint what it follows, None where it has coordinates of its own.

    Raises
    ------
    ModelError
        A joint follows one that does not exist, that has no single coordinate, or itself.
    """
    if all(joint.mimic is None for joint in joints):
        return (None,) * len(joints)
    numbers = {joint.name: number for number, joint in enumerate(joints)}
    return tuple(None if joint.mimic is None else _lead(joint, joints, numbers) for joint in joints)


def _lead(joint: Joint, joints: Sequence[Joint], numbers: dict[str, int]) -> Lead:
    mimic = joint.mimic
    assert mimic is not None
    factor, offset = mimic.factor, mimic.offset
    met = {joint.name}
    while True:
        if mimic.joint not in numbers:
            near = did_you_mean(mimic.joint, [*numbers])
            raise ModelError(f"joint {joint.name!r} mimics joint {mimic.joint!r}, which does not exist: {near}")
        if mimic.joint in met:
            raise ModelError(f"joint {joint.name!r} mimics itself in the end, by {mimic.joint!r}: one must lead")
        met.add(mimic.joint)
        leader = joints[numbers[mimic.joint]]
        if leader.kind.speeds != 1:
            raise ModelError(
                f"joint {joint.name!r} mimics joint {leader.name!r}, which is {leader.kind.value}: only a revolute or "
                f"prismatic joint can be followed"
            )
        if leader.mimic is None:
            return Lead(numbers[leader.name], factor, offset)
        mimic = leader.mimic
        factor, offset = factor * mimic.factor, factor * mimic.offset + offset
