"""Arguments at which the trigonometric family is measured."""

from __future__ import annotations

import numpy as np
from angles import nearest_to_multiples

__all__ = ["NAMES", "samples"]

NAMES = ("sin", "cos", "sincos", "tan")
_SEED = 20


def samples(name: str, precision: str, count: int) -> tuple[np.ndarray, ...]:
    """Return about so many arguments: small, usual, large, of any size, and those nearest to multiples of pi/2."""
    del name  # all of them have one argument, and the same difficulties
    random = np.random.default_rng(_SEED)
    limit = 4.11e5 if precision == "double" else 12867.0
    kind = np.float64 if precision == "double" else np.float32
    share = count // 6
    ranges = ((0.0, 1e-3), (0.0, 1.0), (0.0, 10.0), (0.0, limit), (limit, 1e3 * limit))
    usual = [(random.uniform(*limits, share) * random.choice([-1.0, 1.0], share)).astype(kind) for limits in ranges]
    words = random.integers(0, 1 << 64, share, dtype=np.uint64)
    any_size = (
        words.view(np.float64) if precision == "double" else (words >> np.uint64(32)).astype(np.uint32).view(kind)
    )
    nearest = nearest_to_multiples(precision)
    return (np.concatenate([*usual, any_size, nearest, -nearest]),)
