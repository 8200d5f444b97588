"""Jacobians by differences: accuracy, kinks, points on the edge of a domain, the shapes of the reference's own."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import eomc
from eomc.reference.differences import estimates

Array = NDArray[np.float64]


def smooth(v: Array) -> Array:
    """Return some smooth functions of two variables."""
    x, y = v.T
    return np.column_stack([np.exp(x) * np.sin(3 * y), x / (2 + y), 1e3 * x * y**2, 0 * x])


def test_smooth_functions() -> None:
    """Twelve digits, at several points at once."""
    at = np.array([[0.3, -0.4], [2.0, 0.7], [-1.5, 1.9]])
    found, *_ = estimates(smooth, at, 1.0 + np.abs(at))
    assert found.shape == (3, 4, 2)
    for point, rows in zip(at, found, strict=True):
        x, y = point
        expected = [
            [np.exp(x) * np.sin(3 * y), 3 * np.exp(x) * np.cos(3 * y)],
            [1 / (2 + y), -x / (2 + y) ** 2],
            [1e3 * y**2, 2e3 * x * y],
            [0.0, 0.0],
        ]
        np.testing.assert_allclose(rows, expected, atol=1e-9)


@pytest.mark.parametrize("distance", [0.05, 0.02, 0.006])
def test_a_kink_beside_the_point(distance: float) -> None:
    """Steps that cross the kink of |x| or the jump of its sign are given up for shorter ones."""
    at = np.array([[distance], [-distance]])
    found, *_ = estimates(lambda v: np.hstack([np.abs(v), np.sign(v), np.abs(v) * np.sin(v)]), at, 1.0 + np.abs(at))
    np.testing.assert_allclose(found[:, 0, 0], [1.0, -1.0], atol=1e-9)
    np.testing.assert_allclose(found[:, 1, 0], 0.0, atol=1e-9)


def test_the_edge_of_a_domain() -> None:
    """Steps that leave the domain of a root do not count."""
    with np.errstate(invalid="ignore"):
        found, *_ = estimates(np.sqrt, np.array([[0.02]]), np.ones((1, 1)))
    np.testing.assert_allclose(found[0, 0, 0], 0.5 / np.sqrt(0.02), rtol=1e-7)


def test_straight_lines_that_are_rounded_to_other_lines() -> None:
    """Of thousands of sums whose terms cancel hardly one is off by ten errors.

    At equal distances a line is rounded to another line in a quarter of all cases.
    """
    count = 5000
    slopes = np.random.default_rng(0).uniform(0.5, 2.0, (count, 1))

    def values(s: Array) -> Array:
        rows = np.arange(len(s)) % count
        return (100.0 + slopes[rows] * s) - 100.0

    found, error, _ = estimates(values, np.zeros((count, 1)), np.ones((count, 1)))
    off = np.abs(found[:, 0] - slopes) > 10.0 * error[:, 0]
    assert np.count_nonzero(off) <= count // 1000
    assert np.median(error) < 1e-11


def test_the_reference_has_jacobians() -> None:
    """One state gives (nx, nx) and (nx, nr), k states give k of them."""
    source = eomc.reference(eomc.load("cart_pole"))
    A, B = source.jacobian(0.0, [0.1, 0.2, 0.3, 0.4])
    assert (A.shape, B.shape) == ((4, 4), (4, 1))
    many, inputs = source.jacobian(0.0, [[0.1, 0.2, 0.3, 0.4], [0.0, 0.5, 0.0, 0.0]], inputs=[[0.0], [2.0]])
    assert (many.shape, inputs.shape) == ((2, 4, 4), (2, 4, 1))
    np.testing.assert_allclose(many[0], A, atol=1e-9)
    np.testing.assert_allclose(A[:2], [[0, 0, 1, 0], [0, 0, 0, 1]], atol=1e-12)


def test_a_narrow_peak_far_from_zero() -> None:
    """An angle of many turns near a change point: what varies over 0.05 is seen at 34.6, where steps are longest."""
    at = np.array([[34.57], [34.61], [30.0]])
    offset = (at - 34.6) / 0.05
    found, *_ = estimates(lambda points: 1.0 / (1.0 + ((points - 34.6) / 0.05) ** 2), at, 1.0 + np.abs(at))
    np.testing.assert_allclose(found[:, :, 0], -40.0 * offset / (1.0 + offset**2) ** 2, rtol=1e-8, atol=1e-9)
