"""Elementary functions of jets, each with its first and second derivative.

At the kinks of abs, sign, min, max, floor and mod the derivatives are those of the formulas d|x| = sign(x) dx, d
sign = 0 and so on: a step has no derivative, a kink that of one side.

A function that has the name of a class of SymPy is that one.
"""

from __future__ import annotations

import numpy as np

from eomc.reference.jets import Array, Jet, chain, combine, constant, select

__all__ = [
    "acos",
    "asin",
    "atan",
    "atan2",
    "cos",
    "cosh",
    "exp",
    "floor",
    "heaviside",
    "integer_power",
    "log",
    "magnitude",
    "maximum",
    "minimum",
    "mod",
    "power",
    "sign",
    "sin",
    "sinc",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]


def sin(x: Jet) -> Jet:
    """Sine."""
    value = np.sin(x.value)
    return chain(x, value, lambda: np.cos(x.value), lambda: -value)


def cos(x: Jet) -> Jet:
    """Cosine."""
    value = np.cos(x.value)
    return chain(x, value, lambda: -np.sin(x.value), lambda: -value)


def tan(x: Jet) -> Jet:
    """Tangent."""
    value = np.tan(x.value)
    return chain(x, value, lambda: 1.0 + value**2, lambda: 2.0 * value * (1.0 + value**2))


def asin(x: Jet) -> Jet:
    """Inverse sine."""
    complement = (1.0 - x.value) * (1.0 + x.value)
    return chain(x, np.arcsin(x.value), lambda: complement**-0.5, lambda: x.value * complement**-1.5)


def acos(x: Jet) -> Jet:
    """Inverse cosine."""
    complement = (1.0 - x.value) * (1.0 + x.value)
    return chain(x, np.arccos(x.value), lambda: -(complement**-0.5), lambda: -x.value * complement**-1.5)


def atan(x: Jet) -> Jet:
    """Inverse tangent."""
    square = 1.0 + x.value**2
    return chain(x, np.arctan(x.value), lambda: 1.0 / square, lambda: -2.0 * x.value / square**2)


def atan2(y: Jet, x: Jet) -> Jet:
    """Angle of the point (x, y)."""
    square = x.value**2 + y.value**2
    first = (x.value / square, -y.value / square)
    mixed = (y.value**2 - x.value**2) / square**2
    twice = 2.0 * x.value * y.value / square**2
    return combine(y, x, np.arctan2(y.value, x.value), first, (-twice, mixed, twice))


def sinh(x: Jet) -> Jet:
    """Hyperbolic sine."""
    value = np.sinh(x.value)
    return chain(x, value, lambda: np.cosh(x.value), lambda: value)


def cosh(x: Jet) -> Jet:
    """Hyperbolic cosine."""
    value = np.cosh(x.value)
    return chain(x, value, lambda: np.sinh(x.value), lambda: value)


def tanh(x: Jet) -> Jet:
    """Hyperbolic tangent."""
    value = np.tanh(x.value)
    return chain(x, value, lambda: np.cosh(x.value) ** -2, lambda: -2.0 * value * np.cosh(x.value) ** -2)


def exp(x: Jet) -> Jet:
    """Exponential."""
    value = np.exp(x.value)
    return chain(x, value, lambda: value, lambda: value)


def log(x: Jet) -> Jet:
    """Natural logarithm."""
    return chain(x, np.log(x.value), lambda: 1.0 / x.value, lambda: -1.0 / x.value**2)


def sqrt(x: Jet) -> Jet:
    """Square root."""
    value = np.sqrt(x.value)
    return chain(x, value, lambda: 0.5 / value, lambda: -0.25 / (value * x.value))


def integer_power(x: Jet, exponent: int) -> Jet:
    """x**n; polynomial, so that it has derivatives at 0."""
    n = exponent

    def falling(factor: int, degree: int) -> Array:
        return np.zeros_like(x.value) if factor == 0 else factor * _integer_power(x.value, degree)

    return chain(x, _integer_power(x.value, n), lambda: falling(n, n - 1), lambda: falling(n * (n - 1), n - 2))


def power(x: Jet, y: Jet) -> Jet:
    """x**y for real x >= 0 (or an integral value of y); with a constant y only d/dx is formed."""
    value = np.power(x.value, y.value)
    slope = y.value * np.power(x.value, y.value - 1.0)
    curvature = np.where(y.value == 1.0, 0.0, y.value * (y.value - 1.0) * np.power(x.value, y.value - 2.0))
    if y.gradient is None:
        return chain(x, value, lambda: slope, lambda: curvature)
    logarithm = np.log(np.where(x.value == 0.0, 1.0, x.value))  # 0**y is zero for all positive y
    mixed = np.power(x.value, y.value - 1.0) * (1.0 + y.value * logarithm)
    return combine(x, y, value, (slope, value * logarithm), (curvature, mixed, value * logarithm**2))


def magnitude(x: Jet) -> Jet:
    """Absolute value; d|x| = sign(x) dx."""
    return chain(x, np.abs(x.value), lambda: np.sign(x.value), lambda: np.zeros_like(x.value))


def sign(x: Jet) -> Jet:
    """-1, 0 or 1; a step has derivative 0."""
    return constant(np.sign(x.value))


def floor(x: Jet) -> Jet:
    """Largest integer not above x; a step has derivative 0."""
    return constant(np.floor(x.value))


def heaviside(x: Jet, at_zero: Jet) -> Jet:
    """Return the unit step with the given value at 0; a step has derivative 0."""
    return constant(np.heaviside(x.value, at_zero.value))


def minimum(x: Jet, y: Jet) -> Jet:
    """Return the smaller of two; what is no number gives way."""
    return select(np.asarray((x.value <= y.value) | np.isnan(y.value)), x, y)


def maximum(x: Jet, y: Jet) -> Jet:
    """Return the larger of two; what is no number gives way."""
    return select(np.asarray((x.value >= y.value) | np.isnan(y.value)), x, y)


def mod(x: Jet, y: Jet) -> Jet:
    """X - y floor(x/y): the sign of y, as in Python."""
    return x - y * floor(x / y)


def sinc(x: Jet) -> Jet:
    """sin(x)/x, 1 at 0; by its power series near 0, where the quotient's derivatives cancel."""
    near = np.abs(x.value) < 0.5
    s = np.where(near, x.value, 0.0)
    z = np.where(near, 1.0, x.value)
    square = s**2
    # sum of (-1)**k x**(2k)/(2k+1)! and its derivatives, to x**14
    coefficients = [1.0]
    for k in range(1, 8):
        coefficients.append(-coefficients[-1] / ((2 * k) * (2 * k + 1)))
    value = sum((c * square**k for k, c in enumerate(coefficients)), np.zeros_like(s))
    first = sum((2 * k * c * s ** (2 * k - 1) for k, c in enumerate(coefficients) if k), np.zeros_like(s))
    second = sum(
        (2 * k * (2 * k - 1) * c * square ** (k - 1) for k, c in enumerate(coefficients) if k), np.zeros_like(s)
    )
    sine, cosine = np.sin(z), np.cos(z)
    return chain(
        x,
        np.where(near, value, sine / z),
        lambda: np.where(near, first, (z * cosine - sine) / z**2),
        lambda: np.where(near, second, (2.0 * sine - 2.0 * z * cosine - z**2 * sine) / z**3),
    )


def _integer_power(x: Array, exponent: int) -> Array:
    """Return x**n by repeated squaring, which rounds less than a general power of a negative number."""
    if exponent < 0:
        return 1.0 / _integer_power(x, -exponent)
    result, square, n = np.ones_like(x), x, exponent
    while n:
        if n & 1:
            result = result * square
        square = square * square
        n >>= 1
    return result
