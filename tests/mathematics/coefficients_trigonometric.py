"""Coefficients of sin, cos, sincos and tan: polynomials, parts of pi/2 and the bits of 2/pi."""

from __future__ import annotations

import numpy as np
from mpmath import mp, mpf
from remez import BITS, best, literal, rounded, rounded_best, split

__all__ = ["table"]

_PARTS = {
    # n pi/2 is taken away in parts: n times all but the last is exact, so is what is left after all but the last two
    "double": (35, 35, 53),  # n < 2**18
    "single": (11, 11, 10, 24),  # n < 2**13
}
_FUSED_PARTS = {"double": (53, 35, 53), "single": (24, 11, 24)}  # n times the second is exact, and the first difference
_TURNS = {"double": 18, "single": 13}  # bits of n
_LIMIT = {"double": "4.11e5", "single": "12867.0"}  # pi/2 times that n, and a little less
_TERMS = {"double": (6, 6), "single": (3, 3)}
_WORDS = {"double": (2, 39), "single": (1, 8)}  # zeros before 2/pi, all words


def table(precision: str) -> dict[str, str | tuple[str, ...]]:
    """Return name -> literal or literals of a precision."""
    bits = BITS[precision]
    zeros, words = _WORDS[precision]
    turns = _TURNS[precision]
    sine, cosine = _TERMS[precision]
    half_pi = mp.pi / 2
    square = (mp.pi / 4) ** 2
    small = mpf(2) ** -60

    def sine_rest(w: mpf) -> mpf:
        """(1 - sin(r)/r)/w where w = r**2."""
        r = mp.sqrt(w)
        return (1 - mp.sin(r) / r) / w if w > small else mpf(1) / 6 - w / 120

    def cosine_rest(w: mpf) -> mpf:
        """(cos(r) - 1 + w/2)/w**2."""
        return (mp.cos(mp.sqrt(w)) - 1 + w / 2) / w**2 if w > small else mpf(1) / 24 - w / 720

    def literals(values: object) -> tuple[str, ...]:
        return tuple(literal(value, precision) for value in values)

    with mp.workprec(1600):
        digits = int(mp.floor(mp.ldexp(2 / mp.pi, 32 * (words - zeros))))
    bit_words = [0] * zeros + [(digits >> (32 * i)) & 0xFFFFFFFF for i in reversed(range(words - zeros))]
    made: dict[str, str | tuple[str, ...]] = {
        "SINE": literals(rounded_best(sine_rest, (0, square), sine, lambda w: w, bits)[0]),
        "COSINE": literals(
            rounded_best(cosine_rest, (0, square), cosine, lambda w: w**2 / mp.cos(mp.sqrt(w)), bits)[0]
        ),
        "ANGLE_LIMIT": _LIMIT[precision],  # below it angles are reduced in floating point
        "TWO_OVER_PI": literal(rounded(2 / mp.pi, bits), precision),
        # what is added to it is rounded to a whole number; the bits of the sum are the first word and some number below
        # the second
        "ANGLE_SHIFT": literal(mpf(2 ** (bits - 1) + 2**turns), precision),
        "ANGLE_WORDS": (f"0x{_word(2.0 ** (bits - 1), precision):X}U", f"0x{2 << turns:X}U"),
        "QUARTER_PI_WORD": f"0x{_word(float(mp.pi / 4), precision):X}U",
        "HALF_PI_PARTS": literals(split(half_pi, *_PARTS[precision])),
        "FUSED_HALF_PI_PARTS": literals(split(half_pi, *_FUSED_PARTS[precision])),
        "HALF_PI_WORD": (
            f"0x{int(mp.nint(mp.ldexp(half_pi, 63))):016X}U"
            if precision == "double"
            else f"0x{int(mp.nint(mp.ldexp(half_pi, 31))):08X}U"
        ),
        "TWO_OVER_PI_WORDS": tuple(f"0x{word:08X}U" for word in bit_words),
    }
    if precision == "double":
        made |= _words()
    return made


def _word(x: float, precision: str) -> int:
    """Return the bits of a number."""
    return int(np.float64(x).view(np.uint64) if precision == "double" else np.float32(x).view(np.uint32))


def _words() -> dict[str, str | tuple[str, ...]]:
    """Return the coefficients of the polynomials in integers, each in units of a power of two of its own."""
    square = (mp.pi / 4) ** 2
    small = mpf(2) ** -60

    def sine(w: mpf) -> mpf:
        """(1 - sin(r)/r)/w where w = r**2, even terms: signs change."""
        return (1 - mp.sin(mp.sqrt(w)) / mp.sqrt(w)) / w if w > small else mpf(1) / 6 - w / 120

    def cosine(w: mpf) -> mpf:
        """(1 - cos r)/w."""
        return (1 - mp.cos(mp.sqrt(w))) / w if w > small else mpf(1) / 2 - w / 24

    def words(f: object, places: tuple[int, ...], fixed: tuple[mpf, ...] = ()) -> tuple[str, ...]:
        done = list(fixed)
        for i in range(len(fixed), len(places)):
            fitted, _ = best(f, (mpf(0), square), len(places) - i, lambda w: w, done)
            done.append(mp.ldexp(mp.nint(mp.ldexp(fitted[0], places[i])), -places[i]))
        units = [abs(int(mp.ldexp(value, place))) for value, place in zip(done, places, strict=True)]
        return tuple(f"0x{unit:X}U" for unit in units)

    return {
        "SINE_WORDS": words(sine, (64, 64, 64, 64, 57, 64)),
        "COSINE_WORDS": words(cosine, (64, 64, 64, 64, 64, 60, 68), (mpf(1) / 2,)),
    }
