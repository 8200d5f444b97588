"""One time for the whole model: functions of two symbols that print alike are not functions of the same time."""

from __future__ import annotations

import sympy
from sympy.core.function import AppliedUndef
from sympy.physics.vector import dynamicsymbols

from eomc.model.mechanism import Mechanism
from eomc.model.parts import MechanicalSystem


def common_time(model: Mechanism) -> sympy.Symbol:
    """Return the one symbol that all time functions depend on.

    For bodies it is that by which sympy.physics.vector differentiates rotations and positions: with respect to any
    other symbol their velocities would be taken to be zero.
    """
    moving = isinstance(model.dynamics, MechanicalSystem) and bool(model.coordinates or model.speeds)
    time: sympy.Symbol = dynamicsymbols._t if moving else model.time
    return time


def other_time(model: Mechanism, node: sympy.Basic) -> str:
    """Return what is wrong with a function f(s) of one symbol s that is not the model's time; empty for anything else.

    A time derivative is judged by its function and by its variables.
    """
    time = common_time(model)
    function = node.expr if isinstance(node, sympy.Derivative) else node
    symbols = [*function.args] if isinstance(function, AppliedUndef) and len(function.args) == 1 else []
    if isinstance(node, sympy.Derivative) and symbols:
        symbols += node.variables
    constants = {parameter.symbol for parameter in model.parameters}
    for other in symbols:
        if not isinstance(other, sympy.Symbol) or other == time or other in constants:
            continue
        which = f"another symbol {other}, with other assumptions," if other.name == time.name else f"the symbol {other}"
        if isinstance(model.dynamics, MechanicalSystem):
            return (
                f"{function} is a function of {which} and not of dynamicsymbols._t, by which sympy.physics.vector "
                f"differentiates: make it with dynamicsymbols({function.func.__name__!r})"
            )
        return (
            f"{function} is a function of {which} and not of the time {time} of {model.coordinates[0]}: make all time "
            f"functions with dynamicsymbols(...), or with one and the same symbol"
        )
    return ""
