"""Loops that go the same way, one reading the other, become one: what they leave for each other needs no place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from eomc.ir.graph import Graph, Node
from eomc.passes.columns import LEAST, Loop
from eomc.passes.reached import Reached
from eomc.passes.spans import Span, Spans, Spot

_NEAR = 64  # instances, at most, by which loops that go along may begin apart


class _Joint(NamedTuple):
    """How two loops become one: an instance of the other goes with that of the first which is `shift` further."""

    shift: int
    start: int  # first instance of the other
    end: int


def fused(graph: Graph, loops: Sequence[Loop]) -> list[Loop]:
    """Return loops, some of them joined over the instances that all of those have, in an order of evaluation."""
    return [span.loop() for span in Fusing(graph, loops).done()]


class Fusing:
    """Loops while they are joined."""

    def __init__(self, graph: Graph, loops: Sequence[Loop]) -> None:
        self._graph = graph
        self._spans = Spans(loops)
        self._list = list(self._spans.given)
        self._there = set(self._list)
        self._reached = Reached(graph, self._spans)
        self._pairs: dict[Span, list[tuple[Node, Node]]] = {}  # what an instance reads of others, and the next
        self._touched: dict[Span, set[Span]] = {}  # those whose instances tell how far ahead a span reads

    def done(self) -> list[Span]:
        """Return what can be joined no further."""
        tried = set[tuple[Span, Span]]()
        ahead: dict[Span, dict[Span, set[int] | None]] = {}
        joined = True
        while joined:
            ahead = {span: ahead[span] if self._is_told(span) else self._ahead(span) for span in self._list}
            joined = False
            for one, other in self._that_read(ahead):
                if (one, other) not in tried:
                    tried.add((one, other))
                    joint = _joint(one, other, ahead[other].get(one, set()), ahead[one].get(other, set()))
                    if joint is not None and self._join(one, other, joint):
                        joined = True
                        break
        return sorted(self._list, key=self._reached.count)

    def _that_read(self, ahead: Mapping[Span, Iterable[Span]]) -> list[tuple[Span, Span]]:
        """Return the pairs of which one reads the other, in the order of the list."""
        places = {span: k for k, span in enumerate(self._list)}
        pairs = {tuple(sorted((places[span], places[read]))) for span in self._list for read in ahead[span]}
        return [(self._list[k], self._list[m]) for k, m in sorted(pairs)]

    def _is_told(self, span: Span) -> bool:
        """Whether it is known how far ahead a span reads, from spans that there still are."""
        return span in self._touched and self._touched[span].issubset(self._there)

    def _ahead(self, span: Span) -> dict[Span, set[int] | None]:
        """Return how far ahead of its own number an instance reads others; None where it does not go along."""
        ahead: dict[Span, set[int] | None] = {}
        touched = self._touched[span] = set[Span]()
        for now, later in self._pairs_of(span):
            read, after = self._spans.of(now), self._spans.of(later)
            if read is None or read.span is span:
                continue
            touched.update(one.span for one in (read, after) if one is not None)
            found = ahead.setdefault(read.span, set())
            near = _near(read) and after is not None and _near(after) and after.instance == read.instance + 1
            if found is None or not near:
                ahead[read.span] = None
            else:
                found.add(read.instance - span.count // 2)
        return ahead

    def _pairs_of(self, span: Span) -> list[tuple[Node, Node]]:
        """Return what the instance in the middle reads of others, and the next one in its place."""
        pairs = self._pairs.get(span)
        if pairs is None:
            args, middle = self._graph.args, span.count // 2
            own = set(span.at(middle))
            nodes = zip(span.at(middle), span.at(middle + 1), strict=True)
            read = [pair for one, next_ in nodes for pair in zip(args[one], args[next_], strict=True)]
            pairs = [(now, later) for now, later in dict.fromkeys(read) if now != later and now not in own]
            pairs = self._pairs[span] = [pair for pair in pairs if pair[0] in self._spans.parts]
        return pairs

    def _join(self, one: Span, other: Span, joint: _Joint) -> bool:
        """Let a joined span take the places of two, unless it needs, by way of others, what it finds itself."""
        shift, start, end = joint
        kept = {one: range(start + shift, end + shift), other: range(start, end)}
        if self._reached.is_below_itself(kept):
            return False
        joined = one.part(start + shift, end + shift).along(other.part(start, end))
        ends = [
            span.part(first, last)
            for span, own in kept.items()
            for first, last in ((0, own.start), (own.stop, span.count))
        ]
        rests = [end for end in ends if end.count >= max(LEAST, joined.count // 2)]
        self._spans.replace((one, other), (joined, *rests))
        self._reached.replaced((one, other))
        self._list[self._list.index(one)] = joined
        self._list.remove(other)
        self._list += rests
        self._there -= {one, other}
        self._there.update((joined, *rests))
        return True


def _near(spot: Spot) -> bool:
    """Whether an instance is about the middle of its span."""
    return abs(2 * (spot.instance - spot.span.count // 2) + 1) <= 2 * _NEAR


def _joint(one: Span, other: Span, least: set[int] | None, most: set[int] | None) -> _Joint | None:
    """Return how two loops go together; None where neither reads the other, or not along with it.

    Parameters
    ----------
    least, most
        How far ahead instances of the other read the first, and those of the first the other.
    """
    if least is None or most is None or not least | most:
        return None
    shift = max(least) if least else -max(most)
    behind = [shift - one for one in least] + [-shift - one for one in most]  # an instance reads that before it at most
    if not 0 <= min(behind) <= max(behind) <= 1:
        return None
    start, end = max(0, -shift), min(other.count, one.count - shift)
    if end - start < LEAST or 2 * (end - start) <= min(one.count, other.count):
        return None
    return _Joint(shift, start, end)
