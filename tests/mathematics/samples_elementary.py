"""Arguments at which the elementary family is measured: where functions change their ways, usual ones, and any."""

from __future__ import annotations

import numpy as np

__all__ = ["NAMES", "any_bits", "samples"]

NAMES = (
    *("exp", "log", "pow", "sinh", "cosh", "tanh", "atan", "atan2", "asin", "acos", "cbrt", "hypot"),
    *("floor", "sqrt", "fmin", "fmax"),
)
_SEED = 30
_KINDS = {"double": np.float64, "single": np.float32}


def samples(name: str, precision: str, count: int) -> tuple[np.ndarray, ...]:
    """Return about so many arguments of a function, an array for each."""
    random = np.random.default_rng(_SEED)
    top = {"double": 709.78, "single": 88.72}[precision]  # the logarithm of the largest number
    bottom = {"double": -745.2, "single": -104.0}[precision]  # below that of half the smallest
    share = count // 6

    def flat(low: float, high: float) -> np.ndarray:
        return random.uniform(low, high, share)

    def spread(low: float, high: float) -> np.ndarray:
        return np.exp(random.uniform(np.log(low), np.log(high), share))

    def signed(low: float, high: float) -> np.ndarray:
        return spread(low, high) * random.choice([-1.0, 1.0], share)

    near_one = flat(0.69, 1.45)  # where the logarithm is small and y in x^y may be large
    far_out = flat(-top, top) / np.log(near_one)
    sets: dict[str, list[tuple[np.ndarray, ...]]] = {
        "exp": [(flat(-1, 1),), (flat(bottom, top),), (flat(bottom, -0.98 * top),), (signed(1e-30, 1),)],
        "log": [(flat(0.5, 2),), (flat(0.67, 0.71),), (flat(1.34, 1.42),), (spread(1e-6, 1e6),)],
        "pow": [
            (flat(0, 3), flat(-20, 20)),
            (flat(0.5, 2), flat(-top, top)),
            (flat(0.9, 1.1), flat(-6 * top, 6 * top)),
            (near_one, far_out),
            (spread(1e-3, 1e3), signed(0.1, 80)),
            (-spread(0.01, 100), np.round(flat(-20, 20))),
        ],
        "sinh": [(flat(-2, 2),), (flat(-top - 1, top + 1),), (signed(1e-30, 5),), (flat(0.34, 0.42),)],
        "cosh": [(flat(-2, 2),), (flat(-top - 1, top + 1),), (signed(1e-30, 5),)],
        "tanh": [(flat(-2, 2),), (flat(-30, 30),), (signed(1e-30, 5),), (flat(0.34, 0.42),)],
        "atan": [(flat(-1, 1),), (flat(-3, 3),), (signed(1e-4, 1e6),), (flat(0.49, 0.56),)],
        "atan2": [
            (flat(-1, 1), flat(-1, 1)),
            (signed(0.1, 10), signed(0.1, 10)),
            (flat(0.49, 0.56), flat(0.9, 1.1)),
        ],
        "asin": [(flat(-1, 1),), (flat(0.8, 0.85),), (flat(0.49, 0.52),), (1 - spread(1e-12, 0.1),)],
        "acos": [(flat(-1, 1),), (flat(0.49, 0.6),), (flat(-0.6, -0.49),), (1 - spread(1e-12, 0.1),)],
        "cbrt": [(flat(1, 8),), (signed(1e-30, 1e30),)],
        "hypot": [(flat(-1, 1), flat(-1, 1)), (signed(0.1, 1), signed(0.1, 1)), (flat(0.2, 0.3), flat(0.3, 0.4))],
        "floor": [(flat(-100, 100),), (np.round(flat(-100, 100)),), (signed(1e-10, 1e20),)],
        "sqrt": [(flat(1, 4),), (spread(1e-30, 1e30),)],
        "fmin": [(flat(-1, 1), flat(-1, 1))],
        "fmax": [(flat(-1, 1), flat(-1, 1))],
    }
    chosen = sets[name]
    anywhere = tuple(any_bits(precision, share, random) for _ in chosen[0])
    return tuple(
        np.concatenate([*(np.asarray(one[i], dtype=_KINDS[precision]) for one in chosen), anywhere[i]])
        for i in range(len(chosen[0]))
    )


def any_bits(precision: str, count: int, random: np.random.Generator) -> np.ndarray:
    """Return numbers whose bits are random: all sizes, subnormal ones, NaN and infinities."""
    words = random.integers(0, 1 << 64, count, dtype=np.uint64)
    return words.view(np.float64) if precision == "double" else (words >> np.uint64(32)).astype(np.uint32).view("f4")
