"""The struct of scratch memory, and that of constants with the scratch of their making."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.backends.c99.kernels import KERNELS
from eomc.backends.c99.layout import Line, doc
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.variables import documented
from eomc.backends.c99.views import VariableView
from eomc.ir.graph import Graph
from eomc.ir.ops import Op
from eomc.ir.program import Program
from eomc.ir.symbols import Symbol
from eomc.ir.systems import SystemSpec
from eomc.passes.steps import Routine, Schedule
from eomc.tableaus import Tableau

__all__ = ["constant_lines", "has_corrections", "work_bytes", "work_lines"]


def work_bytes(schedule: Schedule, real: str, tableau: Tableau) -> int:
    """Return the size of the work struct."""
    size = 8 if real == "double" else 4
    states = (len(tableau.b) + has_stage_state(schedule, tableau)) * len(schedule.program.states)
    *storage, order = _storage(schedule.program.graph, schedule.routines)
    unpadded = (states + sum(storage)) * size + (order + 1) * 4
    return -(-unpadded // size) * size


def work_lines(schedule: Schedule, scope: Scope, tableau: Tableau) -> tuple[str, ...]:
    """Return the members of the scratch memory."""
    passed, matrix, right, scratch, order = _storage(schedule.program.graph, schedule.routines)
    real = f"{scope.prefix}_real"
    members = [(f"{real} k[{len(tableau.b)}][{scope.macro}_NX];", "stage slopes of a Runge-Kutta step")]
    members += [(f"{real} y[{scope.macro}_NX];", "stage state")] if has_stage_state(schedule, tableau) else []
    members += [(f"{real} passed[{passed}];", "values that one part leaves for a later one")] if passed else []
    members += [(f"{real} matrix[{matrix}];", "linear systems")] if matrix else []
    members += [(f"{real} right[{right}];", "their right sides and solutions")] if right else []
    members += [(f"{real} scratch[{scratch}];", "what solving them takes beside")] if scratch else []
    members += [(f"int order[{order}];", "rows and columns as pivoted")] if order else []
    members.append(("int failed;", "number of the check that failed last"))
    return documented([Line(f"    {code}", text) for code, text in members])


def constant_lines(schedule: Schedule, scope: Scope, parameters: Sequence[VariableView]) -> tuple[str, ...]:
    """Return the members of the constants."""
    graph = schedule.program.graph
    lines = []
    for place, field in zip(schedule.constants, scope.constants, strict=True):
        text = ""
        if graph.ops[place.node] is Op.SYMBOL:
            symbol = graph.data[place.node]
            assert isinstance(symbol, Symbol)
            text = parameters[symbol.index].description
        else:
            text = place.label
        lines.append(Line(f"    {scope.prefix}_real {field};", doc(text)))
    lines.append(Line("    int failed;", "number of the check that failed, or -1"))
    passed, matrix, right, scratch, order = _storage(graph, [schedule.prepare])
    inner = [
        Line(f"        {scope.prefix}_real {name}[{size}];", text)
        for name, size, text in (
            ("passed", passed, "between parts"),
            ("matrix", matrix, "linear systems"),
            ("right", right, "their right sides and solutions"),
            ("scratch", scratch, "what solving them takes beside"),
        )
        if size
    ]
    if order:
        inner.append(Line(f"        int order[{order}];", "rows and columns as pivoted"))
    result = list(documented(lines))
    if inner:
        result += ["    struct {", *documented(inner), "    } scratch; /**< of the evaluation itself */"]
    return tuple(result)


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


def has_stage_state(schedule: Schedule, tableau: Tableau) -> bool:
    """Whether something is evaluated beside the state: a later stage, or one on the way to the constraints."""
    return len(tableau.b) > 1 or has_corrections(schedule.program)


def has_corrections(program: Program) -> bool:
    """Whether states can be brought onto the constraints."""
    return any(function.name.endswith("_correction") for function in program.functions)
