"""Which nodes of branches side by side a function evaluates in loops.

Families (`passes/families.py`) are put into as few loops as there can be: one begins where values are needed that come
from outside, such as the motion of a body that carries all branches after their sum on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check, Siblings
from eomc.passes.families import Families
from eomc.passes.repeats import Common, Each, Operand, Own, Repeat, Statement

_ARITHMETIC = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.ABS})
_LEAST = 16
"""Operations that are worth a loop, of those that it spares where two branches share each of them.

Of these go what instances read one by one, which is put into arrays before the loop: a store and a load take about as
long as an operation."""

_MOST = 1000
"""Statements of one loop: gcc looks at no more places in memory at a time, and time grows with their square."""

_Kind: TypeAlias = tuple[int, bool]  # of a loop: its group of branches, and whether it is arithmetic


class Repeating:
    """Finds what functions evaluate side by side; asked again for the same nodes it remembers.

    Parameters
    ----------
    nodes
        What any function evaluates.
    siblings
        Branches that may correspond, each group by its leaves.
    checks
        Tests of what is divided by; those of what is in a loop are made after it.
    """

    def __init__(
        self, graph: Graph, nodes: Collection[Node], siblings: Sequence[Siblings], checks: Iterable[Check]
    ) -> None:
        self._graph = graph
        self._nodes = nodes
        self._siblings = siblings
        self._tested: dict[Node, list[Node]] = defaultdict(list)
        for check in checks:
            self._tested[check.node].append(check.condition)
        self._known: dict[frozenset[Node], tuple[Repeat, ...]] = {}

    @cached_property
    def _families(self) -> Families:
        return Families(self._graph, self._nodes, self._siblings)

    def __call__(self, evaluated: Collection[Node]) -> tuple[Repeat, ...]:
        """Return the repeats among what a function evaluates, nothing twice."""
        if not self._siblings:
            return ()
        key = frozenset(evaluated)
        if key not in self._known:
            self._known[key] = _Loops(self._families, key, self._tested).repeats()
        return self._known[key]

    def spared(self, nodes: Collection[Node]) -> int:
        """Return how many of the nodes are evaluated by statements of others."""
        return sum((one.count - 1) * len(one.statements) for one in self(nodes))

    def fewest(self, nodes: Collection[Node]) -> int:
        """Return as how many statements the nodes are written at least."""
        whole = self._families.whole(nodes) if self._siblings else ()
        return len(nodes) - sum(len(self._families.members[one]) - 1 for one in whole)

    def are_more(self, nodes: Collection[Node], limit: int) -> bool:
        """Whether the nodes are written as more statements; loops are looked for where families do not tell."""
        if len(nodes) <= limit or self.fewest(nodes) > limit:
            return len(nodes) > limit
        return len(nodes) - self.spared(nodes) > limit


def _parts(items: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield families in parts of about equal length, none too long for one loop."""
    count = -(-len(items) // _MOST)
    for part in range(count):
        yield items[part * len(items) // count : (part + 1) * len(items) // count]


class _Loops:
    """The loops that families are put into.

    An item is a family, or a node that stands alone. Stages count how often values go from items of one kind to those
    of another; what is of one kind in one stage needs nothing that is made of it elsewhere.
    """

    def __init__(self, families: Families, evaluated: Collection[Node], tested: Mapping[Node, Sequence[Node]]) -> None:
        self._families = families
        self._tested = tested
        self._items: list[tuple[Node, ...]] = []
        self._kinds: list[_Kind | None] = []
        self._item_of: dict[Node, int] = {}
        graph, item_of = families.graph, self._item_of
        inner = [node for node in sorted(evaluated) if graph.args[node]]
        whole = set(families.whole(inner))
        for node in inner:
            if node not in item_of:
                family = families.of(node)
                nodes: tuple[Node, ...] = (node,)
                kind: _Kind | None = None
                if family in whole:
                    nodes, kind = families.members[family], (families.group[family], graph.ops[node] in _ARITHMETIC)
                item_of.update(dict.fromkeys(nodes, len(self._items)))
                self._items.append(nodes)
                self._kinds.append(kind)
        self._needs = [self._read(item) for item in range(len(self._items))]

    def repeats(self) -> tuple[Repeat, ...]:
        """Return the loops; what is little stands alone, and what it needs is asked anew."""
        while True:
            order = self._ordered()
            if len(order) < len(self._items):
                return ()  # a test of one branch asks for what another one needs
            loops = self._grouped(order)
            little = [item for kind, items in loops if self._gain(kind, items) < _LEAST for item in items]
            if not little:
                cut = [(kind, part) for kind, items in loops for part in _parts(items)]
                return tuple(self._repeat(group, arithmetic, items) for (group, arithmetic), items in cut)
            for item in little:
                self._kinds[item] = None
                self._needs[item] = self._read(item)

    def _gain(self, kind: _Kind, items: Sequence[int]) -> int:
        """Return the operations that a loop spares; one of functions costs nothing, as each is a call anyway."""
        group, arithmetic = kind
        count = len(self._families.siblings[group].names)
        if not arithmetic:
            return _LEAST
        families, own = self._families, set(items)
        args = families.graph.args
        read = {arg for item in items for arg in args[self._items[item][0]] if families.of(arg) is not None}
        alone = [arg for arg in read if self._item_of.get(arg) not in own and not self._is_in_array(arg)]
        return len(items) * (count - (count + 1) // 2) - len(alone) * count

    def _is_in_array(self, node: Node) -> bool:
        """Whether what corresponds to a node is a table, or left in an array by another loop."""
        item = self._item_of.get(node)
        return self._families.graph.ops[node] is Op.CONSTANT if item is None else self._kinds[item] is not None

    def _grouped(self, order: Sequence[int]) -> list[tuple[_Kind, list[int]]]:
        """Return the families of each loop, with the kind of the loop."""
        stages = self._stages(order)
        loops: dict[tuple[int, _Kind], list[int]] = defaultdict(list)
        for item in order:
            kind = self._kinds[item]
            if kind is not None:
                loops[stages[item], kind].append(item)
        return [(kind, items) for (_, kind), items in sorted(loops.items())]

    def _read(self, item: int) -> list[int]:
        """Return the items that one reads: where members of a family read others, these are of one item each."""
        args, item_of, nodes = self._families.graph.args, self._item_of, self._items[item]
        if self._kinds[item] is not None:
            read = args[nodes[0]]
        else:
            read = tuple([arg for node in nodes for arg in (*args[node], *self._tested.get(node, ()))])
        return sorted({item_of[arg] for arg in read if arg in item_of})

    def _ordered(self) -> list[int]:
        """Return the items in an order of evaluation."""
        readers: list[list[int]] = [[] for _ in self._items]
        missing = [len(needs) for needs in self._needs]
        for item, needs in enumerate(self._needs):
            for one in needs:
                readers[one].append(item)
        found = [item for item, count in enumerate(missing) if count == 0]
        for item in found:
            for reader in readers[item]:
                missing[reader] -= 1
                if missing[reader] == 0:
                    found.append(reader)
        return found

    def _stages(self, order: Sequence[int]) -> list[int]:
        """Return the stage of each item: the last in which it can be, which gathers what is needed once.

        An item comes a stage after what it reads of another kind.
        """
        kinds, needs = self._kinds, self._needs
        first = [0] * len(kinds)
        for item in order:
            kind = kinds[item]
            first[item] = max([first[one] + (kinds[one] != kind) for one in needs[item]], default=0)
        stages = [max(first, default=0)] * len(kinds)
        for item in reversed(order):
            kind, stage = kinds[item], stages[item]
            for one in needs[item]:
                last = stage - (kinds[one] != kind)
                if last < stages[one]:
                    stages[one] = last
        return stages

    def _repeat(self, group: int, arithmetic: bool, items: Sequence[int]) -> Repeat:
        """Return families of one stage as a repeat."""
        families, item_of, args = self._families, self._item_of, self._families.graph.args
        number = {item: k for k, item in enumerate(items)}
        statements = []
        for item in items:
            members, operands = self._items[item], list[Operand]()
            for arg in args[members[0]]:
                known = number.get(item_of.get(arg, -1))
                family = families.of(arg)
                if known is not None:
                    operands.append(Own(known))
                elif family is not None:
                    operands.append(Each(families.members[family]))
                else:
                    operands.append(Common(arg))
            statements.append(Statement(members, tuple(operands)))
        return Repeat(families.siblings[group].names, tuple(statements), arithmetic)
