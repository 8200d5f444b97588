"""Where the state derivative may jump: what is constant between jumps, and the comparisons by which it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Function
from eomc.ir.text import formulas
from eomc.programs.results import returns

_LONGEST = 60
_WORDS = {Op.LT: "<", Op.LE: "<="}
_HALF = 0.5


def switches(equations: EquationsOfMotion, named: Sequence[str]) -> Function | None:
    """Return a number for each jump of the state derivative: it is another on another side, and zero on none.

    Moduli switch with their quotients. Equalities are left out, for they hold at points alone, and so are minima,
    maxima and magnitudes, which have kinks and no jumps. What holds no state and none of the named parameters is left
    out, too: it jumps at times that nothing moves.
    """
    graph = equations.graph
    chosen = [one for one in equations.parameters if one.name in named]
    moves = graph.bits([graph.symbol(one.symbol) for one in (*equations.states, *chosen)])
    found: dict[Node, str] = {}
    for node in graph.reachable(equations.motion.derivative):
        if graph.level[node] < Level.VARYING or not graph.holds[node] & moves:
            continue
        side = _side(graph, node)
        if side is not None:
            found.setdefault(side, _text(graph, node))
    return returns(tuple(found), tuple(found.values())) if found else None


def _side(graph: Graph, node: Node) -> Node | None:
    """Return the number of one node, None for one that does not switch."""
    op, args = graph.ops[node], graph.args[node]
    if op is Op.SIGN:
        return node
    if op in _WORDS:
        return graph.select(node, graph.one, graph.neg(graph.one))
    if op is Op.MOD:
        return graph.add(graph.unary(Op.FLOOR, graph.div(*args)), graph.constant(_HALF))
    if op is Op.FLOOR:
        return graph.add(node, graph.constant(_HALF))
    return None


def _text(graph: Graph, node: Node) -> str:
    args = graph.args[node]
    written = formulas(graph, [node, *args], _LONGEST)
    op = graph.ops[node]
    if op in _WORDS and all(written[a] for a in args):
        return f"{written[args[0]]} {_WORDS[op]} {written[args[1]]}"
    return written[node] or "an expression of the model"
