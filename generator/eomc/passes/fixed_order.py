"""Small systems under constraints, written out for one order of their pivots: straight lines, no search.

The order is that of complete pivoting at the model's start. It is a hint: each call asks whether its pivots serve at
this state, and leaves the rest to the kernel, which searches. So no number decides what a model can do, but only how
fast it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eomc.ir.bordered import find_pivots
from eomc.ir.graph import Node
from eomc.ir.interpreter import Sample
from eomc.ir.program import Program
from eomc.ir.symbols import Role
from eomc.ir.systems import Factorization, SystemSpec
from eomc.passes.written_out import Elimination, FixedOrder

LONGEST = 1000
"""Operations: beyond, a loop is as fast, and shorter."""


class Orders:
    """The systems of a program in fixed orders; those that are alike but for their right sides are written out once.

    Parameters
    ----------
    program
        The program.
    longest
        Operations up to which a system is written out.
    """

    def __init__(self, program: Program, longest: int = LONGEST) -> None:
        variables = (*program.states, *program.inputs, *program.parameters)
        values = {program.time: 0.0} | {one.symbol: one.value for one in variables}
        self._longest = longest
        self._graph = program.graph
        self._start = Sample(program.graph, values)
        self._made: dict[tuple[object, ...], FixedOrder] = {}

    def of(self, system: Node) -> FixedOrder | None:
        """Return X of an eliminated system, written out; None where that is long, or does not serve at the start.

        Parameters
        ----------
        system
            A SOLVE node.
        """
        graph, spec = self._graph, self._graph.system_of(system)
        if spec.factorization is not Factorization.ELIMINATED or not spec.sized:
            return None
        entries = self._start.vector(graph.args[system])
        pivots = find_pivots(spec, entries)
        if len(pivots) < spec.constraints:
            return None
        made = self._written(system, pivots, Elimination.unknowns)
        if made.counts.total > self._longest:
            return None
        there = Sample(made.graph, {made.graph.symbol_of(node): entry for node, entry in _given(spec, made, entries)})
        return made if all(there[condition] for group in made.conditions for condition in group) else None

    def multipliers_of(self, system: Node, fixed: FixedOrder) -> FixedOrder:
        """Return L of a system whose X is written out: from a, from that X in b, and from F_D behind all else there."""
        return self._written(system, fixed.pivots, Elimination.multipliers)

    def _written(
        self, system: Node, pivots: Sequence[tuple[int, int]], way: Callable[[Elimination], FixedOrder]
    ) -> FixedOrder:
        """Return what is written out; once for systems that are alike but for their right sides."""
        graph, spec = self._graph, self._graph.system_of(system)
        given = graph.args[system][: spec.matrix_entries]
        fixed = tuple([node if graph.number(node) is not None else None for node in given])
        key = (way, spec.n, spec.constraints, spec.columns, spec.right_entries, fixed, tuple(pivots))
        if key not in self._made:
            self._made[key] = way(Elimination(spec, list(map(graph.number, given)), pivots))
        return self._made[key]


def _given(spec: SystemSpec, made: FixedOrder, entries: Sequence[float]) -> list[tuple[Node, float]]:
    """Return the symbols with their values: those of a come before those of b."""
    places = {Role.STATE: 0, Role.INPUT: spec.matrix_entries}
    symbols = [(node, made.graph.symbol_of(node)) for node in made.names]
    return [(node, entries[places[symbol.role] + symbol.index]) for node, symbol in symbols]
