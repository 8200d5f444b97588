"""Terms that cancel, like terms and cos^2 + sin^2, found through brackets that serve nothing else.

(a + b) s - b s is a s, X (l c)^2 + X (l s)^2 is X l^2. A bracket that is used once is read as if it were multiplied
out, and is never written so: a term that goes is left out where it stands. What is shared is one factor, so that each
node is read once and nothing grows. Equal are products of the same nodes with exact numbers before them; a float that
is a whole number or a half is exact, all others are factors.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from eomc.ir.cone import unmet
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op

# By names of their own: looking up a member of an enumeration takes long.
_ADD, _SUB, _MUL, _DIV, _NEG, _POWI, _COS, _SIN = Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.COS, Op.SIN
_CONSTANT = Op.CONSTANT
_PRODUCTS = frozenset({_MUL, _DIV, _NEG, _POWI})
_LARGEST_POWER = 8
_MIX, _MASK = 0x9E3779B97F4A7C15, (1 << 61) - 1

Place = tuple[Node, int]  # an argument of a node
Factors = tuple[Node, ...]  # sorted; ~x for a divisor x


def shorten(graph: Graph, roots: Sequence[Node], beside: Iterable[Node] = ()) -> list[Node]:
    """Return the roots without terms that cancel, and with like terms in one.

    Parameters
    ----------
    graph
        The graph, to which shorter nodes are added.
    roots
        What is evaluated together.
    beside
        What is evaluated with the roots and stays as it is: what it shares with them is one factor.
    """
    return Shortening(graph, roots, beside).roots


def _exact(number: int | Fraction | float | None) -> int | Fraction | None:
    """Return a number that means itself; 0.1 is what somebody measured, or wrote for a tenth."""
    if isinstance(number, float):
        return Fraction(number) if (2.0 * number).is_integer() else None
    return number


@dataclass(slots=True)
class Term:
    """A product within a sum: where it stands, the brackets' factors around it, and what is left of it."""

    place: Place
    node: Node
    around: tuple[Node, ...]  # ~x for a divisor x
    sign: int
    number: int | Fraction = 0  # with the sign; as `factors`, known once it is asked for
    factors: Factors = ()


_Found = tuple[Place, Node, tuple[Node, ...], int]  # of a term what is known at first


class Shortening:
    """One reading of the sums below some roots; `roots` are the shorter ones."""

    def __init__(self, graph: Graph, roots: Sequence[Node], beside: Iterable[Node]) -> None:
        self.graph = graph
        self.live = live = graph.reachable(roots)
        args = graph.args
        self._uses = uses = Counter(itertools.chain.from_iterable([args[node] for node in live]))
        uses.update(roots)
        uses.update(graph.reachable(beside))
        self._marks: dict[Node, int] = {}
        self._bracketed: set[Node] = set()  # used once, and a sum or a product with one
        self._changes: dict[Place, Node] = {}
        self.prepare()
        self._survey()
        self._look()
        self.roots = self._rebuilt(roots) if self._changes else list(roots)

    def prepare(self) -> None:
        """Do what `merge` needs before anything is read."""

    def _survey(self) -> None:
        """Give each product a mark that does not depend on the order of its factors; sin and cos have the same."""
        graph, marks, uses, bracketed = self.graph, self._marks, self._uses, self._bracketed
        ops, all_args = graph.ops, graph.args
        for node in self.live:
            op, args = ops[node], all_args[node]
            if op is _MUL:
                x, y = args
                marks[node] = marks[x] + marks[y]
                if uses[node] == 1 and (x in bracketed) != (y in bracketed):
                    bracketed.add(node)
            elif op is _ADD or op is _SUB:
                marks[node] = node * _MIX & _MASK
                if uses[node] == 1:
                    bracketed.add(node)
            elif op is _NEG:
                marks[node] = marks[args[0]]
                if uses[node] == 1 and args[0] in bracketed:
                    bracketed.add(node)
            elif op is _DIV:
                x, y = args
                marks[node] = marks[x] - marks[y]
                if uses[node] == 1 and x in bracketed:
                    bracketed.add(node)
            elif op is _POWI and isinstance(power := graph.data[node], int) and 0 < power <= _LARGEST_POWER:
                marks[node] = marks[args[0]] * power
            elif op is _COS or op is _SIN:
                marks[node] = (args[0] * _MIX ^ _MIX) & _MASK
            elif op is _CONSTANT and _exact(graph.number(node)) is not None:
                marks[node] = 0
            else:
                marks[node] = node * _MIX & _MASK

    def _look(self) -> None:
        """Look at every sum that is no part of a larger one."""
        ops = self.graph.ops
        inside: set[Node] = set()
        for node in reversed(self.live):
            op = ops[node]
            if (op is _ADD or op is _SUB) and node not in inside:
                terms, several = self._terms(node, inside)
                if several:
                    self.merge({mark: [Term(*one) for one in alike] for mark, alike in terms.items()})

    def _terms(self, top: Node, inside: set[Node]) -> tuple[dict[int, list[_Found]], bool]:
        """Return the terms of a sum by their marks, and whether some have the same."""
        ops, all_args, marks, bracketed = self.graph.ops, self.graph.args, self._marks, self._bracketed
        found: dict[int, list[_Found]] = {}
        stack: list[tuple[Node, Place, tuple[Node, ...], int, int]] = [(top, (-1, 0), (), 0, 1)]
        several = False
        while stack:
            node, place, around, mark, sign = stack.pop()
            if node != top and node not in bracketed:
                key = mark + marks[node]
                terms = found.setdefault(key, [])
                several = several or bool(terms)
                terms.append((place, node, around, sign))
                continue
            inside.add(node)
            op, args = ops[node], all_args[node]
            if op is _ADD or op is _SUB:
                x, y = args
                stack.append((y, (node, 1), around, mark, sign if op is _ADD else -sign))
                stack.append((x, (node, 0), around, mark, sign))
            elif op is _NEG:
                stack.append((args[0], (node, 0), around, mark, -sign))
            elif op is _DIV:
                x, y = args
                stack.append((x, (node, 0), (*around, ~y), mark - marks[y], sign))
            else:
                x, y = args
                if x in bracketed:
                    stack.append((x, (node, 0), (*around, y), mark + marks[y], sign))
                else:
                    stack.append((y, (node, 1), (*around, x), mark + marks[x], sign))
        return found, several

    def merge(self, terms: dict[int, list[Term]]) -> None:
        """Leave out what cancels, add like terms, and put K for K cos^2 + K sin^2."""
        waiting = [mark for mark, alike in terms.items() if len(alike) > 1]
        while waiting:
            mark = waiting.pop()
            known: dict[Factors, Term] = {}
            for term in terms[mark]:
                if not term.factors:
                    self.read(term)
                self._join(known, term)
            for angle, term in self._apply_pythagoras(known):
                rest = mark - 2 * self._marks[angle]
                terms.setdefault(rest, []).append(term)
                if len(terms[rest]) > 1:
                    waiting.append(rest)
            terms[mark] = list(known.values())

    def _join(self, known: dict[Factors, Term], term: Term) -> None:
        have = known.pop(term.factors, None)
        if have is None:
            known[term.factors] = term
            return
        self.put(term, self.graph.zero)
        total = have.number + term.number
        if total == 0:
            self.put(have, self.graph.zero)
        else:
            self.put(have, self._times(have.node, Fraction(total) / Fraction(have.number)))
            have.number = total
            known[have.factors] = have

    def _times(self, product: Node, ratio: Fraction) -> Node:
        """Multiply a product by a number: the number that it ends with, where it does."""
        graph, others, node = self.graph, list[Node](), product
        while graph.ops[node] is _MUL:
            x, y = graph.args[node]
            number = _exact(graph.number(y))
            if number is not None:
                scaled = graph.mul(x, graph.constant(number * ratio))
                for other in reversed(others):
                    scaled = graph.mul(other, scaled)
                return scaled
            node, other = (y, x) if graph.ops[y] is _MUL else (x, y)
            others.append(other)
        return graph.mul(product, graph.constant(ratio))

    def put(self, term: Term, node: Node) -> None:
        """Write something else where a term stands."""
        self._changes[term.place] = term.node = node

    def read(self, term: Term) -> None:
        """Find the exact number before a term, and its factors, those of the brackets around it included."""
        number, factors = self.split(term.node)
        for outer in term.around:
            times, more = self.split(~outer if outer < 0 else outer)
            factors += [~factor for factor in more] if outer < 0 else more
            number = Fraction(number) / times if outer < 0 else number * times
        term.number, term.factors = number * term.sign, tuple(sorted(factors))

    def split(self, node: Node) -> tuple[int | Fraction, list[Node]]:
        """Return the exact number before a product, and its factors."""
        graph = self.graph
        number: int | Fraction = 1
        factors: list[Node] = []
        stack = [(node, False)]
        while stack:
            node, below = stack.pop()
            op, args = graph.ops[node], graph.args[node]
            if op is _MUL:
                stack += [(args[0], below), (args[1], below)]
            elif op is _NEG:
                number = -number
                stack.append((args[0], below))
            elif op is _DIV:
                stack += [(args[0], below), (args[1], not below)]
            elif op is _POWI and isinstance(power := graph.data[node], int) and 0 < power <= _LARGEST_POWER:
                stack += [(args[0], below)] * power
            elif (value := _exact(graph.number(node))) is not None:
                number = Fraction(number) / value if below else number * value
            else:
                factors.append(~node if below else node)
        return number, factors

    # -- cos^2 + sin^2 -----------------------------------------------------------------------------------------------

    def _apply_pythagoras(self, known: dict[Factors, Term]) -> list[tuple[Node, Term]]:
        """Take out pairs K cos^2 + K sin^2; return (the cosine, the term K in their place)."""
        graph = self.graph
        found = []
        for factors in list(known) if len(known) > 1 else []:
            term = known.get(factors)
            if term is None:
                continue
            for cosine, count in Counter(factors).items():
                if count != 2 or cosine < 0 or graph.ops[cosine] is not _COS:
                    continue
                sine = graph.unary(_SIN, graph.args[cosine][0])
                rest = tuple(factor for factor in factors if factor != cosine)
                partner = known.get(tuple(sorted((*rest, sine, sine))))
                if partner is None or partner.number != term.number:
                    continue
                kept = self._divided(term, partner, cosine) or self._divided(partner, term, sine)
                if kept is not None:
                    del known[term.factors], known[partner.factors]
                    kept.factors = rest
                    found.append((cosine, kept))
                    break
        return found

    def _divided(self, term: Term, other: Term, factor: Node) -> Term | None:
        """Divide a term by factor^2 and leave the other one out, where that makes no more operations."""
        if self.split(term.node)[1].count(factor) != 2:
            return None
        freed = self._products(term.node, alone=True) | self._products(other.node, alone=True)
        shorter = self.without(term.node, factor)
        new = {node for node in self._products(shorter, alone=False) if node not in self._uses or node in freed}
        if len(new) > len(freed):
            return None
        self.put(term, shorter)
        self.put(other, self.graph.zero)
        return term

    def _products(self, node: Node, alone: bool) -> set[Node]:
        """Return the products that a term is made of, all or those that serve it alone."""
        graph, found, stack = self.graph, set(), [node]
        while stack:
            node = stack.pop()
            if (
                graph.ops[node] in _PRODUCTS
                and graph.level[node] == Level.VARYING
                and not (alone and self._uses[node] > 1)
            ):
                found.add(node)
                stack.extend(graph.args[node])
        return {node for node in found if graph.ops[node] is not _NEG}

    def without(self, node: Node, factor: Node) -> Node:
        """Return a product with 1 for each `factor`."""
        graph = self.graph
        memo = {factor: graph.one}

        def inner(product: Node) -> tuple[Node, ...]:
            return graph.args[product] if graph.ops[product] in _PRODUCTS else ()

        for product in unmet(node, memo, inner):
            args = [memo[arg] for arg in inner(product)]
            memo[product] = graph.rebuild(product, args) if args else product
        return memo[node]

    # -- the result --------------------------------------------------------------------------------------------------

    def _rebuilt(self, roots: Sequence[Node]) -> list[Node]:
        graph, changes = self.graph, self._changes
        touched = {node for node, _ in changes}
        new: dict[Node, Node] = {}
        for node in self.live:
            args = graph.args[node]
            after = tuple([new[arg] for arg in args])
            if node in touched:
                after = tuple([changes.get((node, i), arg) for i, arg in enumerate(after)])
            new[node] = node if after == args else graph.rebuild(node, after)
        return [new[root] for root in roots]
