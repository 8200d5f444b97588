"""Accelerations by composite and by articulated bodies against a solve in NumPy, and what they cost on chains."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from eomc.model.trees.records import IDENTITY, Joint, JointKind, Link

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


# -- counts ----------------------------------------------------------------------------------------------------------


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


CHAINS = [(7, 921), (12, 2531), (30, 7301), (100, 25851)]


@pytest.mark.parametrize(("n", "most"), CHAINS)
def test_operations_of_chains(trees: Any, n: int, most: int) -> None:
    """A chain takes no more operations than a trial by straight lines of its own took for one like it."""
    tree = trees.on_graph(type(trees.drawn(0, 1))(*chain(n)))
    counts = [trees.operations(tree.graph, tree.articulated())]
    if n <= 12:
        counts.append(trees.operations(tree.graph, tree.composite()))
    assert min(counts) <= most


def test_articulated_bodies_are_linear(trees: Any) -> None:
    """Each further joint of a chain costs articulated bodies the same."""
    counts = []
    for n in (20, 30, 40):
        tree = trees.on_graph(type(trees.drawn(0, 1))(*chain(n, tilt=0.3)))
        counts.append(trees.operations(tree.graph, tree.articulated()))
    assert counts[2] - counts[1] == counts[1] - counts[0]
