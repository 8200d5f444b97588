"""Time as a count of steps: after hours it is still the float nearest to k h."""

from __future__ import annotations

import ctypes
import random
from fractions import Fraction

import numpy as np
import pytest

pytestmark = pytest.mark.needs_cc

HOURS = 10 * 3600 * 1000  # ticks of ten hours at 1 kHz


def clock_of(loaded):
    """Return the struct of the emitted header."""
    real = loaded.real
    fields = [("tick", ctypes.c_uint64), ("t0", real), ("h", real)]
    extra = [("unit", real), ("units", ctypes.c_uint32)] if real is ctypes.c_float else []
    return type("Clock", (ctypes.Structure,), {"_fields_": fields + extra})()


@pytest.fixture
def clocks(emit, programs):
    """Return a function that makes a started clock, and one that reads it."""

    def start(real, h, t0=0.0):
        loaded = emit(programs["bare"]()).load(real)
        clock, time = clock_of(loaded), loaded.library.bare_clock_time
        time.restype = loaded.real
        loaded.library.bare_clock_start(loaded.real(t0), loaded.real(h), ctypes.byref(clock))
        return clock, lambda: time(ctypes.byref(clock))

    return start


def nearest(value, kind):
    """Return the number of a kind that is nearest to a fraction; ties to even."""
    first = kind(float(value))
    around = [np.nextafter(first, kind(-np.inf)), first, np.nextafter(first, kind(np.inf))]
    return min(around, key=lambda x: (abs(Fraction(float(x)) - value), int(x.view(f"u{x.itemsize}")) & 1))


@pytest.mark.parametrize("real", ["float", "double"])
@pytest.mark.parametrize("h", [0.001, 1 / 400, 3.7, 1e-6, 0.5, 4e9])
def test_the_time_is_nearest_to_k_h(real, h, clocks):
    """Exactly k times h as a number of its kind, rounded once, up to 2^40 ticks."""
    kind = np.float32 if real == "float" else np.float64
    clock, time = clocks(real, h)
    length = Fraction(float(kind(h)))
    numbers = random.Random(1)
    ticks = [*range(40), *range(HOURS - 20, HOURS + 20), *(numbers.randrange(2**e) for e in range(1, 41) for _ in "ab")]
    for k in [*ticks, 2**40 - 1]:
        clock.tick = k
        assert time() == nearest(k * length, kind), k
    assert clock.h == kind(h)


def test_other_clocks_lose_their_steps(clocks):
    """Ten hours at 1 kHz: a sum of floats stands still in the eighth, floats cannot count so far, this clock does."""
    clock, time = clocks("float", 0.001)
    clock.tick = HOURS
    assert abs(time() - 36000.0) < 0.002  # half the distance of two floats
    shown = set()
    for k in range(HOURS, HOURS + 1000):
        clock.tick = k
        shown.add(time())
    assert len(shown) == 257  # all floats of that second
    assert np.float32(32768.0) + np.float32(0.001) == np.float32(32768.0)
    assert np.float32(HOURS) + np.float32(1.0) == np.float32(HOURS)


def test_a_clock_starts_where_it_is_told(clocks):
    """At t0, to which the time of the ticks is added."""
    for real in ("float", "double"):
        clock, time = clocks(real, 0.25, 7.5)
        assert (clock.tick, time()) == (0, 7.5)
        clock.tick += 3
        assert time() == 8.25
