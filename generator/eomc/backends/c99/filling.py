"""What puts arguments of linear systems into their places: functions that are alike stand once."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import NamedTuple

from eomc.backends.c99.code_views import CFunction
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.fixed_order import FixedOrders
from eomc.backends.c99.layout import Text, declaration
from eomc.backends.c99.places import make_places
from eomc.backends.c99.scope import Scope
from eomc.passes.order import are_cleared
from eomc.passes.steps import Gather, Routine, Schedule

_RUN = 3
"""Values that are copied by a loop: its call takes less text than so many statements."""


class SystemFunctions(NamedTuple):
    """What is called on the way to the solution of linear systems, beside kernels."""

    fixed: FixedOrders
    fillers: Fillers


class Fillers:
    """The functions of a program that fill systems.

    Parameters
    ----------
    schedule
        The program.
    scope
        Names.
    used
        Macros and helper functions that the text calls; added to.
    """

    def __init__(self, schedule: Schedule, scope: Scope, used: set[str]) -> None:
        self._schedule = schedule
        self._scope = scope
        self._used = used
        self._names: dict[tuple[str, ...], str] = {}  # by their text
        self.functions: list[CFunction] = []
        for routine in schedule.all_routines:
            for chunk in [chunk for chunk in routine.chunks if Gather in chunk.kinds]:
                for step in chunk.steps:
                    if isinstance(step, Gather):
                        self._add(routine, step)

    def call(self, routine: Routine, step: Gather) -> tuple[str, tuple[str, ...]]:
        """Return the function that makes a step, and which of `passed` and `c` it reads."""
        body = self._body(routine, step)
        return self._names[body], _read(body)

    def _add(self, routine: Routine, step: Gather) -> None:
        body, scope = self._body(routine, step), self._scope
        if body not in self._names:
            self._names[body] = name = f"{scope.shared}fill_{len(self._names)}"
            head = f"void {name}(" if scope.shared else f"static void {name}("
            real = f"{scope.prefix}_real"
            types = {"passed": f"const {real} *", "c": f"const {scope.prefix}_constants *"}
            given = [*(f"{types[read]}{read}" for read in _read(body)), f"{real} *a"]
            title = f"Put {len(step.arguments)} arguments of a linear system into their places."
            self.functions.append(CFunction(title, declaration(head, given), body))

    def _body(self, routine: Routine, step: Gather) -> tuple[str, ...]:
        graph, places = self._schedule.program.graph, make_places(self._schedule, routine, self._scope)
        args = graph.args[places.systems[step.system].node]
        names = dict(places.constants)
        waiting = {one.node: one.place for one in (routine.before[-1].kept if routine.before else ())}
        names |= {node: f"passed[{place}]" for node, place in waiting.items()}
        printer, text, first = Printer(graph, names, self._used), Text(), step.arguments[0]
        values = {k: args[k] for k in step.arguments}
        zeros = [k for k, node in values.items() if node == graph.zero]
        count = step.arguments[-1] - first + 1
        if are_cleared(4 * len(zeros), count):
            self._used.add("clear_reals")
            text.add(f"    clear_reals({count}, a);")
            values = {k: node for k, node in values.items() if node != graph.zero}
        for k, count in _runs({k: waiting[node] for k, node in values.items() if node in waiting}):
            self._used.add("copy_reals")
            text.add(f"    copy_reals({count}, &passed[{waiting[values[k]]}], &a[{k - first}]);")
            values = {other: node for other, node in values.items() if not k <= other < k + count}
        for k, node in values.items():
            text.state(f"    a[{k - first}] = {printer.text(node)};")
        return text.finished()


def _runs(places: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return where arguments begin whose values wait side by side in their order, and how many they are."""
    firsts = [k for k in places if places.get(k - 1) != places[k] - 1]
    runs = [(k, next(n for n in itertools.count(1) if places.get(k + n) != places[k] + n)) for k in firsts]
    return [run for run in runs if run[1] >= _RUN]


def _read(body: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments that a text reads."""
    return tuple(name for name, member in (("passed", "passed["), ("c", "c->")) if any(member in line for line in body))
