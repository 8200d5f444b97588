"""Repeat -> Loop: which statements of a repeat have names, in which order, and which of them others read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.passes.inline import choose_named
from eomc.passes.order import Event, find_partners, order
from eomc.passes.repeats import Before, Common, Repeat, body_of
from eomc.passes.steps import Elements, Fill, Loop, Step, Test


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
        operand.node if isinstance(operand, Common) else operand.first
        for repeat in repeats
        for statement in repeat.statements
        for operand in statement.operands
        if isinstance(operand, Common) or (repeat.in_a_row and isinstance(operand, Before))
    }
    return {node for node in common if graph.args[node]}


def make_loop(graph: Graph, repeat: Repeat, read: set[Node], checks: Mapping[Node, Check]) -> Loop:
    """Return the loop of a repeat.

    Parameters
    ----------
    read
        What others read.
    checks
        By the nodes that they guard.
    """
    body = body_of(graph, repeat)
    carried = {
        operand.statement
        for statement in repeat.statements
        for operand in statement.operands
        if isinstance(operand, Before)
    }
    kept = [k for k, one in enumerate(repeat.statements) if not read.isdisjoint(one.nodes)]
    left = [k for k in kept if repeat.in_a_row and k in carried and read.isdisjoint(repeat.statements[k].nodes[:-1])]
    kept = [k for k in kept if k not in left]
    guarded = _checks_of(repeat, body.nodes, checks) if repeat.in_a_row else {}
    roots = [body.nodes[k] for k in sorted(carried.union(kept))]
    of_op = {op: [node for node in body.nodes if body.graph.ops[node] is op] for op in (Op.SIN, Op.COS)}
    partners = find_partners(body.graph, of_op[Op.SIN], of_op[Op.COS])
    tested = {node: [check] for node, (check, _) in guarded.items()}
    leaves = {node for node, args in enumerate(body.graph.args) if not args}
    events = order(body.graph, set(range(len(body.graph))), leaves, (), roots, tested, {}, partners)
    evaluated = [event for event in events if isinstance(event, int)]
    beside = [event for event in events if not isinstance(event, int)]
    named = choose_named(body.graph, evaluated, beside, (), frozenset(), {}, forced={*roots, *partners})
    numbers = {node: k for k, node in enumerate(body.nodes)}
    order_of: list[int] = []
    tests: list[Test] = []
    for event in events:
        if isinstance(event, Check):
            tests.append(Test(len(order_of), numbers[event.condition], guarded[event.node][1]))
        elif isinstance(event, int) and event in named:
            order_of.append(numbers[event])
    return Loop(repeat, body, tuple(order_of), tuple(kept), tuple(tests), tuple(left))


def _checks_of(
    repeat: Repeat, nodes: Sequence[Node], checks: Mapping[Node, Check]
) -> dict[Node, tuple[Check, tuple[Check, ...]]]:
    """Return the checks of an instance by nodes of the body, each with those of all instances."""
    slots = {one.nodes[0]: k for k, one in enumerate(repeat.statements)}
    found: dict[Node, tuple[Check, tuple[Check, ...]]] = {}
    for k, one in enumerate(repeat.statements):
        if one.nodes[0] in checks:
            own = tuple(checks[node] for node in one.nodes)
            condition = nodes[slots[own[0].condition]]
            found[nodes[k]] = replace(own[0], node=nodes[k], condition=condition), own
    return found


def arrays_of(steps: Iterable[Step]) -> list[tuple[Node, ...]]:
    """Return what loops leave, the nodes of one array each."""
    return [step.repeat.statements[k].nodes for step in steps if isinstance(step, Loop) for k in step.kept]


def first_names(step: Loop) -> list[Node]:
    """Return the nodes by which the statements of a loop are numbered: those of the first instance.

    What instances carry on is numbered by those of the last.
    """
    carried = carried_of(step.repeat) if step.repeat.in_a_row else []
    return [step.repeat.statements[k].nodes[0] for k in step.named] + list(
        dict.fromkeys(step.repeat.statements[one.statement].nodes[-1] for one in carried)
    )


def carried_of(repeat: Repeat) -> list[Before]:
    """Return what instances carry on."""
    operands = [one for statement in repeat.statements for one in statement.operands if isinstance(one, Before)]
    return list(dict.fromkeys(operands))


def needed_before(repeat: Repeat) -> list[Node]:
    """Return what a loop reads by name."""
    if not repeat.in_a_row:
        return list(dict.fromkeys(repeat.read()))
    operands = [one for statement in repeat.statements for one in statement.operands]
    return list(
        dict.fromkeys(
            one.node if isinstance(one, Common) else one.first for one in operands if isinstance(one, (Common, Before))
        )
    )


def elements_of(arrays: Iterable[tuple[Node, ...]], places: Mapping[Node, int]) -> tuple[Elements, ...]:
    """Return arrays with their places."""
    return tuple(Elements(nodes, places.get(nodes[0], -1)) for nodes in arrays)
