"""LaneRoutine -> the text of one C function: loops over lanes, one after the other."""

from __future__ import annotations

from eomc.backends.c99.arguments import discards, function_arguments
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.layout import Text, comment
from eomc.backends.c99.loads import ARGUMENTS, rank
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.views import LanesView
from eomc.ir.graph import Node
from eomc.ir.ops import Kind
from eomc.ir.program import Check
from eomc.ir.symbols import Role, Symbol
from eomc.passes.steps import Compute, Heading, LaneLoop, LaneRoutine, Output, Schedule, Step

_ARITHMETIC = "arithmetic, several lanes at a time"
_OTHERS = "functions and choices, lane by lane"
_CHECKS = "whether a pivot vanishes in any lane"
_RESULTS = "all lanes succeed"


def print_lanes(schedule: Schedule, routine: LaneRoutine, scope: Scope, used: set[str]) -> LanesView:
    """Return what the templates place of a function over lanes.

    Parameters
    ----------
    used
        Macros and helper functions that the text calls; added to.
    """
    return _LanePrinter(schedule, routine, scope, used).view()


class _LanePrinter:
    """Prints one function over lanes; holds the names that stay the same throughout it."""

    def __init__(self, schedule: Schedule, routine: LaneRoutine, scope: Scope, used: set[str]) -> None:
        self._graph = schedule.program.graph
        self._routine = routine
        self._scope = scope
        self._used = used
        self._places = {p.node: field for p, field in zip(schedule.constants, scope.constants, strict=True)}
        self._locals = {node: f"{scope.temporary}{number}" for number, node in enumerate(routine.temporaries)}
        self._arrays = {node: f"{self._locals[node]}[lane]" for node in routine.kept}
        self._checked = any(isinstance(step, Check) for loop in routine.loops for step in loop.steps)
        self._read: set[str] = set()  # arguments

    def view(self) -> LanesView:
        """Return all texts."""
        routine = self._routine
        loops = [self._loop(loop) for loop in routine.loops]
        return LanesView(
            name=f"{routine.function.name}_lanes",
            title=f"{comment(routine.function.title)}, of several states side by side",
            function=routine.function.name,
            alone=f"{routine.function.name}_one_by_one",
            side_by_side=bool(routine.loops),
            checked=self._checked,
            arrays=tuple(
                f"    {self._type(node)} {self._locals[node]}[{self._scope.macro}_LANES];" for node in routine.kept
            ),
            discards=() if self._checked else tuple(discards(function_arguments(self._scope, ()), self._read)),
            body=tuple(line for loop in loops for line in (*loop, "")),
        )

    def _type(self, node: Node) -> str:
        return "int" if self._graph.kind(node) is Kind.BOOLEAN else f"{self._scope.prefix}_real"

    def _loop(self, loop: LaneLoop) -> list[str]:
        """Return a loop, and what leaves the function where a check fails in it."""
        kinds = {type(step) for step in loop.steps}
        title = _ARITHMETIC if loop.arithmetic else _OTHERS
        if self._checked and Output in kinds:
            title = _RESULTS
        leave = []
        if Check in kinds:
            title = _CHECKS
            call = f"{self._routine.function.name}_one_by_one(t, x, r, c, work, dx, status)"
            leave = ["    if (failed != 0) {", f"        return {call};", "    }"]
        head = f"    for (lane = 0; lane < {self._scope.macro}_LANES; ++lane) {{"
        return [f"    /* {title} */", head, *self._body(loop), "    }", *leave]

    def _body(self, loop: LaneLoop) -> list[str]:
        """Return the lines in a loop: paragraphs under headings, or of statements of one kind."""
        names, loads = self._names(loop)
        printer = Printer(self._graph, names, self._used)
        text = Text(loads)
        kind: type | None = None
        for step in loop.steps:
            if isinstance(step, Heading):
                text.part()
                if step.title:
                    text.head(step.title)
                kind = Compute
                continue
            if type(step) is not kind:
                text.part()
                kind = type(step)
            text.state(*self._statement(step, names, printer))
        return [f"    {line}" if line else "" for line in text.finished()]

    def _statement(self, step: Step, names: dict[Node, str], printer: Printer) -> tuple[str, str]:
        """Return a step as C with its remark; the name that it gives is added."""
        if isinstance(step, Compute):
            kept = self._arrays.get(step.node)
            target = kept or f"const {self._type(step.node)} {self._locals[step.node]}"
            code = f"    {target} = {printer.definition(step.node)};"
            names[step.node] = kept or self._locals[step.node]
            return code, step.label
        if isinstance(step, Check):
            label = step.label
            return f"    failed |= !{printer.condition(step.condition)};", f"pivot of {label}" if label else ""
        assert isinstance(step, Output)
        return f"    dx[{self._scope.enumerators[step.index]}].of[lane] = {printer.text(step.node)};", ""

    def _names(self, loop: LaneLoop) -> tuple[dict[Node, str], list[str]]:
        """Return the names that hold in a loop, and the lines that load them."""
        scope = self._scope
        names: dict[Node, str] = dict(self._arrays)
        lines: list[str] = []
        for leaf in sorted(loop.leaves, key=lambda leaf: rank(self._graph.data[leaf], leaf)):
            if leaf in self._places:
                names[leaf] = f"c->{self._places[leaf]}"
                self._read.add("c")
                continue
            symbol = self._graph.data[leaf]
            assert isinstance(symbol, Symbol)
            self._read.add(ARGUMENTS[symbol.role])
            if symbol.role is Role.TIME:
                names[leaf] = "t->of[lane]"
                continue
            if symbol.role is Role.STATE:
                names[leaf], place = scope.states[symbol.index], f"x[{scope.enumerators[symbol.index]}].of[lane]"
            else:
                names[leaf], place = scope.input_locals[symbol.index], f"r[lane].{scope.inputs[symbol.index]}"
            lines.append(f"    const {scope.prefix}_real {names[leaf]} = {place};")
        return names, lines
