"""What a step reads, and how much of it is written in place."""

from __future__ import annotations

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.passes.chunk import RESULTS, Uses
from eomc.passes.loops import needed_before
from eomc.passes.steps import (
    Compute,
    Fill,
    Loop,
    Output,
    Outputs,
    Solve,
    Step,
)

# By names of their own: looking up a member of an enumeration takes long.
_CONSTANT, _RESULT, _SOLVE, _SYMBOL = Op.CONSTANT, Op.RESULT, Op.SOLVE, Op.SYMBOL


def uses_of(graph: Graph, step: Step, named: set[Node], stop: frozenset[Node]) -> Uses:
    """Look through what is written in place, down to names and leaves."""
    ops, args = graph.ops, graph.args
    if isinstance(step, Compute):
        stack = list(args[step.node])
    elif isinstance(step, Check):
        stack = [step.condition]
    elif isinstance(step, (Fill, Output)):
        stack = [step.node]
    elif isinstance(step, Loop):
        stack = needed_before(step.repeat)
    elif isinstance(step, Outputs):
        nodes = [node for share in step.shares for node in share.nodes]
        weight = (1 + RESULTS) * len(step.shares)
        return Uses(tuple(node for node in nodes if node in named), (), False, weight)
    else:
        return Uses((), (), False, 4 if isinstance(step, Solve) else 0)
    weight = len(step.repeat.statements) if isinstance(step, Loop) else 1
    weight += RESULTS if isinstance(step, Output) else 0  # few of a chunk's steps hand out
    solutions = isinstance(step, Compute) and ops[step.node] is _RESULT
    names: dict[Node, None] = {}
    leaves: dict[Node, None] = {}
    while stack:
        node = stack.pop()
        if node in named:
            names[node] = None
        elif node in stop or ops[node] is _SYMBOL:
            leaves[node] = None
        elif ops[node] is not _CONSTANT and ops[node] is not _SOLVE:
            weight += 1
            solutions = solutions or ops[node] is _RESULT
            stack += args[node]
    if isinstance(step, Loop):  # what it finds by an index, in what others have left, waits there for it, too
        names.update(dict.fromkeys(node for node in step.repeat.read() if node in named))
    return Uses(tuple(names), tuple(leaves), solutions, weight)
