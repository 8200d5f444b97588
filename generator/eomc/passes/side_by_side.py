"""Which nodes are those of branches side by side: equal arrangements over leaves that correspond to each other.

A node belongs to a branch where all that it is made of belongs to that branch or to no branch. Nodes of different
branches with the same op over what corresponds are one family; a family without a member in every branch is none, and
neither is what is made of it alone. Families are put into as few loops as there can be: one begins where values are
needed that come from outside, such as the motion of a body that carries all branches after their sum on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import COMMUTATIVE, OPS, Kind, Op
from eomc.ir.program import Siblings
from eomc.passes.repeats import Common, Each, Operand, Own, Repeat, Statement

_ARITHMETIC = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.ABS})
_LEAST = 16
"""Statements that are worth a loop: it costs some, and arrays of what its instances read."""

_Key: TypeAlias = tuple[object, ...]


class _Member(NamedTuple):
    """Where a node stands: in a family of a group, in which branch of it."""

    group: int
    branch: int
    family: int


def find_side_by_side(graph: Graph, evaluated: Collection[Node], siblings: Sequence[Siblings]) -> tuple[Repeat, ...]:
    """Return what of a function's nodes is evaluated side by side, nothing twice.

    Parameters
    ----------
    evaluated
        What the function evaluates.
    siblings
        Branches that may correspond, each group by its leaves.
    """
    if not siblings:
        return ()
    families = _Families(graph, evaluated, siblings)
    return tuple(_Loops(families).repeats())


class _Families:
    """The families among what a function evaluates, and among what that is made of.

    Attributes
    ----------
    place
        Where each node that belongs to a branch stands.
    members
        Of each family, by branches.
    """

    def __init__(self, graph: Graph, evaluated: Collection[Node], siblings: Sequence[Siblings]) -> None:
        self.graph = graph
        self.siblings = siblings
        self.evaluated = frozenset(node for node in evaluated if graph.args[node])
        self._below = graph.reachable(evaluated)
        self.place: dict[Node, _Member] = {}
        self.members: list[dict[int, Node]] = []
        self._alone: set[Node] = set()  # members of families that are not complete
        while self._classify():
            pass

    def _classify(self) -> bool:
        """Put all nodes into families; return whether some of these were found to be none."""
        self.place, self.members = self._seeds()
        families: dict[_Key, int] = {}
        place, alone, args = self.place, self._alone, self.graph.args
        for node in self._below:
            if not args[node] or node in alone or node in place:
                continue
            homes = {place[arg][:2] for arg in args[node] if arg in place}
            if len(homes) != 1 or not self._can_repeat(node):
                continue
            group, branch = homes.pop()
            key = (group, *self._key(node))
            family = families.setdefault(key, len(self.members))
            if family == len(self.members):
                self.members.append({})
            self.members[family][branch] = node
            place[node] = _Member(group, branch, family)
        before = len(alone)
        for node, member in place.items():
            if len(self.members[member.family]) < len(self.siblings[member.group].names):
                alone.add(node)
            elif args[node] and (node in self.evaluated) != (self.members[member.family][0] in self.evaluated):
                alone.update(self.members[member.family].values())  # evaluated here for some branches alone
        return len(alone) > before

    def _seeds(self) -> tuple[dict[Node, _Member], list[dict[int, Node]]]:
        """Return the leaves that correspond."""
        place: dict[Node, _Member] = {}
        families: list[dict[int, Node]] = []
        for group, siblings in enumerate(self.siblings):
            for leaves in siblings.leaves:
                nodes = [self.graph.symbol(leaf) for leaf in leaves]
                place.update({node: _Member(group, i, len(families)) for i, node in enumerate(nodes)})
                families.append(dict(enumerate(nodes)))
        return place, families

    def _can_repeat(self, node: Node) -> bool:
        op = self.graph.ops[node]
        return OPS[op].kind is Kind.REAL and op not in (Op.SOLVE, Op.RESULT, Op.SELECT)

    def _key(self, node: Node) -> _Key:
        """Return what members of a family have in common."""
        graph, place = self.graph, self.place
        op = graph.ops[node]
        operands = [(1, place[arg].family) if arg in place else (0, arg) for arg in graph.args[node]]
        if op in COMMUTATIVE:
            operands.sort()
        return op, graph.data[node].__class__, graph.data[node], *operands

    def kind_of(self, node: Node) -> tuple[int, bool] | None:
        """Return the group of an evaluated node in a family and whether it is arithmetic; None for one alone."""
        member = self.place.get(node)
        if member is None or node not in self.evaluated:
            return None
        return member.group, self.graph.ops[node] in _ARITHMETIC


class _Loops:
    """The loops that families are put into.

    An item is a family, or a node that stands alone. Stages count how often values go from items of one kind to those
    of another; what is of one kind in one stage needs nothing that is made of it elsewhere.
    """

    def __init__(self, families: _Families) -> None:
        self._families = families
        self._items: list[list[Node]] = []
        self._item_of: dict[Node, int] = {}
        for node in sorted(families.evaluated):
            if node not in self._item_of:
                alone = families.kind_of(node) is None
                nodes = [node] if alone else [*families.members[families.place[node].family].values()]
                self._item_of.update(dict.fromkeys(nodes, len(self._items)))
                self._items.append(nodes)
        self._kinds = [families.kind_of(nodes[0]) for nodes in self._items]
        self._needs = [sorted(set(self._read(number))) for number in range(len(self._items))]
        self._order = self._ordered()

    def repeats(self) -> Iterator[Repeat]:
        """Yield the loops."""
        stages = self._stages()
        loops: dict[tuple[int, tuple[int, bool]], list[int]] = defaultdict(list)
        for item in self._order:
            kind = self._kinds[item]
            if kind is not None:
                loops[stages[item], kind].append(item)
        for (_, (group, arithmetic)), items in sorted(loops.items()):
            if len(items) >= _LEAST or not arithmetic:
                yield self._repeat(group, arithmetic, items)

    def _read(self, item: int) -> Iterator[int]:
        """Yield the items that one reads."""
        for node in self._items[item]:
            for arg in self._families.graph.args[node]:
                if arg in self._item_of:
                    yield self._item_of[arg]

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

    def _apart(self, one: int, reader: int) -> int:
        """Return by how many stages an item comes after what it reads."""
        first, second = self._kinds[one], self._kinds[reader]
        return int(first != second)

    def _stages(self) -> list[int]:
        """Return the stage of each item: the last in which it can be, which gathers what is needed once."""
        first = [0] * len(self._items)
        for item in self._order:
            first[item] = max([first[one] + self._apart(one, item) for one in self._needs[item]], default=0)
        stages = [max(first, default=0)] * len(self._items)
        for item in reversed(self._order):
            for one in self._needs[item]:
                stages[one] = min(stages[one], stages[item] - self._apart(one, item))
        return stages

    def _repeat(self, group: int, arithmetic: bool, items: Sequence[int]) -> Repeat:
        """Return families of one stage as a repeat."""
        families, graph = self._families, self._families.graph
        names = families.siblings[group].names
        number = {item: k for k, item in enumerate(items)}
        statements = []
        for item in items:
            members = families.members[families.place[self._items[item][0]].family]
            operands: list[Operand] = []
            for arg in graph.args[members[0]]:
                known = number.get(self._item_of.get(arg, -1))
                if known is not None:
                    operands.append(Own(known))
                elif arg in families.place:
                    each = families.members[families.place[arg].family]
                    operands.append(Each(tuple(each[i] for i in range(len(names)))))
                else:
                    operands.append(Common(arg))
            statements.append(Statement(tuple(members[i] for i in range(len(names))), tuple(operands)))
        return Repeat(names, tuple(statements), arithmetic)
