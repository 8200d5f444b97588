"""What a tree of joints is made of, by its public names: links, joints, loads, closures."""

from __future__ import annotations

from eomc.model.trees.records import (
    Closure,
    ClosureKind,
    Joint,
    JointKind,
    JointLoad,
    Limits,
    Link,
    LinkForce,
    LinkTorque,
    Measure,
    MeasureKind,
    Mimic,
)
from eomc.model.trees.tree import JointTree

__all__ = [
    "Closure",
    "ClosureKind",
    "Joint",
    "JointKind",
    "JointLoad",
    "JointTree",
    "Limits",
    "Link",
    "LinkForce",
    "LinkTorque",
    "Measure",
    "MeasureKind",
    "Mimic",
]
