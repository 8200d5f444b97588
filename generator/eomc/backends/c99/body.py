"""Routine -> the text of its C functions: one for each chunk, and one that calls them in turn."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from eomc.backends.c99.arguments import (
    Argument,
    discards,
    function_arguments,
    prepare_arguments,
    routine_signature,
    series_arguments,
    signature,
)
from eomc.backends.c99.around import Around
from eomc.backends.c99.calls import Call, in_turn
from eomc.backends.c99.checks import print_checks
from eomc.backends.c99.code_views import ArrayView, CFunction
from eomc.backends.c99.destinations import Destinations
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.filling import SystemFunctions
from eomc.backends.c99.layout import Text
from eomc.backends.c99.loads import Loads, load
from eomc.backends.c99.loops import LoopPrinter
from eomc.backends.c99.places import make_places
from eomc.backends.c99.results import result_arrays
from eomc.backends.c99.rows import RowPrinter
from eomc.backends.c99.scope import Scope, chunk_names
from eomc.backends.c99.solves import SystemPrinter
from eomc.backends.c99.waiting import Waiting
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.passes.steps import (
    Chunk,
    Clear,
    ClearOutputs,
    Compute,
    Fill,
    Gather,
    Heading,
    Loop,
    Multipliers,
    Output,
    Outputs,
    Routine,
    Schedule,
    Solve,
    Step,
)

_RESULT = Op.RESULT  # by a name of its own: looking up a member of an enumeration takes long


def print_routine(
    schedule: Schedule,
    routine: Routine,
    scope: Scope,
    destinations: Destinations,
    used: set[str],
    systems: SystemFunctions,
    calls: dict[str, list[Call]],
) -> tuple[CFunction, ...]:
    """Return the functions of one routine; the last one is the model's own, the others are its parts.

    Parameters
    ----------
    destinations
        Says where an output goes.
    used
        Macros and helper functions that the text calls; added to.
    systems
        Functions that fill systems, and those that are tried before kernels.
    calls
        How the shared parts are called, by their names; added to.
    """
    return _RoutinePrinter(schedule, routine, scope, destinations, used, systems).functions(calls)


class _RoutinePrinter:
    """Prints one routine."""

    def __init__(
        self,
        schedule: Schedule,
        routine: Routine,
        scope: Scope,
        destinations: Destinations,
        used: set[str],
        systems: SystemFunctions,
    ) -> None:
        beside = (*schedule.parts, *((schedule.evaluation,) if schedule.evaluation else ()))
        self._part = any(routine is one for one in beside)
        self._series = schedule.series
        self._graph: Graph = schedule.program.graph
        self._routine = routine
        self._scope = scope
        self._destinations = destinations
        self._used = used
        self._fillers = systems.fillers
        self._places = make_places(schedule, routine, scope)
        self._systems = SystemPrinter(self._places, systems.fixed, used)
        self._tested = frozenset(check.node for check in schedule.program.checks)
        self._arrays = () if self._places.prepares else result_arrays(routine.function, scope.macro)

    def functions(self, calls: dict[str, list[Call]]) -> tuple[CFunction, ...]:
        """Return all functions of the routine."""
        routine, scope, arguments = self._routine, self._scope, self._arguments()
        function = routine.function
        external = self._signature(arguments)
        if not self._part and len(routine.all_chunks) == 1:
            body, touched = self._chunk(routine.chunks[0])
            body = (*discards(arguments, touched), *body)
            names = tuple(argument.name for argument in arguments)
            calls[function.name] = [Call(f"{scope.prefix}_{function.name}", names, fallible=True)]
            return (CFunction(function.title, external, body),)
        parts, own = [], calls.setdefault(function.name, [])
        for number, (chunk, name) in enumerate(zip(routine.chunks, chunk_names(routine), strict=True)):
            body, touched = self._chunk(chunk)
            taken = [argument for argument in arguments if argument.name in touched]
            kind = f"{scope.prefix}_status" if chunk.fallible else "void"
            head = f"{kind} {scope.shared}{name}" if scope.shared else f"static {kind} {name}"
            parts.append(CFunction(self._title(number), signature(head, taken), body))
            own.append(Call(f"{scope.shared}{name}", tuple(argument.name for argument in taken), chunk.fallible))
        if self._part:
            return tuple(parts)
        before = [call for one in routine.before for call in calls[one.function.name]]
        return (*parts, CFunction(function.title, external, in_turn([*before, *own], arguments, scope)))

    def _signature(self, arguments: Sequence[Argument]) -> tuple[str, ...]:
        """Return how the routine itself is declared: a function of the model, or one behind those."""
        name, scope = self._routine.function.name, self._scope
        if self._routine not in self._series:
            return routine_signature(scope, name, arguments)
        return signature(f"{'' if scope.shared else 'static '}{scope.prefix}_status {scope.shared}{name}", arguments)

    def _title(self, number: int) -> str:
        """Return what is said above a chunk."""
        routine = self._routine
        name, count = f"{self._scope.prefix}_{routine.function.name}()", len(routine.chunks)
        if self._part:
            whole = routine.function.title
        else:
            whole = f"What {name} does beside" if routine.before else name
        if count == 1:
            return f"{whole}."
        return f"Part {number + 1} of {count} of {whole.replace('What', 'what')}."

    def _arguments(self) -> list[Argument]:
        if self._places.prepares:
            return prepare_arguments(self._scope)
        if self._routine in self._series[1:]:
            kept = len(self._series[0].function.arrays) > 1
            return series_arguments(self._scope, self._arrays, kept)
        return function_arguments(self._scope, self._arrays, bool(self._routine.function.accelerations))

    def _chunk(self, chunk: Chunk) -> tuple[tuple[str, ...], set[str]]:
        """Return the lines of a chunk, and the arguments that it touches."""
        places, loads = self._places, load(self._places, chunk)
        self._used.update(self._places.type_of(loaded.node) for loaded in chunk.loads)
        printer = Printer(self._graph, loads.names, self._used, places.solution)
        text = Text(loads.lines)
        touched = set(loads.arguments)
        written = False
        pending: list[Check] = []
        waiting = Waiting(chunk, loads, places)
        around = Around(places, printer.text, self._used)
        loops, rows = LoopPrinter(around, loads.names), RowPrinter(around)
        waits = bool(loads.late or chunk.stores)
        for step in chunk.steps:
            if waits:
                waiting.read(step, text)
            if pending and self._must_follow_checks(step, loads.names):
                text.add("", *self._checks(pending, printer), "")
                pending = []
            if isinstance(step, Compute):
                self._compute(step, loads, printer, text)
                if waits:
                    waiting.leave(step, text)
            elif isinstance(step, Check):
                pending.append(step)
            elif isinstance(step, Loop):
                (rows if step.repeat.in_a_row else loops).print(step, text)
                waiting.leave(step, text)
            elif isinstance(step, (Output, Outputs, ClearOutputs)):
                if not written and not places.prepares:
                    waiting.read_arguments(text)
                    text.part()
                    written = True
                if isinstance(step, Outputs):
                    touched |= rows.hand_out(step, self._destinations, text)
                else:
                    touched.add(self._hand_out(step, printer, text))
            else:
                touched.update(self._step(step, printer, text))
                waiting.leave(step, text)
        if pending:
            text.add("", *self._checks(pending, printer), "")
        if places.prepares and chunk is self._routine.chunks[-1]:
            text.add(f"    {places.failed} = -1;")
            touched.add(places.owner)
        if chunk.fallible or (len(self._routine.all_chunks) == 1 and not self._part):
            text.add(f"    return {self._scope.macro}_OK;")
        if places.uses_storage(chunk):
            touched.add(places.owner)
        return text.finished(), touched | rows.touched

    def _compute(self, step: Compute, loads: Loads, printer: Printer, text: Text) -> None:
        """Print the evaluation of a value, of a sine with its cosine, or of several of these."""
        both = loads.pairs.get(step.node)
        if both:
            angles = ", ".join(printer.text(angle) for angle in loads.angles[step.node])
            if len(loads.angles[step.node]) > 1:
                self._used.add("sincos_four")
                text.add(f"    real_sines_cosines {both};")
                text.state(f"    real_sincos_four({angles}, &{both});", step.label)
            else:
                self._used.add("sincos")
                text.state(f"    const real_sine_cosine {both} = real_sincos({angles});", step.label)
        elif both is None:
            type_, name = self._places.type_of(step.node), loads.names[step.node]
            self._used.add(type_)
            text.state(f"    const {type_} {name} = {printer.definition(step.node)};", step.label)

    def _step(self, step: Step, printer: Printer, text: Text) -> tuple[str, ...]:
        """Print another step that hands out no result; return the arguments that it reads beside what is loaded."""
        if isinstance(step, Heading):
            text.part()
            if step.title:
                text.head(step.title)
        elif isinstance(step, Clear):
            self._used.add("clear_reals")
            text.add(f"    clear_reals({step.count}, &{self._places.of_argument(step.system, step.first)});")
        elif isinstance(step, Fill):
            place = self._places.of_argument(step.system, step.argument)
            text.state(f"    {place} = {printer.text(step.node)};")
        elif isinstance(step, Gather):
            name, read = self._fillers.call(self._routine, step)
            given = [f"{self._places.storage}passed" if one == "passed" else one for one in read]
            given.append(f"&{self._places.of_argument(step.system, step.arguments[0])}")
            text.add(f"    {name}({', '.join(given)});")
            return tuple(one for one in read if one != "passed")
        elif isinstance(step, Multipliers):
            text.add("", *self._systems.multipliers(step), "")
        else:
            assert isinstance(step, Solve)
            text.add("", *self._systems.solve(step), "")
        return ()

    def _hand_out(self, step: Output | ClearOutputs, printer: Printer, text: Text) -> str:
        """Print a step that hands out results; return the argument that it writes."""
        if isinstance(step, ClearOutputs):
            self._used.add("clear_reals")
            array = self._array(step.first)
            text.add(f"    clear_reals({array.macro}, {array.name});")
            return array.name
        argument, place = self._destinations(step.index)
        text.state(f"    {place} = {printer.text(step.node)};", step.label)
        return argument

    def _must_follow_checks(self, step: Step, names: Mapping[Node, str]) -> bool:
        """Whether a step may not come before the tests that are due: it divides by a tested pivot, or hands out."""
        if isinstance(step, (Solve, ClearOutputs, Output, Outputs)):
            return True
        if not isinstance(step, (Compute, Fill)):
            return False
        if isinstance(step, Compute) and step.node in self._tested:
            return True
        ops, args = self._graph.ops, self._graph.args
        read = [*args[step.node]] if isinstance(step, Compute) else [step.node]
        while read:  # down to what has a name
            node = read.pop()
            if node not in names and ops[node] is not _RESULT:
                if node in self._tested:
                    return True
                read += args[node]
        return False

    def _array(self, first: int) -> ArrayView:
        """Return the array of results that begins with an output."""
        starts = itertools.accumulate([0, *(array.size for array in self._arrays)])
        return next(array for array, start in zip(self._arrays, starts, strict=False) if start == first and array.size)

    def _checks(self, checks: Sequence[Check], printer: Printer) -> list[str]:
        self._used.add("RARELY")
        tests = [(printer.condition(check.condition), check) for check in checks]
        return print_checks(tests, self._places.failed, f"{self._scope.macro}_SINGULAR")
