"""Block-triangular form: random permuted triangular matrices, irreducible blocks, structural singularity."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.solving.structure import StructurallySingularError, block_triangular


def no_preference(i: int, j: int) -> int:
    return 0


def filled(pattern: Any) -> list[list[int]]:
    """Return the columns in which each row has an entry."""
    return [[j for j, there in enumerate(row) if there] for row in pattern]


def check(pattern: np.ndarray, blocks: list[tuple[list[int], list[int]]]) -> None:
    """Every row and column once, and nothing above the block diagonal."""
    n = len(pattern)
    assert sorted(i for rows, _ in blocks for i in rows) == list(range(n))
    assert sorted(j for _, columns in blocks for j in columns) == list(range(n))
    known: set[int] = set()
    for rows, columns in blocks:
        assert len(rows) == len(columns)
        known |= set(columns)
        for i in rows:
            assert {j for j in range(n) if pattern[i, j]} <= known


@given(st.integers(1, 9), st.integers(0, 10**6), st.floats(0, 1))
def test_permuted_triangular_matrices_fall_into_single_unknowns(n: int, seed: int, density: float) -> None:
    """However rows and columns are shuffled, a triangular system is solved one unknown at a time."""
    rng = np.random.default_rng(seed)
    pattern = np.tril(rng.random((n, n)) < density) | np.eye(n, dtype=bool)
    pattern = pattern[rng.permutation(n)][:, rng.permutation(n)]
    blocks = block_triangular(filled(pattern), no_preference)
    check(pattern, blocks)
    assert [len(rows) for rows, _ in blocks] == [1] * n


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 10**6))
def test_irreducible_blocks_are_found(sizes: list[int], seed: int) -> None:
    """Cycles with anything below them come out as blocks of their sizes."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    pattern = np.zeros((n, n), dtype=bool)
    start = 0
    for size in sizes:
        for k in range(size):
            pattern[start + k, start + k] = pattern[start + k, start + (k + 1) % size] = True
        pattern[start : start + size, :start] = rng.random((size, start)) < 0.4
        start += size
    pattern = pattern[rng.permutation(n)][:, rng.permutation(n)]
    blocks = block_triangular(filled(pattern), no_preference)
    check(pattern, blocks)
    assert sorted(len(rows) for rows, _ in blocks) == sorted(sizes)


@given(st.integers(1, 5), st.integers(0, 10**6))
def test_singular_patterns_are_told_from_regular_ones(n: int, seed: int) -> None:
    """An error exactly where no permutation has a full diagonal; what it names cannot be matched."""
    pattern = np.random.default_rng(seed).random((n, n)) < 0.4
    regular = any(all(pattern[i, p[i]] for i in range(n)) for p in itertools.permutations(range(n)))
    if regular:
        check(pattern, block_triangular(filled(pattern), no_preference))
        return
    with pytest.raises(StructurallySingularError) as caught:
        block_triangular(filled(pattern), no_preference)
    assert len(caught.value.rows) == len(caught.value.columns) > 0
    # Without the named rows the others can be matched: no more is lost than must be.
    kept = [i for i in range(n) if i not in caught.value.rows]
    columns = [j for j in range(n) if j not in caught.value.columns]
    assert any(all(pattern[i, j] for i, j in zip(kept, p, strict=True)) for p in itertools.permutations(columns))


def test_cheap_pivots_are_matched_first() -> None:
    """Where there is a choice, the constant entry is the pivot."""
    pattern = [[True, True], [True, False]]
    assert block_triangular(filled(pattern), no_preference) == [([1], [0]), ([0], [1])]
    full = [[True, True], [True, True]]
    (block,) = block_triangular(filled(full), lambda i, j: 0 if i != j else 1)
    assert block == ([1, 0], [0, 1])


def test_empty_and_long_systems() -> None:
    """No unknowns, and a chain deeper than Python's stack."""
    assert block_triangular([], no_preference) == []
    n = 1100
    pattern = [[j in (i, i + 1) for j in range(n)] for i in range(n)]
    blocks = block_triangular(filled(pattern), no_preference)
    assert [columns[0] for _, columns in blocks] == list(reversed(range(n)))
