"""Sparse factors in a fixed order: random patterns against SciPy's, patterns whose fill is known, counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from eomc.solving.sparse import SparseFactors, sparse_factors


def pattern_of(matrix: np.ndarray) -> list[list[int]]:
    return [[int(j) for j in np.flatnonzero(row)] for row in matrix]


def solved(matrix: np.ndarray, right: np.ndarray, found: SparseFactors) -> np.ndarray:
    """Return the solution by elimination in the order and on the entries that are told, as a dense text-book has it."""
    kept = {i: {*found.before[i], *found.lower[i], *found.upper[i], i} for i in range(len(matrix))}
    w = matrix.copy()
    for i in found.order:
        for j in found.lower[i]:
            w[i, j] /= w[j, j]
            for k in found.upper[j]:
                assert k in kept[i]  # fill has its place
                w[i, k] -= w[i, j] * w[j, k]
    x = right.copy()
    for first, end in zip(found.blocks, found.blocks[1:], strict=False):
        block = found.order[first:end]
        for i in block:
            x[i] -= sum(w[i, j] * x[j] for j in (*found.before[i], *found.lower[i]))
        for i in reversed(block):
            x[i] = (x[i] - sum(w[i, j] * x[j] for j in found.upper[i])) / w[i, i]
    return x


@given(st.integers(1, 14), st.integers(0, 10**6), st.floats(0, 1))
def test_solutions_are_those_of_scipy(n: int, seed: int, density: float) -> None:
    """Whatever the pattern; diagonals that dominate need no exchanges."""
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(n, n)) * (rng.random((n, n)) < density)
    np.fill_diagonal(matrix, 1.0 + np.abs(matrix).sum(axis=1))
    found = sparse_factors(pattern_of(matrix))
    right = rng.normal(size=n)
    wanted = splu(csc_array(matrix)).solve(right)
    assert np.abs(solved(matrix, right, found) - wanted).max() < 1e-12
    assert sorted(found.order) == list(range(n))
    for i in range(n):
        row = [*found.before[i], *found.lower[i], *found.upper[i]]
        assert len(set(row)) == len(row)
        assert {int(j) for j in np.flatnonzero(matrix[i])} <= {*row, i}


def edges(n: int, pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Return the symmetric pattern of a graph, its vertices shuffled."""
    name = np.random.default_rng(7).permutation(n)
    rows: list[set[int]] = [set() for _ in range(n)]
    for a, b in pairs:
        rows[name[a]].add(int(name[b]))
        rows[name[b]].add(int(name[a]))
    return [sorted(row) for row in rows]


@pytest.mark.parametrize(
    "pairs",
    [
        [(i, i + 1) for i in range(29)],
        [(0, i) for i in range(1, 30)],
        [(i, (i - 1) // 2) for i in range(1, 30)],
    ],
    ids=["chain", "star", "tree"],
)
def test_nothing_fills_in_where_there_is_no_circle(pairs: list[tuple[int, int]]) -> None:
    """D. J. Rose, 1970: graphs without chords to add, trees first of all, have an order without fill."""
    assert sparse_factors(edges(30, pairs)).entries == 2 * len(pairs)


def test_a_ring_fills_in_as_little_as_can_be() -> None:
    """n - 3 chords triangulate it."""
    assert sparse_factors(edges(30, [(i, (i + 1) % 30) for i in range(30)])).entries == 2 * (30 + 27)


def test_entries_between_blocks_are_not_eliminated() -> None:
    """Two full blocks, the second fed by the first: no row of one is subtracted from the other's."""
    rows = [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 2, 3, 4], [1, 3, 4]]
    found = sparse_factors(rows)
    assert found.blocks == (0, 3, 5)
    assert found.before == ((), (), (), (0, 2), (1,))
    assert {j for i in (3, 4) for j in (*found.lower[i], *found.upper[i])} == {3, 4}


def test_a_matrix_that_leans_one_way_is_substituted() -> None:
    """Of a triangular matrix nothing is eliminated, however its rows are shuffled."""
    name = [3, 0, 4, 1, 2]
    rows: list[list[int]] = [[] for _ in name]
    for i, row in enumerate(name):
        rows[row] = [name[j] for j in range(i)]
    found = sparse_factors(rows)
    assert len(found.blocks) == 6
    assert found.factorizing().additions == 0
    assert found.entries == 10


def test_operations_of_a_chain_grow_with_its_length() -> None:
    """Twice the masses, twice the operations; of a full matrix eight times."""

    def operations(rows: list[list[int]]) -> int:
        return sparse_factors(rows).factorizing().total

    chains = [operations(edges(n, [(i, i + 1) for i in range(n - 1)])) for n in (40, 80)]
    full = [operations([list(range(n))] * n) for n in (40, 80)]
    assert chains[1] / chains[0] == pytest.approx(2.0, rel=0.05)
    assert full[1] / full[0] == pytest.approx(8.0, rel=0.1)


@given(st.integers(2, 10), st.integers(0, 10**6))
def test_what_is_counted_is_what_is_done(n: int, seed: int) -> None:
    """Multiplications and divisions, one by one."""
    rng = np.random.default_rng(seed)
    found = sparse_factors(pattern_of(rng.random((n, n)) < 0.3))
    products = 0
    for i in found.order:
        for j in found.lower[i]:
            products += 1
            products += len(found.upper[j])
    counts = found.factorizing()
    assert (counts.multiplications, counts.divisions) == (products, n)
    assert found.solving().multiplications == found.entries + n
