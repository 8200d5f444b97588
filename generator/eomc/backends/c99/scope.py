"""Every name in an emitted folder, chosen once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.backends.c99.identifiers import distinct, local_names, model_identifier, temporary_prefix
from eomc.backends.c99.kernels import KERNELS
from eomc.backends.c99.results import result_arrays
from eomc.ir.graph import Node
from eomc.ir.symbols import Role, Symbol
from eomc.passes.steps import Routine, Schedule
from eomc.tableaus import NAMES

__all__ = ["Scope", "chunk_names", "make_scope"]

_ARGUMENTS = ("t", "x", "dv", "r", "c", "p", "h", "work", "dx", "out", "status", "row", "failed")
_SERIES = ("order", "product", "square", "series", "add_products", "add_squares", "taylor_value", "taylor_term")
_LANES = ("lane", "rhs_one_by_one", "step_one_by_one", "rhs_of_lanes", "rates_of_lanes", "in_range")
_MEMBERS = ("failed", "scratch", "unused")
_STATIC = (
    "advance",
    "sign",
    "mod",
    "equal",
    "clear_reals",
    "copy_reals",
    "put_back",
    *(f"make_{name}_step" for name in NAMES),
    "is_found",
    "size_of",
    "larger",
    "unit_tangents",
    "carry_tangents",
    "derivative",
    "is_body",
    "is_link",
    "is_link_of_moments",
    *(name for kernel in KERNELS.values() for name in (kernel.function, *kernel.statics)),
)


@dataclass(frozen=True, slots=True)
class Scope:
    """Identifiers, each tuple in the program's order."""

    prefix: str
    macro: str
    states: tuple[str, ...]  # local variables
    inputs: tuple[str, ...]  # fields
    parameters: tuple[str, ...]  # fields, elements of arrays with their indices
    fields: tuple[str, ...]  # the same, one for each array
    members: tuple[str, ...]  # the declarations of these
    accelerations: tuple[str, ...]  # local variables
    input_locals: tuple[str, ...]
    parameter_locals: tuple[str, ...]
    enumerators: tuple[str, ...]  # of states
    constants: tuple[str, ...]  # fields: one for each place of the schedule
    read: Mapping[Node, str]  # each of these constants as functions read it
    tables: tuple[str, ...]  # fields: one for each of its tables
    of_loops: str  # prefix of what loops read, one by one or before them
    temporary: str  # prefix of temporaries
    shared: str  # before the names of kernels and parts, which several files share; "" where they are static
    lengths: tuple[str, ...]  # macros of the lengths of results
    pairs: bool  # one call gives sine and cosine of an angle

    def enumerators_of(self, function: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return indices into a function's result."""
        before = f"{self.macro}_{function.upper()}_"
        taken = [length.removeprefix(before) for length in self.lengths if length.startswith(before)]
        words = distinct(names, ignore_case=True, longest=24, alone=False, taken=taken)
        return tuple(before + word.upper() for word in words)


def make_scope(schedule: Schedule, *, several_files: bool = False, own_mathematics: bool = False) -> Scope:
    """Choose all names of a model; depends on nothing but the names, their order and the two choices."""
    program = schedule.program
    prefix = model_identifier(program.name)
    states = [variable.name for variable in program.states]
    inputs = [variable.name for variable in program.inputs]
    given = program.parameters
    arrays_of = list(dict.fromkeys(variable.array for variable in given if variable.array))
    flat = ["_".join([v.array, *map(str, v.index)]) if v.array else v.name for v in given]
    fields = distinct([*states, *inputs, *flat, *arrays_of], prefix=prefix)
    n, m, k = len(states), len(states) + len(inputs), len(states) + len(inputs) + len(given)
    arrays_named = dict(zip(arrays_of, local_names(fields[k:], _MEMBERS), strict=True))
    rates = distinct([variable.name for variable in program.accelerations], prefix=prefix, taken=fields)
    fields = fields[:k]
    statics = [name for routine in schedule.all_routines for name in chunk_names(routine)]
    count = sum(len(routine.systems) for routine in schedule.all_routines)
    statics += [f"fixed_{kind}_{k}" for kind in ("order", "multipliers") for k in range(count)]
    statics += [f"fill_{k}" for k in range(2 * count)]
    arrays = [array.name for function in program.evaluated for array in function.arrays]
    blocked = (*_ARGUMENTS, *_STATIC, *statics, *arrays, *(_LANES if schedule.lanes or schedule.stages else ()))
    blocked += ("lane", "in_range") if any(routine.elements for routine in schedule.all_routines) else ()
    blocked += (
        ("i", "input_at", "parameter_at") if any(routine.is_in_a_row for routine in schedule.all_routines) else ()
    )
    blocked += _SERIES if schedule.series else ()
    if own_mathematics:  # its functions and types are called so
        blocked += tuple(field for field in fields if field.startswith("real_"))
    moving = local_names(fields[:m], blocked)
    fixed = local_names(fields[m:], blocked)
    of_rates = local_names(rates, (*blocked, *moving, *fixed))
    parameter_fields = local_names(fields[m:], _MEMBERS)
    placed = [
        (v, arrays_named[v.array] if v.array else field) for v, field in zip(given, parameter_fields, strict=True)
    ]
    firsts = [(v, field) for v, field in placed if not any(v.index)]
    constants = _constant_fields(schedule, parameter_fields)
    words = distinct(states, ignore_case=True, alone=False)
    macro = prefix.upper()
    return Scope(
        prefix=prefix,
        macro=macro,
        states=moving[:n],
        inputs=fields[n:m],
        parameters=tuple(field + _subscripts(v.index) for v, field in placed),
        fields=tuple(field for _, field in firsts),
        members=tuple(field + _subscripts(v.shape) for v, field in firsts),
        accelerations=of_rates,
        input_locals=moving[n:],
        parameter_locals=fixed,
        enumerators=tuple(f"{macro}_X_{word.upper()}" for word in words),
        constants=constants[: len(schedule.constants)],
        read={place.node: f"c->{field}" for place, field in zip(schedule.constants, constants, strict=False)},
        tables=constants[len(schedule.constants) :],
        of_loops=temporary_prefix(("e", "a", "each_"), (*moving, *fixed, *of_rates)),
        temporary=temporary_prefix(("z", "w", "s", "temporary_"), (*moving, *fixed, *of_rates)),
        shared=f"{prefix}_" if several_files else "",
        lengths=tuple(array.macro for function in program.evaluated for array in result_arrays(function, macro)),
        pairs=own_mathematics,
    )


def chunk_names(routine: Routine) -> list[str]:
    """Return what the functions of a routine's chunks are called where there are several."""
    return [f"{routine.function.name}_{number}" for number in range(len(routine.chunks))]


def _constant_fields(schedule: Schedule, parameters: Sequence[str]) -> tuple[str, ...]:
    """Return the fields of the constants: a parameter that is handed on keeps its name, others are numbered.

    Those of the tables come last.
    """
    graph = schedule.program.graph
    letter = temporary_prefix(("c", "k", "constant_"), parameters)
    places, number = [], 0
    for place in schedule.constants:
        symbol = graph.data[place.node]
        if isinstance(symbol, Symbol) and symbol.role is Role.PARAMETER:
            places.append(parameters[symbol.index])
        else:
            places.append(f"{letter}{number}")
            number += 1
    return *places, *(f"{letter}{number + k}" for k in range(len(schedule.tables)))


def _subscripts(numbers: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)
