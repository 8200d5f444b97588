"""How expressions depend on some variables: not at all, linearly, or otherwise; read off in one pass."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.systems import SystemSpec
from eomc.passes.differentiate import depends_on

_FREE, _LINEAR, _NONLINEAR = 0, 1, 2


def nonlinear_nodes(graph: Graph, roots: Iterable[Node], variables: Iterable[Node]) -> set[Node]:
    """Return the nodes below `roots` that are not linear (a constant part allowed) in the `variables`.

    Read from how they are written: what only turns out linear after terms cancel counts as nonlinear.
    """
    wanted = set(variables)
    degree: dict[Node, int] = {}
    for node in sorted(depends_on(graph, graph.reachable(roots), wanted)):
        degree[node] = _LINEAR if node in wanted else _degree(graph, node, degree)
    return {node for node, value in degree.items() if value == _NONLINEAR}


def _degree(graph: Graph, node: Node, known: dict[Node, int]) -> int:
    op, args = graph.ops[node], graph.args[node]
    degrees = [known.get(a, _FREE) for a in args]
    if not any(degrees):
        return _FREE
    if op in (Op.ADD, Op.SUB, Op.NEG, Op.RESULT):
        return max(degrees)
    if op is Op.MUL:
        return min(sum(degrees), _NONLINEAR)
    if op in (Op.DIV, Op.SELECT):  # by, or depending on, what does not hold the variables
        steady = degrees[1:] if op is Op.DIV else degrees[:1]
        return _NONLINEAR if any(steady) else max(degrees)
    spec = graph.data[node]
    if isinstance(spec, SystemSpec) and not any(degrees[: spec.matrix_entries]):
        return max(degrees)
    return _NONLINEAR
