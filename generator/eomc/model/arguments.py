"""From what users write as arguments (lists, mappings, equations, numbers, words) to plain Python and SymPy.

Every wrong type ends here, in an error that names the argument. What has no order is not taken where order
matters, what has values is not read by its keys, and nothing is a number or a unit that only converts to one.
"""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterable, KeysView, Mapping, Sequence, Set
from typing import Any, TypeAlias

import numpy as np
import sympy
from numpy.typing import ArrayLike, NDArray
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from eomc.errors import EomcError, ModelError, UsageError
from eomc.model.vocabulary import is_unit

Equations: TypeAlias = Sequence[Any] | Mapping[Any, Any]
"""A list of expressions that are zero and of ``Eq``, or a mapping {left: right}."""

_TEXT = (str, bytes, bytearray, memoryview)


def sequence_of(what: str, values: Any) -> tuple[Any, ...]:
    """Return `values` as a tuple: of a list, any other ordered container, a generator, a row or column vector."""
    if isinstance(values, sympy.MatrixBase):
        if min(values.shape) > 1:
            raise ModelError(f"{what} is a {_shape(values)} matrix: give a list, or a matrix of one row or column")
        return tuple(values.flat())
    if _is_mapping(values):
        raise ModelError(f"{what} is a mapping, of which a list has no use for the values: give a list")
    if isinstance(values, sympy.Set) or (isinstance(values, Set) and not isinstance(values, (KeysView, ItemsView))):
        raise ModelError(f"{what} is a set, which has no order: give a list")
    if isinstance(values, _TEXT) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) != 1:
        raise ModelError(f"{what} is {quoted(values)}: give a list")
    return tuple(values)


def mapping_of(what: str, values: Any) -> Mapping[Any, Any]:
    """Return `values` as a mapping, empty for None."""
    if values is None:
        return {}
    if not _is_mapping(values):
        raise ModelError(f"{what} is {quoted(values)}: give a mapping, such as {{symbol: value}}")
    return dict(values.items())


def _is_mapping(values: Any) -> bool:
    return isinstance(values, (Mapping, sympy.Dict))


def expression_of(what: str, value: Any) -> sympy.Expr:
    """Return `value` as a scalar SymPy expression."""
    if isinstance(value, sympy.MatrixBase):
        example = ", such as its element matrix[0]" if value.shape == (1, 1) else ""
        raise ModelError(f"{what} is a {_shape(value)} matrix: give a scalar SymPy expression{example}")
    if isinstance(value, Relational):
        raise ModelError(f"{what} is the relation {quoted(value)}: give one expression")
    if isinstance(value, (bool, *_TEXT)):
        raise ModelError(f"{what} is {quoted(value)}: give a SymPy expression")
    try:
        expression = sympy.sympify(value)
    except (sympy.SympifyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"{what} is {quoted(value)}: give a SymPy expression") from error
    if not isinstance(expression, sympy.Expr) or isinstance(expression, sympy.MatrixExpr):
        raise ModelError(f"{what} is {quoted(value)}: give a scalar SymPy expression")
    return expression


def expressions_of(what: str, values: Any) -> tuple[sympy.Expr, ...]:
    """Return the elements of `values` as scalar SymPy expressions."""
    return tuple(expression_of(f"{what}[{index}]", value) for index, value in enumerate(sequence_of(what, values)))


def equations_of(what: str, values: Any) -> tuple[sympy.Expr, ...]:
    """Return equations as expressions that are zero.

    A list may hold such expressions and SymPy's ``Eq``; a mapping {left: right}, as ``kindiffdict`` and ``solve``
    give them, stands for left - right.
    """
    if _is_mapping(values):
        return tuple(
            expression_of(f"the left side {quoted(left)} in {what}", left)
            - expression_of(f"the right side of {quoted(left)} in {what}", right)
            for left, right in values.items()
        )
    return tuple(
        side for index, value in enumerate(sequence_of(what, values)) for side in _sides(f"{what}[{index}]", value)
    )


def _sides(what: str, value: Any) -> list[sympy.Expr]:
    """Return one equation, or those of the elements of two vectors, as left side minus right side."""
    if isinstance(value, (bool, sympy.logic.boolalg.BooleanAtom)):
        raise ModelError(
            f"{what} is {value}, what SymPy or Python made of an equation: give the expression that is zero, left side "
            f"minus right side"
        )
    if _is_mapping(value):
        raise ModelError(f"{what} is a mapping: give it by itself as {what.partition('[')[0]}, not within a list")
    if not isinstance(value, sympy.Equality):
        return [expression_of(what, value)]
    if all(isinstance(side, sympy.MatrixBase) for side in value.args):
        sides = [sequence_of(what, side) for side in value.args]
        return [left - right for left, right in zip(*sides, strict=True)]
    return [expression_of(f"a side of {what}", value.lhs) - expression_of(f"a side of {what}", value.rhs)]


def number_of(what: str, value: Any, kind: type[EomcError] = ModelError) -> float:
    """Return `value` as a finite float; what is none is an error of a kind whose message begins with `what`."""
    if _has_unit(value):
        raise kind(
            f"{what} is {quoted(value)}, a quantity with a unit: give its number in SI units; the unit of a parameter "
            f"is text beside it, (9.81, 'm/s^2')"
        )
    try:
        number = real_of(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise kind(f"{what} must be a finite number, not {quoted(value)}") from error
    if not math.isfinite(number):
        raise kind(f"{what} must be a finite number, not {number}")
    return number


def real_of(value: Any) -> float:
    """Return a real number as a float, infinite ones and NaN, too; a Python error tells what is none.

    Text, truth values, complex numbers and arrays are none, whatever `float` makes of them.
    """
    known = getattr(getattr(value, "dtype", None), "kind", "f")
    if isinstance(value, (bool, *_TEXT)) or known not in "iuf" or getattr(value, "ndim", None):
        raise TypeError(f"{type(value).__name__} is no number")
    return float(value)


def regular_array(given: ArrayLike, what: str) -> NDArray[Any]:
    """Return an array of numbers, or of objects where some are none: each value as it was given.

    Raises
    ------
    UsageError
        Rows are of different lengths, or the like; or quantities of a package for such, whose units would be lost.
    """
    if _holds_quantities(given):
        raise UsageError(
            f"{what}: give numbers in SI in place of quantities with units; what goes by name may be (numbers, 'unit')"
        )
    try:
        array = np.asarray(given)
        # text and None beside numbers would change what these are
        return array if array.dtype.kind in "fiub" else np.asarray(given, dtype=object)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{what} must be real numbers in a regular array: {error}") from error


def _has_unit(value: Any) -> bool:
    """Whether a value is a number times units, of SymPy or of a package for such."""
    if isinstance(value, sympy.Basic):
        return any(is_unit(node) for node in sympy.preorder_traversal(value))
    return hasattr(value, "units") or (hasattr(value, "unit") and hasattr(value, "dtype"))


def _holds_quantities(given: Any) -> bool:
    """Whether an array, or what is in a list, carries units in a way that NumPy takes for numbers."""
    if isinstance(given, (list, tuple)):
        return any(_holds_quantities(one) for one in given if type(one) not in (float, int))
    return hasattr(given, "to_value") or (hasattr(given, "units") and hasattr(given, "magnitude"))


def pair_of(what: str, value: Any, remedy: str) -> tuple[Any, Any]:
    """Return the two elements of a list or the like: a set has no first one, a mapping no use for its values."""
    try:
        first, second = sequence_of(what, value)
    except (ModelError, TypeError, ValueError) as error:
        raise ModelError(f"{what} is {quoted(value)}: give {remedy}") from error
    return first, second


def text_of(what: str, value: Any) -> str:
    """Return `value`, which must be text: a unit, a description, a name."""
    if not isinstance(value, str):
        raise ModelError(f"{what} is {quoted(value)}, not text: write it in quotes")
    return str(value)


def quoted(value: Any) -> str:
    """Return `value` as text in one line, cut to what fits into a message."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:50]} ... ({type(value).__name__})"


def kind_of(value: Any) -> str:
    """Return what `value` is: SymPy makes a class of every function, which bears its name."""
    if isinstance(value, AppliedUndef):
        return "function of time" if len(value.args) == 1 else "undefined function"
    return type(value).__name__


def _shape(matrix: sympy.MatrixBase) -> str:
    return " x ".join(map(str, matrix.shape))
