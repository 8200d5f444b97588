"""Families: nodes of branches that are alike, one of each branch, which correspond to each other.

A node belongs to a branch where all that it is made of belongs to that branch or to no branch. Nodes of different
branches with the same op over what corresponds are one family; a family without a member in every branch is none, and
neither is what is made of it alone. All functions of a program have the same families: they are found once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import COMMUTATIVE, OPS, Kind, Op
from eomc.ir.program import Siblings
from eomc.ir.symbols import Tabled

_CONSTANT = Op.CONSTANT
_REPEATED = frozenset(op for op, row in OPS.items() if row.kind is Kind.REAL) - {Op.RESULT, Op.SELECT} | {_CONSTANT}

_Key: TypeAlias = tuple[object, ...]
"""What members of a family have in common."""


_NONE = -1


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
    members
        Of each family: one of each branch, in the order of the branches.
    group
        Of each family: the index of its branches among the siblings.
    """

    def __init__(self, graph: Graph, roots: Iterable[Node], siblings: Sequence[Siblings]) -> None:
        self.graph = graph
        self.siblings = siblings
        self.members: list[tuple[Node, ...]] = []
        self.group: list[int] = []
        self._of = [_NONE] * len(graph)  # the family of each node
        self._home = [_NONE] * len(graph)  # its branch, of all groups
        self._readers: list[list[int]] = []
        self._args = list(graph.args)  # a number that is tabled is made of what it was made of
        for node, data in enumerate(graph.data):
            if isinstance(data, Tabled):
                self._args[node] = data.args
        self._branches = [(group, k) for group, one in enumerate(siblings) for k, _ in enumerate(one.names)]
        for group, one in enumerate(siblings):
            for leaves in one.leaves:
                self._add(group, leaves)
        for nodes in self._by_depth(self._made_of(roots)):
            self._classify(nodes)

    def of(self, node: Node) -> int | None:
        """Return the family of a node; None where it belongs to no branch."""
        family = self._of[node]
        return None if family == _NONE else family

    def whole(self, nodes: Iterable[Node]) -> list[int]:
        """Return the families with all members among the nodes; none that is made of one which has only some there."""
        count = Counter(map(self._of.__getitem__, nodes))
        del count[_NONE]
        torn: set[int] = set()
        waiting = [family for family, times in count.items() if times < len(self.members[family])]
        while waiting:
            family = waiting.pop()
            if family not in torn:
                torn.add(family)
                waiting += self._readers[family]
        return [family for family in count if family not in torn]

    def _made_of(self, roots: Iterable[Node]) -> list[Node]:
        """Return what the roots are made of, themselves included, in order of birth."""
        args, found = self._args, set(roots)
        waiting = list(found)
        while waiting:
            for arg in args[waiting.pop()]:
                if arg not in found:
                    found.add(arg)
                    waiting.append(arg)
        return sorted(found)

    def _by_depth(self, nodes: Iterable[Node]) -> list[list[Node]]:
        """Return what leaves of branches are in, by the longest way to them: members of a family come at once."""
        args, depths, found = self._args, [_NONE if one == _NONE else 0 for one in self._of], list[list[Node]]()
        for node in nodes:
            depth = max([depths[arg] for arg in args[node]], default=_NONE)
            if depth != _NONE and depths[node] == _NONE:
                depths[node] = depth + 1
                if depth == len(found):
                    found.append([])
                found[depth].append(node)
        return found

    def _classify(self, nodes: Iterable[Node]) -> None:
        """Put nodes of one depth into families."""
        ops, args, of, home = self.graph.ops, self._args, self._of, self._home
        found: dict[tuple[int, _Key], dict[int, Node]] = {}
        for node in nodes:
            homes = {home[arg] for arg in args[node]}
            homes.discard(_NONE)
            if len(homes) == 1 and ops[node] in _REPEATED:
                group, branch = self._branches[homes.pop()]
                operands = [~arg if of[arg] == _NONE else of[arg] for arg in args[node]]
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
        number, first = len(self.members), self._branches.index((group, 0))
        self.members.append(members)
        self.group.append(group)
        self._readers.append([])
        for arg in self._args[members[0]]:
            if self._of[arg] != _NONE:
                self._readers[self._of[arg]].append(number)
        for branch, node in enumerate(members):
            self._of[node] = number
            self._home[node] = first + branch
