"""Families: nodes of branches that are alike, one of each branch, which correspond to each other.

A node belongs to a branch where all that it is made of belongs to that branch or to no branch. Nodes of different
branches with the same op over what corresponds are one family; a family without a member in every branch is none, and
neither is what is made of it alone. All functions of a program have the same families: they are found once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import COMMUTATIVE, OPS, Kind, Op
from eomc.ir.program import Siblings
from eomc.ir.symbols import Tabled

_CONSTANT = Op.CONSTANT
_REPEATED = frozenset(op for op, row in OPS.items() if row.kind is Kind.REAL) - {Op.RESULT, Op.SELECT} | {_CONSTANT}

_Key: TypeAlias = tuple[object, ...]
"""What members of a family have in common."""


class Families:
    """The families among nodes and what they are made of.

    Parameters
    ----------
    roots
        The nodes.
    siblings
        Branches that may correspond, each group by its leaves.

    Attributes
    ----------
    of
        The family of each node that belongs to a branch.
    members
        Of each family: one of each branch, in the order of the branches.
    group
        Of each family: the index of its branches among the siblings.
    """

    def __init__(self, graph: Graph, roots: Iterable[Node], siblings: Sequence[Siblings]) -> None:
        self.graph = graph
        self.siblings = siblings
        self.of: dict[Node, int] = {}
        self.members: list[tuple[Node, ...]] = []
        self.group: list[int] = []
        self._readers: list[list[int]] = []
        self._home: dict[Node, tuple[int, int]] = {}  # group and branch of each member
        for group, one in enumerate(siblings):
            for leaves in one.leaves:
                self._add(group, leaves)
        for nodes in self._by_depth(self._made_of(roots)):
            self._classify(nodes)

    def whole(self, nodes: Collection[Node]) -> list[int]:
        """Return the families with all members among the nodes; none that is made of one which has only some there."""
        count = [0] * len(self.members)
        for node in nodes:
            family = self.of.get(node)
            if family is not None:
                count[family] += 1
        torn: set[int] = set()
        waiting = [family for family, times in enumerate(count) if 0 < times < len(self.members[family])]
        while waiting:
            family = waiting.pop()
            if family not in torn:
                torn.add(family)
                waiting += self._readers[family]
        return [family for family, times in enumerate(count) if times and family not in torn]

    def _made_of(self, roots: Iterable[Node]) -> list[Node]:
        """Return what the roots are made of, themselves included, in order of birth."""
        args_of, found = self._args, set(roots)
        waiting = list(found)
        while waiting:
            new = [arg for arg in args_of(waiting.pop()) if arg not in found]
            found.update(new)
            waiting += new
        return sorted(found)

    def _by_depth(self, nodes: Iterable[Node]) -> list[list[Node]]:
        """Return what leaves of branches are in, by the longest way to them: members of a family come at once."""
        depths, found = dict.fromkeys(self.of, 0), list[list[Node]]()
        of_node, args_of = depths.get, self._args
        for node in nodes:
            depth = max([of_node(arg, -1) for arg in args_of(node)], default=-1)
            if depth >= 0 and node not in self.of:
                depths[node] = depth + 1
                if depth == len(found):
                    found.append([])
                found[depth].append(node)
        return found

    def _classify(self, nodes: Sequence[Node]) -> None:
        """Put nodes of one depth into families."""
        ops, home_of, of = self.graph.ops, self._home.get, self.of.get
        found: dict[tuple[int, _Key], dict[int, Node]] = {}
        for node in nodes:
            args = self._args(node)
            homes = {home for home in map(home_of, args) if home is not None}
            if len(homes) == 1 and ops[node] in _REPEATED:
                ((group, branch),) = homes
                operands = [~arg if family is None else family for arg, family in zip(args, map(of, args), strict=True)]
                found.setdefault((group, self._key(node, operands)), {})[branch] = node
        for (group, _), members in found.items():
            count = len(self.siblings[group].names)
            if len(members) == count:
                self._add(group, tuple([members[branch] for branch in range(count)]))

    def _key(self, node: Node, operands: list[int]) -> _Key:
        """Return what members of a family have in common, in which they are made of families and of other nodes."""
        op, data = self.graph.ops[node], self.graph.data[node]
        if isinstance(data, Tabled):
            return op, data.key[0], data.key[2], *operands
        if op in COMMUTATIVE:
            operands.sort()
        return op, data.__class__, data, *operands

    def _add(self, group: int, members: tuple[Node, ...]) -> None:
        """Add a family."""
        number = len(self.members)
        self.members.append(members)
        self.group.append(group)
        self._readers.append([])
        for arg in self._args(members[0]):
            if arg in self.of:
                self._readers[self.of[arg]].append(number)
        for branch, node in enumerate(members):
            self.of[node] = number
            self._home[node] = group, branch

    def _args(self, node: Node) -> Sequence[Node]:
        """Return what a node is made of; of a number that is tabled what it was made of."""
        graph = self.graph
        data = graph.data[node] if graph.ops[node] is _CONSTANT else None
        return data.args if isinstance(data, Tabled) else graph.args[node]
