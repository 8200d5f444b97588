"""Which nodes are those of branches side by side: equal arrangements over leaves that correspond to each other.

A node belongs to a branch where all that it is made of belongs to that branch or to no branch. Nodes of different
branches with the same op over what corresponds are one family; a family without a member in every branch is none, and
neither is what is made of it alone. Families are put into as few loops as there can be: one begins where values are
needed that come from outside, such as the motion of a body that carries all branches after their sum on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import COMMUTATIVE, OPS, Kind, Op
from eomc.ir.program import Check, Siblings
from eomc.ir.symbols import Tabled
from eomc.passes.repeats import Common, Each, Operand, Own, Repeat, Statement

_ARITHMETIC = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.ABS})
_LEAST = 16
"""Operations that are worth a loop, of those that it spares where two branches share each of them.

Of these go what instances read one by one, which is put into arrays before the loop: a store and a load take about as
long as an operation."""

_MOST = 1000
"""Statements of one loop: gcc looks at no more places in memory at a time, and time grows with their square."""

_Key: TypeAlias = tuple[object, ...]
_Kind: TypeAlias = tuple[int, bool]  # of a loop: its group of branches, and whether it is arithmetic


class _Member(NamedTuple):
    """Where a node stands: in a family of a group, in which branch of it."""

    group: int
    branch: int
    family: int


class Repeating:
    """Finds what is evaluated side by side; asked again for the same nodes it remembers.

    Parameters
    ----------
    siblings
        Branches that may correspond, each group by its leaves.
    checks
        Tests of what is divided by.
    """

    def __init__(self, graph: Graph, siblings: Sequence[Siblings], checks: Iterable[Check]) -> None:
        self._graph = graph
        self._siblings = siblings
        self._tested: dict[Node, list[Node]] = defaultdict(list)
        for check in checks:
            self._tested[check.node].append(check.condition)
        self._known: dict[frozenset[Node], tuple[Repeat, ...]] = {}

    def __call__(self, evaluated: Collection[Node]) -> tuple[Repeat, ...]:
        """Return the repeats among what a function evaluates."""
        if not self._siblings:
            return ()
        key = frozenset(evaluated)
        if key not in self._known:
            self._known[key] = find_side_by_side(self._graph, key, self._siblings, self._tested)
        return self._known[key]

    def spared(self, nodes: Collection[Node]) -> int:
        """Return how many of the nodes are evaluated by statements of others."""
        return sum((one.count - 1) * len(one.statements) for one in self(nodes))


def find_side_by_side(
    graph: Graph,
    evaluated: Collection[Node],
    siblings: Sequence[Siblings],
    tested: Mapping[Node, Sequence[Node]],
) -> tuple[Repeat, ...]:
    """Return what of a function's nodes is evaluated side by side, nothing twice.

    Parameters
    ----------
    evaluated
        What the function evaluates.
    siblings
        Branches that may correspond, each group by its leaves.
    tested
        Conditions that have to hold before a node; those of what is in a loop are looked at after it.
    """
    families = _Families(graph, evaluated, siblings)
    return _Loops(families, tested).repeats()


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
        self.place: dict[Node, _Member] = {}
        self.members: list[dict[int, Node]] = []
        for group, one in enumerate(siblings):
            for leaves in one.leaves:
                self._add(group, dict(enumerate(leaves)))
        for nodes in self._by_depth(self._made_of(evaluated)):
            self._classify(nodes)

    def _by_depth(self, nodes: Sequence[Node]) -> list[list[Node]]:
        """Return nodes by the longest way to a leaf: members of a family have the same, and come at once."""
        depths: dict[Node, int] = {}
        found: list[list[Node]] = []
        for node in nodes:
            depth = depths[node] = 1 + max([depths[arg] for arg in self._args(node)], default=-1)
            if depth == len(found):
                found.append([])
            found[depth].append(node)
        return found

    def _classify(self, nodes: Sequence[Node]) -> None:
        """Put nodes of one depth into families; those that have no member in some branch are none."""
        place = self.place
        families: dict[tuple[int, _Key], dict[int, Node]] = {}
        for node in nodes:
            args = self._args(node)
            if not args or node in place:
                continue
            homes = {place[arg][:2] for arg in args if arg in place}
            if len(homes) == 1 and self._can_repeat(node):
                ((group, branch),) = homes
                families.setdefault((group, self._key(node)), {})[branch] = node
        for (group, _), members in families.items():
            here = {node in self.evaluated for node in members.values()}  # not where it is so for some alone
            if len(members) == len(self.siblings[group].names) and len(here) == 1:
                self._add(group, members)

    def _add(self, group: int, members: dict[int, Node]) -> None:
        """Add a family."""
        self.place.update({node: _Member(group, branch, len(self.members)) for branch, node in members.items()})
        self.members.append(members)

    def _can_repeat(self, node: Node) -> bool:
        op = self.graph.ops[node]
        return op is Op.CONSTANT or (OPS[op].kind is Kind.REAL and op not in (Op.RESULT, Op.SELECT))

    def _key(self, node: Node) -> _Key:
        """Return what members of a family have in common."""
        graph, place = self.graph, self.place
        op, data = graph.ops[node], graph.data[node]
        operands = [(1, place[arg].family) if arg in place else (0, arg) for arg in self._args(node)]
        if isinstance(data, Tabled):
            return op, data.key[0], data.key[2], *operands
        if op in COMMUTATIVE:
            operands.sort()
        return op, data.__class__, data, *operands

    def _args(self, node: Node) -> Sequence[Node]:
        """Return what a node is made of; of a number that is tabled what it was made of."""
        data = self.graph.data[node]
        return data.args if isinstance(data, Tabled) else self.graph.args[node]

    def _made_of(self, roots: Collection[Node]) -> list[Node]:
        """Return what is below the roots, in order of birth."""
        found = set(roots)
        waiting = list(found)
        while waiting:
            new = [arg for arg in self._args(waiting.pop()) if arg not in found]
            found.update(new)
            waiting += new
        return sorted(found)

    def kind_of(self, node: Node) -> _Kind | None:
        """Return the group of an evaluated node in a family and whether it is arithmetic; None for one alone."""
        member = self.place.get(node)
        if member is None or node not in self.evaluated:
            return None
        return member.group, self.graph.ops[node] in _ARITHMETIC


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

    def __init__(self, families: _Families, tested: Mapping[Node, Sequence[Node]]) -> None:
        self._families = families
        self._tested = tested
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
                self._needs[item] = sorted(set(self._read(item)))

    def _gain(self, kind: _Kind, items: Sequence[int]) -> int:
        """Return the operations that a loop spares; one of functions costs nothing, as each is a call anyway."""
        group, arithmetic = kind
        count = len(self._families.siblings[group].names)
        if not arithmetic:
            return _LEAST
        families, own = self._families, set(items)
        read = {arg for item in items for arg in families.graph.args[self._items[item][0]] if arg in families.place}
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

    def _read(self, item: int) -> Iterator[int]:
        """Yield the items that one reads."""
        for node in self._items[item]:
            before = self._tested.get(node, ()) if self._kinds[item] is None else ()
            for arg in (*self._families.graph.args[node], *before):
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

    def _stages(self, order: Sequence[int]) -> list[int]:
        """Return the stage of each item: the last in which it can be, which gathers what is needed once."""
        first = [0] * len(self._items)
        for item in order:
            first[item] = max([first[one] + self._apart(one, item) for one in self._needs[item]], default=0)
        stages = [max(first, default=0)] * len(self._items)
        for item in reversed(order):
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
