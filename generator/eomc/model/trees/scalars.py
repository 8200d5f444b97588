"""Every entry of a tree that is an expression, with the words for its place; numbers need no value and are left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from eomc.model.trees.measured import of_constant, of_mimic
from eomc.model.trees.tree import JointTree


def scalars_of(tree: JointTree) -> Iterator[tuple[sympy.Expr, str, str]]:
    """Yield the expressions of parameters in links, joints, closures and measures, with their places and units."""
    for link in tree.links:
        yield from _expressions((link.mass,), f"the mass of link {link.name!r}", "kg")
        yield from _expressions(link.centre, f"the centre of link {link.name!r}", "m")
        yield from _expressions(_upper(link.inertia), f"the inertia of link {link.name!r}", "kg m^2")
    joints = {joint.name: joint for joint in tree.joints}
    for joint in tree.joints:
        what = f"joint {joint.name!r}"
        yield from _expressions(_all(joint.rotation), f"the rotation of {what}", "1")
        yield from _expressions(joint.offset, f"the offset of {what}", "m")
        yield from _expressions(joint.axis, f"the axis of {what}", "1")
        for name in ("armature", "damping", "friction"):
            yield from _expressions((getattr(joint, name),), f"the {name} of {what}", of_constant(joint, name))
        if joint.mimic is not None:
            units = of_mimic(joint, joints[joint.mimic.joint])
            for entry, unit in zip((joint.mimic.factor, joint.mimic.offset), units, strict=True):
                yield from _expressions((entry,), f"what {what} mimics", unit)
    yield from _expressions(tree.gravity, "gravity", "m/s^2")
    for closure in tree.closures:
        what = f"closure {closure.name!r}"
        yield from _expressions((*closure.at_first, *closure.at_second), what, "m")
        yield from _expressions((*closure.axis_first, *closure.axis_second, *_all(closure.rotation)), what, "1")
    for number, load in enumerate(tree.loads, 1):
        yield from _expressions(getattr(load, "at", ()), f"the point of load {number} on {load.place}", "m")
    for measure in tree.measures:
        yield from _expressions(measure.at, f"the point of the {measure.kind.value} of link {measure.link!r}", "m")


def _expressions(entries: Any, label: str, unit: str) -> Iterator[tuple[sympy.Expr, str, str]]:
    for entry in entries:
        if isinstance(entry, sympy.Basic):
            yield entry, label, unit


def _all(rows: Any) -> list[Any]:
    return [entry for row in rows for entry in row]


def _upper(rows: Any) -> list[Any]:
    return [rows[i][k] for i in range(3) for k in range(i, 3)]
