"""Nodes as one would write them on paper."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Named, Symbol

# By names of their own: looking up a member of an enumeration takes long.
_MUL, _NEG, _POWI = Op.MUL, Op.NEG, Op.POWI
_UNWRITTEN = frozenset({Op.SOLVE, Op.RESULT})

_LEFT_OUT = ("...", 4)
_SUMS = (Op.ADD, Op.SUB)

_INFIX = {Op.ADD: (" + ", 1, 1), Op.SUB: (" - ", 1, 2), Op.MUL: ("*", 2, 2), Op.DIV: ("/", 2, 3)}
"""Sign, binding strength, and that which the right operand needs to stand without brackets."""
_RIGHT = {sign: right for sign, _, right in _INFIX.values()}


def formulas(graph: Graph, nodes: Sequence[Node], longest: int) -> dict[Node, str]:
    """Return nodes as one would write them on paper, "" for those that take more than `longest` characters."""
    written = _written(graph, nodes, longest)
    return {node: written[node][0] if node in written else "" for node in nodes}


def outlines(graph: Graph, nodes: Sequence[Node], longest: int) -> dict[Node, str]:
    """Return nodes as one would write them on paper, in at most `longest` characters: three dots stand for the rest.

    What dots alone would stand for, such as a solution of a linear system, is told in words.
    """
    written = _written(graph, nodes, longest)
    outlined = {node: _outline(graph, node, written, longest) for node in nodes}
    return {node: _in_words(graph, node) if text == _LEFT_OUT else text[0] for node, text in outlined.items()}


def _in_words(graph: Graph, node: Node) -> str:
    return "part of the solution of a linear system" if graph.ops[node] in _UNWRITTEN else "a long expression"


def _outline(graph: Graph, node: Node, written: Mapping[Node, tuple[str, int]], room: int) -> tuple[str, int]:
    """Return text, no longer than `room`, and binding strength; each level takes some of the room, so there are few."""
    if node in written and len(written[node][0]) <= room:
        return written[node]
    op, args = graph.ops[node], graph.args[node]
    if op in _UNWRITTEN or not args or room <= len(_LEFT_OUT[0]):
        return _LEFT_OUT
    if op in _SUMS:
        return _outline_some(graph, _operands(graph, node, _SUMS), written, room, 1)
    if op is _MUL:
        return _outline_some(graph, _operands(graph, node, (_MUL,)), written, room, 2)
    parts = [_LEFT_OUT] * len(args)
    best = _compose(graph, node, parts)
    for k, arg in enumerate(args):
        for brackets in (0, 2):  # which its text alone does not tell
            left = room - len(best[0]) + len(_LEFT_OUT[0]) - brackets
            tried = [*parts[:k], _outline(graph, arg, written, left), *parts[k + 1 :]]
            text = _compose(graph, node, tried)
            if len(text[0]) <= room:
                parts, best = tried, text
                break
    return best if len(best[0]) <= room else _LEFT_OUT


def _outline_some(
    graph: Graph,
    operands: Sequence[tuple[str, Node]],
    written: Mapping[Node, tuple[str, int]],
    room: int,
    strength: int,
) -> tuple[str, int]:
    """Return the terms or factors that have room, in their order, or a part of the first; dots are the others."""
    last = f"{operands[0][0]}..."
    text = ""
    for sign, node in operands:
        if node in written:
            own = _bracket(written[node], _RIGHT[sign])
            more = f"{text}{sign}{own}" if text else f"{'-' if sign == ' - ' else ''}{own}"
            text = more if len(more) + len(last) <= room else text
    if not text:
        part = _outline(graph, operands[0][1], written, room - len(last) - 2)
        text = "" if part == _LEFT_OUT else _bracket(part, strength)
    return (f"{text}{last}", strength) if text else _LEFT_OUT


def _operands(graph: Graph, node: Node, ops: Collection[Op]) -> list[tuple[str, Node]]:
    """Return terms or factors with the signs before them, the first ones by the left arguments."""
    found = list[tuple[str, Node]]()
    while graph.ops[node] in ops:
        left, right = graph.args[node]
        found.append((_INFIX[graph.ops[node]][0], right))
        node = left
    return [(_INFIX[next(iter(ops))][0], node), *reversed(found)]


def _written(graph: Graph, nodes: Sequence[Node], longest: int) -> dict[Node, tuple[str, int]]:
    """Return text and binding strength of what nodes are made of, as far as `longest` characters do for it."""
    ops, args, data = graph.ops, graph.args, graph.data
    written: dict[Node, tuple[str, int]] = {}
    for node in graph.reachable(nodes):
        parts = [written[arg] for arg in args[node] if arg in written]
        if len(parts) == len(args[node]) and ops[node] not in _UNWRITTEN:
            text = _compose(graph, node, parts) if parts else _leaf(data[node])
            if len(text[0]) <= longest:
                written[node] = text
    return written


def _compose(graph: Graph, node: Node, parts: Sequence[tuple[str, int]]) -> tuple[str, int]:
    """Return text and binding strength of an operation of arguments that are written."""
    op = graph.ops[node]
    infix = _INFIX.get(op)
    if infix is not None:
        sign, strength, right = infix
        return f"{_bracket(parts[0], strength)}{sign}{_bracket(parts[1], right)}", strength
    if op is _NEG:
        return f"-{_bracket(parts[0], 2)}", 1
    if op is _POWI:
        return f"{_bracket(parts[0], 4)}^{graph.data[node]}", 3
    return f"{op.value}({', '.join([text for text, _ in parts])})", 4


def _bracket(part: tuple[str, int], strength: int) -> str:
    return part[0] if part[1] >= strength else f"({part[0]})"


def _leaf(data: object) -> tuple[str, int]:
    if isinstance(data, Symbol):
        return data.name, 4
    if isinstance(data, Named):
        return data.value, 4
    if isinstance(data, Fraction):
        return f"{data.numerator}/{data.denominator}", 2 if data > 0 else 1
    text = f"{data}"
    return text, 1 if text.startswith("-") else 4
