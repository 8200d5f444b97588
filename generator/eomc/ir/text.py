"""Nodes as one would write them on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Named, Symbol

# By names of their own: looking up a member of an enumeration takes long.
_CONSTANT, _ADD, _MUL, _NEG, _POWI = Op.CONSTANT, Op.ADD, Op.MUL, Op.NEG, Op.POWI
_UNWRITTEN = frozenset({Op.SOLVE, Op.RESULT})

_INFIX = {Op.ADD: (" + ", 1), Op.SUB: (" - ", 1), Op.MUL: ("*", 2), Op.DIV: ("/", 2)}


def formulas(graph: Graph, nodes: Sequence[Node], longest: int) -> dict[Node, str]:
    """Return nodes as one would write them on paper, "" for those that take more than `longest` characters."""
    written: dict[Node, tuple[str, int]] = {}
    for node in graph.reachable(nodes):
        text = _write(graph, node, written)
        if text is not None and len(text[0]) <= longest:
            written[node] = text
    return {node: written[node][0] if node in written else "" for node in nodes}


def _write(graph: Graph, node: Node, written: Mapping[Node, tuple[str, int]]) -> tuple[str, int] | None:
    """Return text and binding strength, None where the text of an argument is missing."""
    op, data = graph.ops[node], graph.data[node]
    if op is _CONSTANT:
        return _constant(data)
    if isinstance(data, Symbol):
        return data.name, 4
    args = graph.args[node]
    parts = [written[arg] for arg in args if arg in written]
    if op in _UNWRITTEN or len(parts) < len(args):
        return None
    if op in _INFIX:
        sign, strength = _INFIX[op]
        left = _bracket(parts[0], strength)
        right = _bracket(parts[1], strength if op is _ADD or op is _MUL else strength + 1)
        return f"{left}{sign}{right}", strength
    if op is _NEG:
        return f"-{_bracket(parts[0], 2)}", 1
    if op is _POWI:
        return f"{_bracket(parts[0], 4)}^{data}", 3
    return f"{op.value}({', '.join([text for text, _ in parts])})", 4


def _bracket(part: tuple[str, int], strength: int) -> str:
    return part[0] if part[1] >= strength else f"({part[0]})"


def _constant(data: object) -> tuple[str, int]:
    if isinstance(data, Named):
        return data.value, 4
    if isinstance(data, Fraction):
        return f"{data.numerator}/{data.denominator}", 2 if data > 0 else 1
    text = f"{data}"
    return text, 1 if text.startswith("-") else 4
