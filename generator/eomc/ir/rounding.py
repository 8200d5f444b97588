"""Numbers with the size of their terms: how large a value is, and how large the rounding error in it can be.

Every value has a size beside it, in the same unit: first-order error analysis with one unit of rounding for each leaf
and each operation (Higham, *Accuracy and Stability of Numerical Algorithms* (2002), section 3.3). |value| <= `ROUNDING`
times size says that nothing but rounding is left of it. Scaling a unit scales both, so that no answer depends on units.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from operator import mul
from typing import Any, TypeAlias

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample, independent_constraints, solve_dense
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.systems import SystemSpec

__all__ = ["GROWTHS", "KINKS", "ROUNDING", "FreeKinks", "Number", "Rounded", "is_rounding"]

Number: TypeAlias = tuple[float, float]  # value, size of its terms

_ADD, _SUB, _MUL = Op.ADD, Op.SUB, Op.MUL  # by names of their own: looking up a member of an enumeration takes long
_EPSILON = sys.float_info.epsilon
ROUNDING = 16.0 * _EPSILON
"""A value that is smaller in proportion to its size is rounding."""
_LEAST = 1e-290  # products below this lose digits
_SATURATED = 15.0  # tanh(15) = 1 - 2e-13: what it varies with is nearly gone

KINKS = frozenset({Op.ABS, Op.SIGN, Op.MIN, Op.MAX, Op.FLOOR, Op.MOD, Op.SELECT, Op.ATAN2})
"""Ops with a kink, a jump or a cut: what holds on one side says nothing of the other."""


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
        return self[node], self.size(node)

    def size(self, node: Node) -> float:
        """Return the size of a node's terms."""
        value, sizes = self[node], self._sizes
        if node not in sizes:
            for below in self._below(node, sizes):
                sizes[below] = self._size(below, self._graph.args[below])
        found: float = sizes[node] if math.isfinite(value) else math.nan
        return found

    def _size(self, node: Node, args: tuple[Node, ...]) -> Any:
        """Return the size of a node whose value, and the values and sizes of whose arguments, are known."""
        op, values, sizes = self._graph.ops[node], self._values, self._sizes
        if op is _MUL or op is _ADD or op is _SUB:  # most nodes, without detours
            x, y = args
            a, b, s, t = values[x], values[y], sizes[x], sizes[y]
            if op is _MUL:
                value = a * b
                grown = abs(a) * t + abs(b) * s if abs(value) > _LEAST or not (a and b) else math.nan
            else:
                value = values[node]
                told = (not a or abs(a) >= _EPSILON * t or is_rounding((a, s))) and (
                    not b or abs(b) >= _EPSILON * s or is_rounding((b, t))
                )
                grown = s + t if told else math.nan  # else the sum does not tell of one term
            return grown + abs(value) if grown < math.inf else math.nan
        data = self._graph.data[node]
        if isinstance(data, SystemSpec):
            return _solution_sizes(data, [(values[a], sizes[a]) for a in args], values[node])
        value = values[node]
        if not args or self._graph.kind(node) is Kind.BOOLEAN:
            return abs(value)
        if op is Op.RESULT:
            return sizes[args[0]][data]
        try:
            grown = GROWTHS[op](value, [values[a] for a in args], [sizes[a] for a in args], data)
        except (ArithmeticError, ValueError):
            return math.nan
        return grown + abs(value) if math.isfinite(grown) else math.nan


class FreeKinks(Rounded):
    """Values in which each op with a kink has a value of its own, as if it were one more variable.

    What is zero then is so on both sides of every kink.
    """

    def _evaluate(self, node: Node, values: Any) -> Any:
        if self._graph.ops[node] in KINKS:
            return self.drawn(f"kink {node}")
        return super()._evaluate(node, values)

    def _size(self, node: Node, args: tuple[Node, ...]) -> Any:
        return abs(self[node]) if self._graph.ops[node] in KINKS else super()._size(node, args)


# -- how sizes grow through the ops ----------------------------------------------------------------------------------

_Growth: TypeAlias = Callable[[float, Sequence[float], Sequence[float], Any], float]


def _quotient(value: float, v: Sequence[float], s: Sequence[float], data: Any) -> float:
    if v[0] and abs(value) < _LEAST:
        return math.nan
    return (s[0] + abs(value) * s[1]) / abs(v[1])


def _by_slope(slope: Callable[[float, float, Any], float]) -> _Growth:
    """Return the rule of a function of one argument x from its slope, which is given value, x and data."""

    def growth(value: float, v: Sequence[float], s: Sequence[float], data: Any) -> float:
        return abs(slope(value, v[0], data)) * s[0] if s[0] else 0.0

    return growth


def _power_slope(value: float, x: float, n: Any) -> float:
    if x and abs(value) < _LEAST:
        return math.nan
    return float(n * x ** (n - 1))


def _tanh_slope(value: float, x: float, data: Any) -> float:
    return 1.0 - value * value if abs(x) < _SATURATED else math.nan


def _exp_slope(value: float, x: float, data: Any) -> float:
    return value if value > _LEAST else math.nan


def _kept(value: float, v: Sequence[float], s: Sequence[float], data: Any) -> float:
    return max(s)


def _remainder(value: float, v: Sequence[float], s: Sequence[float], data: Any) -> float:
    return s[0] + abs(math.floor(v[0] / v[1])) * s[1]


def _angle(value: float, v: Sequence[float], s: Sequence[float], data: Any) -> float:
    y, x = v
    return (abs(x) * s[0] + abs(y) * s[1]) / (x * x + y * y)


def _general_power(value: float, v: Sequence[float], s: Sequence[float], data: Any) -> float:
    return abs(v[1] * value / v[0]) * s[0] + abs(value * math.log(v[0])) * s[1]


def _root_of_squares(value: float, v: Sequence[float], s: Sequence[float], data: Any) -> float:
    return (abs(v[0]) * s[0] + abs(v[1]) * s[1]) / value


def _step(value: float, v: Sequence[float], s: Sequence[float], data: Any) -> float:
    return 0.0


_SPECIAL = (Op.CONSTANT, Op.SYMBOL, Op.SOLVE, Op.RESULT)
GROWTHS: dict[Op, _Growth] = {
    **{op: _step for op, spec in OPS.items() if spec.kind is Kind.BOOLEAN or op in _SPECIAL},
    **dict.fromkeys((_ADD, _SUB, _MUL), _step),  # have their rules where most time goes
    Op.DIV: _quotient,
    Op.NEG: _kept,
    Op.POWI: _by_slope(_power_slope),
    Op.SQRT: _by_slope(lambda value, x, _: 0.5 / value),
    Op.CBRT: _by_slope(lambda value, x, _: 1.0 / (3.0 * value * value)),
    Op.SIN: _by_slope(lambda value, x, _: math.cos(x)),
    Op.COS: _by_slope(lambda value, x, _: math.sin(x)),
    Op.TAN: _by_slope(lambda value, x, _: 1.0 + value * value),
    Op.ASIN: _by_slope(lambda value, x, _: 1.0 / math.sqrt(1.0 - x * x)),
    Op.ACOS: _by_slope(lambda value, x, _: 1.0 / math.sqrt(1.0 - x * x)),
    Op.ATAN: _by_slope(lambda value, x, _: 1.0 / (1.0 + x * x)),
    Op.ATAN2: _angle,
    Op.SINH: _by_slope(lambda value, x, _: math.cosh(x)),
    Op.COSH: _by_slope(lambda value, x, _: math.sinh(x)),
    Op.TANH: _by_slope(_tanh_slope),
    Op.EXP: _by_slope(_exp_slope),
    Op.LOG: _by_slope(lambda value, x, _: 1.0 / x),
    Op.POW: _general_power,
    Op.ABS: _kept,
    Op.SIGN: _step,
    Op.MIN: _kept,
    Op.MAX: _kept,
    Op.FLOOR: _step,
    Op.MOD: _remainder,
    Op.HYPOT: _root_of_squares,
    Op.SELECT: _kept,
}


def _solution_sizes(spec: SystemSpec, entries: Sequence[Number], solution: Sequence[float]) -> list[float]:
    """Return |A^-1| (S_A |x| + S_b) of A x = b; NaN for the multipliers where rows are redundant."""
    columns, kept = spec.columns, independent_constraints(spec, [value for value, _ in entries])
    places = [*range(spec.n), *(spec.n + k for k in kept)]
    matrix, sizes = (
        [[row[j] for j in places] for row in (whole[i] for i in places)]
        for whole in (_whole(spec, [entry[part] for entry in entries]) for part in (0, 1))
    )
    n = len(places)
    inverse = solve_dense(matrix, [[float(i == j) for j in range(n)] for i in range(n)])
    beside = [size for _, size in entries[spec.matrix_entries :]]
    found = [math.nan] * len(solution)
    known = places if n == spec.rows else places[: spec.n]
    for c in range(columns):
        x = [abs(solution[place * columns + c]) for place in places]
        errors = [sum(map(mul, row, x)) + beside[place * columns + c] for row, place in zip(sizes, places, strict=True)]
        for place, row, own in zip(known, inverse, x, strict=False):
            found[place * columns + c] = sum(abs(a) * e for a, e in zip(row, errors, strict=True)) + own
    return found


def _whole(spec: SystemSpec, entries: Sequence[float]) -> list[list[float]]:
    """Return the whole matrix of a system from its leading arguments."""
    matrix = [[0.0] * spec.rows for _ in range(spec.rows)]
    for (i, j), entry in zip(spec.places, entries, strict=False):
        matrix[i][j] = entry
        if spec.symmetric:
            matrix[j][i] = entry
    return matrix
