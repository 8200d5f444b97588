"""Entries in the form of text-books: brackets multiplied out, products of sines and cosines as functions of sums.

An entry is expanded into terms, sorted by what stands beside sines and cosines; each polynomial in these is given to
SymPy's trigonometric simplification (H. Fu, X. Zhong, Z. Zeng, Automated and readable simplification of trigonometric
expressions, *Math. Comput. Model.* 44 (2006)); and equal results share their coefficients. The shortest spelling wins,
what the derivation made among equals. What SymPy returns is compared with the graph at random states.

The limits are sizes, not times: the same model is printed in the same bytes everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy
from sympy.simplify.fu import TR5, TR6, TR8, TR10i

from eomc.backends.report.checks import CheckedPivot
from eomc.backends.report.outline import Grid, Item, Section, Show, nodes_of
from eomc.backends.report.polynomials import HIGHEST, Monomial, Polynomial, TooLarge, common, divided, expanded
from eomc.backends.report.writer import Writer
from eomc.ir.cone import cone
from eomc.ir.graph import Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.remembered import remembered
from eomc.ir.symbols import Role, Symbol
from eomc.passes.substitute import Substitution

LARGEST = 280
"""Characters of an entry that is looked at; a longer one is shorter by the names of what it shares with others."""

ALLOWANCE = 2000
"""Terms that are multiplied out in one report."""

SAMPLES = 3
AGREEMENT = 1e-11
"""Of the size of the terms."""


def put_in_textbook_form(outline: Sequence[Section], writer: Writer) -> tuple[Section, ...]:
    """Return the outline with entries in shorter forms where there are any.

    Parameters
    ----------
    outline
        What is to be printed.
    writer
        Of plain text, on a graph that may grow: it measures what is shorter.
    """
    return _Textbook(outline, writer).outline


class _Textbook:
    def __init__(self, outline: Sequence[Section], writer: Writer) -> None:
        self._writer = writer
        self._graph = writer.graph
        self._left = ALLOWANCE
        self._samples = [Sample(self._graph, {}, seed=seed) for seed in range(SAMPLES)]
        self._angles: dict[Node, sympy.Symbol] = {}
        self._nodes: dict[sympy.Symbol, Node] = {}
        shorter: dict[Node, Node] = {}
        for section in outline:
            said = {self._unsigned(node) for node, _ in section.given}  # what the section says by its name
            for item in section.items:
                for node in nodes_of(item):
                    if node not in shorter and node not in said:
                        shorter[node] = self._shortest(node, said)
                    if section.by_name:
                        said.add(self._unsigned(node))
        changed: dict[Node, Node] = {}
        for node in sorted(node for node, new in shorter.items() if new != node):  # what it is made of comes before
            changed[node] = Substitution(self._graph, changed)(shorter[node])
        self.outline = tuple(outline) if not changed else _replaced(outline, Substitution(self._graph, changed))

    def _unsigned(self, node: Node) -> Node:
        """Return x of -x: where -x has a name, x is said by it, too."""
        return self._graph.args[node][0] if self._graph.ops[node] is Op.NEG else node

    def _shortest(self, node: Node, said: set[Node]) -> Node:
        """Return the shortest form of an entry that agrees with it."""
        try:
            polynomial = expanded(self._graph, node, said.__contains__)
        except TooLarge:
            return node
        turning = any(self._graph.ops[factor] in _TRIGONOMETRIC for m in polynomial for factor, _ in m)
        if len(polynomial) > self._left or not turning or self._length(node, said) > LARGEST:
            return node
        self._left -= len(polynomial)
        beside, groups = self._groups(polynomial)
        forms = [self._sum(beside, groups, collected) for collected in (False, True)]
        best = min([node, *forms], key=lambda form: (self._length(form, said), form != node))
        return best if best == node or self._agree(node, best, polynomial) else node

    def _length(self, node: Node, said: set[Node]) -> float:
        """Return the characters of an entry written out; infinity for what is far too long to be written."""
        graph, writer = self._graph, self._writer

        def has_name(below: Node) -> bool:
            return graph.ops[below] is Op.RESULT or (below in said and bool(graph.args[below]))

        seen = cone(graph, [node], has_name)
        known = {below: writer.stand_in(below) for below in seen if has_name(below)}
        symbols: dict[Node, int] = {}
        for below in seen:
            inner = () if below in known else graph.args[below]
            symbols[below] = min(1 + sum(symbols[arg] for arg in inner), 2 * LARGEST)
        if symbols[node] == 2 * LARGEST:
            return math.inf
        return len(writer.text(writer.write([node], known)[node]))

    # -- sines and cosines -------------------------------------------------------------------------------------------

    def _groups(self, polynomial: Polynomial) -> tuple[Polynomial, list[tuple[sympy.Expr, Polynomial]]]:
        """Return terms without an angle, and (function of angles, its coefficient) for the others."""
        by_rest: dict[Monomial, Polynomial] = {}
        for monomial, number in polynomial.items():
            turning = tuple(p for p in monomial if self._graph.ops[p[0]] in _TRIGONOMETRIC and p[1] > 0)
            rest = tuple(p for p in monomial if p not in turning)
            by_rest.setdefault(rest, {})[turning] = number
        beside: Polynomial = {}
        groups: dict[sympy.Expr, Polynomial] = {}
        for rest, function in by_rest.items():
            leading = next(iter(function.values()))
            simple = self._simplify(tuple((turning, number / leading) for turning, number in function.items()))
            for term in sympy.Add.make_args(simple):
                number, angles = term.as_coeff_Mul(rational=True)
                factor = leading * Fraction(int(number.p), int(number.q))
                coefficient = beside if angles == 1 else groups.setdefault(angles, {})
                coefficient[rest] = coefficient.get(rest, Fraction(0)) + factor
        live = [(angles, self._in_order(coefficient)) for angles, coefficient in groups.items()]
        live = [(angles, coefficient) for angles, coefficient in live if coefficient]
        live.sort(key=lambda group: self._place(next(iter(group[1]))))
        return self._in_order(beside), live

    def _in_order(self, terms: Polynomial) -> Polynomial:
        """Return the terms that are left, in the order in which the model names what they are made of."""
        return {m: terms[m] for m in sorted(terms, key=self._place) if terms[m]}

    def _place(self, monomial: Monomial) -> list[tuple[int, int, int]]:
        places = []
        for factor, exponent in monomial:
            data = self._graph.data[factor]
            own = (_ROLES.index(data.role), data.index) if isinstance(data, Symbol) else (len(_ROLES), factor)
            places.append((*own, -exponent))
        return sorted(places)

    @remembered
    def _simplify(self, function: tuple[tuple[Monomial, Fraction], ...]) -> sympy.Expr:
        """Return a polynomial in sines and cosines in SymPy's shortest form, multiplied out."""
        given = sympy.Add(*[self._sympy(turning, number) for turning, number in function])
        forms = [given]
        if max(sum(exponent for _, exponent in turning) for turning, _ in function) <= HIGHEST:
            forms += [sympy.expand(rule(given)) for rule in (TR8, TR10i, TR5, TR6)]
        return min(forms, key=_measure)

    def _sympy(self, turning: Monomial, number: Fraction) -> sympy.Expr:
        functions = {Op.SIN: sympy.sin, Op.COS: sympy.cos}
        factors = [
            functions[self._graph.ops[node]](self._angle(self._graph.args[node][0])) ** exponent
            for node, exponent in turning
        ]
        return sympy.Mul(sympy.Rational(number.numerator, number.denominator), *factors)

    def _angle(self, root: Node) -> sympy.Expr:
        """Return an angle as a sum of angles with whole coefficients."""
        graph = self._graph
        total: list[sympy.Expr] = []
        stack = [(root, 1)]
        while stack:
            node, times = stack.pop()
            op, args = graph.ops[node], graph.args[node]
            if op is Op.ADD or op is Op.SUB:
                stack += [(args[1], times if op is Op.ADD else -times), (args[0], times)]
            elif op is Op.NEG:
                stack.append((args[0], -times))
            elif op is Op.MUL and isinstance(whole := graph.number(args[1]), int):
                stack.append((args[0], times * whole))
            else:
                total.append(times * self._angle_symbol(node))
        return sympy.Add(*total)

    def _angle_symbol(self, node: Node) -> sympy.Symbol:
        if node not in self._angles:
            data = self._graph.data[node]
            place = (
                f"s{data.index:04}" if isinstance(data, Symbol) else f"t{len(self._angles):04}"
            )  # in the user's order
            symbol = sympy.Symbol(f"{place}_{node}", real=True)
            self._angles[node], self._nodes[symbol] = symbol, node
        return self._angles[node]

    # -- back to the graph -------------------------------------------------------------------------------------------

    def _sum(self, beside: Polynomial, groups: Iterable[tuple[sympy.Expr, Polynomial]], collected: bool) -> Node:
        """Return the terms as a node; `collected` puts equal functions of angles behind one bracket."""
        graph = self._graph
        terms = [self._term(monomial, number) for monomial, number in beside.items()]
        for angles, coefficient in groups:
            function = self._lowered(angles)
            if not collected:
                terms += [graph.mul(self._term(m, number), function) for m, number in coefficient.items()]
            else:
                shared = common(coefficient)
                left = {divided(m, shared): number for m, number in coefficient.items()}
                bracket = self._total([self._term(m, number) for m, number in left.items()])
                terms.append(graph.mul(graph.mul(self._term(shared, Fraction(1)), bracket), function))
        return self._total(terms)

    def _total(self, terms: Sequence[Node]) -> Node:
        """Return a sum in the order of its terms: an older node stands before a younger one."""
        total = self._graph.zero
        for term in reversed(terms):
            total = self._graph.add(term, total)
        return total

    def _term(self, monomial: Monomial, number: Fraction) -> Node:
        graph = self._graph
        above = graph.product(graph.powi(factor, e) for factor, e in monomial if e > 0)
        below = graph.product(graph.powi(factor, -e) for factor, e in monomial if e < 0)
        return graph.mul(graph.div(above, below), graph.constant(number))

    def _lowered(self, expression: Any) -> Node:
        """Return the node of what SymPy has made: sums, products and powers of sines and cosines of sums of angles."""
        graph = self._graph
        if expression.is_Symbol:
            return self._nodes[expression]
        if expression.is_Rational:
            return graph.constant(Fraction(int(expression.p), int(expression.q)))
        if expression.is_Add:
            return self._total([self._lowered(arg) for arg in _summands(expression.args)])
        if expression.is_Mul:
            return graph.product(self._lowered(arg) for arg in _summands(expression.args))
        if expression.is_Pow:
            return graph.powi(self._lowered(expression.base), int(expression.exp))
        op = Op.SIN if isinstance(expression, sympy.sin) else Op.COS
        return graph.unary(op, self._lowered(expression.args[0]))

    # -- the test ----------------------------------------------------------------------------------------------------

    def _agree(self, old: Node, new: Node, polynomial: Polynomial) -> bool:
        """Whether two forms have the same values at random states, beside the size of the terms."""
        finite = 0
        for sample in self._samples:
            size = sum(
                abs(float(number)) * math.prod(abs(sample[factor]) ** e for factor, e in monomial)
                for monomial, number in polynomial.items()
            )
            difference = sample[old] - sample[new]
            if not math.isfinite(size):
                continue
            finite += 1
            if not abs(difference) <= AGREEMENT * size:
                return False
        return finite > 0


_ROLES = (Role.PARAMETER, *(role for role in Role if role is not Role.PARAMETER))
_TRIGONOMETRIC = frozenset({Op.SIN, Op.COS})


def _measure(form: sympy.Expr) -> tuple[int, int]:
    return int(sympy.count_ops(form)), len(sympy.Add.make_args(form))


def _summands(args: Iterable[Any]) -> list[Any]:
    """Return arguments in an order of our own, what has no minus first."""
    return sorted(args, key=lambda arg: (arg.could_extract_minus_sign(), sympy.default_sort_key(arg)))


def _replaced(outline: Sequence[Section], substitution: Substitution) -> tuple[Section, ...]:
    """Return the outline over other nodes."""

    def over(item: Item) -> Item:
        if isinstance(item, Show):
            return replace(item, node=substitution(item.node))
        if isinstance(item, Grid):
            return replace(item, rows=tuple(tuple(map(substitution, row)) for row in item.rows))
        if isinstance(item, CheckedPivot) and item.pivot is not None:
            return replace(item, pivot=substitution(item.pivot))
        return item

    return tuple(
        replace(
            section,
            items=tuple(map(over, section.items)),
            given=tuple((substitution(node), name) for node, name in section.given),
        )
        for section in outline
    )
