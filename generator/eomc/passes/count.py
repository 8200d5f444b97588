"""Operation counts, as a value that adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from eomc.ir.graph import Data, Graph, Node
from eomc.ir.ops import Op
from eomc.ir.systems import Factorization, SystemSpec

__all__ = ["OperationCounts", "count_operations", "count_system"]


@dataclass(frozen=True, slots=True)
class OperationCounts:
    """How often each kind of arithmetic is done; a negation counts as an addition."""

    additions: int = 0
    multiplications: int = 0
    divisions: int = 0
    square_roots: int = 0
    functions: int = 0  # transcendental: sin, exp, atan2, hypot, pow, ...
    others: int = 0  # comparisons, selections, abs, min, max, floor

    def __add__(self, other: OperationCounts) -> OperationCounts:
        return OperationCounts(
            self.additions + other.additions,
            self.multiplications + other.multiplications,
            self.divisions + other.divisions,
            self.square_roots + other.square_roots,
            self.functions + other.functions,
            self.others + other.others,
        )

    @property
    def total(self) -> int:
        """All operations."""
        return self.additions + self.multiplications + self.divisions + self.square_roots + self.functions + self.others

    def __str__(self) -> str:
        kinds = (
            (self.additions, "add"),
            (self.multiplications, "mul"),
            (self.divisions, "div"),
            (self.square_roots, "sqrt"),
            (self.functions, "libm"),
            (self.others, "other"),
        )
        parts = [f"{number} {word}" for number, word in kinds if number]
        return f"{self.total} ({', '.join(parts)})" if parts else "0"


_ADDITION = OperationCounts(additions=1)
_MULTIPLICATION = OperationCounts(multiplications=1)
_FUNCTION = OperationCounts(functions=1)
_OTHER = OperationCounts(others=1)
_NOTHING = OperationCounts()

COST: dict[Op, OperationCounts] = {
    Op.CONSTANT: _NOTHING,
    Op.SYMBOL: _NOTHING,
    Op.ADD: _ADDITION,
    Op.SUB: _ADDITION,
    Op.MUL: _MULTIPLICATION,
    Op.DIV: OperationCounts(divisions=1),
    Op.NEG: _ADDITION,
    Op.POWI: _MULTIPLICATION,  # at least: see count_operations
    Op.SQRT: OperationCounts(square_roots=1),
    Op.CBRT: _FUNCTION,
    Op.SIN: _FUNCTION,
    Op.COS: _FUNCTION,
    Op.TAN: _FUNCTION,
    Op.ASIN: _FUNCTION,
    Op.ACOS: _FUNCTION,
    Op.ATAN: _FUNCTION,
    Op.ATAN2: _FUNCTION,
    Op.SINH: _FUNCTION,
    Op.COSH: _FUNCTION,
    Op.TANH: _FUNCTION,
    Op.EXP: _FUNCTION,
    Op.LOG: _FUNCTION,
    Op.POW: _FUNCTION,
    Op.ABS: _OTHER,
    Op.SIGN: _OTHER,
    Op.MIN: _OTHER,
    Op.MAX: _OTHER,
    Op.FLOOR: _OTHER,
    Op.MOD: OperationCounts(additions=1, multiplications=1, divisions=1, others=1),
    Op.HYPOT: _FUNCTION,
    Op.LT: _OTHER,
    Op.LE: _OTHER,
    Op.EQ: _OTHER,
    Op.NE: _OTHER,
    Op.AND: _OTHER,
    Op.OR: _OTHER,
    Op.NOT: _NOTHING,
    Op.SELECT: _OTHER,
    Op.SOLVE: _NOTHING,  # its size is in its data: see count_system
    Op.RESULT: _NOTHING,
}


def count_operations(graph: Graph, nodes: Iterable[Node]) -> OperationCounts:
    """Return what it takes to evaluate each of the nodes once, their arguments given."""
    nodes = list(nodes)
    ops, data = graph.ops, graph.data
    total = OperationCounts()
    for op, times in Counter([ops[node] for node in nodes]).items():
        if op is Op.SOLVE or op is Op.POWI:
            for node in nodes:
                if ops[node] is op:
                    total = total + _cost_by_data(data[node])
            continue
        cost = COST[op]
        total = total + OperationCounts(
            cost.additions * times,
            cost.multiplications * times,
            cost.divisions * times,
            cost.square_roots * times,
            cost.functions * times,
            cost.others * times,
        )
    return total


def _cost_by_data(data: Data) -> OperationCounts:
    """Return the operations of a linear system or of a power."""
    if isinstance(data, SystemSpec):
        return count_system(data)
    assert isinstance(data, int)
    size = abs(data)
    products = size.bit_length() + size.bit_count() - 2
    return OperationCounts(multiplications=products, divisions=int(data < 0))


def count_system(spec: SystemSpec) -> OperationCounts:
    """Return the operations of one call of the loop kernel: factorization, then two triangular solves per column."""
    n, columns = spec.n, spec.columns
    if spec.constraints:
        return _count_constrained(spec)
    if spec.factorization is Factorization.LDLT:
        inner = n * (n - 1) * (n - 2) // 6
        pairs = n * (n - 1) // 2
        return OperationCounts(
            additions=inner + pairs + columns * 2 * pairs,
            multiplications=inner + 2 * pairs + n + columns * (2 * pairs + n),
            divisions=n,
            others=2 * n,
        )
    inner = (n - 1) * n * (2 * n - 1) // 6
    pairs = n * (n - 1) // 2
    return OperationCounts(
        additions=inner + columns * 2 * pairs,
        multiplications=inner + pairs + n + columns * 2 * pairs,
        divisions=n + pairs + columns * n,
        others=2 * n * n + 2 * (pairs + n) + n,
    )


def _count_constrained(spec: SystemSpec) -> OperationCounts:
    """Return the operations of a constrained kernel where no row is redundant and no reflection is skipped."""
    n, m, c = spec.n, spec.constraints, spec.columns
    free = n - m
    steps = range(min(m, n))
    chosen = sum((m - k - 1) * (n - k - 1) for k in steps)  # products of the elimination of J
    divided = m * n + sum(m - k - 1 for k in steps)
    compared = m * n + sum((m - k) * (n - k) for k in steps)
    # residual F - M X once or twice, then U^T and L^T for the multipliers
    residuals = n * n * c * (2 if spec.factorization in (Factorization.ELIMINATED, Factorization.NULL_SPACE) else 1)
    back = c * m * (m - 1)
    products, divisions = chosen + residuals + back, divided + 2 * c * m
    if spec.factorization is Factorization.ELIMINATED:
        products += free * m * (m - 1) // 2 + c * m * (m - 1)  # A and B
        products += m * free * m + free * (free + 1) * m  # M_DI + M_DD A, reduced matrix
        products += 2 * c * free * m
        divisions += free * m + 2 * c * m
        inner = SystemSpec(Factorization.LDLT, free, c, ())
    elif spec.factorization is Factorization.AUGMENTED:
        divisions += c * m
        inner = SystemSpec(Factorization.LU, n + m, c, ())
    elif spec.factorization is Factorization.RANGE_SPACE:
        products += m * (m + 1) // 2 * n + 2 * c * m * n
        divisions += c * m
        schur = count_system(SystemSpec(Factorization.LDLT, m, c, ())) if m else OperationCounts()
        inner = SystemSpec(Factorization.LDLT, n, m + c, ())
        return OperationCounts(products, products, divisions, others=compared) + schur + count_system(inner)
    else:
        reflected = sum((n - k) * (2 * n + 2 * (m - k) + 4) for k in steps)
        products += reflected + c * (m * (m - 1) // 2 + n * m + 2 * n * free)
        products += n * n * free + free * (free + 1) // 2 * n
        divisions += sum((n - k) * (n + m - k) for k in steps) + 2 * c * m
        inner = SystemSpec(Factorization.LDLT, free, c, ())
    total = OperationCounts(products, products, divisions, others=compared)
    if spec.factorization is Factorization.NULL_SPACE:
        total = total + OperationCounts(square_roots=m)
    return total + count_system(inner) if inner.n > 0 else total
