"""Accelerations by composite and by articulated bodies against a solve in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from eomc.model.trees.records import JointKind

KINDS = tuple(JointKind)
BASES = [None, JointKind.FREE, JointKind.BALL]


@pytest.mark.parametrize("base", BASES, ids=str)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 6))
def test_accelerations(trees: Any, base: JointKind | None, seed: int, n: int) -> None:
    """Both recursions give the accelerations that M and the bias of the links as given have, rotors in them."""
    given_ = trees.drawn(seed, n, KINDS, base, solid=True)
    tree, state, plain = trees.on_graph(given_), trees.state(given_, seed), trees.plain(given_)
    m = plain.mass_matrix(state.q, len(state.u))
    bias = plain.inverse(state.q, state.u, np.zeros(len(state.u)), trees.gravity)
    assume(len(m))
    expected = plain.apparent(state.q, state.u, np.linalg.solve(m, state.tau - bias))
    for found in (tree.composite(), tree.articulated()):
        values = np.array(tree.sample(state.rows, state.u, state.tau, state.ud).vector(found))
        assert np.allclose(values, expected, rtol=0, atol=1e-13 * np.linalg.cond(m) * (1 + abs(expected).max()))


@given(seed=st.integers(0, 10_000), n=st.integers(1, 7))
def test_mass_matrix(trees: Any, seed: int, n: int) -> None:
    """M of composite bodies is that of the links as given, and a literal zero between branches."""
    given_ = trees.drawn(seed, n, KINDS)
    tree, state, plain = trees.on_graph(given_), trees.state(given_, seed), trees.plain(given_)
    assume(tree.flat)
    matrix = tree.mass_matrix()
    sample = tree.sample(state.rows, state.u, state.tau, state.ud)
    values = np.array([sample.vector(row) for row in matrix])
    assert np.allclose(values, plain.mass_matrix(state.q, len(matrix)), rtol=1e-11, atol=1e-11)
    above: list[set[int]] = []
    for k, row in enumerate(tree.rows.rows):
        above.append({k} | (above[row.parent] if row.parent >= 0 else set()))
    for a, first in enumerate(tree.flat):
        for b, second in enumerate(tree.flat):
            if first.row not in above[second.row] and second.row not in above[first.row]:
                assert matrix[a][b] == tree.graph.zero
