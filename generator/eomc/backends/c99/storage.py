"""The struct of scratch memory, and that of constants with the scratch of their making."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.backends.c99.kernels import KERNELS
from eomc.backends.c99.layout import Line, doc
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.series import series_elements, series_lines
from eomc.backends.c99.variables import documented
from eomc.backends.c99.views import VariableView
from eomc.ir.graph import Graph
from eomc.ir.program import CORRECTION_DERIVATIVES, STEP_JACOBIAN, Program
from eomc.ir.symbols import Symbol
from eomc.ir.systems import SystemSpec
from eomc.passes.steps import Routine, Schedule
from eomc.tableaus import Tableau

_ITERATED = (
    ("slope", "slope of a stage, found anew"),
    ("change", "largest change of a state's slopes in a round"),
    ("least", "the smallest of these so far"),
    ("low", "what a sum lost"),
)


def work_bytes(schedule: Schedule, real: str, tableaus: Sequence[Tableau], order: int) -> int:
    """Return the size of the work struct, which serves the steps of these schemes and series of this order."""
    size = 8 if real == "double" else 4
    iterated = len(_ITERATED) if any(one.implicit for one in tableaus) else 0
    states = (_slopes(tableaus) + has_stage_state(schedule, tableaus) + iterated) * len(schedule.program.states)
    *storage, order = _storage(schedule.program.graph, schedule.all_routines[1:])
    reals = states + _point(schedule) + has_distance(schedule.program) + sum(storage) + _tangents(schedule, tableaus[0])
    reals += series_elements(schedule, order)
    unpadded = reals * size + (order + 1) * 4
    return -(-unpadded // size) * size


def work_lines(schedule: Schedule, scope: Scope, tableaus: Sequence[Tableau]) -> tuple[str, ...]:
    """Return the members of the scratch memory."""
    real = f"{scope.prefix}_real"
    passing = "values that one part leaves for a later one"  # first, where they are reached by short instructions
    storage = _storage_lines(schedule.program.graph, schedule.all_routines[1:], "    ", real, passing)
    lines = [line for line in storage if real in line.code]
    lines.append(Line(f"    {real} k[{_slopes(tableaus)}][{scope.macro}_NX];", "stage slopes of a Runge-Kutta step"))
    lines += [Line(f"    {real} y[{scope.macro}_NX];", "stage state")] if has_stage_state(schedule, tableaus) else []
    if any(one.implicit for one in tableaus):
        lines += [Line(f"    {real} {name}[{scope.macro}_NX];", text) for name, text in _ITERATED]
    if STEP_JACOBIAN in schedule.program.further:
        lines.append(Line(f"    {real} A[{scope.macro}_NX * {scope.macro}_NX];", "df/dx of a stage"))
        if scope.inputs:
            lines.append(Line(f"    {real} B[{scope.macro}_NX * {scope.macro}_NR];", "df/dr of a stage"))
        elements = f"{scope.macro}_NX * {scope.macro}_NXR"
        lines.append(Line(f"    {real} dy[{elements}];", "derivatives of a stage's state by x and r"))
        lines.append(Line(f"    {real} dk[{len(tableaus[0].b)}][{elements}];", "derivatives of stage slopes"))
        if corrected := _corrected(schedule):
            lines.append(Line(f"    {real} D[{corrected} * (1 + {scope.macro}_NXR)];", "derivatives of a correction"))
    lines += series_lines(schedule, scope)
    if schedule.evaluation:
        lines.append(Line(f"    {real} t;", "time of what was evaluated"))
        lines.append(Line(f"    {real} x[{scope.macro}_NX];", "its state"))
        lines.append(Line(f"    {scope.prefix}_inputs r;", "its inputs"))
    if has_distance(schedule.program):
        lines.append(Line(f"    {real} closed_by;", "largest change by which an event was put on constraints"))
    lines += [line for line in storage if real not in line.code]  # integers last: nothing pads them
    lines.append(Line("    int failed;", "number of the check that failed last"))
    return documented(lines)


def constant_lines(schedule: Schedule, scope: Scope, parameters: Sequence[VariableView]) -> tuple[str, ...]:
    """Return the members of the constants."""
    graph = schedule.program.graph
    lines = []
    for place, field in zip(schedule.constants, scope.constants, strict=True):
        symbol = graph.data[place.node]
        text = parameters[symbol.index].description if isinstance(symbol, Symbol) else place.label
        lines.append(Line(f"    {scope.prefix}_real {field};", doc(text)))
    for table, field in zip(schedule.tables, scope.tables, strict=True):
        lines.append(Line(f"    {scope.prefix}_real {field}[{len(table.nodes)}];", doc(table.label)))
    lines.append(Line("    int failed;", "number of the check that failed, or -1"))
    inner = _storage_lines(graph, [schedule.prepare], "        ", f"{scope.prefix}_real", "between parts")
    result = list(documented(lines))
    if inner:
        result += ["    struct {", *documented(inner), "    } scratch; /**< of the evaluation itself */"]
    return tuple(result)


def _storage_lines(graph: Graph, routines: Sequence[Routine], indent: str, real: str, passing: str) -> list[Line]:
    """Return the members that routines share; `passing` says what is passed."""
    passed, matrix, right, scratch, order = _storage(graph, routines)
    members = [
        (passed, f"{real} passed", passing),
        (matrix, f"{real} matrix", "linear systems"),
        (right, f"{real} right", "their right sides and solutions"),
        (scratch, f"{real} scratch", "what solving them takes beside"),
        (order, "int order", "rows and columns as pivoted"),
    ]
    return [Line(f"{indent}{code}[{size}];", text) for size, code, text in members if size]


def _storage(graph: Graph, routines: Sequence[Routine]) -> tuple[int, int, int, int, int]:
    """Return elements for passed values, matrices, right sides, their kernels' scratch, and pivoted rows."""
    specs = [graph.data[place.node] for routine in routines for place in routine.systems]
    systems = [(KERNELS[spec.factorization], spec) for spec in specs if isinstance(spec, SystemSpec)]
    return (
        max((routine.passed for routine in routines), default=0),
        max((routine.matrix for routine in routines), default=0),
        max((routine.right for routine in routines), default=0),
        max((kernel.scratch(spec) for kernel, spec in systems), default=0),
        max((kernel.order(spec) for kernel, spec in systems), default=0),
    )


def _point(schedule: Schedule) -> int:
    """Return elements that keep the state of what was evaluated; inputs are a struct that is never empty."""
    program = schedule.program
    return 1 + len(program.states) + max(1, len(program.inputs)) if schedule.evaluation else 0


def _tangents(schedule: Schedule, tableau: Tableau) -> int:
    """Return elements that the derivative of a step takes."""
    n, width = len(schedule.program.states), len(schedule.program.states) + len(schedule.program.inputs)
    if STEP_JACOBIAN not in schedule.program.further:
        return 0
    return n * width * (2 + len(tableau.b)) + _corrected(schedule) * (1 + width)


def _corrected(schedule: Schedule) -> int:
    """Return how many states a correction moves at most, whose derivatives a step takes; 0 for none."""
    width = 1 + len(schedule.program.states) + len(schedule.program.inputs)
    functions = schedule.program.functions if schedule.program.projected else ()
    sizes = [len(one.outputs) for one in functions if one.name in CORRECTION_DERIVATIVES]
    return max(sizes, default=0) // width


def has_stage_state(schedule: Schedule, tableaus: Sequence[Tableau]) -> bool:
    """Whether something is evaluated beside the state: a later stage, new speeds, what goes back to the constraints."""
    return any(one.looks_beside for one in tableaus) or has_corrections(schedule.program)


def _slopes(tableaus: Sequence[Tableau]) -> int:
    """Return how many slopes a step keeps at a time, at most."""
    return max(one.slopes for one in tableaus)


def has_corrections(program: Program) -> bool:
    """Whether states can be brought onto the constraints."""
    return any(function.name.endswith("_correction") for function in program.functions)


def has_distance(program: Program) -> bool:
    """Whether the state after an event is brought back onto constraints, and how far."""
    return has_corrections(program) and any(kind.resets for kind in program.events)
