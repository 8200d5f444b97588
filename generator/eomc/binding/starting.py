"""The start of a run: on the constraints, or brought onto them, with a finite derivative, as in the emitted main."""

from __future__ import annotations

import math
import warnings

from eomc.binding.evaluation import Evaluator
from eomc.binding.vectors import Array, Real, Values
from eomc.errors import DivergenceError, EomcError, UsageError


def closed_start(evaluator: Evaluator, t: float, x0: Real, inputs: Array, parameters: Values | None) -> Array:
    """Return `x0` to the bit where it meets the constraints, else the state near it that does, with a warning.

    The emitted text that decides is that of the emitted main.

    Raises
    ------
    UsageError
        No state near `x0` meets the constraints.
    """
    try:
        start, by = evaluator.on_constraints(t, x0, inputs, parameters, as_start=True)
    except EomcError as error:
        raise UsageError(
            f"{evaluator.name}: x0 does not meet the constraints, and cannot be brought onto them: {error}; take a "
            "state from sim.state(...)"
        ) from error
    if by > 0.0:
        warnings.warn(
            f"{evaluator.name}: the start is moved onto the constraints, by {by:.3g} of its size; sim.state(...) "
            "gives states that meet them",
            stacklevel=5,
        )
    return start


def refuse_infinite_start(evaluator: Evaluator, t: float, x0: Array, inputs: Array, parameters: Values | None) -> None:
    """Say in the words of the emitted main that the first state derivative is not finite, where it is not.

    Raises
    ------
    DivergenceError
        It is not finite; without a trajectory, as there is no motion.
    """
    rates = evaluator.evaluate("rhs", t, x0, inputs, parameters)
    for name, rate in zip(evaluator.state_names, rates.tolist(), strict=True):
        if not math.isfinite(rate):
            raise DivergenceError(
                f"{evaluator.name}: no motion from the start, t = {t:.9g}: the derivative of {name} is not finite "
                "there: a root, a logarithm or a quotient is outside of its domain, or a value is too large: give "
                "another start or other parameters"
            )
