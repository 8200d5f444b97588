"""The order of evaluation: block by block, arguments first, depth first, without recursion.

Depth first keeps values short-lived. A check comes just before the first node that it guards; an argument of a linear
system is put into its place as soon as it is known, and zeros before all others where they are many; the cosine of an
angle follows its sine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from eomc.errors import VerificationError
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check
from eomc.ir.systems import SystemSpec
from eomc.passes.steps import Clear, Fill, Heading, Solve

__all__ = ["Event", "are_cleared", "find_partners", "order"]

# By names of their own: looking up a member of an enumeration takes long.
_SOLVE, _CONSTANT, _SYMBOL = Op.SOLVE, Op.CONSTANT, Op.SYMBOL

_FEW = 24  # zeros that are put into their places one by one

Event: TypeAlias = Node | Heading | Check | Clear | Fill | Solve
"""A node stands for its evaluation."""


def are_cleared(zeros: int, places: int) -> bool:
    """Whether so many zeros are put into their places at once, before what else belongs there."""
    return zeros > max(_FEW, places // 2)


def find_partners(graph: Graph, sines: Iterable[Node], cosines: Iterable[Node]) -> dict[Node, Node]:
    """Return sine -> cosine and cosine -> sine for arguments that need both."""
    sine_of = {graph.args[node][0]: node for node in sines}
    cosine_of = {graph.args[node][0]: node for node in cosines}
    partners: dict[Node, Node] = {}
    for angle in sine_of.keys() & cosine_of.keys():
        partners[sine_of[angle]] = cosine_of[angle]
        partners[cosine_of[angle]] = sine_of[angle]
    return partners


def order(
    graph: Graph,
    live: set[Node],
    stop: frozenset[Node],
    blocks: Sequence[Block],
    outputs: Sequence[Node],
    checks: Mapping[Node, Sequence[Check]],
    systems: Mapping[Node, int],
    partners: Mapping[Node, Node],
    alone: Sequence[Check] = (),
) -> list[Event]:
    """Return what happens, in order.

    Parameters
    ----------
    live
        All nodes that are needed; anything else in a block is left out.
    stop
        Nodes that are given: read from the constants.
    checks
        Checks by the node that they guard.
    systems
        Number of every live SOLVE node.
    partners
        Nodes that are evaluated one after the other.
    alone
        Checks to be made although their nodes are evaluated elsewhere.

    Raises
    ------
    VerificationError
        A check's condition needs the node that it guards.
    """
    given = {node for node in live if node in stop or not graph.args[node]}
    walk = _Walk(graph, given, checks, systems, partners)
    for block in blocks:
        entries = [node for _, node in block.entries if node in live]
        before = len(walk.events)
        for node in entries:
            walk.visit(node)
        if len(walk.events) > before:
            walk.events.insert(before, Heading(block.title))
    before = len(walk.events)
    for node in outputs:
        walk.visit(node)
    for check in alone:
        walk.test(check)
    if blocks and len(walk.events) > before:
        walk.events.insert(before, Heading(""))
    return walk.events


class _Walk:
    """Depth-first walk that keeps what it has already met."""

    def __init__(
        self,
        graph: Graph,
        given: set[Node],
        checks: Mapping[Node, Sequence[Check]],
        systems: Mapping[Node, int],
        partners: Mapping[Node, Node],
    ) -> None:
        self._graph = graph
        self._given = given
        self._checks = checks
        self._systems = systems
        self._partners = partners
        self._met = given.difference(checks)
        self._tested: set[Node] = set()  # conditions: one test serves all that divide by a pivot
        self.events: list[Event] = []

    def visit(self, root: Node) -> None:
        """Bring about `root` and all that it needs."""
        tasks: list[Node | Event] = [root]  # n: visit node n; ~n: node n is known; or an event to record
        ops, args, met, given, checks = self._graph.ops, self._graph.args, self._met, self._given, self._checks
        checked: set[Node] = set()  # nodes whose checks are on their way
        while tasks:
            task = tasks.pop()
            if not isinstance(task, int):
                self.events.append(task)
            elif task < 0:
                checked.discard(~task)
                if ~task not in given:
                    self._finish(~task)
            elif task not in met:
                met.add(task)
                tasks.append(~task)
                if task in checks:
                    checked.add(task)
                    for check in reversed(checks[task]):
                        if check.condition not in self._tested:
                            self._tested.add(check.condition)
                            tasks += check, check.condition
                if task in given:
                    continue
                if ops[task] is _SOLVE:
                    tasks += self._arguments(task)
                else:
                    tasks += args[task][::-1]
            elif task in checked:
                raise VerificationError(f"a check on node {task} needs what it guards: they go in a circle")

    def _arguments(self, node: Node) -> list[Node | Event]:
        """Return what puts the arguments of a linear system into their places, last first."""
        graph, system = self._graph, self._systems[node]
        args, zero, spec = graph.args[node], graph.zero, graph.data[node]
        assert isinstance(spec, SystemSpec)
        tasks: list[Node | Event] = []
        clears: list[Node | Event] = []
        for first, end in ((0, spec.matrix_entries), (spec.matrix_entries, len(args))):
            many = are_cleared(args[first:end].count(zero), end - first)
            if many:
                clears.append(Clear(system, first, end - first))
            for position in range(first, end):
                if not (many and args[position] == zero):
                    tasks += args[position], Fill(system, position, args[position])
        return [*reversed(tasks), *reversed(clears)]

    def test(self, check: Check) -> None:
        """Make a check, unless the same has been made."""
        if check.condition not in self._tested:
            self._tested.add(check.condition)
            self.visit(check.condition)
            self.events.append(check)

    def _finish(self, node: Node) -> None:
        """Record that `node` is known, and with the sine of an angle its cosine."""
        self.events.append(Solve(self._systems[node]) if self._graph.ops[node] is _SOLVE else node)
        partner = self._partners.get(node)
        if partner is not None and partner not in self._met:
            self._met.add(partner)
            self.events.append(partner)
