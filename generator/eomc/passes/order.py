"""The order of evaluation: block by block, arguments first, depth first, without recursion.

Depth first keeps values short-lived. A check comes just before the first node that it guards; an argument of a linear
system is put into its place as soon as it is known, and zeros before all others where they are many; the cosine of an
angle follows its sine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import TypeAlias

from eomc.errors import VerificationError
from eomc.ir.graph import Graph, Node
from eomc.ir.program import Block, Check
from eomc.passes.repeats import Repeat
from eomc.passes.steps import Clear, Fill, Gather, Heading, Multipliers, Solve

_FEW = 24  # zeros that are put into their places one by one

Event: TypeAlias = Node | Repeat | Heading | Check | Clear | Fill | Gather | Solve | Multipliers
"""A node stands for its evaluation."""


def are_cleared(zeros: int, places: int) -> bool:
    """Whether so many zeros are put into their places at once, before what else belongs there."""
    return zeros > max(_FEW, places // 2)


def find_partners(graph: Graph, sines: Iterable[Node], cosines: Iterable[Node]) -> dict[Node, Node]:
    """Return sine -> cosine and cosine -> sine for arguments that need both."""
    sine_of = {graph.args[node][0]: node for node in sines}
    cosine_of = {graph.args[node][0]: node for node in cosines}
    pairs = [(sine_of[angle], cosine_of[angle]) for angle in sine_of.keys() & cosine_of.keys()]
    return {**dict(pairs), **{cosine: sine for sine, cosine in pairs}}


def order(
    graph: Graph,
    live: Set[Node],
    given: Set[Node],
    blocks: Sequence[Block],
    outputs: Sequence[Node],
    checks: Mapping[Node, Sequence[Check]],
    systems: Mapping[Node, int],
    partners: Mapping[Node, Node],
    alone: Sequence[Check] = (),
    late: Mapping[Node, int] = MappingProxyType({}),
    gathered: Mapping[Node, Sequence[tuple[int, ...]]] = MappingProxyType({}),
    repeats: Sequence[Repeat] = (),
) -> list[Event]:
    """Return what happens, in order.

    Parameters
    ----------
    live
        All nodes that are needed; anything else in a block is left out.
    given
        Those that are not evaluated: leaves, what is read from the constants, what others have evaluated.
    checks
        Checks by the node that they guard.
    systems
        Number of every live SOLVE node.
    partners
        Nodes that are evaluated one after the other.
    alone
        Checks to be made although their nodes are evaluated elsewhere.
    late
        Multipliers that are found by a step of their own, and the numbers of their systems.
    gathered
        Arguments of SOLVE nodes that are put into their places together.
    repeats
        Nodes that are evaluated together. Checks of theirs come after them: what was divided is looked at then, or
        once their conditions are known, which other repeats may have to make; those of instances in a row are left to
        these.

    Raises
    ------
    VerificationError
        A check's condition needs the node that it guards, or a repeat what is made of it.
    """
    walk = _Walk(graph, given, checks, systems, partners, late, gathered, repeats)
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
        given: Set[Node],
        checks: Mapping[Node, Sequence[Check]],
        systems: Mapping[Node, int],
        partners: Mapping[Node, Node],
        late: Mapping[Node, int],
        gathered: Mapping[Node, Sequence[tuple[int, ...]]],
        repeats: Sequence[Repeat],
    ) -> None:
        self._graph = graph
        self._given = given
        self._checks = checks
        self._systems = systems
        self._partners = partners
        self._late = late
        self._gathered = gathered
        self._repeats = repeats
        self._repeat_of = {node: number for number, repeat in enumerate(repeats) for node in repeat.nodes()}
        self._repeated: set[int] = set()  # repeats that are done
        self._finished: set[int] = set()  # systems whose multipliers were found
        self._special = {*self._repeat_of, *checks, *systems}  # what needs more than its arguments
        self._followed = {*self._repeat_of, *late, *systems, *partners}  # after which more happens than its evaluation
        self._met = set(given).difference(checks)
        self._tested: set[Node] = set()  # conditions: one test serves all that divide by a pivot
        self._under_way: set[Node] = set()  # nodes whose checks are being made
        self._path: list[Node] = []  # each is needed by the one before it
        self._postponed: list[Check] = []  # of loops that are done; their conditions need what is under way
        self.events: list[Event] = []

    def visit(self, root: Node) -> None:
        """Bring about `root` and all that it needs, and the tests that have waited for it."""
        if root not in self._met:
            self._descend(root)
        while self._postponed:
            for node in self._tests(()):
                self._descend(node)

    def _descend(self, root: Node) -> None:
        """Bring about `root` and all that it needs."""
        args, met, events, path = self._graph.args, self._met, self.events, self._path
        special, followed, given, under_way = self._special, self._followed, self._given, self._under_way
        missing: list[Iterator[Node]] = [iter((root,))]  # the root, and what each on the path needs besides
        while True:
            for node in missing[-1]:
                if node not in met:
                    met.add(node)
                    needed = args[node]
                    if node in special:
                        missing.append(self._needs(node))
                    elif not met.issuperset(needed) or (under_way and not under_way.isdisjoint(needed)):
                        missing.append(iter(needed))
                    elif node in followed:
                        self._evaluate(node)
                        continue
                    else:
                        events.append(node)
                        continue
                    path.append(node)
                    break
                if node in under_way:
                    raise _circle(node)
            else:
                missing.pop()
                if not missing:
                    return
                node = path.pop()
                if node in self._repeat_of:
                    repeat = self._repeat_of[node]
                    if repeat not in self._repeated:
                        self._repeated.add(repeat)
                        events.append(self._repeats[repeat])
                        path.append(node)
                        missing.append(self._tested_after(self._repeats[repeat]))
                elif node in followed:
                    self._evaluate(node)
                elif node not in given:
                    events.append(node)

    def _evaluate(self, node: Node) -> None:
        """Evaluate a node that more goes with than itself."""
        if node in self._late:
            self._finish(self._late[node])
        self.events.append(Solve(self._systems[node]) if node in self._systems else node)
        partner = self._partners.get(node)  # with the sine of an angle its cosine
        if partner is not None and partner not in self._met:
            self._met.add(partner)
            self.events.append(partner)

    def _needs(self, node: Node) -> Iterator[Node]:
        """Return what a special node needs."""
        repeat = self._repeat_of.get(node)
        return self._needs_of_node(node) if repeat is None else self._needs_of_repeat(self._repeats[repeat])

    def _needs_of_node(self, node: Node) -> Iterator[Node]:
        """Yield what a system or a node with checks needs, and record what happens to it meanwhile."""
        self._under_way.add(node)
        if node in self._systems:
            yield from self._filled(node)
        elif node not in self._given:
            yield from self._graph.args[node]
        for check in self._checks.get(node, ()):  # what the node needs may have been divided by the same pivot
            if check.condition not in self._tested:
                if check.condition in self._path:
                    raise _circle(node)
                yield check.condition
                self._record(check)
        self._under_way.discard(node)

    def _needs_of_repeat(self, repeat: Repeat) -> Iterator[Node]:
        """Yield what has to be known before a loop."""
        nodes = set(repeat.nodes())
        self._met |= nodes
        self._under_way |= nodes
        yield from repeat.read()
        self._under_way -= nodes

    def _tested_after(self, repeat: Repeat) -> Iterator[Node]:
        """Yield what is looked at after a loop: pivots by which it has divided, in the order of their numbers."""
        checks = [check for node in repeat.nodes() for check in self._checks.get(node, ())]
        if repeat.in_a_row:  # each instance makes its own
            self._tested.update(check.condition for check in checks)
        return self._tests(checks)

    def _tests(self, checks: Iterable[Check]) -> Iterator[Node]:
        """Yield the conditions of tests, also of postponed ones; what needs a node that is under way waits for it."""
        waiting = sorted([*self._postponed, *checks], key=lambda check: check.index)
        self._postponed = []
        for check in waiting:
            if check.condition in self._tested:
                continue
            if self._waits(check.condition):
                self._postponed.append(check)
            else:
                yield check.condition
                self._record(check)

    def _waits(self, node: Node) -> bool:
        """Whether a node needs one that is under way, such as what a loop reads that takes up another loop."""
        busy = self._under_way.union(self._path)
        seen: set[Node] = set()
        waiting = [node]
        while waiting:
            one = waiting.pop()
            if one in busy:
                return True
            if one in seen or one in self._met:
                continue
            seen.add(one)
            waiting += self._graph.args[one]
            waiting += [check.condition for check in self._checks.get(one, ()) if check.condition not in self._tested]
            if one in self._repeat_of:
                waiting += self._repeats[self._repeat_of[one]].read()
        return False

    def _filled(self, node: Node) -> Iterator[Node]:
        """Yield the arguments of a linear system, each to be put into its place as soon as it is known."""
        graph, system, events = self._graph, self._systems[node], self.events
        args, zero, spec = graph.args[node], graph.zero, graph.system_of(node)
        groups = self._gathered.get(node, ())
        done = {position for group in groups for position in group}
        parts = [range(spec.matrix_entries), range(spec.matrix_entries, len(args))]
        zeros = {k for k in range(len(args)) if args[k] == zero} - done
        cleared = [part for part in parts if are_cleared(len(zeros.intersection(part)), len(part))]
        events += [Clear(system, part.start, len(part)) for part in cleared]
        events += [Gather(system, group) for group in groups]
        for part in parts:
            for position in part:
                if position not in done and (part not in cleared or position not in zeros):
                    yield args[position]
                    events.append(Fill(system, position, args[position]))

    def _finish(self, system: int) -> None:
        """Find the multipliers of a system, once."""
        if system not in self._finished:
            self._finished.add(system)
            self.events.append(Multipliers(system))

    def test(self, check: Check) -> None:
        """Make a check, unless the same has been made."""
        if check.condition not in self._tested:
            self.visit(check.condition)
            self._record(check)

    def _record(self, check: Check) -> None:
        self._tested.add(check.condition)
        self.events.append(check)


def _circle(node: Node) -> VerificationError:
    return VerificationError(f"a check on node {node} needs what it guards: they go in a circle")
