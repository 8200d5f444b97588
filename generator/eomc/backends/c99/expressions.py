"""Nodes -> C expressions. The schedule bounds their depth, so a recursion over what is written in place is safe."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eomc.backends.c99.spelling import SPELLINGS, Strength, literal
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

# By names of their own: looking up a member of a class takes long.
_ATOM, _SIGN, _SUM = Strength.ATOM, Strength.SIGN, Strength.SUM
_CONSTANT, _NEG, _NE, _EPSILON, _NAN = Op.CONSTANT, Op.NEG, Op.NE, Named.EPSILON, Named.NAN

_INFIX = {op: (f" {one.infix} ", one.strength, one.chains) for op, one in SPELLINGS.items() if one.infix}
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
        name = self._names.get(node)
        return self._compose(node)[0] if name is None else name

    def definition(self, node: Node) -> str:
        """Return the expression that gives a node its value, whether or not it has a name."""
        return self._compose(node)[0]

    def condition(self, node: Node) -> str:
        """Return a truth value in parentheses or as an atom, ready for ``!``."""
        return self._atom(node)

    def _atom(self, node: Node) -> str:
        """Return a name, or else an expression that is put in parentheses unless nothing binds tighter."""
        name = self._names.get(node)
        if name is not None:
            return name
        text, strength = self._compose(node)
        return text if strength == _ATOM else f"({text})"

    def _compose(self, node: Node) -> tuple[str, int]:
        graph, names = self._graph, self._names
        op, args = graph.ops[node], graph.args[node]
        infix = _INFIX.get(op)
        if infix is not None:  # most nodes: what has a name is looked up here
            sign, strength, chains = infix
            first, second = args
            left, right = names.get(first), names.get(second)
            if left is None:
                left, own = self._compose(first)
                # a + b - c and a * b * c read from left to right as they stand, and so does -a + b
                reads_on = own == strength or (own == _SIGN and strength == _SUM)
                if own != _ATOM and not (chains and reads_on):
                    left = f"({left})"
            if right is None:
                right, own = self._compose(second)
                right = right if own == _ATOM else f"({right})"
            return f"{left}{sign}{right}", strength
        spelling = SPELLINGS[op]
        if spelling.call:
            self._used.add(spelling.call)
            called = spelling.call if spelling.call.islower() else f"REAL_{spelling.call}"
            text = f"{called}({', '.join(self.text(arg) for arg in args)})"
            return (f"!{text}" if op is _NE else text), _ATOM
        if op is _CONSTANT:
            data = graph.data[node]
            if data is _EPSILON or data is _NAN:
                self._used.add("EPSILON" if data is _EPSILON else "NAN")
            return literal(data), _ATOM
        if op is _NEG:
            return f"-{self._atom(args[0])}", _SIGN
        if op is Op.NOT:
            return f"!{self._atom(args[0])}", Strength.ATOM
        if op is Op.SELECT:
            condition, yes, no = map(self._atom, args)
            return f"{condition} ? {yes} : {no}", Strength.LOOSE
        if op is Op.POWI:
            return self._power(node)
        if op is Op.RESULT and self._solution is not None:
            return self._solution(node), Strength.ATOM
        raise AssertionError(f"{op} has no expression of its own")

    def _power(self, node: Node) -> tuple[str, int]:
        exponent = self._graph.integer(node)
        base = self._atom(self._graph.args[node][0])
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
