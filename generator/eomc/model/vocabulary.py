"""The functions that a model may be written in: what has a meaning in real arithmetic and a spelling in every target.

Everything else is refused here, by name and with the expression in which it stands, before anything is derived.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from eomc.ir.ops import Op
from eomc.model.arrays import is_element

OPS_OF_FUNCTIONS: dict[Any, Op] = {
    sympy.sin: Op.SIN,
    sympy.cos: Op.COS,
    sympy.tan: Op.TAN,
    sympy.asin: Op.ASIN,
    sympy.acos: Op.ACOS,
    sympy.atan: Op.ATAN,
    sympy.atan2: Op.ATAN2,
    sympy.sinh: Op.SINH,
    sympy.cosh: Op.COSH,
    sympy.tanh: Op.TANH,
    sympy.exp: Op.EXP,
    sympy.log: Op.LOG,
    sympy.Abs: Op.ABS,
    sympy.sign: Op.SIGN,
    sympy.floor: Op.FLOOR,
    sympy.Mod: Op.MOD,
    sympy.Min: Op.MIN,  # of any number of arguments
    sympy.Max: Op.MAX,
}
"""Functions of SymPy that are an op of the graph each."""

ALLOWED_TYPES: frozenset[type] = frozenset(
    {
        *OPS_OF_FUNCTIONS,
        *(sympy.Add, sympy.Mul, sympy.Pow),
        *(sympy.ceiling, sympy.frac, sympy.Heaviside, sympy.sinc, sympy.cot, sympy.sec, sympy.csc),
        *(sympy.Piecewise, ExprCondPair, sympy.And, sympy.Or, sympy.Not, sympy.ITE, BooleanTrue, BooleanFalse),
        *(sympy.Eq, sympy.Ne, sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge),
    }
)
"""Node types with arguments (and the two truth values); symbols, numbers, pi and E come on top."""

_OF_COMPLEX = (sympy.re, sympy.im, sympy.arg, sympy.conjugate)
_LIMIT = 60  # characters of an expression that a message quotes


def excerpt(expression: object) -> str:
    """Return `expression` as text, cut to what fits into a message."""
    if isinstance(expression, sympy.Basic) and _larger_than(expression, 200):
        return f"{type(expression).__name__}(...)"
    text = str(expression)
    return text if len(text) <= _LIMIT else text[: _LIMIT - 4] + " ..."


def is_unit(node: object) -> bool:
    """Whether `node` is a unit, a dimension or a prefix of sympy.physics.units."""
    return str(type(node).__module__).startswith("sympy.physics.units")  # an undefined function has none


def refusal(node: sympy.Basic) -> str:
    """Return why the head of `node` cannot be part of a model, and what to do; empty if it can."""
    kind = type(node)
    if kind in ALLOWED_TYPES or isinstance(node, (sympy.Symbol, AppliedUndef, sympy.Derivative)) or is_element(node):
        return _piecewise_refusal(node) if kind is sympy.Piecewise else ""
    if isinstance(node, sympy.Number):
        return "" if node.is_finite else f"{node} is not a finite number: correct the expression that makes it"
    if isinstance(node, sympy.NumberSymbol):
        return ""
    if node is sympy.I or node is sympy.zoo:
        return f"{node} is not a real number: models are real"
    if isinstance(node, _OF_COMPLEX):
        return (
            f"{excerpt(node)} belongs to complex arithmetic: make the symbols inside it real, "
            f"as in dynamicsymbols('x', real=True)"
        )
    if isinstance(node, sympy.Subs):
        return f"{excerpt(node)} is a substitution that cannot be carried out: write out the expression"
    if isinstance(node, sympy.MatrixBase):
        return "a matrix stands where a scalar is wanted: give its elements"
    if is_unit(node):
        return f"{node} is a unit: write numbers in SI units, and units as text beside values"
    what = "function" if isinstance(node, sympy.Function) else "SymPy object"
    return (
        f"the {what} {kind.__name__} in {excerpt(node)} is not supported: write it with elementary functions, "
        f"Piecewise, Min, Max, Abs or sign"
    )


def _piecewise_refusal(node: sympy.Basic) -> str:
    if node.args[-1].args[1] == sympy.true:
        return ""
    return f"{excerpt(node)} has no value where none of its conditions holds: add a last branch (value, True)"


def _larger_than(expression: sympy.Basic, limit: int) -> bool:
    """Tell whether printing `expression` would walk more than `limit` nodes (or nest as deep)."""
    count, stack = 0, [expression]
    while stack:
        count += 1
        if count > limit:
            return True
        stack.extend(stack.pop().args)
    return False
