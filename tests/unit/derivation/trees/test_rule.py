"""The rule for derivatives of a tree's accelerations against sweeps over the whole derivation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.interpreter import Sample
from eomc.passes.cost import cost
from eomc.solving.jacobian import sparse_jacobian
from eomc.trees import Closure, Joint, JointKind, JointLoad, JointTree, Link, LinkForce, Mimic

INERTIA = ((0.3, 0.01, 0.02), (0.01, 0.2, 0.03), (0.02, 0.03, 0.25))
TURNED = ((0.8, -0.6, 0.0), (0.6, 0.8, 0.0), (0.0, 0.0, 1.0))


def walker(base: str, axes: str = "child") -> EquationsOfMotion:
    """Return two limbs on a base, one with a slide at its end and one with a joint that mimics, on springs."""
    links = [Link(name="ground"), Link(name="base", mass=3.0, centre=(0.1, 0.05, 0.2), inertia=INERTIA)]
    common: dict[str, Any] = {"rotation": TURNED, "offset": (0.3, 0.1, -0.2)}
    count = {"fixed": 0, "quaternion": 7, "angles": 6}[base]
    joints = [
        Joint(
            name="base",
            kind="free" if count else "fixed",
            parent="ground",
            child="base",
            coordinates=dynamicsymbols(f"x0:{count}") if count else (),
            speeds=dynamicsymbols("v0:6") if count else (),
            speeds_in=axes,
            **common,
        )
    ]
    for limb in "ab":
        parent = "base"
        for k, kind in enumerate(("revolute", "revolute", "prismatic" if limb == "a" else "revolute")):
            child = f"{limb}{k}"
            links.append(Link(name=child, mass=0.5, centre=(0.1, 0.02, -0.3), inertia=INERTIA))
            mimics = (limb, k) == ("b", 2)
            joints.append(
                Joint(
                    name=child,
                    kind=kind,
                    parent=parent,
                    child=child,
                    axis=(0, 1, 0) if k else (1, 0, 0),
                    coordinates=() if mimics else (dynamicsymbols(f"q_{child}"),),
                    speeds=() if mimics else (dynamicsymbols(f"u_{child}"),),
                    mimic=Mimic(joint="a1", factor=0.5, offset=0.1) if mimics else None,
                    armature=0.1 * k,
                    damping=0.2,
                    **common,
                )
            )
            parent = child
    tree = JointTree(links, joints, gravity=(0.3, 0, -9.81))
    pull, drive = dynamicsymbols("pull drive")
    foot = [tree.position("a2")[2], tree.velocity("a2")[2]]
    loads = [
        LinkForce(link="a2", force=(pull, 0, -30 * foot[0] - 2 * foot[1] * foot[0] ** 2), at=(0, 0, 0.1)),
        LinkForce(link="b2", force=(pull, 1, 0), at=(0.1, 0, 0.1), axes="base"),
        JointLoad(joint="a0", loads=(drive,)),
    ]
    model = eomc.from_tree(
        tree.with_loads(*loads),
        inputs=[pull, drive],
        outputs={"felt": tree.acceleration("a2", at=(0.1, 0, 0))[0]},
    )
    return derive(model, choose_method(model, "kane"))


BASES = [("fixed", "child"), ("quaternion", "child"), ("quaternion", "parent"), ("angles", "child")]


@pytest.mark.parametrize(("base", "axes"), BASES)
def test_rule_and_sweep(trees: Any, base: str, axes: str) -> None:
    """Derivatives of the motion and of an output by the rule are those of sweeps, on a copy too, and cost less."""
    equations = walker(base, axes)
    graph = equations.graph.copy()
    roots = [*equations.motion.derivative, *(y.node for y in equations.outputs)]
    variables = [graph.symbol(v.symbol) for v in (*equations.states, *equations.inputs)]
    assert len(equations.rules) == 1
    found, swept = (
        sparse_jacobian(graph, roots, variables, equations.systems, rules) for rules in (equations.rules, ())
    )
    for seed in range(3):
        sample = Sample(graph, {}, seed)
        values, expected = (np.array([sample.vector(row) for row in rows]) for rows in (found, swept))
        assert np.isfinite(expected).all()
        assert np.allclose(values, expected, rtol=0, atol=1e-12 * abs(expected).max())
    entries = [[entry for row in rows for entry in row] for rows in (found, swept)]
    assert trees.operations(graph, entries[0]) < trees.operations(graph, entries[1])


def looped(kind: str, axes: str) -> EquationsOfMotion:
    """Return a free base with a ball, a hinge and a slide in a row that holds on to the ground, and a mimic joint."""
    links, joints = [Link(name="ground")], []
    kinds = ("free", "ball", "revolute", "prismatic", "revolute")
    parents = ("ground", "l0", "l1", "l2", "l0")
    for k, (kind_of, parent) in enumerate(zip(kinds, parents, strict=True)):
        links.append(Link(name=f"l{k}", mass=1.0 + k, centre=(0.1, 0.02, -0.3), inertia=INERTIA))
        joint = JointKind(kind_of)
        places, speeds = joint.coordinates[0], joint.speeds
        mimics = k == 4
        joints.append(
            Joint(
                name=f"j{k}",
                kind=joint,
                parent=parent,
                child=f"l{k}",
                rotation=TURNED,
                offset=(0.3, 0.1, -0.2),
                axis=(0, 1, 0),
                coordinates=() if mimics else dynamicsymbols(f"q{k}_0:{places}"),
                speeds=() if mimics else dynamicsymbols(f"u{k}_0:{speeds}"),
                speeds_in=axes if k < 2 else "child",
                mimic=Mimic(joint="j2", factor=0.5, offset=0.1) if mimics else None,
                damping=0.2,
                armature=0.1,
            )
        )
    (pull,) = dynamicsymbols("pull,")
    end = Closure(name="end", kind=kind, first="l3", second="ground", at_first=(0.1, 0, 0.2), at_second=(1, 0.3, 0))
    tree = JointTree(links, joints, gravity=(0.3, 0, -9.81), closures=[end])
    load = LinkForce(link="l2", force=(pull, 0, -30 * tree.position("l2")[2]), at=(0, 0, 0.1))
    model = eomc.from_tree(
        tree.with_loads(load), inputs=[pull], outputs={"felt": tree.acceleration("l3", at=(0.1, 0, 0))[0]}
    )
    return derive(model, choose_method(model, "kane"))


@pytest.mark.parametrize(("kind", "axes"), [("point", "child"), ("point", "parent"), ("hinge", "child")])
def test_rule_and_sweep_of_closed_loops(kind: str, axes: str) -> None:
    """Derivatives of u' and of multipliers are those of sweeps over M, f and J, at less cost."""
    equations = looped(kind, axes)
    graph = equations.graph.copy()
    forces = [force.node for force in equations.constraints.forces]
    roots = [*equations.motion.derivative, *(y.node for y in equations.outputs), *forces]
    variables = [graph.symbol(v.symbol) for v in (*equations.states, *equations.inputs)]
    found, swept = (
        sparse_jacobian(graph, roots, variables, equations.systems, rules) for rules in (equations.rules, ())
    )
    for seed in range(3):
        sample = Sample(graph, {}, seed)
        values, expected = (np.array([sample.vector(row) for row in rows]) for rows in (found, swept))
        assert np.isfinite(expected).all()
        assert np.allclose(values, expected, rtol=0, atol=1e-11 * abs(expected).max())
    assert len(equations.rules) == 1
    costs = [cost(graph, [entry for row in rows for entry in row]) for rows in (found, swept)]
    assert costs[0] < costs[1]


def test_no_rule_by_parameters() -> None:
    """By a parameter the masses change, of which the rule knows nothing: a sweep gives the derivative."""
    q, u = dynamicsymbols("q u")
    m = sympy.Symbol("m")
    links = [Link(name="ground"), Link(name="bob", mass=m, centre=(0.5, 0, 0), inertia=INERTIA)]
    hinge = Joint(name="hinge", kind="revolute", parent="ground", child="bob", coordinates=(q,), speeds=(u,))
    model = eomc.from_tree(JointTree(links, [hinge], gravity=(0, -9.81, 0)), parameters={m: 2.0})
    equations = derive(model, choose_method(model, "kane"))
    graph = equations.graph
    leaf = graph.symbol(equations.parameters[0].symbol)
    (row,) = sparse_jacobian(graph, equations.motion.accelerations, [leaf], equations.systems, equations.rules)
    known = {equations.parameters[0].symbol: 2.0, equations.states[0].symbol: 0.0, equations.states[1].symbol: 0.3}
    expected = -9.81 * 0.5 / (0.25 + 2.0 * 0.25) + 2.0 * 9.81 * 0.5 * 0.25 / (0.25 + 2.0 * 0.25) ** 2
    assert equations.rules
    assert Sample(graph, known)[row[0]] == pytest.approx(expected)
