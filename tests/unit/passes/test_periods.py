"""Regions with a period: those that were put there are found, whatever stands around them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from eomc.passes.periods import Region, find_regions


def is_periodic(sequence, region):
    """Whether each element of a region comes again after a period, up to the last."""
    part = sequence[region.start : region.end]
    return all(a == b for a, b in zip(part, part[region.period :], strict=False))


@given(
    st.lists(st.tuples(st.integers(1, 40), st.integers(9, 30), st.integers(0, 20)), min_size=1, max_size=4),
    st.randoms(use_true_random=False),
)
def test_what_repeats_itself_is_found(blocks, rng):
    """Bodies of elements that occur nowhere else, again and again with others between: all but a few are covered."""
    sequence, name, wanted = [], iter(range(10**6)), 0
    for period, times, between in blocks:
        body = [next(name) for _ in range(period)]
        sequence += body * times
        wanted += period * times if period * (times - 1) >= 16 else 0
        sequence += [next(name) for _ in range(between + 1)]
    regions = find_regions(sequence, 8)
    assert all(is_periodic(sequence, region) and region.times >= 8 for region in regions)
    assert all(one.end <= other.start for one, other in pairwise(regions))
    assert sum(region.period * region.times for region in regions) >= wanted


def test_the_end_of_a_region_is_where_the_period_ends():
    """What is left of the last period is in no region."""
    body = list("abcde" * 3)
    assert find_regions([*"uvw", *body * 10, *"abcx"], 8) == [Region(3, 5, 30)]


def test_nothing_is_found_in_what_never_repeats_itself():
    """Neither in a short sequence, nor in a long one."""
    assert find_regions(range(1000), 2) == []
    assert find_regions([], 2) == []
