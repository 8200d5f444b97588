"""The name of a SymPy symbol, time function or time derivative, as the user would say it."""

from __future__ import annotations

import sympy
from sympy.core.function import AppliedUndef

from eomc.model.arrays import indices, is_element


def name_of(symbol: sympy.Basic) -> str:
    """Return ``m`` for Symbol m, ``q1`` for q1(t), ``q1_d``, ``q1_dd`` for its derivatives, ``m[0]`` for an element."""
    if isinstance(symbol, sympy.Derivative):
        order = sum(int(count) for _, count in symbol.variable_count)
        return f"{name_of(symbol.expr)}_{'d' * order}"
    if isinstance(symbol, AppliedUndef):
        return str(symbol.func.__name__)
    if isinstance(symbol, sympy.IndexedBase):
        return str(symbol.label)
    if is_element(symbol):
        return f"{symbol.args[0]}[{','.join(map(str, indices(symbol)))}]"
    return str(getattr(symbol, "name", symbol))
