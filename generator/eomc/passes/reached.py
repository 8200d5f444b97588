"""Which spans something reads, by way of straight lines between them or directly: kept while spans are joined.

What an instance of a given loop reads of others stays the same, whatever spans these are in. So straight lines are
walked once for each instance, and what a span reads is told by the nodes of loops at which they end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from eomc.ir.graph import Graph, Node
from eomc.passes.spans import Part, Span, Spans, telling


class Reached:
    """Spans below spans.

    Parameters
    ----------
    spans
        Where nodes are; what is changed there is told by `replaced`.
    """

    def __init__(self, graph: Graph, spans: Spans) -> None:
        self._args = graph.args
        self._spans = spans
        self._numbered: list[Span] = []  # by the places of their bits
        self._bits: dict[Span, int] = {}
        self._ends: dict[Part, tuple[frozenset[Node], frozenset[Node]]] = {}
        self._read: dict[Span, dict[Span, set[Node]]] = {}  # nodes of others that spans read
        self._read_bits: dict[Span, int] = {}

    def count(self, span: Span) -> int:
        """Return the number of spans that have to come before one, itself among them."""
        found, new = self._bit(span), self._bits_read(span)
        while new := new & ~found:
            last = new & -new
            found |= last
            new |= self._bits_read(self._numbered[last.bit_length() - 1])
        return found.bit_count()

    def is_below_itself(self, kept: Mapping[Span, range]) -> bool:
        """Whether a span that is none yet would need, by way of others, what it finds itself.

        Parameters
        ----------
        kept
            Those of which it has instances, and these; the others are straight lines then.
        """
        parts = [Part(loop, first + own.start) for span, own in kept.items() for loop, first in span.parts]
        count = min(map(len, kept.values()))
        args, where, changed = self._args, self._spans.of, sum(map(self._bit, kept))
        lines: list[Node] = []  # walked last: most that is found is found by way of other spans
        seen: set[Node] = set()
        found = new = 0
        for place in telling(count):
            direct, ends = self._read_at(parts, place)
            for node in direct:
                spot = where(node)
                if spot is None or spot.instance not in kept.get(spot.span, ()):
                    ends.add(node)
            while ends or new or lines:
                for node in ends:
                    if node not in seen:
                        seen.add(node)
                        spot = where(node)
                        if spot is not None and spot.span not in kept:
                            new |= self._bit(spot.span)
                        elif spot is not None and spot.instance in kept[spot.span]:
                            return True
                        else:
                            lines.append(node)
                ends = set()
                new &= ~found
                if new:
                    last = new & -new
                    found |= last
                    new ^= last
                    span = self._numbered[last.bit_length() - 1]
                    bits = self._bits_read(span)
                    new |= bits & ~changed
                    if bits & changed:
                        ends.update(node for one in kept for node in self._read[span].get(one, ()))
                elif lines:
                    ends.update(args[lines.pop()])
        return False

    def replaced(self, olds: Collection[Span]) -> None:
        """Look anew at what read spans that are none any more."""
        changed = sum(map(self._bit, olds))
        for old in olds:
            self._read.pop(old, None)
            self._read_bits.pop(old, None)
        for span, bits in self._read_bits.items():
            if bits & changed:
                read = self._read[span]
                self._put(span, [node for old in olds for node in read.pop(old, ())])

    def _bit(self, span: Span) -> int:
        bit = self._bits.get(span)
        if bit is None:
            bit = self._bits[span] = 1 << len(self._numbered)
            self._numbered.append(span)
        return bit

    def _bits_read(self, span: Span) -> int:
        bits = self._read_bits.get(span)
        if bits is None:
            nodes = set[Node]()
            for place in telling(span.count):
                direct, by_lines = self._read_at(span.parts, place)
                spots = [(node, self._spans.of(node)) for node in direct]
                nodes |= by_lines.union([node for node, spot in spots if spot is None or spot.span is not span])
            self._read[span] = {}
            self._put(span, list(nodes))
            bits = self._read_bits[span]
        return bits

    def _put(self, span: Span, nodes: list[Node]) -> None:
        """Add nodes to those that a span reads, or what these are made of where they are straight lines now."""
        read, seen = self._read[span], set[Node]()
        while nodes:
            node = nodes.pop()
            if node not in seen:
                seen.add(node)
                spot = self._spans.of(node)
                if spot is None:
                    nodes += self._args[node]
                else:
                    read.setdefault(spot.span, set()).add(node)
        self._read_bits[span] = sum(map(self._bit, read))

    def _read_at(self, parts: Iterable[Part], place: int) -> tuple[set[Node], set[Node]]:
        """Return the nodes of loops that an instance reads: directly, be it the one before, and by straight lines."""
        direct, by_lines = set[Node](), set[Node]()
        for loop, first in parts:
            own, further = self._ends_of(Part(loop, first + place))
            direct.update(own)
            by_lines.update(further)
        return direct, by_lines

    def _ends_of(self, part: Part) -> tuple[Iterable[Node], Iterable[Node]]:
        """Return the nodes of given loops that an instance of one reads: directly, and by way of straight lines."""
        ends = self._ends.get(part)
        if ends is None:
            args, there, own = self._args, self._spans.parts, self._spans.nodes(part)
            read = {arg for node in own for arg in args[node]}.difference(own)
            direct, by_lines = frozenset([node for node in read if node in there]), set[Node]()
            seen = read - direct
            waiting = list(seen)
            while waiting:
                for arg in args[waiting.pop()]:
                    if arg in there:
                        by_lines.add(arg)
                    elif arg not in seen:
                        seen.add(arg)
                        waiting.append(arg)
            ends = self._ends[part] = direct, frozenset(by_lines)
        return ends
