"""What the derivative of an input is called, and its unit."""

from __future__ import annotations

from typing import Any

import pytest
from sympy.physics.vector import dynamicsymbols

from eomc.model.records import inputs_of
from eomc.model.signals import rate_unit, signal_of

T = dynamicsymbols._t
R, W = dynamicsymbols("r w")


def test_derivatives_say_what_they_are() -> None:
    """In words and by the unit of the signal, wherever that stands in the list."""
    given: dict[Any, Any] = {R.diff(T, 2): 0.0, R: (1.0, "m", "height of the road"), R.diff(T): 0.0}
    texts = [(one.name, one.unit, one.description) for one in inputs_of(given)]
    assert texts == [
        ("r_dd", "m/s^2", "second time derivative of r"),
        ("r", "m", "height of the road"),
        ("r_d", "m/s", "first time derivative of r"),
    ]


def test_what_was_told_stays() -> None:
    """A unit or a text of the author's is not replaced; a signal is given no text."""
    given = {R: (0.0, "m"), R.diff(T): (0.0, "ft/s", "ramp"), W.diff(T, 5): 0.0}
    texts = [(one.unit, one.description) for one in inputs_of(given)]
    assert texts == [("m", ""), ("m/s", "ramp"), ("", "time derivative of order 5 of w")]


@pytest.mark.parametrize(
    ("unit", "order", "expected"),
    [
        ("rad", 1, "rad/s"),
        ("rad/s", 1, "rad/s^2"),
        ("m/s^2", 2, "m/s^4"),
        ("1/s", 1, "1/s^2"),
        ("N m", 2, "N m/s^2"),
        ("rev/min", 1, "rad/s^2"),
        ("N/m/s", 1, "N/(m s^2)"),
        ("", 2, ""),
    ],
)
def test_units(unit: str, order: int, expected: str) -> None:
    """Seconds are gathered, in the units of SI."""
    assert rate_unit(unit, order) == expected


def test_signals() -> None:
    """r(t) is of order zero."""
    assert signal_of(R) == (R, 0)
    assert signal_of(R.diff(T, 3)) == (R, 3)
