"""The measure by which the derivation chooses: what runs at every call, sharing taken into account."""

from __future__ import annotations

from eomc.ir.graph import Graph
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.passes.cost import Tally, cost

TIME = Symbol(Role.TIME, 0, "t")
X, Y, P = Symbol(Role.STATE, 0, "x"), Symbol(Role.STATE, 1, "y"), Symbol(Role.PARAMETER, 0, "p")


def test_what_depends_on_parameters_alone_is_free() -> None:
    """It is evaluated once, ahead of time."""
    graph = Graph()
    p = graph.symbol(P)
    steady = graph.unary(Op.EXP, graph.div(p, graph.constant(3)))
    assert cost(graph, [steady]) == 0
    assert cost(graph, [graph.mul(steady, graph.symbol(X))]) == 1


def test_shared_nodes_count_once() -> None:
    """Two roots over one sine pay for it once; a minus sign costs nothing."""
    graph = Graph()
    x = graph.symbol(X)
    sine = graph.unary(Op.SIN, x)
    alone = cost(graph, [sine])
    assert cost(graph, [graph.add(sine, x), graph.mul(sine, x), graph.neg(sine)]) == alone + 2


def test_every_real_op_has_a_cost_and_functions_cost_most() -> None:
    """add < divide < sine, and nothing that is computed is free but a sign."""
    graph = Graph()
    x, y = graph.symbol(X), graph.symbol(Y)
    costs = {}
    for op in Op:
        if OPS[op].kind is Kind.REAL and OPS[op].arity in (1, 2) and op not in (Op.RESULT, Op.NEG):
            node = graph.powi(x, 2) if op is Op.POWI else None
            if node is None:
                node = graph.unary(op, x) if OPS[op].arity == 1 else graph.binary(op, x, y)
            costs[op] = cost(graph, [node])
    assert min(costs.values()) == 1
    assert costs[Op.ADD] < costs[Op.DIV] < costs[Op.SIN]


def test_a_linear_system_costs_its_elimination() -> None:
    """A system that is left to a kernel is no free lunch: its cost grows with the cube of its size."""
    found = []
    for n in (4, 8, 16):
        graph = Graph()
        x = graph.symbol(X)
        matrix = [[x if i == j else graph.one for j in range(n)] for i in range(n)]
        rows = graph.solve(Factorization.LDLT, matrix, [[x]] * n, ["a"] * n)
        found.append(cost(graph, [row[0] for row in rows]))
    assert found[0] > 4
    assert found[2] > 5 * found[1] - found[0] > 0


def test_a_tally_counts_only_what_is_new() -> None:
    """Roots added one after the other cost together what they cost at once."""
    graph = Graph()
    x, y = graph.symbol(X), graph.symbol(Y)
    sine = graph.unary(Op.SIN, x)
    roots = [graph.mul(sine, y), graph.add(sine, y), sine]
    tally = Tally(graph)
    steps = [tally.add([root]) for root in roots]
    assert steps == [cost(graph, roots[: k + 1]) for k in range(3)]
    assert steps[2] == steps[1]
