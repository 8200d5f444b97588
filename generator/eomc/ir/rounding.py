"""Numbers with the size of their terms: how large a value is, and how large the rounding error in it can be.

Every value has a size beside it, in the same unit: first-order error analysis with one unit of rounding for each leaf
and each operation (Higham, *Accuracy and Stability of Numerical Algorithms* (2002), section 3.3). |value| <= `ROUNDING`
times size says that nothing but rounding is left of it. Scaling a unit scales both, so that no answer depends on units.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Iterable, Sequence
from operator import mul
from typing import Any, TypeAlias

from eomc.ir.bordered import independent_constraints
from eomc.ir.cone import above
from eomc.ir.elimination import diagonal, solve
from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample, value_of
from eomc.ir.ops import LEAST, OPS, Break, Growth, Kind, Op, OpSpec, ops_with
from eomc.ir.systems import SystemSpec

Number: TypeAlias = tuple[float, float]  # value, size of its terms

_ADD, _SUB, _MUL = Op.ADD, Op.SUB, Op.MUL  # by names of their own: looking up a member of an enumeration takes long
_EPSILON = sys.float_info.epsilon
ROUNDINGS = 16.0
"""So many distances of one from the next number are rounding."""

ROUNDING = ROUNDINGS * _EPSILON
"""A value that is smaller in proportion to its size is rounding."""

_KINKS = ops_with(lambda row: row.breaks is not Break.NOWHERE)
"""What holds on one side of a kink, a jump or a cut says nothing of the other."""


def is_rounding(number: Number, known: float = ROUNDING) -> bool:
    """Whether nothing is left of a value that is known to a share of its size; never of one without a size."""
    return abs(number[0]) <= known * number[1] < math.inf


class Rounded(Sample):
    """Values of a graph at one point together with their sizes; a size is NaN where a value tells nothing.

    That is where a term vanishes beside another though it is no rounding itself, where a product is too small for
    its digits, and where a function is saturated or has an infinite slope.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._sizes: dict[Node, Any] = {}  # of a SOLVE node those of its whole solution

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self._graph

    def number(self, node: Node) -> Number:
        """Return the value of a node and its size."""
        size = self.size(node)
        return self._values[node], size

    def sized(self, node: Node) -> Number:
        """Return the value of a node and its size; a value that tells nothing about itself counts as exact."""
        value, size = self.number(node)
        return value, size if math.isfinite(size) else abs(value)

    def size(self, node: Node) -> float:
        """Return the size of a node's terms."""
        if node not in self._sizes:
            self.look_at([node])
        found: float = self._sizes[node] if math.isfinite(self._values[node]) else math.nan
        return found

    def look_at(self, nodes: Iterable[Node]) -> None:
        """Find values and sizes of several nodes, and of what they are made of, at once."""
        self.sized_along(above(self._graph, nodes, self._sizes))

    def sized_along(self, order: Sequence[Node]) -> None:
        """Evaluate nodes and their sizes, each after what it is made of."""
        values, sizes, ops, all_args = self._values, self._sizes, self._graph.ops, self._graph.args
        nan, infinite = math.nan, math.inf
        for node in order:
            op, args = ops[node], all_args[node]
            if op is _MUL or op is _ADD or op is _SUB:  # most nodes, without detours
                x, y = args
                a, b, s, t = values[x], values[y], sizes[x], sizes[y]
                if op is _MUL:
                    value = a * b
                    grown = abs(a) * t + abs(b) * s if abs(value) > LEAST or not (a and b) else nan
                else:
                    value = a + b if op is _ADD else a - b
                    told = (not a or abs(a) >= _EPSILON * t or is_rounding((a, s))) and (
                        not b or abs(b) >= _EPSILON * s or is_rounding((b, t))
                    )
                    grown = s + t if told else nan  # else the sum does not tell of one term
                values[node] = value
                sizes[node] = grown + abs(value) if grown < infinite else nan
                continue
            if node not in values:
                values[node] = self._evaluate(node, values)
            if node not in sizes:
                sizes[node] = self._size(node, args)

    def _size(self, node: Node, args: tuple[Node, ...]) -> Any:
        """Return the size of a node; its value is known, and so are the values and sizes of its arguments."""
        op, values, sizes = self._graph.ops[node], self._values, self._sizes
        data = self._graph.data[node]
        if isinstance(data, SystemSpec):
            return _solution_sizes(data, [(values[a], sizes[a]) for a in args], values[node])
        value = values[node]
        if not args or self._graph.kind(node) is Kind.BOOLEAN:
            return abs(value)
        if op is Op.RESULT:
            return sizes[args[0]][data]
        try:
            grown = _GROWTHS[op](value, [values[a] for a in args], [sizes[a] for a in args], data)
        except (ArithmeticError, ValueError):
            return math.nan
        return grown + abs(value) if math.isfinite(grown) else math.nan


class FreeKinks(Rounded):
    """Values in which each op with a kink has a value of its own, as if it were one more variable.

    What is zero then is so on both sides of every kink.
    """

    def _evaluate(self, node: Node, values: Any) -> Any:
        if self._graph.ops[node] in _KINKS:
            return self.drawn(f"kink {node}")
        return super()._evaluate(node, values)

    def _size(self, node: Node, args: tuple[Node, ...]) -> Any:
        return abs(self[node]) if self._graph.ops[node] in _KINKS else super()._size(node, args)


# -- how sizes grow through the ops ----------------------------------------------------------------------------------


class _Floats:
    """The arithmetic of floats, by the names that the rules for partial derivatives use."""

    zero, one, constant = 0.0, 1.0, value_of
    add, sub, mul, div = operator.add, operator.sub, operator.mul, operator.truediv
    neg, powi = operator.neg, operator.pow

    @staticmethod
    def unary(op: Op, *args: float) -> Any:
        """Return the value of an op."""
        rule = OPS[op].evaluate
        assert rule is not None
        return rule(*args)

    binary = unary


def _by_partials(row: OpSpec) -> Growth:
    """Return the rule of first order: the sizes of the arguments, each times the magnitude of its slope."""

    def growth(value: float, v: Sequence[float], s: Sequence[float], data: Any) -> float:
        if not any(s):
            return 0.0  # the arguments are exact; a slope may be infinite
        assert row.partial is not None
        return float(sum(map(mul, map(abs, row.partial(_Floats, value, v, data)), s)))

    return growth


_GROWTHS = {op: row.growth or _by_partials(row) for op, row in OPS.items()}


def _solution_sizes(spec: SystemSpec, entries: Sequence[Number], solution: Sequence[float]) -> list[float]:
    """Return |A^-1| (S_A |x| + S_b) of A x = b; NaN for the multipliers where rows are redundant."""
    columns, kept = spec.columns, independent_constraints(spec, [value for value, _ in entries])
    places = [*range(spec.n), *(spec.n + k for k in kept)]
    matrix, sizes = (
        [[row[j] for j in places] for row in (whole[i] for i in places)]
        for whole in (spec.whole([entry[part] for entry in entries], 0.0) for part in (0, 1))
    )
    n = len(places)
    inverse = solve(matrix, diagonal([1.0] * n, n))
    beside = [size for _, size in entries[spec.matrix_entries :]]
    found = [math.nan] * len(solution)
    known = places if n == spec.rows else places[: spec.n]
    for c in range(columns):
        x = [abs(solution[place * columns + c]) for place in places]
        errors = [sum(map(mul, row, x)) + beside[place * columns + c] for row, place in zip(sizes, places, strict=True)]
        for place, row, own in zip(known, inverse, x, strict=False):
            found[place * columns + c] = sum(abs(a) * e for a, e in zip(row, errors, strict=True)) + own
    return found
