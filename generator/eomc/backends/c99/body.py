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
    signature,
)
from eomc.backends.c99.checks import print_checks
from eomc.backends.c99.destinations import Destinations
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.fixed_order import FixedOrders
from eomc.backends.c99.kernels import KERNELS
from eomc.backends.c99.layout import Text
from eomc.backends.c99.loads import Loads, load
from eomc.backends.c99.places import make_places
from eomc.backends.c99.results import result_arrays
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.views import ArrayView, CFunction
from eomc.ir.cone import cone
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.passes.steps import Chunk, Clear, ClearOutputs, Compute, Fill, Heading, Output, Routine, Schedule, Solve, Step


def print_routine(
    schedule: Schedule,
    routine: Routine,
    scope: Scope,
    destinations: Destinations,
    used: set[str],
    fixed: FixedOrders,
) -> tuple[CFunction, ...]:
    """Return the functions of one routine; the last one is the model's own, the others are its parts.

    Parameters
    ----------
    destinations
        Says where an output goes.
    used
        Macros and helper functions that the text calls; added to.
    fixed
        Functions that are tried before kernels.
    """
    return _RoutinePrinter(schedule, routine, scope, destinations, used, fixed).functions()


class _RoutinePrinter:
    """Prints one routine."""

    def __init__(
        self,
        schedule: Schedule,
        routine: Routine,
        scope: Scope,
        destinations: Destinations,
        used: set[str],
        fixed: FixedOrders,
    ) -> None:
        self._graph: Graph = schedule.program.graph
        self._routine = routine
        self._scope = scope
        self._destinations = destinations
        self._used = used
        self._fixed = fixed
        self._places = make_places(schedule, routine, scope)
        self._tested = frozenset(check.node for check in schedule.program.checks)
        self._arrays = () if self._places.prepares else result_arrays(routine.function, scope.macro)

    def functions(self) -> tuple[CFunction, ...]:
        """Return all functions of the routine."""
        chunks, function, arguments = self._routine.chunks, self._routine.function, self._arguments()
        external = routine_signature(self._scope, function.name, arguments)
        if len(chunks) == 1:
            body, touched = self._chunk(chunks[0])
            body = Text([*discards(arguments, touched), *body]).finished()
            return (CFunction(function.title, external, body),)
        parts, calls = [], []
        everything = set[str]()
        for number, chunk in enumerate(chunks):
            body, touched = self._chunk(chunk)
            everything |= touched
            taken = [argument for argument in arguments if argument.name in touched]
            kind = f"{self._scope.prefix}_status" if chunk.fallible else "void"
            name = f"{self._scope.shared}{function.name}_{number}"
            head = f"{kind} {name}" if self._scope.shared else f"static {kind} {name}"
            title = f"Part {number + 1} of {len(chunks)} of {self._scope.prefix}_{function.name}()."
            parts.append(CFunction(title, signature(head, taken), body))
            calls.append((f"{name}({', '.join(argument.name for argument in taken)})", chunk.fallible))
        whole = Text([*discards(arguments, everything), *self._driver(calls)]).finished()
        return (*parts, CFunction(function.title, external, whole))

    def _arguments(self) -> list[Argument]:
        if self._places.prepares:
            return prepare_arguments(self._scope)
        return function_arguments(self._scope, self._arrays, bool(self._routine.function.accelerations))

    def _driver(self, calls: Sequence[tuple[str, bool]]) -> list[str]:
        """Return the body that calls the parts one after the other until one fails."""
        ok = f"{self._scope.macro}_OK"
        if not any(fallible for _, fallible in calls):
            return [*(f"    {call};" for call, _ in calls), f"    return {ok};"]
        lines = [f"    {self._scope.prefix}_status status = {ok};", ""]
        guarded = False
        for call, fallible in calls:
            statement = f"status = {call};" if fallible else f"{call};"
            if guarded:
                lines += [f"    if (status == {ok}) {{", f"        {statement}", "    }"]
            else:
                lines.append(f"    {statement}")
            guarded = guarded or fallible
        lines.append("    return status;")
        if calls[0][1]:  # the first part decides at once: declare and assign in one line
            lines[0:3] = [f"    {self._scope.prefix}_status status = {calls[0][0]};", ""]
        return lines

    def _chunk(self, chunk: Chunk) -> tuple[tuple[str, ...], set[str]]:
        """Return the lines of a chunk, and the arguments that it touches."""
        places, loads = self._places, load(self._places, chunk)
        self._used.update(self._places.type_of(loaded.node) for loaded in chunk.loads)
        printer = Printer(self._graph, loads.names, self._used, places.solution)
        text = Text(loads.lines)
        touched = set(loads.arguments)
        written = False
        pending: list[Check] = []
        for step in chunk.steps:
            if pending and self._must_follow_checks(step, loads.names):
                text.add("", *self._checks(pending, printer), "")
                pending = []
            if isinstance(step, Check):
                pending.append(step)
            elif isinstance(step, (Output, ClearOutputs)):
                if not written:
                    text.part()
                    written = True
                touched.add(self._hand_out(step, printer, text))
            else:
                self._step(step, loads, printer, text)
        if pending:
            text.add("", *self._checks(pending, printer), "")
        if chunk.stores:
            text.part()
            text.head("for later parts")
        for stored in chunk.stores:
            name = loads.names[stored.node]
            value = f"{name} ? REAL(1.0) : REAL(0.0)" if places.is_boolean(stored.node) else name
            text.add(f"    {places.storage}passed[{stored.place}] = {value};")
        if places.prepares and chunk is self._routine.chunks[-1]:
            text.add(f"    {places.failed} = -1;")
            touched.add(places.owner)
        if chunk.fallible or len(self._routine.chunks) == 1:
            text.add(f"    return {self._scope.macro}_OK;")
        if places.uses_storage(chunk):
            touched.add(places.owner)
        return text.finished(), touched

    def _step(self, step: Step, loads: Loads, printer: Printer, text: Text) -> None:
        """Print a step that hands out no result."""
        if isinstance(step, Heading):
            text.part()
            if step.title:
                text.head(step.title)
        elif isinstance(step, Compute):
            both = loads.pairs.get(step.node)
            if both:
                angle = printer.text(self._graph.args[step.node][0])
                self._used.add("sincos")
                text.state(f"    const real_sine_cosine {both} = real_sincos({angle});", step.label)
            elif both is None:
                type_, name = self._places.type_of(step.node), loads.names[step.node]
                self._used.add(type_)
                text.state(f"    const {type_} {name} = {printer.definition(step.node)};", step.label)
        elif isinstance(step, Clear):
            self._used.add("clear_reals")
            text.add(f"    clear_reals({step.count}, &{self._places.of_argument(step.system, step.first)});")
        elif isinstance(step, Fill):
            place = self._places.of_argument(step.system, step.argument)
            text.state(f"    {place} = {printer.text(step.node)};")
        else:
            assert isinstance(step, Solve)
            text.add("", *self._solve(step), "")

    def _hand_out(self, step: Output | ClearOutputs, printer: Printer, text: Text) -> str:
        """Print a step that hands out results; return the argument that it writes."""
        if isinstance(step, ClearOutputs):
            self._used.add("clear_reals")
            array = self._array(step.first)
            text.add(f"    clear_reals({array.macro}, {array.name});")
            return array.name
        destination = self._destinations(step.index)
        text.state(f"    {destination.text} = {printer.text(step.node)};", step.label)
        return destination.argument

    def _must_follow_checks(self, step: Step, names: Mapping[Node, str]) -> bool:
        """Whether a step may not come before the tests that are due: it divides by a tested pivot, or hands out."""
        if isinstance(step, (Solve, ClearOutputs, Output)):
            return True
        if not isinstance(step, (Compute, Fill)):
            return False
        if isinstance(step, Compute) and step.node in self._tested:
            return True
        ops, read = self._graph.ops, self._graph.args[step.node] if isinstance(step, Compute) else [step.node]

        def is_given(node: Node) -> bool:
            return node in names or ops[node] is Op.RESULT

        return any(node in self._tested and not is_given(node) for node in cone(self._graph, read, is_given))

    def _array(self, first: int) -> ArrayView:
        """Return the array of results that begins with an output."""
        starts = itertools.accumulate([0, *(array.size for array in self._arrays)])
        return next(array for array, start in zip(self._arrays, starts, strict=False) if start == first and array.size)

    def _checks(self, checks: Sequence[Check], printer: Printer) -> list[str]:
        self._used.add("RARELY")
        tests = [(printer.condition(check.condition), check) for check in checks]
        return print_checks(tests, self._places.failed, f"{self._scope.macro}_SINGULAR")

    def _solve(self, step: Solve) -> list[str]:
        place, spec = self._places.systems[step.system], self._places.spec(step.system)
        kernel, storage = KERNELS[spec.factorization], self._places.storage
        self._used.add(kernel.function)
        given = {
            "n": f"{spec.n}",
            "m": f"{spec.constraints}",
            "columns": f"{spec.columns}",
            "strict": "true" if spec.strict else "false",
            "a": f"&{storage}matrix[{place.matrix}]",
            "b": f"&{storage}right[{place.right}]",
            "s": f"{storage}scratch",
            "order": f"{storage}order",
        }
        call = f"{self._scope.shared}{kernel.function}({', '.join(given[name] for name in kernel.arguments)})"
        what = f"with {spec.constraints} constraints, {kernel.title}" if spec.constraints else kernel.title
        first = f"{place.first_check} + row" if place.first_check else "row"
        tried = self._fixed.name_of(place)
        lines = [
            f"    /* linear system {spec.n} x {spec.n}, {what}; the solution replaces the right side */",
            f"    if (REAL_RARELY(!{tried}({given['a']}, {given['b']}))) {{" if tried else "    {",
            f"        const int row = {call};",
            "",
            "        if (row >= 0) {",
            f"            {self._places.failed} = {first};",
        ]
        return [*lines, f"            return {self._scope.macro}_SINGULAR;", "        }", "    }"]
