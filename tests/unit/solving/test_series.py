"""Power series of the graph: recurrences of all ops and systems against values on circles in the complex plane."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eomc.errors import UnsupportedError
from eomc.ir.equations import LinearSystem
from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import OPS, ROUGH, Kind, Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization, SystemSpec
from eomc.solving.checks import Checks
from eomc.solving.ldlt import solve_positive_definite
from eomc.solving.linear import solve_general
from eomc.solving.series import Series, make_series

ORDER = 30
RADIUS = mpmath.mpf("0.125")  # of the circles; the values are smooth far beyond it
POINTS = 64
SYMBOLS = [Symbol(Role.STATE, i, name) for i, name in enumerate("xyz")]
CURVES = ((0.7, 0.4, -0.3, 0.2), (-0.4, 0.5, 0.1), (0.9, -0.6))  # the symbols, by powers of time
PARAMETER = Symbol(Role.PARAMETER, 0, "p")

VALUES: dict[Op, Callable[..., Any]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: lambda a, b: a / b,
    Op.NEG: lambda a: -a,
    Op.POW: mpmath.power,
    Op.ATAN2: lambda y, x: mpmath.log((x + 1j * y) / (x - 1j * y)) / 2j,  # of the right half-plane
    **{op: getattr(mpmath, op.value) for op in (Op.SQRT, Op.SIN, Op.COS, Op.TAN, Op.ASIN, Op.ACOS, Op.ATAN)},
    **{op: getattr(mpmath, op.value) for op in (Op.SINH, Op.COSH, Op.TANH, Op.EXP, Op.LOG)},
}


def exact(graph: Graph, roots: Sequence[Node]) -> list[list[Any]]:
    """Return the coefficients of nodes along the curves: means over a circle, at 45 digits."""
    with mpmath.workdps(45):
        turns = [mpmath.expjpi(mpmath.mpf(2 * m) / POINTS) for m in range(POINTS)]
        rows = [values_at(graph, roots, RADIUS * turn) for turn in turns[: POINTS // 2 + 1]]
        rows += [list(map(mpmath.conj, row)) for row in rows[POINTS // 2 - 1 : 0 : -1]]  # real functions
        return [
            [
                mpmath.re(sum(row[i] * turns[-m * k % POINTS] for m, row in enumerate(rows))) / POINTS / RADIUS**k
                for k in range(ORDER + 1)
            ]
            for i in range(len(roots))
        ]


def values_at(graph: Graph, roots: Sequence[Node], time: Any) -> list[Any]:
    """Return the values of nodes at a complex time."""
    known: dict[Node, Any] = {}
    for node in graph.reachable(roots):
        op, data, args = graph.ops[node], graph.data[node], [known[a] for a in graph.args[node]]
        if op is Op.CONSTANT:
            known[node] = mpmath.mpf(Fraction(data).numerator) / Fraction(data).denominator
        elif op is Op.SYMBOL:
            assert isinstance(data, Symbol)
            known[node] = mpmath.mpf("1.3") if data == PARAMETER else mpmath.polyval(CURVES[data.index][::-1], time)
        elif op is Op.POWI:
            known[node] = args[0] ** data
        elif op is Op.SELECT:
            known[node] = args[1] if args[0] else args[2]
        elif op is Op.LT:
            known[node] = args[0].real < args[1].real
        elif op is Op.RESULT:
            known[node] = args[0][data]
        elif op is Op.SOLVE:
            assert isinstance(data, SystemSpec)
            matrix = mpmath.matrix(data.whole(args, mpmath.mpf(0)))
            right = mpmath.matrix(data.rows, data.columns)
            for i, entry in enumerate(args[data.matrix_entries :]):
                right[i // data.columns, i % data.columns] = entry
            columns = [mpmath.lu_solve(matrix, right[:, c]) for c in range(data.columns)]
            known[node] = [columns[c][i] for i in range(data.rows) for c in range(data.columns)]
        else:
            known[node] = VALUES[op](*args)
    return [known[root] for root in roots]


def series_of(graph: Graph, roots: Sequence[Node], systems: Sequence[LinearSystem] = ()) -> Series:
    """Return the series of nodes over the symbols."""
    terms = {graph.symbol(s): graph.symbol(Symbol(Role.TERM, i, s.name)) for i, s in enumerate(SYMBOLS)}
    return make_series(graph, roots, terms, systems)


def expanded(graph: Graph, roots: Sequence[Node], series: Series) -> list[list[float]]:
    """Return the coefficients of nodes as the series give them, order by order."""
    point = Sample(graph, {**{s: curve[0] for s, curve in zip(SYMBOLS, CURVES, strict=True)}, PARAMETER: 1.3})
    steady: dict[Symbol, float] = {PARAMETER: 1.3}
    steady |= {Symbol(Role.KEPT, i, f"kept {i}"): point[node] for i, node in enumerate(series.kept)}
    left, right, squares = [[0.0]], [[0.0]], [[0.0]]
    result = [[point[root]] for root in roots]
    for k in range(1, ORDER + 1):
        values = dict(steady)
        for i, (symbol, curve) in enumerate(zip(SYMBOLS, CURVES, strict=True)):
            values[Symbol(Role.TERM, i, symbol.name)] = curve[k] if k < len(curve) else 0.0
        values[Symbol(Role.ORDER, 0, "k")] = float(k)
        for i in range(len(series.left)):
            values[Symbol(Role.PRODUCT, i, f"product {i}")] = sum(left[j][i] * right[k - j][i] for j in range(1, k))
        for i in range(len(series.squares)):
            values[Symbol(Role.SQUARE, i, f"square {i}")] = sum(squares[j][i] * squares[k - j][i] for j in range(1, k))
        sample = Sample(graph, values)
        left.append(sample.vector(series.left))
        right.append(sample.vector(series.right))
        squares.append(sample.vector(series.squares))
        for found, value in zip(result, sample.vector(series.rates), strict=True):
            found.append(value)
    return result


def agree(graph: Graph, roots: Sequence[Node], systems: Sequence[LinearSystem] = ()) -> Series:
    """Compare all coefficients, each beside the largest term at half of the radius; return the series."""
    series = series_of(graph, roots, systems)
    for found, expected in zip(expanded(graph, roots, series), exact(graph, roots), strict=True):
        weights = [(RADIUS / 2) ** k for k in range(ORDER + 1)]
        size = max(abs(c) * w for c, w in zip(expected, weights, strict=True))
        for k, (a, b, weight) in enumerate(zip(found, expected, weights, strict=True)):
            assert abs(a - b) * weight <= 1e-13 * size, (k, a, b)
    return series


class Pool:
    """A graph over three symbols and a parameter."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.x, self.y, self.z = (self.graph.symbol(s) for s in SYMBOLS)
        self.p = self.graph.symbol(PARAMETER)

    def above(self, node: Node) -> Node:
        """Return something between 1 and 3."""
        return self.graph.add(self.graph.constant(2), self.graph.unary(Op.SIN, node))

    def within(self, node: Node) -> Node:
        """Return something between -1/2 and 1/2."""
        return self.graph.div(self.graph.unary(Op.SIN, node), self.graph.constant(2))

    def apply(self, op: Op, a: Node, b: Node) -> Node:
        """Return an op over operands that it takes."""
        g = self.graph
        if op in (Op.ASIN, Op.ACOS, Op.TAN, Op.ATAN, Op.EXP, Op.SINH, Op.COSH, Op.TANH):
            return g.unary(op, self.within(a))
        if op in (Op.LOG, Op.SQRT):
            return g.unary(op, self.above(a))
        if op in (Op.POW, Op.ATAN2):
            return g.binary(op, self.above(a), self.above(b))
        if op is Op.DIV:
            return g.div(a, self.above(b))
        if op is Op.NEG:
            return g.neg(a)
        if op is Op.POWI:
            return g.powi(a, 5)
        return g.unary(op, a) if OPS[op].arity == 1 else g.binary(op, a, b)


SMOOTH = [op for op in Op if op in VALUES or op is Op.POWI]


def test_every_op_is_compared_or_refused() -> None:
    """What the tests below leave out has a kink, is a leaf, a truth value or a linear system."""
    others = {Op.SELECT, Op.SYMBOL, Op.CONSTANT, Op.SOLVE, Op.RESULT}
    assert set(SMOOTH) | ROUGH | others | {op for op in Op if OPS[op].kind is Kind.BOOLEAN} == set(Op)


@pytest.mark.parametrize("op", SMOOTH)
def test_an_op(op: Op) -> None:
    """Of two varying operands, of one and a steady one in either place, of an operand that is an op itself."""
    pool = Pool()
    roots = [pool.apply(op, *pair) for pair in ((pool.x, pool.y), (pool.x, pool.p), (pool.p, pool.y), (pool.x, pool.x))]
    roots.append(pool.apply(op, roots[0], pool.z))
    agree(pool.graph, roots)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SMOOTH), st.integers(0, 40), st.integers(0, 40)), min_size=4, max_size=12))
def test_ops_of_ops(steps: Sequence[tuple[Op, int, int]]) -> None:
    """Expressions over a growing pool, each kept small."""
    pool = Pool()
    made = [pool.x, pool.y, pool.z, pool.p]
    for op, i, j in steps:
        made.append(pool.within(pool.apply(op, made[i % len(made)], made[j % len(made)])))
    agree(pool.graph, made[-3:])


@pytest.mark.parametrize("exponent", [-3, 2, 7, 3.0, -2.0, 2.5, -1.5, 0.3])
def test_steady_powers(exponent: float) -> None:
    """Whole powers are products, half ones have a root, others the recurrence of powers."""
    pool = Pool()
    agree(pool.graph, [pool.graph.binary(Op.POW, pool.above(pool.x), pool.graph.constant(exponent))])


def test_a_whole_power_has_a_series_at_zero() -> None:
    """x^3 and x^3.0 at x = 0, where a recurrence that divides by x has none."""
    graph = Graph()
    x = graph.symbol(SYMBOLS[2])
    base = graph.sub(x, graph.constant(0.9))  # zero at order 0
    roots = [graph.powi(base, 3), graph.binary(Op.POW, base, graph.constant(3.0))]
    found = expanded(graph, roots, series_of(graph, roots))
    assert [row[:5] for row in found] == [pytest.approx([0, 0, 0, (-0.6) ** 3, 0])] * 2


# -- linear systems --------------------------------------------------------------------------------------------------


def symmetric(pool: Pool, n: int) -> list[list[Node]]:
    """Return a positive definite matrix with steady, varying and missing entries."""
    g = pool.graph
    draws = itertools.cycle([pool.within(pool.x), pool.within(pool.y), g.zero, pool.within(pool.z)])
    rows = [[g.zero] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            rows[i][j] = rows[j][i] = next(draws)
        rows[i][i] = g.add(g.constant(n), pool.above(pool.x)) if i % 2 else g.add(pool.p, g.constant(n))
    return rows


@pytest.mark.parametrize("n", [1, 2, 4])
def test_a_written_out_positive_definite_system(n: int) -> None:
    """A x = b takes a product for each entry of A that varies, at most: no factor has a series."""
    pool = Pool()
    checks = Checks(pool.graph)
    matrix = symmetric(pool, n)
    right = [pool.graph.unary(Op.COS, pool.y), pool.z, pool.p, pool.x][:n]
    solution = solve_positive_definite(pool.graph, matrix, right, "abcd"[:n], checks).column
    series = agree(pool.graph, solution, checks.systems)
    varying = sum(pool.graph.level[entry] == 2 for row in matrix for entry in row)
    own = len(agree(pool.graph, [e for row in matrix for e in row] + right).left)
    assert len(series.left) <= own + varying


def test_a_written_out_general_system() -> None:
    """Blocks by the adjugate, several right sides at once."""
    pool = Pool()
    g, checks = pool.graph, Checks(pool.graph)
    matrix = [[pool.above(pool.x), pool.within(pool.y)], [pool.z, g.add(pool.above(pool.y), g.one)]]
    solution = solve_general(g, matrix, [[pool.x, g.one], [pool.p, pool.y]], "ab", checks)
    agree(g, [x for row in solution.rows for x in row], checks.systems)


@pytest.mark.parametrize("kind", list(Factorization))
def test_a_system_that_a_kernel_solves(kind: Factorization) -> None:
    """All factorizations, with two right sides."""
    pool = Pool()
    g, matrix = pool.graph, symmetric(pool, 3)
    right = [[pool.x, g.one], [pool.y, pool.z], [g.unary(Op.SIN, pool.x), pool.p]]
    if kind in (Factorization.LDLT, Factorization.LU):
        rows = g.solve(kind, matrix, right, "abc")
    else:
        slopes = [[g.one, pool.within(pool.z), pool.y]]
        unknowns, multipliers = g.solve_constrained(kind, matrix, slopes, [*right, [pool.z, g.zero]], "abcd")
        rows = [*unknowns, *multipliers]
    agree(g, [x for row in rows for x in row])


def test_a_redundant_constraint_leaves_the_unknowns_right() -> None:
    """A row that follows from another at all times: the multipliers are not unique, the unknowns are."""
    pool = Pool()
    g, matrix = pool.graph, symmetric(pool, 3)
    row = [g.one, pool.within(pool.z), pool.y]
    twice = [g.mul(pool.above(pool.x), entry) for entry in row]
    right = [[pool.x], [pool.y], [pool.p]]
    told = [[pool.z], [g.mul(pool.above(pool.x), pool.z)]]
    unknowns, _ = g.solve_constrained(Factorization.ELIMINATED, matrix, [row, twice], [*right, *told], "abcde")
    alone, _ = g.solve_constrained(Factorization.ELIMINATED, matrix, [row], [*right, told[0]], "abcd")
    roots = [x for (x,) in unknowns]
    found = expanded(g, roots, series_of(g, roots))
    for ours, theirs in zip(found, exact(g, [x for (x,) in alone]), strict=True):
        assert ours == pytest.approx([float(c) for c in theirs], rel=1e-9, abs=1e-9)


# -- what is computed ------------------------------------------------------------------------------------------------


def test_linear_combinations_take_no_products() -> None:
    """Sums, signs and steady factors are written into every order."""
    pool = Pool()
    g = pool.graph
    series = agree(g, [g.sub(g.mul(pool.p, pool.x), g.div(g.neg(pool.y), pool.p)), g.mul(pool.p, pool.p)])
    assert (series.left, series.squares) == ((), ())


def test_equal_products_are_one() -> None:
    """Whatever steady factors, signs and summands stand in them; a square has half of the terms."""
    pool = Pool()
    g = pool.graph
    once = g.mul(pool.x, pool.y)
    again = g.mul(g.neg(g.mul(pool.p, pool.y)), g.add(pool.x, pool.p))
    series = agree(g, [once, again, g.mul(pool.x, g.mul(pool.x, pool.p))])
    assert (len(series.left), len(series.squares)) == (1, 1)


# -- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", sorted(ROUGH - {Op.SELECT}, key=lambda op: op.value))
def test_kinks_and_jumps_are_refused(op: Op) -> None:
    """The message shows the expression; of steady operands nothing is refused."""
    pool = Pool()
    g = pool.graph
    node, steady = (g.unary(op, a) if OPS[op].arity == 1 else g.binary(op, a, g.constant(2)) for a in (pool.x, pool.p))
    with pytest.raises(UnsupportedError, match=r"x.*has no power series: it (has a kink|jumps).*such as dop853"):
        series_of(g, [g.mul(pool.y, node)])
    agree_steady = series_of(g, [g.mul(pool.y, steady)])
    assert agree_steady.left == ()


def test_a_choice_is_refused_where_its_condition_varies() -> None:
    """One that parameters decide is as smooth as its branches."""
    pool = Pool()
    g = pool.graph
    branches = g.unary(Op.SIN, pool.x), g.mul(pool.x, pool.y)
    with pytest.raises(UnsupportedError, match="changes over from one expression to another"):
        series_of(g, [g.select(g.binary(Op.LT, pool.x, pool.y), *branches)])
    agree(g, [g.select(g.binary(Op.LT, pool.p, g.one), *branches)])
