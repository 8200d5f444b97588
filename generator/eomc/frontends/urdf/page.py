"""A robot on a page: its bodies as a tree with their masses, what may be wrong with it, and what was done to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from eomc.frontends.urdf.bodies import Body, bodies_of
from eomc.frontends.urdf.findings import Severity, summary
from eomc.frontends.urdf.taking import Taken
from eomc.model.trees.records import Joint, JointKind
from eomc.wording import counted

_TITLES = {Severity.WARNING: "what may be wrong", Severity.NOTE: "what was done"}


def page_of(taken: Taken) -> list[str]:
    """Return the lines of the page, for a robot whose entries are numbers."""
    bodies = bodies_of(taken.links, taken.joints, taken.root)
    masses = [float(body.link.mass) for body in bodies]
    freedom = sum(len(joint.speeds) for joint in taken.joints)
    lines = [
        f"{taken.name}: {counted(len(taken.links), 'link')} as {counted(len(bodies), 'body', 'bodies')}, "
        f"{counted(freedom, 'degree')} of freedom, {sum(masses):.6g} kg, of which {masses[0]:.6g} kg stand still",
        *(f"{'  ' * depth}{_told(body)}" for depth, body in _down(bodies)),
    ]
    for severity, title in _TITLES.items():
        found = summary(taken.findings, severity)
        lines += [f"{title}:", *(f"  {sentence}" for sentence in found)] if found else []
    return lines


def figures_of(taken: Taken) -> dict[str, Any]:
    """Return what is on the page as an object for JSON."""
    bodies = bodies_of(taken.links, taken.joints, taken.root)
    return {
        "name": taken.name,
        "bodies": [
            {
                "link": body.link.name,
                "joint": body.joint.name if body.joint else None,
                "kind": body.joint.kind.value if body.joint else None,
                "above": body.above,
                "links": list(body.members),
                "mass": float(body.link.mass),
            }
            for body in bodies
        ],
        "findings": [
            {
                "severity": finding.severity.value,
                "kind": finding.kind.name.lower(),
                "where": finding.where,
                "line": finding.line,
                "sentence": finding.sentence,
            }
            for finding in taken.findings
        ],
    }


def _down(bodies: Sequence[Body]) -> Iterator[tuple[int, Body]]:
    """Return each body with the number of those above it; bodies come with those above first."""
    depths: list[int] = []
    for body in bodies:
        depths.append(0 if body.above is None else depths[body.above] + 1)
        yield depths[-1], body


def _told(body: Body) -> str:
    fixed = len(body.members) - 1
    more = f" with {fixed} fixed to it" if fixed else ""
    carried = f"{body.link.name}{more}, {float(body.link.mass):.6g} kg"
    return carried if body.joint is None else f"{body.joint.name} ({_kind(body.joint)}): {carried}"


def _kind(joint: Joint) -> str:
    if joint.mimic is not None:
        return f"{joint.kind.value}, follows {joint.mimic.joint}"
    if joint.kind is JointKind.FREE:
        return "free, by a quaternion" if len(joint.coordinates) > len(joint.speeds) else "free, by angles"
    return str(joint.kind.value)
