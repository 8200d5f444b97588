"""One function, or a part that several share: what is evaluated in which order, what gets a name, in which chunk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.operations import OperationCounts
from eomc.ir.ops import Op
from eomc.ir.program import EVALUATE, Check
from eomc.passes.chunk import Found, cut, most_results, whole
from eomc.passes.count import by_op, count_alike
from eomc.passes.fours import in_fours
from eomc.passes.handing_out import in_loops
from eomc.passes.inline import choose_named
from eomc.passes.loops import arrays_of, elements_of, first_names, make_loop, named_for, read_beside
from eomc.passes.order import Event, find_partners, order
from eomc.passes.repeats import Repeat
from eomc.passes.results import handed_out, overwritten_by, with_results
from eomc.passes.steps import (
    Chunk,
    Compute,
    Heading,
    Loop,
    Multipliers,
    Passed,
    Routine,
    Step,
    SystemPlace,
)
from eomc.passes.tasks import Target, Task
from eomc.passes.uses import uses_of

# By names of their own: looking up a member of an enumeration takes long.
_CONSTANT, _NEG, _RESULT, _SOLVE, _SYMBOL = Op.CONSTANT, Op.NEG, Op.RESULT, Op.SOLVE, Op.SYMBOL


GATHERED = 8
"""Arguments of a system that are worth a function which puts them into their places."""


def schedule_routine(task: Task, target: Target) -> Routine:
    """Schedule one function or part."""
    graph, function, after = target.graph, task.function, task.after
    evaluated = sorted(task.live - task.stop - task.given)
    alike = by_op(graph, evaluated)
    systems, matrix, right = _place_systems(alike, task, target)
    numbers = {place.node: number for number, place in enumerate(systems)}
    own = [place.node for place in systems[len(after.systems) if after else 0 :]]
    gathered = {node: groups for node in own if (groups := _gathered(node, task, target))}
    repeats = () if task.at_once else target.repeats(task, evaluated)
    events, partners = ordered(graph, task, alike, numbers, _late(alike, task, systems, target), gathered, repeats)
    if target.fours:
        events = in_fours(graph, events, partners, {check.node for check in task.checks})
    in_order = [event for event in events if event.__class__ is int]
    others = [event for event in events if event.__class__ is not int]  # few beside the evaluations
    finished = frozenset(event.system for event in others if isinstance(event, Multipliers))
    counts = _counted(alike, systems, finished, target)
    waiting = {node for node in task.kept if graph.ops[node] not in (_RESULT, _SOLVE)}
    forced = waiting.union(partners, named_for(graph, repeats))
    if counts.total > target.chunk:
        forced.update(function.outputs)
    labels = {node: label for block in task.blocks for label, node in block.entries if label}
    named = choose_named(graph, in_order, others, function.outputs, task.stop, labels, forced=forced)
    named -= task.kept - waiting  # solutions of linear systems stay where they are
    read = read_beside(graph, events, [*function.outputs, *task.kept]) if repeats else set[Node]()
    due = {check.node: check for check in task.checks} if repeats else {}
    loops = [make_loop(graph, event, read, due) for event in others if isinstance(event, Repeat)]
    arrays = arrays_of(loops)
    in_a_row = any(repeat.in_a_row for repeat in repeats)
    results = handed_out(graph, function)
    if in_a_row:
        overwrites = function.name in ("rhs", EVALUATE)
        bounds = task.in_rows or [range(len(function.outputs))]
        results = in_loops(graph, results, arrays, overwrites, bounds, task.stop)
    if task.at_once:
        steps = steps_of(with_results(graph, events, results, target.small), named, labels)
        outputs_from = len(steps)
    else:
        steps = steps_of(events, named, labels, loops)
        outputs_from = len(steps)
        steps.extend(results)
    free = any(graph.level[node] <= Level.PARAMETERS for node in alike[_NEG])  # written as often as it is used
    alone = after is None and not task.kept
    if alone and not free and not in_a_row and _is_short(len(others), len(evaluated), len(results), target.chunk):
        chunks: tuple[Chunk, ...] = (whole(steps, [*(task.live & task.stop), *alike[_SYMBOL]]),)
        places: Mapping[Node, int] = {}
        passed = 0
    else:
        first = max([part.passed for part in task.behind], default=0)
        found = Found(
            {one.node: one.place for one in after.kept} if after else {},
            first,
            frozenset(node for one in after.elements for node in one.nodes) if after else frozenset(),
        )
        known = named.union(found.places, *arrays, *(loop.leaves for loop in loops))
        uses = [uses_of(graph, step, known, task.stop) for step in steps]
        overwritten = overwritten_by(graph, function, alike[_SYMBOL], results)
        chunks, places, passed = cut(steps, uses, outputs_from, target.chunk, overwritten, found, target.ranks(waiting))
    kept = tuple(Passed(node, places[node]) for node in sorted(waiting))
    return Routine(
        function=function,
        chunks=chunks,
        temporaries=(
            *(after.temporaries if after else ()),
            *_numbered(steps),
        ),
        systems=systems,
        passed=passed,
        matrix=matrix,
        right=right,
        counts=counts + after.counts if after else counts,
        before=(*after.before, after) if after else (),
        kept=(*after.kept, *kept) if after else kept,
        finished=finished | after.finished if after else finished,
        elements=(*(after.elements if after else ()), *elements_of(arrays, places)),
    )


def _numbered(steps: Iterable[Step]) -> list[Node]:
    """Return the nodes that steps give names, in order."""
    numbered: list[Node] = []
    for step in steps:
        if isinstance(step, Compute):
            numbered.append(step.node)
        elif isinstance(step, Loop):
            numbered += first_names(step)
    return numbered


def _late(
    alike: Mapping[Op, Sequence[Node]], task: Task, systems: Sequence[SystemPlace], target: Target
) -> dict[Node, int]:
    """Return the multipliers that a step of their own has to find, and the numbers of their systems."""
    graph, done = target.graph, task.after.finished if task.after else frozenset[int]()
    written = {place.node: k for k, place in enumerate(systems) if place.multipliers and k not in done}
    return {
        node: written[graph.args[node][0]]
        for node in alike[_RESULT]
        if graph.args[node][0] in written and _is_multiplier(graph, node)
    }


def _gathered(system: Node, task: Task, target: Target) -> list[tuple[int, ...]]:
    """Return the arguments of a system that a function can put into their places, which others call, too."""
    graph = target.graph
    ops, args = graph.ops, graph.args[system]

    def is_near(node: Node) -> bool:
        inner = graph.args[node][0] if ops[node] is _NEG else node
        return ops[inner] is _CONSTANT or inner in task.stop or (inner in task.given and ops[inner] is not _RESULT)

    groups = [tuple([k for k in part if is_near(args[k])]) for part in target.common.get(system, ())]
    return [group for group in groups if len(group) >= GATHERED]


def _is_multiplier(graph: Graph, result: Node) -> bool:
    """Whether a result of a linear system belongs to its constraints."""
    spec = graph.system_of(graph.args[result][0])
    return graph.integer(result) >= spec.n * spec.columns


def _counted(
    alike: Mapping[Op, Sequence[Node]], systems: Sequence[SystemPlace], finished: Collection[int], target: Target
) -> OperationCounts:
    """Return the operations of nodes, with the multipliers of the systems that are finished here."""
    fixed = {place.node: place.fixed for place in systems if place.fixed}
    written = [fixed[node] for node in alike[_SOLVE] if node in fixed]
    written += [found for k in sorted(finished) if (found := systems[k].multipliers)]
    unwritten = {**alike, _SOLVE: [node for node in alike[_SOLVE] if node not in fixed]}
    counts = count_alike(target.graph, unwritten, target.count_system)
    asked = OperationCounts(others=len(finished))  # whether the multipliers are there
    return sum((one.counts for one in written), start=counts + asked)


def ordered(
    graph: Graph,
    task: Task,
    alike: defaultdict[Op, list[Node]],
    systems: Mapping[Node, int],
    late: Mapping[Node, int] = MappingProxyType({}),
    gathered: Mapping[Node, Sequence[tuple[int, ...]]] = MappingProxyType({}),
    repeats: Sequence[Repeat] = (),
) -> tuple[list[Event], Mapping[Node, Node]]:
    """Return what happens, in order, and the sines and cosines that belong together."""
    repeated = {node for repeat in repeats for node in repeat.nodes()}
    checked: dict[Node, list[Check]] = {}
    for check in task.checks:
        if check.node in task.live:
            checked.setdefault(check.node, []).append(check)
    alone = repeated.union(checked)
    sines, cosines = ([node for node in alike[op] if node not in alone] for op in (Op.SIN, Op.COS))
    partners = find_partners(graph, sines, cosines)
    given = (task.live & task.stop).union(task.live & task.given, alike[_CONSTANT], alike[_SYMBOL])
    return order(
        *(graph, task.live, given, task.blocks, task.roots, checked, systems, partners, task.alone, late, gathered),
        repeats,
    ), partners


def results_of_systems(graph: Graph, nodes: Iterable[Node]) -> frozenset[Node]:
    """Return the results of linear systems among nodes."""
    ops = graph.ops
    return frozenset([node for node in nodes if ops[node] is _RESULT])


def _place_systems(
    alike: Mapping[Op, Sequence[Node]], task: Task, target: Target
) -> tuple[tuple[SystemPlace, ...], int, int]:
    """Give every linear system storage of its own; return that, and where those of matrices and right sides end."""
    graph = target.graph
    places = list(task.after.systems) if task.after else []
    matrix = max([part.matrix for part in task.behind], default=0)
    right = max([part.right for part in task.behind], default=0)
    multiplied = {graph.args[result][0] for result in task.solved if _is_multiplier(graph, result)}
    for node in alike[_SOLVE]:
        spec = graph.system_of(node)
        fixed = target.orders.of(node)
        later = target.orders.multipliers_of(node, fixed) if fixed and node in multiplied else None
        places.append(SystemPlace(node, matrix, right, target.table.first_row(spec), fixed, later))
        matrix += spec.matrix_entries
        right += spec.right_entries + (spec.constraints * spec.columns if later else 0)
    return tuple(places), matrix, right


def steps_of(
    events: Sequence[Event | Step],
    named: set[Node],
    labels: Mapping[Node, str],
    loops: Sequence[Loop] = (),
) -> list[Step]:
    """Return the events that leave a trace in the text, and no heading without anything below it.

    `loops` are those of the repeats, in the order of these.
    """
    steps: list[Step] = []
    waiting = iter(loops)
    for event in events:
        if isinstance(event, int):
            if event in named:
                steps.append(Compute(event, labels.get(event, "")))
            continue
        if isinstance(event, Heading) and steps and isinstance(steps[-1], Heading):
            steps.pop()
        if isinstance(event, Repeat):
            steps.append(next(waiting))
        else:
            steps.append(event)
    if steps and isinstance(steps[-1], Heading):
        steps.pop()
    return steps


def _is_short(others: int, evaluated: int, outputs: int, chunk: int) -> bool:
    """Whether a function is sure to be one chunk: by a bound on its weight that takes no look at its text."""
    return outputs <= most_results(chunk) and evaluated + outputs + 4 * others <= chunk
