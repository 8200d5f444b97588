"""The parameters that users write, plain symbols and arrays, as the records of a model."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from eomc.errors import ModelError
from eomc.model.arguments import quoted
from eomc.model.arrays import array_of, elements_of, index_of, is_array, is_element, shape_of
from eomc.model.names import name_of
from eomc.model.parts import Parameter
from eomc.model.records import parameter_of


def parameters_of(values: Iterable[tuple[Any, Any]]) -> tuple[Parameter, ...]:
    """Return parameters in the order in which they are given; all elements of an array, where its first one stands.

    Parameters
    ----------
    values
        Pairs: symbol, element of an array or whole array; value, (value, unit) or (value, unit, description).

    Raises
    ------
    ModelError
        A value is none; an array and its values differ in shape; an element is given twice.
    """
    arrays: dict[sympy.Basic, dict[tuple[int, ...], Parameter]] = {}
    shapes: dict[sympy.Basic, tuple[int, ...]] = {}
    order: list[Parameter | sympy.Basic] = []
    for raw, value in values:
        if is_array(raw):
            found, shape = _whole(raw, value)
            shapes[raw] = shape
        elif is_element(raw):
            found = {index_of(raw): parameter_of(raw, value)}
        else:
            order.append(parameter_of(raw, value))
            continue
        array = raw if is_array(raw) else array_of(raw)
        if array not in arrays:
            order.append(array)
        known = arrays.setdefault(array, {})
        for index, parameter in found.items():
            if index in known:
                raise ModelError(f"parameter {parameter.name} has two values, one alone and one in {array}")
            known[index] = parameter
    groups = (
        [one] if isinstance(one, Parameter) else _side_by_side(one, arrays[one], shapes.get(one)) for one in order
    )
    return tuple(itertools.chain.from_iterable(groups))


def _whole(array: Any, value: Any) -> tuple[dict[tuple[int, ...], Parameter], tuple[int, ...]]:
    """Return the elements of an array that is given as a whole, and its shape."""
    words: tuple[Any, ...] = ()
    if isinstance(value, tuple) and 1 < len(value) <= 3 and all(isinstance(word, str) for word in value[1:]):
        value, words = value[0], value[1:]
    try:
        numbers = np.asarray(value.tolist() if isinstance(value, sympy.MatrixBase) else value, dtype=object)
    except ValueError as error:
        raise ModelError(f"parameter {array} is {quoted(value)}: give an array of numbers") from error
    wanted = shape_of(array)
    shape = numbers.shape if wanted is None else wanted
    fits = numbers.shape == shape or (numbers.ndim == 2 and len(shape) == 1 and numbers.size == shape[0])
    if not shape or 0 in shape or not fits:
        told = f"it has the shape {shape}" if wanted else "give it one number for each index"
        raise ModelError(f"parameter {array} is given numbers of the shape {numbers.shape}: {told}")
    pairs = zip(elements_of(array, shape), numbers.ravel().tolist(), strict=True)
    return {index: parameter_of(symbol, (number, *words)) for (index, symbol), number in pairs}, shape


def _side_by_side(
    array: Any, known: Mapping[tuple[int, ...], Parameter], shape: tuple[int, ...] | None
) -> list[Parameter]:
    """Return all elements of an array, those without a value as zeros that fill their places."""
    shape = shape or shape_of(array)
    if shape is None:  # as large as the elements that are there
        if len({len(index) for index in known}) > 1:
            raise ModelError(f"the elements of {array} have different numbers of indices")
        shape = tuple(1 + max(column) for column in zip(*known, strict=True))
    outside = [parameter.name for index, parameter in known.items() if not _is_inside(index, shape)]
    if outside:
        raise ModelError(f"parameter {outside[0]} is outside of {array}, which has the shape {shape}")
    first = next(iter(known.values()))
    found = []
    for index, symbol in elements_of(array, shape):
        own = known.get(index) or Parameter(
            symbol, name_of(symbol), 0.0, first.unit, given=False, written=first.written
        )
        found.append(replace(own, array=name_of(array), index=index, shape=shape))
    return found


def _is_inside(index: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return len(index) == len(shape) and all(i < n for i, n in zip(index, shape, strict=True))
