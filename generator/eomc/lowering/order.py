"""Our own order of the arguments that SymPy keeps as a set: same input, same bytes, whatever SymPy's version.

Factors and terms are sorted by what they depend on (numbers, then parameters, then what varies, so that products of
parameters come out as one hoistable node), then symbols before compound expressions, then by a structural key that
depends on neither hash seeds nor addresses nor the order in which nodes were born.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from zlib import crc32

from eomc.ir.cone import unmet
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import COMMUTATIVE, Op
from eomc.ir.symbols import Role, Symbol

_MASK = (1 << 64) - 1
_FREE = frozenset({9, 29})  # numbers of ops that are no more: an op keeps its number, and every model its order
_OP_NUMBER = dict(zip(Op, (number for number in itertools.count() if number not in _FREE), strict=False))
_ROLE_NUMBER = {role: number for number, role in enumerate(Role)}


class StructuralOrder:
    """Sorts nodes of one graph by structure."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._keys: dict[Node, int] = {}

    def sorted(self, nodes: Sequence[Node]) -> list[Node]:
        """Return the nodes in structural order."""
        return sorted(nodes, key=self._rank) if len(nodes) > 1 else [*nodes]

    def _rank(self, node: Node) -> tuple[int, int, int, int, int]:
        graph = self._graph
        data = graph.data[node]
        if isinstance(data, Symbol):
            return graph.level[node], 0, _ROLE_NUMBER[data.role], data.index, 0
        return graph.level[node], 1, 0, 0, self._key(node)

    def _key(self, node: Node) -> int:
        graph, keys = self._graph, self._keys
        for new in unmet(node, keys, graph.args.__getitem__):
            key = _OP_NUMBER[graph.ops[new]] * 0x9E3779B97F4A7C15 & _MASK
            data = graph.data[new]
            if data is not None:
                key ^= crc32(repr(data).encode())
            below = [keys[a] for a in graph.args[new]]
            if graph.ops[new] in COMMUTATIVE:
                below.sort()  # the graph keeps them in order of birth
            for a in below:
                key = ((key ^ a) * 0x100000001B3 + (key >> 29)) & _MASK
            keys[new] = key
        return keys[node]
