"""Loop -> C: what its instances read one by one in arrays before it, then the loop with one instance's statements.

The count is a literal, and what a loop reads and writes is local or lies in the storage at a known distance, so that
compilers need no check to make vectors of it. Numbers stand in a table; a value that the next instance reads is carried
by a local variable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.backends.c99.around import Around
from eomc.backends.c99.cores import CORES, TURNS, Cores
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.layout import Text
from eomc.backends.c99.places import Places
from eomc.backends.c99.spelling import literal
from eomc.ir.graph import Node
from eomc.ir.ops import Op
from eomc.passes.repeats import Before, Body, Common, Each
from eomc.passes.steps import Elements, Loop

_TOLD = 8
"""Instances that a comment lists; of more the first and the last."""


class LoopPrinter:
    """Prints the loops of one chunk: arrays that several of them read stand before the first.

    Parameters
    ----------
    around
        What the loops have around them.
    names
        Text of what the chunk reads and computes.
    """

    def __init__(self, around: Around, names: Mapping[Node, str]) -> None:
        self._around = around
        self._places = around.places
        self._names = names
        self._arrays: dict[tuple[Node, ...], str] = {}
        self._locals: dict[Node, str] = {}
        self._of = {one.nodes: one for one in around.places.elements}

    def print(self, loop: Loop, text: Text) -> None:
        """Add the lines of a loop."""
        repeat, places = loop.repeat, self._places
        body, real = loop.body, places.real
        text.part()
        text.head(f"{told(repeat.instances)} side by side")
        names, carried = self._outside(body, text)
        for k in loop.kept:
            one = self._of[repeat.statements[k].nodes]
            if one.place < 0:
                text.add(f"    {real} {places.element(one, f'{repeat.count}')};")
        cores = Cores(body.graph, (body.nodes[k] for k in loop.named), self._around.used)
        fast = self._statements(loop, body, dict(names), cores) if self._has_cores(loop, body) else []
        if not fast:
            lines = self._statements(loop, body, names, None)
            lines += [f"        {name} = {names[body.nodes[one.statement]]};" for name, one in carried]
            self._loop(repeat.count, lines, text)
        else:
            self._ranged(repeat.count, [*cores.ranges], fast, self._statements(loop, body, names, None), text)

    def _has_cores(self, loop: Loop, body: Body) -> bool:
        """Whether a loop calls nothing but functions of which compilers make vectors, and time counts before bytes."""
        places, ops = self._places, [body.graph.ops[body.nodes[k]] for k in loop.named]
        return places.scope.pairs and not places.small and all(op in CORES and CORES[op].core for op in ops)

    def _loop(self, count: int, lines: Sequence[str], text: Text, indent: str = "") -> None:
        """Add a loop."""
        if not indent:
            text.part()
        text.add(f"{indent}    for (int lane = 0; lane < {count}; ++lane) {{")
        for line in lines:
            text.state(f"{indent}{line}")
        text.add(f"{indent}    }}", *([] if indent else [""]))

    def _ranged(self, count: int, ranges: Sequence[str], fast: Sequence[str], plain: Sequence[str], text: Text) -> None:
        """Add a loop of functions without branches, and the same without limits where an argument is beyond theirs."""
        if not ranges:
            self._loop(count, fast, text)
            return
        text.add("", "    {", "        real_near in_range = ~(real_near)0;", "")
        self._loop(count, [*(f"    {line}" for line in ranges), *fast], text, "    ")
        text.add("        if (REAL_RARELY(!real_all_near(in_range))) { /* other arguments take longer */")
        self._around.used.add("RARELY")
        self._loop(count, plain, text, "        ")
        text.add("        }", "    }", "")

    def _statements(self, loop: Loop, body: Body, names: dict[Node, str], cores: Cores | None) -> list[str]:
        """Return the statements of an instance; names of what they compute are added."""
        places, printer = self._places, Printer(body.graph, names, self._around.used)
        lines: list[str] = []
        kept = set(loop.kept)
        both: dict[tuple[Node, ...], str] = {}  # what holds sine and cosine, by the angle
        for k in loop.named:
            node, nodes = body.nodes[k], loop.repeat.statements[k].nodes
            if cores is not None:
                definition = cores.call(node, printer)
            elif places.scope.pairs and body.graph.ops[node] in TURNS:
                angle = body.graph.args[node]
                if angle not in both:
                    both[angle] = self._around.new()
                    self._around.used.add("sincos")
                    call = f"real_sincos({printer.text(angle[0])})"
                    lines.append(f"        const real_sine_cosine {both[angle]} = {call};")
                definition = f"{both[angle]}.{TURNS[body.graph.ops[node]]}"
            else:
                definition = printer.definition(node)
            if k in kept:
                names[node] = _at(places, self._of[nodes], 0)
                lines.append(f"        {names[node]} = {definition};")
            else:
                names[node] = places.temporaries[nodes[0]]
                lines.append(f"        const {places.real} {names[node]} = {definition};")
        return lines

    def _outside(self, body: Body, text: Text) -> tuple[dict[Node, str], list[tuple[str, Before]]]:
        """Declare what is known before the loop; return the names of it, and what is carried."""
        found: dict[Node, str] = {}
        carried: list[tuple[str, Before]] = []
        for leaf, operand in body.outside.items():
            if isinstance(operand, Common):
                found[leaf] = self._common(operand.node, text)
            elif isinstance(operand, Each):
                found[leaf] = self._each(operand.nodes, text)
            else:
                assert isinstance(operand, Before)
                found[leaf] = self._around.new()
                text.state(f"    {self._places.real} {found[leaf]} = {self._around.text(operand.first)};")
                carried.append((found[leaf], operand))
        return found, carried

    def _common(self, node: Node, text: Text) -> str:
        """Return a value that all instances read: what is in memory is read before the loop."""
        if node not in self._locals:
            name = self._names[node]
            if not name.isidentifier():
                local = self._around.new()
                text.state(f"    const {self._places.real} {local} = {name};")
                name = local
            self._locals[node] = name
        return self._locals[node]

    def _each(self, nodes: tuple[Node, ...], text: Text) -> str:
        """Return what an instance reads of its own."""
        graph, real = self._places.graph, self._places.real
        there = self._left_by_loop(nodes)
        if there:
            return there
        numbers = all(graph.ops[node] is Op.CONSTANT for node in nodes)
        entries = [literal(graph.data[node]) if numbers else self._around.text(node) for node in nodes]
        if numbers and len(set(entries)) == 1:
            return entries[0]
        if nodes not in self._arrays:
            name = self._arrays[nodes] = self._around.new()
            kind = "static const" if numbers else "const"
            text.state(f"    {kind} {real} {name}[{len(nodes)}] = {{{', '.join(entries)}}};")
        return f"{self._arrays[nodes]}[lane]"

    def _left_by_loop(self, nodes: Sequence[Node]) -> str:
        """Return where a loop has left values in this order, shifted or reversed; "" where none has."""
        found = [self._around.left.get(node) for node in nodes]
        first, *others = found
        if first is None or any(one is None or one[0] is not first[0] for one in others):
            return ""
        at = [one[1] for one in found if one is not None]
        step = at[1] - at[0] if len(at) > 1 else 1
        if step not in (1, -1) or at != list(range(at[0], at[0] + step * len(at), step)):
            return ""
        return _at(self._places, first[0], at[0], step)


def _at(places: Places, one: Elements, start: int, step: int = 1) -> str:
    """Return the element that an instance reads or writes, the first being at `start`."""
    first = max(one.place, 0) + start
    if step < 0:
        return places.element(one, f"{first} - lane")
    return places.element(one, f"{first} + lane" if first else "lane")


def told(instances: Sequence[str]) -> str:
    """Return the instances of a loop in words."""
    if len(instances) > _TOLD:
        return f"{instances[0]} to {instances[-1]}, {len(instances)} of a kind"
    return f"{', '.join(instances[:-1])} and {instances[-1]}"
