"""Program -> Schedule: what is computed once, what gets a name, in which order, in which chunk.

Nothing is simplified or reordered inside an expression here: every node is evaluated exactly as the graph says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check, Function, Program
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import SystemSpec
from eomc.ir.text import formulas
from eomc.passes.chunk import CHUNK, Uses, cut, most_results, whole
from eomc.passes.count import CountSystem, count_operations
from eomc.passes.fixed_order import Orders
from eomc.passes.hoist import find_live, hoist, hoistable
from eomc.passes.inline import choose_named
from eomc.passes.lanes import Arithmetic, lay_out, values_to_name
from eomc.passes.order import Event, are_cleared, find_partners, order
from eomc.passes.sizing import add_sizes
from eomc.passes.steps import (
    Chunk,
    ClearOutputs,
    Compute,
    ConstantPlace,
    Fill,
    Heading,
    LaneRoutine,
    Output,
    Routine,
    Schedule,
    Solve,
    Step,
    SystemPlace,
)

# By names of their own: looking up a member of an enumeration takes long.
_CONSTANT, _NEG, _RESULT, _SOLVE, _SYMBOL = Op.CONSTANT, Op.NEG, Op.RESULT, Op.SOLVE, Op.SYMBOL


def schedule(
    program: Program, count_system: CountSystem, *, chunk: int = CHUNK, vectors: Mapping[Op, bool] | None = None
) -> Schedule:
    """Decide in which order a target evaluates a program.

    Parameters
    ----------
    program
        Finished program: real symbols only, checks for every pivot.
    count_system
        What the target takes to solve a linear system.
    chunk
        Operations per emitted function, roughly.
    vectors
        Functions that the target computes for several lanes at a time, and whether only in a range.

    Returns
    -------
    Schedule
        The same for equal programs, whatever the hash seed.
    """
    program = add_sizes(program)
    graph = program.graph
    early, late = _split_checks(program)
    stop = hoistable(graph)
    needed = [find_live(graph, function.outputs, late, stop) for function in program.functions]
    everything = set[Node]().union(*needed)
    places = hoist(graph, everything & stop)
    labels = _labels(program)
    written = formulas(graph, places, 60)
    constants = tuple(ConstantPlace(node, labels.get(node) or written[node]) for node in places)
    table = _CheckTable(program)
    target = _Target(count_system, chunk, Orders(program))
    prepare = _schedule_prepare(program, places, everything, early, table, target)
    routines = tuple(
        _schedule_routine(graph, function, function.blocks, live, stop, late, table, target)
        for function, live in zip(program.functions, needed, strict=True)
    )
    lanes = tuple(
        _schedule_lanes(graph, routine, live, stop, late, vectors or {})
        for routine, live in zip(routines, needed, strict=True)
        if routine.function.name in program.lanes
    )
    return Schedule(program, constants, prepare, routines, tuple(table.labels), lanes)


@dataclass(frozen=True, slots=True)
class _Target:
    """What there is to know about who evaluates the schedule."""

    count_system: CountSystem
    chunk: int
    orders: Orders  # of the pivots of small systems


class _CheckTable:
    """Numbers that failures report, and what they mean."""

    def __init__(self, program: Program) -> None:
        size = max((check.index for check in program.checks), default=-1) + 1
        self.labels = [""] * size
        for check in program.checks:
            self.labels[check.index] = check.label
        self._systems: dict[tuple[str, ...], int] = {}

    def first_row(self, spec: SystemSpec) -> int:
        """Return the number that stands for row 0 of a system."""
        if spec.labels not in self._systems:
            self._systems[spec.labels] = len(self.labels)
            self.labels.extend(spec.labels[: spec.n])
            self.labels.extend(f"{label}, which contradicts the others" for label in spec.labels[spec.n :])
        return self._systems[spec.labels]


def _split_checks(program: Program) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """Return the checks that `_prepare` can do, since their conditions lie in the parameters, and the others."""
    level = program.graph.level
    early = tuple(check for check in program.checks if level[check.condition] <= Level.PARAMETERS)
    late = tuple(check for check in program.checks if level[check.condition] > Level.PARAMETERS)
    return early, late


def _labels(program: Program) -> dict[Node, str]:
    """Return the first name that the blocks of all functions give to each node."""
    entries = [entry for function in program.functions for block in function.blocks for entry in block.entries]
    return {node: label for label, node in reversed(entries) if label}


def _schedule_prepare(
    program: Program,
    places: Sequence[Node],
    elsewhere: set[Node],
    early: Sequence[Check],
    table: _CheckTable,
    target: _Target,
) -> Routine:
    """Schedule what is computed once, with the tests that can be made then, also of what is evaluated `elsewhere`."""
    graph = program.graph
    conditions = [check.condition for check in early if check.node in elsewhere]
    live = find_live(graph, [*places, *conditions], early, frozenset())
    checks = [check for check in early if check.node in live or check.node in elsewhere]
    function = Function(
        name="prepare",
        title="Evaluate what depends on the parameters alone; call again when they change.",
        outputs=tuple(places),
        output_names=(),
        shape=(len(places),),
    )
    blocks = tuple(block for one in program.functions for block in one.blocks)
    alone = [check for check in checks if check.node not in live]
    return _schedule_routine(graph, function, blocks, live, frozenset(), checks, table, target, alone)


def _schedule_routine(
    graph: Graph,
    function: Function,
    blocks: Sequence[Block],
    live: set[Node],
    stop: frozenset[Node],
    checks: Sequence[Check],
    table: _CheckTable,
    target: _Target,
    alone: Sequence[Check] = (),
) -> Routine:
    """Schedule one function; `alone`: checks to be made although their nodes are evaluated by other functions."""
    results = tuple(dict.fromkeys(function.outputs))
    evaluated = sorted(live - stop)
    alike = _by_op(graph, evaluated)
    systems = _place_systems(graph, alike, table, target.orders)
    numbers = {place.node: number for number, place in enumerate(systems)}
    events, partners = _ordered(graph, live, stop, alike, blocks, results, checks, numbers, alone)
    fixed = {place.node: place.fixed for place in systems if place.fixed}
    counts = count_operations(graph, [node for node in evaluated if node not in fixed], target.count_system)
    counts = sum((one.counts for one in fixed.values()), start=counts)
    several = counts.total > target.chunk
    forced = partners.keys() | (set(results) if several else set())
    labels = {node: label for block in blocks for label, node in block.entries if label}
    named = choose_named(
        graph,
        events,
        function.outputs,
        stop,
        labels,
        forced=forced,
    )
    steps = _steps(events, named, labels)
    outputs_from = len(steps)
    steps.extend(_handed_out(graph, function))
    free = any(graph.level[node] <= Level.PARAMETERS for node in alike[_NEG])  # written as often as it is used
    if not free and _is_short(events, evaluated, len(steps) - outputs_from, target.chunk):
        leaves = [node for node in live if node in stop or graph.ops[node] is _SYMBOL]
        chunks: tuple[Chunk, ...] = (whole(steps, leaves),)
        passed = 0
    else:
        uses = [_uses(graph, step, named, stop) for step in steps]
        chunks, passed = cut(steps, uses, outputs_from, target.chunk, _overwritten(graph, function, live))
    return Routine(
        function=function,
        chunks=chunks,
        temporaries=tuple(step.node for step in steps if isinstance(step, Compute)),
        systems=systems,
        passed=passed,
        matrix=sum(graph.system_of(place.node).matrix_entries for place in systems),
        right=sum(graph.system_of(place.node).right_entries for place in systems),
        counts=counts,
    )


def _ordered(
    graph: Graph,
    live: set[Node],
    stop: frozenset[Node],
    alike: defaultdict[Op, list[Node]],
    blocks: Sequence[Block],
    results: Sequence[Node],
    checks: Sequence[Check],
    systems: Mapping[Node, int],
    alone: Sequence[Check] = (),
) -> tuple[list[Event], Mapping[Node, Node]]:
    """Return what happens, in order, and the sines and cosines that belong together."""
    checked: dict[Node, list[Check]] = {}
    for check in checks:
        if check.node in live:
            checked.setdefault(check.node, []).append(check)
    sines, cosines = ([node for node in alike[op] if node not in checked] for op in (Op.SIN, Op.COS))
    partners = find_partners(graph, sines, cosines)
    return order(graph, live, stop, blocks, results, checked, systems, partners, alone), partners


def _by_op(graph: Graph, nodes: Iterable[Node]) -> defaultdict[Op, list[Node]]:
    """Return the nodes of each op."""
    alike: defaultdict[Op, list[Node]] = defaultdict(list)
    ops = graph.ops
    for node in nodes:
        alike[ops[node]].append(node)
    return alike


def _schedule_lanes(
    graph: Graph,
    routine: Routine,
    live: set[Node],
    stop: frozenset[Node],
    checks: Sequence[Check],
    vectors: Mapping[Op, bool],
) -> LaneRoutine:
    """Schedule a function for several copies side by side; kernels and long functions take them one by one."""
    function = routine.function
    if routine.systems or len(routine.chunks) > 1:
        return LaneRoutine(function, (), (), (), routine.counts)
    results = tuple(dict.fromkeys(function.outputs))
    alike = _by_op(graph, live - stop)
    events, partners = _ordered(graph, live, stop, alike, function.blocks, results, checks, {})
    labels = {node: label for block in function.blocks for label, node in block.entries if label}
    evaluated = [event for event in events if isinstance(event, int)]
    arithmetic = Arithmetic(graph, vectors)
    made = [step for step in events if isinstance(step, Check)]
    leaves = bool(made) or arithmetic.has_ranges(evaluated)
    forced = values_to_name(arithmetic, evaluated, results, made, leaves)
    named = choose_named(graph, events, function.outputs, stop, labels, forced=forced | partners.keys())
    steps = [*_steps(events, named, labels), *_handed_out(graph, function)]
    uses = [_uses(graph, step, named, stop) for step in steps]
    return lay_out(arithmetic, function, steps, uses, routine.counts, leaves)


def _handed_out(graph: Graph, function: Function) -> list[Step]:
    """Return what hands out the results; the zeros of a matrix that has little else are put there at once."""
    outputs, zero = function.outputs, graph.zero
    steps: list[Step] = []
    first = 0
    for size in [array.size for array in function.arrays] or [len(outputs)]:
        places: Sequence[int] = range(first, first + size)
        filled = [index for index in places if outputs[index] != zero]
        if (function.arrays or len(function.shape) == 2) and are_cleared(size - len(filled), size):
            steps.append(ClearOutputs(first, size))
            places = filled
        steps += [Output(index, outputs[index], _output_label(function, index)) for index in places]
        first += size
    return steps


def _overwritten(graph: Graph, function: Function, live: set[Node]) -> dict[Node, int]:
    """Return the states that outputs may overwrite, each with that output: rates may take the state's place."""
    if function.name != "rhs":
        return {}
    symbols = ((node, graph.data[node]) for node in live if graph.ops[node] is _SYMBOL)
    return {node: s.index for node, s in symbols if isinstance(s, Symbol) and s.role is Role.STATE}


def _output_label(function: Function, index: int) -> str:
    """Return where a result stands in its matrix."""
    shape = function.shape
    for array in function.arrays:
        if index < array.size:
            shape = array.shape
            break
        index -= array.size
    return f"[{index // shape[1]}][{index % shape[1]}]" if len(shape) == 2 else ""


def _place_systems(
    graph: Graph, alike: Mapping[Op, Sequence[Node]], table: _CheckTable, orders: Orders
) -> tuple[SystemPlace, ...]:
    """Give every linear system storage of its own."""
    places = []
    matrix = right = 0
    read: dict[Node, list[int]] = {}
    for result in alike[_RESULT]:
        index = graph.data[result]
        assert isinstance(index, int)
        read.setdefault(graph.args[result][0], []).append(index)
    for node in alike[_SOLVE]:
        short = orders.of(node, read[node])
        places.append(SystemPlace(node, matrix, right, table.first_row(graph.system_of(node)), short))
        matrix += graph.system_of(node).matrix_entries
        right += graph.system_of(node).right_entries
    return tuple(places)


def _steps(events: Sequence[Event], named: set[Node], labels: Mapping[Node, str]) -> list[Step]:
    """Return the events that leave a trace in the text, and no heading without anything below it."""
    steps: list[Step] = []
    for event in events:
        if isinstance(event, int):
            if event in named:
                steps.append(Compute(event, labels.get(event, "")))
            continue
        if isinstance(event, Heading) and steps and isinstance(steps[-1], Heading):
            steps.pop()
        steps.append(event)
    if steps and isinstance(steps[-1], Heading):
        steps.pop()
    return steps


def _is_short(events: Sequence[Event], evaluated: Sequence[Node], outputs: int, chunk: int) -> bool:
    """Whether a function is sure to be one chunk: by a bound on its weight that takes no look at its text."""
    if outputs > most_results(chunk):
        return False
    heavier = sum([not isinstance(event, int) for event in events])
    return len(evaluated) + outputs + 4 * heavier <= chunk


def _uses(graph: Graph, step: Step, named: set[Node], stop: frozenset[Node]) -> Uses:
    """Look through what is written in place, down to names and leaves."""
    ops, args = graph.ops, graph.args
    if isinstance(step, Compute):
        stack = list(args[step.node])
    elif isinstance(step, Check):
        stack = [step.condition]
    elif isinstance(step, (Fill, Output)):
        stack = [step.node]
    else:
        return Uses((), (), False, 4 if isinstance(step, Solve) else 0)
    weight = 1
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
    return Uses(tuple(names), tuple(leaves), solutions, weight)
