"""The start of a run: on the constraints, or brought onto them, with a finite derivative, as in the emitted main."""

from __future__ import annotations

import math
import sys
import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eomc.binding.vectors import Values
from eomc.errors import DivergenceError, EomcError, UsageError

if TYPE_CHECKING:
    from eomc.binding.simulator import Simulator

__all__ = ["closed_start", "refuse_infinite_start"]

_NEAR = {  # the square root of what is 1 to rounding, as in the emitted main
    "double": math.sqrt(sys.float_info.epsilon),
    "float": math.sqrt(float(np.finfo(np.float32).eps)),
}
_ASIDE = 1e-3

_Array = NDArray[np.float64]


def closed_start(simulator: Simulator, t: float, x0: _Array, inputs: _Array, parameters: Values | None) -> _Array:
    """Return `x0` to the bit where it meets the constraints, else the state near it that does, with a warning.

    Raises
    ------
    UsageError
        No state near `x0` meets the constraints.
    """
    near = _NEAR[simulator.real]
    if "constraint_residuals" not in simulator.functions or not _is_open(simulator, t, x0, inputs, parameters, near):
        return x0
    try:
        moved = simulator.projecting().project(t, x0, inputs, parameters)
    except EomcError as error:
        raise UsageError(
            f"{simulator.name}: x0 does not meet the constraints, and cannot be brought onto them: {error}; take a "
            "state from sim.state(...)"
        ) from error
    distance = _distance(simulator, x0, moved)
    if not distance > 0.0:
        return x0
    warnings.warn(
        f"{simulator.name}: the start is moved onto the constraints, by {distance:.3g} of its size; sim.state(...) "
        "gives states that meet them",
        stacklevel=3,
    )
    return moved


def _distance(simulator: Simulator, a: _Array, b: _Array) -> float:
    """Return the largest change in proportion to the largest state of its unit, as the emitted main does."""
    sizes = _largest(simulator.kinds, a, b)
    changes = np.divide(np.abs(a - b), sizes, out=np.zeros_like(sizes), where=sizes > 0.0)
    return float(np.max(changes, initial=0.0))


def _largest(kinds: tuple[int, ...], *states: _Array) -> _Array:
    """Return for each state the largest of its unit, in any of the `states`."""
    places = np.array(kinds, dtype=np.intp)
    largest = np.zeros(1 + max(kinds, default=0))
    for state in states:
        np.maximum.at(largest, places, np.abs(state))
    return largest[places]


def _sizes(simulator: Simulator, x: _Array) -> _Array:
    """Return for each state the largest of its unit, at least 1 for angles and plain numbers: no unit is compared."""
    sizes = _largest(simulator.kinds, x)
    plain = np.array(simulator.kinds) == 0
    return np.where(plain, np.maximum(sizes, 1.0), np.where(sizes == 0.0, 1.0, sizes))


def _is_open(simulator: Simulator, t: float, x: _Array, inputs: _Array, parameters: Values | None, near: float) -> bool:
    """Whether a residual is more than rounding beside what it changes by when the states change by their sizes."""
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (4, len(x)))
    aside = np.vstack([x[None], x + _ASIDE * signs * _sizes(simulator, x)])
    residuals = simulator.constraint_residuals(t, aside, np.tile(inputs, (len(aside), 1)), parameters)
    sizes = np.max(np.abs(residuals[1:] - residuals[0]), axis=0, initial=0.0) / _ASIDE
    return not bool(np.all(np.abs(residuals[0]) <= near * sizes))


def refuse_infinite_start(
    simulator: Simulator, t: float, x0: _Array, inputs: _Array, parameters: Values | None
) -> None:
    """Say in the words of the emitted main that the first state derivative is not finite, where it is not.

    Raises
    ------
    DivergenceError
        It is not finite; without a trajectory, as there is no motion.
    """
    for name, rate in zip(simulator.state_names, simulator.rhs(t, x0, inputs, parameters).tolist(), strict=True):
        if not math.isfinite(rate):
            raise DivergenceError(
                f"{simulator.name}: no motion from the start, t = {t:.9g}: the derivative of {name} is not finite "
                "there: a root, a logarithm or a quotient is outside of its domain, or a value is too large: give "
                "another start or other parameters"
            )
