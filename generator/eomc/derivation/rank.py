"""What numeric matrices tell: the unknown that one leaves undetermined, a row that says nothing new, definiteness."""

from __future__ import annotations

__all__ = ["combination", "has_positive_pivots", "redundant_row", "redundant_rows", "weakest_unknown"]

_NEGLIGIBLE = 1e-13  # a pivot of an equilibrated matrix that is only rounding


def weakest_unknown(rows: list[list[float]]) -> int | None:
    """Return the unknown that a numerically singular matrix does not determine, None for a regular one.

    Gaussian elimination with complete pivoting; the unknown left with a negligible pivot is the answer.
    """
    sparse = [{j: x for j, x in enumerate(row) if x} for row in _equilibrated(rows)]
    peaks = [max(map(abs, row.values()), default=0.0) for row in sparse]
    left = list(range(len(rows)))
    while sparse:
        largest = peaks.index(max(peaks))
        pivots, peak = sparse.pop(largest), peaks.pop(largest)
        if not peak > _NEGLIGIBLE:
            return left[0]
        column = min(j for j, x in pivots.items() if abs(x) == peak)
        pivot = pivots.pop(column)
        left.remove(column)
        for i, row in enumerate(sparse):
            factor = row.pop(column, 0.0) / pivot
            if factor:
                for j, x in pivots.items():
                    row[j] = row.get(j, 0.0) - factor * x
                peaks[i] = max(map(abs, row.values()), default=0.0)
    return None


def redundant_row(rows: list[list[float]]) -> int | None:
    """Return the first row that is a combination of those before it, None where there is none."""
    return next(iter(redundant_rows(rows, _NEGLIGIBLE)), None)


def redundant_rows(rows: list[list[float]], negligible: float) -> list[int]:
    """Return the rows that are combinations of those before them, as far as a pivot of such a size tells.

    Gaussian elimination row by row, each with its largest entry as pivot.
    """
    done: list[tuple[int, list[float]]] = []
    found = []
    for index, given in enumerate(_equilibrated(rows)):
        row = given
        for column, other in done:
            factor = row[column] / other[column]
            if factor:
                row = [0.0 if j == column else a - factor * b for j, (a, b) in enumerate(zip(row, other, strict=True))]
        column = max(range(len(row)), key=lambda j: abs(row[j]))
        if abs(row[column]) <= negligible:
            found.append(index)
        else:
            done.append((column, row))
    return found


def has_positive_pivots(rows: list[list[float]]) -> bool:
    """Whether no pivot of a symmetric matrix's L D L^T is zero or negative; a NaN says nothing."""
    rows = [list(row) for row in rows]
    n = len(rows)
    for k in range(n):
        if rows[k][k] <= 0.0:
            return False
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return True


def _equilibrated(rows: list[list[float]]) -> list[list[float]]:
    """Return the matrix with rows, then columns, divided by their largest entry, so that units do not matter."""
    rows = [[x / (max(map(abs, row), default=0.0) or 1.0) for x in row] for row in rows]
    peaks = [max(map(abs, column), default=0.0) or 1.0 for column in zip(*rows, strict=True)]
    return [[x / peak for x, peak in zip(row, peaks, strict=True)] for row in rows]


def combination(rows: list[list[float]], row: list[float]) -> list[float] | None:
    """Return the factors that make `row` of independent `rows`, None where it is no combination of them.

    Rows that follow from others get the factor zero.
    """
    size = max(map(abs, row), default=0.0)
    left = list(row)
    done: list[tuple[int, list[float], list[float]]] = []  # pivot column, reduced row, how it is made of `rows`
    for index, given in enumerate(rows):
        reduced, made = list(given), [float(k == index) for k in range(len(rows))]
        for column, other, recipe in done:
            factor = reduced[column] / other[column]
            reduced = [
                0.0 if j == column else a - factor * b for j, (a, b) in enumerate(zip(reduced, other, strict=True))
            ]
            made = [a - factor * b for a, b in zip(made, recipe, strict=True)]
        column = max(range(len(reduced)), key=lambda j: abs(reduced[j]))
        if abs(reduced[column]) > 1e-11 * max(map(abs, given), default=0.0):
            done.append((column, reduced, made))
    factors = [0.0] * len(rows)
    for column, other, recipe in done:
        factor = left[column] / other[column]
        left = [0.0 if j == column else a - factor * b for j, (a, b) in enumerate(zip(left, other, strict=True))]
        factors = [a + factor * b for a, b in zip(factors, recipe, strict=True)]
    return factors if max(map(abs, left), default=0.0) <= 1e-9 * size else None
