"""A tree of joints as the short form of its equations lists it: joints in a table, and what kinds of them there are."""

from __future__ import annotations

from collections.abc import Iterable

import sympy

from eomc.backends.report.recursion import Features, ListedJoint, ShortForm, Variant
from eomc.derivation.trees.foretold import parents_of
from eomc.ir.equations import Recursion
from eomc.model.trees.records import Entry, Joint, JointKind, LinkForce, LinkTorque
from eomc.model.trees.tree import JointTree
from eomc.wording import counted

_HINGED = (JointKind.REVOLUTE, JointKind.PRISMATIC)


def short_form(tree: JointTree, recursion: Recursion) -> ShortForm:
    """Return what the short form of a tree's equations is made of."""
    return ShortForm(tuple(_listed(tree)), _features(tree), recursion.algorithm, recursion.why)


def _listed(tree: JointTree) -> Iterable[ListedJoint]:
    moving = [joint for joint in tree.joints if joint.kind is not JointKind.FIXED]
    carried = {joint.child: number for number, joint in enumerate(moving)}
    members: list[list[str]] = [[] for _ in moving]
    row = dict(carried)
    for joint in tree.joints:  # those that carry come first
        if joint.child not in row and joint.parent in row:
            row[joint.child] = row[joint.parent]
        if joint.child in row:
            members[row[joint.child]].append(joint.child)
    mass = {link.name: link.mass for link in tree.links}
    for number, (joint, above) in enumerate(zip(moving, parents_of(tree), strict=True)):
        fixed = len(members[number]) - 1
        yield ListedJoint(
            number=number + 1,
            before=above + 1,
            name=joint.name,
            kind=_kind(joint),
            axis=" ".join(map(_told, joint.axis)) if joint.kind in _HINGED else "",
            body=f"{joint.child}, {counted(fixed, 'link')} fixed" if fixed else joint.child,
            mass=_told(_sum(mass[name] for name in members[number])),
        )


def _sum(entries: Iterable[Entry]) -> Entry:
    total: Entry = 0
    for entry in entries:
        total = total + entry
    return total


def _told(entry: Entry) -> str:
    if isinstance(entry, (int, float)):
        return f"{entry:.5g}"
    return str(sympy.sympify(entry)).replace("**", "^")


def _kind(joint: Joint) -> str:
    words = [str(joint.kind.value)]
    if joint.mimic:
        words.append(f"follows {joint.mimic.joint}")
    if joint.kind not in _HINGED:
        words += ["by angles"] * (not joint.quaternion) + ["speeds outside"] * (joint.speeds_in == "parent")
    return ", ".join(words)


def _features(tree: JointTree) -> Features:
    moving = [joint for joint in tree.joints if joint.kind is not JointKind.FIXED]
    return Features(
        variants=tuple(sorted(set(map(_variant, moving)))),
        rotors=any(joint.armature != 0 for joint in moving),
        rotors_outside=any(
            joint.armature != 0 and joint.kind is JointKind.FREE and joint.speeds_in == "parent" for joint in moving
        ),
        link_loads=any(isinstance(load, (LinkForce, LinkTorque)) for load in tree.loads),
        followers=any(joint.mimic for joint in moving),
        constrained=tree.is_constrained,
    )


def _variant(joint: Joint) -> Variant:
    if joint.kind in _HINGED:
        return Variant(joint.kind.value)
    return Variant(joint.kind.value, not joint.quaternion, joint.speeds_in == "parent")
