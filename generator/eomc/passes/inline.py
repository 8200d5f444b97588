"""Which nodes get a name of their own, and which are written where they are used.

A node is named when it is used more than once, when a check or a text-book block speaks of it, when it is one of a
sine-cosine pair, or when the expression around it would become too long or too deep to read (and, in the end, too deep
for a C compiler).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.program import Check
from eomc.passes.order import Event
from eomc.passes.repeats import Repeat
from eomc.passes.steps import Fill

LONGEST = 7  # leaves and calls in one expression
DEEPEST = 5  # nested parentheses, at most

# By names of their own: looking up a member of an enumeration takes long.
_NEG, _POWI = Op.NEG, Op.POWI

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
    order: Sequence[Node],
    beside: Sequence[Event],
    outputs: Sequence[Node],
    stop: frozenset[Node],
    labels: Mapping[Node, str],
    *,
    forced: Collection[Node],
) -> set[Node]:
    """Return the nodes that are named, out of those that are evaluated.

    Parameters
    ----------
    order
        What is evaluated, in order.
    beside
        What else happens.
    labels
        Names that the blocks give to nodes.
    forced
        Nodes that get a name whatever they are.
    """
    uses = _count_uses(graph, order, beside, outputs)
    handed_out = set(outputs)
    named: set[Node] = set()
    weight: dict[Node, int] = {}  # of what has been met and has no name
    depth: dict[Node, int] = {}

    ops, all_args, unnamed, is_open = graph.ops, graph.args, weight.keys(), weight.__contains__
    for node in order:
        op, args = ops[node], all_args[node]
        own = 1 if op in _CALLS else 0
        total, deepest = own + len(args), 0
        if not unnamed.isdisjoint(args):
            open_args = list(filter(is_open, args))
            if op is _POWI:
                named.update(open_args)
                del weight[open_args.pop()]
            for arg in open_args:
                total += weight[arg] - 1
            while total > LONGEST:
                heaviest = max(open_args, key=weight.__getitem__)
                named.add(heaviest)
                open_args.remove(heaviest)
                total -= weight.pop(heaviest) - 1
            for arg in open_args:
                flat = arg == args[0] and ops[arg] in _CHAINED.get(op, ())
                level = depth[arg] if flat else depth[arg] + 1
                if level > DEEPEST:
                    named.add(arg)
                    total -= weight.pop(arg) - 1
                elif level > deepest:
                    deepest = level
        times = uses[node]
        if times > 1:
            name_it = op is not _NEG or not _is_free(graph, node, stop)
        else:
            name_it = times == 1 and node in labels and node not in handed_out  # 0: only a filler writes it
        if name_it or node in forced:
            named.add(node)
        else:
            weight[node] = total if total > 1 else 1
            depth[node] = deepest + own
    return named


def _is_free(graph: Graph, node: Node, stop: frozenset[Node]) -> bool:
    """Whether writing a changed sign twice costs nothing: that of something that has a name."""
    return is_given(graph, graph.args[node][0], stop) and graph.level[node] <= Level.PARAMETERS


def _count_uses(graph: Graph, order: Sequence[Node], beside: Sequence[Event], outputs: Sequence[Node]) -> Counter[Node]:
    uses = Counter(itertools.chain.from_iterable(map(graph.args.__getitem__, order)))
    uses.update([event.condition for event in beside if isinstance(event, Check)])
    uses.update([event.node for event in beside if isinstance(event, Fill)])
    for event in beside:
        if isinstance(event, Repeat):
            uses.update(event.read())
    uses.update(outputs)
    return uses
