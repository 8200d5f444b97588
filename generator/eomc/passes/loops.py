"""Repeat -> Loop: which statements of a repeat have names, in which order, and which of them others read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.passes.inline import choose_named
from eomc.passes.order import Event, find_partners, order
from eomc.passes.repeats import Before, Common, Repeat, body_of
from eomc.passes.steps import Elements, Fill, Loop, Step


def read_beside(graph: Graph, events: Iterable[Event], roots: Iterable[Node]) -> set[Node]:
    """Return what is read by others than the repeat that evaluates it; roots are what a function is for."""
    read = set(roots)
    for event in events:
        if isinstance(event, int):
            read.update(graph.args[event])
        elif isinstance(event, Repeat):
            read.update(event.read())
        elif isinstance(event, Check):
            read.add(event.condition)
        elif isinstance(event, Fill):
            read.add(event.node)
    return read


def named_for(graph: Graph, repeats: Iterable[Repeat]) -> set[Node]:
    """Return the nodes that need names for loops to read them: what is common to instances is evaluated once."""
    common = {
        operand.node
        for repeat in repeats
        for statement in repeat.statements
        for operand in statement.operands
        if isinstance(operand, Common)
    }
    return {node for node in common if graph.args[node]}


def make_loop(graph: Graph, repeat: Repeat, read: set[Node]) -> Loop:
    """Return the loop of a repeat.

    Parameters
    ----------
    read
        What others read.
    """
    body = body_of(graph, repeat)
    carried = {
        operand.statement
        for statement in repeat.statements
        for operand in statement.operands
        if isinstance(operand, Before)
    }
    kept = [k for k, one in enumerate(repeat.statements) if not read.isdisjoint(one.nodes)]
    roots = [body.nodes[k] for k in sorted(carried.union(kept))]
    of_op = {op: [node for node in body.nodes if body.graph.ops[node] is op] for op in (Op.SIN, Op.COS)}
    partners = find_partners(body.graph, of_op[Op.SIN], of_op[Op.COS])
    events = order(body.graph, set(range(len(body.graph))), frozenset(), (), roots, {}, {}, partners)
    named = choose_named(body.graph, events, (), frozenset(), {}, forced={*roots, *partners})
    numbers = {node: k for k, node in enumerate(body.nodes)}
    return Loop(
        repeat, tuple(numbers[event] for event in events if isinstance(event, int) and event in named), tuple(kept)
    )


def arrays_of(steps: Iterable[Step]) -> list[tuple[Node, ...]]:
    """Return what loops leave, the nodes of one array each."""
    return [step.repeat.statements[k].nodes for step in steps if isinstance(step, Loop) for k in step.kept]


def first_names(step: Loop) -> list[Node]:
    """Return the nodes by which the statements of a loop are numbered: those of the first instance."""
    return [step.repeat.statements[k].nodes[0] for k in step.named]


def elements_of(arrays: Iterable[tuple[Node, ...]], places: Mapping[Node, int]) -> tuple[Elements, ...]:
    """Return arrays with their places."""
    return tuple(Elements(nodes, places.get(nodes[0], -1)) for nodes in arrays)
