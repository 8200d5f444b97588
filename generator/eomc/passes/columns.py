"""What statements of a loop read, instance by instance, and between which instances that changes."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import COMMUTATIVE, Op

_CONSTANT, _SYMBOL = Op.CONSTANT, Op.SYMBOL
LEAST = 5
"""Instances that are worth a loop."""

_APART = 1 << 40  # between the numbers of symbols of one role, or of one array, and those of the next


@dataclass(slots=True, eq=False)
class Loop:
    """A matrix of nodes, `columns[slot][instance]`, slots in an order of evaluation."""

    columns: list[list[Node]]

    @property
    def count(self) -> int:
        """Number of instances."""
        return len(self.columns[0])

    @property
    def weight(self) -> int:
        """Number of nodes."""
        return self.count * len(self.columns)

    def part(self, first: int, end: int) -> Loop:
        """Return a loop of some of the instances."""
        return Loop([column[first:end] for column in self.columns])


class Place(NamedTuple):
    """Where a node is in a loop."""

    loop: int
    instance: int
    slot: int


class Places:
    """Where nodes are in loops, as numbers that grow by a loop's period from instance to instance."""

    def __init__(self, loops: Sequence[Loop]) -> None:
        self.numbers: dict[Node, int] = {}
        self.end = 0
        self._loops = loops
        self._firsts: list[int] = []
        for loop in loops:
            self._firsts.append(self.end)
            first, self.end = self.end, self.end + loop.weight
            for slot, column in enumerate(loop.columns):
                self.numbers.update(zip(column, range(first + slot, self.end, len(loop.columns)), strict=True))

    def at(self, number: int) -> Place:
        """Return the place of a number."""
        loop = bisect.bisect_right(self._firsts, number) - 1
        instance, slot = divmod(number - self._firsts[loop], len(self._loops[loop].columns))
        return Place(loop, instance, slot)

    def of(self, node: Node) -> Place | None:
        """Return where a node is; None: in no loop."""
        number = self.numbers.get(node)
        return None if number is None else self.at(number)

    def bounds(self, loop: int) -> range:
        """Return the numbers of a loop."""
        return range(self._firsts[loop], self._firsts[loop] + self._loops[loop].weight)


class Known:
    """What loops may read beside each other.

    Parameters
    ----------
    steady
        Nodes that are read from the constants, where those that differ from instance to instance are put into a table.
    arrays
        What loops have left before.
    """

    def __init__(self, graph: Graph, steady: frozenset[Node], arrays: Sequence[tuple[Node, ...]]) -> None:
        self.graph = graph
        self.steady = steady
        self.numbers: dict[Node, int] = {}  # of what is found by an index
        roles: dict[object, int] = {}
        for node, op in enumerate(graph.ops):
            if op is _SYMBOL and node not in steady:
                symbol = graph.symbol_of(node)
                self.numbers[node] = _APART * (1 + roles.setdefault(symbol.role, len(roles))) + symbol.index
        for k, nodes in enumerate(arrays, 1 + len(roles)):
            self.numbers.update((node, _APART * k + i) for i, node in enumerate(nodes))


class Columns:
    """The columns of what the statements of loops read.

    A value that is the same in all instances, or in none found by an index, has a number below zero.
    """

    def __init__(self, known: Known, loops: Sequence[Loop]) -> None:
        self._graph = known.graph
        self._steady = known.steady
        self.loops = loops
        self.places = Places(loops)
        self._numbers = self.places.numbers | known.numbers

    def beside(self, index: int) -> set[Loop]:
        """Return a loop with those that it reads."""
        loop, numbers = self.loops[index], self.places.numbers
        nodes = [column[j] for column in loop.columns for j in (0, loop.count // 2, -1)]
        found = [numbers[arg] for node in nodes for arg in self._graph.args[node] if arg in numbers]
        return {loop, *(self.loops[self.places.at(number).loop] for number in found)}

    def of(self, index: int) -> Iterator[tuple[list[list[Node]], list[int]]]:
        """Yield for each statement of a loop the columns of its operands, and the instances from which they change.

        Operands of commutative ops are put in matching order.
        """
        ops, args = self._graph.ops, self._graph.args
        for column in self.loops[index].columns:
            read = [list(one) for one in zip(*[args[node] for node in column], strict=True)]
            changes = [change for one in read for change in self._changes(index, one)]
            if changes and ops[column[0]] in COMMUTATIVE and self._match(index, read):
                changes = [change for one in read for change in self._changes(index, one)]
            yield read, changes

    def _match(self, index: int, read: list[list[Node]]) -> bool:
        """Turn two operands about where that makes them suit the others; return whether any were."""
        middle = len(read[0]) // 2
        suited = [set(self._unlike(index, one, 0, len(one), middle)) for one in read]
        turned = [list(one) for one in read]
        for j in suited[0] & suited[1]:
            turned[0][j], turned[1][j] = read[1][j], read[0][j]
        after = [set(self._unlike(index, one, 0, len(one), middle)) for one in turned]
        better = suited[0] & suited[1] - after[0] - after[1]
        for j in better:
            read[0][j], read[1][j] = read[1][j], read[0][j]
        return bool(better)

    def _changes(self, index: int, column: Sequence[Node], low: int = 0, high: int = -1) -> list[int]:
        """Return the instances that cannot be in one loop with the instance before, by what they read."""
        high = len(column) if high < 0 else high
        usual, unlike = (low + high) // 2, list[int]()
        for number, at in enumerate(_about(low, high)):
            found = self._unlike(index, column, low, high, at)
            if number == 0 or len(found) < len(unlike):
                usual, unlike = at, found
            if 2 * len(unlike) < high - low:
                break
        if not unlike:
            return []
        place = self.places.of(column[usual])
        begins = place is not None and (place.loop, place.instance) == (index, usual - 1)
        changes = set(unlike)
        if not begins:  # else the first instance may read anything
            changes.update(j + 1 for j in unlike)
        for start, end in _stretches(unlike):
            if 1 < end - start < high - low:
                changes.difference_update(range(start + 1, end))
                changes.update(self._changes(index, column, start, end))
        return [j for j in sorted(changes) if low < j < high]

    def _unlike(self, index: int, column: Sequence[Node], low: int, high: int, middle: int) -> list[int]:
        """Return the instances that read something else than follows from what that in the middle reads."""
        ops, steady = self._graph.ops, self._steady
        if ops[column[middle]] is _CONSTANT:
            return [j for j in range(low, high) if ops[column[j]] is not _CONSTANT]
        if column[middle] in steady:  # a table is made of them
            return [j for j in range(low, high) if column[j] not in steady]
        numbers, everywhere = self._numbers, list(range(low, high))
        found = [numbers.get(node, -1 - node) for node in column[low:high]]
        at, after = found[middle - low], found[middle - low + 1]
        step = after - at
        place = self.places.at(at) if 0 <= at < self.places.end else None
        if step and (at < 0 or after < 0 or abs(step) >= _APART // 2):
            return everywhere
        if place is not None:
            if place.loop == index and (middle - place.instance not in (0, 1) or not step):
                return everywhere
            if step % len(self.loops[place.loop].columns):
                return everywhere
        first = at - (middle - low) * step
        should = list(range(first, first + (high - low) * step, step)) if step else [at] * (high - low)
        bounds = self.places.bounds(place.loop) if place is not None else range(0)
        if found == should and (not bounds or (should[0] in bounds and should[-1] in bounds)):
            return []
        return [
            j for j, (a, b) in enumerate(zip(found, should, strict=True), low) if a != b or (bounds and a not in bounds)
        ]


def _about(low: int, high: int) -> Iterator[int]:
    """Yield instances that may tell what is usual, that in the middle first; each has a next one."""
    for share in (4, 2, 6, 1, 7, 3, 5):
        yield min(low + (high - low) * share // 8, high - 2)


def _stretches(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield (first, end) of numbers that follow each other."""
    start = 0
    for k in range(1, len(numbers) + 1):
        if k == len(numbers) or numbers[k] != numbers[k - 1] + 1:
            yield numbers[start], numbers[k - 1] + 1
            start = k
