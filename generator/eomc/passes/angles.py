"""cos a cos b + sin a sin b as cos(a - b), and its like, where that takes less.

K cos a cos b + K sin a sin b = K cos(a - b), K sin a cos b - K cos a sin b = K sin(a - b), and with the other signs the
sums. One more sine or cosine costs more than the products that it saves, unless a + b is short for something (x of
(x + y) - y), others go, or many products do: all sums are taken together, and the cost of everything decides.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from eomc.ir.cone import walked
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.passes.cost import cost
from eomc.passes.shorten import Factors, Shortening, Term, shorten

# By names of their own: looking up a member of an enumeration takes long.
_SIN, _COS, _ADD, _SUB, _NEG = Op.SIN, Op.COS, Op.ADD, Op.SUB, Op.NEG

MOST = 16
"""Sines and cosines: of more angles there are so many sums that they cannot pay."""


def with_sums_of_angles(
    graph: Graph, groups: Sequence[Sequence[Node]], beside: Sequence[Node] = ()
) -> list[list[Node]] | None:
    """Return groups of expressions with sines and cosines of sums of angles, None where these do not pay.

    They pay where no group costs more by itself, and all together, with what is evaluated beside them, cost less.
    """
    roots = [node for group in groups for node in group]
    calls = (node for node in walked(graph, roots) if graph.ops[node] is _SIN or graph.ops[node] is _COS)
    counted = len(list(itertools.islice(calls, MOST + 1)))
    pays = 4 <= counted <= MOST and _tried(graph.copy(), groups, roots, beside) is not None
    return _tried(graph, groups, roots, beside) if pays else None  # a graph without what was tried in vain


def _tried(
    graph: Graph, groups: Sequence[Sequence[Node]], roots: Sequence[Node], beside: Sequence[Node]
) -> list[list[Node]] | None:
    turned = _Turning(graph, roots, ()).roots
    if turned == roots:
        return None
    turned = shorten(graph, turned, beside)
    found, start = [], 0
    for group in groups:
        found.append(turned[start : start + len(group)])
        start += len(group)
        if cost(graph, found[-1]) > cost(graph, group):
            return None
    return found if cost(graph, [*turned, *beside]) < cost(graph, [*roots, *beside]) else None


def _is_turning(graph: Graph, node: Node) -> bool:
    return graph.ops[node] is _SIN or graph.ops[node] is _COS


class _Turning(Shortening):
    """Puts one function of a sum of angles for two products."""

    def prepare(self) -> None:
        """Find the sine that goes with each cosine, and the other way round."""
        graph = self.graph
        calls = {(graph.ops[node], graph.args[node]): node for node in self.live if _is_turning(graph, node)}
        self._others = {node: calls.get((_SIN if op is _COS else _COS, args)) for (op, args), node in calls.items()}

    def merge(self, terms: dict[int, list[Term]]) -> None:
        """Look at terms that differ in which of their factors are sines."""
        for alike in terms.values():
            known: dict[Factors, Term] = {}
            for term in alike if len(alike) > 1 else []:
                self.read(term)
                known.setdefault(term.factors, term)
            for factors in list(known):
                left = known.get(factors)
                if left is not None:
                    self._pair(known, left)

    def _pair(self, known: dict[Factors, Term], term: Term) -> None:
        turning = [
            f for f, count in Counter(term.factors).items() if count == 1 and f >= 0 and _is_turning(self.graph, f)
        ]
        for i, x in enumerate(turning):
            for y in turning[i + 1 :]:
                if self.graph.args[x] == self.graph.args[y]:
                    continue
                exchanged = self._exchanged(term.factors, x, y)
                partner = None if exchanged is None else known.get(exchanged)
                if partner is None or partner is term or abs(partner.number) != abs(term.number):
                    continue
                if self._combine(term, partner, x, y):
                    del known[term.factors], known[partner.factors]
                    return

    def _combine(self, term: Term, partner: Term, x: Node, y: Node) -> bool:
        """Put K f(a + b) for a term K f(a) g(b) and its partner, where its own factors are these."""
        graph = self.graph
        own = Counter(self.split(term.node)[1])
        if own[x] != 1 or own[y] != 1:
            return False
        same = 1 if partner.number == term.number else -1
        a, b = graph.args[x][0], graph.args[y][0]
        if graph.ops[x] is graph.ops[y]:  # cos a cos b + same sin a sin b = cos(a - same b)
            angle, _ = self._sum(a, b, -same)
            function, negative = _COS, graph.ops[x] is _SIN and same < 0
        else:  # sin a cos b + same cos a sin b = sin(a + same b)
            angle, reversed_ = self._sum(a, b, same)
            function, negative = _SIN, reversed_ != (graph.ops[x] is _COS and same < 0)
        rest = self.without(self.without(term.node, x), y)
        node = graph.mul(rest, graph.unary(function, angle))
        self.put(term, graph.neg(node) if negative else node)
        self.put(partner, graph.zero)
        return True

    def _exchanged(self, factors: Factors, x: Node, y: Node) -> Factors | None:
        """Return the factors with cos for sin and sin for cos of x and y, None where nothing has these."""
        others = self._others.get(x), self._others.get(y)
        if others[0] is None or others[1] is None:
            return None
        left = list(factors)
        left.remove(x)
        left.remove(y)
        return tuple(sorted([*left, others[0], others[1]]))

    def _sum(self, a: Node, b: Node, sign: int) -> tuple[Node, bool]:
        """Return a + b or a - b and whether its sign is turned, so that a - b and b - a are one; (x + y) - x is y."""
        graph = self.graph
        terms: dict[Node, int] = {}
        stack = [(b, sign), (a, 1)]
        while stack:
            node, times = stack.pop()
            op, args = graph.ops[node], graph.args[node]
            if op is _ADD or op is _SUB:
                stack += [(args[1], times if op is _ADD else -times), (args[0], times)]
            elif op is _NEG:
                stack.append((args[0], -times))
            else:
                terms[node] = terms.get(node, 0) + times
        ordered = sorted((node, times) for node, times in terms.items() if times)
        reversed_ = bool(ordered) and ordered[0][1] < 0
        total = graph.zero
        for node, times in ordered:
            total = graph.add(total, graph.mul(node, graph.constant(-times if reversed_ else times)))
        return total, reversed_
