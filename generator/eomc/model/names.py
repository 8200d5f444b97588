"""The name of a SymPy symbol, time function or time derivative, as the user would say it."""

from __future__ import annotations

import sympy
from sympy.core.function import AppliedUndef

__all__ = ["name_of"]


def name_of(symbol: sympy.Basic) -> str:
    """Return ``m`` for Symbol m, ``q1`` for q1(t), ``q1_d`` and ``q1_dd`` for its first and second derivatives."""
    if isinstance(symbol, sympy.Derivative):
        order = sum(int(count) for _, count in symbol.variable_count)
        return f"{name_of(symbol.expr)}_{'d' * order}"
    if isinstance(symbol, AppliedUndef):
        return str(symbol.func.__name__)
    return str(getattr(symbol, "name", symbol))
