"""Times of fixed steps."""

from __future__ import annotations

import itertools
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.binding.grids import SampledGrid, TimeGrid, time_grid
from eomc.errors import UsageError

SHARES = st.sampled_from([0.1, 0.01, 0.03, 0.05, 1.0 / 3.0, 0.25, 0.007])


def one_after_another(samples: TimeGrid, dt: float) -> list[float]:
    """Return the times of a grid from sample to sample, by the grid of each interval alone."""
    ends = [samples.time(k) for k in range(samples.total + 1)]
    found = [
        t
        for first, last in itertools.pairwise(ends)
        for t in time_grid(first, last, dt).times(np.arange(time_grid(first, last, dt).total)).tolist()
    ]
    return [*found, ends[-1]]


@given(t0=st.sampled_from([0.0, -1.3, 1e4]), length=st.sampled_from([1.0, 0.37, 2.1]), sample_time=SHARES, dt=SHARES)
def test_steps_from_sample_to_sample(t0: float, length: float, sample_time: float, dt: float) -> None:
    """All intervals at once have the times of each alone, to the last bit."""
    samples = time_grid(t0, t0 + length, sample_time)
    grid = SampledGrid(samples, dt)
    expected = one_after_another(samples, dt)
    assert grid.total == len(expected) - 1
    assert grid.times(np.arange(grid.total + 1)).tolist() == expected


def test_a_grid_of_many_samples_is_made_at_once() -> None:
    """Ten million samples are not listed before somebody asks for a time."""
    samples = time_grid(0.0, 1e4, 1e-3)
    tracemalloc.start()
    try:
        SampledGrid(samples, 1e-4)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("t0", "t_end"), [(1e6, 1e6 + 1e-8), (1e6 - 1e-8, 1e6)])
def test_intervals_that_are_rounding_are_refused(t0: float, t_end: float) -> None:
    """Such a sample time is told, as one that cannot be added to the time."""
    with pytest.raises(UsageError, match="sample_time = 1e-09 is too small to be told apart"):
        SampledGrid(time_grid(t0, t_end, 1e-9, "sample_time"), 1.0)


@given(k=st.integers(0, 4000), dt=st.sampled_from([0.1, 0.01, 0.05, 0.025, 1e-3]))
def test_decimals_settle_on_a_grid(k: int, dt: float) -> None:
    """The decimal k dt is the grid's time, which sums of doubles miss; half a step beside it nothing moves."""
    grid = time_grid(0.0, 4.0, dt)
    decimal = float(min(k, grid.steps) * Fraction(str(dt)))
    between = decimal + dt / 2
    found = grid.settled(np.array([decimal, between]))
    assert found[0] == grid.time(min(k, grid.steps))
    assert found[1] == between


def test_the_end_of_a_shorter_step_is_a_time_of_the_grid() -> None:
    """As all others are."""
    grid = time_grid(0.0, 0.3, 0.2)
    assert grid.settled(np.array([0.1 + 0.2, 0.2])).tolist() == [0.3, 0.2]
