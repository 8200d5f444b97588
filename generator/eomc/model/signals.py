"""Inputs and their time derivatives: which belong to one signal, what a derivative is and in what unit it is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sympy

from eomc.model.names import name_of
from eomc.model.parts import Input
from eomc.units import read_unit

_ORDINALS = ("first", "second", "third", "fourth")


def signal_of(symbol: sympy.Basic) -> tuple[sympy.Basic, int]:
    """Return the signal r(t) whose time derivative `symbol` is, and the order; 0 for the signal itself."""
    if isinstance(symbol, sympy.Derivative):
        return symbol.expr, sum(int(count) for _, count in symbol.variable_count)
    return symbol, 0


def with_meaning(inputs: Iterable[Input]) -> tuple[Input, ...]:
    """Return inputs whose derivatives say what they are, in words and by the unit of their signal, unless told."""
    given = tuple(inputs)
    units = {one.symbol: one.unit for one in given}
    made = []
    for one in given:
        signal, order = signal_of(one.symbol)
        if order:
            unit = one.unit or rate_unit(units.get(signal, ""), order)
            one = replace(one, unit=unit, description=one.description or _derivative(name_of(signal), order))
        made.append(one)
    return tuple(made)


def rate_unit(unit: str, order: int = 1) -> str:
    """Return the unit of a time derivative; empty where that of the quantity is.

    Examples
    --------
    >>> rate_unit("m"), rate_unit("m/s"), rate_unit("kg m", 2), rate_unit("N/m"), rate_unit("")
    ('m/s', 'm/s^2', 'kg m/s^2', 'N/(m s)', '')
    """
    return read_unit("a time derivative", f"({unit})/s^{order}").si if unit else ""


def _derivative(name: str, order: int) -> str:
    if order <= len(_ORDINALS):
        return f"{_ORDINALS[order - 1]} time derivative of {name}"
    return f"time derivative of order {order} of {name}"
