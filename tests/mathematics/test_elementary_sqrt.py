"""The square root by integers is correctly rounded."""

from __future__ import annotations

import math

import numpy as np
import pytest
from harness import STRICT, all_floats, build, digest
from samples_elementary import any_bits, samples

pytestmark = pytest.mark.needs_cc


def rounded_root(mantissa: int, exponent: int) -> float:
    """Return the double nearest to sqrt(mantissa 2**exponent), by integers of any length."""
    shift = 120 + (exponent % 2)
    square = mantissa << shift
    root = math.isqrt(square)
    extra = root.bit_length() - 53
    kept, dropped, half = root >> extra, root & ((1 << extra) - 1), 1 << (extra - 1)
    above = dropped > half or (dropped == half and (root * root < square or kept % 2 == 1))
    return math.ldexp(kept + above, extra + (exponent - shift) // 2)


def test_roots_that_are_nearly_between_two_numbers() -> None:
    """The doubles whose roots come nearest to the middle of two, where a small error rounds to the wrong side."""
    random = np.random.default_rng(32)
    cases = []
    for root in random.integers(1 << 52, 1 << 53, 30_000):
        middle = int(root) * (int(root) + 1)  # a quarter below the square of root + 1/2
        for places in (52, 53):
            nearest = middle >> places
            cases += [(m, places) for m in (nearest, nearest + 1) if (1 << 52) <= m < (1 << 53)]
    # of these, the ones whose root is nearest to a middle: m 2**places = root (root + 1) + a small number
    for small in range(-40, 40):
        for places in (52, 53):
            cases += [(m, places) for m in solutions(small, places)]
    x = np.array([math.ldexp(m, places) for m, places in cases])
    wanted = np.array([rounded_root(m, places) for m, places in cases])
    assert len(cases) > 30_000
    assert np.array_equal(build(("sqrt",), "double")("sqrt", x), wanted)


def solutions(small: int, places: int) -> list[int]:
    """Return mantissas m with m 2**places = s (s + 1) + small for a whole s: the lift of roots of s^2 + s + small."""
    roots = [s for s in (0, 1) if (s * s + s + small) % 2 == 0]
    for place in range(1, places):
        modulus = 1 << (place + 1)
        roots = [s for r in roots for s in (r, r + (modulus >> 1)) if (s * s + s + small) % modulus == 0]
    found = []
    for root in roots:
        for s in (root, root + (1 << places)):
            m = (s * s + s + small) >> places
            if (1 << 52) <= s < (1 << 53) and (1 << 52) <= m < (1 << 53):
                found.append(m)
    return found


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_as_the_hardware(precision: str) -> None:
    """Numbers of all sizes, subnormal ones and neighbours of powers of two, against the root of the processor."""
    kind = np.dtype(np.float64 if precision == "double" else np.float32)
    powers = np.ldexp(kind.type(1), np.arange(-1074 if precision == "double" else -149, 128)).astype(kind)
    beside = [np.nextafter(powers, kind.type(end)) for end in (0, np.inf)]
    subnormal = (
        any_bits(precision, 100_000, np.random.default_rng(33)) * kind.type(0)
        + np.abs(np.random.default_rng(34).integers(1, 1 << 22, 100_000)).astype(kind)
        * np.finfo(kind).smallest_subnormal
    )
    x = np.concatenate([any_bits(precision, 1_000_000, np.random.default_rng(35)), powers, *beside, subnormal])
    assert np.array_equal(build(("sqrt",), precision)("sqrt", x), np.sqrt(x), equal_nan=True)


def test_every_float() -> None:
    """All mantissas with an even and with an odd exponent: the other exponents only move the result."""
    x = np.abs(all_floats([0, 1]))
    x = x[: x.size // 2]
    assert np.array_equal(build(("sqrt",), "single")("sqrt", x), np.sqrt(x))


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_in_place_of_the_hardware(precision: str) -> None:
    """Where a target has no root, asin, acos and hypot take this one and keep their bits."""
    names = ("sqrt", "asin", "acos", "hypot")
    own = build(names, precision, flags=(*STRICT, "-DREAL_SQRT(x)=real_sqrt(x)"))
    theirs = build(names, precision)
    for name in names[1:]:
        arguments = samples(name, precision, 60_000)
        assert digest(own(name, *arguments)) == digest(theirs(name, *arguments)), name
