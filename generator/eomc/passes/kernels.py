"""How much the solve kernels do: their loops (``templates/c99/*.c.jinja``), counted.

Comparisons count as others, a tolerance that is computed once as nothing. For systems under constraints the rows are
taken as independent where there are no more of them than unknowns, else as of the rank n.
"""

from __future__ import annotations

from eomc.ir.operations import OperationCounts
from eomc.ir.systems import Factorization, SystemSpec

__all__ = ["count_system"]


def count_system(spec: SystemSpec) -> OperationCounts:
    """Return the operations of one call of the loop kernel that solves a system."""
    if spec.constraints:
        return _count_constrained(spec)
    if spec.factorization is Factorization.LDLT:
        return _ldlt(spec.n, spec.columns)
    return _lu(spec.n, spec.columns)


def _ldlt(n: int, columns: int) -> OperationCounts:
    """Return the operations of ldlt_solve: factorization, then two triangular solves per column."""
    inner = n * (n - 1) * (n - 2) // 6
    pairs = n * (n - 1) // 2
    return OperationCounts(
        additions=inner + 3 * pairs + columns * 2 * pairs,
        multiplications=inner + 3 * pairs + 2 * n + columns * (2 * pairs + n),
        divisions=n,
        others=2 * n,
    )


def _lu(n: int, columns: int) -> OperationCounts:
    """Return the operations of lu_solve: elimination with rows pivoted, then one triangular solve per column."""
    inner = (n - 1) * n * (2 * n - 1) // 6
    pairs = n * (n - 1) // 2
    return OperationCounts(
        additions=inner + 2 * pairs + columns * 2 * pairs,
        multiplications=inner + 3 * pairs + 2 * n + columns * 2 * pairs,
        divisions=2 * n + pairs + columns * n,
        others=3 * n * n + n + 2 * (pairs + n) + pairs + 2 * n,
    )


def _count_constrained(spec: SystemSpec) -> OperationCounts:
    """Return the operations of a constrained kernel: what all forms share, and what each does with U X = R."""
    n, m, columns = spec.n, spec.constraints, spec.columns
    rank = min(n, m)
    form = {
        Factorization.ELIMINATED: _eliminated,
        Factorization.AUGMENTED: _augmented,
        Factorization.RANGE_SPACE: _range_space,
        Factorization.NULL_SPACE: _null_space,
    }[spec.factorization]
    return _choose_rows(spec) + form(n, rank, columns) + _finish(spec)


def _products(times: int) -> OperationCounts:
    """Return a product that is added or subtracted, so many times."""
    return OperationCounts(additions=times, multiplications=times)


def _below(n: int) -> int:
    """Return the number of elements below the diagonal."""
    return n * (n - 1) // 2


def _factor(rows: int, columns: int) -> OperationCounts:
    """Return the operations of `factor`, every pivot found."""
    steps = range(min(rows, columns))
    return _products(sum((rows - k - 1) * (columns - k - 1) for k in steps)) + OperationCounts(
        multiplications=1,
        divisions=sum(rows - k - 1 for k in steps),
        others=sum(2 * (rows - k) * (columns - k) + 1 for k in steps) + 1,
    )


def _choose_rows(spec: SystemSpec) -> OperationCounts:
    """Return the operations of `choose_rows`, balancing and factoring of J included; every unknown has inertia."""
    n, m, columns = spec.n, spec.constraints, spec.columns
    rank = min(n, m)
    right = _products(columns * sum(min(i, rank) for i in range(m)))
    weighed = sum((m - k) * (n - k) for k in range(rank))
    divided = m * n + columns * (m + rank) + sum(n - i - 1 for i in range(rank))
    balanced = OperationCounts(m * n, 2 + 2 * m * n, n, square_roots=n, others=9 * m * n + 2 * n + m)
    if spec.sized:  # the parameters tell a size in the first row, so that every column is weighed anew
        balanced += OperationCounts(divisions=(m + 1) * n, others=3 * m * n + n - m * n)
    if spec.strict:
        balanced += OperationCounts(others=2 * m * columns)
    return _factor(m, n) + right + balanced + OperationCounts(multiplications=weighed, divisions=divided)


def _finish(spec: SystemSpec) -> OperationCounts:
    """Return the operations of `finish`: multipliers, and whether a row that was left out contradicts."""
    n, m, columns = spec.n, spec.constraints, spec.columns
    rank = min(n, m)
    total = _products(columns * _below(rank)) + OperationCounts(divisions=columns * rank)
    if rank == m:
        return total + _products(columns * _below(m)) + OperationCounts(divisions=columns * m)
    gram = sum((i + 1) * (m - i) for i in range(rank))
    spread = columns * sum(min(i + 1, rank) for i in range(m))
    least = _products(columns * _below(rank) + gram + spread)
    least += OperationCounts(multiplications=m * rank, divisions=columns * rank)
    if spec.strict:
        rest = m - rank
        each = rank + 2 * n
        judged = OperationCounts(each + 1, each + 2, each + 1, others=rank + 4 * n + 2)
        least += _products(rest * _below(rank))
        for _ in range(rest * columns):
            least += judged
    return total + _factor(m, rank) + least + _ldlt(rank, columns)


def _eliminated(n: int, rank: int, columns: int) -> OperationCounts:
    free = n - rank
    dependent = _products((free + columns) * _below(rank)) + OperationCounts(additions=rank * free)  # A and B
    reduced = _products(rank * rank * free + free * (free + 1) * rank)
    sides = _products(2 * columns * (rank * free + n * n)) + OperationCounts(additions=n * columns)
    sizes = _sizes(free, rank)
    sizes += OperationCounts(3 * free * rank, 2 * free * rank, others=2 * free * rank)  # beside M_II and M_ID
    return dependent + reduced + sizes + sides + _solved(free, columns)


def _sizes(free: int, n: int) -> OperationCounts:
    """Return what the elements below the diagonal of an n x n matrix add to the sizes of its reduced diagonal."""
    each = free * _below(n)
    return OperationCounts(additions=2 * each, multiplications=2 * each, others=each)


def _augmented(n: int, rank: int, columns: int) -> OperationCounts:
    size = n + rank
    beside = sum(n - i - 1 for i in range(rank))  # the diagonal of U
    built = OperationCounts(
        multiplications=n * (n + 1) + beside + 2 * rank * n,
        divisions=n + rank,
        square_roots=n,
        others=n + 2 * beside,
    )
    solved = _products(columns * (2 * _below(size) + n * n))
    solved += OperationCounts(multiplications=columns * (size + n), divisions=columns * size)
    judged = OperationCounts(3 * _below(size) + 2 * size, 2 * _below(size) + size, size, others=_below(size) + 4 * size)
    return built + _factor(size, size) + judged + solved


def _range_space(n: int, rank: int, columns: int) -> OperationCounts:
    schur = _products(sum((i + 1) * (n - i - 1) for i in range(rank)))
    right = _products(columns * sum(n - i - 1 for i in range(rank))) + OperationCounts(additions=columns * rank)
    sides = _products(columns * (n * rank + n * n))
    sizes = sum(n - i - 1 for i in range(rank))
    sized = OperationCounts(sizes, sizes, others=sizes + rank)
    return _ldlt(n, rank + columns) + schur + sized + right + _solved(rank, columns) + sides


def _null_space(n: int, rank: int, columns: int) -> OperationCounts:
    free = n - rank
    reflected = OperationCounts()
    for k in range(rank):
        vectors = n + rank - k
        reflected += _products(2 * (n - k) * (vectors + 1))
        reflected += OperationCounts(1, vectors, divisions=1, square_roots=1, others=1)
    particular = _products(columns * (_below(rank) + n * rank)) + OperationCounts(divisions=columns * rank)
    reduced = _products(n * n * free + free * (free + 1) // 2 * n)
    sides = _products(2 * columns * (n * free + n * n)) + OperationCounts(additions=n * columns)
    sizes = _sizes(free, n) + OperationCounts(free * n, 2 * free * n, others=free * n)
    sizes += OperationCounts(multiplications=n * rank)  # weights of the unknowns
    return reflected + particular + reduced + sizes + sides + _solved(free, columns)


def _solved(n: int, columns: int) -> OperationCounts:
    return _ldlt(n, columns) if n else OperationCounts()
