"""Own functions without branches, which compilers turn into vectors where a loop calls them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.mathematics import OWN_FUNCTIONS, OwnFunction
from eomc.backends.c99.spelling import SPELLINGS
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op

TURNS = {Op.SIN: "sin", Op.COS: "cos"}

CORES: dict[Op, OwnFunction] = {
    op: record
    for op, spelling in SPELLINGS.items()
    if (record := OWN_FUNCTIONS.get(spelling.call.lower())) is not None and record.range is not None
}
"""Own functions that compilers turn into vectors."""


class Cores:
    """Calls of such functions among some nodes; `ranges` gathers the tests of their arguments.

    Parameters
    ----------
    graph
        Where the nodes are.
    nodes
        All that are computed: one call serves the sine and the cosine of an angle.
    used
        Macros and helper functions that the text calls; added to.
    """

    def __init__(self, graph: Graph, nodes: Iterable[Node], used: set[str]) -> None:
        self._graph = graph
        self._used = used
        angles = Counter(graph.args[node] for node in nodes if graph.ops[node] in TURNS)
        self._turned = {angle for angle, times in angles.items() if times == len(TURNS)}
        self.ranges: dict[str, None] = {}

    def call(self, node: Node, printer: Printer) -> str:
        """Return the call of a function without branches; "" where there is none."""
        record = CORES.get(self._graph.ops[node])
        if record is None or record.core is None:
            return ""
        (argument,) = (printer.text(arg) for arg in self._graph.args[node])
        if record.range:
            self._used.add(record.range)
            self.ranges[f"    in_range &= real_{record.range}({argument});"] = None
        if record.name in TURNS.values() and self._graph.args[node] in self._turned:
            self._used.add("sincos_core")  # the compiler makes one of both calls
            return f"{OWN_FUNCTIONS['sincos'].core}({argument}).{record.name}"
        alone = f"{record.name}_core"
        self._used.add(alone if alone in OWN_FUNCTIONS else record.name)
        return f"{record.core}({argument})"
