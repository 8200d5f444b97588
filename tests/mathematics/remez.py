"""Best polynomials for a weighted error, by exchange (Remez 1934), and their rounding to a format.

The polynomial is ``sum c_i x**i``. Coefficients are rounded one after the other, the leading one first; after each the
others are fitted again, so that they make up for what rounding did. Callers work with ``PREC`` bits: the precision of
mpmath belongs to the whole process, and others set it too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from mpmath import mp, mpf

__all__ = ["PREC", "best", "chopped", "literal", "rounded", "rounded_best", "split"]

PREC = 200  # bits that everything here is computed with
_ROUNDS = 60  # of the exchange; those that would repeat earlier ones are not made again
BITS = {"double": 53, "single": 24}

Real: TypeAlias = Callable[[mpf], mpf]


def best(
    f: Real, interval: tuple[mpf, mpf], free: int, weight: Real, fixed: Sequence[mpf] = ()
) -> tuple[list[mpf], mpf]:
    """Return the coefficients after the fixed ones that make the largest of ``weight |f - p|`` least, and that error.

    The exchange takes the extrema of the error on a grid of Chebyshev's points, forty between two of them.
    """
    a, b = map(mpf, interval)
    first = len(fixed)

    def points(number: int) -> list[mpf]:
        return [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * i / number) for i in range(number + 1)]

    def values(x: mpf) -> mpf:
        return f(x) - mp.polyval(list(reversed(fixed)), x) if first else f(x)

    grid = points(40 * (free + 1))
    wanted = [values(x) for x in grid]
    weights = [weight(x) for x in grid]
    chosen = [40 * i + (20 if i == 0 else -20 if i == free + 1 else 0) for i in range(free + 1)]
    made: list[tuple[list[mpf], mpf]] = []
    met: dict[tuple[int, ...], int] = {}
    while tuple(chosen) not in met:
        met[tuple(chosen)] = len(made)
        matrix = mp.matrix(free + 1, free + 1)
        right = mp.matrix(free + 1, 1)
        for row, i in enumerate(chosen):
            for j in range(free):
                matrix[row, j] = weights[i] * grid[i] ** (first + j)
            matrix[row, free] = (-1) ** row
            right[row] = weights[i] * wanted[i]
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[j] for j in range(free)]
        backwards = list(reversed(coefficients))
        errors = [w * (v - x**first * mp.polyval(backwards, x)) for x, v, w in zip(grid, wanted, weights, strict=True)]
        made.append((coefficients, max(abs(e) for e in errors)))
        extrema = _extrema(errors, free + 1)
        if len(extrema) < free + 1:
            return made[-1]
        chosen = extrema
    start = met[tuple(chosen)]  # at the end the exchange rests, or goes round a few points beside each other
    return made[start + (_ROUNDS - 1 - start) % (len(made) - start)]


def rounded_best(
    f: Real, interval: tuple[mpf, mpf], terms: int, weight: Real, bits: int, fixed: Sequence[mpf] = ()
) -> tuple[list[mpf], mpf]:
    """Return all coefficients (the fixed ones first) rounded to so many bits, and their largest weighted error."""
    done = list(fixed)
    for left in range(terms, 0, -1):
        fitted, _ = best(f, interval, left, weight, done)
        done.append(rounded(fitted[0], bits))
    a, b = map(mpf, interval)
    backwards = list(reversed(done))
    grid = [a + (b - a) * i / 500 for i in range(501)]
    return done, max(abs(weight(x) * (f(x) - mp.polyval(backwards, x))) for x in grid)


def rounded(x: mpf, bits: int) -> mpf:
    """Return x rounded to nearest, to so many bits."""
    return _scaled(x, bits, mp.nint)


def chopped(x: mpf, bits: int) -> mpf:
    """Return x without what comes after so many bits."""
    return _scaled(x, bits, lambda y: mp.floor(y) if y > 0 else mp.ceil(y))


def split(x: mpf, *bits: int) -> tuple[mpf, ...]:
    """Return parts whose sum is x: all but the last chopped, the last rounded to its number of bits."""
    parts = []
    for number in bits[:-1]:
        parts.append(chopped(x, number))
        x -= parts[-1]
    return (*parts, rounded(x, bits[-1]))


def literal(x: mpf, precision: str) -> str:
    """Return a decimal text that reads back as x; x must be a number of the format."""
    assert x == rounded(x, BITS[precision])
    text = format(float(x), ".17g" if precision == "double" else ".9g")
    return text if any(sign in text for sign in ".en") else f"{text}.0"


def _scaled(x: mpf, bits: int, whole: Callable[[mpf], mpf]) -> mpf:
    if x == 0:
        return mpf(0)
    _, exponent = mp.frexp(x)
    return mp.ldexp(whole(mp.ldexp(x, bits - exponent)), exponent - bits)


def _extrema(errors: Sequence[mpf], number: int) -> list[int]:
    """Return where an error that alternates is extreme, the given number of places."""
    extrema: list[int] = []
    for i, error in enumerate(errors):
        if not extrema or (error > 0) != (errors[extrema[-1]] > 0):
            extrema.append(i)
        elif _is_larger(error, errors[extrema[-1]]):
            extrema[-1] = i
    while len(extrema) > number:
        extrema.pop(0 if _is_larger(errors[extrema[-1]], errors[extrema[0]]) else -1)
    return extrema


def _is_larger(a: mpf, b: mpf) -> bool:
    """Say whether an error is larger than another by more than rounding, which must not choose between them."""
    return abs(a) - abs(b) > mp.ldexp(abs(b), -PREC // 2)
