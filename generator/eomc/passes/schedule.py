"""Program -> Schedule: what is computed once, what several functions share, what each does alone.

Nothing is simplified or reordered inside an expression here: every node is evaluated exactly as the graph says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check, Function, Program
from eomc.ir.text import formulas
from eomc.passes.chunk import CHUNK
from eomc.passes.count import CountSystem
from eomc.passes.fixed_order import Orders
from eomc.passes.hoist import find_live, hoist, hoistable
from eomc.passes.inline import choose_named
from eomc.passes.lanes import Arithmetic, lay_out, values_to_name
from eomc.passes.rates import RATES
from eomc.passes.routine import (
    CheckTable,
    Target,
    Task,
    by_op,
    handed_out,
    ordered,
    schedule_routine,
    steps_of,
    uses_of,
)
from eomc.passes.sharing import share
from eomc.passes.sizing import add_sizes
from eomc.passes.steps import ConstantPlace, LaneRoutine, Routine, Schedule

_LONGEST = 3
"""Times as long as what a step calls: what shares with that is no longer."""


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
    needed = [find_live(graph, function.outputs, late, stop) for function in program.evaluated]
    everything = set[Node]().union(*needed)
    places = hoist(graph, everything & stop)
    labels = _labels(program)
    written = formulas(graph, places, 60)
    constants = tuple(ConstantPlace(node, labels.get(node) or written[node]) for node in places)
    table = CheckTable(program)
    target = Target(graph, count_system, chunk, Orders(program), table)
    prepare = _schedule_prepare(program, places, everything, early, target)
    parts, routines = _schedule_functions(program, needed, stop, late, target)
    count = len(program.functions)
    lanes = tuple(
        _schedule_lanes(graph, routine, live, stop, late, vectors or {})
        for routine, live in zip(routines, needed, strict=True)
        if routine.function.name in program.lanes
    )
    stages = tuple(
        _schedule_lanes(graph, routine, live, stop, late, vectors or {}, tentative=True)
        for routine, live in zip(routines, needed, strict=True)
        if routine.function.name in program.stages
    )
    labels_of = tuple(table.labels)
    return Schedule(program, constants, prepare, routines[:count], labels_of, parts, lanes, routines[count:], stages)


def _split_checks(program: Program) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """Return the checks that `_prepare` can do, since their conditions lie in the parameters, and the others."""
    level = program.graph.level
    early = tuple(check for check in program.checks if level[check.condition] <= Level.PARAMETERS)
    late = tuple(check for check in program.checks if level[check.condition] > Level.PARAMETERS)
    return early, late


def _labels(program: Program) -> dict[Node, str]:
    """Return the first name that the blocks of all functions give to each node."""
    entries = [entry for function in program.evaluated for block in function.blocks for entry in block.entries]
    return {node: label for label, node in reversed(entries) if label}


def _schedule_prepare(
    program: Program, places: Sequence[Node], elsewhere: set[Node], early: Sequence[Check], target: Target
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
    blocks = tuple(block for one in program.evaluated for block in one.blocks)
    alone = [check for check in checks if check.node not in live]
    task = Task(function, blocks, live, frozenset(), checks, alone, solved=_results(graph, live))
    return schedule_routine(task, target)


def _schedule_functions(
    program: Program, needed: Sequence[set[Node]], stop: frozenset[Node], checks: Sequence[Check], target: Target
) -> tuple[tuple[Routine, ...], tuple[Routine, ...]]:
    """Schedule the parts that functions share, and the functions."""
    graph, functions = target.graph, program.evaluated
    evaluated, results_of = [live - stop for live in needed], [one.outputs for one in functions]
    shared = share(graph, evaluated, results_of, _sharing(program, evaluated, target.chunk))
    kept: list[set[Node]] = [set() for _ in shared]

    def task(function: Function, blocks: Sequence[Block], number: int, roots: Iterable[Node]) -> Task:
        """Return what is done after the part of this number, and let the parts keep what that finds."""
        given = shared[number].common if number >= 0 else frozenset[Node]()
        tested = {check.condition for check in checks if check.node in given}
        due = [check for check in checks if check.node not in given and check.condition not in tested]
        live = find_live(graph, roots, due, stop | given)
        found = live & given
        while number >= 0:
            above = shared[number].above
            own = found - shared[above].common if above >= 0 else found
            kept[number] |= own
            found, number = found - own, above
        return Task(function, blocks, live, stop, due, given=given)

    def results(indices: Iterable[int]) -> frozenset[Node]:
        return _results(graph, set[Node]().union(*(needed[index] for index in indices)))

    below = [
        max((k for k, part in enumerate(shared) if index in part.functions), default=-1) for index in range(len(needed))
    ]
    tasks = [
        replace(task(function, function.blocks, number, function.outputs), solved=results([index]))
        for index, (function, number) in enumerate(zip(functions, below, strict=True))
    ]
    part_tasks: list[Task] = []
    for number, part in reversed(list(enumerate(shared))):
        members = [functions[index] for index in sorted(part.functions)]
        blocks = tuple(dict.fromkeys(block for one in members for block in one.blocks))
        roots = frozenset(kept[number])
        made = task(_part_function(number, members), blocks, part.above, sorted(roots))
        part_tasks.insert(0, replace(made, kept=roots, solved=results(part.functions)))
    parts: list[Routine] = []
    for part, one in zip(shared, part_tasks, strict=True):
        parts.append(schedule_routine(replace(one, after=parts[part.above] if part.above >= 0 else None), target))
    routines = [
        schedule_routine(replace(one, after=parts[number] if number >= 0 else None), target)
        for one, number in zip(tasks, below, strict=True)
    ]
    return tuple(parts), tuple(routines)


def _sharing(program: Program, evaluated: Sequence[set[Node]], chunk: int) -> list[int]:
    """Return which functions may share.

    What a step calls does so where it is cut anyway: calls, and values that wait in memory, would be felt there. Then
    what is several times as long stays apart: its derivatives want nearly every value, and it would write them all.
    """
    functions = program.evaluated
    corrections = [function.name for function in functions if function.name.endswith("_correction")]
    called = {"rhs", RATES, *(corrections if program.projected else ()), *(one.name for one in program.series)}
    sizes = [len(nodes) for nodes in evaluated]
    cut = [sizes[k] for k, one in enumerate(functions) if one.name in called and sizes[k] > chunk]
    longest = _LONGEST * min(cut) if cut else max(sizes)
    least = {one.name: chunk if one.name in called else 0 for one in functions}
    return [k for k, one in enumerate(functions) if least[one.name] < sizes[k] <= longest]


def _part_function(number: int, members: Sequence[Function]) -> Function:
    """Return what stands for a part: it hands out nothing."""
    names = [function.name for function in members]
    told = names if len(names) <= 4 else [*names[:3], f"{len(names) - 3} others"]
    title = f"What {', '.join(told[:-1])} and {told[-1]} share"
    return Function(name=f"shared_{number}", title=title, outputs=(), output_names=(), shape=(0,))


def _results(graph: Graph, nodes: Iterable[Node]) -> frozenset[Node]:
    """Return those of linear systems."""
    return frozenset(node for node in nodes if graph.ops[node] is Op.RESULT)


def _schedule_lanes(
    graph: Graph,
    routine: Routine,
    live: set[Node],
    stop: frozenset[Node],
    checks: Sequence[Check],
    vectors: Mapping[Op, bool],
    tentative: bool = False,
) -> LaneRoutine:
    """Schedule a function for several copies side by side; kernels and long functions take them one by one."""
    function = routine.function
    if routine.systems or len(routine.all_chunks) > 1:
        return LaneRoutine(function, (), (), (), routine.counts)
    results = tuple(dict.fromkeys(function.outputs))
    alike = by_op(graph, live - stop)
    events, partners = ordered(graph, Task(function, function.blocks, live, stop, checks), alike, {})
    labels = {node: label for block in function.blocks for label, node in block.entries if label}
    evaluated = [event for event in events if isinstance(event, int)]
    arithmetic = Arithmetic(graph, vectors, tentative)
    made = [step for step in events if isinstance(step, Check)]
    leaves = bool(made) or arithmetic.has_ranges(evaluated)
    forced = values_to_name(arithmetic, evaluated, results, made, leaves)
    named = choose_named(graph, events, function.outputs, stop, labels, forced=forced | partners.keys())
    steps = [*steps_of(events, named, labels), *handed_out(graph, function)]
    uses = [uses_of(graph, step, named, stop) for step in steps]
    return lay_out(arithmetic, function, steps, uses, routine.counts, leaves)
