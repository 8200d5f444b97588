"""Turns of vectors and tensors against matrix products in NumPy, and the factors of constant rotations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.tensors import PAIRS, Symmetric
from eomc.derivation.trees.turns import (
    AxisTurn,
    MatrixTurn,
    Permutation,
    into,
    matrix_of,
    matrix_out,
    out,
    symmetric_out,
)
from eomc.ir.graph import Graph
from eomc.ir.interpreter import Sample
from eomc.ir.symbols import Role, Symbol


class Leaves:
    """Symbols with random values."""

    def __init__(self, seed: int) -> None:
        self.graph, self.values = Graph(), {}
        self._rng = np.random.default_rng(seed)

    def __call__(self, value: float | None = None) -> int:
        symbol = Symbol(Role.STATE, len(self.values), "x")
        self.values[symbol] = float(self._rng.normal()) if value is None else value
        return self.graph.symbol(symbol)

    def array(self, nodes: Any) -> np.ndarray:
        sample = Sample(self.graph, self.values)
        return np.vectorize(lambda n: float(sample[int(n)]))(np.array(nodes))


def full(a: Symmetric) -> list[list[int]]:
    return [[a(i, j) for j in range(3)] for i in range(3)]


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("angle", [0.7, -2.3])
def test_turns_about_axes(axis: int, angle: float) -> None:
    """A turn about an axis takes vectors, symmetric and general tensors as its matrix does: R v, R A R^T."""
    leaf = Leaves(axis)
    turn = AxisTurn(leaf.graph, axis, leaf(np.cos(angle)), leaf(np.sin(angle)))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    r = np.eye(3)
    r[i, i] = r[j, j] = np.cos(angle)
    r[j, i], r[i, j] = np.sin(angle), -np.sin(angle)
    check(leaf, turn, r)


def check(leaf: Leaves, turn: Any, r: np.ndarray) -> None:
    v = (leaf(), leaf(), leaf())
    a = Symmetric(*(leaf() for _ in PAIRS))
    h = tuple((leaf(), leaf(), leaf()) for _ in range(3))
    tensors = [(symmetric_out((turn,), a), full(a)), (matrix_out((turn,), h), h)]
    assert np.allclose(leaf.array(out((turn,), v)), r @ leaf.array(v), rtol=0, atol=1e-14)
    assert np.allclose(leaf.array(into((turn,), v)), r.T @ leaf.array(v), rtol=0, atol=1e-14)
    for moved, given_ in tensors:
        whole = full(moved) if isinstance(moved, Symmetric) else moved
        assert np.allclose(leaf.array(whole), r @ leaf.array(given_) @ r.T, rtol=0, atol=1e-14)
    assert np.allclose(leaf.array(matrix_of(leaf.graph, (turn,))), r, rtol=0, atol=1e-15)


def test_permutations_and_matrices() -> None:
    """A permutation with signs and a rotation by its entries take vectors and tensors as their matrices do."""
    leaf = Leaves(1)
    r = np.array([[0, 0, -1], [-1, 0, 0], [0, 1, 0]])
    check(leaf, Permutation(leaf.graph, (2, 0, 1), (-1, -1, 1)), r)
    c, s = np.cos(0.4), np.sin(0.4)
    r = r @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    entries = tuple(tuple(leaf(e) for e in row) for row in r)
    check(leaf, MatrixTurn(leaf.graph, entries), r)


@given(st.integers(0, 10_000), st.sampled_from([0.0, 1e-17, 1e-10]), st.sampled_from([0.0, 1e-9, 1e-6]))
def test_factors_are_the_rotation(seed: int, noise: float, askew: float) -> None:
    """The factors of a rotation of numbers multiply to it, by quarters or nearly, and have an inverse that is exact."""
    rng = np.random.default_rng(seed)
    r = np.eye(3)
    for axis, angle in enumerate(rng.uniform(-4, 4, 3)):
        if rng.random() < 0.7:
            angle = rng.integers(4) * np.pi / 2 + askew
        c, s = np.cos(angle), np.sin(angle)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = c
        turn[j, i], turn[i, j] = s, -s
        r = r @ turn
    given_ = r + noise * rng.uniform(-1, 1, (3, 3))
    leaf = Leaves(0)
    g = leaf.graph
    found = leaf.array(matrix_of(g, factors(g, tuple(tuple(map(g.constant, map(float, row))) for row in given_))))
    assert np.allclose(found, r, rtol=0, atol=1e-14 + 40 * noise)
    assert np.allclose(found.T @ found, np.eye(3), rtol=0, atol=2e-15)


@pytest.mark.parametrize("seed", range(5))
def test_quarters_cost_nothing(seed: int) -> None:
    """A rotation whose entries are 0, 1 and -1 but for rounding takes no operation."""
    rng = np.random.default_rng(seed)
    r = np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], 3)[:, None]
    r = r * np.linalg.det(r) + 1e-16 * rng.uniform(-1, 1, (3, 3))
    leaf = Leaves(0)
    g = leaf.graph
    found = factors(g, tuple(tuple(map(g.constant, map(float, row))) for row in r))
    v = (leaf(), leaf(), leaf())
    moved = leaf.array(out(found, v))
    assert all(isinstance(turn, Permutation) for turn in found)
    assert np.allclose(moved, np.round(r) @ leaf.array(v), rtol=0, atol=0)
