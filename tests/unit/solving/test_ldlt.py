"""Positive definite systems as straight lines against NumPy: dense, banded, arrow-shaped; pivots; size limit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.errors import DerivationError
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization, SystemSpec
from eomc.passes.cost import cost
from eomc.solving.checks import Checks
from eomc.solving.ldlt import STRAIGHT_LINE_LIMIT, solve_positive_definite


class System:
    """A symmetric system whose lower triangle holds symbols where the pattern says so."""

    def __init__(self, pattern: np.ndarray) -> None:
        self.n = n = len(pattern)
        self.graph = Graph()
        self.matrix = [[self.graph.zero] * n for _ in range(n)]
        self.symbols: dict[tuple[int, int], Symbol] = {}
        for i in range(n):
            for j in range(i + 1):
                if pattern[i, j]:
                    self.symbols[i, j] = Symbol(Role.STATE, len(self.symbols), f"m{i}{j}")
                    self.matrix[i][j] = self.matrix[j][i] = self.graph.symbol(self.symbols[i, j])
        self.inputs = [Symbol(Role.INPUT, i, "b") for i in range(n)]
        self.checks = Checks(self.graph)
        right = [self.graph.symbol(s) for s in self.inputs]
        labels = [f"u{i}" for i in range(n)]
        self.solution = solve_positive_definite(self.graph, self.matrix, right, labels, self.checks)
        self.x = self.solution.column

    def at(self, m: np.ndarray, b: np.ndarray) -> Sample:
        values = {s: float(m[place]) for place, s in self.symbols.items()}
        return Sample(self.graph, values | dict(zip(self.inputs, b.tolist(), strict=True)))

    def passed(self, m: np.ndarray) -> dict[str, bool]:
        sample = self.at(m, np.ones(self.n))
        return {check.label: bool(sample[check.condition]) for check in self.checks.all()}


def definite(pattern: np.ndarray, seed: int) -> np.ndarray:
    """Return a random positive definite matrix with the pattern."""
    rng = np.random.default_rng(seed)
    m = np.tril(rng.uniform(-1, 1, pattern.shape) * pattern)
    m = m + m.T
    return m + np.diag(np.abs(m).sum(axis=1) + rng.uniform(0.1, 1, len(m)))


def dense(n: int) -> np.ndarray:
    return np.ones((n, n), dtype=bool)


def banded(n: int, width: int = 1) -> np.ndarray:
    i, j = np.indices((n, n))
    return abs(i - j) <= width


def arrow(n: int) -> np.ndarray:
    """The first unknown coupled with all others, as a base with many branches."""
    pattern = np.eye(n, dtype=bool)
    pattern[0, :] = pattern[:, 0] = True
    return pattern


SHAPES = [dense(n) for n in range(1, 8)] + [banded(9), banded(8, 2), arrow(9), np.eye(4, dtype=bool)]


@pytest.mark.parametrize("pattern", SHAPES, ids=lambda p: f"{len(p)}x{p.sum()}")
@pytest.mark.parametrize("seed", range(3))
def test_solutions_are_those_of_numpy(pattern: np.ndarray, seed: int) -> None:
    """Every pivot passes and the solution is right."""
    system = System(pattern)
    m, b = definite(pattern, seed), np.random.default_rng(seed).normal(size=len(pattern))
    assert np.array(system.at(m, b).vector(system.x)) == pytest.approx(np.linalg.solve(m, b), rel=1e-11, abs=1e-12)
    assert all(system.passed(m).values())
    assert len(system.checks.all()) == len(pattern)


@given(st.integers(1, 7), st.floats(0, 1), st.integers(0, 10**6))
def test_any_sparsity(n: int, density: float, seed: int) -> None:
    """Random symmetric patterns, eliminated in the order of least fill."""
    pattern = np.random.default_rng(seed).random((n, n)) < density
    pattern = np.tril(pattern) | np.tril(pattern).T | np.eye(n, dtype=bool)
    system = System(pattern)
    m, b = definite(pattern, seed), np.arange(1.0, n + 1)
    assert np.array(system.at(m, b).vector(system.x)) == pytest.approx(np.linalg.solve(m, b), rel=1e-10, abs=1e-11)


@pytest.mark.parametrize("pattern", SHAPES, ids=lambda p: f"{len(p)}x{p.sum()}")
def test_unknowns_are_told_in_an_order_of_reading(pattern: np.ndarray) -> None:
    """Each is written in those before it alone; those of a diagonal matrix come as they are given."""
    system = System(pattern)
    order = system.solution.order
    assert sorted(order) == list(range(system.n))
    for place, unknown in enumerate(order):
        later = {system.x[other] for other in order[place + 1 :]}
        assert later.isdisjoint(system.graph.reachable([system.x[unknown]]))
    if pattern.sum() == len(pattern):
        assert order == tuple(range(system.n))


def test_the_steps_of_an_elimination_hold_what_the_solution_is_made_of() -> None:
    """Every quotient of the elimination is among its steps, each step once, and the solution comes last."""
    system = System(dense(4))
    steps, graph = system.solution.steps, system.graph
    assert {node for node in graph.reachable(system.x) if graph.ops[node] is Op.DIV} <= set(steps)
    assert len(set(steps)) == len(steps)
    assert set(steps[-4:]) == set(system.x)


def test_the_upper_triangle_is_not_read() -> None:
    """The lower triangle is the matrix."""
    graph = Graph()
    a, b, c = (graph.symbol(Symbol(Role.STATE, i, "m")) for i in range(3))
    labels, right = ["u", "v"], [graph.one, a]
    symmetric = solve_positive_definite(graph, [[a, b], [b, c]], right, labels, Checks(graph)).column
    lower = solve_positive_definite(graph, [[a, graph.zero], [b, c]], right, labels, Checks(graph)).column
    assert symmetric == lower


@pytest.mark.parametrize(("pattern", "order"), [(banded(12), 1), (arrow(12), 1), (np.eye(12, dtype=bool), 1)])
def test_sparse_systems_cost_in_proportion_to_their_size(pattern: np.ndarray, order: int) -> None:
    """No fill: a chain or a star of n unknowns takes a multiple of n operations, a full matrix of n^3."""
    sparse, full = System(pattern), System(dense(12))
    assert cost(sparse.graph, sparse.x) < 15 * 12
    assert 4 * cost(sparse.graph, sparse.x) < cost(full.graph, full.x)


def test_an_arrow_is_eliminated_from_its_tips() -> None:
    """The unknown that all others need goes last, wherever it stands."""
    last = System(arrow(9)[::-1, ::-1])
    first = System(arrow(9))
    assert cost(first.graph, first.x) == cost(last.graph, last.x)


def test_each_pivot_is_inverted_once() -> None:
    """n divisions for n unknowns."""
    system = System(dense(5))
    graph = system.graph
    assert sum(graph.ops[n] is Op.DIV for n in graph.reachable(system.x)) == 5


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_singular_and_indefinite_matrices_fail_a_pivot(n: int) -> None:
    """A zero, negative or NaN pivot is noticed, exactly singular or singular but for rounding."""
    system = System(dense(n))
    m = definite(dense(n), 3)
    values, vectors = np.linalg.eigh(m)
    values[0] = 0.0
    singular = vectors @ np.diag(values) @ vectors.T
    values[0] = -0.3
    indefinite = vectors @ np.diag(values) @ vectors.T
    for bad in (singular, (singular + singular.T) / 2, indefinite, -m, np.full((n, n), np.nan), np.zeros((n, n))):
        assert not all(system.passed(bad).values())
    for scale in (1e-200, 1e-9, 1e9, 1e200):
        assert all(system.passed(scale * m).values())


def test_the_label_is_that_of_the_unknown_without_inertia() -> None:
    """The failing pivot names its unknown, whatever the order of elimination."""
    system = System(np.eye(4, dtype=bool))
    assert system.passed(np.diag([1.0, 2.0, 0.0, 3.0])) == {"u0": True, "u1": True, "u2": False, "u3": True}


def test_checks_lie_below_the_solution() -> None:
    """What is tested is what is evaluated."""
    system = System(dense(4))
    live = set(system.graph.reachable(system.x))
    assert all(check.node in live for check in system.checks.all())


def test_beyond_the_limit_the_system_is_one_node() -> None:
    """A large dense matrix becomes a SOLVE with its labels; a large sparse one stays straight lines."""
    n = next(n for n in range(1, 100) if sum(k * (k + 3) // 2 for k in range(n)) > STRAIGHT_LINE_LIMIT)
    below, beyond = System(dense(n - 1)), System(dense(n))
    assert not any(op is Op.SOLVE for op in below.graph.ops)
    (system,) = [node for node in beyond.graph.reachable(beyond.x) if beyond.graph.ops[node] is Op.SOLVE]
    spec = beyond.graph.data[system]
    assert spec == SystemSpec(Factorization.LDLT, n, 1, tuple(f"u{i}" for i in range(n)))
    assert beyond.checks.all() == ()
    m, b = definite(dense(n), 1), np.random.default_rng(1).normal(size=n)
    assert np.array(beyond.at(m, b).vector(beyond.x)) == pytest.approx(np.linalg.solve(m, b))
    assert not any(op is Op.SOLVE for op in System(banded(3 * n)).graph.ops)


@pytest.mark.parametrize("block", [np.eye(1, dtype=bool), banded(4)])
def test_independent_blocks_cost_what_they_have(block: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four times as many blocks take four times as many products to derive, and make four times as many nodes."""
    made: list[Node] = []

    def multiply(graph: Graph, x: Node, y: Node, plain: Callable[..., Node] = Graph.mul) -> Node:
        made.append(x)
        return plain(graph, x, y)

    monkeypatch.setattr(Graph, "mul", multiply)
    figures = []
    for count in (10, 40):
        made.clear()
        system = System(np.kron(np.eye(count, dtype=bool), block))
        figures.append((len(made), len(system.graph.reachable(system.x))))
    assert figures[1][0] <= 4 * figures[0][0]
    assert figures[1][1] <= 4 * figures[0][1]


def test_blocks_that_nothing_joins_are_systems_of_their_own() -> None:
    """Two dense blocks beyond the limit are two systems, their unknowns in turn; a small block is none."""
    n = next(n for n in range(1, 100) if sum(k * (k + 3) // 2 for k in range(n)) > STRAIGHT_LINE_LIMIT)
    pattern = np.zeros((2 * n + 2, 2 * n + 2), dtype=bool)
    pattern[: 2 * n, : 2 * n] = np.kron(dense(n), np.eye(2, dtype=bool))  # even and odd unknowns
    pattern[2 * n :, 2 * n :] = True
    system = System(pattern)
    solved = [node for node in system.graph.reachable(system.x) if system.graph.ops[node] is Op.SOLVE]
    labels = [system.graph.data[node].labels for node in solved]
    assert labels == [tuple(f"u{i}" for i in range(start, 2 * n, 2)) for start in (0, 1)]
    assert [written.labels for written in system.checks.systems] == [(f"u{2 * n}", f"u{2 * n + 1}")]
    m, b = definite(pattern, 1), np.random.default_rng(1).normal(size=len(pattern))
    assert np.array(system.at(m, b).vector(system.x)) == pytest.approx(np.linalg.solve(m, b))


def test_a_large_band_is_not_filled_for_a_loop() -> None:
    """Straight lines where the loop would take many times their products, however many they are."""
    n = STRAIGHT_LINE_LIMIT // 2 + 2
    system = System(banded(n))
    assert not any(op is Op.SOLVE for op in system.graph.ops)
    assert cost(system.graph, system.x) < 15 * n


def test_limbs_on_a_base_are_not_filled_for_a_loop() -> None:
    """A base of 6 with two arms of 8 and two legs of 6 stays straight lines: a loop takes five times their products."""
    pattern = np.zeros((34, 34), dtype=bool)
    pattern[:6] = pattern[:, :6] = True
    for start, end in ((6, 14), (14, 22), (22, 28), (28, 34)):
        pattern[start:end, start:end] = True
    system = System(pattern)
    m, b = definite(pattern, 3), np.random.default_rng(3).normal(size=34)
    assert not any(op is Op.SOLVE for op in system.graph.ops)
    assert np.array(system.at(m, b).vector(system.x)) == pytest.approx(np.linalg.solve(m, b))


def test_sizes_that_the_caller_knows_are_compared_with_pivots() -> None:
    """A given size is the only measure of a pivot: it fails at a fourth of the inverse epsilon, and passes below."""
    graph = Graph()
    checks = Checks(graph)
    a = graph.symbol(Symbol(Role.STATE, 0, "a"))
    b = graph.symbol(Symbol(Role.INPUT, 0, "b"))
    size = graph.symbol(Symbol(Role.PARAMETER, 0, "size"))
    solve_positive_definite(graph, [[a]], [b], ["u"], checks, [size])
    (check,) = checks.all()
    for value, passes in ((2.0**49, True), (2.0**51, False)):
        known = {graph.symbol_of(a): 1.0, graph.symbol_of(b): 1.0, graph.symbol_of(size): value}
        assert bool(Sample(graph, known)[check.condition]) is passes


def test_a_pivot_that_is_a_number_is_judged_at_once() -> None:
    """Positive numbers need no test at run time; others are an error of the model, not of the state."""
    graph = Graph()
    checks = Checks(graph)
    two = graph.constant(2)
    b = graph.symbol(Symbol(Role.INPUT, 0, "b"))
    assert solve_positive_definite(graph, [[two]], [b], ["u"], checks).column == [graph.div(b, two)]
    assert checks.all() == ()
    one = graph.one
    for matrix in ([[graph.constant(-1)]], [[graph.zero]], [[one, two], [two, one]], [[one, one], [one, one]]):
        with pytest.raises(DerivationError, match=r"not positive definite: the pivot of [uv] is"):
            solve_positive_definite(graph, matrix, [b] * len(matrix), ["u", "v"], checks)


def test_constant_matrices_are_factored_exactly() -> None:
    """Rational arithmetic while everything is a number: the solution of a constant system is a constant."""
    graph = Graph()
    rows = [[4, 2, 1], [2, 5, 3], [1, 3, 6]]
    matrix = [[graph.constant(x) for x in row] for row in rows]
    x = solve_positive_definite(
        graph, matrix, [graph.constant(k) for k in (1, 2, 3)], list("uvw"), Checks(graph)
    ).column
    assert {graph.level[node] for node in x} == {Level.CONSTANT}
    found = [float(graph.number(node)) for node in x]
    assert found == pytest.approx(np.linalg.solve(np.array(rows, dtype=float), [1, 2, 3]), rel=1e-15)


def test_no_unknowns_no_solution() -> None:
    """An empty system is solved."""
    graph = Graph()
    assert solve_positive_definite(graph, [], [], [], Checks(graph)).column == []
