"""What several functions evaluate is cut out of them: parts, which each of them calls.

Functions are joined two by two, those first that have the most in common, until what is common is short. So they are
the leaves of a tree: what is common to the functions below a fork is evaluated by the part that belongs to the fork,
but for what the parts above it do. A function calls the parts on its way from the root, one after the other, and then
does the rest. It evaluates what it needs and nothing else, each value once.

What a part leaves for others it writes, and they read. So there is none where little is common, nor where much of it
would have to wait: both are asked of the graph, by counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Kind, Op

FEW = 8
"""Operations that are worth a part where sharing is what somebody wants: a call takes less."""


class Worth(NamedTuple):
    """What is worth a part."""

    least: int  # operations
    dense: float  # operations for each value that waits: a store, and a load in each function that reads it, take less
    beside: bool  # whether a function may evaluate what it does not need, beside what it does


SPEED = Worth(120, 4, False)
SIZE = Worth(40, 2, True)

_NOT_PASSED = (Op.CONSTANT, Op.SYMBOL, Op.NEG)
_PASSED = frozenset(op for op, row in OPS.items() if op not in _NOT_PASSED and row.kind is not Kind.BOOLEAN)
_VARYING = Level.VARYING


@dataclass(frozen=True, slots=True)
class SharedPart:
    """What some functions have in common; `common` is what they find after it, parts above it included."""

    functions: frozenset[int]
    common: frozenset[Node]
    above: int  # index of the part before it; -1 for none


class _Group(NamedTuple):
    """Functions that are joined."""

    functions: frozenset[int]
    common: frozenset[Node]  # what all of them evaluate
    every: frozenset[Node]  # what any of them evaluates
    results: frozenset[Node]  # what any of them hands out


def share(
    graph: Graph,
    evaluated: Sequence[Collection[Node]],
    results: Sequence[Iterable[Node]],
    joined: Iterable[int],
    wanted: int = -1,
    twin: int = -1,
    *,
    worth: Worth,
    guarded: Collection[Node] = (),
) -> list[SharedPart]:
    """Return the parts, each after the one before it.

    Parameters
    ----------
    evaluated
        What each function evaluates, constants left out.
    results
        What each function hands out.
    joined
        Indices of the functions that may share.
    wanted
        Index of a function that is there to be shared, with all that have more than `FEW` operations in common.
    twin
        Index of one that evaluates the same, and takes the parts of that where few values have to wait in them.
    worth
        What is worth a part.
    guarded
        What no function may evaluate that does not need it, for it may fail.
    """
    joined = list(joined)
    least = min(FEW, worth.least) if wanted >= 0 else worth.least
    if all(len(set(evaluated[i]).intersection(evaluated[j])) < least for i, j in itertools.combinations(joined, 2)):
        return []
    ops, level = graph.ops, graph.level
    all_nodes = frozenset[Node]().union(*evaluated)
    every = frozenset([node for node in all_nodes if level[node] == _VARYING and ops[node] in _PASSED])
    values = _Values(graph, every, wanted, worth, guarded)
    passed = [every.intersection(nodes) for nodes in evaluated]
    groups = [_Group(frozenset([k]), passed[k], passed[k], frozenset(results[k])) for k in joined]
    parts: list[SharedPart] = []
    for fork in reversed(_join(values, groups)):  # the last joins all that are below it
        above = max((k for k, part in enumerate(parts) if fork.functions <= part.functions), default=-1)
        found = parts[above].common if above >= 0 else frozenset()
        if values.weight(fork.common - found) >= values.least(fork):
            parts.append(SharedPart(fork.functions, fork.common | found, above))
    others = frozenset[Node]().union(*(group.every for group in groups))
    if twin >= 0 and values.are_few(passed[twin], others):
        joint = [part.functions | {twin} if wanted in part.functions else part.functions for part in parts]
        parts = [SharedPart(one, part.common, part.above) for one, part in zip(joint, parts, strict=True)]
    return parts


def _join(values: _Values, groups: list[_Group]) -> list[_Group]:
    """Return the forks, the lowest first."""
    forks: list[_Group] = []
    weights: dict[tuple[frozenset[int], frozenset[int]], tuple[int, int]] = {}
    while True:
        best, pair = (0, 0), (0, 0)
        for (i, one), (j, other) in itertools.combinations(enumerate(groups), 2):
            key = one.functions, other.functions
            if key not in weights:
                weights[key] = values.rank(values.joined(one, other))
            if weights[key] > best:
                best, pair = weights[key], (i, j)
        if best == (0, 0):
            return forks
        groups[pair[0]] = values.joined(groups[pair[0]], groups.pop(pair[1]))
        forks.append(groups[pair[0]])


def is_passed(graph: Graph, node: Node) -> bool:
    """Whether a value is worth a place: not one that is read anyway, nor a truth value, nor a changed sign."""
    return graph.level[node] == _VARYING and graph.ops[node] in _PASSED


class _Values:
    """What values take; `passed` are all that functions evaluate and that are worth a place."""

    def __init__(
        self, graph: Graph, passed: frozenset[Node], wanted: int, worth: Worth, guarded: Collection[Node]
    ) -> None:
        self._graph = graph
        self._passed = passed
        self._wanted = wanted
        self._worth = worth
        self._guarded = guarded
        self._read: dict[Node, Collection[Node]] = {}

    def joined(self, one: _Group, other: _Group) -> _Group:
        """Return functions joined; beside what all of them evaluate goes what some on both sides do."""
        common = one.common & other.common
        if self._worth.beside:
            common |= (one.every & other.every).difference(self._guarded)
        return _Group(one.functions | other.functions, common, one.every | other.every, one.results | other.results)

    def read_for(self, node: Node) -> Collection[Node]:
        """Return the values that are read where a node is made of others: a changed sign is made on the spot."""
        found = self._read.get(node)
        if found is None:
            args, level, passed = self._graph.args, self._graph.level, self._passed
            found = args[node]
            if not passed.issuperset(found):
                read, seen, stack = [], set(), list(found)
                while stack:
                    one = stack.pop()
                    if one in seen:
                        continue
                    seen.add(one)
                    if one in passed:
                        read.append(one)
                    elif level[one] == _VARYING:  # below others nothing is passed
                        stack += args[one]
                found = read
            self._read[node] = found
        return found

    def weight(self, nodes: Iterable[Node]) -> int:
        """Return how many statements nodes are, roughly; solutions of linear systems are read where they are."""
        ops = self._graph.ops
        return sum(ops[node] is not Op.RESULT for node in nodes)

    def least(self, group: _Group) -> int:
        """Return the weight that is worth a part of these functions."""
        return FEW if self._wanted in group.functions else self._worth.least

    def rank(self, group: _Group) -> tuple[int, int]:
        """Return the weight of what functions have in common; before all, what only those may evaluate that need it."""
        worth = self.worth(group)
        return self.weight(group.common.intersection(self._guarded)) if worth else 0, worth

    def worth(self, group: _Group) -> int:
        """Return the weight of what functions have in common; 0 where it is not worth a part."""
        weight = self.weight(group.common)
        if weight < self.least(group):
            return 0
        is_worth = self._wanted in group.functions or self.are_few(group.common, group.every, group.results)
        return weight if is_worth else 0

    def are_few(self, common: frozenset[Node], every: frozenset[Node], results: frozenset[Node] = frozenset()) -> bool:
        """Whether few of the values that are common have to wait for what is made of them beside."""
        read = results.union(*map(self.read_for, every - common))
        return self.weight(common) >= self._worth.dense * self.weight(read & common)
