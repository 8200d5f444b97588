"""What the header declares of data: lengths, indices, structs; and the values that these begin with."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.backends.c99.code_views import FunctionView
from eomc.backends.c99.layout import Line
from eomc.backends.c99.results import result_arrays
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.storage import constant_lines, work_lines
from eomc.backends.c99.variables import array_remarks, braces, documented, enumeration, initializer, members, remark
from eomc.backends.c99.views import DeclaredView, VariableView
from eomc.ir.program import STEP_JACOBIAN
from eomc.passes.steps import Schedule
from eomc.tableaus import Tableau

_OF_SERIES = {
    "kept": "number of values that all orders of a power series read",
    "first": "number of its products, in whole groups",
    "squared": "number of its squares, in whole groups",
}


def declared_view(
    schedule: Schedule,
    scope: Scope,
    tableaus: Sequence[Tableau],
    variables: tuple[Sequence[VariableView], Sequence[VariableView], Sequence[VariableView]],
    functions: Sequence[FunctionView],
    interface: str,
) -> DeclaredView:
    """Return macros, enumerations, structs and initializers; `variables` are states, inputs and parameters."""
    states, inputs, parameters = variables
    return DeclaredView(
        macros=_macro_lines(schedule, scope, functions, interface),
        states=enumeration(scope.enumerators, [remark(view) for view in states]),
        parameters=members(scope, scope.members, array_remarks(schedule.program.parameters, parameters, scope.fields)),
        inputs=members(scope, scope.inputs, [remark(view) for view in inputs]),
        constants=constant_lines(schedule, scope, parameters),
        work=work_lines(schedule, scope, tableaus),
        parameter_defaults=initializer(parameters, [braces(v.index, v.shape) for v in schedule.program.parameters]),
        input_defaults=initializer(inputs),
        initial_state=initializer(states),
    )


def _macro_lines(
    schedule: Schedule, scope: Scope, functions: Sequence[FunctionView], interface: str
) -> tuple[str, ...]:
    program, macro = schedule.program, scope.macro
    rows: list[tuple[str, int | str, str]] = [
        (f"{macro}_INTERFACE_VERSION", interface, "hash of model, options and eomc"),
        (f"{macro}_NX", len(program.states), "number of states"),
        (f"{macro}_NR", len(program.inputs), "number of inputs"),
        (f"{macro}_NP", len(program.parameters), "number of parameters"),
    ]
    for function in program.series:
        for array in result_arrays(function, macro):
            if array.name in ("kept", "first", "squared") and array.size:
                rows.append((array.macro, array.size, _OF_SERIES[array.name]))
    if STEP_JACOBIAN in program.further:
        rows.append((f"{macro}_NXR", f"({macro}_NX + {macro}_NR)", "number of states and inputs"))
    if program.accelerations:
        rows.append((f"{macro}_NV", len(program.accelerations), "number of accelerations"))
    rows += [
        (
            array.macro,
            array.size,
            f"length of {'the result' if len(view.arrays) == 1 else array.name} of {scope.prefix}_{view.name}()",
        )
        for view in functions
        if view.name != "rhs"
        for array in view.arrays
    ]
    if schedule.check_labels:
        rows.append((f"{macro}_CHECKS", len(schedule.check_labels), "number of pivots that can vanish"))
    if program.links:
        rows.append((f"{macro}_LINKS", len(program.links), "number of links with inertial parameters that vary"))
    return documented([Line(f"#define {name} {value}", text) for name, value, text in rows])
