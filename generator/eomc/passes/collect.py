"""Collect the sums that a derivation makes: equal products of several bodies become one, their masses a hoisted sum.

``m1 l^2 (c1 c2) + m2 l^2 (c1 c2)`` is (m1 l^2 + m2 l^2)(c1 c2): the sum depends on parameters alone. Products are
flattened into factors, never expanded; terms with the same coefficient share it; cos^2 + sin^2 of one angle is one.
"""

from __future__ import annotations

from collections.abc import Iterable

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op

# By names of their own: looking up a member of an enumeration takes long.
_MUL, _DIV, _NEG, _POWI, _COS = Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.COS


class CollectedSums:
    """Sums with equal products collected; what the factors of a product are made of is found once for all sums."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._factors: dict[Node, _Factors] = {}
        self._products: dict[tuple[Node, ...], Node] = {}  # of parameters

    def __call__(self, terms: Iterable[Node]) -> Node:
        """Return the sum of `terms`."""
        graph, zero = self._graph, self._graph.zero
        coefficients: dict[tuple[Node, ...], Node] = {}
        for term in terms:
            if term == zero:
                continue
            coefficient, varying = self._split(term)
            if coefficient != zero:
                have = coefficients.get(varying, zero)
                coefficients[varying] = coefficient if have == zero else graph.add(have, coefficient)
        _apply_pythagoras(graph, coefficients)
        by_coefficient: dict[Node, Node] = {}
        for varying, coefficient in coefficients.items():
            if coefficient == zero:
                continue
            negative = graph.ops[coefficient] is _NEG
            key = graph.args[coefficient][0] if negative else coefficient
            number = graph.number(key)
            if number is not None and number < 0:
                key, negative = graph.constant(-number), not negative
            product = graph.product(varying)
            have = by_coefficient.get(key, zero)
            by_coefficient[key] = graph.sub(have, product) if negative else graph.add(have, product)
        return graph.sum(graph.mul(coefficient, product) for coefficient, product in by_coefficient.items())

    def _split(self, term: Node) -> tuple[Node, tuple[Node, ...]]:
        """Return the parameter-only part of a product and its varying factors, sorted."""
        graph = self._graph
        if graph.ops[term] is _MUL and graph.level[term] == Level.VARYING:
            x, y = graph.args[term]
            (steady, varying, negative), (beside, others, turned) = self._factors_of(x), self._factors_of(y)
            steady, varying, negative = steady + beside, varying + others, negative != turned
        else:
            steady, varying, negative = self._factors_of(term)
        parameters = tuple(sorted(steady))
        coefficient = self._products.get(parameters)
        if coefficient is None:
            coefficient = self._products[parameters] = graph.product(parameters)
        return graph.neg(coefficient) if negative else coefficient, tuple(sorted(varying))

    def _factors_of(self, product: Node) -> _Factors:
        """Return the factors of a product that depend on parameters alone, those that vary, and whether it is negated.

        It is flattened, never expanded.
        """
        known = self._factors.get(product)
        if known is not None:
            return known
        graph = self._graph
        steady: list[Node] = []
        varying: list[Node] = []
        negative = False
        stack = [product]
        while stack:
            node = stack.pop()
            op, args = graph.ops[node], graph.args[node]
            if graph.level[node] != Level.VARYING:
                steady.append(node)
            elif op is _MUL:
                stack.extend(args)
            elif op is _NEG:
                negative = not negative
                stack.append(args[0])
            elif op is _POWI and isinstance(power := graph.data[node], int) and 0 < power <= 4:
                stack.extend([args[0]] * power)
            elif op is _DIV and graph.level[args[1]] != Level.VARYING:
                steady.append(graph.div(graph.one, args[1]))
                stack.append(args[0])
            else:
                varying.append(node)
        found = self._factors[product] = steady, varying, negative
        return found


_Factors = tuple[list[Node], list[Node], bool]


def _apply_pythagoras(graph: Graph, coefficients: dict[tuple[Node, ...], Node]) -> None:
    """Merge c R cos^2 a + c R sin^2 a into c R, in place."""
    for varying in list(coefficients):
        for position in range(len(varying) - 1):
            cosine = varying[position]
            if varying[position + 1] != cosine or graph.ops[cosine] is not _COS:
                continue
            sine = graph.unary(Op.SIN, graph.args[cosine][0])
            rest = varying[:position] + varying[position + 2 :]
            partner = tuple(sorted((*rest, sine, sine)))
            coefficient = coefficients.get(varying)
            if coefficient is not None and coefficients.get(partner) == coefficient:
                del coefficients[varying], coefficients[partner]
                coefficients[rest] = graph.add(coefficients.get(rest, graph.zero), coefficient)
                break
