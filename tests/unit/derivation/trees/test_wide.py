"""Trees with many joints: no dense matrix where nothing needs one, and linear growth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.interpreter import Sample
from eomc.trees import Joint, JointTree, Link

INERTIA = ((0.3, 0.01, 0.02), (0.01, 0.2, 0.03), (0.02, 0.03, 0.25))


def star(limbs: int, outputs: Sequence[str] = ()) -> EquationsOfMotion:
    """Return equal limbs of two hinges side by side on the ground, each in its own state."""
    links, joints = [Link(name="ground")], []
    for k in range(limbs):
        for n, parent in enumerate(("ground", f"l{k}_0")):
            name = f"l{k}_{n}"
            links.append(Link(name=name, mass=1.0, centre=(0.2, 0, 0.1), inertia=INERTIA))
            joints.append(
                Joint(
                    name=name,
                    kind="revolute",
                    parent=parent,
                    child=name,
                    axis=(0, 1, 0) if n else (0, 0, 1),
                    offset=(0.3, 0, 0),
                    coordinates=(dynamicsymbols(f"q{k}_{n}"),),
                    speeds=(dynamicsymbols(f"u{k}_{n}"),),
                )
            )
    tree = JointTree(links, joints, gravity=(0, 0, -9.81))
    wanted: dict[str, Any] = {name: tree.acceleration(name)[0] for name in outputs}
    model = eomc.from_tree(tree, outputs=wanted)
    return derive(model, choose_method(model, "kane"))


@pytest.mark.parametrize(("limbs", "rows"), [(75, 150), (76, 0)])
def test_the_mass_matrix_is_made_up_to_a_width(limbs: int, rows: int) -> None:
    """Beyond 150 speeds there is no M, and each limb moves as it does alone."""
    equations, alone = star(limbs), star(1)
    assert len(equations.motion.mass_matrix) == rows
    state = [0.3, -0.2, 0.5, 0.7]
    by_name = {variable.name: variable.symbol for variable in equations.states}
    last = f"{limbs - 1}"
    known = dict.fromkeys(by_name.values(), 0.0)
    for name, value in zip(("q0_0", "q0_1", "u0_0", "u0_1"), state, strict=True):
        known[by_name[name]] = known[by_name[name.replace("0_", f"{last}_")]] = value
    found = Sample(equations.graph, known).vector(equations.motion.accelerations)
    single = {variable.symbol: value for variable, value in zip(alone.states, state, strict=True)}
    expected = Sample(alone.graph, single).vector(alone.motion.accelerations)
    assert np.allclose(found[:2], expected, rtol=1e-14)
    assert np.allclose(found[-2:], expected, rtol=1e-14)


def test_outputs_of_accelerations_need_no_matrix() -> None:
    """An output that holds u' asks for no M: accelerations are put there when they are known."""
    assert not star(76, ["l0_1"]).motion.mass_matrix


def test_nodes_grow_with_joints() -> None:
    """Three times as many limbs make three times as many nodes."""
    few, more = (len(star(limbs).graph) for limbs in (80, 240))
    assert more <= 3 * few
