"""Products of power series, order by order: the part of each that lower orders tell.

The coefficient of order k of a product a b is a_0 b_k + a_k b_0 and, in between, the sum of a_j b_(k-j) over 0 < j < k.
Orders 0 and k are written where the product is used; the sum between is a symbol, for a target has a loop for all sums
at once, before anything else of order k is known. The coefficient of order k of a function's recurrence has the terms
j a_j b_(k-j) in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol

_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Product:
    """The sum of a_j b_(k-j), or of j a_j b_(k-j), over 0 < j < k."""

    left: Node
    right: Node
    weighted: bool


class Sums:
    """The sums that recurrences ask for, each once.

    Parameters
    ----------
    graph
        The graph, to which their symbols are added.
    is_solved
        Whether a node is an unknown of a linear system: its coefficients do not come from its arguments.
    """

    def __init__(self, graph: Graph, is_solved: Callable[[Node], bool]) -> None:
        self._graph = graph
        self._is_solved = is_solved
        self._products: dict[Product, Node] = {}
        self._squares: dict[Node, Node] = {}
        self.order = graph.symbol(Symbol(Role.ORDER, 0, "k"))

    @property
    def products(self) -> tuple[Product, ...]:
        """Products of two different series; number i is symbol i of its role."""
        return tuple(self._products)

    @property
    def squares(self) -> tuple[Node, ...]:
        """Series that are squared, likewise."""
        return tuple(self._squares)

    def product(self, a: Node, b: Node) -> Node:
        """Return the sum of a_j b_(k-j) over 0 < j < k."""
        graph = self._graph
        (f, a), (g, b) = self._bare(a), self._bare(b)
        if graph.zero in (f, g):
            return graph.zero
        if a == b:
            return graph.mul(graph.mul(f, g), self._square(a))
        return graph.mul(graph.mul(f, g), self._symbol(Product(min(a, b), max(a, b), weighted=False)))

    def weighted(self, a: Node, b: Node) -> Node:
        """Return the sum of j a_j b_(k-j) over 0 < j < k, over k."""
        graph = self._graph
        (f, a), (g, b) = self._bare(a), self._bare(b)
        if graph.zero in (f, g):
            return graph.zero
        if a == b:  # j and k - j together weigh k
            return graph.mul(graph.mul(f, g), graph.mul(graph.constant(_HALF), self._square(a)))
        share = graph.mul(self._symbol(Product(a, b, weighted=True)), graph.div(graph.one, self.order))
        return graph.mul(graph.mul(f, g), share)

    def _bare(self, node: Node) -> tuple[Node, Node]:
        """Return a series as factor times series, for all orders but 0; the factor is zero where nothing varies.

        What is steady, a factor, a divisor, a sign or a summand, is left out, so that fewer series are different.
        """
        graph = self._graph
        factor = graph.one
        while graph.level[node] == Level.VARYING:
            if self._is_solved(node):
                return factor, node
            op, args = graph.ops[node], graph.args[node]
            if op is Op.NEG:
                factor, node = graph.neg(factor), args[0]
                continue
            steady = [a for a in args if graph.level[a] < Level.VARYING]
            if len(args) != 2 or not steady:
                return factor, node
            first, second = args
            varying = second if first in steady else first
            if op is Op.MUL:
                factor = graph.mul(factor, steady[0])
            elif op is Op.DIV and second in steady:
                factor = graph.div(factor, second)
            elif op is Op.SUB and first in steady:
                factor = graph.neg(factor)
            elif op not in (Op.ADD, Op.SUB):
                return factor, node
            node = varying
        return graph.zero, node

    def _symbol(self, product: Product) -> Node:
        if product not in self._products:
            symbol = Symbol(Role.PRODUCT, len(self._products), f"product {len(self._products)}")
            self._products[product] = self._graph.symbol(symbol)
        return self._products[product]

    def _square(self, node: Node) -> Node:
        if node not in self._squares:
            symbol = Symbol(Role.SQUARE, len(self._squares), f"square {len(self._squares)}")
            self._squares[node] = self._graph.symbol(symbol)
        return self._squares[node]
