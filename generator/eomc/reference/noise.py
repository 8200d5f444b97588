"""How large the terms of a function are, and how much rounding there is in it: from values beside a point.

The size of a component is what it changes by when all arguments (states, inputs, parameters, time) change in proportion
to themselves,

    size = |sum over j of +-y_j df/dy_j|,   for random signs, the larger of two draws,

and its error is what the rounding of the function itself makes. Both come from values at five points on a line through
the arguments, y (1 + h s), s = -2 ... 2: the first difference gives the size, the third and the fourth the rounding:
where a smooth function has none, its arithmetic is rough. (J. J. More, S. M. Wild, Estimating computational noise,
*SIAM Journal on Scientific Computing* 33 (2011).)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eomc.reference.jets import Array

CERTAIN = 100.0  # times an error that is estimated from few differences
_STEP = 1e-6
_LINE = (-2, -1, 1, 2)
_DIFFERENCES = np.array([[-1.0, 2.0, 0.0, -2.0, 1.0], [1.0, -4.0, 6.0, -4.0, 1.0]])  # of third and of fourth order
_NOISE = _DIFFERENCES / np.linalg.norm(_DIFFERENCES, axis=1)[:, None]  # of independent errors: as large as they are


@dataclass(frozen=True, slots=True)
class Spread:
    """Sizes of the terms and rounding errors of all components (k, n)."""

    size: Array
    noise: Array


def spread(function: Callable[[Array], Array], middle: Array, arguments: Array, seed: int = 0) -> Spread:
    """Return sizes and errors of a function.

    Parameters
    ----------
    function
        Arguments (k, m) -> values (k, n); all rows of a call go with the rows of `arguments`.
    middle
        The values there.
    arguments
        All arguments, shape (k, m).
    seed
        Of the signs.
    """
    generator = np.random.default_rng(seed)
    size = noise = np.zeros_like(middle)
    for _ in range(2):
        along = generator.choice([-1.0, 1.0], arguments.shape) * generator.uniform(0.5, 1.0, arguments.shape)
        values = [function(arguments * (1.0 + _STEP * step * along)) for step in _LINE]
        line = np.stack([*values[:2], middle, *values[2:]])
        with np.errstate(invalid="ignore", over="ignore"):
            slope = np.abs(8.0 * (line[3] - line[1]) - (line[4] - line[0])) / (12.0 * _STEP)
            rough = np.max(np.abs(np.tensordot(_NOISE, line, axes=1)), axis=0)
            size = np.fmax(size, np.where(np.isfinite(slope), slope, 0.0))
            noise = np.fmax(noise, np.where(np.isfinite(rough), rough, 0.0))
    return Spread(size, noise)
