"""Program -> Schedule: what is computed once, what several functions share, what each does alone.

Nothing is simplified or reordered inside an expression here: every node is evaluated exactly as the graph says.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check, Function, Program
from eomc.ir.text import outlines
from eomc.passes.chunk import CHUNK
from eomc.passes.count import CountSystem, by_op
from eomc.passes.fixed_order import LONGEST, Orders
from eomc.passes.hoist import find_live, hoist, hoistable
from eomc.passes.inline import choose_named
from eomc.passes.lanes import Arithmetic, lay_out, values_to_name
from eomc.passes.parts import schedule_functions
from eomc.passes.recurrences import LONG, find_recurrences
from eomc.passes.repeats import Repeat
from eomc.passes.results import handed_out
from eomc.passes.routine import ordered, results_of_systems, schedule_routine, steps_of
from eomc.passes.side_by_side import Repeating
from eomc.passes.sizing import add_sizes
from eomc.passes.steps import ConstantPlace, ConstantTable, LaneRoutine, Routine, Schedule
from eomc.passes.tables import tables_for
from eomc.passes.tasks import CheckTable, Target, Task
from eomc.passes.uses import uses_of


def schedule(
    program: Program,
    count_system: CountSystem,
    *,
    chunk: int = CHUNK,
    vectors: Mapping[Op, bool] | None = None,
    small: bool = False,
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
    small
        Bytes count before time: no system is written out in a fixed order, more is shared, and a function may evaluate
        what only others need.

    Returns
    -------
    Schedule
        The same for equal programs, whatever the hash seed.
    """
    program = add_sizes(program)
    graph = program.graph
    early, late = _split_checks(program)
    stop = hoistable(graph)
    if program.in_a_row >= LONG:  # else what a joint has of its own would need a place
        stop -= {node for node in stop if graph.level[node] == Level.CONSTANT}
    needed = [find_live(graph, function.outputs, late, stop) for function in program.evaluated]
    everything = set[Node]().union(*needed)
    hoisted = places = hoist(graph, everything & stop)
    labels = _labels(program)
    written = outlines(graph, places, 60)
    table = CheckTable(program)
    orders = Orders(program, 0 if small else LONGEST)
    common = _common(graph, everything) if small else {}
    branches = Repeating(graph, everything, program.siblings, late)
    repeats = partial(_repeats, program, branches)
    fours = not small and Op.SIN in (vectors or {})
    target = Target(
        graph, count_system, chunk, orders, table, small, common, repeats, branches.fewest, branches.are_more, fours
    )
    prepare = _schedule_prepare(program, places, everything, early, target)
    parts, routines, series, evaluation = schedule_functions(program, needed, stop, late, target)
    lanes = tuple(
        _schedule_lanes(graph, routine, live, stop, late, vectors or {})
        for routine, live in zip(routines, needed, strict=False)
        if routine.function.name in program.lanes
    )
    stages = tuple(
        _schedule_lanes(graph, routine, live, stop, late, vectors or {}, tentative=True)
        for routine, live in zip(routines, needed, strict=False)
        if routine.function.name in program.stages
    )
    every = (*parts, *routines, *series, *((evaluation,) if evaluation else ()))
    tables = tables_for((repeat for routine in every for repeat in routine.repeats), stop)
    if tables:
        tabled = set(itertools.chain(*tables)) - _read_alone(graph, every, (*lanes, *stages))
        places = tuple(node for node in places if node not in tabled)
        prepare = _schedule_prepare(program, places, everything, early, target, tables)
    told = {node: labels.get(node) or written[node] for node in hoisted}
    return Schedule(
        program,
        tuple(ConstantPlace(node, told[node]) for node in places),
        prepare,
        routines,
        tuple(table.labels),
        parts,
        evaluation,
        lanes,
        series,
        stages,
        small,
        tuple(ConstantTable(nodes, _from_to(told[nodes[0]], told[nodes[-1]])) for nodes in tables),
    )


def _from_to(first: str, last: str) -> str:
    """Return what a table holds in words; formulas that are too long are none."""
    return "of joints in a row" if "..." in first + last else f"{first} to {last}"


def _read_alone(graph: Graph, routines: Sequence[Routine], lanes: Sequence[LaneRoutine]) -> set[Node]:
    """Return the constants that are read by their names, and not by an index alone."""
    leaves = [chunk.leaves for routine in routines for chunk in routine.all_chunks]
    leaves += [loop.leaves for one in lanes for loop in one.loops]
    leaves += [graph.args[place.node] for routine in routines for place in routine.systems]
    return set(itertools.chain(*leaves))


def _repeats(program: Program, branches: Repeating, task: Task, evaluated: Sequence[Node]) -> Sequence[Repeat]:
    """Return the loops of a function: along joints in a row, or over branches side by side.

    Not both: ends of rows that are alike would wait for each other.
    """
    graph, rows = program.graph, list[Repeat]()
    if program.in_a_row >= LONG:
        inner = [node for node in evaluated if graph.args[node]]
        arrays = [one.nodes for one in task.after.elements] if task.after else []
        rows = find_recurrences(graph, inner, task.stop, {check.node: check for check in task.checks}, arrays)
    beside = branches(evaluated)
    return max(rows, beside, key=lambda repeats: sum(one.spared for one in repeats))


def _common(graph: Graph, live: Iterable[Node]) -> dict[Node, list[range]]:
    """Return the parts of systems that others have, too: the triangle of M or the matrix, and what stands behind it."""
    parts: dict[Node, list[range]] = {}
    for node in live:
        if graph.ops[node] is Op.SOLVE:
            spec = graph.system_of(node)
            first = spec.n * (spec.n + 1) // 2 if spec.symmetric else spec.entries
            parts[node] = [range(first), range(first, spec.matrix_entries)]
    keys = {(node, part): (part, graph.args[node][part.start : part.stop]) for node in parts for part in parts[node]}
    times = Counter(keys.values())
    return {node: [part for part in found if times[keys[node, part]] > 1] for node, found in parts.items()}


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
    program: Program,
    places: Sequence[Node],
    elsewhere: set[Node],
    early: Sequence[Check],
    target: Target,
    tables: Sequence[tuple[Node, ...]] = (),
) -> Routine:
    """Schedule what is computed once, with the tests that can be made then, also of what is evaluated `elsewhere`.

    What fills tables may be loops.
    """
    graph = program.graph
    ends = list(itertools.accumulate(map(len, tables), initial=len(places)))
    places = (*places, *itertools.chain(*tables))
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
    task = Task(
        function,
        blocks,
        live,
        frozenset(),
        checks,
        alone,
        solved=results_of_systems(graph, live),
        at_once=not tables,
        in_rows=tuple(itertools.starmap(range, itertools.pairwise(ends))),
    )
    return schedule_routine(task, target)


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
    if routine.systems or len(routine.all_chunks) > 1 or routine.is_in_a_row or routine.elements:
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
    beside = [event for event in events if not isinstance(event, int)]
    named = choose_named(graph, evaluated, beside, function.outputs, stop, labels, forced=forced | partners.keys())
    steps = [*steps_of(events, named, labels), *handed_out(graph, function)]
    uses = [uses_of(graph, step, named, stop) for step in steps]
    return lay_out(arithmetic, function, steps, uses, routine.counts, leaves)
