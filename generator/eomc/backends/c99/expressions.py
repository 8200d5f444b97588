"""Nodes -> C expressions. The schedule bounds their depth, so a recursion over what is written in place is safe."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eomc.backends.c99.spelling import SPELLINGS, Strength, literal
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

_LARGEST_PRODUCT = 16  # integer powers up to this are written as products


class Printer:
    """Spells expressions down to the nodes that have a name, and keeps count of what it called.

    Parameters
    ----------
    graph
        Where the nodes are.
    names
        Text of every node that is not written in place.
    used
        Keys of macros and helper functions; added to while printing.
    solution
        Returns the text of a RESULT node; None where there are no linear systems.
    """

    def __init__(
        self,
        graph: Graph,
        names: Mapping[Node, str],
        used: set[str],
        solution: Callable[[Node], str] | None = None,
    ) -> None:
        self._graph = graph
        self._names = names
        self._used = used
        self._solution = solution

    def text(self, node: Node) -> str:
        """Return a node as it is read: its name, or else its expression."""
        return self._write(node)[0]

    def definition(self, node: Node) -> str:
        """Return the expression that gives a node its value, whether or not it has a name."""
        return self._compose(node)[0]

    def condition(self, node: Node) -> str:
        """Return a truth value in parentheses or as an atom, ready for ``!``."""
        return self._bracket(node, Strength.ATOM)

    def _write(self, node: Node) -> tuple[str, int]:
        name = self._names.get(node)
        return (name, Strength.ATOM) if name is not None else self._compose(node)

    def _bracket(self, node: Node, needed: int) -> str:
        name = self._names.get(node)
        if name is not None:
            return name
        text, strength = self._compose(node)
        return text if strength >= needed else f"({text})"

    def _compose(self, node: Node) -> tuple[str, int]:
        graph = self._graph
        op, args = graph.ops[node], graph.args[node]
        spelling = SPELLINGS[op]
        if spelling.infix:
            if spelling.chains:
                left = self._chain(args[0], spelling.strength)
            else:
                left = self._bracket(args[0], Strength.ATOM)
            return f"{left} {spelling.infix} {self._bracket(args[1], Strength.ATOM)}", spelling.strength
        if spelling.call:
            self._used.add(spelling.call)
            called = spelling.call if spelling.call.islower() else f"REAL_{spelling.call}"
            text = f"{called}({', '.join(self._write(arg)[0] for arg in args)})"
            return (f"!{text}" if op is Op.NE else text), Strength.ATOM
        if op is Op.CONSTANT:
            data = graph.data[node]
            if data in (Named.EPSILON, Named.NAN):
                self._used.add("EPSILON" if data is Named.EPSILON else "NAN")
            return literal(data), Strength.ATOM
        if op is Op.NEG:
            return f"-{self._bracket(args[0], Strength.ATOM)}", Strength.SIGN
        if op is Op.NOT:
            return f"!{self._bracket(args[0], Strength.ATOM)}", Strength.ATOM
        if op is Op.SELECT:
            condition, yes, no = (self._bracket(arg, Strength.ATOM) for arg in args)
            return f"{condition} ? {yes} : {no}", Strength.LOOSE
        if op is Op.POWI:
            return self._power(node)
        if op is Op.RESULT and self._solution is not None:
            return self._solution(node), Strength.ATOM
        raise AssertionError(f"{op} has no expression of its own")

    def _chain(self, node: Node, strength: int) -> str:
        """Return a left operand: ``a + b - c`` and ``a * b * c`` read from left to right as they stand."""
        name = self._names.get(node)
        if name is not None:
            return name
        text, own = self._compose(node)
        if own == strength or own == Strength.ATOM or (own == Strength.SIGN and strength == Strength.SUM):
            return text
        return f"({text})"

    def _power(self, node: Node) -> tuple[str, int]:
        exponent = self._graph.integer(node)
        base = self._bracket(self._graph.args[node][0], Strength.ATOM)
        if abs(exponent) > _LARGEST_PRODUCT:
            self._used.add("POW")
            return f"REAL_POW({base}, {literal(exponent)})", Strength.ATOM
        product = _product(base, abs(exponent))
        if exponent > 0:
            return product, Strength.PRODUCT
        divisor = product if exponent == -1 else f"({product})"
        return f"{literal(1)} / {divisor}", Strength.QUOTIENT


def _product(base: str, exponent: int) -> str:
    """Return repeated squaring, spelled out: the sixth power of x is ``(x * x * x) * (x * x * x)``."""
    if exponent <= 3:
        return " * ".join([base] * exponent)
    half = _product(base, exponent // 2)
    square = f"({half}) * ({half})"
    return f"{square} * {base}" if exponent % 2 else square
