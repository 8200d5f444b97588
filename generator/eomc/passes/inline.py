"""Which nodes get a name of their own, and which are written where they are used.

A node is named when it is used more than once, when a check or a text-book block speaks of it, when it is one of a
sine-cosine pair, or when the expression around it would become too long or too deep to read (and, in the end, too deep
for a C compiler).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Kind, Op
from eomc.passes.order import Event
from eomc.passes.steps import Compute, Fill, Guard

__all__ = ["choose_named"]

LONGEST = 7  # leaves and calls in one expression
DEEPEST = 5  # nested parentheses, at most

_CHAINED = {Op.ADD: (Op.ADD, Op.SUB), Op.SUB: (Op.ADD, Op.SUB), Op.MUL: (Op.MUL,)}
_CALLS = frozenset(
    op
    for op, spec in OPS.items()
    if spec.kind is Kind.REAL and op not in (Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.SELECT, Op.RESULT)
)


def is_given(graph: Graph, node: Node, stop: frozenset[Node]) -> bool:
    """Whether a node needs no statement: a number, a symbol, or something read from the constants."""
    return node in stop or graph.ops[node] in (Op.CONSTANT, Op.SYMBOL)


def choose_named(
    graph: Graph,
    events: Sequence[Event],
    outputs: Sequence[Node],
    stop: frozenset[Node],
    labels: Mapping[Node, str],
    *,
    forced: Callable[[Node], bool],
) -> set[Node]:
    """Return the nodes that are named, out of those that the events compute.

    Parameters
    ----------
    labels
        Names that the blocks give to nodes.
    forced
        Further reasons to name a node.
    """
    order = [event.node for event in events if isinstance(event, Compute)]
    uses = _count_uses(graph, events, outputs)
    handed_out = set(outputs)
    named: set[Node] = set()
    weight: dict[Node, int] = {}
    depth: dict[Node, int] = {}

    def size(node: Node) -> int:
        return 1 if node in named else weight.get(node, 1)

    def nesting(node: Node) -> int:
        return 0 if node in named else depth.get(node, 0)

    for node in order:
        op = graph.ops[node]
        args = graph.args[node]
        if op is Op.RESULT:
            args = ()
        if op is Op.POWI:
            named.update(arg for arg in args if not is_given(graph, arg, stop))
        own = 1 if op in _CALLS else 0
        while sum(size(arg) for arg in args) + own > LONGEST:
            named.add(max((arg for arg in args if arg in weight and arg not in named), key=size))
        deepest = 0
        for position, arg in enumerate(args):
            flat = position == 0 and graph.ops[arg] in _CHAINED.get(op, ())
            level = nesting(arg) + (0 if flat or arg in named or arg not in weight else 1)
            if level > DEEPEST:
                named.add(arg)
                level = 0
            deepest = max(deepest, level)
        weight[node] = max(sum(size(arg) for arg in args) + own, 1)
        depth[node] = deepest + (1 if op in _CALLS else 0)
        several = uses.get(node, 0) > 1 and not _is_free(graph, node, stop)
        titled = bool(labels.get(node)) and not (node in handed_out and uses.get(node, 0) == 1)
        if several or titled or forced(node):
            named.add(node)
    return named


def _is_free(graph: Graph, node: Node, stop: frozenset[Node]) -> bool:
    """Whether writing a node twice costs nothing: the changed sign of something that has a name."""
    return (
        graph.ops[node] is Op.NEG
        and is_given(graph, graph.args[node][0], stop)
        and (graph.level[node] <= Level.PARAMETERS)
    )


def _count_uses(graph: Graph, events: Sequence[Event], outputs: Sequence[Node]) -> dict[Node, int]:
    uses: dict[Node, int] = {}
    for event in events:
        if isinstance(event, Compute):
            used: Sequence[Node] = graph.args[event.node]
        elif isinstance(event, Guard):
            used = (event.check.condition,)
        elif isinstance(event, Fill):
            used = (event.node,)
        else:
            continue
        for node in used:
            uses[node] = uses.get(node, 0) + 1
    for node in outputs:
        uses[node] = uses.get(node, 0) + 1
    return uses
