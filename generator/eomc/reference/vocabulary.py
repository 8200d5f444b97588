"""Which step on jets each head of a SymPy expression stands for."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import sympy
from sympy.functions.elementary.piecewise import ExprCondPair

from eomc.errors import LoweringError
from eomc.reference import elementary as e
from eomc.reference.jets import Jet, at_zero, constant, select

Step: TypeAlias = Callable[..., Any]

_ONE = constant(1.0)


def _compare(relation: Callable[[Any, Any], Any]) -> Step:
    return lambda x, y: np.asarray(relation(x.value, y.value))


def _piecewise(*pairs: tuple[Jet, Any]) -> Jet:
    """Return the value of the first pair whose condition holds; NaN where none does."""
    result = constant(np.nan)
    for value, condition in reversed(pairs):
        result = select(np.asarray(condition), value, result)
    return result


_FOLDED: dict[type, Step] = {
    sympy.Add: operator.add,
    sympy.Mul: operator.mul,
    sympy.Min: e.minimum,
    sympy.Max: e.maximum,
    sympy.And: np.logical_and,
    sympy.Or: np.logical_or,
}
"""Heads with any number of arguments, taken two by two from the left."""

SWITCHES = frozenset({sympy.Heaviside, sympy.Piecewise, sympy.Max, sympy.Min, sympy.sign})
"""Heads of what may rest at zero over a whole stretch."""

_STEPS: dict[type, Step] = {
    **{getattr(sympy, name): getattr(e, name) for name in e.__all__ if isinstance(getattr(sympy, name, None), type)},
    sympy.sec: lambda x: _ONE / e.cos(x),
    sympy.csc: lambda x: _ONE / e.sin(x),
    sympy.cot: lambda x: e.cos(x) / e.sin(x),
    sympy.Abs: e.magnitude,
    sympy.ceiling: lambda x: -e.floor(-x),
    sympy.frac: lambda x: x - e.floor(x),
    sympy.Mod: e.mod,
    sympy.Heaviside: e.heaviside,
    sympy.Piecewise: _piecewise,
    ExprCondPair: lambda value, condition: (value, condition),
    sympy.ITE: np.where,  # of truth values: SymPy makes it of a Piecewise in a condition
    sympy.Not: np.logical_not,
    sympy.Lt: _compare(operator.lt),
    sympy.Le: _compare(operator.le),
    sympy.Gt: _compare(operator.gt),
    sympy.Ge: _compare(operator.ge),
    sympy.Eq: _compare(operator.eq),
    sympy.Ne: _compare(operator.ne),
}


def step_of(node: sympy.Basic) -> tuple[Step, bool]:
    """Return the step for the head of `node`, and whether it is to be folded over the arguments two by two.

    Raises
    ------
    LoweringError
        The head has no meaning in real arithmetic, or none that is known here.
    """
    kind = type(node)
    if kind in _FOLDED:
        return _FOLDED[kind], True
    if isinstance(node, sympy.Pow):
        return _power(node.exp), False
    if kind in _STEPS:
        return _STEPS[kind], False
    raise LoweringError(f"the function {kind.__name__} in {node} is not supported: rewrite it in elementary functions")


def product(switches: Sequence[bool], *factors: Jet) -> Jet:
    """Return a product that is zero wherever a switch among its factors is, whatever the others are there."""
    result = functools.reduce(operator.mul, factors)
    for jet in itertools.compress(factors, switches):
        result = select(at_zero(jet), constant(np.zeros_like(jet.value)), result)
    return result


def _power(exponent: sympy.Expr) -> Step:
    """Return the step for base**exponent; integers and square roots have rules of their own."""
    if exponent.is_Integer or (exponent.is_Float and exponent == int(exponent)):
        return functools.partial(_with_exponent, int(exponent))
    if exponent == sympy.Rational(1, 2):
        return lambda base, _: e.sqrt(base)
    if exponent == sympy.Rational(-1, 2):
        return lambda base, _: _ONE / e.sqrt(base)
    return e.power


def _with_exponent(exponent: int, base: Jet, _: Jet) -> Jet:
    return e.integer_power(base, exponent) if exponent != -1 else _ONE / base
