"""From what users write as entries of links and joints to numbers and expressions of parameters.

Numbers stay numbers, so that a tree of a thousand joints meets SymPy in the symbols of its coordinates alone.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from typing import Any, TypeAlias

import sympy
from sympy.core.function import AppliedUndef

from eomc.errors import ModelError
from eomc.model.arguments import expression_of, number_of, quoted, sequence_of
from eomc.model.trees.records import Entry, Tensor, Triple

_SPREAD = 1e-6  # how far the products of given columns may be from 0 and 1: six digits were written
_ROUNDING = 8 * 2.0**-52  # how far those of columns written to the last digit are
_EXACT = 2**53  # integers up to here are doubles
_POINTS = 3  # at which an identity in parameters is looked at

Rows: TypeAlias = Sequence[Sequence[Entry]]


def is_number(entry: Any) -> bool:
    """Whether an entry is a plain number of Python."""
    return type(entry) in (int, float)


def entry_of(what: str, value: Any) -> Entry:
    """Return a finite number as it is, or an expression of parameters alone.

    Raises
    ------
    ModelError
        It is neither; the message begins with `what`.
    """
    if (type(value) is float and math.isfinite(value)) or (type(value) is int and abs(value) <= _EXACT):
        return value
    if not isinstance(value, sympy.Basic):
        return number_of(what, value)
    if isinstance(value, sympy.Integer) and abs(value) <= _EXACT:
        return int(value)
    if isinstance(value, (sympy.Integer, sympy.Float)):
        return number_of(what, value)
    expression = expression_of(what, value)
    moving = expression.atoms(AppliedUndef, sympy.Derivative)
    if moving:
        first = min(moving, key=str)
        raise ModelError(f"{what} holds {first}, which moves: give a number or an expression of parameters")
    return expression


def triple_of(what: str, values: Any) -> Triple:
    """Return three entries."""
    found = sequence_of(what, values)
    if len(found) != 3:
        raise ModelError(f"{what} has {len(found)} entries: give three, in x, y and z")
    x, y, z = (entry_of(f"{what}[{index}]", value) for index, value in enumerate(found))
    return x, y, z


def matrix_of(what: str, rows: Any) -> Tensor:
    """Return three rows of three entries, of a list of rows or a matrix of SymPy or NumPy."""
    found = rows.tolist() if isinstance(rows, sympy.MatrixBase) else rows
    if isinstance(found, (str, bytes)) or not hasattr(found, "__iter__") or len(found := tuple(found)) != 3:
        raise ModelError(f"{what} is {quoted(rows)}: give three rows of three entries")
    if not any(hasattr(row, "__iter__") for row in found):
        raise ModelError(f"{what} is {quoted(rows)}, three entries: give three rows of them, ((xx, xy, xz), ...)")
    first, second, third = (triple_of(f"{what}[{index}]", row) for index, row in enumerate(found))
    return first, second, third


def symmetric_of(what: str, rows: Any) -> Tensor:
    """Return a symmetric matrix; numbers that differ by rounding are made equal."""
    matrix = matrix_of(what, rows)
    size = max((abs(entry) for row in matrix for entry in row if is_number(entry)), default=0.0)
    entries = [list(row) for row in matrix]
    for i, k in ((0, 1), (0, 2), (1, 2)):
        one, other = entries[i][k], entries[k][i]
        if one == other:
            continue
        if is_number(one) and is_number(other) and abs(one - other) <= 1e-9 * size:
            entries[i][k] = entries[k][i] = (one + other) / 2
        elif (is_number(one) and is_number(other)) or not _vanish([sympy.sympify(one) - other], 1e-9):
            raise ModelError(
                f"{what} is not symmetric: entry [{i}][{k}] is {quoted(one)} and [{k}][{i}] is {quoted(other)}"
            )
        else:
            entries[k][i] = one
    return _tensor(entries)


def direction_of(what: str, values: Any) -> Triple:
    """Return a unit vector along the given one: numbers are divided by their length.

    An expression of parameters must have the length 1, whatever the parameters are.
    """
    axis = triple_of(what, values)
    if all(map(is_number, axis)):
        length = math.hypot(*axis)
        if length == 0 or not math.isfinite(length):
            raise ModelError(f"{what} is {axis}, which has no direction: give another vector than zero")
        if abs(length - 1) <= _ROUNDING:
            return axis
        x, y, z = (entry if entry == 0 else entry / length for entry in axis)
        return x, y, z
    if not _vanish([sympy.Add(*(sympy.sympify(entry) ** 2 for entry in axis)) - 1], 1e-9):
        raise ModelError(f"{what} is {quoted(axis)}, whose length is not 1 for all parameters: give a unit vector")
    return axis


def rotation_of(what: str, rows: Any) -> Tensor:
    """Return a rotation matrix: orthonormal, and no reflection.

    Numbers that were given to six digits at least are made orthonormal to the last digit.
    """
    matrix = matrix_of(what, rows)
    if not all(is_number(entry) for row in matrix for entry in row):
        if not _vanish(_defects(matrix), 1e-9):
            raise ModelError(
                f"{what} is no rotation for all parameters: its columns must be unit vectors at right angles, "
                f"right-handed"
            )
        return matrix
    worst = max(map(abs, _defects(matrix)))
    if not worst <= _SPREAD:
        raise ModelError(
            f"{what} is no rotation: its columns must be unit vectors at right angles, right-handed, to six digits "
            f"at least"
        )
    while worst > _ROUNDING:
        matrix = _nearer(matrix)
        before, worst = worst, max(map(abs, _defects(matrix)))
        if worst >= before:
            break
    return matrix


def _defects(matrix: Rows) -> list[Any]:
    """Return what is zero of a rotation: products of columns less those of unit vectors, the determinant less 1."""
    columns = list(zip(*matrix, strict=True))
    products = [
        sum(a * b for a, b in zip(columns[i], columns[k], strict=True)) - int(i == k)
        for i in range(3)
        for k in range(i, 3)
    ]
    (a, b, c), (d, e, f), (g, h, i) = matrix
    return [*products, a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) - 1]


def _nearer(matrix: Tensor) -> Tensor:
    """Return R (3 - R^T R)/2, a step of Newton's method to the nearest rotation, which keeps structural zeros."""
    columns = list(zip(*matrix, strict=True))
    gram = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in columns] for one in columns]
    weights = [[((3 if i == k else 0) - gram[i][k]) / 2 for k in range(3)] for i in range(3)]
    return _tensor([[sum(row[i] * weights[i][k] for i in range(3)) for k in range(3)] for row in matrix])


def _tensor(rows: Rows) -> Tensor:
    (a, b, c), (d, e, f), (g, h, i) = rows
    return (a, b, c), (d, e, f), (g, h, i)


def _vanish(expressions: Sequence[Any], tolerance: float) -> bool:
    """Whether expressions of parameters are identities, by their values at a few points."""
    exact = [sympy.sympify(one) for one in expressions]
    symbols = sorted(set(itertools.chain.from_iterable(one.free_symbols for one in exact)), key=sympy.default_sort_key)
    generator = random.Random(1)
    for _ in range(_POINTS):
        point = {symbol: sympy.Float(generator.uniform(0.2, 1.7)) for symbol in symbols}
        for one in exact:
            value = sympy.N(one.subs(point))
            if value.is_finite and not abs(value) <= tolerance:
                return False
    return True
