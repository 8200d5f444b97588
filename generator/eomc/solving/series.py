"""The power series of a motion in time: what is computed at order 0, and what at every order after it.

With x' = f(t, x) the coefficients of x follow from those of f one after the other: x_(k+1) = f_k / (k + 1). Those of
f at order k are linear in those of x at order k: all that is not linear stands in values at order 0 and in sums over
lower orders. So order 0 is one function of the graph and order k > 0 another, the same for every k.

A linear system A x = b obeys A_0 x_k = b_k - A_k x_0 - sum of A_j x_(k-j): the factors of A_0 are values at order 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eomc.ir.equations import LinearSystem
from eomc.ir.graph import Graph, Level, Node, Rows
from eomc.ir.symbols import Role, Symbol
from eomc.passes.substitute import Substitution
from eomc.solving.recurrences import recurrence_of
from eomc.solving.solved import Solved, Systems
from eomc.solving.sums import Sums


@dataclass(frozen=True, slots=True)
class Series:
    """Nodes of one graph; those of order k hold symbols of the roles TERM, PRODUCT, SQUARE, KEPT and ORDER alone."""

    kept: tuple[Node, ...]  # at order 0: what order k reads
    rates: tuple[Node, ...]  # at order k
    left: tuple[Node, ...]  # first factors of the products at order k, times k where they are weighted
    right: tuple[Node, ...]  # second factors
    squares: tuple[Node, ...]  # what is squared


def make_series(
    graph: Graph, rates: Sequence[Node], terms: Mapping[Node, Node], systems: Iterable[LinearSystem]
) -> Series:
    """Return how the power series of rates are computed.

    Parameters
    ----------
    graph
        The graph, to which nodes are added.
    rates
        Functions of time, states, inputs and parameters.
    terms
        Symbol of time, a state or an input -> symbol of its coefficient of order k.
    systems
        Linear systems that were written out on the way to the rates.

    Raises
    ------
    UnsupportedError
        A rate has no power series: it has a kink or a jump.
    """
    orders = _Orders(graph, terms, systems)
    of_rates = orders.all(rates)
    left, right = list[Node](), list[Node]()
    squares = list[Node]()
    while len(left) < len(orders.sums.products) or len(squares) < len(orders.sums.squares):
        for product in orders.sums.products[len(left) :]:
            first, second = orders.all([product.left, product.right])
            left.append(graph.mul(orders.sums.order, first) if product.weighted else first)
            right.append(second)
        squares += orders.all(orders.sums.squares[len(squares) :])
    return _apart(graph, orders, (of_rates, left, right, squares))


def _apart(graph: Graph, orders: _Orders, nodes: tuple[Sequence[Node], ...]) -> Series:
    """Return the nodes of order k with symbols in place of what is known at order 0."""
    bits = graph.bits(orders.symbols)
    kept: set[Node] = set()
    seen: set[Node] = set()
    stack = [node for group in nodes for node in group]
    while stack:
        node = stack.pop()
        if node in seen or graph.level[node] < Level.VARYING:
            continue
        seen.add(node)
        if graph.holds[node] & bits:
            stack += graph.args[node]
        else:
            kept.add(node)
    ordered = sorted(kept)
    symbols = [graph.symbol(Symbol(Role.KEPT, i, f"kept {i}")) for i in range(len(ordered))]
    replaced = Substitution(graph, dict(zip(ordered, symbols, strict=True)))
    return Series(tuple(ordered), *(tuple(replaced.all(group)) for group in nodes))


class _Orders:
    """The coefficients of order k of the nodes of a graph, remembered."""

    def __init__(self, graph: Graph, terms: Mapping[Node, Node], systems: Iterable[LinearSystem]) -> None:
        self.graph = graph
        self._terms = terms
        self._known: dict[Node, Node] = dict(terms)
        self._systems = Systems(graph, systems, terms)
        self.sums = Sums(graph, lambda node: self._systems.of(node) is not None)

    def __getitem__(self, node: Node) -> Node:
        return self._known[node]

    @property
    def symbols(self) -> list[Node]:
        """The symbols of order k."""
        graph, sums = self.graph, self.sums
        numbered = ((Role.PRODUCT, len(sums.products)), (Role.SQUARE, len(sums.squares)))
        made = [Symbol(role, i, f"{role.value} {i}") for role, count in numbered for i in range(count)]
        return [*self._terms.values(), sums.order, *map(graph.symbol, made)]

    def all(self, nodes: Sequence[Node]) -> list[Node]:
        """Return the coefficients of some nodes."""
        known, graph = self._known, self.graph
        stack = list(nodes)
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
            elif graph.level[node] < Level.VARYING:
                known[node] = graph.zero
            else:
                self._visit(node, stack)
        return [known[node] for node in nodes]

    def _visit(self, node: Node, stack: list[Node]) -> None:
        """Find the coefficient of a node, or put on the stack what it waits for."""
        known, graph = self._known, self.graph
        system = self._systems.of(node)
        row = None if system else recurrence_of(graph, node)
        other = row.rewriting(graph, node) if row else node
        needed = system.arguments if system else [other] if other != node else graph.args[node]
        missing = [a for a in needed if a not in known and graph.level[a] == Level.VARYING]
        if missing:
            stack += missing
            return
        known.update((a, graph.zero) for a in needed if a not in known)
        if system:
            self._solve(system)
        elif row:
            known[node] = known[other] if other != node else row.rule(self, node)

    def _solve(self, system: Solved) -> None:
        """Find the coefficients of the unknowns of a linear system."""
        graph, known = self.graph, self._known
        right = []
        for entries, sides in zip(system.matrix, system.right, strict=True):
            row = [known[side] for side in sides]
            for entry, unknowns in zip(entries, system.solution, strict=True):
                for c, unknown in enumerate(unknowns):
                    taken = graph.add(graph.mul(known[entry], unknown), self.sums.product(entry, unknown))
                    row[c] = graph.sub(row[c], taken)
            right.append(row)
        for unknowns, values in zip(system.solution, self._again(system, right), strict=True):
            for unknown, value in zip(unknowns, values, strict=True):
                known.setdefault(unknown, value)

    def _again(self, system: Solved, right: Rows) -> Rows:
        """Return X of A_0 X = right: by the factors that are written out, by the inverse that a kernel finds once."""
        graph = self.graph
        if not system.at_once:  # of several right sides pivots are inverted, which is then done at order 0
            return [row[:-1] for row in system.again(graph, [[*row, graph.zero] for row in right])]
        n = len(right)
        inverse = system.again(graph, [[graph.one if i == j else graph.zero for j in range(n)] for i in range(n)])
        columns = list(zip(*right, strict=True))
        return [[graph.sum(map(graph.mul, row, column)) for column in columns] for row in inverse]
