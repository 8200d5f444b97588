"""Derivatives of inverse dynamics by recursion against complex steps over the links as given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.derivation.trees.articulated import ArticulatedBodies
from eomc.derivation.trees.factor import TreeFactors, elimination_paths
from eomc.derivation.trees.newton_euler import accelerations_outwards, body_wrenches, carried_inwards, no_wrench
from eomc.derivation.trees.slopes import Slopes, slopes_of_forces
from eomc.model.trees.records import Joint, JointKind

KINDS = (JointKind.REVOLUTE, JointKind.PRISMATIC, JointKind.BALL, JointKind.FREE, JointKind.FIXED)
BASES = [None, JointKind.FREE]
STEP = 1e-30


def slopes(tree: Any) -> Slopes:
    """Return the derivatives of the forces that symbols for accelerations take."""
    g, rows, motions, rates = tree.graph, tree.rows, tree.motions, tree.rates
    spreads = accelerations_outwards(g, rows, motions, rates, tree.accelerations, tree.gravity)
    transmitted = carried_inwards(g, rows, motions, body_wrenches(g, rows, spreads))
    return slopes_of_forces(g, rows, motions, rates, spreads, transmitted)


def values(tree: Any, sample: Any, entries: Any) -> np.ndarray:
    zero = tree.graph.zero
    rows = [[entries.get((a, b), zero) for b in tree.flat] for a in tree.flat]
    return np.array([sample.vector(row) for row in rows])


def step_along(joint: Joint, own: np.ndarray, k: int) -> None:
    """Make a complex step: of a ball or free joint a turn about an axis of the child, or a shift along one."""
    if joint.kind not in (JointKind.BALL, JointKind.FREE):
        own += 1j * STEP
        return
    w, v, e = own[-4], own[-3:].copy(), np.eye(3)[k % 3] * 1j * STEP
    if joint.kind is JointKind.FREE and k < 3:
        turn = np.array(joint.rotation, dtype=float) @ (
            (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * np.cross(np.eye(3), v)
        )
        own[:3] += turn @ e
    else:
        own[-4:] = np.r_[w - v @ e / 2, v + (w * e + np.cross(v, e)) / 2]


def expected(given_: Any, plain: Any, state: Any, gravity: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return derivatives by coordinates, a floating base held, along small turns and shifts of others; and by rates."""
    n, apparent = len(state.u), state.ud

    def forces(q: Any, u: np.ndarray) -> np.ndarray:
        held = apparent - plain.apparent(q, u, np.zeros(n, dtype=complex))  # what accelerations are, A0 being given
        return np.asarray(plain.inverse(q, u, held, gravity))

    by_coordinates, place = np.zeros((n, n)), 0
    for joint in given_.joints:
        for k in range(joint.kind.speeds):
            q = {name: np.array(value, dtype=complex) for name, value in state.q.items()}
            if not plain.is_afloat(joint):
                step_along(joint, q[joint.name], k)
            by_coordinates[:, place + k] = forces(q, state.u).imag / STEP
        place += joint.kind.speeds
    plainly = {name: np.array(value, dtype=complex) for name, value in state.q.items()}
    steps = [forces(plainly, state.u + 1j * STEP * e).imag / STEP for e in np.eye(n)]
    return by_coordinates, np.array(steps).T.reshape(n, n)


@pytest.mark.parametrize("base", BASES, ids=str)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 6))
def test_derivatives_of_forces(trees: Any, base: JointKind | None, seed: int, n: int) -> None:
    """Derivatives by coordinates and rates are those of the links as given; the third is the mass matrix."""
    given_ = trees.drawn(seed, n, KINDS, base)
    tree, state, plain = trees.on_graph(given_), trees.state(given_, seed), trees.plain(given_)
    made = slopes(tree)
    sample = tree.sample(state.rows, state.u, state.tau, state.ud)
    if not tree.flat:
        return
    by_coordinates, by_rates = expected(given_, plain, state, trees.gravity)
    rotors = np.diag([tree.rows.rows[rate.row].armature for rate in tree.flat])
    rotors = np.diag([float(tree.graph.number(a)) for a in np.diag(rotors)])
    assert np.allclose(values(tree, sample, made.coordinates), by_coordinates, rtol=1e-10, atol=1e-10)
    assert np.allclose(values(tree, sample, made.rates), by_rates, rtol=1e-10, atol=1e-10)
    assert np.allclose(
        values(tree, sample, made.mass) + rotors, plain.mass_matrix(state.q, len(state.u)), rtol=1e-10, atol=1e-10
    )


@pytest.mark.parametrize("base", BASES, ids=str)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 6))
def test_factors_solve(trees: Any, base: JointKind | None, seed: int, n: int) -> None:
    """Solutions with factors and by articulated bodies are those of NumPy, for columns of one entry and full ones."""
    given_ = trees.drawn(seed, n, KINDS, base, solid=True)
    tree, state = trees.on_graph(given_), trees.state(given_, seed)
    made, g = slopes(tree), tree.graph
    if not tree.flat:
        return
    mass = {(a, b): made.mass.get((a, b), g.zero) for a in tree.flat for b in tree.flat}
    factors = TreeFactors(g, elimination_paths(g, tree.flat, mass), mass)
    bodies = ArticulatedBodies(g, tree.rows, tree.motions, tree.rates)
    bodies.accelerations([no_wrench(g) for _ in tree.rows.rows], tree.forces)
    sample = tree.sample(state.rows, state.u, state.tau, state.ud)
    rotors = np.diag([float(tree.graph.number(tree.rows.rows[rate.row].armature)) for rate in tree.flat])
    m = values(tree, sample, made.mass)
    for solve, matrix in ((factors.solve, m), (bodies.response, m + rotors)):
        for column, right in (({tree.flat[-1]: g.one}, np.eye(len(m))[-1]), (tree.forces, state.tau)):
            found = solve(column)
            x = np.array(sample.vector([found[rate] for rate in tree.flat]))
            size = np.linalg.cond(matrix) * (1 + abs(x).max())
            assert np.allclose(x, np.linalg.solve(matrix, right), rtol=0, atol=1e-13 * size)
