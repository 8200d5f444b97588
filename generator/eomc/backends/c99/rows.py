"""Loops along joints in a row -> C: what an instance has of its own is found by its index.

States and inputs are found where they stand, numbers in a table with a line for each instance, what depends on
parameters in an array of the constants, what other loops have left in the work struct. What the next instance reads is
carried by a local variable, whose last value is read after the loop. The checks of an instance stand in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from eomc.backends.c99.around import Around
from eomc.backends.c99.destinations import Destinations
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.layout import Text, comment
from eomc.backends.c99.spelling import literal
from eomc.ir.graph import Constant, Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.loops import carried_of
from eomc.passes.repeats import Before, Body, Common, Each
from eomc.passes.steps import Loop, Outputs, Test

_WIDTH = 108  # columns of a table's lines


class RowPrinter:
    """Prints the loops of one chunk along joints in a row.

    Parameters
    ----------
    around
        What the loops have around them.

    Attributes
    ----------
    touched
        Arguments of the function that the loops read or write.
    """

    def __init__(self, around: Around) -> None:
        self._around = around
        self._places = around.places
        self.touched: set[str] = set()

    def print(self, loop: Loop, text: Text) -> None:
        """Add the lines of a loop."""
        repeat, places = loop.repeat, self._places
        body = loop.body
        text.part()
        text.head(_told(repeat.instances))
        numbers, common = _columns_of_numbers(places.graph, body)
        table = self._table(numbers, repeat.count, text) if numbers else ""
        names: dict[Node, str] = {}
        carried: list[tuple[str, int]] = []
        for one in carried_of(repeat):
            name = self._carrier(repeat.statements[one.statement].nodes[-1], carried)
            text.state(f"    {places.real} {name} = {self._around.text(one.first)};")
            carried.append((name, one.statement))
        by_operand = dict(zip(carried_of(repeat), carried, strict=True))
        text.part()
        text.add(f"    for (int i = 0; i < {repeat.count}; ++i) {{")
        uses, parted = _uses(body.graph), False
        for leaf, operand in body.outside.items():
            if isinstance(operand, Common):
                names[leaf] = self._around.text(operand.node)
            elif isinstance(operand, Before):
                names[leaf] = by_operand[operand][0]
            elif isinstance(operand, Each) and operand.nodes in common:
                names[leaf] = common[operand.nodes]
            elif isinstance(operand, Each) and operand.nodes in numbers:
                names[leaf] = f"{table}[i][{numbers.index(operand.nodes)}]" if len(numbers) > 1 else f"{table}[i]"
            else:
                assert isinstance(operand, Each)
                names[leaf] = self._each(operand, uses[leaf], text)
                parted = parted or uses[leaf] > 1
        if parted:
            text.part()
        self._statements(loop, body, names, text)
        for name, statement in carried:
            text.state(f"        {name} = {names[body.nodes[statement]]};")
        text.add("    }", "")

    def hand_out(self, step: Outputs, destinations: Destinations, text: Text) -> set[str]:
        """Add the lines of a loop that hands out results; return the arguments that it writes."""
        text.part()
        text.add(f"    for (int i = 0; i < {step.count}; ++i) {{")
        written: set[str] = set()
        for share in step.shares:
            argument, place = destinations(share.first)
            written.add(argument)
            value = self._indexed(share.nodes)
            text.state(f"        {_moved(place, share.step)} = {value};")
        text.add("    }", "")
        return written

    def _statements(self, loop: Loop, body: Body, names: dict[Node, str], text: Text) -> None:
        repeat, places = loop.repeat, self._places
        printer = Printer(body.graph, names, self._around.used)
        kept, tests = set(loop.kept), list(loop.tests)
        pairs = _pairs(body, loop.named) if places.scope.pairs else {}
        for number, k in enumerate(loop.named):
            while tests and tests[0].after == number:
                self._test(tests.pop(0), body, printer, text)
            node, nodes = body.nodes[k], repeat.statements[k].nodes
            name = places.temporaries[nodes[0]]
            if k in pairs:
                first, member = pairs[k]
                both = places.temporaries[repeat.statements[first].nodes[0]]
                if first == k:
                    self._around.used.add("sincos")
                    angle = printer.text(body.graph.args[node][0])
                    text.state(f"        const real_sine_cosine {both} = real_sincos({angle});")
                names[node] = f"{both}.{member}"
            else:
                self._around.used.add(places.real)
                text.state(f"        const {places.real} {name} = {printer.definition(node)};")
                names[node] = name
            if k in kept:
                text.state(f"        {self._indexed(nodes)} = {names[node]};")
        for test in tests:
            self._test(test, body, printer, text)

    def _test(self, test: Test, body: Body, printer: Printer, text: Text) -> None:
        """Add the check of an instance."""
        self._around.used.add("RARELY")
        self.touched.add(self._places.owner)
        first, second = test.checks[0].index, test.checks[1].index
        text.add(
            f"        if (REAL_RARELY(!{printer.condition(body.nodes[test.condition])})) {{"
            f" /* pivot of {comment(test.checks[0].label)} and so on */",
            f"            {self._places.failed} = {_affine(str(first), second - first)};",
            f"            return {self._places.scope.macro}_SINGULAR;",
            "        }",
        )

    def _carrier(self, node: Node, carried: Sequence[tuple[str, int]]) -> str:
        """Return the name of what carries a value on: another one where two begin differently."""
        name = self._places.temporaries[node]
        taken = {one for one, _ in carried}
        if name not in taken:
            return name
        return next(other for k in itertools.count(1) if (other := f"{name}_{k}") not in taken)

    def _each(self, operand: Each, uses: int, text: Text) -> str:
        """Return what an instance has of its own, by a name where it is read more than once."""
        value = self._indexed(operand.nodes)
        if uses <= 1:
            return value
        name = self._around.new()
        text.state(f"        const {self._places.real} {name} = {value};")
        return name

    def _indexed(self, nodes: Sequence[Node]) -> str:
        """Return where the instances find values of their own."""
        graph, scope = self._places.graph, self._places.scope
        if nodes[0] in self._around.left:
            one, first = self._around.left[nodes[0]]
            step = self._around.left[nodes[1]][1] - first
            self.touched.add(self._places.owner)
            return self._places.element(one, _affine(str(max(one.place, 0) + first), step))
        if nodes[0] in self._places.tables:
            table, place, distance = self._places.tables.find(tuple(nodes))
            self.touched.add("c")
            return f"c->{scope.tables[table]}[{_affine(str(place), distance)}]"
        first_symbol, second = graph.symbol_of(nodes[0]), graph.symbol_of(nodes[1])
        step = second.index - first_symbol.index
        if first_symbol.role is Role.STATE:
            self.touched.add("x")
            return f"x[{_affine(scope.enumerators[first_symbol.index], step)}]"
        if first_symbol.role is Role.ACCELERATION:
            self.touched.add("dv")
            return f"dv[{_affine(str(first_symbol.index), step)}]"
        if first_symbol.role is Role.PARAMETER:
            self.touched.add("p")
            self._around.used.add("parameter_at")
            return f"parameter_at(p, {_affine(str(first_symbol.index), step)})"
        assert first_symbol.role is Role.INPUT
        self.touched.add("r")
        self._around.used.add("input_at")
        return f"input_at(r, {_affine(str(first_symbol.index), step)})"

    def _table(self, columns: Sequence[tuple[Node, ...]], count: int, text: Text) -> str:
        """Declare a table of numbers with a line for each instance."""
        data = self._places.graph.data
        name = self._around.new()
        wide = f"[{len(columns)}]" if len(columns) > 1 else ""
        text.add(f"    static const {self._places.real} {name}[{count}]{wide} = {{")
        for i in range(count):
            entries = ", ".join(literal(_constant(data[column[i]])) for column in columns)
            line = f"{{{entries}}}" if len(columns) > 1 else entries
            text.add(*_wrapped(f"        {line}{'' if i == count - 1 else ','}"))
        text.add("    };")
        return name


def _constant(data: object) -> Constant:
    assert not isinstance(data, Symbol)
    return data  # type: ignore[return-value]  # of a node that is a number


def _wrapped(line: str) -> list[str]:
    lines: list[str] = []
    while len(line) > _WIDTH:
        place = line.rfind(", ", 0, _WIDTH) + 1
        lines.append(line[:place])
        line = "         " + line[place:].lstrip()
    return [*lines, line]


def _columns_of_numbers(graph: Graph, body: Body) -> tuple[list[tuple[Node, ...]], dict[tuple[Node, ...], str]]:
    """Return the numbers that instances have of their own, and those that are written alike in all of them."""
    own: list[tuple[Node, ...]] = []
    common: dict[tuple[Node, ...], str] = {}
    for one in body.outside.values():
        if isinstance(one, Each) and graph.ops[one.nodes[0]] is Op.CONSTANT:
            entries = {literal(_constant(graph.data[node])) for node in one.nodes}
            if len(entries) == 1:
                common[one.nodes] = entries.pop()
            else:
                own.append(one.nodes)
    return own, common


def _uses(graph: Graph) -> dict[Node, int]:
    """Return how often each node is read."""
    uses = dict.fromkeys(range(len(graph)), 0)
    for node in itertools.chain.from_iterable(graph.args):
        uses[node] += 1
    return uses


def _pairs(body: Body, named: Sequence[int]) -> dict[int, tuple[int, str]]:
    """Return the sines and cosines of one angle that follow each other: by the first of them, and as which member."""
    graph = body.graph
    members = {Op.SIN: "sin", Op.COS: "cos"}
    found: dict[int, tuple[int, str]] = {}
    for one, other in itertools.pairwise(named):
        ops = [graph.ops[body.nodes[k]] for k in (one, other)]
        if set(ops) == {Op.SIN, Op.COS} and graph.args[body.nodes[one]] == graph.args[body.nodes[other]]:
            found |= {one: (one, members[ops[0]]), other: (one, members[ops[1]])}
    return found


def _affine(first: str, step: int) -> str:
    """Return an index that grows by a step from instance to instance."""
    if step == 0:
        return first
    if first == "0" and step > 0:
        return "i" if step == 1 else f"{step} * i"
    factor = "i" if abs(step) == 1 else f"({abs(step)} * i)"
    return f"{first} {'+' if step > 0 else '-'} {factor}"


def _moved(text: str, step: int) -> str:
    """Return the place of the first result as that of each."""
    array, _, index = text[:-1].rpartition("[")
    return f"{array}[{_affine(index, step)}]"


def _told(instances: Sequence[str]) -> str:
    """Return in words which joints a loop goes along."""
    if not instances[0]:
        return f"{len(instances)} joints, or several at a time, in a row"
    return f"in a row: {instances[0]}, {instances[1]}, ..., {instances[-1]}"
