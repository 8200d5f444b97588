"""Floating bases that are found in bodies: one row of six rates, as of the tree that the bodies were made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.interpreter import Sample
from eomc.model import Model
from eomc.passes.cost import cost
from eomc.solving.jacobian import sparse_jacobian
from eomc.trees import Joint, JointKind, JointTree, Link, LinkForce

KANE = choose_method(eomc.load("cart_pole"), "kane")
pytestmark = pytest.mark.filterwarnings("ignore:quadruped")  # off the unit sphere a quaternion's matrix stretches
WAYS = [(angles, axes) for angles in (3, 4) for axes in ("child", "parent")]


def quadruped(angles: int, axes: str) -> Model:
    """Return a body with four legs of two joints, its orientation by angles or a quaternion."""
    x = tuple(dynamicsymbols(f"x1:{4 + angles}"))
    v = tuple(dynamicsymbols("v1:7"))
    solid = ((0.03, 0.001, 0), (0.001, 0.05, 0.002), (0, 0.002, 0.04))
    links = [Link(name="ground"), Link(name="body", mass=3.0, centre=(0.02, 0, 0.01), inertia=solid)]
    joints = [
        Joint(name="float", kind=JointKind.FREE, parent="ground", child="body", coordinates=x, speeds=v, speeds_in=axes)
    ]
    for k, (a, b) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
        before = "body"
        for part, offset, axis in (
            ("hip", (0.3 * a, 0.2 * b, 0), (1, 0, 0)),
            ("knee", (0, 0.02 * b, -0.25), (0, 1, 0)),
        ):
            name = f"{part}{k}"
            links.append(Link(name=name, mass=0.4, centre=(0.01, 0, -0.1), inertia=solid))
            q, u = dynamicsymbols(f"q{name} u{name}")
            joints.append(
                Joint(
                    name=name, kind=JointKind.REVOLUTE, parent=before, child=name, offset=offset, axis=axis,
                    coordinates=(q,), speeds=(u,),
                )
            )  # fmt: skip
            before = name
    push = LinkForce(link="knee1", force=(v[0] * -2, 1, v[5]), at=(0, 0, -0.2))
    tree = JointTree(links, joints, gravity=(0, 0, -9.81), loads=[push])
    return eomc.from_tree(tree, name="quadruped")


def state_of(equations: EquationsOfMotion, angles: int) -> dict[Any, float]:
    """Return values for the states, a quaternion among them of length one."""
    rng = np.random.default_rng(5)
    values = dict(zip((s.name for s in equations.states), rng.uniform(-0.8, 0.8, len(equations.states)), strict=True))
    if angles == 4:
        turn = np.array([values[f"x{k}"] for k in range(4, 8)])
        values |= dict(zip((f"x{k}" for k in range(4, 8)), turn / np.linalg.norm(turn), strict=True))
    return {state.symbol: float(values[state.name]) for state in equations.states}


@pytest.mark.parametrize(("angles", "axes"), WAYS)
def test_a_floating_base_of_bodies(angles: int, axes: str, hung: Callable[[Model], Any]) -> None:
    """The same rows, nearly as few operations, the same accelerations on the constraint, and derivatives by a rule."""
    tree = quadruped(angles, axes)
    bodies = tree.as_bodies()
    assert hung(bodies).kinds == "frrrrrrrr"
    ours, theirs = derive(bodies, KANE), derive(tree, KANE)
    assert ours.motion.recursion is not None
    counts = [cost(one.graph, one.motion.accelerations) for one in (ours, theirs)]
    assert counts[0] < 1.2 * counts[1]
    values = [Sample(one.graph, state_of(one, angles)).vector(one.motion.accelerations) for one in (ours, theirs)]
    assert values[0] == pytest.approx(values[1], rel=1e-10)


@pytest.mark.parametrize(("angles", "axes"), WAYS)
def test_derivatives_under_a_floating_base(angles: int, axes: str) -> None:
    """By central differences of the accelerations along coordinates and speeds that no constraint holds."""
    equations = derive(quadruped(angles, axes).as_bodies(), KANE)
    assert equations.rules
    at = state_of(equations, angles)
    held = {f"x{k}" for k in range(4, 8)} if angles == 4 else set()
    chosen = [state for state in equations.states if state.name not in held]
    nodes = [equations.graph.symbol(state.symbol) for state in chosen]
    slopes = sparse_jacobian(equations.graph, equations.motion.accelerations, nodes, (), equations.rules)
    found = np.array([Sample(equations.graph, at).vector(row) for row in slopes])
    step = 1e-5
    for k, state in enumerate(chosen):
        moved = [{**at, state.symbol: at[state.symbol] + h} for h in (step, -step)]
        ahead, back = (np.array(Sample(equations.graph, x).vector(equations.motion.accelerations)) for x in moved)
        assert found[:, k] == pytest.approx((ahead - back) / (2 * step), rel=1e-6, abs=1e-6 * abs(found).max())
