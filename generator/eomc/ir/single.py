"""What single precision holds: a number beyond it would be zero or infinite in the C, without a word."""

from __future__ import annotations

from eomc.errors import UsageError

LEAST, LARGEST = 2.0**-126, 2.0**128 - 2.0**104
"""The least and the largest number with all digits of a float."""


def refuse_beyond_float(what: str, value: float) -> None:
    """Refuse a number that a float does not hold.

    Raises
    ------
    UsageError
        It is too large, or so small that its digits are lost.

    Examples
    --------
    >>> refuse_beyond_float("ball: parameter m", 0.2)
    >>> refuse_beyond_float("ball: parameter m", 1e-46)
    Traceback (most recent call last):
    eomc.errors.UsageError: ball: parameter m is 1e-46, and float holds 1.2e-38 to 3.4e+38: take double or other units
    """
    if LARGEST < abs(value) or 0.0 < abs(value) < LEAST:
        raise UsageError(
            f"{what} is {value:.9g}, and float holds {LEAST:.2g} to {LARGEST:.2g}: take double or other units"
        )
