"""Moments of mirrored bodies: what they have of both signs is gone, before it is rounded."""

from __future__ import annotations

import numpy as np
import pytest
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derivation.trees.moments import moments_plus, no_moments
from eomc.ir.graph import Graph
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.model.trees.order import first_speeds
from eomc.trees import Joint, JointTree, Link, Mimic


@pytest.mark.parametrize("mirrored", [False, True])
def test_opposite_terms_leave_no_sum(mirrored: bool) -> None:
    """(c - x) + x is the node c, (c + x) + (-x) too, in whichever order."""
    graph = Graph()
    x, c = (graph.symbol(Symbol(Role.STATE, k, name)) for k, name in enumerate("xc"))
    for before, last in ((graph.sub(c, x), x), (graph.add(c, x), graph.neg(x)), (graph.add(x, c), graph.neg(x))):
        one, other = (type(no_moments(graph))(graph.zero, (e,) * 3, no_moments(graph).second) for e in (before, last))
        pair = (other, one) if mirrored else (one, other)
        assert moments_plus(graph, *pair).first == (c, c, c)


def gripper() -> eomc.Model:
    """Return an arm with two fingers that open to both sides."""
    links = [Link(name="ground"), Link(name="arm", mass=2.0, centre=(0.1, 0.2, 0.3), inertia=np.diag([0.3, 0.4, 0.5]))]
    links += [Link(name=name, mass=0.1, centre=(0, 0, 0.05)) for name in ("left", "right")]
    q, p, u, v = dynamicsymbols("q p u v")
    joints = [
        Joint(name="hinge", kind="revolute", parent="ground", child="arm", axis=(0, 1, 0), coordinates=[q], speeds=[u]),
        Joint(name="open", kind="prismatic", parent="arm", child="left", axis=(1, 0, 0), coordinates=[p], speeds=[v]),
        Joint(name="close", kind="prismatic", parent="arm", child="right", axis=(-1, 0, 0), mimic=Mimic(joint="open")),
    ]
    return eomc.from_tree(JointTree(links, joints, gravity=(0, 0, -9.81)), name="gripper")


@pytest.mark.needs_cc
def test_fingers_shift_no_centre() -> None:
    """The motion is the reference's, and nothing of its graph is a difference added to what was taken away."""
    model = gripper()
    build = eomc.compile(model, functions=["mass_matrix"])
    graph = build.program.graph
    for function in build.program.functions:
        for node in graph.reachable(function.outputs):
            if graph.ops[node] is Op.ADD:
                a, b = graph.args[node]
                for one, other in ((a, b), (b, a)):
                    assert not (graph.ops[one] is Op.SUB and graph.args[one][1] == other)
    state = [0.4, 0.03, -0.7, 0.2]
    found = build.load().rhs(0.0, state)
    np.testing.assert_allclose(found, eomc.reference(model).rhs(0.0, state), rtol=1e-12)


def test_speeds_begin_where_those_before_end() -> None:
    """By joint, in the order of the tree; followers and welds have none."""
    names = [joint.name for joint in gripper().dynamics.joints]
    assert names == ["hinge", "open", "close"]
    assert first_speeds(gripper().dynamics.joints) == (0, 1, 2)
    assert first_speeds(()) == ()
