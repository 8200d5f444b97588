"""Special values of the elementary functions: what C99 says in its annex F, signed zeros, subnormal numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from harness import Library, build
from samples_elementary import NAMES

pytestmark = pytest.mark.needs_cc

INF, NAN = math.inf, math.nan
PI = math.pi
precisions = pytest.mark.parametrize("precision", ["double", "single"])


def assert_value(library: Library, name: str, arguments: tuple[float, ...], wanted: float) -> None:
    """Assert that a value is the one wanted, its sign included where it is zero."""
    found = library(name, *(np.full(1, a, library.dtype) for a in arguments))[0]
    expected = library.dtype.type(wanted)
    assert np.array_equal(found, expected, equal_nan=True), (name, arguments, found)
    assert np.isnan(expected) or np.signbit(found) == np.signbit(expected), (name, arguments, found)


ONE_ARGUMENT = [
    *(("exp", *case) for case in [(0.0, 1.0), (-0.0, 1.0), (-INF, 0.0), (INF, INF), (1e9, INF), (-1e9, 0.0)]),
    *(("log", *case) for case in [(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (-1.0, NAN), (-INF, NAN), (INF, INF)]),
    *(("sinh", *case) for case in [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (1e9, INF), (-1e9, -INF)]),
    *(("cosh", *case) for case in [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (-1e9, INF)]),
    *(("tanh", *case) for case in [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (1e9, 1.0), (-50.0, -1.0)]),
    *(("atan", *case) for case in [(0.0, 0.0), (-0.0, -0.0), (INF, PI / 2), (-INF, -PI / 2), (1.0, PI / 4)]),
    *(("asin", *case) for case in [(0.0, 0.0), (-0.0, -0.0), (1.0, PI / 2), (-1.0, -PI / 2), (1.5, NAN), (INF, NAN)]),
    *(("acos", *case) for case in [(1.0, 0.0), (0.0, PI / 2), (-0.0, PI / 2), (-1.0, PI), (-1.5, NAN), (-INF, NAN)]),
    *(
        ("cbrt", *case)
        for case in [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (-27.0, -3.0), (2.0**-120, 2.0**-40)]
    ),
    *(("floor", *case) for case in [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (-0.25, -1.0), (0.75, 0.0)]),
    *(
        ("floor", *case)
        for case in [(2.5, 2.0), (-2.5, -3.0), (3.0, 3.0), (-3.0, -3.0), (8388607.5, 8388607.0), (1e30, 1e30)]
    ),
    *(("sqrt", *case) for case in [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-1.0, NAN), (-INF, NAN), (6.25, 2.5)]),
]


@precisions
def test_one_argument(precision: str) -> None:
    """Zeros keep their signs where they should, poles and ends are met, and NaN stays NaN."""
    library = build(NAMES, precision)
    for name, argument, wanted in ONE_ARGUMENT:
        assert_value(library, name, (argument,), wanted)
    for name in sorted({case[0] for case in ONE_ARGUMENT}):
        assert_value(library, name, (NAN,), NAN)


@precisions
def test_angle_of_zeros_and_infinities(precision: str) -> None:
    """atan2 of all pairs of zeros, infinities and a finite number, by the table of annex F.9.1.4."""
    library = build(NAMES, precision)
    for x in (0.0, -0.0, 2.0, -2.0, INF, -INF):
        for y in (0.0, 2.0, INF):
            left = math.copysign(1.0, x) < 0
            if y == 0.0 or (x in (INF, -INF) and y < INF):
                angle = PI if left else 0.0
            elif abs(x) == abs(y):
                angle = 3 * PI / 4 if left else PI / 4
            else:  # x is a zero or y is infinite
                angle = PI / 2
            assert_value(library, "atan2", (y, x), angle)
            assert_value(library, "atan2", (-y, x), -angle)
    for y, x in ((NAN, 1.0), (1.0, NAN), (NAN, INF), (0.0, NAN), (NAN, NAN)):
        assert_value(library, "atan2", (y, x), NAN)


POWERS = [
    # zeros
    (0.0, -3.0, INF), (-0.0, -3.0, -INF), (0.0, -2.0, INF), (-0.0, -2.0, INF), (-0.0, -2.5, INF), (-0.0, -INF, INF),
    (0.0, 3.0, 0.0), (-0.0, 3.0, -0.0), (-0.0, 2.0, 0.0), (-0.0, 2.5, 0.0), (0.0, INF, 0.0), (-0.0, INF, 0.0),
    # ones
    (-1.0, INF, 1.0), (-1.0, -INF, 1.0), (1.0, NAN, 1.0), (1.0, INF, 1.0), (NAN, 0.0, 1.0), (NAN, -0.0, 1.0),
    (-2.0, 0.0, 1.0), (INF, 0.0, 1.0), (-1.0, 3.0, -1.0), (-1.0, 1e30, 1.0),
    # negative numbers, infinities
    (-2.0, 0.5, NAN), (-2.0, 3.0, -8.0), (-2.0, -2.0, 0.25), (0.5, -INF, INF), (-2.0, -INF, 0.0), (0.5, INF, 0.0),
    (-2.0, INF, INF), (-INF, -3.0, -0.0), (-INF, -2.0, 0.0), (-INF, -2.5, 0.0), (-INF, 3.0, -INF), (-INF, 2.0, INF),
    (-INF, 2.5, INF), (INF, -1.0, 0.0), (INF, 0.5, INF), (INF, INF, INF), (-INF, -INF, 0.0),
    # NaN, and what is too large or too small
    (NAN, 1.0, NAN), (2.0, NAN, NAN), (-1.5, NAN, NAN), (2.0, 1e30, INF), (0.5, 1e30, 0.0), (2.0, -1e30, 0.0),
    (1.0, 1e30, 1.0), (3.0, 1e-30, 1.0), (-3.0, 1e9, INF), (-3.0, -1e9, 0.0), (2.0, 10.0, 1024.0),
    (2.0, -140.0, 2.0**-140),
]  # fmt: skip


@precisions
def test_powers(precision: str) -> None:
    """The table of annex F.9.4.4."""
    library = build(NAMES, precision)
    for x, y, wanted in POWERS:
        assert_value(library, "pow", (x, y), wanted)
    largest_odd = float(2 ** (53 if precision == "double" else 24) - 1)
    assert_value(library, "pow", (-1.0, largest_odd), -1.0)
    assert_value(library, "pow", (-1.0, largest_odd + 1.0), 1.0)
    assert_value(library, "pow", (-3.0, largest_odd), -INF)


@precisions
def test_hypotenuse(precision: str) -> None:
    """An infinity outweighs NaN; nothing overflows or vanishes on the way."""
    library = build(NAMES, precision)
    big, small = (2.0**1020, 2.0**-1070) if precision == "double" else (2.0**124, 2.0**-147)
    for x, y, wanted in [
        *((0.0, 0.0, 0.0), (-0.0, 0.0, 0.0), (-3.0, 4.0, 5.0), (0.0, -2.0, 2.0)),
        *((INF, NAN, INF), (NAN, -INF, INF), (-INF, 1.0, INF), (NAN, 1.0, NAN), (0.0, NAN, NAN)),
        *((3 * big, 4 * big, 5 * big), (3 * small, 4 * small, 5 * small), (big, small, big), (12 * big, 12 * big, INF)),
    ]:
        assert_value(library, "hypot", (x, y), wanted)


@precisions
def test_smaller_and_larger(precision: str) -> None:
    """NaN gives way to a number."""
    library = build(NAMES, precision)
    for x, y, smaller, larger in [
        *((1.0, 2.0, 1.0, 2.0), (2.0, 1.0, 1.0, 2.0), (-INF, INF, -INF, INF), (3.0, 3.0, 3.0, 3.0)),
        *((NAN, 1.0, 1.0, 1.0), (1.0, NAN, 1.0, 1.0), (NAN, -INF, -INF, -INF), (NAN, NAN, NAN, NAN)),
    ]:
        assert_value(library, "fmin", (x, y), smaller)
        assert_value(library, "fmax", (x, y), larger)


@precisions
def test_subnormal_arguments_and_results(precision: str) -> None:
    """Odd functions give the smallest numbers back; powers of two come out exactly down to the smallest."""
    library = build(NAMES, precision)
    least = -1074 if precision == "double" else -149
    for name in ("sinh", "tanh", "atan", "asin"):
        for argument in (2.0**least, -(2.0**least), 2.0 ** (least + 9)):
            assert_value(library, name, (argument,), argument)
    for exponent in range(least, least + 60):
        assert_value(library, "pow", (2.0, float(exponent)), 2.0**exponent)
        assert_value(library, "atan2", (2.0**exponent, 2.0**exponent), PI / 4)
        if exponent % 2 == 0:
            assert_value(library, "sqrt", (2.0**exponent,), 2.0 ** (exponent // 2))
        if exponent % 3 == 0:
            assert_value(library, "cbrt", (2.0**exponent,), 2.0 ** (exponent // 3))
