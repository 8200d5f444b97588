"""A program's functions evaluated at many points at once, in NumPy: what the emitted C computes, without a compiler."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.program import Program
from eomc.ir.symbols import Named, Symbol

__all__ = ["Interpreted", "evaluate"]

_NAMED = {Named.PI: np.pi, Named.E: np.e, Named.EPSILON: np.finfo(float).eps, Named.NAN: np.nan}

RULES: dict[Op, Callable[..., Any]] = {
    Op.ADD: np.add, Op.SUB: np.subtract, Op.MUL: np.multiply, Op.DIV: np.divide, Op.NEG: np.negative,
    Op.SQRT: np.sqrt, Op.SIN: np.sin, Op.COS: np.cos, Op.TAN: np.tan, Op.ASIN: np.arcsin,
    Op.ACOS: np.arccos, Op.ATAN: np.arctan, Op.ATAN2: np.arctan2, Op.SINH: np.sinh, Op.COSH: np.cosh,
    Op.TANH: np.tanh, Op.EXP: np.exp, Op.LOG: np.log, Op.POW: np.power, Op.ABS: np.abs, Op.SIGN: np.sign,
    Op.MIN: np.fmin, Op.MAX: np.fmax, Op.FLOOR: np.floor, Op.MOD: lambda x, y: x - y * np.floor(x / y),
    Op.LT: np.less, Op.LE: np.less_equal, Op.EQ: np.equal, Op.NE: np.not_equal,
    Op.AND: np.logical_and, Op.OR: np.logical_or, Op.NOT: np.logical_not, Op.SELECT: np.where,
}  # fmt: skip


def evaluate(graph: Graph, roots: Sequence[Node], leaves: dict[Symbol, Any], points: int) -> dict[Node, Any]:
    """Return the values of all nodes below some roots, each of shape (points,)."""
    values: dict[Node, Any] = {}
    with np.errstate(all="ignore"):
        for node in graph.reachable(roots):
            op, data = graph.ops[node], graph.data[node]
            args = [values[a] for a in graph.args[node]]
            if op is Op.CONSTANT:
                values[node] = _NAMED[data] if isinstance(data, Named) else float(data)
            elif op is Op.SYMBOL:
                values[node] = leaves[data]
            elif op is Op.POWI:
                values[node] = np.power(np.asarray(args[0], dtype=float), float(data))
            elif op is Op.SOLVE:
                columns = [np.broadcast_to(a, (points,)) for a in args]
                rows = np.stack(columns, axis=1).tolist()
                values[node] = np.array([Sample._solve(data, row) for row in rows]).T
            elif op is Op.RESULT:
                values[node] = args[0][data]
            else:
                values[node] = RULES[op](*args)
    return values


class Interpreted:
    """The functions of a program at several points: arrays of shape (points, results) by the function's name.

    Those that take accelerations are left out.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions = {one.name: one for one in program.functions if not one.accelerations}
        self._sizes: dict[Node, float] = {}

    def at(self, times: Any, states: Any, inputs: Any, parameters: Any, names: Sequence[str] = ()) -> dict[str, Any]:
        """Return the results of the named functions, of all without names; rows are points."""
        program = self.program
        leaves: dict[Symbol, Any] = {program.time: times}
        for variables, table in ((program.states, states), (program.inputs, inputs), (program.parameters, parameters)):
            leaves.update((v.symbol, table[:, i]) for i, v in enumerate(variables))
        chosen = [self.functions[name] for name in names or self.functions]
        roots = [node for function in chosen for node in function.outputs]
        values = evaluate(program.graph, roots, leaves, len(times))
        if not names:
            self._measure(values)
        shape = (len(times),)
        return {
            f.name: np.stack([np.broadcast_to(values[n], shape) for n in f.outputs], axis=1).astype(float)
            for f in chosen
            if f.outputs
        }

    def sizes(self, name: str) -> Any:
        """Return what rounding is relative to, at the first point of the last evaluation: errors that add up."""
        return np.array([self._sizes[node] for node in self.functions[name].outputs])

    def _measure(self, values: dict[Node, Any]) -> None:
        graph, sizes = self.program.graph, {}
        for node, value in values.items():
            op, args = graph.ops[node], graph.args[node]
            own = [sizes[a] for a in args]
            if op is Op.SOLVE:
                sizes[node] = 0.0
                continue
            first = plain = abs(float(np.ravel(value)[0]))
            inner = [abs(float(np.ravel(values[a])[0])) for a in args if graph.ops[a] is not Op.SOLVE]
            if op is Op.ADD or op is Op.SUB:
                first = own[0] + own[1]
            elif op is Op.MUL:
                first = own[0] * inner[1] + inner[0] * own[1]
            elif op is Op.NEG:
                first = own[0]
            elif op is Op.DIV and inner[1]:
                first = (own[0] + plain * own[1]) / inner[1]
            elif op is Op.SELECT:
                first = own[1] if inner[0] else own[2]
            elif op in (Op.SIN, Op.COS):
                first = 1.0 + own[0]
            elif op is Op.POWI and inner[0]:
                first = plain * abs(graph.data[node]) * own[0] / inner[0]
            sizes[node] = first if math.isfinite(first) else plain
        self._sizes = sizes
