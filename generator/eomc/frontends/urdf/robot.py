"""A file of URDF as a :class:`~eomc.frontends.urdf.elements.Robot`: one tree, every name once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from eomc.errors import ModelError, UsageError
from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.robots.names import shown
from eomc.frontends.urdf.elements import JointElement, LinkElement, Robot
from eomc.frontends.urdf.faults import Fault
from eomc.frontends.urdf.joints import followed, read_joint
from eomc.frontends.urdf.known import check_element
from eomc.frontends.urdf.links import read_link
from eomc.frontends.urdf.markup import LARGEST, Element, read_markup
from eomc.frontends.urdf.materials import materials_of
from eomc.wording import did_you_mean


def read_robot(path: str | os.PathLike[str]) -> Robot:
    """Read a file of URDF.

    Raises
    ------
    UsageError
        There is no such file.
    ModelError
        It cannot be read, or is no robot: the message has the file, the line, the link or joint, and what to do.
    """
    place = Path(path)
    if not place.is_file():
        raise UsageError(f"{place}: {'this is a folder' if place.is_dir() else 'there is no such file'}")
    try:
        with place.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise ModelError(f"{place}: the file cannot be read: {error.strerror}") from error
    try:
        return robot_of(read_markup(content), place.stem)
    except Fault as fault:
        raise ModelError(f"{place}, line {fault.line}: {fault.text}") from fault


def robot_of(root: Element, stem: str) -> Robot:
    """Return the robot of a root element; `stem` is its name where it has none.

    Raises
    ------
    Fault
        Something of it is wrong.
    """
    if root.tag != "robot":
        hint = {"sdf": ": this is SDF", "mujoco": ": this is MJCF", "model": ": this is SDF"}.get(root.tag, "")
        raise Fault(root.line, f"the root element is <{shown(root.tag)[1:-1]}>, not <robot>{hint}")
    findings: list[Finding] = list(check_element(root, "the robot"))
    version = root.get("version")
    if version is not None and version.strip().partition(".")[0] != "1":
        raise Fault(root.line, f"the robot is written in version {shown(version)} of URDF; version 1 is read here")
    materials = materials_of(root, findings)
    links = tuple(read_link(element, materials, findings) for element in root.all("link"))
    joints = tuple(read_joint(element, findings) for element in root.all("joint"))
    if not links:
        raise Fault(
            root.line,
            "the robot is empty: it has no link; where xacro wrote the file, a macro was defined and never called",
        )
    name = (root.get("name") or "").strip()
    if not name:
        findings.append(Finding(Kind.NO_ROBOT_NAME, stem, root.line))
    _check_once(links, "link")
    _check_once(joints, "joint")
    _check_ends(links, joints)
    laws = {follower.name: law for follower, law in followed({joint.name: joint for joint in joints})}
    joints = tuple(replace(joint, mimic=laws.get(joint.name)) for joint in joints)
    return Robot(name or stem, links, joints, _root(links, joints), tuple(findings))


def _check_once(elements: Iterable[LinkElement | JointElement], noun: str) -> None:
    first: dict[str, int] = {}
    for element in elements:
        if element.name in first:
            raise Fault(
                element.line,
                f"there are two {noun}s {shown(element.name)}, the first on line {first[element.name]}: rename one",
            )
        first[element.name] = element.line


def _check_ends(links: Sequence[LinkElement], joints: Sequence[JointElement]) -> None:
    """Refuse a joint whose links do not exist or are one, and a link that two joints carry."""
    names = [link.name for link in links]
    known = set(names)
    carried: dict[str, JointElement] = {}
    for joint in joints:
        for end, what in ((joint.parent, "parent"), (joint.child, "child")):
            if end not in known:
                raise Fault(
                    joint.line,
                    f"joint {shown(joint.name)}: its {what} {shown(end)} is no link of this robot: "
                    f"{did_you_mean(end, names)}",
                )
        if joint.parent == joint.child:
            raise Fault(joint.line, f"joint {shown(joint.name)}: link {shown(joint.child)} is its parent and its child")
        other = carried.setdefault(joint.child, joint)
        if other is not joint:
            raise Fault(
                joint.line,
                f"joint {shown(joint.name)}: link {shown(joint.child)} is also the child of joint "
                f"{shown(other.name)} (line {other.line}): a robot is a tree; take one joint out of the file, and "
                f"close the loop with closures=",
            )


def _root(links: Sequence[LinkElement], joints: Sequence[JointElement]) -> str:
    """Return the name of the one link that no joint carries, from which all others are reached."""
    carried = {joint.child for joint in joints}
    roots = [link for link in links if link.name not in carried]
    if not roots:
        raise Fault(links[0].line, "every link is the child of a joint: the joints close a loop, and there is no root")
    if len(roots) > 1:
        told = ", ".join(f"{shown(link.name)} (line {link.line})" for link in roots[:4])
        raise Fault(
            roots[1].line,
            f"{len(roots)} links are the child of no joint: {told}{', ...' if len(roots) > 4 else ''}; a robot has one "
            f"root: join the others to it",
        )
    children: dict[str, list[str]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint.child)
    reached, waiting = {roots[0].name}, [roots[0].name]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            reached.add(child)
            waiting.append(child)
    for link in links:
        if link.name not in reached:
            raise Fault(
                link.line,
                f"link {shown(link.name)} is not reached from the root {shown(roots[0].name)}: it is in a loop",
            )
    return roots[0].name
