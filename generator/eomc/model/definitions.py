"""What a function stands for that is not in the vocabulary: a user's own, or one of SymPy's that says so itself.

A function has a meaning when it can be written in others that have one:

- a subclass of ``sympy.Function`` by its method ``doit`` (the muscle curves of sympy.physics.biomechanics are such);
- ``implemented_function("f", code)`` by what the code does with symbols, if that is also what it does with numbers;
- a function of SymPy by ``rewrite(Piecewise)``, as Macaulay's brackets, ``SingularityFunction``;
- a derivative or substitution that SymPy left standing by ``doit``, after the functions in it were written out.

`ScalarLowering`, the reference and the validation all read expressions through :func:`definition`, so that nothing of
the user's is rewritten.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from eomc.errors import ModelError
from eomc.model.trees.measures import Component
from eomc.model.vocabulary import ALLOWED_TYPES, excerpt

_TRIALS = (0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -10.0, 10.0, 1e-3)
_LEAPS = (0, 3, 7)  # how the trials of several arguments are shifted against each other
_TOLERANCE = 1e-9
_NESTING = 50  # definitions within definitions


def has_implementation(node: sympy.Basic) -> bool:
    """Whether `node` is an undefined function with the user's code behind it, by ``implemented_function``."""
    return isinstance(node, AppliedUndef) and hasattr(node, "_imp_")


def definition(node: sympy.Basic) -> sympy.Basic | None:
    """Return the expression for which `node` stands, None where it stands for itself (or for nothing known).

    Raises
    ------
    ModelError
        The function has an implementation that cannot be written out, or is defined by itself; the message names it.
    """
    result = _step(node)
    for _ in range(_NESTING):
        if result is None:
            return None
        before, result = result, result.replace(_is_defined, _step)
        if result == before:
            return result
    raise ModelError(f"{excerpt(node)} is defined by functions that are defined by it: write out what it stands for")


def _is_defined(node: sympy.Basic) -> bool:
    """Whether `node` is to be replaced within a definition; unevaluated parts stay, for the sake of their order."""
    return not isinstance(node, sympy.UnevaluatedExpr) and _step(node) is not None


def _step(node: Any) -> Any:
    """Return what `node` stands for at first sight, in which there may be further definitions."""
    if isinstance(node, sympy.UnevaluatedExpr):
        return node.args[0]
    if has_implementation(node):
        symbols, body = _body(node._imp_, len(node.args), node.func.__name__)
        return body.xreplace(dict(zip(symbols, node.args, strict=True)))
    if isinstance(node, (sympy.Derivative, sympy.Subs)):
        return _carried_out(node)
    if isinstance(node, sympy.Function) and not isinstance(node, AppliedUndef) and type(node) not in ALLOWED_TYPES:
        return _written_out(node)
    return None


def _written_out(node: Any) -> Any:
    """Return what ``doit`` makes of a function, else its rewriting as a Piecewise."""
    try:
        result = node.doit(deep=False, evaluate=False)  # as the muscle curves keep their order of operations
    except TypeError:
        result = node.doit()
    if result == node:
        result = node.rewrite(sympy.Piecewise)
    return None if result.has(type(node)) else result


def _carried_out(node: Any) -> Any:
    """Return a derivative or substitution that SymPy left standing; None for that of a time function, a signal."""
    if isinstance(node, sympy.Derivative) and isinstance(node.expr, AppliedUndef) and not has_implementation(node.expr):
        if isinstance(node.expr, Component):  # the time derivatives of a measure of a tree are measures
            rate = node.doit()
            return None if rate == node else rate
        return sympy.S.One if node.variable_count == ((node.expr, 1),) else None
    result = node.replace(lambda part: part != node and _is_defined(part), _step).doit()
    return None if result == node else result


@functools.lru_cache(maxsize=256)
def _body(code: Callable[..., Any], count: int, name: str) -> tuple[list[sympy.Dummy], sympy.Expr]:
    """Return symbols for the arguments of the user's code, and what it makes of them."""
    symbols = [sympy.Dummy(f"x{index}", real=True) for index in range(count)]
    try:
        body = sympy.sympify(code(*symbols))
    except Exception as error:  # the user's code may raise anything
        raise ModelError(
            f"the implementation of the function {name} does not work with symbols ({_first_line(error)}): write it "
            f"with SymPy's functions, Piecewise, Min and Max, from which C can be made"
        ) from error
    if not isinstance(body, sympy.Expr):
        raise ModelError(f"the implementation of the function {name} makes no expression of symbols: {excerpt(body)}")
    point = _difference(code, body, symbols)
    if point is not None:
        raise ModelError(
            f"the implementation of the function {name} does not do with the number "
            f"{', '.join(f'{value:g}' for value in point)} what it does with a symbol, of which it makes "
            f"{excerpt(body)}: write its cases with Piecewise"
        )
    return symbols, body


def _difference(code: Callable[..., Any], body: sympy.Expr, symbols: list[sympy.Dummy]) -> tuple[float, ...] | None:
    """Return where code and body differ among a few numbers; a comparison in Python decides structurally on symbols."""
    for leap in _LEAPS if len(symbols) > 1 else (0,):
        for first in range(len(_TRIALS)):
            point = tuple(_TRIALS[(first + leap * index) % len(_TRIALS)] for index in range(len(symbols)))
            try:
                expected = float(code(*point))
            except Exception:  # outside its domain
                continue
            found = body.xreplace({one: sympy.Float(value) for one, value in zip(symbols, point, strict=True)}).evalf()
            value = float(found) if found.is_extended_real else math.nan
            if math.isnan(expected) and math.isnan(value):
                continue
            if not abs(value - expected) <= _TOLERANCE * (1 + abs(expected)) and value != expected:
                return point
    return None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0] or type(error).__name__
