"""What the recursions cost on chains and robots: operations after sharing, against a trial in straight lines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derivation.trees import solver
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.newton_euler import is_afloat
from eomc.derivation.trees.preparation import prepare
from eomc.derivation.trees.rule import rule_of_accelerations
from eomc.derivation.trees.speeds import move
from eomc.ir.graph import Graph, Node
from eomc.ir.symbols import Role, Symbol
from eomc.model.trees.records import IDENTITY, Joint, JointKind, Link
from eomc.solving.checks import Checks
from eomc.solving.jacobian import sparse_jacobian
from eomc.trees import JointLoad, JointTree

ROBOTS = Path(__file__).resolve().parents[3] / "data" / "robots.json"


def robot(name: str) -> tuple[list[Link], list[Joint]]:
    """Return the links and joints of a robot."""
    data = json.loads(ROBOTS.read_text(encoding="utf-8"))[name]
    links = [
        Link(name=link, mass=m, centre=tuple(c), inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        for link, m, c, (xx, yy, zz, xy, xz, yz) in data["links"]
    ]
    joints = [
        Joint(
            name=joint,
            kind=JointKind(kind),
            parent=parent,
            child=child,
            rotation=tuple(map(tuple, rotation)),
            offset=tuple(offset),
            axis=tuple(axis),
        )
        for joint, kind, parent, child, rotation, offset, axis in data["joints"]
    ]
    return links, joints


def chain(n: int, tilt: float = 0.0) -> tuple[list[Link], list[Joint]]:
    """Return n links along their x, hinged about z and x in turn; with a tilt each hinge is askew in its link."""
    c, s = np.cos(tilt), np.sin(tilt)
    links, joints = [Link(name="root")], []
    for k in range(n):
        inertia = ((0.02, 0, 0), (0, 0.03, 0), (0, 0, 0.04))
        links.append(Link(name=f"l{k}", mass=k + 1.0, centre=(0.25, 0, 0), inertia=inertia))
        joints.append(
            Joint(
                name=f"j{k}",
                kind=JointKind.REVOLUTE,
                parent=links[k].name,
                child=f"l{k}",
                rotation=((1, 0, 0), (0, c, -s), (0, s, c)) if tilt else IDENTITY,
                offset=(0.5, 0, 0) if k else (0, 0, 0),
                axis=(0, 0, 1) if k % 2 == 0 else (1, 0, 0),
            )
        )
    return links, joints


def dynamics_of(name: str) -> tuple[TreeDynamics, list[Node]]:
    """Return a robot, or a chain of as many links, at a state of symbols, and the forces of its joints."""
    links, joints = chain(int(name)) if name.isdigit() else robot(name)
    moved = [
        replace(
            joint,
            coordinates=sympy.symbols(f"q_{joint.name}_0:{joint.kind.coordinates[0]}"),
            speeds=sympy.symbols(f"u_{joint.name}_0:{joint.kind.speeds}"),
        )
        for joint in joints
    ]
    g, leaves = Graph(), {}

    def scalars(entry: Any) -> Node:
        if not isinstance(entry, sympy.Symbol):
            return g.constant(entry)
        return leaves.setdefault(entry, g.symbol(Symbol(Role.STATE, len(leaves), entry.name)))

    gravity = g.zero, g.zero, g.constant(-9.81)
    rows = prepare(g, g.constant, links, moved)
    moving = move(g, rows, moved, [None] * len(moved), scalars, gravity)
    driven = [joint.kind is not JointKind.FREE for joint in moved for _ in joint.speeds]
    forces = [g.symbol(Symbol(Role.INPUT, k, "tau")) if one else g.zero for k, one in enumerate(driven)]
    return TreeDynamics(g, rows, moving, gravity, {}), forces


@pytest.mark.parametrize(
    ("name", "most"),
    [("7", 921), ("12", 2531), ("30", 7301), ("100", 25851), ("UR5", 405), ("Panda", 1171), ("Solo12", 2886)],
)
def test_operations_of_accelerations(trees: Any, name: str, most: int) -> None:
    """A chain or robot takes no more operations than a trial took for it, or for a chain like it.

    UR5 took 509 there: the bound is four fifths of it, for its three parallel axes.
    """
    dynamics, forces = dynamics_of(name)
    costs = dynamics.forward(forces, Checks(dynamics.graph)).costs
    forward = dynamics.forward(forces, Checks(dynamics.graph), min(costs, key=lambda one: costs[one]))
    assert trees.operations(dynamics.graph, forward.accelerations.values()) <= most


@pytest.mark.parametrize(("name", "most"), [("7", 921), ("UR5", 509), ("Panda", 1171)])
def test_operations_that_are_emitted(name: str, most: int) -> None:
    """Nor does the emitted right-hand side of the algorithm that is chosen, be it not that of fewer operations."""
    links, joints = chain(int(name)) if name.isdigit() else robot(name)
    moving = [
        replace(joint, coordinates=[dynamicsymbols(f"q_{joint.name}")], speeds=[dynamicsymbols(f"u_{joint.name}")])
        for joint in joints
        if joint.kind is not JointKind.FIXED
    ]
    fixed = [joint for joint in joints if joint.kind is JointKind.FIXED]
    tau = [dynamicsymbols(f"tau_{joint.name}") for joint in moving]
    loads = [JointLoad(joint=joint.name, loads=(one,)) for joint, one in zip(moving, tau, strict=True)]
    tree = JointTree(links, [*moving, *fixed], gravity=(0, 0, -9.81), loads=loads)
    build = eomc.compile(eomc.from_tree(tree, inputs=tau), functions=[])
    counts = build.statistics.code.functions[0].counts
    assert counts.total - counts.others <= most


def jacobian_of(trees: Any, name: str) -> int:
    """Return the operations of derivatives by coordinates, rates and forces."""
    dynamics, forces = dynamics_of(name)
    graph, moving = dynamics.graph, dynamics.moving
    forward = dynamics.forward(forces, Checks(graph))
    rule = rule_of_accelerations(dynamics, forces, forward)
    standing = [k for k, row in enumerate(dynamics.rows.rows) if not is_afloat(row)]
    places = [node for k in standing for node in moving.coordinates[k]]
    speeds = [moving.value(rate) for rate in moving.flat]
    inputs = [force for force in forces if force != graph.zero]
    rows = sparse_jacobian(graph, list(forward.accelerations.values()), [*places, *speeds, *inputs], (), [rule])
    return int(trees.operations(graph, [entry for row in rows for entry in row]))


@pytest.mark.parametrize(
    ("name", "most"), [("7", 4604), ("12", 16261), ("UR5", 2100), ("Panda", 4984), ("Solo12", 16575)]
)
def test_operations_of_jacobians(trees: Any, name: str, most: int) -> None:
    """So do the derivatives of accelerations, which are found on the way to them."""
    assert jacobian_of(trees, name) <= most


@pytest.mark.parametrize(("name", "articulated"), [("12", False), ("24", True), ("Solo12", False)])
def test_columns_are_solved_for_by_the_cheaper_way(
    trees: Any, monkeypatch: pytest.MonkeyPatch, name: str, articulated: bool
) -> None:
    """By factors of M in short rows and in limbs, by articulated bodies in long ones."""
    chosen = jacobian_of(trees, name)
    monkeypatch.setattr(solver, "prefers_articulated", lambda *_: not articulated)
    assert chosen < jacobian_of(trees, name)


def test_articulated_bodies_are_linear(trees: Any) -> None:
    """Each further joint of a chain costs articulated bodies the same."""
    counts = []
    for n in (20, 30, 40):
        tree = trees.on_graph(type(trees.drawn(0, 1))(*chain(n, tilt=0.3)))
        counts.append(trees.operations(tree.graph, tree.articulated()))
    assert counts[2] - counts[1] == counts[1] - counts[0]
