"""Constants that hold roots, cosines and sines, as numbers: frames are chosen by what is known in numbers.

They are evaluated with digits to spare, so that they are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Named
from eomc.lowering.vectors import Components, Matrix, each

_DIGITS = 30

_OPS: dict[Op, Callable[..., Any]] = {
    Op.ADD: lambda x, y: x + y,
    Op.SUB: lambda x, y: x - y,
    Op.MUL: lambda x, y: x * y,
    Op.DIV: lambda x, y: x / y,
    Op.NEG: lambda x: -x,
    Op.SQRT: sympy.sqrt,
    Op.SIN: sympy.sin,
    Op.COS: sympy.cos,
}


def settled(graph: Graph, node: Node) -> Node:
    """Return a constant as a number; another node, or one that holds other functions, as it stands."""
    if graph.level[node] != Level.CONSTANT or graph.number(node) is not None:
        return node
    value = _value(graph, node)
    return node if value is None else graph.constant(float(value))


def settled_matrix(graph: Graph, matrix: Matrix) -> Matrix:
    """Return a matrix with its constants as numbers."""
    a, b, c = (settled_vector(graph, row) for row in matrix)
    return a, b, c


def settled_vector(graph: Graph, vector: Components) -> Components:
    """Return components with their constants as numbers."""
    return each(lambda entry: settled(graph, entry), vector)


def _value(graph: Graph, node: Node) -> Any:
    """Return the value of a constant with many digits; None where it holds a function that is not looked at."""
    number = graph.number(node)
    if number is not None:
        return sympy.Rational(str(number)) if not isinstance(number, float) else sympy.Float(number, _DIGITS)
    op = graph.ops[node]
    if op is Op.CONSTANT:
        return sympy.pi.evalf(_DIGITS) if graph.data[node] is Named.PI else None
    values = [_value(graph, argument) for argument in graph.args[node]]
    if any(value is None for value in values):
        return None
    if op is Op.POWI:
        return sympy.N(values[0] ** graph.data[node], _DIGITS)
    return sympy.N(_OPS[op](*values), _DIGITS) if op in _OPS else None
