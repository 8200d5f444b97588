"""Every entry of a tree that is an expression, with the words for its place; numbers need no value and are left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from eomc.model.trees.tree import JointTree


def scalars_of(tree: JointTree) -> Iterator[tuple[sympy.Expr, str]]:
    """Yield the expressions of parameters in links, joints, closures and measures."""
    for link in tree.links:
        yield from _expressions((link.mass,), f"the mass of link {link.name!r}")
        yield from _expressions(link.centre, f"the centre of link {link.name!r}")
        yield from _expressions(_upper(link.inertia), f"the inertia of link {link.name!r}")
    for joint in tree.joints:
        what = f"joint {joint.name!r}"
        yield from _expressions(_all(joint.rotation), f"the rotation of {what}")
        yield from _expressions(joint.offset, f"the offset of {what}")
        yield from _expressions(joint.axis, f"the axis of {what}")
        for name in ("armature", "damping", "friction"):
            yield from _expressions((getattr(joint, name),), f"the {name} of {what}")
        if joint.mimic is not None:
            yield from _expressions((joint.mimic.factor, joint.mimic.offset), f"what {what} mimics")
    yield from _expressions(tree.gravity, "gravity")
    for closure in tree.closures:
        entries = (*closure.at_first, *closure.at_second, *closure.axis_first, *closure.axis_second)
        yield from _expressions((*entries, *_all(closure.rotation)), f"closure {closure.name!r}")
    for number, load in enumerate(tree.loads, 1):
        yield from _expressions(getattr(load, "at", ()), f"the point of load {number} on {load.place}")
    for measure in tree.measures:
        yield from _expressions(measure.at, f"the point of the {measure.kind.value} of link {measure.link!r}")


def _expressions(entries: Any, label: str) -> Iterator[tuple[sympy.Expr, str]]:
    for entry in entries:
        if isinstance(entry, sympy.Basic):
            yield entry, label


def _all(rows: Any) -> list[Any]:
    return [entry for row in rows for entry in row]


def _upper(rows: Any) -> list[Any]:
    return [rows[i][k] for i in range(3) for k in range(i, 3)]
