"""Numbers of a format that lie nearest to multiples of pi/2: what a reduction of angles must survive."""

from __future__ import annotations

import functools

import numpy as np
from mpmath import mp

__all__ = ["nearest_to_multiples"]

_PREC = 1400  # bits of 2/pi: more than the exponents' range and two mantissas
_FORMATS = {"double": (53, -1074, 972, np.float64), "single": (24, -149, 105, np.float32)}


@functools.cache
def nearest_to_multiples(precision: str) -> np.ndarray:
    """Return for each exponent the numbers m 2**e that lie nearest to a multiple of pi/2.

    The denominators of the convergents of 2**e 2/pi are the m for which m 2**e 2/pi is nearest to a whole number; what
    is below the range of mantissas is multiplied into it.
    """
    digits, first, last, kind = _FORMATS[precision]
    with mp.workprec(_PREC + 32):
        ratio = int(mp.floor(mp.ldexp(2 / mp.pi, _PREC)))
    found = set()
    for exponent in range(max(first, -digits - 1), last):
        top, bottom = ratio << max(exponent, 0), 1 << (_PREC + max(-exponent, 0))
        top, bottom = bottom, top % bottom
        before, now = 0, 1  # denominators of two convergents
        nearest = []
        while bottom and now < 1 << digits:
            nearest.append(now)
            whole, rest = divmod(top, bottom)
            top, bottom = bottom, rest
            before, now = now, whole * now + before
        for m in nearest[-4:]:
            times = -(-(1 << (digits - 1)) // m)
            for factor in (times, times + 1):
                if m * factor < 1 << digits:
                    found.add(float(m * factor) * 2.0**exponent)
    multiples = {float(k * (mp.pi / 2)) for k in range(1, 2000)}
    return np.array(sorted(found | multiples), dtype=kind)
