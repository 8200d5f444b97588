"""Systems in a fixed order of their pivots -> the text of their C functions."""

from __future__ import annotations

from collections import Counter

from eomc.backends.c99.code_views import CFunction
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.layout import Text, declaration
from eomc.backends.c99.scope import Scope
from eomc.ir.graph import Node
from eomc.ir.ops import Op
from eomc.ir.systems import SystemSpec
from eomc.passes.steps import Schedule
from eomc.passes.written_out import GROWTH, PIVOT, REDUCED, ROUNDINGS, FixedOrder


class FixedOrders:
    """The functions of a program's systems that are written out; systems that are alike share one.

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
        self._names: dict[int, str] = {}  # by the identity of what is written out
        self.functions: list[CFunction] = []
        graph, known = schedule.program.graph, dict[tuple[str, ...], str]()
        for routine in schedule.all_routines:
            for place in routine.systems:
                for fixed, kind in ((place.fixed, "order"), (place.multipliers, "multipliers")):
                    if fixed is None or id(fixed) in self._names:
                        continue
                    spec = graph.system_of(place.node)
                    body = _body(fixed, scope, used)
                    if body not in known:
                        number = sum(name.startswith(f"{scope.shared}fixed_{kind}") for name in known.values())
                        known[body] = f"{scope.shared}fixed_{kind}_{number}"
                        self.functions.append(_function(fixed, spec, known[body], scope, body))
                    self._names[id(fixed)] = known[body]

    def name_of(self, fixed: FixedOrder | None) -> str:
        """Return the function of what is written out; "" for none."""
        return self._names[id(fixed)] if fixed else ""


def _function(fixed: FixedOrder, spec: SystemSpec, name: str, scope: Scope, body: tuple[str, ...]) -> CFunction:
    real = f"{scope.prefix}_real"
    kind = "void" if fixed.first else "bool"
    head = f"{kind} {name}(" if scope.shared else f"static {kind} {name}("
    order = ", ".join(f"{spec.labels[unknown]} by {spec.labels[spec.n + row]}" for row, unknown in fixed.pivots)
    title = (
        f"The kernel's solution where a fixed order serves, {order}; else false, and b is untouched. It serves where "
        f"the sizes of the terms of a pivot of J are less than {PIVOT} times the pivot, what the dependent unknowns "
        f"miss is at most {ROUNDINGS} epsilons of its terms, the inertia that one of them adds to an independent one "
        f"is at most {GROWTH} times that one's own, and the sizes of which a pivot of the rest is made are less than "
        f"{REDUCED} times the pivot."
    )
    if fixed.first:
        title = f"The multipliers of a solution in a fixed order, {order}."
    return CFunction(title, declaration(head, [f"const {real} *a", f"{real} *b"]), body)


def named_values(fixed: FixedOrder) -> list[Node]:
    """Return the values that get a name of their own, in order."""
    graph, live, known = fixed.graph, fixed.live, dict(fixed.names)
    times = Counter(arg for node in live for arg in graph.args[node])
    asked = {condition for group in fixed.conditions for condition in group}
    shared = [
        node
        for node in live
        if graph.args[node] and node not in asked and (times[node] > 1 or graph.ops[node] is Op.POWI)
    ]
    return sorted({*shared, *(node for node in fixed.solution if node not in known)})


def _body(fixed: FixedOrder, scope: Scope, used: set[str]) -> tuple[str, ...]:
    graph, names = fixed.graph, dict(fixed.names)
    printer, text = Printer(graph, names, used), Text()
    named = named_values(fixed)
    if not fixed.first:
        used |= {"RARELY", "bool"}
    done = 0
    for group in (*fixed.conditions, ()):
        while done < len(named) and (not group or named[done] < max(group)):
            names[named[done]] = f"z{done}"
            text.state(f"    const {scope.prefix}_real z{done} = {printer.definition(named[done])};")
            done += 1
        if group:
            tests = " || ".join(f"!{printer.condition(condition)}" for condition in group)
            text.part()
            text.state(f"    if (REAL_RARELY({tests})) {{")
            text.add("        return false;", "    }", "")
    text.part()
    for place, result in enumerate(fixed.solution, start=fixed.first):
        text.state(f"    b[{place}] = {printer.text(result)};")
    if not fixed.first:
        text.add("    return true;")
    return text.finished()
