"""Forward and reverse sweeps: linear systems against finite differences of NumPy, memory, cost."""

from __future__ import annotations

import numpy as np
import pytest

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.passes.differentiate import Tangents, depends_on, gradient, jacobian, vjp

SYMBOLS = [Symbol(Role.STATE, i, f"x{i}") for i in range(6)]


@pytest.fixture
def graph() -> Graph:
    """Return an empty graph."""
    return Graph()


def entries(graph: Graph, n: int, columns: int, symmetric: bool) -> tuple[list[list[Node]], list[list[Node]]]:
    """Return a matrix and right sides that depend on all symbols, nonlinearly."""
    x = [graph.symbol(s) for s in SYMBOLS]
    matrix = [[graph.zero] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            if symmetric and j > i:
                continue
            entry = graph.mul(graph.unary(Op.SIN, x[(i + j) % 6]), x[(2 * i + j + 1) % 6])
            if i == j:
                entry = graph.add(entry, graph.constant(n + 2))
            matrix[i][j] = entry
            if symmetric:
                matrix[j][i] = entry
    right = [[graph.add(graph.powi(x[i % 6], 2), x[(i + j) % 6]) for j in range(columns)] for i in range(n)]
    return matrix, right


def numpy_solution(graph: Graph, matrix: list[list[Node]], right: list[list[Node]], at: np.ndarray) -> np.ndarray:
    sample = Sample(graph, dict(zip(SYMBOLS, at.tolist(), strict=True)))
    return np.linalg.solve(
        np.array([[sample[e] for e in row] for row in matrix]), np.array([[sample[e] for e in row] for row in right])
    )


@pytest.mark.parametrize("factorization", [Factorization.LDLT, Factorization.LU])
@pytest.mark.parametrize(("n", "columns"), [(1, 1), (2, 1), (3, 2), (4, 1), (5, 3)])
def test_linear_systems(graph: Graph, factorization: Factorization, n: int, columns: int) -> None:
    """A dX = dB - dA X forward, B_bar = A^-T X_bar and A_bar = -B_bar X^T in reverse."""
    matrix, right = entries(graph, n, columns, symmetric=factorization is Factorization.LDLT)
    solution = graph.solve(factorization, matrix, right, [str(i) for i in range(n)])
    roots = [entry for row in solution for entry in row]
    variables = [graph.symbol(s) for s in SYMBOLS]
    forward = jacobian(graph, roots, variables)
    seeds = np.random.default_rng(n).normal(size=len(roots))
    reverse = vjp(graph, [(root, graph.constant(float(s))) for root, s in zip(roots, seeds, strict=True)], variables)
    at = np.random.default_rng(n + 10).uniform(0.2, 1.2, size=6)
    sample = Sample(graph, dict(zip(SYMBOLS, at.tolist(), strict=True)))
    got = np.array([[sample[e] for e in row] for row in forward])
    h = 1e-6
    wanted = np.empty_like(got)
    for k in range(6):
        step = h * np.eye(6)[k]
        up, down = numpy_solution(graph, matrix, right, at + step), numpy_solution(graph, matrix, right, at - step)
        wanted[:, k] = ((up - down) / (2 * h)).ravel()
    assert sample.vector(roots) == pytest.approx(numpy_solution(graph, matrix, right, at).ravel())
    assert got == pytest.approx(wanted, rel=1e-6, abs=1e-8)
    assert np.array(sample.vector(reverse)) == pytest.approx(seeds @ got, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("form", [kind for kind in Factorization if kind not in (Factorization.LDLT, Factorization.LU)])
@pytest.mark.parametrize(("n", "m", "columns"), [(2, 1, 1), (4, 2, 2)])
def test_constrained_systems(graph: Graph, form: Factorization, n: int, m: int, columns: int) -> None:
    """The bordered matrix [[M, J^T], [J, 0]] obeys the same rules."""
    mass, _ = entries(graph, n, columns, symmetric=True)
    x = [graph.symbol(s) for s in SYMBOLS]
    slopes = [[graph.unary(Op.COS, x[(i + 3 * k) % 6]) for i in range(n)] for k in range(m)]
    right = [[graph.mul(x[i % 6], x[(i + j + 1) % 6]) for j in range(columns)] for i in range(n + m)]
    unknowns, multipliers = graph.solve_constrained(form, mass, slopes, right, [str(i) for i in range(n + m)])
    roots = [entry for row in (*unknowns, *multipliers) for entry in row]
    forward = jacobian(graph, roots, x)
    seeds = np.random.default_rng(n).normal(size=len(roots))
    reverse = vjp(graph, [(root, graph.constant(float(s))) for root, s in zip(roots, seeds, strict=True)], x)
    bordered = [[*row, *column] for row, column in zip(mass, zip(*slopes, strict=True), strict=True)]
    bordered += [[*row, *[graph.zero] * m] for row in slopes]
    at = np.random.default_rng(n + 10).uniform(0.2, 1.2, size=6)
    sample = Sample(graph, dict(zip(SYMBOLS, at.tolist(), strict=True)))
    got = np.array([[sample[e] for e in row] for row in forward])
    steps = 1e-6 * np.eye(6)
    wanted = [
        (numpy_solution(graph, bordered, right, at + h) - numpy_solution(graph, bordered, right, at - h)).ravel() / 2e-6
        for h in steps
    ]
    assert sample.vector(roots) == pytest.approx(numpy_solution(graph, bordered, right, at).ravel())
    assert got == pytest.approx(np.transpose(wanted), rel=1e-6, abs=1e-7)
    assert np.array(sample.vector(reverse)) == pytest.approx(seeds @ got, rel=1e-10, abs=1e-12)


def test_a_system_is_differentiated_with_its_own_matrix(graph: Graph) -> None:
    """The tangent of a solution is a solution with the same matrix and kind: its factors serve again."""
    matrix, right = entries(graph, 3, 1, symmetric=True)
    solution = graph.solve(Factorization.LDLT, matrix, right, list("abc"))
    slope = Tangents(graph, {graph.symbol(SYMBOLS[0]): graph.one})(solution[0][0])
    (old,), (new,) = graph.args[solution[0][0]], graph.args[slope]
    assert graph.args[new][:6] == graph.args[old][:6]
    assert graph.data[new] == graph.data[old]


def test_second_derivatives_of_a_system(graph: Graph) -> None:
    """Tangents of tangents, by differences of the first derivative."""
    matrix, right = entries(graph, 3, 1, symmetric=False)
    root = graph.solve(Factorization.LU, matrix, right, list("abc"))[1][0]
    x, y = graph.symbol(SYMBOLS[0]), graph.symbol(SYMBOLS[1])
    first = Tangents(graph, {x: graph.one})(root)
    second = Tangents(graph, {y: graph.one})(first)
    (mixed,) = gradient(graph, first, [y])
    at = dict(zip(SYMBOLS, [0.4, 0.7, 0.3, 0.9, 0.5, 1.1], strict=True))
    h = 1e-5
    up, down = (Sample(graph, {**at, SYMBOLS[1]: at[SYMBOLS[1]] + step})[first] for step in (h, -h))
    sample = Sample(graph, at)
    assert sample.vector([second, mixed]) == pytest.approx([(up - down) / (2 * h)] * 2, rel=1e-6)


def test_entries_that_are_shared_collect_both_adjoints(graph: Graph) -> None:
    """One node at several places of the matrix and the right side."""
    x = graph.symbol(SYMBOLS[0])
    rows = graph.solve(Factorization.LDLT, [[graph.constant(4), x], [x, graph.constant(3)]], [[x], [graph.one]], "ab")
    slopes = gradient(graph, rows[0][0], [x])
    value = 0.6
    # x1 = (3 x - x) / (12 - x^2) = 2 x / (12 - x^2)
    expected = (2 * (12 - value**2) + 4 * value**2) / (12 - value**2) ** 2
    assert Sample(graph, {SYMBOLS[0]: value}).vector(slopes) == pytest.approx([expected])


def test_seeds_add_up(graph: Graph) -> None:
    """A vector-Jacobian product sums over its roots, repeated and unrelated ones included."""
    x, y = graph.symbol(SYMBOLS[0]), graph.symbol(SYMBOLS[1])
    root = graph.mul(x, y)
    seeds = [(root, y), (root, graph.one), (x, graph.constant(5)), (graph.unary(Op.SIN, y), graph.zero)]
    slopes = vjp(graph, seeds, [x, y, graph.symbol(SYMBOLS[2])])
    sample = Sample(graph, {SYMBOLS[0]: 2.0, SYMBOLS[1]: 3.0, SYMBOLS[2]: 1.0})
    assert sample.vector(slopes) == [3.0 * 4 + 5, 2.0 * 4, 0.0]
    assert vjp(graph, [], [x]) == [graph.zero]


def test_tangents_follow_any_direction_and_remember(graph: Graph) -> None:
    """The direction may be nodes; asking twice builds nothing."""
    x, v = graph.symbol(SYMBOLS[0]), graph.symbol(SYMBOLS[1])
    rate = Tangents(graph, {x: v, v: graph.neg(x)})
    energy = graph.add(graph.powi(x, 2), graph.powi(v, 2))
    slope = rate(energy)
    size = len(graph)
    assert rate(energy) == slope
    assert len(graph) == size
    assert Sample(graph, {SYMBOLS[0]: 0.3, SYMBOLS[1]: 0.4})[slope] == 0
    assert rate.all([x, v]) == [v, graph.neg(x)]


def test_what_does_not_move_has_the_literal_zero(graph: Graph) -> None:
    """Structural zeros make matrices sparse."""
    x, y = graph.symbol(SYMBOLS[0]), graph.symbol(SYMBOLS[1])
    roots = [graph.unary(Op.EXP, x), graph.mul(x, graph.unary(Op.COS, y)), graph.constant(3)]
    rows = jacobian(graph, roots, [x, y])
    assert rows[0][1] == rows[2][0] == rows[2][1] == graph.zero
    assert depends_on(graph, graph.reachable(roots), [y]) == {y, graph.unary(Op.COS, y), roots[1]}
    assert depends_on(graph, roots, [x]) == {roots[0], roots[1]}


def test_comparisons_do_not_move(graph: Graph) -> None:
    """A condition has no derivative; what it chooses has."""
    x = graph.symbol(SYMBOLS[0])
    node = graph.select(graph.binary(Op.LT, x, graph.one), graph.one, graph.zero)
    assert Tangents(graph, {x: graph.one})(node) == graph.zero
    assert gradient(graph, node, [x]) == [graph.zero]


def test_a_gradient_costs_a_few_times_its_function(graph: Graph) -> None:
    """The adjoint of n variables takes a multiple of the nodes that does not grow with n (Griewank & Walther, 3.3)."""
    growth = []
    for n in (20, 80):
        graph = Graph()
        x = [graph.symbol(Symbol(Role.STATE, i, f"x{i}")) for i in range(n)]
        node = graph.sum(
            graph.mul(graph.unary(Op.SIN, a), graph.mul(b, graph.unary(Op.EXP, a)))
            for a, b in zip(x, x[1:] + x[:1], strict=True)
        )
        size = len(graph.reachable([node]))
        slopes = gradient(graph, node, x)
        growth.append(len(graph.reachable(slopes)) / size)
    assert growth[0] == pytest.approx(growth[1], rel=0.1)
    assert growth[1] < 4
