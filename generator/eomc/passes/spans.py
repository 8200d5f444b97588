"""Instances of loops that go along with each other, while it is found out which do; no node is copied for a trial."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from eomc.ir.graph import Node
from eomc.passes.columns import Loop

_ENDS = 4  # instances at an end that may read what is a straight line since loops were joined


def telling(count: int) -> list[int]:
    """Return the instances that tell what all of so many read, that in the middle first, as it tells the most."""
    middle, ends = count // 2, {*range(min(_ENDS, count)), *range(max(0, count - _ENDS), count)}
    return [middle, *sorted(ends - {middle})]


class Column(NamedTuple):
    """The nodes of a statement from an instance on, those of all instances of a loop being `nodes`."""

    nodes: Sequence[Node]
    first: int


class Part(NamedTuple):
    """A given loop, by its number, and the one of its instances that goes with the first of a span."""

    loop: int
    first: int


class Span:
    """Some instances of one loop, or of several that go along.

    Attributes
    ----------
    columns
        In an order of evaluation.
    parts
        The loops whose instances they are.
    count
        Number of instances.
    """

    __slots__ = ("columns", "count", "parts")

    def __init__(self, columns: list[Column], parts: list[Part], count: int) -> None:
        self.columns = columns
        self.parts = parts
        self.count = count

    def at(self, instance: int) -> list[Node]:
        """Return the nodes of an instance."""
        return [nodes[first + instance] for nodes, first in self.columns]

    def part(self, first: int, end: int) -> Span:
        """Return some of the instances."""
        columns = [Column(nodes, start + first) for nodes, start in self.columns]
        return Span(columns, [Part(loop, start + first) for loop, start in self.parts], end - first)

    def along(self, other: Span) -> Span:
        """Return the instances with those of another span of as many."""
        columns = sorted([*self.columns, *other.columns], key=lambda column: column.nodes[column.first])
        return Span(columns, [*self.parts, *other.parts], self.count)

    def loop(self) -> Loop:
        """Return the loop of all instances."""
        return Loop([list(nodes[first : first + self.count]) for nodes, first in self.columns])


class Spot(NamedTuple):
    """Where a node is."""

    span: Span
    instance: int


class Spans:
    """In which span each node of some loops is, of those that there are at present.

    Parameters
    ----------
    loops
        No node in two of them.

    Attributes
    ----------
    given
        The loops, each a span.
    parts
        Of each of their nodes the loop and its instance.
    """

    def __init__(self, loops: Sequence[Loop]) -> None:
        self._loops = loops
        self.parts: dict[Node, Part] = {}
        self._there: list[list[tuple[int, int, Span]]] = [[] for _ in loops]  # of each loop: from, to, what they are in
        self.given: list[Span] = []
        for number, loop in enumerate(loops):
            parts = [Part(number, instance) for instance in range(loop.count)]
            for column in loop.columns:
                self.parts.update(zip(column, parts, strict=True))
            self.given.append(Span([Column(column, 0) for column in loop.columns], parts[:1], loop.count))
        self.replace((), self.given)

    def of(self, node: Node) -> Spot | None:
        """Return where a node is; None: in none, or in none any more."""
        part = self.parts.get(node)
        if part is not None:
            number, instance = part
            for first, end, span in self._there[number]:
                if first <= instance < end:
                    return Spot(span, instance - first)
        return None

    def replace(self, olds: Collection[Span], news: Iterable[Span]) -> None:
        """Let spans take the places of others; what is in none of them is a straight line from then on."""
        for number in {part.loop for span in olds for part in span.parts}:
            self._there[number] = [one for one in self._there[number] if one[2] not in olds]
        for span in news:
            for number, first in span.parts:
                self._there[number].append((first, first + span.count, span))

    def nodes(self, part: Part) -> list[Node]:
        """Return the nodes of an instance of a given loop."""
        return [column[part.first] for column in self._loops[part.loop].columns]
