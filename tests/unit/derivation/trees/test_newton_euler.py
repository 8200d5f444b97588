"""Newton-Euler's recursion over prepared rows against spatial vectors over the links as given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.model.trees.records import JointKind

KINDS = tuple(JointKind)
BASES = [None, JointKind.FREE, JointKind.BALL]


@pytest.mark.parametrize("base", BASES, ids=str)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 7), quaternions=st.booleans())
def test_forces_of_a_motion(trees: Any, base: JointKind | None, seed: int, n: int, quaternions: bool) -> None:
    """The forces that given accelerations take are those of Featherstone's table 5.1 at random states."""
    given_ = trees.drawn(seed, n, KINDS, base)
    tree, state = trees.on_graph(given_, quaternions=quaternions), trees.state(given_, seed, quaternions=quaternions)
    plain = trees.plain(given_)
    forces = tree.inverse(tree.accelerations)
    sample = tree.sample(state.rows, state.u, state.tau, plain.apparent(state.q, state.u, state.ud))
    expected = plain.inverse(state.q, state.u, state.ud, trees.gravity)
    assert np.allclose(sample.vector(forces), expected, rtol=1e-11, atol=1e-11)


def test_a_base_afloat_feels_neither_place_nor_velocity(trees: Any) -> None:
    """With the whole acceleration of a floating base given no force depends on its position, orientation, velocity."""
    tree = trees.on_graph(trees.drawn(2, 5, (JointKind.REVOLUTE,), JointKind.FREE))
    held = tree.graph.bits(tree.inverse(tree.accelerations))
    leaves = [*tree.coordinates[0], *tree.speeds[:3]]
    assert all(not held & tree.graph.bits([leaf]) for leaf in leaves)
    assert held & tree.graph.bits([tree.speeds[3]])
