"""What single precision holds: a number beyond it is infinite in the C, and one that is too small is zero."""

from __future__ import annotations

import warnings

from eomc.errors import UsageError

LEAST, LARGEST = 2.0**-126, 2.0**128 - 2.0**104
"""The least and the largest number with all digits of a float."""


def refuse_beyond_float(what: str, value: float) -> None:
    """Refuse a number that a float does not hold, and tell one whose digits it loses.

    What is too small is told alone: files of robots are full of offsets of 1e-50 m that stand for zero.

    Raises
    ------
    UsageError
        It is too large.

    Examples
    --------
    >>> refuse_beyond_float("ball: parameter m", 0.2)
    >>> refuse_beyond_float("ball: parameter m", 1e39)
    Traceback (most recent call last):
    eomc.errors.UsageError: ball: parameter m is 1e+39, and float holds at most 3.4e+38: take double or other units
    """
    if LARGEST < abs(value):
        raise UsageError(f"{what} is {value:.9g}, and float holds at most {LARGEST:.2g}: take double or other units")
    if 0.0 < abs(value) < LEAST:
        lost = f"{what} is {value:.9g}, and float loses digits below {LEAST:.2g}"
        warnings.warn(f"{lost}: take double, other units, or 0 where that is what it stands for", stacklevel=4)
