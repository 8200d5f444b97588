"""Parameters that are arrays: elements of a MatrixSymbol or an IndexedBase, one parameter each, side by side.

An array is named by its symbol, an element by its indices: ``I[2]`` of a row or column, ``I[0,1]`` of a matrix. A
mapping may give all elements at once, as NumPy or SymPy has them, or some, one by one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeGuard

import sympy
from sympy.matrices.expressions.matexpr import MatrixElement

from eomc.errors import ModelError, UsageError
from eomc.units import with_unit


def is_array(symbol: object) -> bool:
    """Whether a symbol stands for a whole array."""
    return isinstance(symbol, (sympy.MatrixSymbol, sympy.IndexedBase))


def is_element(node: object) -> TypeGuard[sympy.Expr]:
    """Whether an expression is an element of an array."""
    return isinstance(node, (MatrixElement, sympy.Indexed))


def array_of(element: sympy.Expr) -> sympy.Basic:
    """Return the array that an element belongs to."""
    parent: sympy.Basic = element.parent if isinstance(element, MatrixElement) else element.base
    return parent


def index_of(element: sympy.Expr) -> tuple[int, ...]:
    """Return the indices of an element; one alone for a row or column.

    Raises
    ------
    ModelError
        An index is no number.
    """
    given = indices(element)
    if not all(index.is_Integer and index >= 0 for index in given):
        raise ModelError(f"{element}: its index is no number: write out the elements, such as those of a Sum")
    return tuple(int(one) for one in given)


def indices(element: sympy.Expr) -> tuple[sympy.Expr, ...]:
    """Return the indices of an element as they stand; one alone for a row or column."""
    given: tuple[sympy.Expr, ...] = element.args[1:]
    if isinstance(element, MatrixElement) and 1 in element.parent.shape:
        return given[:1] if element.parent.shape[1] == 1 else given[1:]
    return given


def shape_of(array: sympy.Basic) -> tuple[int, ...] | None:
    """Return the shape of an array, flat for a row or column; None where it does not say."""
    shape = array.shape
    if shape is None:
        return None
    if not all(getattr(one, "is_Integer", isinstance(one, int)) for one in shape):
        raise ModelError(f"{array} has the shape {tuple(shape)}: give it numbers")
    sizes = tuple(int(one) for one in shape)
    is_vector = isinstance(array, sympy.MatrixSymbol) and 1 in sizes
    return (math.prod(sizes),) if is_vector else sizes


def elements_of(array: Any, shape: Sequence[int]) -> list[tuple[tuple[int, ...], sympy.Expr]]:
    """Return index and symbol of every element, the last index fastest."""
    found = []
    for index in itertools.product(*map(range, shape)):
        place: tuple[int, ...] = index
        if isinstance(array, sympy.MatrixSymbol) and len(index) == 1:
            place = (*index, 0) if array.shape[1] == 1 else (0, *index)
        found.append((index, array[place]))
    return found


class _Named(Protocol):
    """A parameter as a model or a program has it."""

    @property
    def name(self) -> str: ...
    @property
    def array(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...


class Arrays:
    """The arrays among some parameters, by name.

    Parameters
    ----------
    parameters
        In order; elements of an array stand side by side.
    """

    __slots__ = ("_elements", "_shapes")

    def __init__(self, parameters: Iterable[_Named]) -> None:
        self._elements: dict[str, list[str]] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}
        for parameter in parameters:
            if parameter.array:
                self._elements.setdefault(parameter.array, []).append(parameter.name)
                self._shapes[parameter.array] = parameter.shape

    def spread(self, values: Mapping[Any, Any]) -> Mapping[Any, Any]:
        """Return values by name and symbol, those of whole arrays as values of their elements.

        Raises
        ------
        UsageError
            An array has another shape.
        """
        if not self._elements:
            return values
        spread: dict[Any, Any] = {}
        for key, value in values.items():
            name = str(key) if is_array(key) else key
            if isinstance(name, str) and name in self._elements:
                numbers, unit = with_unit(value)
                elements = self._flat(name, numbers)
                spread.update(
                    zip(self._elements[name], [(e, unit) for e in elements] if unit else elements, strict=True)
                )
            else:
                spread[key] = value
        return spread

    def _flat(self, name: str, value: Any) -> list[Any]:
        """Return the elements of a value for an array; of a row or column, rows of one element will do, too."""
        import numpy as np

        shape = self._shapes[name]
        given = np.asarray(value, dtype=object)
        fits = given.shape == shape or (len(shape) == 1 and given.size == shape[0] and given.ndim == 2)
        if not fits:
            raise UsageError(f"{name} is an array of the shape {shape}, not {given.shape}")
        return [one.item() if isinstance(one, np.generic) else one for one in given.ravel().tolist()]
