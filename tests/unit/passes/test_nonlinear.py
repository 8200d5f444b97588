"""Which expressions are linear in some variables."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.passes.nonlinear import nonlinear_nodes


def solved(graph: Graph, entry: Node, right: Node) -> Node:
    """Return the solution of one equation as a SOLVE node."""
    return graph.solve(Factorization.LU, [[entry]], [[right]], ["row"])[0][0]


@pytest.mark.parametrize(
    ("make", "linear"),
    [
        (lambda g, q, u, w: g.unary(Op.SIN, q), True),
        (lambda g, q, u, w: g.add(g.mul(q, u), g.sub(q, g.neg(w))), True),
        (lambda g, q, u, w: g.div(u, q), True),
        (lambda g, q, u, w: g.div(q, u), False),
        (lambda g, q, u, w: g.mul(u, w), False),
        (lambda g, q, u, w: g.powi(u, 2), False),
        (lambda g, q, u, w: g.unary(Op.ABS, u), False),
        (lambda g, q, u, w: g.select(g.binary(Op.LT, q, w), q, g.one), False),
        (lambda g, q, u, w: g.select(g.binary(Op.LT, q, g.one), u, w), True),
        (lambda g, q, u, w: solved(g, q, u), True),
        (lambda g, q, u, w: solved(g, u, q), False),
    ],
)
def test_linear_in_u_and_w(make: Callable[..., Node], linear: bool) -> None:
    """Sums, products with what does not hold the variables and solutions for them are linear, all else is not."""
    graph = Graph()
    q, u, w = (graph.symbol(Symbol(Role.STATE, index, name)) for index, name in enumerate("quw"))
    root = make(graph, q, u, w)
    assert (root not in nonlinear_nodes(graph, [root], [u, w])) == linear
