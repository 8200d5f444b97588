"""Routine -> the text of its C functions: one for each chunk, and one that calls them in turn."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.guards import print_guards
from eomc.backends.c99.layout import Line, align, comment, declaration, wrap
from eomc.backends.c99.results import ResultArray, result_arrays
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.views import CFunction
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization, SystemSpec
from eomc.passes.steps import (
    Chunk,
    Clear,
    ClearOutputs,
    Compute,
    Fill,
    Guard,
    Heading,
    Output,
    Routine,
    Schedule,
    Solve,
    Step,
)

__all__ = ["RoutineText", "function_signature", "prepare_signature", "print_routine"]


@dataclass(frozen=True, slots=True)
class RoutineText:
    """The functions of a routine; the last one is the model's own, the others are its parts."""

    functions: tuple[CFunction, ...]


@dataclass(frozen=True, slots=True)
class _Argument:
    """A formal argument: how it is declared, what it is called, why it may be unused."""

    declaration: str
    name: str
    unused: str


def print_routine(
    schedule: Schedule, routine: Routine, scope: Scope, target: Callable[[int], str], used: set[str]
) -> RoutineText:
    """Return the text of one routine.

    Parameters
    ----------
    target
        Says where an output goes, such as ``dx[PENDULUM_X_THETA]``.
    used
        Macros and helper functions that the text calls; added to.
    """
    return _RoutinePrinter(schedule, routine, scope, target, used).text()


def prepare_signature(scope: Scope) -> tuple[str, ...]:
    """Return the lines that declare ``_prepare``."""
    return _signature(f"{scope.prefix}_status {scope.prefix}_prepare", _prepare_arguments(scope))


def function_signature(scope: Scope, name: str, results: Sequence[ResultArray]) -> tuple[str, ...]:
    """Return the lines that declare a function of the program."""
    return _signature(f"{scope.prefix}_status {scope.prefix}_{name}", _function_arguments(scope, results))


def _prepare_arguments(scope: Scope) -> list[_Argument]:
    return [
        _Argument(f"const {scope.prefix}_parameters *p", "p", "no parameter matters"),
        _Argument(f"{scope.prefix}_constants *c", "c", ""),
    ]


def _function_arguments(scope: Scope, results: Sequence[ResultArray]) -> list[_Argument]:
    prefix, macro = scope.prefix, scope.macro
    return [
        _Argument(f"{prefix}_real t", "t", "time does not enter"),
        _Argument(f"const {prefix}_real x[{macro}_NX]", "x", "no state enters"),
        _Argument(f"const {prefix}_inputs *r", "r", "no input enters"),
        _Argument(f"const {prefix}_constants *c", "c", "no parameter enters"),
        _Argument(f"{prefix}_work *work", "work", "no scratch memory needed"),
        *(_Argument(f"{prefix}_real {result.declarator}", result.name, "empty") for result in results),
    ]


def _signature(head: str, arguments: Sequence[_Argument]) -> tuple[str, ...]:
    one = f"{head}({', '.join(argument.declaration for argument in arguments)})"
    if len(one) <= 100:
        return (one,)
    return declaration(f"{head}(", [argument.declaration for argument in arguments])


class _RoutinePrinter:
    """Prints one routine; holds the names that stay the same throughout it."""

    def __init__(
        self, schedule: Schedule, routine: Routine, scope: Scope, target: Callable[[int], str], used: set[str]
    ) -> None:
        self._schedule = schedule
        self._graph: Graph = schedule.program.graph
        self._routine = routine
        self._scope = scope
        self._target = target
        self._used = used
        self._prepares = routine is schedule.prepare
        self._tested = frozenset(check.node for check in schedule.program.checks)
        self._storage = "c->scratch." if self._prepares else "work->"
        self._failed = "c->failed" if self._prepares else "work->failed"
        self._numbers = {node: number for number, node in enumerate(routine.temporaries)}
        self._systems = {place.node: place for place in routine.systems}
        self._arrays = () if self._prepares else result_arrays(routine.function, scope.macro)
        self._results = {
            node: f"{self._storage}right[{self._systems[self._graph.args[node][0]].right + self._index(node)}]"
            for node in (range(len(self._graph)) if routine.systems else ())
            if self._graph.ops[node] is Op.RESULT and self._graph.args[node][0] in self._systems
        }

    def _index(self, node: Node) -> int:
        index = self._graph.data[node]
        assert isinstance(index, int)
        return index

    def text(self) -> RoutineText:
        """Return all functions of the routine."""
        chunks = self._routine.chunks
        if len(chunks) == 1:
            body, reads = self._chunk(chunks[0])
            body = self._discards(reads) + body
            return RoutineText((CFunction(self._routine.function.title, self._external(), tuple(_tidy(body))),))
        parts, calls = [], []
        reads = set[str]()
        for number, chunk in enumerate(chunks):
            body, part_reads = self._chunk(chunk)
            reads |= part_reads
            arguments = [argument for argument in self._arguments() if argument.name in part_reads]
            kind = f"{self._scope.prefix}_status" if chunk.fallible else "void"
            name = f"{self._scope.shared}{self._routine.function.name}_{number}"
            head = f"{kind} {name}" if self._scope.shared else f"static {kind} {name}"
            title = f"Part {number + 1} of {len(chunks)} of {self._scope.prefix}_{self._routine.function.name}()."
            parts.append(CFunction(title, _signature(head, arguments), tuple(_tidy(body))))
            calls.append((f"{name}({', '.join(argument.name for argument in arguments)})", chunk.fallible))
        whole = self._discards(reads) + self._driver(calls)
        parts.append(CFunction(self._routine.function.title, self._external(), tuple(_tidy(whole))))
        return RoutineText(tuple(parts))

    def _arguments(self) -> list[_Argument]:
        if self._prepares:
            return _prepare_arguments(self._scope)
        return _function_arguments(self._scope, self._arrays)

    def _external(self) -> tuple[str, ...]:
        if self._prepares:
            return prepare_signature(self._scope)
        return function_signature(self._scope, self._routine.function.name, self._arrays)

    def _discards(self, reads: set[str]) -> list[str]:
        """Return lines that consume the arguments that are not read."""
        lines = [
            Line(f"    (void){argument.name};", argument.unused)
            for argument in self._arguments()
            if argument.name not in reads
        ]
        return [*align(lines), ""] if lines else []

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

    def _chunk(self, chunk: Chunk) -> tuple[list[str], set[str]]:
        """Return the lines of a chunk, and the arguments that it touches."""
        names, loads, reads = self._names(chunk)
        printer = Printer(self._graph, names, self._results, self._used)
        lines = list(loads)
        group: list[Line] = []

        def flush() -> None:
            lines.extend(align(group))
            group.clear()

        written = set[str]()
        pending: list[Guard] = []
        for step in chunk.steps:
            if pending and self._must_follow_guards(step, names):
                flush()
                lines += ["", *self._guards(pending, printer), ""]
                pending = []
            if isinstance(step, Heading):
                flush()
                lines.append("")
                if step.title:
                    lines.append(f"    /* {comment(step.title)} */")
            elif isinstance(step, Compute):
                kind = "int" if self._is_boolean(step.node) else f"{self._scope.prefix}_real"
                code = f"    const {kind} {names[step.node]} = {printer.definition(step.node)};"
                self._add(group, flush, code, step.label, lines)
            elif isinstance(step, Clear):
                self._used.add("clear_reals")
                flush()
                lines.append(f"    clear_reals({step.count}, &{self._place(step.system, step.first)});")
            elif isinstance(step, Fill):
                code = f"    {self._place(step.system, step.argument)} = {printer.text(step.node)};"
                self._add(group, flush, code, "", lines)
            elif isinstance(step, Guard):
                pending.append(step)
            elif isinstance(step, Solve):
                flush()
                lines += ["", *self._solve(step), ""]
            else:
                if not written:
                    flush()
                    lines.append("")
                if isinstance(step, ClearOutputs):
                    self._used.add("clear_reals")
                    flush()
                    array = self._array(step.first)
                    written.add(array.name)
                    lines.append(f"    clear_reals({array.macro}, {array.name});")
                    continue
                target = self._target(step.index)
                written.add("c" if self._prepares else target.partition("[")[0])
                code = f"    {target} = {printer.text(step.node)};"
                self._add(group, flush, code, step.label, lines)
        flush()
        if pending:
            lines += ["", *self._guards(pending, printer), ""]
        stores = [
            f"    {self._storage}passed[{stored.place}] = {self._as_real(stored.node, names[stored.node])};"
            for stored in chunk.stores
        ]
        if stores:
            lines += ["", "    /* for later parts */", *stores]
        last = chunk is self._routine.chunks[-1]
        if last and self._prepares:
            lines += [f"    {self._failed} = -1;"]
        if chunk.fallible or len(self._routine.chunks) == 1:
            lines.append(f"    return {self._scope.macro}_OK;")
        if any(isinstance(step, (Guard, Clear, Fill, Solve)) for step in chunk.steps) or chunk.loads or chunk.stores:
            reads.add(self._storage.partition("-")[0])
        reads |= written
        if last and self._prepares:
            reads.add("c")
        if any(self._storage in line for line in lines):
            reads.add(self._storage.partition("-")[0])
        return lines, reads

    def _must_follow_guards(self, step: Step, names: Mapping[Node, str]) -> bool:
        """Whether a step may not come before the tests that are due: it divides by a tested pivot, or hands out."""
        if isinstance(step, (Solve, ClearOutputs, Output)):
            return True
        if not isinstance(step, (Compute, Fill)):
            return False
        ops, args = self._graph.ops, self._graph.args
        stack = list(args[step.node]) if isinstance(step, Compute) else [step.node]
        if isinstance(step, Compute) and step.node in self._tested:
            return True
        while stack:  # through what is written in place
            node = stack.pop()
            if node in names or ops[node] is Op.RESULT:
                continue
            if node in self._tested:
                return True
            stack += args[node]
        return False

    def _names(self, chunk: Chunk) -> tuple[dict[Node, str], list[str], set[str]]:
        """Return the names that hold in a chunk, the lines that load them, and the arguments that these touch."""
        graph, scope = self._graph, self._scope
        real = f"{scope.prefix}_real"
        names: dict[Node, str] = {}
        loads: list[str] = []
        reads: set[str] = set()
        places = {place.node: field for place, field in zip(self._schedule.constants, scope.constants, strict=True)}
        only_handed_out = self._only_handed_out(chunk)
        ranked = sorted(chunk.leaves, key=self._rank)
        for leaf in ranked:
            symbol = graph.data[leaf]
            if not self._prepares and leaf in places:
                names[leaf] = f"c->{places[leaf]}"
                reads.add("c")
                continue
            assert isinstance(symbol, Symbol)
            if symbol.role is Role.TIME:
                names[leaf] = "t"
                reads.add("t")
            elif symbol.role is Role.STATE:
                names[leaf] = scope.states[symbol.index]
                loads.append(f"    const {real} {names[leaf]} = x[{scope.enumerators[symbol.index]}];")
                reads.add("x")
            elif symbol.role is Role.INPUT:
                names[leaf] = scope.input_locals[symbol.index]
                loads.append(f"    const {real} {names[leaf]} = r->{scope.inputs[symbol.index]};")
                reads.add("r")
            elif leaf in only_handed_out:
                names[leaf] = f"p->{scope.parameters[symbol.index]}"
                reads.add("p")
            else:
                names[leaf] = scope.parameter_locals[symbol.index]
                loads.append(f"    const {real} {names[leaf]} = p->{scope.parameters[symbol.index]};")
                reads.add("p")
        passed = []
        for loaded in chunk.loads:
            text = f"{self._storage}passed[{loaded.place}]"
            if loaded.node in only_handed_out:
                names[loaded.node] = text
                continue
            names[loaded.node] = f"{scope.temporary}{self._numbers[loaded.node]}"
            kind, suffix = ("int", " > REAL(0.5)") if self._is_boolean(loaded.node) else (real, "")
            passed.append(f"    const {kind} {names[loaded.node]} = {text}{suffix};")
        if loads or passed:
            loads += ["", *passed] if passed and loads else passed
            loads.append("")
        for step in chunk.steps:
            if isinstance(step, Compute):
                names[step.node] = f"{scope.temporary}{self._numbers[step.node]}"
        return names, loads, reads

    def _rank(self, leaf: Node) -> tuple[int, int]:
        """Order of loads: time, states, inputs, parameters, each as the program has them."""
        symbol = self._graph.data[leaf]
        if isinstance(symbol, Symbol):
            return _ROLES.index(symbol.role), symbol.index
        return len(_ROLES), leaf

    def _only_handed_out(self, chunk: Chunk) -> set[Node]:
        """Return parameters and passed values that an output takes as they are, and that nothing else reads."""
        handed_out = {step.node for step in chunk.steps if isinstance(step, Output)}
        candidates = {leaf for leaf in chunk.leaves if self._prepares} | {loaded.node for loaded in chunk.loads}
        candidates = {node for node in candidates & handed_out if not self._is_boolean(node)}
        if not candidates:
            return candidates
        own = {step.node for step in chunk.steps if isinstance(step, Compute)}
        stack: list[Node] = []
        for step in chunk.steps:
            if isinstance(step, Compute):
                stack.extend(self._graph.args[step.node])
            elif isinstance(step, Guard):
                stack.append(step.check.condition)
            elif isinstance(step, Fill) or (isinstance(step, Output) and step.node not in candidates):
                stack.append(step.node)
        seen: set[Node] = set()
        loaded_nodes = {loaded.node for loaded in chunk.loads}
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            candidates.discard(node)
            if node not in own and node not in loaded_nodes and self._graph.ops[node] is not Op.RESULT:
                stack.extend(self._graph.args[node])
        return candidates

    def _array(self, first: int) -> ResultArray:
        """Return the array of results that begins with an output."""
        starts = itertools.accumulate([0, *(array.size for array in self._arrays)])
        return next(array for array, start in zip(self._arrays, starts, strict=False) if start == first and array.size)

    def _is_boolean(self, node: Node) -> bool:
        return self._graph.ops[node] in _BOOLEAN

    def _as_real(self, node: Node, name: str) -> str:
        return f"{name} ? REAL(1.0) : REAL(0.0)" if self._is_boolean(node) else name

    @staticmethod
    def _add(group: list[Line], flush: object, code: str, remark: str, lines: list[str]) -> None:
        """Add a statement with its remark; one that has to be wrapped breaks the column."""
        remark = comment(remark) if remark else ""
        wrapped = wrap(code)
        if len(wrapped) == 1:
            group.append(Line(code, remark))
            return
        assert callable(flush)
        flush()
        if remark:
            lines.append(f"    /* {remark} */")
        lines.extend(wrapped)

    def _place(self, system: int, argument: int) -> str:
        place = self._routine.systems[system]
        spec = self._spec(place.node)
        if argument < spec.matrix_entries:
            return f"{self._storage}matrix[{place.matrix + argument}]"
        return f"{self._storage}right[{place.right + argument - spec.matrix_entries}]"

    def _spec(self, node: Node) -> SystemSpec:
        spec = self._graph.data[node]
        assert isinstance(spec, SystemSpec)
        return spec

    def _guards(self, guards: Sequence[Guard], printer: Printer) -> list[str]:
        tests = [(printer.condition(guard.check.condition), guard.check) for guard in guards]
        return print_guards(tests, self._failed, f"{self._scope.macro}_SINGULAR")

    def _solve(self, step: Solve) -> list[str]:
        place = self._routine.systems[step.system]
        spec = self._spec(place.node)
        matrix = f"&{self._storage}matrix[{place.matrix}]"
        right = f"&{self._storage}right[{place.right}]"
        sizes = f"{spec.n}, {spec.columns}"
        if spec.factorization is Factorization.LDLT:
            self._used.add("ldlt_solve")
            what = "symmetric, positive definite"
            call = f"{self._scope.shared}ldlt_solve({sizes}, {matrix}, {right})"
        elif spec.constraints:
            kernel = f"{spec.factorization.value.replace('-', '_')}_solve"
            self._used.add(kernel)
            what = f"with {spec.constraints} constraints, {spec.factorization.value}"
            sizes = f"{spec.n}, {spec.constraints}, {spec.columns}"
            kernel = f"{self._scope.shared}{kernel}"
            call = f"{kernel}({sizes}, {matrix}, {right}, {self._storage}scratch, {self._storage}order)"
        else:
            self._used.add("lu_solve")
            what = "general, rows pivoted"
            kernel = f"{self._scope.shared}lu_solve"
            call = f"{kernel}({sizes}, {matrix}, {right}, {self._storage}scratch, {self._storage}order)"
        first = f"{place.first_check} + row" if place.first_check else "row"
        lines = [
            f"    /* linear system {spec.n} x {spec.n}, {what}; the solution replaces the right side */",
            "    {",
            f"        const int row = {call};",
            "",
            "        if (row >= 0) {",
            f"            {self._failed} = {first};",
        ]
        if spec.constraints and not spec.strict:  # a contradiction is noted and no more
            lines += ["        }", f"        if ((row >= 0) && (row < {spec.n})) {{"]
        return [*lines, f"            return {self._scope.macro}_SINGULAR;", "        }", "    }"]


_BOOLEAN = frozenset(op for op, row in OPS.items() if row.kind is Kind.BOOLEAN)
_ROLES = (Role.TIME, Role.STATE, Role.INPUT, Role.PARAMETER, Role.PLACEHOLDER)


def _tidy(lines: Sequence[str]) -> list[str]:
    """Return lines without blank ones at the ends, two in a row, or below a heading."""
    result: list[str] = []
    for line in lines:
        if line or (result and result[-1] and not result[-1].lstrip().startswith("/*")):
            result.append(line)
    while result and not result[-1]:
        result.pop()
    return result
