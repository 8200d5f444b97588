"""LaneRoutine -> the text of one C function: loops over lanes, one after the other.

`print_lanes` prints the one that users call, whose lanes have their constants in common and are taken one by one where
one of them fails. `print_slopes` prints the one that a step calls: every lane has its own constants, and a failure is
left to the step.
"""

from __future__ import annotations

from typing import NamedTuple

from eomc.backends.c99.arguments import Argument, discards, function_arguments
from eomc.backends.c99.cores import Cores
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.lane_views import LanesView, SlopesView
from eomc.backends.c99.layout import Text, comment
from eomc.backends.c99.loads import ARGUMENTS, rank
from eomc.backends.c99.scope import Scope
from eomc.ir.graph import Node
from eomc.ir.ops import Kind
from eomc.ir.program import Check
from eomc.ir.symbols import Role, Symbol
from eomc.passes.steps import Compute, Heading, LaneLoop, LaneRoutine, Output, Schedule, Step

_ARITHMETIC = "arithmetic, several lanes at a time"
_FUNCTIONS = "functions, several lanes at a time"
_OTHERS = "functions and choices, lane by lane"
_CHECKS = "whether a pivot vanishes in any lane"
_RESULTS = "all lanes succeed"

_AS_A_LOOP = ("#ifdef __clang__", "#pragma clang loop unroll(disable)", "#endif")
"""Unrolled, its loads would serve the next loop's first lane, and clang would tie the lanes there together."""


def print_lanes(schedule: Schedule, routine: LaneRoutine, scope: Scope, used: set[str], stack: str) -> LanesView:
    """Return what the templates place of a function over lanes.

    Parameters
    ----------
    used
        Macros and helper functions that the text calls; added to.
    stack
        What the header says of its stack.
    """
    name = routine.function.name
    common = _Kind(f"{name}_lanes", f"{name}_one_by_one", "c->{}", f"{name}_one_by_one(t, x, r, c, work, dx, status)")
    return _LanePrinter(schedule, routine, scope, used, common).view(stack)


def print_slopes(schedule: Schedule, routine: LaneRoutine, scope: Scope, used: set[str]) -> SlopesView:
    """Return the function that a step of several states side by side calls for its slopes."""
    name = f"{routine.function.name}_of_lanes"
    printer = _LanePrinter(schedule, routine, scope, used, _Kind(name, "", "c->{}.of[lane]", f"{scope.macro}_SINGULAR"))
    return SlopesView(printer.view(""), tuple(printer.fields), printer.timed)


class _Kind(NamedTuple):
    """What differs between the functions over lanes."""

    name: str
    alone: str  # the static function that takes the lanes one by one
    constant: str  # how a field of the constants is read
    leave: str  # what is returned where a lane fails


class _Loop(NamedTuple):
    """A loop that is printed."""

    lines: tuple[str, ...]
    ranged: bool  # arguments or pivots are looked at in it


class _LanePrinter:
    """Prints one function over lanes; holds the names that stay the same throughout it."""

    def __init__(self, schedule: Schedule, routine: LaneRoutine, scope: Scope, used: set[str], kind: _Kind) -> None:
        self._kind = kind
        self._graph = schedule.program.graph
        self._routine = routine
        self._scope = scope
        self._used = used
        self._places = {p.node: field for p, field in zip(schedule.constants, scope.constants, strict=True)}
        self._locals = {node: f"{scope.temporary}{number}" for number, node in enumerate(routine.temporaries)}
        self._arrays = {node: f"{self._locals[node]}[lane]" for node in routine.kept}
        self._checked = routine.leaves and bool(kind.alone)
        self._ranges: dict[str, None] = {}  # tests of arguments in the loop that is printed
        self._in_range = False  # such a test was printed
        self._cores = Cores(self._graph, routine.temporaries, used)
        self._read: set[str] = set()  # arguments
        self._inputs: dict[int, str] = {}  # arrays of inputs, by their numbers
        self.fields: dict[str, None] = {}  # of the constants that are read

    def view(self, stack: str) -> LanesView:
        """Return all texts; `stack` is what the header says of it."""
        routine = self._routine
        loops = [
            self._loop(loop, before is not None and before.functions)
            for before, loop in zip((None, *routine.loops), routine.loops, strict=False)
        ]
        leave = self._leave("!real_all_near(in_range)")
        ranged = max((k for k, loop in enumerate(loops) if loop.ranged), default=-1)
        return LanesView(
            name=self._kind.name,
            title=f"{comment(routine.function.title)}, of several states side by side",
            function=routine.function.name,
            alone=self._kind.alone,
            side_by_side=bool(routine.loops),
            checked=self._checked,
            tested=any(isinstance(step, Check) for loop in routine.loops if not loop.arithmetic for step in loop.steps),
            ranged=self._in_range,
            arrays=tuple(
                [
                    *(
                        f"    {self._type(node)} {self._locals[node]}[{self._scope.macro}_LANES];"
                        for node in routine.kept
                    ),
                    *(
                        f"    {self._scope.prefix}_real {one}[{self._scope.macro}_LANES];"
                        for one in self._inputs.values()
                    ),
                ]
            ),
            discards=() if self._checked else tuple(discards(self._arguments(), self._read)),
            body=(
                *self._gathered(),
                *(
                    line
                    for k, loop in enumerate(loops)
                    for line in (*([""] if k else []), *loop.lines, *(leave if k == ranged else ()))
                ),
            ),
            stack=stack,
        )

    @property
    def timed(self) -> bool:
        """Whether the time was read."""
        return ARGUMENTS[Role.TIME] in self._read

    def _arguments(self) -> list[Argument]:
        """Return the arguments that may not be read."""
        arguments = function_arguments(self._scope, ())
        return arguments if self._kind.alone else [argument for argument in arguments if argument.name != "work"]

    def _type(self, node: Node) -> str:
        if self._graph.kind(node) is not Kind.BOOLEAN:
            return f"{self._scope.prefix}_real"
        self._used.add("bool")
        return "bool"

    def _loop(self, loop: LaneLoop, after_functions: bool) -> _Loop:
        """Return a loop, and what leaves the function where a pivot vanishes in it; further functions have no title."""
        kinds = {type(step) for step in loop.steps}
        title = _FUNCTIONS if loop.functions else _ARITHMETIC if loop.arithmetic else _OTHERS
        if self._checked and Output in kinds:
            title = _RESULTS
        tests = Check in kinds and not loop.arithmetic
        if tests:
            title = _CHECKS
        head = f"    for (lane = 0; lane < {self._scope.macro}_LANES; ++lane) {{"
        self._ranges, self._cores.ranges = {}, {}
        body = self._body(loop)
        leave = self._leave("failed != 0U") if tests else []
        as_a_loop = _AS_A_LOOP if title == _OTHERS else ()
        titles = () if loop.functions and after_functions else (f"    /* {title} */",)
        return _Loop((*titles, *as_a_loop, head, *body, "    }", *leave), bool(self._ranges))

    def _gathered(self) -> list[str]:
        """Return the loop that puts inputs side by side: of what stands in structs compilers make no vectors."""
        if not self._inputs:
            return []
        lines = [f"        {name}[lane] = r[lane].{self._scope.inputs[i]};" for i, name in self._inputs.items()]
        head = f"    for (lane = 0; lane < {self._scope.macro}_LANES; ++lane) {{"
        return ["    /* inputs, those of each lane side by side */", head, *lines, "    }", ""]

    def _leave(self, condition: str) -> list[str]:
        return [f"    if ({condition}) {{", f"        return {self._kind.leave};", "    }"]

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
            tested = len(self._ranges)
            code, remark = (
                self._mask(step, printer)
                if isinstance(step, Check) and loop.arithmetic
                else self._statement(step, names, printer)
            )
            for line in filter(None, [*self._ranges][tested:]):
                text.state(line)
            text.state(code, remark)
        return [f"    {line}" if line else "" for line in text.finished()]

    def _statement(self, step: Step, names: dict[Node, str], printer: Printer) -> tuple[str, str]:
        """Return a step as C with its remark; the name that it gives is added."""
        if isinstance(step, Compute):
            kept = self._arrays.get(step.node)
            target = kept or f"const {self._type(step.node)} {self._locals[step.node]}"
            code = f"    {target} = {self._core(step.node, printer) or printer.definition(step.node)};"
            names[step.node] = kept or self._locals[step.node]
            return code, step.label
        if isinstance(step, Check):
            label = step.label
            return f"    failed |= {printer.condition(step.condition)} ? 0U : 1U;", f"pivot of {label}" if label else ""
        assert isinstance(step, Output)
        return f"    dx[{self._scope.enumerators[step.index]}].of[lane] = {printer.text(step.node)};", ""

    def _mask(self, check: Check, printer: Printer) -> tuple[str, str]:
        """Return a comparison among arithmetic, which is looked at after the loop, with its remark."""
        self._used.add("below")
        self._in_range = True
        less, more = (printer.text(arg) for arg in self._graph.args[check.condition])
        self._ranges[""] = None
        return f"    in_range &= real_below({less}, {more});", f"pivot of {check.label}" if check.label else ""

    def _core(self, node: Node, printer: Printer) -> str:
        """Return the call of a function without branches; "" where there is none."""
        text = self._cores.call(node, printer) if self._scope.pairs else ""
        new = [line for line in self._cores.ranges if line not in self._ranges]
        self._ranges.update(dict.fromkeys(new))
        self._in_range = self._in_range or bool(self._cores.ranges)
        return text

    def _names(self, loop: LaneLoop) -> tuple[dict[Node, str], list[str]]:
        """Return the names that hold in a loop, and the lines that load them."""
        scope = self._scope
        names: dict[Node, str] = dict(self._arrays)
        lines: list[str] = []
        for leaf in sorted(loop.leaves, key=lambda leaf: rank(self._graph.data[leaf], leaf)):
            if leaf in self._places:
                names[leaf] = self._kind.constant.format(self._places[leaf])
                self.fields[self._places[leaf]] = None
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
            elif len(scope.inputs) == 1:
                names[leaf], place = scope.input_locals[symbol.index], f"r[lane].{scope.inputs[symbol.index]}"
            else:
                array = self._inputs.setdefault(symbol.index, f"{scope.of_loops}{len(self._inputs)}")
                names[leaf], place = scope.input_locals[symbol.index], f"{array}[lane]"
            lines.append(f"    const {scope.prefix}_real {names[leaf]} = {place};")
        return names, lines
