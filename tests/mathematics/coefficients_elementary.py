"""Coefficients of the elementary family: exponential, hyperbolic and inverse trigonometric functions, powers, roots."""

from __future__ import annotations

import math

from mpmath import mp, mpf
from remez import Real, literal, rounded, rounded_best, split

__all__ = ["series", "table"]

DIGITS = {"double": 53, "single": 24}
WIDTH = {"double": 64, "single": 32}
LN2_BITS = {"double": 41, "single": 15}  # so few that products with any exponent are exact
LOG_LOW = mpf(11) / 16  # mantissas are taken from here to its double
ATAN_FOLD = mpf(1) / 2  # the largest tangent whose arc is taken from the series
CBRT_FROM = {"double": 0x553F0000, "single": 0x54A28000}  # this - bits(x)/3 are the leading bits of about x^(-1/3)
# Ends of intervals are floats: they are the same whatever precision mpmath has when this is read.
LOG_END = mpf((5 / 27) ** 2)  # ((1 - LOG_LOW)/(1 + LOG_LOW))^2
EXP_END = mpf((math.log(2) / 2 * 1.0005) ** 2)  # a little more: the quotient that is rounded is not exact

SERIES: dict[str, tuple[Real, mpf, Real]] = {  # name -> coefficient of w^n, end of w's interval, weight of the error
    "EXP_EVEN": (lambda n: 1 / mp.factorial(2 * n + 2), EXP_END, lambda w: w),  # (cosh r - 1)/r^2, w = r^2
    "EXP_ODD": (lambda n: 1 / mp.factorial(2 * n + 3), EXP_END, lambda w: w),  # (sinh r - r)/r^3
    "LOG_SERIES": (lambda n: mpf(2) / (2 * n + 3), LOG_END, lambda w: w / 2),  # (2 artanh s - 2 s)/s^3, w = s^2
    "POW_SERIES": (lambda n: mpf(2) / (2 * n + 5), LOG_END, lambda w: w * w / 2),  # the same without its next term
    "ATAN_SERIES": (lambda n: (-1) ** (n + 1) / mpf(2 * n + 3), ATAN_FOLD**2, lambda w: w),  # (atan u - u)/u^3, w = u^2
    "ASIN_SERIES": (lambda n: mp.binomial(2 * n + 2, n + 1) / mpf(4) ** (n + 1) / (2 * n + 3), mpf(1) / 4, lambda w: w),
}
TERMS = {  # so many that rounding errs more than the polynomial
    "double": {"EXP_EVEN": 5, "EXP_ODD": 5, "LOG_SERIES": 7, "POW_SERIES": 8, "ATAN_SERIES": 13, "ASIN_SERIES": 13},
    "single": {"EXP_EVEN": 3, "EXP_ODD": 2, "LOG_SERIES": 3, "POW_SERIES": 4, "ATAN_SERIES": 5, "ASIN_SERIES": 5},
}


def series(name: str, precision: str) -> tuple[str, ...]:
    """Return the literals of a polynomial that stands for a power series."""
    coefficient, end, weight = SERIES[name]
    backwards = [coefficient(n) for n in reversed(range(120))]
    found, _ = rounded_best(
        lambda w: mp.polyval(backwards, w),
        (mpf(0), end),
        TERMS[precision][name],
        lambda w: weight(w + end / 10000),  # nowhere zero
        DIGITS[precision],
    )
    return tuple(literal(c, precision) for c in found)


def table(precision: str) -> dict[str, str | tuple[str, ...]]:
    """Return name -> literal or literals of a precision."""
    digits = DIGITS[precision]
    bias = 2 ** (WIDTH[precision] - digits - 1) - 1
    lift = 3 * (digits // 3 + 1)  # brings all subnormal numbers among the normal ones; a third of it is whole
    smallest = mpf(2) ** (1 - bias)

    def number(x: mpf) -> str:
        return literal(rounded(x, digits), precision)

    def parts(x: mpf, first: int) -> tuple[str, ...]:
        return tuple(literal(part, precision) for part in split(x, first, digits))

    return {
        "SMALLEST_NORMAL": literal(smallest, precision),
        "LARGEST": literal((2 - mpf(2) ** (1 - digits)) * mpf(2) ** bias, precision),
        "LIFT": literal(mpf(2) ** lift, precision),
        "LN2": parts(mp.log(2), LN2_BITS[precision]),
        "EXP_PER_LN2": number(1 / mp.log(2)),
        "EXP_ROUNDER": literal(mpf(3) / 2 * mpf(2) ** (digits - 1), precision),
        "EXP_CORE": literal(mp.floor(-mp.log(smallest)), precision),
        "EXP_LIMIT": literal(mp.ceil(mp.log(2) * (bias + digits) * mpf("1.05")), precision),
        "EXP_EVEN": series("EXP_EVEN", precision),
        "EXP_ODD": series("EXP_ODD", precision),
        "LOG_LOW": f"{int((LOG_LOW * 2 - 1) * 2 ** (digits - 1)) + ((bias - 1) << (digits - 1)):#x}",
        "LOG_SHIFT": literal(mpf(2) ** (digits - 1) + bias, precision),
        "LOG_LIFTED_SHIFT": literal(mpf(2) ** (digits - 1) + bias + lift, precision),
        "LOG_SERIES": series("LOG_SERIES", precision),
        "POW_TWO_THIRDS": parts(mpf(2) / 3, digits // 2),
        "POW_SERIES": series("POW_SERIES", precision),
        "POW_LARGE": literal(mpf(2) ** (digits + 12), precision),
        "HYPERBOLIC_CORE": literal(mp.floor(mp.log(2) * (bias - 3)), precision),
        "ATAN_SERIES": series("ATAN_SERIES", precision),
        "ATAN_QUARTER": parts(mp.pi / 4, digits - 3),
        "ATAN_TOP": literal(mpf(2) ** (bias - 1), precision),
        "ASIN_SERIES": series("ASIN_SERIES", precision),
        "ASIN_HALF_PI": parts(mp.pi / 2, digits),
        "CBRT_FROM": f"{CBRT_FROM[precision]:#x}",
        "CBRT_START": _cbrt_start(precision),
        "CBRT_SERIES": tuple(number(c) for c in (mpf(1) / 3, -mpf(1) / 9, mpf(5) / 81, -mpf(10) / 243)),
        "CBRT_LOWER": literal(mpf(2) ** (-lift // 3), precision),
        "HYPOT_LOW": literal(mpf(2) ** ((1 - bias) // 2 + digits), precision),
        "HYPOT_HIGH": literal(mpf(2) ** (bias // 2 - 1), precision),
        "HYPOT_UP": literal(mpf(2) ** (bias // 2 + digits), precision),
        "HYPOT_DOWN": literal(mpf(2) ** -(bias // 2 + digits), precision),
        "FLOOR_WHOLE": literal(mpf(2) ** (digits - 1), precision),
        "SQRT_LINE": _sqrt_line(),
    }


def _cbrt_start(precision: str) -> tuple[str, ...]:
    """Return the polynomial in h = x y^3 that is h^(-2/3), where y is a first guess of x^(-1/3).

    The guess repeats after three octaves of x; there the range of h is found.
    """
    found = [x * _guess(x, precision) ** 3 for x in (mpf(2) ** (mpf(i) / 512) for i in range(3 * 512))]
    low, high = min(found) * (1 - mpf(2) ** -12), max(found) * (1 + mpf(2) ** -12)
    digits = DIGITS[precision]
    chosen, _ = rounded_best(lambda h: h ** (-mpf(2) / 3), (low, high), 4, lambda h: h ** (mpf(2) / 3), digits)
    return tuple(literal(c, precision) for c in chosen)


def _guess(x: mpf, precision: str) -> mpf:
    """Return the number whose leading bits are CBRT_FROM - bits(x)/3, x from 1 to 8; those of both have 32 places."""
    places = 20 if precision == "double" else 23  # of the mantissa within them
    bias = 1023 if precision == "double" else 127
    exponent = mp.floor(mp.log(x, 2))
    word = int(mp.floor((x / mpf(2) ** exponent - 1 + exponent + bias) * mpf(2) ** places))
    made = CBRT_FROM[precision] - word // 3
    return (1 + mpf(made % 2**places) / 2**places) * mpf(2) ** (made // 2**places - bias)


def _sqrt_line() -> tuple[str, ...]:
    """Return a with 31 places and b with 33, a - b m the line that is nearest to 1/sqrt(m) on [1, 4], relatively."""
    b = 2 / (6 + mp.sqrt(mpf(7) / 3) * 14 / 3)
    return tuple(str(int(mp.nint(x))) for x in (7 * b * 2**31, b * 2**33))
