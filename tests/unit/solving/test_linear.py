"""General linear systems against NumPy: dense, sparse, triangular; pivot tests; what is left to run time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.solving.checks import Checks
from eomc.solving.linear import solve_general
from eomc.solving.structure import StructurallySingularError


class System:
    """A system whose entries are symbols where the pattern says so."""

    def __init__(self, pattern: np.ndarray, columns: int = 1, role: Role = Role.STATE) -> None:
        n = len(pattern)
        self.graph = Graph()
        self.matrix = [[self.graph.zero] * n for _ in range(n)]
        self.symbols: dict[tuple[int, int], Symbol] = {}
        for i in range(n):
            for j in range(n):
                if pattern[i, j]:
                    self.symbols[i, j] = Symbol(role, len(self.symbols), f"a{i}{j}")
                    self.matrix[i][j] = self.graph.symbol(self.symbols[i, j])
        self.inputs = [[Symbol(Role.INPUT, i * columns + j, "b") for j in range(columns)] for i in range(n)]
        self.right = [[self.graph.symbol(s) for s in row] for row in self.inputs]
        self.checks = Checks(self.graph)
        self.labels = [f"u{i}" for i in range(n)]
        solution = solve_general(self.graph, self.matrix, self.right, self.labels, self.checks)
        self.x, self.order = solution.rows, solution.order

    def at(self, a: np.ndarray, b: np.ndarray) -> Sample:
        values = {s: float(a[place]) for place, s in self.symbols.items()}
        values |= {s: float(b[i, j]) for i, row in enumerate(self.inputs) for j, s in enumerate(row)}
        return Sample(self.graph, values)

    def solution(self, sample: Sample) -> np.ndarray:
        return np.array([[sample[e] for e in row] for row in self.x])

    def count(self, op: Op) -> int:
        return sum(self.graph.ops[n] is op for n in self.graph.reachable(e for row in self.x for e in row))


def regular_pattern(n: int, density: float, rng: np.random.Generator) -> np.ndarray:
    pattern = rng.random((n, n)) < density
    pattern[np.arange(n), rng.permutation(n)] = True
    return pattern


@given(st.integers(1, 6), st.integers(1, 3), st.floats(0, 1), st.integers(0, 10**6))
def test_solutions_are_those_of_numpy(n: int, columns: int, density: float, seed: int) -> None:
    """Any pattern with a full transversal, any number of right sides."""
    rng = np.random.default_rng(seed)
    pattern = regular_pattern(n, density, rng)
    a, b = rng.uniform(-2, 2, (n, n)) * pattern, rng.uniform(-2, 2, (n, columns))
    if np.linalg.cond(a) > 1e5:
        return
    system = System(pattern, columns)
    sample = system.at(a, b)
    assert system.solution(sample) == pytest.approx(np.linalg.solve(a, b), rel=1e-9, abs=1e-9)
    assert all(sample[check.condition] for check in system.checks.all())


@given(st.integers(2, 6), st.integers(0, 10**6))
@settings(max_examples=40)
def test_triangular_systems_divide_and_need_no_kernel(n: int, seed: int) -> None:
    """One division per unknown, however the rows are shuffled."""
    rng = np.random.default_rng(seed)
    pattern = (np.tril(rng.random((n, n)) < 0.5) | np.eye(n, dtype=bool))[rng.permutation(n)][:, rng.permutation(n)]
    system = System(pattern)
    assert system.count(Op.SOLVE) == 0
    assert system.count(Op.DIV) == n


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_small_blocks_are_written_out_and_large_ones_pivot_at_run_time(n: int) -> None:
    """Up to three unknowns by the adjugate with a single division, four and more by LU."""
    system = System(np.ones((n, n), dtype=bool))
    assert system.count(Op.SOLVE) == (n > 3)
    assert system.count(Op.DIV) == (n <= 3)


@pytest.mark.parametrize("n", [2, 3])
def test_the_adjugate_needs_no_particular_pivot(n: int) -> None:
    """A zero on the diagonal, anywhere, is harmless while the matrix is regular."""
    a = np.array([[0, 2, 1], [3, 0, -1], [1, 1, 0]])[:n, :n].astype(float)
    b = np.ones((n, 1))
    system = System(np.ones((n, n), dtype=bool))
    sample = system.at(a, b)
    assert system.solution(sample) == pytest.approx(np.linalg.solve(a, b))
    assert all(sample[check.condition] for check in system.checks.all())


@given(st.integers(1, 3), st.integers(0, 2), st.booleans(), st.integers(0, 10**6))
def test_singular_blocks_fail_their_test(n: int, row: int, parallel: bool, seed: int) -> None:
    """A row that is a combination of the others, or parallel to one, is noticed in spite of rounding."""
    rng = np.random.default_rng(seed)
    a = rng.uniform(-2, 2, (n, n))
    others = [i for i in range(n) if i != row % n]
    weights = np.zeros(len(others))
    weights[: 1 if parallel else None] = rng.uniform(-2, 2, 1 if parallel else len(others))
    a[row % n] = weights @ a[others] if others else 0.0
    system = System(np.ones((n, n), dtype=bool))
    sample = system.at(a, np.ones((n, 1)))
    (check,) = system.checks.all()
    assert not sample[check.condition]
    assert check.label == "u0"


@given(st.integers(2, 3), st.integers(0, 10**6))
def test_regular_blocks_pass_at_any_scale(n: int, seed: int) -> None:
    """The test of a determinant is relative to its own products: units do not matter."""
    rng = np.random.default_rng(seed)
    a = rng.uniform(-1, 1, (n, n))
    if np.linalg.cond(a) > 1e6:
        return
    a = np.diag(10.0 ** rng.integers(-9, 9, n)) @ a @ np.diag(10.0 ** rng.integers(-9, 9, n))
    system = System(np.ones((n, n), dtype=bool))
    (check,) = system.checks.all()
    assert system.at(a, np.ones((n, 1)))[check.condition]


def test_nan_fails_the_test() -> None:
    """A state that is already lost does not pass."""
    system = System(np.ones((2, 2), dtype=bool))
    sample = system.at(np.full((2, 2), np.nan), np.ones((2, 1)))
    assert not sample[system.checks.all()[0].condition]


@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("role", [Role.STATE, Role.PARAMETER])
def test_what_is_tested_is_what_is_evaluated(negative: bool, columns: int, role: Role) -> None:
    """The node of a check lies below the solution, also when the pivot carries a minus sign: else no one would ask."""
    graph = Graph()
    pivot = graph.symbol(Symbol(role, 0, "a"))
    checks = Checks(graph)
    right = [[graph.symbol(Symbol(Role.INPUT, j, "b")) for j in range(columns)]]
    x = solve_general(graph, [[graph.neg(pivot) if negative else pivot]], right, ["u"], checks).rows
    (check,) = checks.all()
    assert check.node in graph.reachable(x[0])
    assert pivot in graph.args[check.node]


def test_pivots_that_are_numbers_need_no_test() -> None:
    """Two is not zero, and never will be."""
    graph = Graph()
    b: list[Node] = [graph.symbol(Symbol(Role.INPUT, i, "b")) for i in range(2)]
    checks = Checks(graph)
    two, one = graph.constant(2), graph.one
    x = solve_general(graph, [[two, graph.zero], [one, graph.constant(-1)]], [[e] for e in b], ["u", "v"], checks).rows
    assert checks.all() == ()
    sample = Sample(graph, {Symbol(Role.INPUT, 0, "b"): 3.0, Symbol(Role.INPUT, 1, "b"): 5.0})
    assert sample.vector([row[0] for row in x]) == [1.5, -3.5]


def test_constant_pivots_are_preferred() -> None:
    """u + sin(q) v = a, v + u = b: nothing is divided by sin(q) where a constant pivot will do."""
    graph = Graph()
    sine = graph.unary(Op.SIN, graph.symbol(Symbol(Role.STATE, 0, "q")))
    b = [graph.symbol(Symbol(Role.INPUT, i, "b")) for i in range(2)]
    checks = Checks(graph)
    matrix = [[sine, graph.one], [graph.one, graph.zero]]
    solve_general(graph, matrix, [[e] for e in b], ["u", "v"], checks)
    assert checks.all() == ()


@pytest.mark.parametrize("n", [2, 3])
def test_equal_rows_are_singular_by_structure(n: int) -> None:
    """A determinant that cancels on the graph is an error of the equations, not a division by zero in the text."""
    graph = Graph()
    row = [graph.symbol(Symbol(Role.STATE, j, "a")) for j in range(n)]
    other = [graph.symbol(Symbol(Role.STATE, n + j, "a")) for j in range(n)]
    matrix = [other, row, row][-n:]
    with pytest.raises(StructurallySingularError):
        solve_general(graph, matrix, [[graph.one]] * n, ["u"] * n, Checks(graph))


@given(st.integers(1, 6), st.floats(0, 1), st.integers(0, 10**6))
@settings(max_examples=40)
def test_unknowns_are_told_in_an_order_of_reading(n: int, density: float, seed: int) -> None:
    """Each is written in those before it alone; where rows are given so that they need no others, nothing is moved."""
    rng = np.random.default_rng(seed)
    system = System(np.tril(rng.random((n, n)) < density) | np.eye(n, dtype=bool))
    assert system.order == tuple(range(n))
    turned = System(np.triu(rng.random((n, n)) < density) | np.eye(n, dtype=bool))
    for place, unknown in enumerate(turned.order):
        later = {turned.x[other][0] for other in turned.order[place + 1 :]}
        assert later.isdisjoint(turned.graph.reachable(turned.x[unknown]))


def test_no_unknowns_no_solution() -> None:
    """An empty system is solved."""
    graph = Graph()
    assert solve_general(graph, [], [], [], Checks(graph)).rows == []
