"""Axes of plots do not zoom into rounding, in whatever units a motion is."""

from __future__ import annotations

import numpy as np
import pytest

from eomc.binding.scales import level, rate_of, scales_of

EPS = float(np.finfo(float).eps)


@pytest.mark.parametrize(
    ("unit", "rate"),
    [("m", "m/s"), ("m/s", "m/s^2"), ("rad/s^2", "rad/s^3"), ("kg m", "kg m/s"), ("N/m", ""), ("", "")],
)
def test_units_of_rates(unit: str, rate: str) -> None:
    """In the one spelling of units that trajectories have; N/m per second is spelt otherwise, and is nobody's rate."""
    assert rate_of(unit) == rate


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_rounding_is_a_line_and_what_moves_is_not(size: float) -> None:
    """Noise of 1e-14 of a signal has the signal's size as its axis; a drift of 1e-9 has its own, at any size."""
    noise = np.random.default_rng(2).uniform(-1e-14, 1e-14, 1001)
    scales = {"J": 3.0 * size}
    low, high = level([size * (3.0 + noise)], "J", scales, EPS)
    assert (low, high) == pytest.approx((0.0, 6.0 * size), abs=1e-9 * size)
    assert level([size * (3.0 + np.linspace(0.0, 1e-9, 1001))], "J", scales, EPS) is None
    assert level([size * (3.0 + noise), size * np.linspace(0.0, 1.0, 1001)], "J", scales, EPS) is None
    assert level([np.full(5, size), np.full(5, 2.0 * size)], "J", scales, EPS) is None  # two lines are two heights


def test_a_speed_of_nothing_but_rounding_is_judged_by_the_way() -> None:
    """1e-17 m/s about zero, of what is 2 m away for 4 s, is a line; so is a place of 1e-17 m beside a speed."""
    noise = 1e-17 * np.random.default_rng(2).uniform(-1.0, 1.0, 100)
    scales = scales_of([("m", np.full(100, 2.0)), ("m/s", noise)], 4.0)
    assert scales == {"m": 2.0, "m/s": 0.5}
    assert level([noise], "m/s", scales, EPS) == pytest.approx((-0.5, 0.5), abs=1e-15)
    assert scales_of([("m", noise), ("m/s", np.full(100, 3.0))], 4.0)["m"] == 12.0


def test_zero_and_what_is_not_finite() -> None:
    """Zero throughout is a line; of a run that diverged the finite part decides, and of one without any nothing."""
    assert level([np.zeros(9)], "m", {"m": 0.0}, EPS) == (-1.0, 1.0)
    assert level([np.array([1.0, 1.0, np.nan, np.inf])], "m", {"m": 1.0}, EPS) == (0.0, 2.0)
    assert level([np.full(3, np.nan)], "m", {}, EPS) is None
