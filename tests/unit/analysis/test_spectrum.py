"""Eigenvalues whose rounding is told from them: closed forms, and what a change of units must leave alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eomc
from eomc.analysis.spectrum import eigenvalues


def of_second_order(stiffness: np.ndarray, damping: float = 0.0) -> np.ndarray:
    """Return the matrix of q'' = -K q - c q'."""
    n = len(stiffness)
    return np.block([[np.zeros((n, n)), np.eye(n)], [-stiffness, -damping * np.eye(n)]])


def free_chain(n: int, k: float) -> np.ndarray:
    """Return K of n equal masses in a row, on nothing."""
    return k * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1) - np.diag([1.0, *[0.0] * (n - 2), 1.0]))


@pytest.mark.parametrize("k", [1e-9, 1.0, 3e7])
def test_masses_in_a_row(k: float) -> None:
    """w = 2 sqrt(k/m) sin(j pi / 2n): without damping no real part, and both of the free motion are zero."""
    n = 6
    found = eigenvalues(of_second_order(free_chain(n, k)))
    assert (found.real == 0.0).all()
    assert np.count_nonzero(found) == 2 * n - 2
    w = 2 * np.sqrt(k) * np.sin(np.arange(n) * np.pi / 2 / n)
    assert np.sort(found.imag[found.imag > 0]) == pytest.approx(w[1:], rel=1e-12)


def test_critical_damping_is_real() -> None:
    """(s + 3)^2: a pair whose imaginary part is the root of rounding; a little less damping, and it is a pair."""
    turn = np.array([[2.0, 1.0], [1.0, 1.0]])
    critical = turn @ np.array([[0.0, 1.0], [-9.0, -6.0]]) @ np.linalg.inv(turn)
    assert eigenvalues(critical).imag.tolist() == [0.0, 0.0]
    assert eigenvalues(critical).real == pytest.approx([-3.0, -3.0], rel=1e-7)
    under = eigenvalues(of_second_order(np.array([[9.0]]), 6.0 * (1 - 1e-9)))
    assert under.imag == pytest.approx([-3.0 * np.sqrt(2e-9), 3.0 * np.sqrt(2e-9)], rel=1e-6)


def test_what_is_small_and_no_rounding_stays() -> None:
    """Slow beside fast by nine decades, weak damping by eleven."""
    slow = np.array([[0.0, 1.0], [-1e-9, -1.0]])
    assert eigenvalues(slow).real == pytest.approx([-1.0, -1e-9], rel=1e-6)
    weak = eigenvalues(of_second_order(np.array([[1.0]]), 2e-11))
    assert weak.real == pytest.approx([-1e-11, -1e-11], rel=1e-4)


@given(
    st.lists(st.integers(-9, 9), min_size=9, max_size=9),
    st.lists(st.integers(-40, 40), min_size=3, max_size=3),
    st.integers(-40, 40),
)
def test_units_have_no_part_in_it(entries: list[int], lengths: list[int], time: int) -> None:
    """A third row that follows from the others is a zero in any units of states and of time; none is one else."""
    rows = np.reshape(entries, (3, 3)).astype(float)
    rows[2] = rows[0] + rows[1]
    scales = np.exp2(lengths)
    found = eigenvalues(rows * scales[:, None] / scales * 2.0**time)
    assert (found == 0.0).any()
    sizes = np.sort(np.abs(np.roots(np.round(np.poly(rows))[:3])))
    clear = sizes[sizes > 1e-3]
    assert np.sort(np.abs(found))[3 - len(clear) :] == pytest.approx(clear * 2.0**time, rel=1e-6)


@pytest.mark.parametrize("name", ["hanging_chain", "n_link_pendulum"])
def test_of_shipped_models(name: str) -> None:
    """Swings without friction have no damping, to the last digit; a notebook says so."""
    linear = eomc.linearize(eomc.load(name))
    assert (linear.eigenvalues.real == 0.0).all()
    assert "e-1" not in linear._repr_html_().partition("eigenvalues")[2]


def test_none_of_nothing() -> None:
    """A matrix without rows has none."""
    assert eigenvalues(np.zeros((0, 0))).shape == (0,)
