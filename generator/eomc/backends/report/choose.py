"""Which nodes get a name of their own: what is long and used more than once, and what would make a formula too long.

As in Autolev, z0, z1, ... stand for them; but a sine, a square or a short product is written wherever it is needed, as
on paper, so that a small model needs none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from eomc.backends.report.forms import Form
from eomc.backends.report.writer import Piece, Writer
from eomc.ir.graph import Node
from eomc.ir.ops import OPS, Kind, Op

SHORT = 28
"""Characters up to which nothing is worth a name."""

SAVING = 64
"""Characters that a name must save."""

LONGEST_SUM = 280
LONGEST_TERM = 96
LONGEST_BRACKET = 72
DEEPEST = 4
"""Nested brackets in one formula."""

_SUMS = (Op.ADD, Op.SUB, Op.NEG)


def choose_named(writer: Writer, roots: Sequence[Node], shown: Collection[Node]) -> frozenset[Node]:
    """Return the nodes that are written by name.

    Parameters
    ----------
    writer
        Of plain text: it decides for all languages.
    roots
        Everything that is printed.
    shown
        Those of the roots that have a name already; they go by it where that is shorter.
    """
    return _Choice(writer, roots, frozenset(shown)).named


class _Choice:
    def __init__(self, writer: Writer, roots: Sequence[Node], shown: frozenset[Node]) -> None:
        self._writer = writer
        self._graph = graph = writer.graph
        self._visible: dict[Node, Piece] = {}
        self._length: dict[Node, int] = {}
        self.named: frozenset[Node] = frozenset()
        named: set[Node] = set()
        order = graph.reachable(roots)
        uses = dict.fromkeys(roots, 0)
        for root in roots:
            uses[root] += root not in shown
        for node in order:
            for argument in graph.args[node]:
                uses[argument] = uses.get(argument, 0) + 1
        for node in order:
            if graph.ops[node] is Op.SOLVE:
                continue
            if graph.ops[node] is Op.RESULT:
                self._visible[node] = self._writer.stand_in(node)
                continue
            piece = self._limited(node, named)
            length = self._length[node] = self._measure(piece)
            self._visible[node] = piece
            if length <= SHORT or not self._may_be_named(node):
                continue
            if node in shown or length * (uses[node] - 1) > SAVING:
                self._name(node, named)
        self.named = frozenset(named)

    def _limited(self, node: Node, named: set[Node]) -> Piece:
        """Return a node's form, with arguments named one by one until it is short enough to be read."""
        args = self._graph.args[node]
        while True:
            piece = self._writer.step(node, [self._visible[a] for a in args])
            if not self._is_too_long(node, piece):
                return piece
            nameable = [a for a in dict.fromkeys(args) if a not in named and self._may_be_named(a)]
            longest = max(nameable, key=self._length.__getitem__, default=None)
            if longest is None or self._length[longest] <= 3:
                return piece
            self._name(longest, named)

    def _is_too_long(self, node: Node, piece: Piece) -> bool:
        if not isinstance(piece, Form):
            return False
        if piece.depth > DEEPEST or self._measure(piece) > LONGEST_SUM:
            return True
        if self._graph.ops[node] in _SUMS:
            return False  # its terms have been looked at
        factors = [factor for term in piece.terms for factor, _ in term.powers]
        is_long = len(piece.terms) == 1 and self._measure(piece) > LONGEST_TERM
        return is_long or any(len(factor.text) > LONGEST_BRACKET for factor in factors)

    def _may_be_named(self, node: Node) -> bool:
        op = self._graph.ops[node]
        return OPS[op].kind is Kind.REAL and op not in (Op.RESULT, Op.NEG)  # a name for what is negated serves as well

    def _name(self, node: Node, named: set[Node]) -> None:
        named.add(node)
        self._visible[node] = self._writer.stand_in(node)

    def _measure(self, piece: Piece) -> int:
        return len(self._writer.text(piece))
