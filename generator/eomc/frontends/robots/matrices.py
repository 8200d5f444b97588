"""Matrices and vectors of numbers in three dimensions."""

from __future__ import annotations

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]


def times(matrix: Matrix, vector: Triple) -> Triple:
    """Return R v."""
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def product(one: Matrix, other: Matrix) -> Matrix:
    """Return the product of two matrices."""
    columns = tuple(zip(*other, strict=True))
    first, second, third = (
        (
            sum(a * b for a, b in zip(row, columns[0], strict=True)),
            sum(a * b for a, b in zip(row, columns[1], strict=True)),
            sum(a * b for a, b in zip(row, columns[2], strict=True)),
        )
        for row in one
    )
    return first, second, third


def turned(tensor: Matrix, matrix: Matrix) -> Matrix:
    """Return R T R^T, the tensor in the axes that R turns into, symmetric to the last digit."""
    half = product(matrix, tensor)
    rows = product(half, _transposed(matrix))
    (a, b, c), (_, e, f), (_, _, i) = rows
    return (a, b, c), (b, e, f), (c, f, i)


def _transposed(matrix: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = matrix
    return (a, d, g), (b, e, h), (c, f, i)
