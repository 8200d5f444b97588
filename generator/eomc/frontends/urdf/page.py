"""A robot on a page: its bodies as a tree with their masses, what may be wrong with it, and what was done to it."""

from __future__ import annotations

from typing import Any

from eomc.frontends.robots.bodies import bodies_of
from eomc.frontends.robots.drawing import drawn
from eomc.frontends.robots.findings import Severity, summary
from eomc.frontends.urdf.taking import Taken
from eomc.wording import counted, wrapped

_TITLES = {Severity.WARNING: "what may be wrong", Severity.NOTE: "what was done"}


def page_of(taken: Taken) -> list[str]:
    """Return the lines of the page, for a robot whose entries are numbers."""
    bodies = bodies_of(taken.links, taken.joints, taken.root)
    masses = [float(body.link.mass) for body in bodies]
    freedom = sum(len(joint.speeds) for joint in taken.joints)
    lines = [
        f"{taken.name}: {counted(len(taken.links), 'link')} as {counted(len(bodies), 'body', 'bodies')}, "
        f"{counted(freedom, 'degree')} of freedom, {sum(masses):.6g} kg, of which {masses[0]:.6g} kg stand still",
        "",
        *drawn(bodies),
    ]
    for severity, title in _TITLES.items():
        found = summary(taken.findings, severity)
        lines += ["", f"{title}:", *(line for sentence in found for line in wrapped(sentence))] if found else []
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
