"""Which loops something reads, by way of straight lines between them or directly: kept as bits while loops change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from eomc.ir.graph import Graph, Node
from eomc.passes.columns import Loop

_ENDS = 4  # instances at an end that may read what is a straight line since loops were joined

_LEFT, _TRIED = 1, 2  # bits: a node that a loop on trial leaves over is read, or that loop itself


class Reached:
    """Loops below loops, of which a home tells the nodes.

    Each node keeps the loops that straight lines below it read, and loses them where one of these has changed: to walk
    all lines again for each two loops took most of the time of long rows.
    """

    def __init__(self, graph: Graph, home: Mapping[Node, Loop]) -> None:
        self._args = graph.args
        self._home = home
        self._loops: list[Loop] = []  # by the places of their bits, after those of a trial
        self._bits: dict[Loop, int] = {}
        self._lines: dict[Node, int] = {}  # what straight lines read
        self._read: dict[Loop, int] = {}  # what loops read
        self._most: dict[Loop, int] = {}  # what they read at most

    def count(self, loop: Loop) -> int:
        """Return the number of loops that have to come before one, itself among them."""
        return (_Below(self, None, (), ()).all_of(loop) | self.bit(loop)).bit_count()

    def above(self, parts: Iterable[Loop], loops: Sequence[Loop]) -> int:
        """Return the bits of all loops that need one of the parts, and maybe of others.

        None else can need what takes the place of the parts.
        """
        below = _Below(self, None, (), ())
        read = {}
        for loop in loops:
            bits = self._read.get(loop, self._most.get(loop))
            read[self.bit(loop)] = below.read_by(loop) if bits is None else bits
        found, more = 0, self.bits(parts)
        while more:
            found |= more
            more = 0
            for bit, bits in read.items():
                if bits & found and not bit & found:
                    more |= bit
        return found

    def is_below_itself(self, joined: Loop, parts: Iterable[Loop], left: Collection[Node], above: int) -> bool:
        """Whether a loop, at home in place of its parts but for nodes left, needs by way of others what it finds.

        `above` are the loops that need its parts.
        """
        return bool(_Below(self, joined, parts, left).all_of(joined, above, _TRIED) & _TRIED)

    def forget(self, parts: Sequence[Loop], instead: Sequence[Loop]) -> None:
        """Leave out what loops that are none any more were read by; lines that are left of them read what they did."""
        changed, most = self.bits(parts), self._most | self._read
        lines = self.bits(instead)
        for part in parts:
            lines |= most.pop(part)
        lines &= ~changed
        self._most = {loop: bits & ~changed | lines if bits & changed else bits for loop, bits in most.items()}
        self._most |= dict.fromkeys(instead, lines)
        self._lines = {node: bits for node, bits in self._lines.items() if not bits & changed}
        self._read = {loop: bits for loop, bits in self._read.items() if not bits & changed}

    def bit(self, loop: Loop) -> int:
        """Return the bit of a loop."""
        bit = self._bits.get(loop)
        if bit is None:
            bit = self._bits[loop] = 4 << len(self._loops)
            self._loops.append(loop)
        return bit

    def bits(self, loops: Iterable[Loop]) -> int:
        """Return the bits of several loops."""
        found = 0
        for loop in loops:
            found |= self.bit(loop)
        return found


class _Below:
    """What is below a loop, with one on trial; what that does not touch is kept for the next."""

    def __init__(self, known: Reached, tried: Loop | None, parts: Iterable[Loop], left: Collection[Node]) -> None:
        self._known, self._tried, self._left = known, tried, left
        self._changed = known.bits(parts)
        self._lines: dict[Node, int] = {}

    def all_of(self, loop: Loop, among: int = -1, enough: int = 0) -> int:
        """Return the loops that a loop needs, by way of those `among`, until `enough` is found.

        Itself is one of them only where others need it.
        """
        loops = self._known._loops
        found = new = self.read_by(loop)
        new &= among
        while new and not found & enough:
            last = new & -new
            new ^= last
            if last > _TRIED:
                more = self.read_by(loops[last.bit_length() - 3]) & ~found
                found |= more
                new |= more & among
        return found

    def read_by(self, loop: Loop) -> int:
        """Return the loops that a loop reads, straight lines between them or not."""
        kept = self._known._read.get(loop)
        if kept is not None and not kept & self._changed:
            return kept
        args, home = self._known._args, self._known._home
        places = {*range(_ENDS), loop.count // 2, *range(loop.count - _ENDS, loop.count)}
        read = {arg for column in loop.columns for place in places for arg in args[column[place]]}
        bits = 0
        for node in read:
            if home.get(node) is not loop:
                bits |= self._of_node(node)
        if not bits & (_LEFT | _TRIED):
            self._known._read[loop] = bits
        return bits

    def _of_node(self, node: Node) -> int:
        args, waiting = self._known._args, [node]
        while True:
            top = waiting[-1]
            found = self._at_hand(top)
            if found is None:
                found, missing = _LEFT if top in self._left else 0, list[Node]()
                for arg in args[top]:
                    bits = self._at_hand(arg)
                    if bits is None:
                        missing.append(arg)
                    else:
                        found |= bits
                if missing:
                    waiting += missing
                    continue
                lines = self._lines if found & (_LEFT | _TRIED) else self._known._lines
                lines[top] = found
            waiting.pop()
            if not waiting:
                return found

    def _at_hand(self, node: Node) -> int | None:
        known = self._known
        loop = known._home.get(node)
        if loop is not None:
            return _TRIED if loop is self._tried else known.bit(loop)
        bits = self._lines.get(node)
        if bits is None:
            bits = known._lines.get(node)
            if bits is not None and (bits & self._changed or node in self._left):
                return None
        return bits
