"""Evaluate a growing graph at one point, in plain Python floats.

The oracle for tests and the eye of the derivation, which looks at random points to see whether two velocities are the
same function or whether a matrix is singular. A failing operation (0/0, log of a negative number) yields NaN.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from eomc.ir.bordered import solve_bordered
from eomc.ir.cone import above
from eomc.ir.elimination import diagonal, solve, symmetric
from eomc.ir.graph import Data, Graph, Node
from eomc.ir.ops import OPS
from eomc.ir.symbols import Named, Symbol
from eomc.ir.systems import Factorization, SystemSpec

_NAMED = {Named.PI: math.pi, Named.E: math.e, Named.EPSILON: sys.float_info.epsilon, Named.NAN: math.nan}


def value_of(constant: Data) -> float:
    """Return the value of a constant."""
    return _NAMED[constant] if isinstance(constant, Named) else float(constant)  # type: ignore[arg-type]  # others are numbers


class Sample:
    """Values of the nodes of a graph at one point, each evaluated when it is first asked for; the graph may grow.

    Parameters
    ----------
    graph
        The graph; nodes may be added after construction.
    values
        Numbers for symbols.
    seed
        When given, a symbol without a value gets a random one in (0.2, 1.2), the same for the same seed; otherwise NaN.
    """

    def __init__(self, graph: Graph, values: Mapping[Symbol, float], seed: int | None = None) -> None:
        self._graph = graph
        self._symbols = dict(values)
        self._seed = seed
        self._values: dict[Node, Any] = {}  # a SOLVE node's value is its whole solution

    def __getitem__(self, node: Node) -> float:
        """Return the value of a node (a truth value for a boolean node)."""
        known: float | None = self._values.get(node)
        return self.vector([node])[0] if known is None else known

    def vector(self, nodes: Sequence[Node]) -> list[float]:
        """Return the values of several nodes."""
        values = self._values
        missing = [node for node in nodes if node not in values]
        if missing:
            for below in above(self._graph, missing, values):
                values[below] = self._evaluate(below, values)
        return [values[node] for node in nodes]

    def along(self, order: Sequence[Node]) -> None:
        """Evaluate nodes, each after what it is made of: who asks for the same at many points finds that order once."""
        values = self._values
        for node in order:
            if node not in values:
                values[node] = self._evaluate(node, values)

    def _evaluate(self, node: Node, values: Mapping[Node, Any]) -> Any:
        op, args = self._graph.ops[node], self._graph.args[node]
        data, rule = self._graph.data[node], OPS[op].evaluate
        try:
            if rule is None:
                return self._special(data, [values[a] for a in args])
            return rule(*[values[a] for a in args]) if data is None else rule(*[values[a] for a in args], data)
        except (ArithmeticError, ValueError):
            return math.nan

    def _special(self, data: Data, entries: list[float]) -> Any:
        """Return the value of a leaf or the solution of a linear system."""
        if isinstance(data, Symbol):
            value = self._symbols.get(data)
            return self.drawn(f"{data.role.value} {data.index}") if value is None else value
        return self._solve(data, entries) if isinstance(data, SystemSpec) else value_of(data)

    def drawn(self, what: str) -> float:
        """Return a random number for something without a value, whatever the order in which it is asked for."""
        if self._seed is None:
            return math.nan
        digest = hashlib.blake2b(f"{self._seed} {what}".encode(), digest_size=8).digest()
        return 0.2 + int.from_bytes(digest, "big") / 2.0**64

    @staticmethod
    def _solve(spec: SystemSpec, entries: list[float]) -> list[float]:
        n, columns = spec.n, spec.columns
        if spec.constraints:
            return solve_bordered(spec, entries)
        sizes = entries[spec.entries : spec.matrix_entries]
        right = [entries[spec.matrix_entries + i * columns :][:columns] for i in range(n)]
        if spec.factorization is Factorization.LDLT:
            solution = solve(symmetric(n, entries), right, diagonal(sizes, n), definite=True)
        else:
            matrix, beside = ([part[i * n : (i + 1) * n] for i in range(n)] for part in (entries, sizes))
            solution = solve(matrix, right, beside if sizes else None)
        return [x for row in solution for x in row]
