"""Sparse Jacobians of the graph: values, zeros, linear systems, the cheaper of two directions, branches."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.passes.cost import cost
from eomc.passes.differentiate import jacobian
from eomc.solving.checks import Checks
from eomc.solving.jacobian import sparse_jacobian
from eomc.solving.ldlt import solve_positive_definite
from eomc.solving.linear import solve_general

CONSTRAINED = [kind for kind in Factorization if kind not in (Factorization.LDLT, Factorization.LU)]


class Variables:
    """A graph with n state symbols."""

    def __init__(self, n: int) -> None:
        self.graph = Graph()
        self.symbols = [Symbol(Role.STATE, i, f"x{i}") for i in range(n)]
        self.nodes = [self.graph.symbol(symbol) for symbol in self.symbols]

    def values(self, nodes: list[Node], at: np.ndarray) -> np.ndarray:
        return np.array(Sample(self.graph, dict(zip(self.symbols, at.tolist(), strict=True))).vector(nodes))

    def matrix(self, rows: list[list[Node]], at: np.ndarray) -> np.ndarray:
        return self.values([x for row in rows for x in row], at).reshape(len(rows), -1)

    def differences(self, roots: list[Node], at: np.ndarray, h: float = 1e-3) -> np.ndarray:
        """Return the Jacobian by central differences of order 4."""
        columns = []
        for e in np.eye(len(at)):
            near = self.values(roots, at + h * e) - self.values(roots, at - h * e)
            far = self.values(roots, at + 2 * h * e) - self.values(roots, at - 2 * h * e)
            columns.append((8 * near - far) / (12 * h))
        return np.column_stack(columns)


def symmetric_matrix(v: Variables, n: int) -> list[list[Node]]:
    """Return a positive definite matrix that depends on all variables."""
    g, x = v.graph, v.nodes
    m = len(x)
    matrix = [[g.zero] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            matrix[i][j] = matrix[j][i] = g.unary(Op.COS, g.sub(x[i % m], x[j % m]))
        matrix[i][i] = g.add(g.constant(n + 1), g.powi(x[(i + 1) % m], 2))
    return matrix


def right_side(v: Variables, n: int) -> list[Node]:
    """Return a vector that depends on all variables."""
    m = len(v.nodes)
    return [v.graph.mul(v.nodes[i % m], v.graph.unary(Op.SIN, v.nodes[(i + 2) % m])) for i in range(n)]


AT = np.array([0.3, -0.7, 1.1, 0.4, -0.2])


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_written_out_definite_systems(n: int) -> None:
    """M x = f in straight lines: dx is right, and cheaper than differentiating every line."""
    v = Variables(5)
    checks = Checks(v.graph)
    labels = [f"u{i}" for i in range(n)]
    x = solve_positive_definite(v.graph, symmetric_matrix(v, n), right_side(v, n), labels, checks).column
    rows = sparse_jacobian(v.graph, x, v.nodes, checks.systems)
    np.testing.assert_allclose(v.matrix(rows, AT), v.differences(x, AT), atol=1e-10)
    if n > 2:
        flat = [entry for row in rows for entry in row]
        line_by_line = [entry for row in jacobian(v.graph, x, v.nodes) for entry in row]
        assert cost(v.graph, [*x, *flat]) < 0.75 * cost(v.graph, [*x, *line_by_line])


@pytest.mark.parametrize("n", [2, 3, 5])
def test_written_out_general_systems(n: int) -> None:
    """Blocks of two and three unknowns keep one division for all derivatives; larger ones become one more SOLVE."""
    v = Variables(5)
    checks = Checks(v.graph)
    matrix = symmetric_matrix(v, n)
    matrix[0][n - 1] = v.graph.mul(v.nodes[0], v.nodes[1])  # no longer symmetric
    right = [[entry] for entry in right_side(v, n)]
    x = solve_general(v.graph, matrix, right, [f"x{i}" for i in range(n)], checks).column
    rows = sparse_jacobian(v.graph, x, v.nodes, checks.systems)
    np.testing.assert_allclose(v.matrix(rows, AT), v.differences(x, AT), atol=1e-10)
    flat = [entry for row in rows for entry in row]
    live = v.graph.reachable([*x, *flat])
    assert sum(v.graph.ops[node] is Op.DIV for node in live) == (n < 5)
    assert sum(v.graph.ops[node] is Op.SOLVE for node in live) == (2 if n == 5 else 0)


@pytest.mark.parametrize("kind", [Factorization.LDLT, Factorization.LU])
def test_systems_of_the_graph(kind: Factorization) -> None:
    """All directions are columns of one SOLVE node, whatever the number of right sides."""
    v = Variables(5)
    right = [[entry, v.graph.powi(entry, 2)] for entry in right_side(v, 4)]
    solution = v.graph.solve(kind, symmetric_matrix(v, 4), right, ["a", "b", "c", "d"])
    roots = [x for row in solution for x in row]
    rows = sparse_jacobian(v.graph, roots, v.nodes)
    np.testing.assert_allclose(v.matrix(rows, AT), v.differences(roots, AT), atol=1e-10)
    live = v.graph.reachable(entry for row in rows for entry in row)
    assert sum(v.graph.ops[node] is Op.SOLVE for node in live) == 2


@pytest.mark.parametrize("kind", CONSTRAINED)
def test_constrained_systems_of_the_graph(kind: Factorization) -> None:
    """Unknowns and multipliers of [[M, J^T], [J, 0]] have derivatives in every solution form."""
    v = Variables(5)
    g, x = v.graph, v.nodes
    slopes = [[g.add(g.unary(Op.SIN, x[(i + k) % 5]), g.constant(i == k)) for i in range(4)] for k in range(2)]
    right = [[entry] for entry in right_side(v, 6)]
    solution, multipliers = g.solve_constrained(kind, symmetric_matrix(v, 4), slopes, right, [*"abcdef"])
    roots = [row[0] for row in (*solution, *multipliers)]
    rows = sparse_jacobian(g, roots, x)
    np.testing.assert_allclose(v.matrix(rows, AT), v.differences(roots, AT), atol=1e-9)
    live = g.reachable(entry for row in rows for entry in row)
    assert sum(g.ops[node] is Op.SOLVE for node in live) == 2


def test_a_system_behind_a_system() -> None:
    """Solutions that enter another system are taken by the chain rule: Hamilton's p' with q' from a solve."""
    v = Variables(5)
    g = v.graph
    checks = Checks(g)
    first = solve_positive_definite(g, symmetric_matrix(v, 3), right_side(v, 3), [*"abc"], checks).column
    matrix = [[g.add(entry, g.mul(first[0], first[1])) for entry in row] for row in symmetric_matrix(v, 3)]
    second = solve_positive_definite(g, matrix, [g.mul(y, v.nodes[0]) for y in first], [*"def"], checks).column
    roots = [*second, g.mul(second[0], first[2])]
    rows = sparse_jacobian(g, roots, v.nodes, checks.systems)
    np.testing.assert_allclose(v.matrix(rows, AT), v.differences(roots, AT), atol=1e-9)


def test_zeros_cost_nothing() -> None:
    """Of n functions of one variable each, n derivatives are made and not n squared."""

    def made(n: int) -> int:
        v = Variables(n)
        roots = [v.graph.unary(Op.SIN, v.graph.powi(x, 3)) for x in v.nodes]
        before = len(v.graph)
        rows = sparse_jacobian(v.graph, roots, v.nodes)
        assert all((entry != v.graph.zero) == (i == j) for i, row in enumerate(rows) for j, entry in enumerate(row))
        return len(v.graph) - before

    assert made(40) <= 2 * made(20)


def test_the_cheaper_direction() -> None:
    """One function of many variables is differentiated from its end, many functions of one variable from theirs."""
    n = 30
    v = Variables(n)
    g = v.graph
    product = g.product(g.unary(Op.SIN, x) for x in v.nodes)
    gradient = sparse_jacobian(g, [product], v.nodes)[0]
    assert cost(g, [product, *gradient]) <= 4 * cost(g, [product])
    chain, powers = v.nodes[0], []
    for _ in range(n):
        chain = g.add(g.unary(Op.SIN, chain), g.one)
        powers.append(chain)
    column = [row[0] for row in sparse_jacobian(g, powers, v.nodes[:1])]
    assert cost(g, [*powers, *column]) <= 4 * cost(g, powers)


def test_variables_and_constants_as_roots() -> None:
    """A root may be a variable, a number, or named twice."""
    v = Variables(2)
    x, y = v.nodes
    rows = sparse_jacobian(v.graph, [y, v.graph.constant(2), x, y], [x, y])
    one, zero = v.graph.one, v.graph.zero
    assert rows == [[zero, one], [zero, zero], [one, zero], [zero, one]]


@given(st.floats(-2.0, 2.0).filter(lambda x: abs(x) > 1e-3), st.floats(-2.0, 2.0))
def test_branches(x: float, y: float) -> None:
    """Abs, sign, min, max and select differentiate branch by branch; d sign = 0."""
    v = Variables(2)
    g, (a, b) = v.graph, v.nodes
    if abs(x - y) < 1e-3:
        y = x + 1.0
    chosen = g.select(g.binary(Op.LT, a, b), g.mul(a, b), g.powi(a, 3))
    roots = [g.unary(Op.ABS, a), g.unary(Op.SIGN, a), g.binary(Op.MIN, a, b), g.binary(Op.MAX, a, b), chosen]
    expected = [
        [math.copysign(1.0, x), 0.0],
        [0.0, 0.0],
        [float(x < y), float(x > y)],
        [float(x > y), float(x < y)],
        [y, x] if x < y else [3 * x * x, 0.0],
    ]
    np.testing.assert_allclose(v.matrix(sparse_jacobian(g, roots, [a, b]), np.array([x, y])), expected)


def test_the_branch_not_taken_does_no_harm() -> None:
    """The derivative is finite where the other branch has none: 0 times infinity never happens."""
    v = Variables(1)
    g, x = v.graph, v.nodes[0]
    root = g.select(g.binary(Op.LT, g.zero, x), g.mul(x, g.unary(Op.SQRT, x)), g.mul(x, g.constant(3)))
    rows = sparse_jacobian(g, [root], [x])
    assert v.matrix(rows, np.array([0.0]))[0, 0] == 3.0
    assert v.matrix(rows, np.array([4.0]))[0, 0] == pytest.approx(3.0)
